package pipelines_test

import (
	"path/filepath"
	"strings"
	"testing"

	"pipeline/extract"
	"pipeline/pipelines"
)

// step is one run of a story: the store as it is then, what the run must say, and what it changes in the rows of the
// run before.
type step struct {
	userDir *userDir
	want    pipelines.ConversationCount
	change  cells // of the content tables; the changed_at of changed conversations goes without saying
}

// tell runs stories into one warehouse, each a source of its own, step by step; a story that is over stays as it is. A
// dry run before each run must say the same as the run.
func tell(t *testing.T, stories map[string][]step) {
	l := newFixture(t)
	users, steps := map[string]string{}, 0
	for name, story := range stories {
		users[name], steps = filepath.Join(l.dir, name), max(steps, len(story))
	}
	all := func(o *pipelines.Options) { o.Sources = sources(t, users) }
	before := map[string]cells{}
	for i := range steps {
		var want pipelines.ConversationCount
		for name, story := range stories {
			s := story[min(i, len(story)-1)]
			if i >= len(story) {
				s.want = pipelines.ConversationCount{Unchanged: s.want.Unchanged + s.want.Changed + s.want.New}
			}
			s.userDir.write(t, users[name])
			want.New, want.Changed = want.New+s.want.New, want.Changed+s.want.Changed
			want.Deleted, want.Unchanged = want.Deleted+s.want.Deleted, want.Unchanged+s.want.Unchanged
		}
		dry, err := pipelines.DryRun(t.Context(), l.options(all))
		must(t, err)
		l.runs--
		same(t, clock(i+1)+": what a dry run says", want, dry.Conversations)
		same(t, clock(i+1)+": what the run says", want, l.run(nil, all).Conversations)
		now := l.dumpSources(contentTables...)
		for name, story := range stories {
			rows := anySession(now[name]).drop("changed_at")
			if i > 0 {
				var change cells
				if i < len(story) {
					change = story[i].change
				}
				same(t, clock(i+1)+": "+name+": the rows", before[name].change(change), rows)
			}
			before[name] = rows
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

// TestRerun: what a later run makes of a changed store.
func TestRerun(t *testing.T) {
	concurrent(t)
	t.Parallel()
	base := baseUserDir()
	better := base.replaced(t, keyA2, "An answer", "A better answer")
	tell(t, map[string][]step{
		"replaced": {{base, first, nil}, {better, changed(1), cells{"messages[alpha a2].text": "A better answer"}},
			{better, unchanged(3), nil}, {base, changed(1),
				cells{"messages[alpha a2].text": "An answer"}}},
		"deleted-and-back": {{base, first, nil}, {base.without(keyA2), changed(1), a2Gone(2)},
			{base.without(keyA2), unchanged(3), nil}, {base, changed(1), a2Back}},
		"null": {{base, first, nil}, {base.with(keyA2, nil), changed(1), a2Gone(2)},
			{base.without(keyA2), changed(1), nil}},
		"attachments-stay": {{base, first, nil},
			{base.without(keyA1), changed(1),
				cells{"messages[alpha a1].deleted_at": clock(2), "messages[alpha a1].position": "NULL",
					"messages[alpha a2].position": "0", "messages[alpha a3].position": "1",
					"tool_calls[alpha a3 0].position": "1", "messages[alpha a2].turn": "0",
					"messages[alpha a3].turn": "0", "conversations[alpha].message_count": "2",
					"conversations[alpha].user_message_count": "0", "conversations[alpha].missing_message_count": "1",
					"conversations[alpha].completeness":     "partial",
					"conversations[alpha].first_message_at": "2025-10-09 08:55:20Z"}}},
		"head-gone": {{base, first, nil}, {base.without(keyAlpha), lost, noAlphaHead(2)},
			{base.without(keyAlpha), unchanged(2), nil}, // a deleted one is not counted
			{base, changed(1), cells{"conversations[alpha].status": "completed",
				"conversations[alpha].deleted_at": "NULL", "conversations[alpha].session_id": "some",
				"conversations[alpha].unlisted_message_count": "0", "messages[alpha a1].is_listed": "true",
				"messages[alpha a2].is_listed": "true", "messages[alpha a3].is_listed": "true"}}},
		"head-null": {{base, first, nil}, {base.with(keyAlpha, nil), lost, noAlphaHead(2)}},
		"head-then-messages": {{base, first, nil}, {base.without(keyAlpha), lost, noAlphaHead(2)},
			{base.without(keyAlpha, keyA1, keyA2, keyA3), unchanged(2), orphanGone}},
	})
}

// TestConversationDeleted: a conversation that is gone keeps every value; it counts in no session and no figure of
// others, and comes back whole.
func TestConversationDeleted(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	base := baseUserDir()
	l.run(base)
	before := l.dump(contentTables...)
	without := base.without(keyAlpha, keyA1, keyA2, keyA3)
	r := l.run(without)
	same(t, "what the run says", pipelines.ConversationCount{Deleted: 1, Unchanged: 2}, r.Conversations)
	same(t, "the rows", before.change(alphaGone(2)).drop(append(figures, "changed_at")...),
		l.dump(contentTables...).drop(append(figures, "changed_at")...))
	same(t, "the sessions", [][]string{{"2025-10-09 10:53:20Z", "1", "0"}, {"2025-10-10 08:53:20Z", "1", "2"}},
		l.ask(`SELECT started_at, conversation_count, message_count FROM sessions`))
	same(t, "the periods", [][]string{{"2025-10-10 08:54:20Z", "2"}},
		l.ask(`SELECT started_at, message_count FROM activity_periods`))
	same(t, "the totals", [2]int64{2, 2}, [2]int64{r.Totals.Conversations, r.Totals.Messages})
	same(t, "a full run", pipelines.ConversationCount{Changed: 2}, l.run(without, full).Conversations)
	same(t, "when it was deleted", [][]string{{clock(1), clock(2)}},
		l.ask(`SELECT first_seen_at, deleted_at FROM conversations WHERE deleted_at IS NOT NULL`))
	same(t, "back", pipelines.ConversationCount{Changed: 1, Unchanged: 2}, l.run(base).Conversations)
	same(t, "the rows when it is back", before.drop("changed_at"), l.dump(contentTables...).drop("changed_at"))
}

// TestQuietStore: a second run over the same store changes no row but those of the runs themselves.
func TestQuietStore(t *testing.T) {
	concurrent(t)
	t.Parallel()
	l := newFixture(t)
	w := baseUserDir().with("composerData:ze\x00ro", `{"name":"Zero"}`, "bubbleId:ze\x00ro:z1", oddBubble,
		"composerData:new\nline", `{"name":"Line"}`, "composerData:bad", "{", "bubbleId:orphan:o1", oddBubble,
		"codeBlockDiff:alone", `{"newModelDiffWrtV0":[]}`, "composerData:sub",
		`{"subagentInfo":{"parentComposerId":"alpha"}}`)
	w = w.withFolder("ws2", folder{json: `{`, items: map[string]any{"aiService.prompts": `[{"text":"p"},{"text":"p"}]`,
		"composer.composerData": `{"allComposers":[{"composerId":"inline","name":"Inline","createdAt":1760000000000,"conversation":[{"type":1,"text":"Hello"}]}]}`}})
	w.headers = []map[string]any{{"composerId": "gamma", "workspaceId": "ws1", "value": `{"subtitle":"s"}`},
		{"composerId": "nobody", "value": `{`}}
	r := l.run(w)
	before := l.dump(allTables()...)
	for _, want := range []pipelines.ConversationCount{{Unchanged: r.Conversations.New},
		{Unchanged: r.Conversations.New}} {
		r := l.run(nil)
		same(t, "what the run says", want, r.Conversations)
		same(t, "what it loaded", [3]int64{}, [3]int64{r.Messages, r.ToolCalls, r.Quarantined})
		same(t, "the tables", before, l.dump(allTables()...))
	}
	// --full: equal rows; when a conversation was last found changed is another thing.
	r = l.run(nil, full)
	same(t, "a full run", pipelines.ConversationCount{Changed: r.Conversations.Changed}, r.Conversations)
	columns := []string{"last_seen_at", "changed_at", "load_id"}
	same(t, "the tables after a full run", before.drop(columns...), l.dump(allTables()...).drop(columns...))
}

// TestQuarantineLifecycle: one row per key and content; resolved when the row is usable or gone, opened again when the
// same comes back.
func TestQuarantineLifecycle(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	base := baseUserDir()
	for i, s := range []struct {
		userDir *userDir
		added   int64
		want    [][]string // reason, first seen by, resolved by
	}{
		{base.with(keyA2, "{"), 1, [][]string{{"bad_json", "1", "NULL"}}},
		{base, 0, [][]string{{"bad_json", "1", "2"}}},
		{base.with(keyA2, "{"), 1, [][]string{{"bad_json", "1", "NULL"}}},
		{base.with(keyA2, "[]"), 1, [][]string{{"bad_json", "1", "4"}, {"not_object", "4", "NULL"}}},
		{base.without(keyA2).with("bubbleId:x", "{}"), 1,
			[][]string{{"bad_json", "1", "4"}, {"bad_key", "5", "NULL"}, {"not_object", "4", "5"}}},
		{base.without(keyA1, keyA3, keyAlpha).with(keyA2, "[]"), 1,
			[][]string{{"bad_json", "1", "4"}, {"bad_key", "5", "6"}, {"not_object", "4", "NULL"}}},
		{base.without(keyA2, keyA1, keyA3, keyAlpha), 0,
			[][]string{{"bad_json", "1", "4"}, {"bad_key", "5", "6"}, {"not_object", "4", "7"}}},
	} {
		r := l.run(s.userDir)
		same(t, clock(i+1)+": the rows added", s.added, r.Quarantined)
		same(t, clock(i+1)+": the quarantine", s.want,
			l.ask(`SELECT reason, load_id, resolved_load_id FROM quarantine`))
	}
}

// TestMoveToGlobal: a conversation that moves from a workspace's store to the global one is the same conversation,
// changed, not deleted.
func TestMoveToGlobal(t *testing.T) {
	concurrent(t)
	t.Parallel()
	l := newFixture(t)
	base := baseUserDir()
	inline :=
		`{"composerId":"old","name":"Old","createdAt":1760000000000,"conversation":[{"bubbleId":"o1","type":1,"text":"Hello"},{"bubbleId":"o2","type":2,"text":"Hi"}]}`
	l.run(base.withFolder("ws2", folder{`{"folder":"file:///src/two"}`,
		map[string]any{"composer.composerData": `{"allComposers":[` + inline + `]}`}, false}))
	before := l.dump(contentTables...)
	r := l.run(
		base.with("composerData:old",
			`{"name":"Old","createdAt":1760000000000,"workspaceIdentifier":{"id":"ws2"},"fullConversationHeadersOnly":[{"bubbleId":"o1"},{"bubbleId":"o2"}]}`, "bubbleId:old:o1", `{"type":1,"text":"Hello"}`, "bubbleId:old:o2", `{"type":2,"text":"Hi"}`).
			withFolder("ws2", folder{`{"folder":"file:///src/two"}`,
				map[string]any{"composer.composerData": `{"allComposers":[]}`}, false}))
	same(t, "what the run says", pipelines.ConversationCount{Changed: 1, Unchanged: 3}, r.Conversations)
	same(t, "the rows",
		before.change(cells{"conversations[old].format": "rows", "conversations[old].project_source": "composer",
			"conversations[old].store_kind": "composer", "conversations[old].header_count": "2",
			"conversations[old].kept_from": "NULL"}).
			drop("changed_at"), l.dump(contentTables...).drop("changed_at"))
	same(t, "where it is known", [][]string{{"global"}},
		l.ask(`SELECT store FROM internal._owners WHERE kind = 'conversation' AND id = 'old'`))
	same(t, "a quiet run", pipelines.ConversationCount{Unchanged: 4}, l.run(nil).Conversations)
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

// TestProjectRenamed: a new workspace.json moves the conversations of that folder, and their subagents, to another
// project.
func TestProjectRenamed(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	base := baseUserDir().with("composerData:sub",
		`{"name":"Sub","createdAt":1760000060000,"subagentInfo":{"parentComposerId":"alpha"}}`).
		with("bubbleId:sub:s1", `{"type":1,"text":"Look"}`)
	l.run(base)
	projects := func() [][]string {
		return l.ask(
			`SELECT c.title, c.project, c.project_uri, c.project_path, c.project_source, s.project FROM conversations c JOIN sessions s USING (session_id)`)
	}
	one := func(title, source, project string) []string {
		return []string{title, project, "file:///src/" + project, "/src/" + project, source, project}
	}
	beta := []string{"Beta", "NULL", "NULL", "NULL", "NULL", "NULL"}
	same(t, "the projects", [][]string{one("Alpha", "composer", "one"), beta, one("Gamma", "composer", "one"),
		one("Sub", "parent", "one")}, projects())
	r := l.run(base.withFolder("ws1", folder{json: `{"folder":"file:///src/renamed"}`}))
	same(t, "the projects", [][]string{one("Alpha", "composer", "renamed"), beta, one("Gamma", "composer", "renamed"),
		one("Sub", "parent", "renamed")}, projects())
	if r.Conversations.Deleted+r.Conversations.New != 0 || r.Conversations.Changed < 2 {
		t.Errorf("the run says %+v", r.Conversations)
	}
	// The parent goes: the subagent keeps its project, and has no session any more.
	r = l.run(base.withFolder("ws1", folder{json: `{"folder":"file:///src/renamed"}`}).
		without(keyAlpha, keyA1, keyA2, keyA3))
	same(t, "deleted", int64(1), r.Conversations.Deleted)
	same(t, "the subagent", [][]string{{"renamed", "parent", "alpha", "NULL", "NULL"}},
		l.ask(
			`SELECT project, project_source, parent_conversation_id, session_id, deleted_at FROM conversations WHERE title = 'Sub'`))
}

// TestPrompts: a prompt that is gone gets deleted_at, and loses it when it is back.
func TestPrompts(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	with := func(prompts string) *userDir {
		return baseUserDir().withFolder("ws1",
			folder{`{"folder":"file:///src/one"}`, map[string]any{"aiService.prompts": prompts}, false})
	}
	prompts := func() [][]string { return l.ask(`SELECT text, kind, workspace_id, deleted_at FROM prompts`) }
	one, two := []string{"one", "prompt", "ws1", "NULL"}, []string{"two", "prompt", "ws1", "NULL"}
	l.run(with(`[{"text":"one"},{"text":"two"}]`))
	same(t, "prompts", [][]string{one, two}, prompts())
	l.run(with(`[{"text":"one"}]`))
	same(t, "prompts", [][]string{one, {"two", "prompt", "ws1", clock(2)}}, prompts())
	l.run(with(`[{"text":"two"},{"text":"one"}]`))
	same(t, "prompts", [][]string{one, two}, prompts())
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
