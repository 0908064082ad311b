package transform

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// ReadShared reads the shared rows of a source. For a row that cannot be used, it reads the earlier version, if there
// is one.
func ReadShared(sourceID string, raw *extract.Shared, earlier Earlier) *Shared {
	s := &Shared{workspaces: map[string]schema.Workspace{}, facts: map[string]*Facts{},
		fields: map[string]*fieldCounts{}, censuses: map[string]*census{}, earlier: earlier,
		replaced: map[*extract.Document]*extract.Document{}, sidebar: map[string]jsondoc.Value{},
		nameless: map[[3]string]int{}, promptIDs: map[[2]string]int{}}
	for _, w := range raw.Workspaces {
		s.workspace(w)
	}
	for _, d := range raw.Headers {
		s.headerRow(d)
	}
	for _, d := range raw.Items {
		s.item(d)
	}
	for i := range s.Quarantine {
		s.Quarantine[i].SourceID = sourceID
	}
	for i := range s.Workspaces {
		s.Workspaces[i].SourceID = sourceID
	}
	for i := range s.DailyStats {
		s.DailyStats[i].SourceID = sourceID
	}
	for i := range s.Prompts {
		s.Prompts[i].SourceID = sourceID
	}
	for i := range s.McpServers {
		s.McpServers[i].SourceID = sourceID
	}
	return s
}

