package storetest

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// composerTemplate has the fields that Cursor writes into every composer, empty or not.
var composerTemplate = newTemplate(emptyFields(
	`fullConversationHeadersOnly generatingBubbleIds newlyCreatedFiles newlyCreatedFolders capabilities todos queueItems subComposerIds
	subagentComposerIds branches trackedGitRepos allAttachedFileCodeChunksUris codebaseSearchSettings`, "[]",
	`conversationMap codeBlockData originalFileStates originalModelLines usageData`, "{}",
	`isArchived isDraft isWorktree isSpec isProject isBestOfNSubcomposer isBestOfNParent isAgentic isNAL`, "false",
	`hasLoaded`, "true", `text richText latestChatGenerationUUID`, `""`))

// json is the conversation document: the value of composerData or an element of allComposers.
func (c *conversation) json() []byte {
	r := newRNG(c.seed, 1)
	o := object{mask: composerTemplate}
	if c.store != nil { // elements of allComposers are small
		o.mask = nil
		o.str("type", "head")
	}
	o.someRaw("_v", c.v)
	if !c.noID {
		o.str("composerId", c.id)
	}
	if c.title != "" && c.titleIn == "" {
		o.str("name", c.title)
	}
	o.some("status", c.status)
	o.some("unifiedMode", c.mode)
	if c.model != nil && c.modelList {
		o.raw("modelConfig", `{"maxMode":false,"selectedModels":[{"modelId":`+quoted(*c.model)+`,"parameters":[]}]}`)
	} else if c.model != nil {
		o.raw("modelConfig", `{"modelName":`+quoted(*c.model)+`,"maxMode":`+strconv.FormatBool(c.max)+`}`)
	}
	o.someRaw("createdAt", c.created.json)
	o.someRaw("lastUpdatedAt", c.updated.json)
	o.someInt("conversationCheckpointLastUpdatedAt", c.checkpoint)
	o.flag("isDraft", c.draft)
	o.flag("isArchived", c.archived)
	if c.link == "composer" && c.project != nil {
		o.raw("workspaceIdentifier", c.project.identifier(true))
	}
	c.writeParent(&o)
	o.raw("context", contextJSON(r, c.attach, ""))
	c.writeMessages(&o)
	c.writeEdits(&o)
	c.writeUsage(&o)
	c.writeWindow(&o)
	c.writeTodos(&o)
	c.writeLines(&o)
	o.pairs(c.fields)
	c.writeFiller(&o, r)
	return o.end()
}

func (c *conversation) writeParent(o *object) {
	if c.parent == nil || c.parentBy != "info" {
		return
	}
	var info object
	info.int("subagentType", 3)
	info.str("subagentTypeName", "explore")
	info.str("parentComposerId", c.parent.id)
	info.str("rootParentConversationId", c.parent.id)
	o.raw("subagentInfo", info.String())
}

// writeMessages writes the messages that are inside the document, or the list of headers.
func (c *conversation) writeMessages(o *object) {
	var bodies, headers []string
	for _, m := range slices.Concat(c.msgs, c.stale) {
		if m.elsewhere || m.inCopy {
			continue
		}
		switch c.form {
		case "inline", "tabs":
			bodies = append(bodies, string(m.json(nil)))
		case "map":
			bodies = append(bodies, quoted(m.id)+":"+string(m.json(nil)))
		}
	}
	for i, m := range c.listed() {
		if !m.inCopy { // the place of such a message is in the copy
			headers = append(headers, m.header(c.style))
		}
		if m.twice {
			headers = append(headers, m.header(c.style))
		}
		if i == 0 {
			for _, id := range c.missing {
				headers = append(headers, `{"bubbleId":`+quoted(id)+`,"type":2}`)
			}
		}
	}
	switch c.form {
	case "inline":
		o.raw("conversation", list(bodies))
	case "tabs":
		o.raw("tabs", `[{"tabId":"t1","bubbles":`+list(bodies)+`}]`)
	case "map":
		o.raw("conversationMap", "{"+strings.Join(bodies, ",")+"}")
		o.raw("fullConversationHeadersOnly", list(headers))
	case "rows":
		o.raw("fullConversationHeadersOnly", list(headers))
	}
	c.writeCapabilities(o)
}

// writeCapabilities writes the calls of the first builds: JSON in a string, by bubble id.
func (c *conversation) writeCapabilities(o *object) {
	var calls object
	for _, m := range c.msgs {
		if m.tool != nil && m.tool.v1 {
			calls.raw(m.id, m.tool.json())
		}
	}
	if calls.open {
		o.raw("capabilities", `[{"type":6,"data":{}},{"type":15,"data":{"bubbleDataMap":`+quoted(calls.String())+`}}]`)
	}
}

