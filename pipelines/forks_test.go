package pipelines_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// repeats are the rows that forks change, and which may be written as Parquet before they are changed.
const repeats = "SELECT conversation_id, message_id, is_repeat FROM "

// TestForks: a fork is known as one when it comes, and no longer when its origin goes. The live rows are always those
// of a first load, and those that are published, whether the load or a model wrote them last.
func TestForks(t *testing.T) {
	long(t)
	t.Parallel()
	all, user := filepath.Join(t.TempDir(), "all"), filepath.Join(t.TempDir(), "mira")
	must(t, storetest.New(storetest.Options{Seed: 3, Messages: 60}).Write(all))
	must(t, os.CopyFS(user, os.DirFS(all)))
	chats := newFixture(t)
	chats.run(nil, fromUsers(t, user))
	ids := chats.ask(`SELECT conversation_id FROM conversations WHERE title = 'Case fork' ORDER BY created_at`)
	if len(ids) != 2 {
		t.Fatalf("the store has %v for this test", ids)
	}
	origin, fork := ids[0][0], ids[1][0]
	attach := "ATTACH '" + filepath.Join(all, "globalStorage", "state.vscdb") + "' AS whole"
	back := func(id string) []string {
		return []string{attach, "INSERT INTO cursorDiskKV SELECT * FROM whole.cursorDiskKV WHERE key = 'composerData:" +
			id + "' OR key LIKE 'bubbleId:" + id + ":%'"}
	}
	published := filepath.Join(t.TempDir(), "published")
	l := newFixture(t)
	for night, step := range []struct {
		statements []string
		want       string // how many messages of the fork repeat, and of which conversation it is a fork
	}{
		{[]string{removed(fork)}, "0 NULL"},
		{back(fork), "4 " + origin},
		{[]string{removed(origin)}, "0 NULL"},
		{back(origin), "4 " + origin},
		{[]string{removed(fork)}, "4 " + origin}, // a deleted fork stays one
	} {
		storeOps(t, user, step.statements...)
		l.run(nil, fromUsers(t, user), publishing(published))
		what := fmt.Sprint("night ", night)
		got := l.ask("SELECT count(*) FILTER (WHERE m.is_repeat), any_value(c.forked_from) FROM conversations c JOIN " +
			"messages m USING (conversation_id) WHERE conversation_id = '" + fork + "'")
		if night == 0 {
			got = [][]string{{"0", "NULL"}} // it is not there yet
		}
		if got := got[0][0] + " " + got[0][1]; got != step.want {
			t.Errorf("%s: the fork has %s, want %s", what, got, step.want)
		}
		first := newFixture(t)
		ahead := filepath.Join(t.TempDir(), fmt.Sprint("ahead", night))
		first.run(nil, fromUsers(t, user), publishing(ahead))
		for _, live := range []string{repeats + "live_messages ORDER BY ALL",
			"SELECT conversation_id, forked_from, best_of_parent_id, session_id FROM live_conversations ORDER BY ALL",
			"SELECT * FROM tokens_by_model ORDER BY ALL", "SELECT * FROM sessions ORDER BY ALL"} {
			same(t, what+": a first load: "+live, first.ask(live), l.ask(live))
		}
		for folder, of := range map[string]*fixture{published: l, ahead: first} {
			same(t, what+": published in "+filepath.Base(folder), of.ask(repeats+"messages ORDER BY ALL"),
				publishedRows(t, folder, repeats, "messages", "ORDER BY ALL"))
		}
	}
}
