package pipelines_test

import (
	"path/filepath"
	"strings"
	"testing"

	"pipeline/extract"
	"pipeline/pipelines"
)

// A step is one run of a story: the store as it is then, what the run must say, and what it changes in the rows of the
// run before.
type step struct {
	userDir *userDir
	want    pipelines.ConversationCount
	change  cells // of the content tables; the changed_at of changed conversations goes without saying
}

// steps is a story told step by step. A dry run before each run must say the same as the run.
func steps(all ...step) func(*story) {
	return func(s *story) {
		var before cells
		for i, step := range all {
			s.await(step.userDir, storyRun{dry: true, want: step.want})
			rows := anySession(s.dump(contentTables...)).drop("changed_at")
			if i > 0 {
				same(s.t, "the rows", before.change(step.change), rows)
			}
			before = rows
		}
	}
}

var first = pipelines.ConversationCount{New: 3}

func unchanged(n int64) pipelines.ConversationCount { return pipelines.ConversationCount{Unchanged: n} }

// lost is alpha's own row leaving while its messages stay.
var lost = pipelines.ConversationCount{Deleted: 1, Unchanged: 2}

func changed(n int64) pipelines.ConversationCount {
	return pipelines.ConversationCount{Changed: n, Unchanged: 3 - n}
}

// a2Gone are the cells when the second message of alpha leaves the store, in run n, while its header stays.
func a2Gone(n int) cells {
	return cells{"messages[alpha a2].deleted_at": clock(n), "messages[alpha a2].position": "NULL",
		"messages[alpha a3].position": "1", "tool_calls[alpha a3 0].position": "1",
		"conversations[alpha].missing_message_count": "1", "conversations[alpha].completeness": "partial",
		"conversations[alpha].message_count": "2", "conversations[alpha].assistant_message_count": "1"}
}

var a2Back = cells{"messages[alpha a2].deleted_at": "NULL", "messages[alpha a2].position": "1",
	"messages[alpha a3].position": "2", "tool_calls[alpha a3 0].position": "2",
	"conversations[alpha].missing_message_count": "0", "conversations[alpha].completeness": "complete",
	"conversations[alpha].message_count": "3", "conversations[alpha].assistant_message_count": "2"}

// noAlphaHead are the cells when alpha's own row leaves the store in run n and its messages stay.
func noAlphaHead(n int) cells {
	return cells{"conversations[alpha].status": "orphaned", "conversations[alpha].deleted_at": clock(n),
		"conversations[alpha].session_id": "NULL"}
}

// alphaGone are the cells when nothing of alpha is left in run n.
func alphaGone(n int) cells {
	return cells{"conversations[alpha].deleted_at": clock(n), "conversations[alpha].session_id": "NULL",
		"messages[alpha a1].deleted_at": clock(n), "messages[alpha a1].position": "NULL",
		"messages[alpha a2].deleted_at": clock(n), "messages[alpha a2].position": "NULL",
		"messages[alpha a3].deleted_at": clock(n), "messages[alpha a3].position": "NULL",
		"tool_calls[alpha a3 0].deleted_at": clock(n), "tool_calls[alpha a3 0].position": "NULL"}
}

// orphanGone are the cells when the messages of the deleted alpha go too, in run 3: what the conversation was stays,
// its figures count nothing.
var orphanGone = alphaGone(3).change(cells{"conversations[alpha].deleted_at": clock(2),
	"conversations[alpha].message_count": "0", "conversations[alpha].user_message_count": "0",
	"conversations[alpha].assistant_message_count": "0", "conversations[alpha].tool_call_count": "0",
	"conversations[alpha].unlisted_message_count": "0", "conversations[alpha].first_message_at": "NULL",
	"conversations[alpha].last_message_at": "NULL"})

// figures are the columns of a conversation that count its live rows.
var figures = []string{"message_count", "user_message_count", "assistant_message_count", "tool_call_count",
	"unlisted_message_count", "header_count", "missing_message_count", "first_message_at", "last_message_at",
	"last_activity_at"}

