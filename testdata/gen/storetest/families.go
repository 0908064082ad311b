package storetest

import "math"

// Shares of the other families, as rows for each message in a row, from a store of 35,500 such messages.
const (
	checkpointShare = 12_100.0 / 35_500
	contextShare    = 2_800.0 / 35_500
	diffShare       = 4_050.0 / 35_500
)

// planFamilies plans the rows that hang on conversations and messages.
func (p *Plan) planFamilies() {
	for _, c := range p.chats {
		if c.form != "rows" {
			continue
		}
		n := float64(len(c.msgs))
		c.filler = len(c.msgs) * 640
		p.planCheckpoints(c, int(math.Round(n*checkpointShare)))
		p.planContexts(c, int(math.Round(n*contextShare)))
		for range int(math.Round(n * diffShare)) {
			c.diffs = append(c.diffs, diff{id: p.r.uuid(), bare: p.r.chance(0.02), size: p.r.between(500, 8200),
				seed: p.r.Uint64(), hunks: p.r.between(1, 4)})
		}
		p.planEdits(c)
	}
	p.planBodies()
}

func (p *Plan) planCheckpoints(c *conversation, n int) {
	for range n {
		cp := checkpoint{id: p.r.uuid(), seed: p.r.Uint64()}
		switch x := p.r.IntN(1000); {
		case x < 2:
			cp.null = true
			p.nulls["checkpointId"]++
		case x < 500: // empty ones are common
		default:
			cp.files, cp.size = p.r.between(1, 5), p.r.between(300, 8700)
		}
		c.checkpoints = append(c.checkpoints, cp)
		if m := c.msgs[p.r.IntN(len(c.msgs))]; m.checkpoint == "" {
			m.checkpoint = cp.id
		}
	}
}

// planContexts plans n contexts: for the prompts by bubble id or by request id, the rest under ids that
// nothing else has.
func (p *Plan) planContexts(c *conversation, n int) {
	r := p.r
	for _, m := range c.msgs {
		if m.role != "user" || len(c.contexts) == n {
			continue
		}
		x := requestContext{id: m.id, msg: m}
		if r.chance(0.2) {
			x.id = m.request
		}
		c.contexts = append(c.contexts, x)
	}
	for len(c.contexts) < n {
		c.contexts = append(c.contexts, requestContext{id: r.uuid()})
	}
	for i := range c.contexts {
		x := &c.contexts[i]
		x.seed, x.size = r.Uint64(), r.between(1500, 14_600)
		for _, a := range []attachment{{"cursorRules", 2, ""}, {"terminalFiles", 1, ""}, {"todos", 3, ""},
			{"multiFileLinterErrors", 1, ""}, {"currentFileLocationData", 1, ""}} {
			if r.chance(0.3) {
				x.attach = append(x.attach, a)
			}
		}
	}
}

// planEdits gives every other edit call of the older builds, and each eighth of the newer, a code block.
func (p *Plan) planEdits(c *conversation) {
	r := p.r
	for _, m := range c.msgs {
		if m.tool == nil || m.tool.kind != "edit" ||
			!r.chance(map[bool]float64{true: 0.12, false: 0.5}[m.tool.number == 38]) {
			continue
		}
		e := edit{id: r.uuid(), msg: m.id, uri: "file:///home/mira/src/tide-api/" + r.pick(fileNames),
			block: r.chance(0.85), status: r.pick([]string{"completed", "accepted", "accepted", "aborted", "rejected"}),
			at: m.finish}
		m.tool.block = e.id
		if !e.block || r.chance(0.4) {
			for range r.between(1, 4) {
				e.fates = append(e.fates, fate{r.pick([]string{"accepted", "accepted", "accepted", "rejected"}),
					r.between(0, 30), r.between(0, 12)})
			}
		}
		c.edits = append(c.edits, e)
	}
}

