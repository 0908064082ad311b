package transform

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// Shared is what a source's shared rows say: its workspaces, and about each conversation the facts that are not in its own rows.
type Shared struct {
	Workspaces []schema.Workspace
	DailyStats []schema.DailyEditStats
	Prompts    []schema.Prompt
	Quarantine []schema.Quarantine // shared rows that cannot be used

	workspaces map[string]schema.Workspace
	facts      map[string]*Facts
	promptIDs  map[[2]string]int       // by workspace and id
	fields     map[string]*fieldCounts // by store
}

// Facts are what the shared rows say of one conversation; the zero value says nothing.
type Facts struct {
	tableValue   object   // composerHeaders.value
	tableColumns object   // the row's columns
	itemHead     object   // an element of ItemTable composer.composerHeaders
	listHead     object   // an element of a workspace's allComposers
	panes, lists []string // workspaces that name it
	copies       []copied // its text in workspace stores of 2024
}

// copied is a whole conversation inside a workspace's ItemTable.
type copied struct {
	workspace string
	store     string
	format    string // inline or chat_tab
	head      object
	raw       value
}

// ReadShared reads the shared rows of a source.
func ReadShared(sourceID string, raw *extract.Shared) *Shared {
	s := &Shared{workspaces: map[string]schema.Workspace{}, facts: map[string]*Facts{}, fields: map[string]*fieldCounts{}}
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
	return s
}

// Of returns the facts about a conversation.
func (s *Shared) Of(id string) *Facts {
	if f := s.facts[id]; f != nil {
		return f
	}
	return &Facts{}
}

// Copied lists the conversations that workspace stores hold whole, by id.
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

// Store is the store that holds a copied conversation.
func (f *Facts) Store() string {
	if c := f.bestCopy(); c != nil {
		return c.store
	}
	return ""
}

func (s *Shared) of(id string) *Facts {
	if s.facts[id] == nil {
		s.facts[id] = &Facts{}
	}
	return s.facts[id]
}

func (s *Shared) workspace(w extract.Workspace) {
	row := schema.Workspace{WorkspaceID: w.ID}
	uri, project, err := "", Project{Kind: "empty_window"}, w.JSONErr
	if err == nil && w.JSON != nil {
		uri, project, err = ParseWorkspaceJSON(w.JSON)
	}
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist): // a window without a folder has no workspace.json
		if project.Kind != "" {
			row.Kind = &project.Kind
		}
	default:
		s.Quarantine = append(s.Quarantine, schema.Quarantine{
			Store: extract.WorkspaceStore(w.ID), Key: ptr("workspace.json"), ValueHash: hash128(w.JSON), Family: "workspace.json",
			Reason: reasonOf(w.JSON), ValueType: "file", ValueBytes: int64(len(w.JSON)), Head: headOf(w.JSON),
		})
	}
	if uri != "" {
		row.URI = &uri
	}
	if project.URI != "" {
		row.ProjectURI, row.Project, row.ProjectPath = &project.URI, &project.Name, &project.Path
	}
	s.Workspaces = append(s.Workspaces, row)
	s.workspaces[w.ID] = row
}

// reasonOf says why a file that should hold a JSON object is of no use.
func reasonOf(raw []byte) string {
	if _, err := parseObject(raw); err != nil {
		return err.Error()
	}
	return errNotObject.Error()
}

func (s *Shared) headerRow(d *extract.Document) {
	columns, err := parseObject(d.Value)
	if err != nil || d.Key == "" {
		s.quarantine(d, cmp.Or(err, errors.New(extract.ProblemBadKey)))
		return
	}
	f := s.of(d.Key)
	f.tableColumns = columns
	s.fieldsOf(d.Store).look(d.Family, columns)
	text := columns.get("value")
	if s := text.text(); s == "" || s == "[]" { // the latter is Cursor's empty array
		return
	}
	if f.tableValue, err = parseObject([]byte(text.text())); err != nil {
		bad := *d
		bad.Value = []byte(text.text())
		bad.Bytes = int64(len(bad.Value))
		s.quarantine(&bad, err)
		return
	}
	s.fieldsOf(d.Store).lookBelow(d.Family, "value", f.tableValue)
}