// rerunStories say what a later run makes of a changed store.
func rerunStories() map[string]func(*story) {
	base := baseUserDir()
	better := base.with(keyA2, strings.Replace(bubbleA2, "An answer", "A better answer", 1))
	return map[string]func(*story){
		"replaced": steps(step{base, first, nil},
			step{better, changed(1), cells{"messages[alpha a2].text": "A better answer"}},
			step{better, unchanged(3), nil}, step{base, changed(1),
				cells{"messages[alpha a2].text": "An answer"}}),
		"deleted-and-back": steps(step{base, first, nil}, step{base.without(keyA2), changed(1), a2Gone(2)},
			step{base.without(keyA2), unchanged(3), nil}, step{base, changed(1), a2Back}),
		"null": steps(step{base, first, nil}, step{base.with(keyA2, nil), changed(1), a2Gone(2)},
			step{base.without(keyA2), changed(1), nil}),
		"attachments-stay": steps(step{base, first, nil},
			step{base.without(keyA1), changed(1),
				cells{"messages[alpha a1].deleted_at": clock(2), "messages[alpha a1].position": "NULL",
					"messages[alpha a2].position": "0", "messages[alpha a3].position": "1",
					"tool_calls[alpha a3 0].position": "1", "messages[alpha a2].turn": "0",
					"messages[alpha a3].turn": "0", "conversations[alpha].message_count": "2",
					"conversations[alpha].user_message_count": "0", "conversations[alpha].missing_message_count": "1",
					"conversations[alpha].completeness":     "partial",
					"conversations[alpha].first_message_at": "2025-10-09 08:55:20Z"}}),
		"head-gone": steps(step{base, first, nil}, step{base.without(keyAlpha), lost, noAlphaHead(2)},
			step{base.without(keyAlpha), unchanged(2), nil}, // a deleted one is not counted
			step{base, changed(1), cells{"conversations[alpha].status": "completed",
				"conversations[alpha].deleted_at": "NULL", "conversations[alpha].session_id": "some",
				"conversations[alpha].unlisted_message_count": "0", "messages[alpha a1].is_listed": "true",
				"messages[alpha a2].is_listed": "true", "messages[alpha a3].is_listed": "true"}}),
		"head-null": steps(step{base, first, nil}, step{base.with(keyAlpha, nil), lost, noAlphaHead(2)}),
		"head-then-messages": steps(step{base, first, nil}, step{base.without(keyAlpha), lost, noAlphaHead(2)},
			step{base.without(keyAlpha, keyA1, keyA2, keyA3), unchanged(2), orphanGone}),
		"conversation-deleted": conversationDeleted, "quiet-store": quietStore,
		"quarantine-lifecycle": quarantineLifecycle, "move-to-global": moveToGlobal,
		"project-renamed": projectRenamed, "prompts": promptsGoAndComeBack,
	}
}

// A conversation that is gone keeps every value; it counts in no session and no figure of others, and comes back whole.
func conversationDeleted(s *story) {
	base := baseUserDir()
	s.run(base, first)
	before := s.dump(contentTables...)
	s.run(base.without(keyAlpha, keyA1, keyA2, keyA3), pipelines.ConversationCount{Deleted: 1, Unchanged: 2})
	same(s.t, "the rows", before.change(alphaGone(2)).drop(append(figures, "changed_at")...),
		s.dump(contentTables...).drop(append(figures, "changed_at")...))
	same(s.t, "the sessions", [][]string{{"2025-10-09 10:53:20Z", "1", "0"}, {"2025-10-10 08:53:20Z", "1", "2"}},
		s.ask(`SELECT started_at, conversation_count, message_count FROM sessions`))
	same(s.t, "the periods", [][]string{{"2025-10-10 08:54:20Z", "2"}},
		s.ask(`SELECT started_at, message_count FROM activity_periods`))
	s.full(nil, pipelines.ConversationCount{Changed: 2})
	same(s.t, "when it was deleted", [][]string{{clock(1), clock(2)}},
		s.ask(`SELECT first_seen_at, deleted_at FROM conversations WHERE deleted_at IS NOT NULL`))
	s.run(base, pipelines.ConversationCount{Changed: 1, Unchanged: 2})
	same(s.t, "the rows when it is back", before.drop("changed_at"), s.dump(contentTables...).drop("changed_at"))
}

