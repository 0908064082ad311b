package pipelines_test

import (
	"fmt"
	"slices"
	"testing"

	"pipeline/load/rawlog"
	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// TestStreamed: conversations that are too large to be held give the rows, and the versions of rows, that conversations
// give that are held: in a first load, in one that finds changes, and in one that reads everything again.
func TestStreamed(t *testing.T) {
	t.Parallel()
	long(t)
	held := newFixture(t)
	must(t, storetest.New(storetest.Options{Seed: 4, Messages: 100}).Write(held.user))
	streamed := &fixture{t: t, dir: t.TempDir(), user: held.user}
	for i, change := range []string{
		"",
		`UPDATE cursorDiskKV SET value = json_set(value, '$.text', 'another text') WHERE key LIKE 'bubbleId:%' AND json_valid(value) AND rowid % 7 = 0;
		DELETE FROM cursorDiskKV WHERE key LIKE 'bubbleId:%' AND rowid % 11 = 0;
		UPDATE cursorDiskKV SET value = '{"cut' WHERE key LIKE 'bubbleId:%' AND rowid % 13 = 0;
		UPDATE cursorDiskKV SET value = '[]' WHERE key LIKE 'composerData:%' AND rowid % 5 = 0`,
		`DELETE FROM cursorDiskKV WHERE key LIKE 'composerData:%' AND rowid % 17 = 0`,
	} {
		if change != "" {
			held.exec(change)
		}
		read := func(l *fixture, bytes int64) string {
			r := l.run(nil, func(o *pipelines.Options) {
				o.Hold(bytes)
				o.Full = i == 2
			})
			return fmt.Sprint(r.Status, r.Read, r.Conversations, r.Reasons, r.Quarantined)
		}
		said, want := read(streamed, 1), read(held, 1<<30)
		same(t, fmt.Sprintf("what run %d says", i+1), want, said)
		same(t, fmt.Sprintf("the tables after run %d", i+1), held.dump(allTables()...), streamed.dump(allTables()...))
		versions := func(l *fixture) (out []string) {
			for _, v := range rawRows(t, rawlog.Dir(l.warehouse())) {
				out = append(out, fmt.Sprint(v))
			}
			slices.Sort(out) // the marks of rows that are gone come in any order
			return out
		}
		if want, got := versions(held), versions(streamed); !slices.Equal(want, got) {
			t.Fatalf("the raw layer has %d versions after run %d, or others than the %d that it should have", len(got),
				i+1, len(want))
		}
	}
}
