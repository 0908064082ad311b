package storetest

// A workspace is a folder of workspaceStorage.
type workspace struct {
	id      string
	field   string // folder or workspace; "" for no workspace.json
	uri     string // as workspace.json has it
	want    string // the project's URI
	name    string // its last segment
	kind    string
	json    string // workspace.json as it is, where it is not made of field and uri
	noStore bool
	plain   bool // a store as in 2024: no cursorDiskKV, rollback journal

	heads    []string // elements of allComposers, JSON
	tabs     []string // chat tabs, JSON
	pane     []string // conversations that its pane names
	items    []Row
	prompts  int
	products int     // generations
	typed    []typed // its prompts, where they are not made up
}

// typed is a prompt that the workspace's list has, and when it was sent.
type typed struct {
	text string
	at   int64
}

// folder is a workspace with one folder.
func (p *Plan) folder(id, uri, want, name, kind string) *workspace {
	w := &workspace{id: id, field: "folder", uri: uri, want: want, name: name, kind: kind}
	p.workspaces = append(p.workspaces, w)
	return w
}

// planWorkspaces makes the projects that the chats are about. The first two are two folders of one project.
func (p *Plan) planWorkspaces() {
	id := func() string { return p.r.hex(32) }
	p.folder(id(), "file:///home/mira/src/tide-api", "file:///home/mira/src/tide-api", "tide-api", "local")
	p.folder(id(), "file:///home/mira/src/tide-api/", "file:///home/mira/src/tide-api", "tide-api", "local")
	p.folder(id(), "file:///Users/mira/Projects/atlas%20notes", "file:///Users/mira/Projects/atlas notes",
		"atlas notes", "local")
	p.folder(id(), "file:///c%3A/Users/Mira/source/Ledger", "file:///c:/Users/Mira/source/Ledger", "Ledger", "local")
	p.folder(id(), "vscode-remote://wsl%2BUbuntu/home/mira/work/importer",
		"vscode-remote://wsl+ubuntu/home/mira/work/importer", "importer", "wsl")
	p.folder(id(), "vscode-remote://ssh-remote%2Bbuild.example.org/srv/site",
		"vscode-remote://ssh-remote+build.example.org/srv/site", "site", "ssh")
	p.folder(id(), "file:///home/mira/src/%D0%BA%D0%B0%D1%80%D1%82%D1%8B", "file:///home/mira/src/карты", "карты",
		"local")
	p.folder(id(), "file:///home/mira/src/tide-web", "file:///home/mira/src/tide-web", "tide-web", "local")
	for i, w := range p.workspaces {
		w.prompts, w.products = 2+i, 1+i%3
	}
}

// identifier is a workspaceIdentifier.
func (w *workspace) identifier(withURI bool) string {
	var o object
	o.str("id", w.id)
	if withURI && w.uri != "" {
		var u object
		u.int("$mid", 1)
		u.str("external", w.uri)
		u.str("scheme", before(w.uri, "://"))
		o.raw("uri", u.String())
	}
	return o.String()
}

// workspaceJSON is the file workspace.json, nil for none.
func (w *workspace) workspaceJSON() []byte {
	switch {
	case w.json != "":
		return []byte(w.json)
	case w.field == "":
		return nil
	}
	var o object
	o.str(w.field, w.uri)
	return o.end()
}

// rows are those of the workspace's store.
func (w *workspace) rows() []Row {
	var rows []Row
	add := func(key string, value []byte) { rows = append(rows, Row{ItemTable, key, string(value)}) }
	var data object
	data.raw("allComposers", list(w.heads))
	data.raw("selectedComposerIds", "[]")
	add("composer.composerData", data.end())
	if len(w.tabs) > 0 {
		var o object
		o.raw("tabs", list(w.tabs))
		add("workbench.panel.aichat.view.aichat.chatdata", o.end())
	}
	if len(w.pane) > 0 {
		var o object
		for _, id := range w.pane {
			o.raw("workbench.panel.aichat.view."+id, `{"collapsed":false,"isHidden":false}`)
		}
		add("workbench.panel.composerChatViewPane."+w.id[:8], o.end())
	}
	if w.typed != nil {
		var asked, made []string
		r := newRNG(uint64(len(w.typed)), 12)
		for _, t := range w.typed {
			asked = append(asked, `{"text":`+quoted(t.text)+`,"commandType":4}`)
			made = append(made, `{"unixMs":`+itoa64(t.at)+`,"generationUUID":"`+r.uuid()+
				`","type":"composer","textDescription":`+quoted(t.text)+`}`)
		}
		add("aiService.prompts", []byte(list(asked)))
		add("aiService.generations", []byte(list(made)))
	} else if w.prompts > 0 {
		r := newRNG(uint64(w.prompts), 11)
		asked, made := make([]string, w.prompts), make([]string, w.products)
		for i := range asked {
			// Equal texts are prompts of their own.
			asked[i] = `{"text":` + quoted([]string{"again", "run the tests", "γιατί;"}[i%3]) + `,"commandType":4}`
		}
		for i := range made {
			made[i] = `{"unixMs":` + itoa64(base+int64(i)*day) + `,"generationUUID":"` + r.uuid()[:23] + "-" +
				w.id[:12] +
				`","type":"composer","textDescription":` + quoted(r.prose(prompts, 1)) + `}`
		}
		add("aiService.prompts", []byte(list(asked)))
		add("aiService.generations", []byte(list(made)))
	}
	return append(rows, w.items...)
}
