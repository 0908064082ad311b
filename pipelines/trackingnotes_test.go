package pipelines_test

import (
	"strings"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// newNotesFixture is a fixture with Cursor's summaries in the tracking database, which may lack columns.
func newNotesFixture(t *testing.T, ddl string, lacks ...string) *trackingFixture {
	t.Helper()
	l := newTrackingFixture(t, ddl)
	must(t, storetest.WriteSummaries(l.file, storetest.Summaries("alpha"), lacks...))
	return l
}

// notesWant are the rows that the generator expects.
func notesWant(lacks ...string) string {
	var rows []string
	for _, s := range storetest.Summaries("alpha") {
		if row := s.Row(lacks...); row != "" {
			rows = append(rows, row)
		}
	}
	return strings.Join(rows, "\n")
}

// notesQuery reads the notes that Cursor still has.
var notesQuery = `SELECT ` + strings.Replace(strings.Join(storetest.NoteColumns, ", "), "updated_at",
	"epoch_ms(updated_at)", 1) + ` FROM conversation_notes WHERE deleted_at IS NULL`

// TestTrackingNotes: each kind of summary becomes the row that the generator expects, which joins the conversation of
// another source.
func TestTrackingNotes(t *testing.T) {
	t.Parallel()
	l := newNotesFixture(t, trackingDDL)
	l.loads(baseUserDir(), "")
	l.wants("notes", notesQuery, notesWant())
	l.wants("joined",
		`SELECT n.title, n.bullets->>0, n.source_id <> c.source_id, s.app FROM conversation_notes n JOIN live_conversations c USING (conversation_id) JOIN sources s ON s.source_id = n.source_id`, "Fix the login | one | true | ai-tracking")
	l.wants("the others", `SELECT (SELECT count(*) FROM scored_commits), (SELECT count(*) FROM ai_code_hashes)`,
		"2 | 2")

	all := l.dump(allTables()...)
	l.loads(nil, "")
	same(t, "tables after a quiet run", all, l.dump(allTables()...))
}

// TestTrackingNotesChange: summaries are changed in place, replaced, deleted and written again.
func TestTrackingNotesChange(t *testing.T) {
	concurrent(t)
	long(t)
	t.Parallel()
	l := newNotesFixture(t, trackingDDL)
	l.loads(baseUserDir(), "")
	const query = `SELECT title, tldr, epoch_ms(updated_at), deleted_at IS NULL FROM conversation_notes WHERE conversation_id = `

	l.exec(`UPDATE conversation_summaries SET title = 'Fix it all', updatedAt = updatedAt + 1000 WHERE conversationId = 'alpha'`)
	l.loads(nil, "")
	l.wants("in place, with its time: at once", query+`'alpha'`, "Fix it all | The login works. | 1760000124456 | true")
	l.wants("the older version is kept",
		`SELECT count(*) FROM internal._known_rows WHERE table_name = 'conversation_summaries' AND "key" = 'alpha'`,
		"2")
	l.exec(`UPDATE conversation_summaries SET tldr = 'Shorter.' WHERE conversationId = 'alpha'`)
	l.run(nil, hours(l.runs+30))
	l.wants("in place, without its time: when a comparison was due", query+`'alpha'`,
		"Fix it all | Shorter. | 1760000124456 | true")
	l.exec(`INSERT OR REPLACE INTO conversation_summaries (conversationId, title, updatedAt) VALUES ('alpha', 'New', 1760000500000)`)
	l.run(nil, hours(l.runs+30))
	l.wants("replaced", query+`'alpha'`, "New | NULL | 1760000500000 | true")

	l.exec(`UPDATE conversation_summaries SET rowid = 9000, title = 'Newer' WHERE conversationId = 'alpha'`)
	l.loads(nil, "")
	l.wants("replaced, far behind the others",
		`SELECT title, read_as, deleted_at IS NULL FROM conversation_notes WHERE conversation_id = 'alpha'`,
		"Newer | (ai-tracking/conversation_summaries/0) | true")

	l.exec(`DELETE FROM conversation_summaries WHERE conversationId IN ('task-0c5e', 'note-bare')`)
	l.run(nil, hours(l.runs+30))
	l.wants("gone", query+`'task-0c5e'`, "Title | Short. | 1760000000000 | false")
	l.exec(`INSERT INTO conversation_summaries (conversationId, title, updatedAt) VALUES ('task-0c5e', 'Back', 1760000600000)`)
	l.run(nil, hours(l.runs+30))
	l.wants("back", query+`'task-0c5e'`, "Back | NULL | 1760000600000 | true")
	l.wants("still gone", query+`'note-bare'`, "NULL | NULL | 1760000000000 | false")
	l.rebuilt("last_seen_at")

	l.exec(`DELETE FROM conversation_summaries`)
	l.run(nil, hours(l.runs+30))
	l.wants("all gone", `SELECT count(*) > 10, count(deleted_at) = count(*) FROM conversation_notes`, "true | true")
	l.wants("the others", `SELECT count(*) FROM ai_code_hashes WHERE deleted_at IS NULL`, "2")
	l.rebuilt("last_seen_at")
}

// TestTrackingNotesVersions: an older database has no summaries, others lack columns; both are read as far as they go.
func TestTrackingNotesVersions(t *testing.T) {
	t.Parallel()
	t.Run("no table", func(t *testing.T) {
		t.Parallel()
		l := newTrackingFixture(t, trackingDDL)
		l.loads(baseUserDir(), "")
		l.wants("notes", `SELECT count(*) FROM conversation_notes`, "0")
		must(t, storetest.WriteSummaries(l.file, storetest.Summaries("alpha")))
		l.loads(nil, "")
		l.wants("a later version of Cursor has it", notesQuery, notesWant())
	})
	for _, lacks := range [][]string{{"summaryBullets", "model", "mode"}, {"updatedAt"}, storetest.SummaryColumns[1:]} {
		t.Run("no "+strings.Join(lacks, " "), func(t *testing.T) {
			t.Parallel()
			if len(lacks) != 3 {
				long(t)
			}
			l := newNotesFixture(t, "", lacks...)
			l.loads(baseUserDir(), "")
			want := notesWant(lacks...)
			l.wants("notes", notesQuery, want)
		})
	}
	t.Run("no id", func(t *testing.T) {
		t.Parallel()
		l := newNotesFixture(t, trackingDDL)
		l.loads(baseUserDir(), "")
		l.exec(
			`DROP TABLE conversation_summaries; CREATE TABLE conversation_summaries (composerId TEXT, title TEXT); INSERT INTO conversation_summaries VALUES ('alpha', 'Other')`)
		l.loads(nil, "its table conversation_summaries is not as this version knows it")
		l.wants("nothing is lost", notesQuery, notesWant())
		l.wants("the others", `SELECT count(*) FROM ai_code_hashes WHERE deleted_at IS NULL`, "2")
	})
}