// A store with rows of every kind, odd ones too: the book's quiet run and its full one change nothing of it.
func quietStore(s *story) {
	w := baseUserDir().with("composerData:ze\x00ro", `{"name":"Zero"}`, "bubbleId:ze\x00ro:z1", oddBubble,
		"composerData:new\nline", `{"name":"Line"}`, "composerData:bad", "{", "bubbleId:orphan:o1", oddBubble,
		"codeBlockDiff:alone", `{"newModelDiffWrtV0":[]}`, "composerData:sub",
		`{"subagentInfo":{"parentComposerId":"alpha"}}`)
	w = w.withFolder("ws2", folder{json: `{`, items: map[string]any{"aiService.prompts": `[{"text":"p"},{"text":"p"}]`,
		"composer.composerData": `{"allComposers":[{"composerId":"inline","name":"Inline","createdAt":1760000000000,"conversation":[{"type":1,"text":"Hello"}]}]}`}})
	w.headers = []map[string]any{{"composerId": "gamma", "workspaceId": "ws1", "value": `{"subtitle":"s"}`},
		{"composerId": "nobody", "value": `{`}}
	s.quarantines(3)
	s.run(w, pipelines.ConversationCount{New: 8})
}

// One row of quarantine for each key and content; resolved when the row is usable or gone, opened again when the same
// comes back.
func quarantineLifecycle(s *story) {
	base := baseUserDir()
	for i, night := range []struct {
		userDir *userDir
		want    pipelines.ConversationCount
		added   int64
		rows    [][]string // reason, first seen by, resolved by
	}{
		{base.with(keyA2, "{"), first, 1, [][]string{{"bad_json", "1", "NULL"}}},
		{base, changed(1), 0, [][]string{{"bad_json", "1", "2"}}},
		{base.with(keyA2, "{"), changed(1), 1, [][]string{{"bad_json", "1", "NULL"}}},
		{base.with(keyA2, "[]"), changed(1), 1, [][]string{{"bad_json", "1", "4"}, {"not_object", "4", "NULL"}}},
		{base.without(keyA2).with("bubbleId:x", "{}"), changed(1), 1,
			[][]string{{"bad_json", "1", "4"}, {"bad_key", "5", "NULL"}, {"not_object", "4", "5"}}},
		{base.without(keyA1, keyA3, keyAlpha).with(keyA2, "[]"), lost, 1,
			[][]string{{"bad_json", "1", "4"}, {"bad_key", "5", "6"}, {"not_object", "4", "NULL"}}},
		{base.without(keyA2, keyA1, keyA3, keyAlpha), unchanged(2), 0,
			[][]string{{"bad_json", "1", "4"}, {"bad_key", "5", "6"}, {"not_object", "4", "7"}}},
	} {
		s.quarantines(night.added)
		s.run(night.userDir, night.want)
		same(s.t, clock(i+1)+": the quarantine", night.rows,
			s.ask(`SELECT reason, load_id, resolved_load_id FROM quarantine`))
	}
}

// A conversation that moves from a workspace's store to the global one is the same conversation, changed, not deleted.
func moveToGlobal(s *story) {
	base := baseUserDir()
	inline :=
		`{"composerId":"old","name":"Old","createdAt":1760000000000,"conversation":[{"bubbleId":"o1","type":1,"text":"Hello"},{"bubbleId":"o2","type":2,"text":"Hi"}]}`
	s.run(base.withFolder("ws2", folder{`{"folder":"file:///src/two"}`,
		map[string]any{"composer.composerData": `{"allComposers":[` + inline + `]}`}, false}),
		pipelines.ConversationCount{New: 4})
	before := s.dump(contentTables...)
	s.run(
		base.with("composerData:old",
			`{"name":"Old","createdAt":1760000000000,"workspaceIdentifier":{"id":"ws2"},"fullConversationHeadersOnly":[{"bubbleId":"o1"},{"bubbleId":"o2"}]}`, "bubbleId:old:o1", `{"type":1,"text":"Hello"}`, "bubbleId:old:o2", `{"type":2,"text":"Hi"}`).
			withFolder("ws2", folder{`{"folder":"file:///src/two"}`,
				map[string]any{"composer.composerData": `{"allComposers":[]}`}, false}),
		pipelines.ConversationCount{Changed: 1, Unchanged: 3})
	same(s.t, "the rows",
		before.change(cells{"conversations[old].format": "rows", "conversations[old].project_source": "composer",
			"conversations[old].store_kind": "composer", "conversations[old].header_count": "2",
			"conversations[old].kept_from": "NULL"}).
			drop("changed_at"), s.dump(contentTables...).drop("changed_at"))
	same(s.t, "where it is known", [][]string{{"global"}},
		s.ask(`SELECT store FROM internal._owners WHERE kind = 'conversation' AND id = 'old'`))
}

