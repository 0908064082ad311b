package pipelines_test

import (
	"testing"

	"pipeline/load/rawlog"
	"pipeline/pipelines"
)

func acceptDeletes(o *pipelines.Options) { o.AcceptDeletes = true }

// TestAcceptDeletes: when more than half of the conversations are gone at once, nothing is marked deleted until
// somebody says that it is meant.
func TestAcceptDeletes(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	base := baseUserDir().withFolder("ws2", folder{items: map[string]any{"aiService.prompts": `[{"text":"p"}]`}})
	base.extra = nil
	l.run(base)
	before := l.dump(contentTables...)
	less := base.without(keyAlpha, keyA1, keyA2, keyA3, keyBeta, keyB1, keyB2).
		withFolder("ws2", folder{items: map[string]any{"other": "x"}})
	less.write(t, l.user)
	for range 2 { // also the second time
		r := mustRun(t, l.options())
		same(t, "what the run says", pipelines.ConversationCount{Unchanged: 3}, r.Conversations)
		same(t, "its status", "check_failed", r.Status)
		if len(r.Failures) != 1 || r.Failures[0].Check != "deletions" || r.Failures[0].Rows != 2 {
			t.Errorf("failures: %v", r.Failures)
		}
		same(t, "the rows", before, l.dump(contentTables...))
		same(t, "the prompts", [][]string{{"p", "NULL"}}, l.ask(`SELECT text, deleted_at FROM prompts`))
	}
	for _, v := range rawRows(t, rawlog.Dir(l.warehouse())) {
		if v.valueType == "gone" && v.table == "cursorDiskKV" {
			t.Errorf("the raw layer has %s for gone", v.key)
		}
	}
	dry, err := pipelines.DryRun(t.Context(), l.options())
	must(t, err)
	same(t, "a dry run", pipelines.ConversationCount{Unchanged: 3}, dry.Conversations)
	if len(dry.Failures) != 1 {
		t.Errorf("a dry run says nothing of it: %v", dry.Failures)
	}
	// The store is back as it was.
	same(t, "when they are back", pipelines.ConversationCount{Unchanged: 3}, l.run(base).Conversations)
	same(t, "the rows", before, l.dump(contentTables...))
	// They are meant to be gone.
	less.write(t, l.user)
	same(t, "accepted", pipelines.ConversationCount{Deleted: 2, Unchanged: 1}, l.run(nil, acceptDeletes).Conversations)
	same(t, "the conversations", [][]string{{"gamma"}}, l.ask(`SELECT conversation_id FROM live_conversations`))
	same(t, "the prompts", [][]string{{"p", "some"}},
		l.ask(`SELECT text, CASE WHEN deleted_at IS NOT NULL THEN 'some' END FROM prompts`))
	// Half of them is not more than half.
	l = newFixture(t)
	two := base.without("composerData:gamma")
	l.run(two)
	same(t, "one of two", pipelines.ConversationCount{Deleted: 1, Unchanged: 1},
		l.run(two.without(keyBeta, keyB1, keyB2)).Conversations)
}

// TestEmptiedAtOnce: a conversation of which Cursor has emptied every row is gone, and one of those that are doubted.
func TestEmptiedAtOnce(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	base := baseUserDir()
	l.run(base)
	before := l.dump(contentTables...)
	base.with(keyAlpha, nil, keyA1, nil, keyA2, []byte{0}, keyA3, nil).without(keyBeta, keyB1, keyB2).write(t, l.user)
	r := mustRun(t, l.options())
	same(t, "what the run says", unchanged(3), r.Conversations)
	if len(r.Failures) != 1 || r.Failures[0].Check != "deletions" || r.Failures[0].Rows != 2 {
		t.Errorf("failures: %v", r.Failures)
	}
	same(t, "the rows", before, l.dump(contentTables...))
	dry, err := pipelines.DryRun(t.Context(), l.options(acceptDeletes))
	must(t, err)
	accepted := pipelines.ConversationCount{Deleted: 2, Unchanged: 1}
	same(t, "a dry run that accepts it", accepted, dry.Conversations)
	same(t, "accepted", accepted, l.run(nil, acceptDeletes).Conversations)
	same(t, "the next run", unchanged(1), l.run(nil).Conversations)
	l.exec(`DELETE FROM cursorDiskKV WHERE key LIKE '%:alpha%'`)
	same(t, "its keys are gone, too", unchanged(1), l.run(nil).Conversations)
	l.rebuilt()
	same(t, "when they are back", pipelines.ConversationCount{Changed: 2, Unchanged: 1}, l.run(base).Conversations)
	same(t, "the rows", before.drop("changed_at"), l.dump(contentTables...).drop("changed_at"))
}
