package transform

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/graph"
	"pipeline/transform/jsondoc"
)

// This file fills a conversation's row from the agent's graph, and makes the row of a chat of the command line
// (docs/formats.md, The command line).

// formatGraph is the format of a conversation that is nothing but a graph.
const formatGraph = "graph"

// Kinds of stores.
const (
	storeComposer  = "composer"
	storeWorkspace = "workspace"
	storeCLI       = "cli_store"
	storeACP       = "acp_store"
	storeCloud     = "cloud"
)

// unnamedChat is the name of a chat of the command line that has none yet.
const unnamedChat = "New Agent"

// asURI makes of a path what reads as the same path in a URI.
var asURI = strings.NewReplacer("%", "%25", "#", "%23", "?", "%3F")

// agentRow is the row of a conversation without an editor: of its chat, else of its transcript.
func (a *assembly) agentRow() schema.Conversation {
	switch {
	case a.agent.about.Exists():
		return a.chatRow()
	case a.agent.cloud != nil:
		return a.cloudRow()
	}
	return a.spokenRow()
}

// chatRow is the row of a chat of the command line, as the row that describes it and the file beside its store say.
func (a *assembly) chatRow() schema.Conversation {
	about, file := a.agent.about, a.agent.file
	row := schema.Conversation{SourceID: a.n.SourceID, ConversationID: a.conv.ID, Mode: about.Get("mode").Scalar(),
		CreatedAt: cmp.Or(timeOf(about.Get("createdAt")), timeOf(file.Get("createdAtMs"))),
		UpdatedAt: timeOf(file.Get("updatedAtMs"))}
	if row.Title = about.Get("name").Str(); row.Title == nil || *row.Title == unnamedChat {
		row.Title = file.Get("title").Str()
	}
	if model := about.Get("lastUsedModel"); model.Exists() {
		row.Model = modelName(model)
	}
	if ref, ok := folderRef(asURI.Replace(file.Get("cwd").Text()), "cli_meta"); ok {
		ref.apply(&row)
	}
	if info := about.Get("subagentInfo").Unquoted(); info.IsObject() && !jsondoc.IsEmpty(info) {
		o := info.Object()
		row.SubagentType = o.First("subagentTypeName", "subagentType", "typeName", "type").Str()
		row.SubagentToolCallID = o.Get("toolCallId").Str()
		a.claim(a.conv.ID, 0, o.First("parentComposerId", "rootParentConversationId", "parentAgentId",
			"parentConversationId").Str())
	} else if file.Get("isSubagent").IsTrue() {
		a.claim(a.conv.ID, 1, nil)
	}
	return row
}

// graphFacts fills what the graph says of the conversation and its own row does not.
func (a *assembly) graphFacts(row *schema.Conversation) {
	c := a.agent.graph
	if c == nil {
		return
	}
	a.cloudFacts(row)
	row.RootBlob, row.StartedTimeZone = rootOf(c), text(c.TimeZone)
	row.ContextTokensUsed, row.ContextTokenLimit = cmp.Or(row.ContextTokensUsed, jsondoc.Countable(c.UsedTokens)),
		cmp.Or(row.ContextTokenLimit, jsondoc.Countable(c.MaxTokens))
	row.CreatedAt = cmp.Or(row.CreatedAt, plausibleTime(c.StartedAt))
	if mode := text(c.Mode); mode != nil && (row.Mode == nil || a.agent.about.Exists()) {
		row.Mode = mode
	}
	if row.Summary == nil {
		if row.Summary = text(c.Summary); len(c.Summaries) > 0 {
			row.Summary = cmp.Or(text(c.Summaries[len(c.Summaries)-1]), row.Summary)
		}
	}
	if len(a.rows.ContextParts) == 0 {
		seen := map[string]bool{}
		for _, p := range c.ContextParts {
			if part := clean(cmp.Or(p.ID, p.Label)); part != "" && !seen[part] {
				seen[part] = true
				a.rows.ContextParts = append(a.rows.ContextParts,
					schema.ContextPart{SourceID: a.n.SourceID, ConversationID: a.conv.ID, Part: part,
						Label: text(p.Label), Tokens: jsondoc.Countable(p.Tokens)})
			}
		}
	}
	a.graphClaims()
}

// planPaths are the plans that the graph and the registry of plans name.
func (a *assembly) planPaths(row *schema.Conversation) {
	paths := slices.Clone(a.facts.plans)
	if c := a.agent.graph; c != nil {
		paths = slices.AppendSeq(paths, maps.Values(c.PlanPaths))
	}
	for i := range paths {
		paths[i] = clean(paths[i])
	}
	if slices.Sort(paths); len(paths) > 0 {
		row.PlanPaths = marshal(slices.Compact(paths))
	}
}

// plans reads the registry of plans: by its id, where each is, and which conversations made, edited and built it.
func (s *Shared) plans(registry jsondoc.Value) {
	for member := range registry.Members {
		plan := member.Unquoted().Object()
		path := plan.Get("uri").Unquoted().Object().First("fsPath", "path").Text()
		ids := []string{plan.Get("createdBy").Text()}
		for id := range plan.Get("editedBy").Elements {
			ids = append(ids, id.Text())
		}
		for built := range plan.Get("builtBy").Members {
			ids = append(ids, string(built.Name()))
		}
		for _, id := range ids {
			if path != "" && extract.IsConversationID(id) {
				f := s.of(id)
				f.plans = append(f.plans, path)
			}
		}
	}
}