// planBodies plans what only the raw layer keeps: blobs of the agent, file contents, state of the interface.
func (p *Plan) planBodies() {
	r := p.r
	share := float64(p.o.Messages) / 37_000
	add := func(n float64, kind string, a, b int, key func() string) {
		for range int(math.Ceil(n * share)) {
			p.bodies = append(p.bodies, body{key(), kind, r.between(a, b), r.Uint64()})
		}
	}
	chat := func() string { return p.chats[r.IntN(len(p.chats))].id }
	add(1600, "json", 400, 5600, func() string { return "agentKv:blob:" + r.hex(64) })
	add(4000, "proto", 60, 700, func() string { return "agentKv:blob:" + r.hex(64) })
	add(500, "text", 500, 6000, func() string { return "composer.content." + r.hex(64) })
	add(240, "text", 500, 6000, func() string {
		return "ofsContent:" + chat() + ":file:///home/mira/src/tide-api/" + r.hex(6) + ".ts"
	})
	add(60, "ui", 0, 0, func() string { return "composerVirtualRowHeights:" + r.uuid() })
	add(8, "zero", 0, 0, func() string { return "inlineDiffs-" + r.hex(32) })
}

// value is the made-up body.
func (b body) value() any {
	r := newRNG(b.seed, 5)
	switch b.kind {
	case "json":
		return []byte(`{"role":"tool","id":"` + r.hex(12) + `","content":[{"type":"tool-result","toolCallId":"toolu_` +
			r.hex(24) +
			`","toolName":"Read","result":` + quoted(r.code(b.size)) + `}]}`)
	case "proto":
		v := []byte{0x0a, 0x20}
		return append(append(v, r.bytes(32)...), r.bytes(b.size)...)
	case "ui":
		return `{"heights":[24,120,88]}`
	case "zero":
		return []byte{0} // an empty array, as Cursor writes it
	}
	return r.code(b.size)
}

func (cp checkpoint) json() any {
	if cp.null {
		return nil
	}
	r := newRNG(cp.seed, 5)
	files := make([]string, cp.files)
	for i := range files {
		path := "/home/mira/src/tide-api/" + r.pick(fileNames)
		if cp.of != "" {
			path = cp.of
		}
		files[i] = `{"uri":{"path":"` + path + `","scheme":"file"},"originalModelDiffWrtV0":[` +
			hunk(r, cp.size/cp.files) + `]}`
	}
	return `{"files":` + list(files) + `,"nonExistentFiles":[],"newlyCreatedFolders":[],"activeInlineDiffs":[],` +
		`"inlineDiffNewlyCreatedResources":{"files":[],"folders":[]}}`
}

// hunk is one change of a file, of about size bytes.
func hunk(r rng, size int) string {
	var lines []string
	for n := 0; n < size; {
		line := quoted(r.pick(codeLines()))
		lines = append(lines, line)
		n += len(line) + 1
	}
	from := r.between(1, 500)
	return `{"original":{"startLineNumber":` + itoa(from) + `,"endLineNumberExclusive":` + itoa(from+3) +
		`},"modified":` + list(lines) + `}`
}

func (d diff) json() string {
	r := newRNG(d.seed, 5)
	hunks := make([]string, d.hunks)
	for i := range hunks {
		hunks[i] = hunk(r, d.size/d.hunks)
	}
	return `{"newModelDiffWrtV0":` + list(hunks) + `,"originalModelDiffWrtV0":[]}`
}

func (x requestContext) json() string {
	r := newRNG(x.seed, 5)
	var o object
	for _, a := range x.attach {
		if a.field == "currentFileLocationData" {
			o.str(a.field, `{"relativeWorkspacePath":"`+r.pick(fileNames)+`","lineNumber":12,"text":"return nil"}`)
		}
	}
	writeAttachments(&o, r, x.attach[:countLists(x.attach)], "", "")
	o.str("gitStatusRaw", "On branch main\nnothing to commit, working tree clean\n")
	o.raw("projectLayouts",
		list(
			[]string{quoted(`{"listDirV2Result":{"directoryTreeRoot":{"absPath":"/home/mira/src/tide-api","tree":` +
				quoted(r.code(x.size)) + `}}}`)}))
	o.raw("knowledgeItems", "[]")
	o.raw("summarizedComposers", "[]")
	o.raw("deletedFiles", "[]")
	o.raw("attachedFoldersListDirResults", `[{"directoryRelativeWorkspacePath":"src"}]`)
	return o.String()
}

// countLists is the number of attachments before the one that is no list, which is the last.
func countLists(as []attachment) int {
	if n := len(as); n > 0 && as[n-1].field == "currentFileLocationData" {
		return n - 1
	}
	return len(as)
}