// Copied lists, by id, the conversations of which a workspace store holds a whole copy.
func (s *Shared) Copied() []string {
	var ids []string
	for id, f := range s.facts {
		if len(f.copies) > 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (s *Shared) workspace(w extract.Workspace) {
	row := schema.Workspace{WorkspaceID: w.ID}
	uri, project, err := readWorkspace(w)
	if err != nil {
		s.Quarantine = append(s.Quarantine, schema.Quarantine{
			Store: extract.WorkspaceStore(w.ID), Key: ptr("workspace.json"), ValueHash: hash128(w.JSON),
			Family: "workspace.json", Reason: reasonOf(w.JSON), ValueType: "file", ValueBytes: int64(len(w.JSON)),
			Head: headOf(w.JSON),
		})
		s.useEarlier(&extract.Document{Store: extract.WorkspaceStore(w.ID), Table: extract.FileTable,
			Key: "workspace.json"}, func(last *extract.Document) (err error) {
			uri, project, err = readWorkspace(extract.Workspace{ID: w.ID, JSON: last.Value})
			return err
		})
	}
	if project.Kind != "" {
		row.Kind = &project.Kind
	}
	if uri != "" {
		row.URI = &uri
	}
	if project.URI != "" {
		row.ProjectURI, row.Project, row.ProjectPath = &project.URI, &project.Name, text(project.Path)
	}
	s.Workspaces = append(s.Workspaces, row)
	s.workspaces[w.ID] = row
}

// readWorkspace reads a folder's workspace.json. A window without a folder has none.
func readWorkspace(w extract.Workspace) (uri string, p Project, err error) {
	switch {
	case w.JSONErr != nil && !errors.Is(w.JSONErr, fs.ErrNotExist):
		return "", Project{}, w.JSONErr
	case w.JSON == nil:
		return "", Project{Kind: KindEmptyWindow}, nil
	}
	return parseWorkspaceJSON(w.JSON)
}

// reasonOf says why a file that should hold a JSON object cannot be used.
func reasonOf(raw []byte) string {
	if _, err := jsondoc.ParseObject(raw); err != nil {
		return err.Error()
	}
	return jsondoc.ErrNotObject.Error()
}

func (s *Shared) headerRow(d *extract.Document) {
	columns, err := jsondoc.ParseObject(d.Value)
	if err != nil || !extract.IsConversationID(d.Key) {
		s.quarantine(d, cmp.Or(err, errors.New(extract.ProblemBadKey)))
		return
	}
	f := s.of(d.Key)
	f.tableColumns = columns
	s.fieldsOf(d.Store).look(d.Family, columns)
	text := columns.Get("value")
	if s := text.Text(); s == "" || s == "[]" { // [] is Cursor's empty value
		return
	}
	if f.tableValue, err = jsondoc.ParseObject([]byte(text.Text())); err != nil {
		bad := *d
		bad.Value = []byte(text.Text())
		bad.Bytes = int64(len(bad.Value))
		s.quarantine(&bad, err)
		s.useEarlier(d, func(last *extract.Document) (err error) {
			if columns, err = jsondoc.ParseObject(last.Value); err == nil {
				f.tableValue, err = jsondoc.ParseObject([]byte(columns.Get("value").Text()))
			}
			return err
		})
		return
	}
	s.fieldsOf(d.Store).lookBelow(d.Family, "value", f.tableValue)
}

func (s *Shared) item(d *extract.Document) {
	if d.HoldsNothing() {
		return
	}
	if err := s.readItem(d, false); err != nil {
		s.quarantine(d, err)
		s.useEarlier(d, func(last *extract.Document) error { return s.readItem(last, true) })
	}
}

// readItem reads a row of ItemTable; earlier is true for an earlier version of the row.
func (s *Shared) readItem(d *extract.Document, earlier bool) error {
	if d.Problem != "" {
		return errors.New(d.Problem)
	}
	doc, err := jsondoc.Parse(d.Value)
	if err != nil {
		return err
	}
	workspace := strings.TrimPrefix(d.Store, "workspace/")
	if d.Store == extract.GlobalStore {
		workspace = ""
	}
	s.fieldsOf(d.Store).look(d.Family, doc)
	var usable bool
	switch d.Family {
	case "composer.composerData", "composer.composerHeaders":
		usable = doc.IsObject()
		s.composers(d, workspace, doc.Get("allComposers"), earlier)
	case "workbench.panel.composerChatViewPane":
		usable = doc.IsObject() || doc.IsArray()
		s.panes(workspace, doc)
	case "aichat.chatdata":
		usable = doc.IsObject()
		s.chatTabs(d, workspace, doc.Get("tabs"), earlier)
	case "aiService.prompts", "aiService.generations":
		usable = doc.IsArray()
		s.prompts(d, workspace, doc)
	case "glass.localAgentProjects", "glass.cloudAgentProjects":
		usable = doc.IsArray()
		s.sidebarProjects(doc)
	case "glass.localAgentProjectMembership", "glass.cloudAgentProjectMembership":
		usable = doc.IsObject()
		s.sidebarMembers(doc, d.Family == "glass.localAgentProjectMembership")
	case "workspaceMetadata.entries":
		usable = doc.IsObject()
		s.workspaceEntries(doc.Get("entries"))
	case "composer.planRegistry":
		usable = doc.IsObject() || doc.IsArray()
		s.plans(doc)
	case extract.FamilyCloudList:
		usable = doc.IsArray()
		s.cloudAgents(d, doc)
	case "mcpService.knownServerIds":
		usable = doc.IsArray()
		s.knownServers(doc)
	case extract.FamilyDailyStats:
		if usable = doc.IsObject(); usable {
			s.dailyStats(d, doc.Object())
		}
	}
	if !usable {
		return jsondoc.ErrNotObject
	}
	return nil
}

// composers reads allComposers: heads, and in the stores of 2024 whole conversations.
func (s *Shared) composers(d *extract.Document, workspace string, list jsondoc.Value, earlier bool) {
	made := madeIDs{}
	count := s.censusOf(d.Store).of(censusKey{d.Family, listComposers})
	count.Seen += elementsAt(list, "[]")
	elements, row := list.Array(), withoutValue(d)
	keep := jsondoc.Value.Object
	if holdsConversations(elements) {
		keep = withoutMessages
	}
	for _, element := range elements {
		head := element.Object()
		id := head.Get("composerId").Text()
		if !extract.IsConversationID(id) {
			if id = made.next(workspace, d.Key, head); id == "" {
				s.withoutID(d, element, count)
				continue
			}
		}
		f := s.of(id)
		count.Rows++
		switch {
		case d.Family == "composer.composerHeaders" && !f.itemHead.Exists():
			f.itemHead, f.itemStore = keep(head), d.Store
		case d.Family == "composer.composerData":
			if workspace != "" {
				f.lists = append(f.lists, workspace)
			}
			if !f.listHead.Exists() {
				f.listHead, f.listStore = keep(head), d.Store
			}
		}
		if head.Get("conversation").IsArray() {
			f.copies = append(f.copies, newCopy(workspace, row, formatInline, element, earlier))
		}
	}
}

// panes reads the keys of a chat view's pane: on 3.x the most complete list of a workspace's conversations
// (docs/formats.md, Keys of ItemTable).
func (s *Shared) panes(workspace string, doc jsondoc.Value) {
	if workspace == "" {
		return
	}
	var views []string
	for member := range doc.Members {
		views = append(views, string(member.Name()))
	}
	for view := range doc.Elements { // the key that ends in .hidden has a list of them
		views = append(views, view.Get("id").Text())
	}
	for _, view := range views {
		if id, ok := strings.CutPrefix(view, "workbench.panel.aichat.view."); ok && extract.IsConversationID(id) {
			facts := s.of(id)
			facts.panes = append(facts.panes, workspace)
		}
	}
}

// chatTabs reads the tabs of old chats.
func (s *Shared) chatTabs(d *extract.Document, workspace string, tabs jsondoc.Value, earlier bool) {
	made := madeIDs{}
	count := s.censusOf(d.Store).of(censusKey{d.Family, listTabs})
	count.Seen += elementsAt(tabs, "[]")
	row := withoutValue(d)
	for _, tab := range tabs.Array() {
		head := tab.Object()
		id := head.Get("tabId").Text()
		if !extract.IsConversationID(id) {
			id = made.next(workspace, d.Key, head)
		}
		if id == "" {
			s.withoutID(d, tab, count)
			continue
		}
		f := s.of(id)
		count.Rows++
		f.copies = append(f.copies, newCopy(workspace, row, formatChatTab, tab, earlier))
	}
}