// A new workspace.json moves the conversations of that folder, and their subagents, to another project.
func projectRenamed(s *story) {
	base := baseUserDir().with("composerData:sub",
		`{"name":"Sub","createdAt":1760000060000,"subagentInfo":{"parentComposerId":"alpha"}}`).
		with("bubbleId:sub:s1", `{"type":1,"text":"Look"}`)
	s.run(base, pipelines.ConversationCount{New: 4})
	projects := func() [][]string {
		return s.ask(
			`SELECT c.title, c.project, c.project_uri, c.project_path, c.project_source, s.project FROM conversations c JOIN sessions s USING (session_id)`)
	}
	one := func(title, source, project string) []string {
		return []string{title, project, "file:///src/" + project, "/src/" + project, source, project}
	}
	beta := []string{"Beta", "NULL", "NULL", "NULL", "NULL", "NULL"}
	same(s.t, "the projects", [][]string{one("Alpha", "composer", "one"), beta, one("Gamma", "composer", "one"),
		one("Sub", "parent", "one")}, projects())
	renamed := base.withFolder("ws1", folder{json: `{"folder":"file:///src/renamed"}`})
	s.run(renamed, pipelines.ConversationCount{Changed: 2, Unchanged: 2})
	same(s.t, "the projects", [][]string{one("Alpha", "composer", "renamed"), beta, one("Gamma", "composer", "renamed"),
		one("Sub", "parent", "renamed")}, projects())
	// The parent goes: the subagent keeps its project, and has no session any more.
	s.run(renamed.without(keyAlpha, keyA1, keyA2, keyA3), pipelines.ConversationCount{Deleted: 1, Unchanged: 3})
	same(s.t, "the subagent", [][]string{{"renamed", "parent", "alpha", "NULL", "NULL"}},
		s.ask(
			`SELECT project, project_source, parent_conversation_id, session_id, deleted_at FROM conversations WHERE title = 'Sub'`))
}

// A prompt that is gone gets deleted_at, and loses it when it is back.
func promptsGoAndComeBack(s *story) {
	one, two := []string{"one", "prompt", "ws1", "NULL"}, []string{"two", "prompt", "ws1", "NULL"}
	for _, night := range []struct {
		stored string
		says   pipelines.ConversationCount
		want   [][]string
	}{
		{`[{"text":"one"},{"text":"two"}]`, first, [][]string{one, two}},
		{`[{"text":"one"}]`, unchanged(3), [][]string{one, {"two", "prompt", "ws1", clock(2)}}},
		{`[{"text":"two"},{"text":"one"}]`, unchanged(3), [][]string{one, two}},
	} {
		s.run(baseUserDir().withFolder("ws1",
			folder{`{"folder":"file:///src/one"}`, map[string]any{"aiService.prompts": night.stored}, false}), night.says)
		same(s.t, "prompts", night.want, s.ask(`SELECT text, kind, workspace_id, deleted_at FROM prompts`))
	}
}

// TestSessionGap: another gap cuts every group anew although no conversation changed.
func TestSessionGap(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.run(baseUserDir())
	// gamma starts two hours after alpha
	r := l.run(nil, func(o *pipelines.Options) { o.SessionGap = 4 * pipelines.DefaultSessionGap })
	same(t, "what the run says", unchanged(3), r.Conversations)
	same(t, "the sessions", [][]string{{"Alpha", "2"}, {"Beta", "1"}, {"Gamma", "2"}},
		l.ask(`SELECT title, conversation_count FROM conversations JOIN sessions USING (session_id)`))
	l.run(nil)
	same(t, "the sessions with the gap of before", [][]string{{"Alpha", "1"}, {"Beta", "1"}, {"Gamma", "1"}},
		l.ask(`SELECT title, conversation_count FROM conversations JOIN sessions USING (session_id)`))
}

