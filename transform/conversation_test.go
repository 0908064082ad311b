package transform

import (
	"fmt"
	"slices"
	"testing"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// sourceRows builds the shared rows of a source.
type sourceRows struct{ raw extract.Shared }

func (s *sourceRows) workspace(id, folder string) *sourceRows {
	w := extract.Workspace{ID: id}
	if folder != "" {
		w.JSON = fmt.Appendf(nil, `{"folder":%q}`, folder)
	}
	s.raw.Workspaces = append(s.raw.Workspaces, w)
	return s
}

// item is a value of ItemTable; workspace "" is the global store.
func (s *sourceRows) item(workspace, key, value string) *sourceRows {
	store := extract.GlobalStore
	if workspace != "" {
		store = extract.WorkspaceStore(workspace)
	}
	s.raw.Items = append(s.raw.Items, &extract.Document{Store: store, Table: "ItemTable", Family: key, Key: key,
		Type: "text", Bytes: int64(len(value)), Value: []byte(value)})
	return s
}

func (s *sourceRows) header(id, columns string) *sourceRows {
	s.raw.Headers = append(s.raw.Headers, &extract.Document{Store: extract.GlobalStore, Table: "composerHeaders",
		Family: extract.FamilyHeader, Key: id, Type: "text", Value: []byte(columns)})
	return s
}

func (s *sourceRows) conversation(t *testing.T, head string, parts ...part) schema.Conversation {
	t.Helper()
	rows := collect(t, &Normalizer{SourceID: "s", Shared: ReadShared("s", &s.raw, nil)},
		conversationOf("c", head, parts...))
	if len(rows.Conversations) != 1 {
		t.Fatalf("%d conversations", len(rows.Conversations))
	}
	return rows.Conversations[0]
}

// Keys of ItemTable.
const (
	keyData    = "composer.composerData"
	keyHeaders = "composer.composerHeaders"
	keyPane    = "workbench.panel.composerChatViewPane"
	keyChats   = "aichat.chatdata"
)

// The five places that name a conversation's project, in their order; each is tried with all later ones saying
// something else.
func TestProjectOrder(t *testing.T) {
	t.Parallel()
	full := func(drop int) (*sourceRows, string) {
		s := &sourceRows{}
		for i := range 6 {
			s.workspace(fmt.Sprint("w", i), fmt.Sprint("file:///src/p", i))
		}
		head := `{}`
		if drop < 1 {
			s.header("c", `{"workspaceId":"w0"}`)
		} else if drop < 2 {
			s.header("c", `{"value":"{\"workspaceIdentifier\":{\"id\":\"w1\"}}"}`)
		}
		if drop < 3 {
			head = `{"workspaceIdentifier":{"id":"w2"}}`
		}
		if drop < 4 {
			s.item("", keyHeaders, `{"allComposers":[{"composerId":"c","workspaceIdentifier":{"id":"w3"}}]}`)
		}
		if drop < 5 {
			s.item("w4", keyPane, `{"workbench.panel.aichat.view.c":{}}`)
		}
		if drop < 6 {
			s.item("w5", keyData, `{"allComposers":[{"composerId":"c"}]}`)
		}
		return s, head
	}
	for drop, want := range []string{
		"file:///src/p0 | p0 | /src/p0 | w0 | headers_table", "file:///src/p1 | p1 | /src/p1 | w1 | headers_table",
		"file:///src/p2 | p2 | /src/p2 | w2 | composer", "file:///src/p3 | p3 | /src/p3 | w3 | headers_item",
		"file:///src/p4 | p4 | /src/p4 | w4 | pane", "file:///src/p5 | p5 | /src/p5 | w5 | workspace_list",
		"NULL | NULL | NULL | NULL | NULL",
	} {
		s, head := full(drop)
		if got := projectOf(s.conversation(t, head)); got != want {
			t.Errorf("without the first %d: %s, want %s", drop, got, want)
		}
	}
}

// TestPlanRegistry: the plans that a conversation made, edited or built, by the registry of plans.
func TestPlanRegistry(t *testing.T) {
	t.Parallel()
	s := &sourceRows{}
	s.item("", "composer.planRegistry", `{"b_2":{"id":"b_2","uri":{"fsPath":"/h/.cursor/plans/b_2.plan.md"},"createdBy":"c","editedBy":["c"],"referencedBy":[],"builtBy":{}},
		"a_1":{"uri":{"path":"/h/.cursor/plans/a_1.plan.md"},"createdBy":"d","editedBy":["c","d"]},
		"w_3":{"uri":{"fsPath":"c:\\h\\w_3.plan.md","path":"/c:/h/w_3.plan.md"},"builtBy":{"c":["t1"]}},
		"r_4":{"uri":{"fsPath":"/h/r_4.plan.md"},"createdBy":"d","referencedBy":["c"]},
		"no":{"createdBy":"c"},"odd":7}`)
	want := `["/h/.cursor/plans/a_1.plan.md","/h/.cursor/plans/b_2.plan.md","c:\\h\\w_3.plan.md"]`
	if got := string(s.conversation(t, `{"name":"x"}`).PlanPaths); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestNamedWorkspace: the workspace whose project the document gives is the one whose change is looked for.
func TestNamedWorkspace(t *testing.T) {
	t.Parallel()
	s := ReadShared("s", &(&sourceRows{}).workspace("a", "file:///src/a").raw, nil)
	for head, want := range map[string]string{
		`{"workspaceIdentifier":{"id":"a"},"agentLocation":{"environment":{"id":"b"}}}`:                       "a",
		`{"workspaceIdentifier":{"id":"1764000000000"},"agentLocation":{"environment":{"id":"a"}}}`:           "a",
		`{"workspaceIdentifier":{"id":"empty-window"},"agentLocation":{"environment":{"id":"b"}}}`:            "b",
		`{"workspaceIdentifier":{"id":"c","uri":{"fsPath":"/c"}},"agentLocation":{"environment":{"id":"b"}}}`: "c",
		`{"workspaceIdentifier":{"id":"c"},"agentLocation":{"environment":7}}`:                                "c",
		`{"agentLocation":"environment"}`: "", `{"workspaceIdentifier":7}`: "",
	} {
		if got := s.NamedWorkspace(conversationOf("c", head)); got != want {
			t.Errorf("%s: %q, want %q", head, got, want)
		}
	}
}

// TestCloudListNamesNobody: the key of a list of cloud agents names a user. The quarantine does not, and tells apart
// equal elements of two lists.
func TestCloudListNamesNobody(t *testing.T) {
	t.Parallel()
	s, seen := &sourceRows{}, map[string]bool{}
	for _, user := range []string{"", ".auth0|user_01", ".jane@example.com"} {
		s.item("", extract.FamilyCloudList+user, `[{"name":"no id"}]`)
		s.raw.Items[len(s.raw.Items)-1].Family = extract.FamilyCloudList
	}
	for _, q := range ReadShared("s", &s.raw, nil).Quarantine {
		if seen[q.ValueHash] = true; *q.Key != "cloudAgentRepository.agents" {
			t.Errorf("key %s", *q.Key)
		}
	}
	if len(seen) != 3 {
		t.Errorf("%d rows are told apart, want 3", len(seen))
	}
}

func projectOf(c schema.Conversation) string {
	return shows(c.ProjectURI, c.Project, c.ProjectPath, c.WorkspaceID, c.ProjectSource)
}

func TestProject(t *testing.T) {
	t.Parallel()
	source := func() *sourceRows {
		s := &sourceRows{}
		return s.workspace("a", "file:///src/a").workspace("b", "file:///src/b").workspace("empty", "").
			workspace("0empty", "")
	}
	pane := `{"workbench.panel.aichat.view.c":{}}`
	list := `{"allComposers":[{"composerId":"c"}]}`
	for _, test := range []struct {
		name string
		s    *sourceRows
		head string
		want string
	}{
		{"an identifier's id names the folder, whatever its own uri", source(),
			`{"workspaceIdentifier":{"id":"a","uri":{"external":"file:///other"}}}`,
			"file:///src/a | a | /src/a | a | composer"},
		{"an unknown id: its own uri, external first", source(),
			`{"workspaceIdentifier":{"id":"x","uri":{"external":"file:///src/My%20App/","scheme":"file","path":"/no"}}}`, "file:///src/My App | My App | /src/My App | x | composer"},
		{"scheme and path", source(), `{"workspaceIdentifier":{"uri":{"scheme":"file","path":"/src/q"}}}`,
			"file:///src/q | q | /src/q | NULL | composer"},
		{"fsPath", source(), `{"workspaceIdentifier":{"uri":{"fsPath":"c:\\src\\q"}}}`,
			`file:///c:/src/q | q | c:\src\q | NULL | composer`},
		{"an empty window is passed over", source().
			item("", keyHeaders, `{"allComposers":[{"composerId":"c","workspaceIdentifier":{"id":"b"}}]}`),
			`{"workspaceIdentifier":{"id":"empty-window"}}`, "file:///src/b | b | /src/b | b | headers_item"},
		{"where the agent works", source().header("c", `{"value":"{\"workspaceIdentifier\":{\"id\":\"empty-window\"}}"}`),
			`{"agentLocation":{"type":"local","environment":{"id":"x","uri":{"fsPath":"/src/q"}}}}`,
			"file:///src/q | q | /src/q | x | composer"},
		{"an identifier before it", source().
			item("", keyHeaders, `{"allComposers":[{"composerId":"c","workspaceIdentifier":{"id":"b"}}]}`),
			`{"agentLocation":{"environment":{"id":"a"}}}`, "file:///src/b | b | /src/b | b | headers_item"},
		{"a workspace whose folder is gone", source().header("c", `{"workspaceId":"gone"}`).item("", "workspaceMetadata.entries",
			`{"entries":[{"workspaceId":"a","folderUri":"file:///no"},{"workspaceId":"gone","folderUri":"file:///src/g","displayPath":"~/g"}]}`),
			`{}`, "file:///src/g | g | /src/g | gone | headers_table"},
		{"a workspace of several folders that is gone", source().header("c", `{"workspaceId":"gone"}`).item("", "workspaceMetadata.entries",
			`{"entries":[{"workspaceId":"gone","configPath":{"fsPath":"/src/team.code-workspace"}}]}`),
			`{}`, "file:///src/team.code-workspace | team.code-workspace | /src/team.code-workspace | gone | headers_table"},
		{"its own file goes before that list", source().header("c", `{"workspaceId":"a"}`).item("", "workspaceMetadata.entries",
			`{"entries":[{"workspaceId":"a","folderUri":"file:///no"}]}`), `{}`,
			"file:///src/a | a | /src/a | a | headers_table"},
		{"a folder without a URI is passed over", source().header("c", `{"workspaceId":"empty"}`),
			`{"workspaceIdentifier":{"id":"b"}}`, "file:///src/b | b | /src/b | b | composer"},
		{"the column is enough", source().header("c", `{"workspaceId":"a","value":null}`), `{}`,
			"file:///src/a | a | /src/a | a | headers_table"},
		{"of several workspaces one with a URI", source().item("0empty", keyPane, pane).item("b", keyPane, pane), `{}`,
			"file:///src/b | b | /src/b | b | pane"},
		{"then the smaller id", source().item("b", keyPane, pane).item("a", keyPane, pane), `{}`,
			"file:///src/a | a | /src/a | a | pane"},
		{"a pane before a list", source().item("a", keyData, list).item("b", keyPane, pane), `{}`,
			"file:///src/b | b | /src/b | b | pane"},
		{"a pane of an empty window, and a list", source().item("empty", keyPane, pane).item("b", keyData, list), `{}`,
			"file:///src/b | b | /src/b | b | workspace_list"},
	} {
		if got := projectOf(test.s.conversation(t, test.head)); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// A conversation that lives in a workspace's store belongs there.
func TestWorkspaceConversation(t *testing.T) {
	t.Parallel()
	s := (&sourceRows{}).workspace("a", "file:///src/a").workspace("b", "file:///src/b")
	s.item("b", keyData,
		`{"allComposers":[{"composerId":"c","name":"old","createdAt":1700000000000,"conversation":[{"type":1,"text":"b"}]}]}`)
	s.item("a", keyData,
		`{"allComposers":[{"composerId":"c","name":"new","createdAt":1700000000000,"lastUpdatedAt":1700000009000,"conversation":[{"type":1,"text":"a","bubbleId":"x"},{"type":2,"bubbleId":"y"}]},{"composerId":"empty","conversation":[]},{"composerId":"head only"}]}`)
	shared := ReadShared("s", &s.raw, nil)
	if got := shared.Copied(); !slices.Equal(got, []string{"c", "empty"}) {
		t.Errorf("copied: %q", got)
	}
	n := &Normalizer{SourceID: "s", Shared: shared}
	rows := collect(t, n, n.Conversation("c"))
	if got := shows(rows.Conversations[0].Title, rows.Conversations[0].Format) + " | " +
		projectOf(rows.Conversations[0]); got != "new | inline | file:///src/a | a | /src/a | a | workspace_list" {
		t.Errorf("the copy with the later activity: %s", got)
	}
	if got := places(rows); !slices.Equal(got, []string{"0 x listed", "1 y listed"}) {
		t.Errorf("messages: %q", got)
	}
	if rows := collect(t, n, n.Conversation("empty")); len(rows.Conversations) != 1 || len(rows.Messages) != 0 ||
		rows.Conversations[0].Format != "rows" {
		t.Errorf("an empty one: %+v", rows)
	}
	// The global row beats the copy; a message that it lacks is taken from there.
	rows = collect(t, n, conversationOf("c", `{"name":"global","fullConversationHeadersOnly":[{"bubbleId":"x"}]}`,
		bubble("x", `{"text":"global"}`)))
	if got := shows(rows.Conversations[0].Title, rows.Messages[0].Text) +
		fmt.Sprint(places(rows)); got != "global | global[0 x listed 1 y listed]" {
		t.Errorf("beside the global row: %s", got)
	}
}

// Of two copies with the same activity the one of the smaller workspace counts.
func TestCopiesOfOneTime(t *testing.T) {
	t.Parallel()
	copied := func(name string) string {
		return `{"allComposers":[{"composerId":"c","name":"` + name +
			`","createdAt":1700000000000,"conversation":[{}]}]}`
	}
	s := (&sourceRows{}).workspace("a", "").workspace("b", "").item("b", keyData, copied("b")).
		item("a", keyData, copied("a"))
	n := &Normalizer{SourceID: "s", Shared: ReadShared("s", &s.raw, nil)}
	if rows := collect(t, n, n.Conversation("c")); deref(rows.Conversations[0].Title) != "a" {
		t.Errorf("title %s", show(rows.Conversations[0].Title))
	}
}

func TestChatTab(t *testing.T) {
	t.Parallel()
	s := (&sourceRows{}).workspace("a", "file:///src/a")
	s.item("a", keyChats,
		`{"tabs":[{"tabId":"c","chatTitle":"Old chat","lastSendTime":1700000000000,"createdAt":1600000000000,"bubbles":[{"type":"user","id":"1","text":"q"},{"type":"ai","id":"2","rawText":"r"}]},{"tabId":"e","bubbles":[]}]}`)
	n := &Normalizer{SourceID: "s", Shared: ReadShared("s", &s.raw, nil)}
	rows := collect(t, n, n.Conversation("c"))
	c := rows.Conversations[0]
	if got := shows(c.Title, c.CreatedAt, c.UpdatedAt, c.Format, c.Project); got != "Old chat | NULL | 1700000000000 "+
		"| chat_tab | a" {
		t.Errorf("a chat tab is %s", got)
	}
	var got []string
	for _, m := range rows.Messages {
		got = append(got, shows(m.MessageID, m.Role, m.Text, m.IsListed, m.CreatedAtSource))
	}
	if !slices.Equal(got, []string{"1 | user | q | true | conversation", "2 | assistant | r | true | conversation"}) {
		t.Errorf("messages: %q", got)
	}
	if rows := collect(t, n, n.Conversation("e")); len(rows.Conversations) != 1 ||
		rows.Conversations[0].Format != "chat_tab" {
		t.Errorf("an empty tab: %+v", rows.Conversations)
	}
}

// A conversation's fields come from its document, else the header table (value, then columns), else the ItemTable head,
// else a workspace's list.
func TestConversationFields(t *testing.T) {
	t.Parallel()
	s := func() *sourceRows {
		return (&sourceRows{}).workspace("w", "").
			header("c",
				`{"value":"{\"name\":\"value\",\"subtitle\":\"\",\"lastUpdatedAt\":1700000003000}","name":"column","subtitle":"column","lastUpdatedAt":1700000005000}`).
			item("", keyHeaders,
				`{"allComposers":[{"composerId":"c","name":"item","status":"item","unifiedMode":"Agent"}]}`).
			item("w", keyData,
				`{"allComposers":[{"composerId":"c","name":"list","unifiedMode":"chat","totalLinesAdded":7}]}`)
	}
	c := s().
		conversation(t,
			`{"name":"own","lastUpdatedAt":1700000001000,"conversationCheckpointLastUpdatedAt":1700000002000}`)
	if got := shows(c.Title, c.Subtitle, c.Status, c.Mode, c.LinesAdded, c.UpdatedAt); got != "own | column | item | "+
		"agent | 7 | 1700000005000" {
		t.Errorf("fields: %s", got)
	}
	c = s().
		conversation(t,
			`{"name":"","modelConfig":{"modelName":"default","maxMode":true},"_v":16,"createdAt":"1700000000000","isArchived":true,"isDraft":false,"text":"draft"}`)
	if got := shows(c.Title, c.Model, c.MaxMode, c.FormatVersion, c.CreatedAt, c.IsArchived, c.IsDraft,
		c.DraftText); got != "value | auto | true | 16 | 1700000000000 | true | false | draft" {
		t.Errorf("fields: %s", got)
	}
	for config, want := range map[string]string{
		`"modelName":"gpt-5.5","selectedModels":[{"modelId":"gpt-5.5","parameters":[{"id":"fast","value":"true"},{"id":"effort","value":"xhigh"}]}]`:                    "xhigh",
		`"modelName":"b","selectedModels":[{"modelId":"a","parameters":[{"id":"effort","value":"low"}]},{"modelId":"b","parameters":[{"id":"effort","value":"high"}]}]`: "high",
		`"modelName":"c","selectedModels":[{"modelId":"a","parameters":[{"id":"effort","value":"low"}]}]`:                                                               "low",
		`"modelName":"a","thinkingLevel":"medium","selectedModels":[{"modelId":"a","parameters":[{"id":"effort","value":"low"}]}]`:                                      "medium",
		`"modelName":"a","selectedModels":[{"modelId":"a","parameters":[]}]`:                                                                                            "NULL",
	} {
		if got := show((&sourceRows{}).conversation(t, `{"modelConfig":{`+config+`}}`).ThinkingLevel); got != want {
			t.Errorf("thinking level of %s: %s, want %s", config, got, want)
		}
	}
	c = (&sourceRows{}).conversation(t,
		`{"gitWorktree":{"worktreePath":"/w","branchName":"feat-1"},"branches":[],"createdOnBranch":"main"}`)
	if got := show(c.GitBranch); got != "feat-1" {
		t.Errorf("branch of a worktree: %s", got)
	}
	c = (&sourceRows{}).conversation(t,
		`{"isWorktree":false,"gitWorktree":{"branchName":"feat-1"},"createdOnBranch":"main"}`)
	if got := show(c.GitBranch); got != "main" {
		t.Errorf("branch of what was a worktree: %s", got)
	}
	c = (&sourceRows{}).conversation(t,
		`{"usageData":{"default":{"costInCents":4,"amount":1},"m":{"costInCents":2.5}},"conversationCheckpointLastUpdatedAt":1700000002000,"lastUpdatedAt":1700000001000}`)
	if got := shows(c.Model, c.CostCents, c.UpdatedAt, c.CreatedAt, c.FormatVersion, c.ProjectSource); got != "NULL | "+
		"6.5 | 1700000002000 | NULL | NULL | NULL" {
		t.Errorf("fields: %s", got)
	}
}

// Messages whose conversation row is gone, NULL or unusable are those of an orphan.
func TestOrphans(t *testing.T) {
	t.Parallel()
	n := &Normalizer{SourceID: "s", Shared: ReadShared("s", &extract.Shared{}, nil)}
	null := conversationOf("c", `x`, bubble("a", `{"text":"x"}`))
	null.Head.Type, null.Head.Value = "null", nil
	large := conversationOf("c", `x`, bubble("a", `{"text":"x"}`))
	large.Head.Value, large.Head.Problem, large.Head.Bytes = nil, extract.ProblemTooLarge, 100<<20
	for name, test := range map[string]struct {
		conv       *extract.Conversation
		quarantine string
	}{
		"gone": {conversationOf("c", "", bubble("a", `{"text":"x"}`)), ""}, "NULL": {null, ""},
		"too large": {large, "too_large"}, "cut": {conversationOf("c", `{"name":`, bubble("a", `{"text":"x"}`)),
			"bad_json"},
		"an array": {conversationOf("c", `[]`, bubble("a", `{"text":"x"}`)), "not_object"},
		"no UTF-8": {conversationOf("c", "{\"name\":\"\xff\"}", bubble("a", `{"text":"x"}`)), "not_utf8"},
	} {
		rows := collect(t, n, test.conv)
		if len(rows.Messages) != 1 || len(rows.Conversations) != 1 {
			t.Errorf("%s: %d messages, %d conversations", name, len(rows.Messages), len(rows.Conversations))
			continue
		}
		if got := shows(rows.Conversations[0].Status, rows.Conversations[0].Title, rows.Messages[0].IsListed,
			rows.Messages[0].Position); got != "orphaned | NULL | true | 0" {
			t.Errorf("%s: %s", name, got)
		}
		reason := ""
		for _, q := range rows.Quarantine {
			reason += q.Reason
		}
		if reason != test.quarantine {
			t.Errorf("%s: in quarantine for %q, want %q", name, reason, test.quarantine)
		}
	}
	if rows := collect(t, n, conversationOf("c", "", bubble("a", `[]`))); len(rows.Conversations) != 0 ||
		len(rows.Quarantine) != 1 {
		t.Errorf("nothing usable: %+v", rows)
	}
}

// TestHeadWithRemains: a list names a conversation of which no message is left, but another row, or one that cannot be
// used: it is there, and empty.
func TestHeadWithRemains(t *testing.T) {
	t.Parallel()
	for name, left := range map[string]part{"a context": {extract.FamilyContext + "/m", `{"quotes":["q"]}`},
		"a bad message": bubble("a", `[]`)} {
		rows := collect(t, &Normalizer{SourceID: "s", Shared: sharedOf("", `{"value":"{\"name\":\"Its head\"}"}`)},
			conversationOf("c", "", left))
		if len(rows.Conversations) != 1 || shows(rows.Conversations[0].Title, rows.Conversations[0].MessageCount,
			rows.Conversations[0].Completeness) != "Its head | 0 | partial" {
			t.Errorf("%s: %+v", name, rows.Conversations)
		}
	}
}

// A bad row is recorded with its reason, in the order of docs/dictionary.md, quarantine, and spoils no other.
func TestQuarantineReasons(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "empty", "\xff": "not_utf8", "[\xff": "not_utf8", "{\"a\":\"\xff\"}": "not_utf8", "{": "bad_json",
		`{"a":1,}`: "bad_json", " ": "bad_json", `[]`: "not_object", `"x"`: "not_object", `12`: "not_object",
		"null": "not_object",
	} {
		rows := normalized(t, conversationOf("c", `{}`, bubble("bad", in), bubble("good", `{"text":"x"}`)))
		if len(rows.Messages) != 1 || len(rows.Quarantine) != 1 {
			t.Errorf("%q: %d messages, %d in quarantine", in, len(rows.Messages), len(rows.Quarantine))
			continue
		}
		q := rows.Quarantine[0]
		if got := shows(q.Reason, q.Key, q.SourceID, q.Store, q.Family, q.ConversationID,
			q.ValueBytes); got != shows(want, "bubbleId:c:bad", "s", "global", "bubbleId", "c", len(in)) ||
			len(q.ValueHash) != 32 {
			t.Errorf("%q: %s", in, got)
		}
	}
}

// A NULL value is a mark of deletion: the row is neither a message nor in quarantine, in either pass.
func TestNullRow(t *testing.T) {
	t.Parallel()
	c := conversationOf("c", `{"fullConversationHeadersOnly":[{"bubbleId":"a"},{"bubbleId":"b"}]}`)
	null := document(extract.FamilyBubble, "bubbleId:c:a", "a", "")
	null.Type, null.Value = "null", nil
	c.Parts = func(yield func(*extract.Document, error) bool) {
		_ = yield(null, nil) && yield(document(extract.FamilyBubble, "bubbleId:c:b", "b", `{"text":"x"}`), nil)
	}
	for _, budget := range []int64{0, 1} {
		rows := collect(t, &Normalizer{SourceID: "s", Shared: sharedOf("", ""), Budget: budget}, c)
		if got := places(rows); !slices.Equal(got, []string{"0 b listed"}) || len(rows.Quarantine) != 0 ||
			rows.Conversations[0].MissingMessageCount != 1 {
			t.Errorf("budget %d: %q, %d in quarantine, %+v", budget, got, len(rows.Quarantine), rows.Conversations)
		}
	}
}

func TestSubagentClaims(t *testing.T) {
	t.Parallel()
	s := (&sourceRows{}).header("c", `{"isSubagent":1}`)
	rows := collect(t, &Normalizer{SourceID: "s", Shared: ReadShared("s", &s.raw, nil)},
		conversationOf("c", `{"subagentInfo":{"parentComposerId":"p"},"subagentComposerIds":["d","e","d","c",""]}`))
	var got []string
	for _, c := range rows.SubagentClaims {
		got = append(got, shows(c.ConversationID, c.ClaimedBy, c.Rank, c.ParentConversationID))
	}
	if want := []string{"c | c | 0 | p", "c | c | 1 | NULL", "d | c | 2 | c", "e | c | 2 | c"}; !slices.Equal(got,
		want) {
		t.Errorf("claims: %q, want %q", got, want)
	}
}