func (c *conversation) writeEdits(o *object) {
	var files object
	for _, e := range c.edits {
		if !e.block {
			continue
		}
		var b object
		b.str("bubbleId", e.msg)
		b.raw("uri", `{"external":`+quoted(e.uri)+`,"scheme":"file"}`)
		b.str("languageId", "typescript")
		b.str("status", e.status)
		b.int("createdAt", e.at)
		if e.inList {
			files.raw(e.uri, list([]string{b.String()}))
			continue
		}
		b.str("codeblockId", e.id)
		// Each block has a file of its own here, as an object must not name one file twice.
		files.raw(e.uri+"?"+e.id[:8], "{"+quoted(e.id)+":"+b.String()+"}")
	}
	if files.open {
		o.raw("codeBlockData", files.String())
	}
}

func (c *conversation) writeUsage(o *object) {
	var u object
	for _, x := range c.usage {
		u.raw(x.model, `{"costInCents":`+itoa64(x.cents)+`,"amount":`+itoa64(x.amount)+`}`)
	}
	if u.open && !c.usageInFields {
		o.raw("usageData", u.String())
	}
}

// fileStates is a state of the agent's graph that has nothing but files, which are most of it: field 12 of the root, in
// base64.
func fileStates(r rng, size int) string {
	files := r.token(size)[:size*3/4]
	root := binary.AppendUvarint([]byte{12<<3 | 2}, uint64(len(files)))
	return base64.StdEncoding.EncodeToString(append(root, files...))
}

// writeFiller writes file texts, and in the newest format the state in base64, which make most of the size.
func (c *conversation) writeFiller(o *object, r rng) {
	n := c.filler
	if n == 0 {
		return
	}
	if c.style == 3 {
		state := min(n, 115_000)
		o.str("conversationState", "~"+fileStates(r, state))
		n -= state
	}
	var files object
	for i := 0; n > 0; i++ {
		size := min(n, r.between(2000, 60_000))
		text := r.code(size)
		files.raw("file:///home/mira/src/tide-api/"+itoa(i)+"/f.ts", `{"content":`+quoted(text)+`}`)
		n -= len(text)
	}
	if files.open {
		o.raw("originalModelLines", files.String())
	}
}

// head is the conversation as the lists of heads have it.
func (c *conversation) head() string {
	var o object
	o.str("type", "head")
	o.str("composerId", c.id)
	o.some("name", c.title)
	o.someRaw("createdAt", c.created.json)
	if c.mode != "" {
		o.str("unifiedMode", c.mode)
		o.str("forceMode", "edit")
	}
	o.someInt("conversationCheckpointLastUpdatedAt", c.checkpoint)
	o.bool("isArchived", c.archived)
	o.bool("isDraft", c.draft)
	o.bool("hasUnreadMessages", false)
	if c.project != nil && !c.bare && (c.link == "headers_item" || c.link == "headers_table") {
		o.raw("workspaceIdentifier", c.project.identifier(c.seed%2 == 0))
	}
	return o.String()
}

// headerRow is the conversation's row in composerHeaders.
func (c *conversation) headerRow() map[string]any {
	row := map[string]any{"composerId": c.id, "isArchived": flag(c.archived), "isSubagent": flag(c.parentBy == "table"),
		"recency": c.checkpoint, "checkpointAt": c.checkpoint, "value": c.head()}
	if c.project != nil {
		row["workspaceId"] = c.project.id
	}
	if c.created.ms != 0 {
		row["createdAt"] = c.created.ms
	}
	if c.typeColumn != "" {
		row["subagentTypeName"] = c.typeColumn
	}
	if c.tableTime != 0 {
		row["lastUpdatedAt"] = c.tableTime
	}
	return row
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// tab is an old chat.
func (c *conversation) tab() string {
	var bodies []string
	for _, m := range c.msgs {
		b := string(m.json(nil))
		bodies = append(bodies, `{"id":`+quoted(m.id)+`,`+b[1:])
	}
	var o object
	if c.noID {
		o.str("tabId", "")
	} else {
		o.str("tabId", c.id)
	}
	o.str("chatTitle", c.title)
	o.someRaw("lastSendTime", c.updated.json)
	o.raw("bubbles", list(bodies))
	return o.String()
}