func (s *Shared) item(d *extract.Document) {
	if d.HoldsNothing() {
		return
	}
	if d.Problem != "" {
		s.quarantine(d, errors.New(d.Problem))
		return
	}
	doc, err := parseDocument(d.Value)
	if err != nil {
		s.quarantine(d, err)
		return
	}
	workspace := strings.TrimPrefix(d.Store, "workspace/")
	if d.Store == extract.GlobalStore {
		workspace = ""
	}
	s.fieldsOf(d.Store).lookAt(d.Family, doc)
	var usable bool
	switch d.Family {
	case "composer.composerData", "composer.composerHeaders":
		usable = doc.isObject()
		s.composers(d, workspace, doc.get("allComposers"))
	case "workbench.panel.composerChatViewPane":
		usable = doc.isObject()
		s.panes(workspace, doc)
	case "aichat.chatdata":
		usable = doc.isObject()
		s.chatTabs(d.Store, workspace, doc.get("tabs"))
	case "aiService.prompts", "aiService.generations":
		usable = doc.isArray()
		s.prompts(workspace, d.Family, doc)
	case extract.FamilyDailyStats:
		usable = doc.isObject()
		s.dailyStats(d, doc.object())
	}
	if !usable {
		s.quarantine(d, errNotObject)
	}
}

// composers reads allComposers: heads, and in the stores of 2024 whole conversations.
func (s *Shared) composers(d *extract.Document, workspace string, list value) {
	for _, element := range list.array() {
		head := element.object()
		id := head.get("composerId").text()
		if id == "" {
			continue
		}
		f := s.of(id)
		switch {
		case d.Family == "composer.composerHeaders" && f.itemHead == nil:
			f.itemHead = head
		case d.Family == "composer.composerData":
			if workspace != "" {
				f.lists = append(f.lists, workspace)
			}
			if f.listHead == nil {
				f.listHead = head
			}
		}
		if head.get("conversation").isArray() {
			f.copies = append(f.copies, copied{workspace, d.Store, formatInline, head, element})
		}
	}
}

// panes reads the keys of a chat view's pane: the fullest list of a workspace's conversations on 3.x (atlas 1.3).
func (s *Shared) panes(workspace string, doc value) {
	if workspace == "" {
		return
	}
	for _, f := range doc.object() {
		if id, ok := strings.CutPrefix(string(f.name), "workbench.panel.aichat.view."); ok && id != "" {
			facts := s.of(id)
			facts.panes = append(facts.panes, workspace)
		}
	}
}

func (s *Shared) chatTabs(store, workspace string, tabs value) {
	for _, tab := range tabs.array() {
		head := tab.object()
		if id := head.get("tabId").text(); id != "" {
			f := s.of(id)
			f.copies = append(f.copies, copied{workspace, store, formatChatTab, head, tab})
		}
	}
}

func (s *Shared) prompts(workspace, family string, doc value) {
	nth := map[string]int{}
	if s.promptIDs == nil {
		s.promptIDs = map[[2]string]int{}
	}
	for _, element := range doc.array() {
		o := element.object()
		if len(o) == 0 {
			continue
		}
		p := schema.Prompt{WorkspaceID: workspace, Kind: "prompt", Text: o.get("text").str()}
		if family == "aiService.generations" {
			p.Kind, p.Text, p.CreatedAt = "generation", o.get("textDescription").str(), o.get("unixMs").time()
		}
		if id := o.get("generationUUID").str(); id != nil {
			p.PromptID = *id
		} else {
			text := ""
			if p.Text != nil {
				text = *p.Text
			}
			nth[text]++
			p.PromptID = hash128([]byte(p.Kind), []byte{0}, []byte(text), []byte{0, byte(nth[text] >> 8), byte(nth[text])})
		}
		key := [2]string{workspace, p.PromptID}
		if s.promptIDs[key]++; s.promptIDs[key] > 1 { // a second one of the same id
			p.PromptID += "~" + string(fmtInt(int64(s.promptIDs[key])))
		}
		s.Prompts = append(s.Prompts, p)
	}
}