// TestUnreadableStore: what a store that cannot be read gave before stays as it was; the run goes on, and says so.
func TestUnreadableStore(t *testing.T) {
	t.Parallel()
	// The workspace's store names the global beta (title, mode, time, subagent of alpha), holds a conversation of its
	// own, and an older copy of alpha.
	list := `{"allComposers":[{"composerId":"beta","name":"Beta, as listed","subtitle":"s","unifiedMode":"chat","createdAt":1760086400000,"isArchived":true,"subagentInfo":{"parentComposerId":"gamma"}},` +
		`{"composerId":"inline","name":"Inline","createdAt":1760000000000,"conversation":[{"type":1,"text":"Hello"}]},` +
		`{"composerId":"alpha","name":"Older","createdAt":1760000000000,"conversation":[{"bubbleId":"a2","type":2,"text":"older text"},{"bubbleId":"a9","type":2,"text":"only in the copy"}]}]}`
	base := baseUserDir().
		with(keyBeta,
			`{"_v":13,"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2}]}`).
		withFolder("ws2", folder{`{"folder":"file:///src/two"}`,
			map[string]any{"composer.composerData": list, "aiService.prompts": `[{"text":"p"}]`}, false})
	bad := base.withFolder("ws2", folder{json: `{"folder":"file:///src/two"}`, garbage: true})
	badGlobal := base.clone()
	badGlobal.garbage = true
	worlds := map[string]*userDir{"workspace": bad,
		"workspace-and-more": bad.replaced(t, keyB2, "Reply", "A longer reply"), "global": badGlobal}
	l := newFixture(t)
	users := map[string]string{}
	for name := range worlds {
		users[name] = base.at(t, filepath.Join(l.dir, name))
	}
	all := func(o *pipelines.Options) { o.Sources = sources(t, users) }
	l.run(nil, all)
	tables := append([]string{"prompts", "sessions", "activity_periods", "workspaces"}, contentTables...)
	before := l.dumpSources(tables...)
	for name, w := range worlds {
		w.write(t, users[name])
	}
	// what the stores that cannot be read share of conversations stays there, too
	dry, err := pipelines.DryRun(t.Context(), l.options(all))
	must(t, err)
	l.runs--
	r := l.run(nil, all)
	same(t, "what a dry run says", r.Conversations, dry.Conversations)
	same(t, "why", r.Reasons, dry.Reasons)
	now := l.dumpSources(tables...)
	for name := range worlds {
		want := before[name].drop("changed_at")
		if name == "workspace-and-more" {
			want["messages[beta b2].text"] = "A longer reply"
		}
		same(t, name+": the rows", want, now[name].drop("changed_at"))
	}
	same(t, "nothing is new or deleted", [2]int64{}, [2]int64{r.Conversations.New, r.Conversations.Deleted})
	same(t, "the status", "partial", r.Status)
	if len(r.Errors()) != 3 || !strings.Contains(r.Errors()[0].Error(), "state.vscdb") {
		t.Errorf("the result's errors are %v", r.Errors())
	}
	same(t, "the stores that were not read whole",
		[][]string{{"global", "global"}, {"workspace", "workspace/ws2"}, {"workspace-and-more", "workspace/ws2"}},
		l.ask(`SELECT source_id, store FROM load_stores WHERE load_id = 2 AND NOT is_complete`))
	for name := range worlds {
		base.write(t, users[name])
	}
	l.run(nil, all)
	now = l.dumpSources(tables...)
	for name := range worlds {
		same(t, name+": the rows when it can be read again", before[name].drop("changed_at"),
			now[name].drop("changed_at"))
	}
}

// TestUnreadableSource: of two sources one cannot be read; its conversations stay as they were.
func TestUnreadableSource(t *testing.T) {
	concurrent(t)
	t.Parallel()
	l := newFixture(t)
	two := filepath.Join(l.dir, "two")
	users := map[string]string{"one": baseUserDir().at(t, l.user), "two": baseUserDir().at(t, two)}
	both := func(o *pipelines.Options) { o.Sources = sources(t, users) }
	same(t, "what the first run says", pipelines.ConversationCount{New: 6}, l.run(nil, both).Conversations)
	before := l.dump(contentTables...)
	garbage := baseUserDir()
	garbage.garbage = true
	garbage.write(t, two)
	baseUserDir().without(keyA2).write(t, l.user)
	r := l.run(nil, both)
	same(t, "what the second run says", pipelines.ConversationCount{Changed: 1, Unchanged: 5}, r.Conversations)
	change := cells{}
	for cell, v := range a2Gone(2) {
		change["one:"+cell] = v
	}
	same(t, "the rows", before.change(change).drop("changed_at"), l.dump(contentTables...).drop("changed_at"))
	same(t, "the errors", 1, len(r.Errors()))
	same(t, "the stores that were not read whole", [][]string{{"two", extract.GlobalStore}},
		l.ask(`SELECT source_id, store FROM load_stores WHERE load_id = 2 AND NOT is_complete`))
	garbage.write(t, l.user)
	if _, err := pipelines.Run(t.Context(), l.options(both)); err == nil {
		t.Error("a run without a readable source succeeded")
	}
}
