package transform

import (
	"cmp"
	"slices"
	"strings"

	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// Formats: where a store holds a conversation's messages (docs/formats.md, Where its messages are).
const (
	formatRows    = "rows"
	formatMap     = "map"
	formatInline  = "inline"
	formatChatTab = "chat_tab"
)

// statusOrphaned marks a conversation whose own row is gone or unusable while messages of it still exist.
const statusOrphaned = "orphaned"

// heads are the objects in which a conversation's fields are looked up, the best source first.
type heads []jsondoc.Value

// get returns the first value with one of the names that is present and not empty.
func (h heads) get(names ...string) jsondoc.Value {
	for _, head := range h {
		for _, name := range names {
			if v := head.Get(name); v.Says() {
				return v
			}
		}
	}
	return jsondoc.Value{}
}

// chosenModel is the model that was chosen for a conversation: the one that is named, else the only one of the list.
func chosenModel(config jsondoc.Value) *string {
	if v := config.Get("modelName"); v.Exists() {
		return modelName(v)
	}
	if chosen := config.Get("selectedModels").Array(); len(chosen) == 1 {
		return modelName(chosen[0].Get("modelId"))
	}
	return nil
}

// effort is what the parameters of the chosen model say of its effort: those of the model that is named, else of the
// first of the list.
func effort(config jsondoc.Value) *string {
	chosen := config.Get("selectedModels").Array()
	if i := slices.IndexFunc(chosen, func(v jsondoc.Value) bool {
		return v.Get("modelId").Text() == config.Get("modelName").Text()
	}); i > 0 {
		chosen = chosen[i:]
	}
	if len(chosen) == 0 {
		return nil
	}
	for parameter := range chosen[0].Get("parameters").Elements {
		if parameter.Get("id").Text() == "effort" {
			return parameter.Get("value").Scalar()
		}
	}
	return nil
}

// conversationRow fills the fields that the documents give. Counts and message times are filled once the messages are
// known.
func (s *Shared) conversationRow(sourceID, id string, head jsondoc.Value, f *Facts) schema.Conversation {
	h := heads{head, f.tableValue, f.tableColumns, f.itemHead, f.listHead}
	config := heads{h.get("modelConfig").Object()}
	row := schema.Conversation{
		SourceID: sourceID, ConversationID: id,
		Title:             h.get("name").Str(),
		Subtitle:          h.get("subtitle").Str(),
		Mode:              mode(h.get("unifiedMode", "unified_mode")),
		Status:            h.get("status").Scalar(),
		MaxMode:           config.get("maxMode").Boolean(),
		ThinkingLevel:     cmp.Or(config.get("thinkingLevel").Scalar(), effort(config[0])),
		IsAgentic:         h.get("isAgentic").Boolean(),
		IsArchived:        h.get("isArchived").Boolean(),
		IsDraft:           h.get("isDraft").Boolean(),
		FormatVersion:     head.Get("_v").Scalar(),
		CreatedAt:         timeOf(h.get("createdAt")),
		ContextTokensUsed: h.get("contextTokensUsed").Count(),
		ContextTokenLimit: h.get("contextTokenLimit").Count(),
		LinesAdded:        h.get("totalLinesAdded").Count(),
		LinesRemoved:      h.get("totalLinesRemoved").Count(),
		FilesChanged:      h.get("filesChangedCount").Count(),
		GitBranch:         branch(h),
		IsWorktree:        h.get("isWorktree").Boolean(),
		AgentBackend:      h.get("agentBackend").Scalar(),
		DraftText:         draft(head),
		Summary:           summaryText(h.get("latestConversationSummary")),
	}
	if list := h.branches(); list.Exists() {
		row.Branches = list.Column()
	}
	row.SubagentType, row.SubagentToolCallID = subagentOf(h, f)
	row.SubagentToolCallID = cmp.Or(row.SubagentToolCallID, taskCall(id))
	row.Model = chosenModel(h.get("modelConfig"))
	breakdown := h.get("promptTokenBreakdown").Object()
	row.ContextTokensUsed = cmp.Or(row.ContextTokensUsed, breakdown.Get("totalUsedTokens").Count())
	row.ContextTokenLimit = cmp.Or(row.ContextTokenLimit, breakdown.Get("maxTokens").Count())
	row.UpdatedAt = latestOf(timeOf(h.get("lastUpdatedAt")), timeOf(h.get("conversationCheckpointLastUpdatedAt")),
		timeOf(f.tableValue.Get("lastUpdatedAt")), timeOf(f.tableColumns.Get("lastUpdatedAt")),
		timeOf(h.get("lastSendTime")))
	return row
}

// subagentOf returns the type of a subagent, and the call that started it.
func subagentOf(h heads, f *Facts) (kind, callID *string) {
	info := h.get("subagentInfo").Unquoted().Object()
	return cmp.Or(info.Get("subagentTypeName").Str(),
		f.tableColumns.Get("subagentTypeName").Str()), info.Get("toolCallId").Str()
}

// taskCall is the call of a parent that a subagent's id names, as task-toolu_.. does; nil for any other id.
func taskCall(id string) *string {
	if call, ok := strings.CutPrefix(id, "task-"); ok && call != "" {
		return &call
	}
	return nil
}

// branches returns the list of a conversation's branches from the first document whose list is not empty.
func (h heads) branches() jsondoc.Value {
	for _, head := range h {
		if list := head.Get("branches").Unquoted(); !jsondoc.IsEmpty(list) {
			return list
		}
	}
	return jsondoc.Value{}
}

// branch returns the conversation's git branch (docs/formats.md, Branch).
func branch(h heads) *string {
	if s := branchName(h.get("activeBranch")); s != nil {
		return s
	}
	var last *string
	for element := range h.branches().Elements {
		if s := branchName(element); s != nil {
			last = s
		}
	}
	worktree := h.get("gitWorktree")
	if is := h.get("isWorktree"); is.Exists() && !is.IsTrue() { // it was one
		worktree = jsondoc.Value{}
	}
	return cmp.Or(last, branchName(worktree), branchName(h.get("committedToBranch")),
		branchName(h.get("createdOnBranch")))
}

// branchName returns the name of a branch: a text, or an object that has it.
func branchName(v jsondoc.Value) *string {
	v = v.Unquoted()
	if s := v.Str(); s != nil {
		return s
	}
	return v.Object().First("branchName", "name").Str()
}

// orphan is the row of a conversation whose own document is gone. Heads may still name it (docs/formats.md, How Cursor
// writes).
func (s *Shared) orphan(sourceID, id string, f *Facts) schema.Conversation {
	h := heads{f.tableValue, f.tableColumns, f.itemHead, f.listHead}
	row := schema.Conversation{
		SourceID: sourceID, ConversationID: id, Status: ptr(statusOrphaned),
		Title: h.get("name").Str(), Mode: mode(h.get("unifiedMode", "unified_mode")),
	}
	row.SubagentType, row.SubagentToolCallID = subagentOf(h, f)
	s.project(f, jsondoc.Value{}).apply(&row)
	return row
}

func draft(head jsondoc.Value) *string {
	if s := head.Get("text").Str(); s != nil {
		return s
	}
	if s := plainText(head.Get("richText")); s != "" {
		return &s
	}
	return nil
}

// projectRef is a conversation's project, and the source that named it.
type projectRef struct {
	URI, Name, Path, Workspace, Source *string
}

func (r projectRef) apply(row *schema.Conversation) {
	row.ProjectURI, row.Project, row.ProjectPath, row.WorkspaceID, row.ProjectSource = r.URI, r.Name, r.Path,
		r.Workspace, r.Source
}

// folderRef is the project that a path or URI names.
func folderRef(folder, source string) (projectRef, bool) {
	p, ok := ParseProjectURI(folder)
	if !ok {
		return projectRef{}, false
	}
	return projectRef{URI: &p.URI, Name: &p.Name, Path: text(p.Path), Source: ptr(source)}, true
}

// project finds a conversation's project. Cursor moved the link three times (docs/formats.md, Project), so five sources
// are tried in order.
func (s *Shared) project(f *Facts, head jsondoc.Value) projectRef {
	if ws := f.tableColumns.Get("workspaceId").Text(); ws != "" {
		if r, ok := s.byWorkspace(ws, "headers_table"); ok {
			return r
		}
	}
	places := []struct {
		source string
		head   jsondoc.Value
	}{{"headers_table", f.tableValue}, {"composer", head}, {"headers_item", f.itemHead}}
	for _, place := range places {
		if r, ok := s.byIdentifier(place.head.Get("workspaceIdentifier").Unquoted().Object(), place.source); ok {
			return r
		}
	}
	for _, place := range places {
		location := place.head.Get("agentLocation").Unquoted().Object()
		if r, ok := s.byIdentifier(location.Get("environment").Unquoted().Object(), place.source); ok {
			return r
		}
	}
	var nameless projectRef
	for _, named := range []struct {
		source     string
		workspaces []string
	}{{"pane", f.panes}, {"workspace_list", f.lists}} {
		ws := s.preferred(named.workspaces)
		if ws == "" {
			continue
		}
		r, ok := s.byWorkspace(ws, named.source)
		if ok {
			return r
		}
		if nameless.Workspace == nil {
			nameless = projectRef{Workspace: &ws} // a window without a folder: no project, and so no source
		}
	}
	return nameless
}

// projectOfWorkspace returns the project of a conversation that is stored in a workspace's store.
func (s *Shared) projectOfWorkspace(id string) projectRef {
	if id == "" {
		return projectRef{}
	}
	if r, ok := s.byWorkspace(id, "workspace_list"); ok {
		return r
	}
	return projectRef{Workspace: &id, Source: ptr("workspace_list")}
}

// preferred chooses one of several workspaces: one with a URI comes first, then the smaller id.
func (s *Shared) preferred(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return slices.MinFunc(ids, func(a, b string) int {
		hasURI := func(id string) int {
			if s.workspaces[id].ProjectURI != nil {
				return 0
			}
			return 1
		}
		return cmp.Or(hasURI(a)-hasURI(b), cmp.Compare(a, b))
	})
}

func (s *Shared) byWorkspace(id, source string) (projectRef, bool) {
	w, ok := s.workspaces[id]
	if !ok || w.ProjectURI == nil {
		return projectRef{}, false
	}
	return projectRef{w.ProjectURI, w.Project, w.ProjectPath, ptr(id), ptr(source)}, true
}

// byIdentifier finds the project of a workspaceIdentifier. Its id names a folder whose workspace.json has the URI; else
// its own uri is used. An identifier without either (empty-window) gives no project.
func (s *Shared) byIdentifier(o jsondoc.Value, source string) (projectRef, bool) {
	id := o.Get("id").Text()
	if r, ok := s.byWorkspace(id, source); ok {
		return r, true
	}
	uri, _ := uriOf(o.First("uri", "configPath"))
	if uri == nil {
		return projectRef{}, false
	}
	p, ok := ParseProjectURI(*uri)
	if !ok {
		return projectRef{}, false
	}
	r := projectRef{URI: &p.URI, Name: &p.Name, Path: text(p.Path), Source: ptr(source)}
	if id != "" {
		r.Workspace = &id
	}
	return r, true
}

// claim notes that a conversation started another one, or that it is a subagent or a best-of-N copy itself. The ranks
// are those of schema.SubagentClaim.
func (a *assembly) claim(child string, rank int64, parent *string) {
	a.rows.SubagentClaims = append(a.rows.SubagentClaims,
		schema.SubagentClaim{SourceID: a.n.SourceID, ConversationID: child, ClaimedBy: a.conv.ID, Rank: rank,
			ParentConversationID: parent})
}

// claims notes what a conversation's documents say about which conversation started which: that it is a subagent or a
// best-of-N copy itself, and which conversations are its subagents and its copies.
func (a *assembly) claims(head jsondoc.Value) {
	f, id := a.facts, a.conv.ID
	a.rows.SubagentClaims = nil
	children := func(list jsondoc.Value, rank int64) {
		seen := map[string]bool{"": true, id: true}
		for _, child := range list.Array() {
			if c := child.Text(); !seen[c] {
				seen[c] = true
				a.claim(c, rank, &id)
			}
		}
	}
	h := heads{head, f.tableValue, f.itemHead, f.listHead}
	var parent *string
	if info := h.get("subagentInfo"); info.IsObject() && !jsondoc.IsEmpty(info) {
		parent = info.Object().First("parentComposerId", "rootParentConversationId").Str()
		a.claim(id, 0, parent)
	}
	if f.tableColumns.Get("isSubagent").IsTrue() || taskCall(id) != nil {
		a.claim(id, 1, nil)
	}
	children(head.Get("subagentComposerIds"), 2)
	if h.get("isBestOfNSubcomposer").IsTrue() {
		a.claim(id, 3, parent) // a copy may have subagentInfo, too (docs/formats.md, One prompt, several models)
	}
	rank := int64(5)
	if h.get("isBestOfNParent").IsTrue() {
		rank = 4
	}
	children(head.Get("subComposerIds"), rank)
}

// olderCalls reads tool calls of the time before toolFormerData: capabilities of type 15, data.bubbleDataMap by message
// id (docs/formats.md, Older tool calls).
func olderCalls(head jsondoc.Value) map[string]jsondoc.Value {
	var calls map[string]jsondoc.Value
	for _, capability := range head.Get("capabilities").Unquoted().Array() {
		o := capability.Unquoted().Object()
		if strings.Trim(o.Get("type").String(), `"`) != "15" {
			continue
		}
		for call := range o.Get("data").Unquoted().Get("bubbleDataMap").Unquoted().Members {
			if calls == nil {
				calls = map[string]jsondoc.Value{}
			}
			calls[string(call.Name())] = call
		}
	}
	return calls
}

// modelUsage reads usageData, the only cost figure that Cursor ever stored locally (docs/formats.md, Cost).
// merged is how many entries were added to another one's row. setAside is called for an entry that is no object.
func modelUsage(sourceID, id string, head jsondoc.Value,
	setAside func(model []byte, v jsondoc.Value)) (rows []schema.ModelUsage,
	cents *float64, merged int64) {
	for o := range head.Get("usageData").Members {
		if !o.IsObject() {
			setAside(o.Name(), o)
		}
		if !o.HasMembers() {
			continue
		}
		row := schema.ModelUsage{SourceID: sourceID, ConversationID: id, Model: string(o.Name()),
			Requests: o.Get("amount").Count()}
		if row.Model == "" || row.Model == "default" {
			row.Model = "auto"
		}
		if c := costIn(o.Get("costInCents")); c != nil {
			row.CostCents = c
			cents = ptr(*c + deref(cents))
		}
		at := slices.IndexFunc(rows, func(r schema.ModelUsage) bool { return r.Model == row.Model })
		if at < 0 {
			rows = append(rows, row)
			continue
		}
		merged++
		rows[at].CostCents, rows[at].Requests = plus(rows[at].CostCents, row.CostCents),
			plus(rows[at].Requests, row.Requests)
	}
	return rows, cents, merged
}