func (s *Shared) dailyStats(d *extract.Document, o object) {
	date := d.Key[strings.LastIndexByte(d.Key, '.')+1:]
	if stored := o.get("date").text(); len(stored) == len("2006-01-02") {
		date = stored
	}
	row := schema.DailyEditStats{
		Date:                   schema.Date(date),
		TabSuggestedLines:      o.get("tabSuggestedLines").count(),
		TabAcceptedLines:       o.get("tabAcceptedLines").count(),
		ComposerSuggestedLines: o.get("composerSuggestedLines").count(),
		ComposerAcceptedLines:  o.get("composerAcceptedLines").count(),
	}
	if _, err := parseDate(date); err != nil {
		s.quarantine(d, errors.New(extract.ProblemBadKey))
		return
	}
	if slices.ContainsFunc(s.DailyStats, func(have schema.DailyEditStats) bool { return have.Date == row.Date }) {
		return
	}
	s.DailyStats = append(s.DailyStats, row)
}

func (s *Shared) quarantine(d *extract.Document, err error) {
	s.Quarantine = append(s.Quarantine, quarantineRow("", d, err.Error()))
}

// bestCopy is the copy of a conversation that counts: later activity first, then the smaller workspace.
func (f *Facts) bestCopy() *copied {
	var best *copied
	for i := range f.copies {
		c := &f.copies[i]
		if best == nil || activity(c) > activity(best) || activity(c) == activity(best) && c.workspace < best.workspace {
			best = c
		}
	}
	return best
}

func activity(c *copied) schema.Millis {
	t := latestOf(c.head.get("createdAt").time(), c.head.get("lastUpdatedAt").time(), c.head.get("lastSendTime").time())
	for _, b := range c.head.first("conversation", "bubbles").array() {
		o := b.object()
		t = latestOf(t, o.get("createdAt").time(), o.get("timestamp").time(), o.get("timingInfo").get("clientStartTime").time())
	}
	if t == nil {
		return 0
	}
	return *t
}

// headFields are the members of a head that a conversation's row may come from: what a fingerprint of the facts is made of.
// An unread mark, say, is not among them.
var headFields = []string{
	"name", "subtitle", "createdAt", "lastUpdatedAt", "lastSendTime", "conversationCheckpointLastUpdatedAt", "unifiedMode", "unified_mode",
	"forceMode", "status", "modelConfig", "isAgentic", "isArchived", "isDraft", "subagentInfo", "totalLinesAdded", "totalLinesRemoved",
	"filesChangedCount", "contextTokensUsed", "contextTokenLimit", "promptTokenBreakdown", "createdOnBranch", "activeBranch",
	"branches", "workspaceIdentifier", "workspaceId", "isSubagent", "_v", "text", "richText", "latestConversationSummary", "usageData",
}

// NamedWorkspace is the workspace that a loaded conversation's own document names, "" for none.
func NamedWorkspace(conv *extract.Conversation) string {
	if conv.Head == nil || !bytes.Contains(conv.Head.Value, []byte("workspaceIdentifier")) {
		return ""
	}
	head, err := parseObject(conv.Head.Value)
	if err != nil {
		return ""
	}
	return head.get("workspaceIdentifier").unquoted().get("id").text()
}

// WorkspaceFingerprint is a hash over what a workspace's workspace.json says of its project.
func (s *Shared) WorkspaceFingerprint(id string) string {
	w, ok := s.workspaces[id]
	if !ok || w.ProjectURI == nil {
		return ""
	}
	return hash128([]byte(*w.ProjectURI))
}

// Fingerprint is a hash over the facts that the conversation's rows use.
func (s *Shared) Fingerprint(id string) string {
	f := s.facts[id]
	if f == nil {
		return ""
	}
	var parts [][]byte
	add := func(what string, b []byte) { parts = append(parts, []byte(what), []byte{0}, b, []byte{0}) }
	for i, head := range []object{f.tableValue, f.tableColumns, f.itemHead, f.listHead} {
		for _, name := range headFields {
			if v := head.get(name); v != nil {
				add(string(rune('0'+i))+name, v)
			}
		}
	}
	if p, err := json.Marshal(s.project(f, nil)); err == nil {
		add("project", p)
	}
	for _, c := range f.copies {
		add(c.workspace, c.raw)
		add("", []byte(s.WorkspaceFingerprint(c.workspace))) // its project is that of its workspace
	}
	return hash128(parts...)
}
