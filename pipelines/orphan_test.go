package pipelines_test

import (
	"database/sql"
	"errors"
	"testing"

	"pipeline/pipelines"
)

// TestOrphanComesBack: a conversation of which only messages were ever seen loses deleted_at when they are back; one
// that had a row of its own keeps it, since that is still gone.
func TestOrphanComesBack(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	base := baseUserDir().with("bubbleId:lone:m", `{"type":1,"text":"alone"}`)
	without := base.without("bubbleId:lone:m", keyBeta, keyB1, keyB2)
	l.run(base)
	before := l.dump(contentTables...).drop("changed_at", "first_seen_at")
	deleted := func() [][]string {
		return l.ask(
			`SELECT conversation_id, deleted_at IS NOT NULL FROM conversations WHERE conversation_id IN ('lone', 'beta')`)
	}
	l.run(without, acceptDeletes)
	same(t, "what is deleted", [][]string{{"beta", "true"}, {"lone", "true"}}, deleted())
	base.write(t, l.user)
	dry, err := pipelines.DryRun(t.Context(), l.options())
	must(t, err)
	r := l.run(nil)
	same(t, "what the run says", pipelines.ConversationCount{Changed: 2, Unchanged: 2}, r.Conversations)
	same(t, "what a dry run says", r.Conversations, dry.Conversations)
	same(t, "the rows", before, l.dump(contentTables...).drop("changed_at", "first_seen_at"))
	l.rebuilt()
	l.run(without, acceptDeletes)
	l.run(base.without(keyBeta))
	same(t, "what is deleted without the head of beta", [][]string{{"beta", "true"}, {"lone", "false"}}, deleted())
	// A warehouse in which an earlier version left the mark.
	db, err := sql.Open("duckdb", l.warehouse())
	must(t, err)
	_, err = db.Exec(`UPDATE conversations SET deleted_at = now() WHERE conversation_id = 'lone'`)
	must(t, errors.Join(err, db.Close()))
	l.run(nil, full)
	same(t, "what is deleted after a full run", [][]string{{"beta", "true"}, {"lone", "false"}}, deleted())
}
