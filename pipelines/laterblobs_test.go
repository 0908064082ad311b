package pipelines_test

import (
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/testdata/gen/clitest"
	"pipeline/testdata/gen/storetest"
)

// TestEditorGraphLater: blobs that come after the rows that lead to them are read once they are there, also with no
// change of these rows. Until then a night reads no conversation and no blob, whatever else comes, and whatever is
// there under their names that is none.
func TestEditorGraphLater(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.user = filepath.Join(l.dir, "User")
	// an inline root, one with blobs of hex digits, and one that a row names
	all := []*joined{newJoined(0, 100), newJoined(1, 100), newJoined(2, 100)}
	var rows []storetest.Row
	blobs := make([][]storetest.Row, len(all))
	for i, j := range all {
		for _, row := range j.rows {
			if i > 0 && strings.HasPrefix(row.Key.(string), "agentKv:blob:") {
				blobs[i] = append(blobs[i], row)
				continue
			}
			rows = append(rows, row)
		}
	}
	named := func(i int, name [32]byte) storetest.Row {
		at := slices.IndexFunc(blobs[i], func(row storetest.Row) bool {
			return row.Key == "agentKv:blob:"+hex.EncodeToString(name[:])
		})
		return blobs[i][at]
	}
	writeGlobal(t, l.user, rows)
	night := func(what string, read int64, come ...storetest.Row) {
		t.Helper()
		for _, row := range come {
			l.exec(replaceRowSQL, row.Key, row.Value)
		}
		r := l.run(nil, fromUsers(t, l.user))
		same(t, what+": conversations read", read, r.Read)
		same(t, what+": conversations changed", read, r.Conversations.Changed+r.Conversations.New)
		same(t, what+": blobs read", read > 0,
			l.ask(
				`SELECT coalesce(sum(bytes_read), 0) > 0 FROM key_families WHERE family = 'agentKv:blob' AND load_id = (SELECT max(load_id) FROM loads)`)[0][0] == "true")
	}
	turn, root := named(1, all[1].chat.Build().Named("turn 0")), named(2, all[2].chat.Build().Hash())
	night("first load", 3)
	night("a quiet night", 0)
	night("another blob comes", 0, storetest.Row{Key: "agentKv:blob:" + strings.Repeat("ab", 32), Value: "of nobody"})
	night("a row comes that is deleted", 0, storetest.Row{Key: turn.Key})
	night("a turn comes", 1, turn)
	night("a root comes, and the other turns", 2, append(blobs[1], root)...)
	night("all blobs come", 1, blobs[2]...)
	night("a quiet night at the end", 0)
	wantJoined(t, l, all)
	same(t, "what is missing", [][]string{{"0"}},
		l.ask(`SELECT count(*) FROM quarantine WHERE resolved_load_id IS NULL`))
	l.madeAnewInPlace(contentTables...)
}

// TestCLIGraphLater: so it is in a chat of the command line.
func TestCLIGraphLater(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	dot := filepath.Join(l.dir, ".cursor")
	chat := clitest.Cases().Chat("modern")
	home := &clitest.Home{Chats: []*clitest.Chat{chat}}
	for _, chat.Lost = range [][]string{{"turn 1", "step 0.0"}, {"step 0.0"}, nil} {
		must(t, home.Write(dot))
		l.run(nil, cliSources(t, dot))
		wantCLI(t, l, home)
	}
	l.madeAnewInPlace(contentTables...)
}