// graphClaims are the subagents that the graph names.
func (a *assembly) graphClaims() {
	seen := map[string]bool{a.conv.ID: true, "": true}
	for _, have := range a.rows.SubagentClaims {
		seen[have.ConversationID] = true
	}
	for _, id := range a.agent.graph.Subagents {
		if id = clean(id); !seen[id] {
			seen[id] = true
			a.claim(id, 2, ptr(a.conv.ID))
		}
	}
}

// graphBranch is the branch of the project's own repository.
func (a *assembly) graphBranch(project string) *string {
	for _, b := range a.agent.graph.Branches {
		if project != "" && strings.TrimSuffix(b.Repository, "/") == project {
			return text(b.Name)
		}
	}
	return nil
}

// graphProject is the first folder that the graph names, else the one that the command line trusts under the name of
// the conversation's folder.
func (a *assembly) graphProject() projectRef {
	if a.agent.graph != nil {
		for _, folder := range a.agent.graph.Workspaces {
			if r, ok := folderRef(folder, "graph"); ok {
				return r
			}
		}
	}
	return a.trustedProject()
}

// trustedProject is the folder that the command line trusts under the name of the conversation's folder.
func (a *assembly) trustedProject() projectRef {
	r, _ := folderRef(asURI.Replace(a.agent.trusted), "slug")
	return r
}

// complete says how complete a conversation is, where it is from, and what it has of the graph.
func (a *assembly) complete(row *schema.Conversation) {
	kind, path := a.store()
	row.StoreKind = ptr(kind)
	row.Completeness = ptr("complete")
	if g := a.agent.graph; g != nil {
		row.GitBranch = cmp.Or(row.GitBranch, a.graphBranch(deref(row.ProjectPath))) // the project is known by now
		row.Completeness = ptr(g.Completeness)
		if !a.head.Exists() && len(a.inline) == 0 && a.format != formatInline && a.format != formatChatTab {
			row.Format = formatGraph
		}
	}
	if a.agent.graph == nil && a.agent.badRoot {
		row.Completeness = ptr("unreadable")
	}
	switch {
	case a.listed:
		row.Completeness = ptr("partial")
	case row.MissingMessageCount > 0 && *row.Completeness != "unreadable":
		row.Completeness = ptr("partial")
	case *row.Completeness == "unreadable" && a.hasBubbles():
		row.Completeness = ptr("partial")
	}
	if a.agent.about.Exists() {
		row.Format = formatGraph
		row.Status = ptr("completed")
		if *row.Completeness == "in_progress" {
			row.Status = ptr("in_progress")
		}
	}
	place := schema.ConversationSource{SourceID: row.SourceID, ConversationID: row.ConversationID, StoreKind: kind,
		Path: path, IsPrimary: true, RootBlob: row.RootBlob, ProjectPath: a.trustedProject().Path}
	place.MessageCount, place.ToolCallCount = ptr(int64(len(a.pending))), ptr(a.allCalls)
	if a.agent.said.own != nil {
		row.StoreKind, row.Format, row.Completeness = ptr(storeTranscript), formatTranscript, ptr(lossy)
		if kind == storeTranscript {
			return // its places are known
		}
		place.IsPrimary, place.MessageCount, place.ToolCallCount = false, ptr(int64(0)), ptr(int64(0))
	}
	a.rows.Sources = append(a.rows.Sources, place)
	for _, path := range a.agent.copies { // they are not read
		a.rows.Sources = append(a.rows.Sources,
			schema.ConversationSource{SourceID: row.SourceID, ConversationID: row.ConversationID,
				StoreKind: chatStoreKind(path), Path: path})
	}
	a.cloudPlaces(kind)
}

// store is the kind and the path of the store that the conversation's row is from.
func (a *assembly) store() (kind, path string) {
	if a.isCloud() {
		return storeCloud, extract.CloudKey(a.conv.ID)
	}
	return storeOf(a.conv), placeOf(a.conv)
}

// rootOf is the name of a graph's root; nil for a graph whose root nobody has read.
func rootOf(c *graph.Conversation) *string {
	if c.Root == (graph.Hash{}) {
		return nil
	}
	return ptr(c.Root.String())
}

// hasBubbles reports whether a message is from another place than the graph.
func (a *assembly) hasBubbles() bool {
	for _, s := range a.pending {
		if s.from != inGraph {
			return true
		}
	}
	return false
}

// storeOf is the kind of the store that a conversation is in.
func storeOf(conv *extract.Conversation) string {
	switch {
	case extract.IsTranscript(conv.Store):
		return storeTranscript
	case extract.IsChatStore(conv.Store):
		return chatStoreKind(conv.Store)
	case conv.Store == extract.GlobalStore:
		return storeComposer
	}
	return storeWorkspace
}

// chatStoreKind is the kind of the store of a chat of the command line.
func chatStoreKind(store string) string {
	if extract.IsACPStore(store) {
		return storeACP
	}
	return storeCLI
}

// placeOf is the path of the store of a conversation, below the source's folder.
func placeOf(conv *extract.Conversation) string {
	switch workspace, ok := strings.CutPrefix(conv.Store, extract.WorkspaceStore("")); {
	case extract.IsChatStore(conv.Store):
		return conv.Store + "/store.db"
	case ok:
		return "workspaceStorage/" + workspace + "/state.vscdb"
	}
	return "globalStorage/state.vscdb"
}
