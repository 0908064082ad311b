package pipelines_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pipeline/extract"
	"pipeline/pipelines"
	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

// damageConversations and damageMessages are the size of the store that TestDamage damages.
const (
	damageConversations = 12
	damageMessages      = 14
)

// damageUserDir is a store of some hundred pages. Of a later state, more is 1: there are new messages, changed ones and
// a conversation more.
func damageUserDir(more int) *userDir {
	w := &userDir{rows: map[string]any{}, headers: []map[string]any{},
		workspaces: map[string]folder{"ws1": {json: `{"folder":"file:///src/one"}`}}}
	for c := range damageConversations + more {
		id := fmt.Sprintf("conv-%02d", c)
		var headers []string
		for m := range damageMessages + more*(c%2) {
			bubble := fmt.Sprintf("m%02d", m)
			headers = append(headers, fmt.Sprintf(`{"bubbleId":%q,"type":%d}`, bubble, 1+m%2))
			text := fmt.Sprintf("message %d of %d %s", m, c, strings.Repeat("x", (m%5)*900))
			if m == 3 && c%3 == 0 {
				text += strings.Repeat("z", more)
			}
			w.rows["bubbleId:"+id+":"+bubble] = fmt.Sprintf(`{"_v":3,"type":%d,"bubbleId":%q,"text":%q}`, 1+m%2, bubble,
				text)
		}
		w.rows["composerData:"+id] = fmt.Sprintf(
			`{"_v":13,"composerId":%q,"name":"conversation %d","createdAt":%d,"fullConversationHeadersOnly":[%s]}`,
			id, c, 1760000000000+int64(c)*1000, strings.Join(headers, ","))
		w.rows["composer.content."+id] = strings.Repeat("content ", 200)
		w.headers = append(w.headers, map[string]any{"composerId": id, "workspaceId": "ws1",
			"createdAt": int64(1760000000000), "value": `{"name":"conversation"}`})
	}
	return w
}

// spoil damages a file in one of the ways that disks and broken copies do.
func spoil(t *testing.T, rng *rand.Rand, path string) (how string) {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	pages := len(b) / 4096
	n := 1 + rng.IntN(4)
	switch rng.IntN(5) {
	case 0:
		n *= n
		for range n {
			b[rng.IntN(len(b))] ^= byte(1 + rng.IntN(255))
		}
		how = fmt.Sprintf("%d bytes flipped", n)
	case 1:
		for range n {
			clear(b[4096*rng.IntN(pages):][:4096])
		}
		how = fmt.Sprintf("%d pages zeroed", n)
	case 2:
		for range n {
			page := b[4096*rng.IntN(pages):][:4096]
			for i := range page[:512*(1+rng.IntN(8))] {
				page[i] = byte(rng.IntN(256))
			}
		}
		how = fmt.Sprintf("%d pages overwritten", n)
	case 3:
		b = b[:rng.IntN(len(b))]
		how = fmt.Sprintf("cut off at %d", len(b))
	default:
		from, to := rng.IntN(pages), rng.IntN(pages)
		copy(b[4096*to:][:4096], b[4096*from:][:4096])
		how = fmt.Sprintf("page %d over page %d", from, to)
	}
	must(t, os.WriteFile(path, b, 0o600))
	return how
}

// named are the keys that the index of a store names, as far as SQLite can read it; where the row has another key, that
// one.
func named(t *testing.T, path string) (keys []string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
	must(t, err)
	defer db.Close()
	rows, err := db.Query("SELECT rowid, key FROM cursorDiskKV ORDER BY key")
	if err != nil {
		return nil
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var key, inRow string
		if rows.Scan(&id, &key) != nil {
			break
		}
		if db.QueryRow("SELECT key FROM cursorDiskKV NOT INDEXED WHERE rowid = ?", id).Scan(&inRow) == nil {
			key = inRow
		}
		keys = append(keys, shown(key))
	}
	return keys
}

// shown is a key as the dictionary has it: bytes that are not UTF-8 are written \xNN.
func shown(key string) (text string) {
	for i, r := range key {
		if r == utf8.RuneError && !strings.HasPrefix(key[i:], string(r)) {
			text += fmt.Sprintf(`\x%02x`, key[i])
		} else {
			text += string(r)
		}
	}
	return text
}

// A damaged page in a first load: all rows but those of the page, which are named; a run that finds the same damage
// again changes nothing.
func damagedFirst(s *story) {
	store := globalFile(s.fixture)
	lost, err := storetest.WriteTornPage(store)
	must(s.t, err)
	var want [][]string
	for _, key := range lost {
		want = append(want, []string{"page_corrupt", "bubbleId", key, "unreadable"})
	}
	for run := range 2 {
		s.unreadable(1, 0)
		if run == 0 {
			s.quarantines(int64(len(lost)))
			s.run(nil, pipelines.ConversationCount{New: 1})
		} else {
			s.run(nil, unchanged(1))
		}
		all := s.book.result.Errors()
		i := slices.IndexFunc(all, func(err error) bool { return strings.Contains(err.Error(), store) })
		if i < 0 || !extract.IsDamage(all[i]) {
			s.t.Fatalf("errors: %v", all)
		}
		says(s.t, all[i], store, fmt.Sprintf("%d of 401 rows are lost", len(lost)), lost[0],
			"nothing counts as deleted", "state.vscdb.backup")
		same(s.t, "quarantine", want,
			s.ask(`SELECT reason, family, key, value_type FROM quarantine WHERE resolved_load_id IS NULL ORDER BY key`))
		same(s.t, "messages and those said to be missing",
			[][]string{{strconv.Itoa(400 - len(lost)), strconv.Itoa(len(lost))}}, s.ask(
				`SELECT (SELECT count(*) FROM messages WHERE deleted_at IS NULL), (SELECT sum(missing_message_count)::BIGINT FROM conversations)`))
		same(s.t, "the load", [][]string{{"partial", "false", "copy"}},
			s.ask(
				fmt.Sprintf(
					`SELECT status, is_complete, snapshot_method FROM loads JOIN load_stores USING (load_id) WHERE load_id = %d`, run+1)))
	}
}

// What conversations share is kept as it was where its row is lost: titles and projects stay.
func damagedShared(s *story) {
	userDir := damageUserDir(0)
	for i := range 400 { // headers on many pages
		userDir.headers = append(userDir.headers,
			map[string]any{"composerId": fmt.Sprintf("other-%03d", i), "workspaceId": "ws1", "createdAt": int64(1),
				"value": fmt.Sprintf(`{"name":"other","subtitle":%q}`, strings.Repeat("y", 400))})
	}
	s.run(userDir, pipelines.ConversationCount{New: 412})
	projects := `SELECT conversation_id, title, project, subtitle, deleted_at FROM conversations ORDER BY ALL`
	before := s.ask(projects)
	userDir.with("bubbleId:conv-00:new", `{"_v":3,"type":1,"bubbleId":"new","text":"new"}`).write(s.t, s.user)
	s.spoils(globalFile(s.fixture), func(b []byte) {
		for i := range damageConversations { // every page with the header of one
			needle := fmt.Appendf(nil, "conv-%02dws1", i)
			for at := bytes.Index(b, needle); at >= 0; at = bytes.Index(b, needle) {
				copy(b[at/4096*4096:], strings.Repeat("\xa5", 4096))
			}
		}
	})
	s.unreadable(1, 400)
	s.run(nil, pipelines.ConversationCount{Changed: 1, Unchanged: 411})
	same(s.t, "titles and projects", before, s.ask(projects))
	same(s.t, "the new message", [][]string{{"new"}}, s.ask(`SELECT text FROM live_messages WHERE message_id = 'new'`))
}

// Stores damaged at random over the warehouse of the day before: never a panic, never "success" with fewer rows than
// the index names and no word about it, never a deletion from a damaged read, and the warehouse of the day before is
// still there. The store that is sound again gives what a first load of it gives.
func TestDamage(t *testing.T) {
	t.Parallel()
	rounds := 10
	if testing.Short() {
		rounds = 2
	}
	first := 0
	if night.On() {
		rounds = 500
		first = rounds * night.Number()
	}
	base := newFixture(t)
	base.run(damageUserDir(0))
	later := newFixture(t)
	wanted := later.live(damageUserDir(1))
	outcomes := map[string]int{}
	for round := first; round < first+rounds; round++ {
		rng := rand.New(rand.NewPCG(uint64(round), 11))
		outcomes[damaged(t, rng, base, wanted, fmt.Sprintf("round %d", round), round%10 == 0)]++
		if t.Failed() {
			break
		}
	}
	t.Logf("%d stores: %v", rounds, outcomes)
}

// live loads a user directory and returns its messages.
func (l *fixture) live(w *userDir) [][]string {
	l.run(w)
	return l.ask(liveMessages)
}

const storedMessages = `SELECT conversation_id, message_id, position, text, deleted_at FROM messages ORDER BY ALL`

const liveMessages = `SELECT conversation_id, message_id, text FROM live_messages ORDER BY ALL`

// damaged runs over one damaged store and says what came of it.
func damaged(t *testing.T, rng *rand.Rand, base *fixture, wanted [][]string, round string, heal bool) (outcome string) {
	t.Helper()
	l := &fixture{t: t, dir: filepath.Join(base.dir, "copy"), runs: base.runs}
	defer l.warehouse()
	must(t, errors.Join(os.RemoveAll(l.dir), os.Mkdir(l.dir, 0o700)))
	l.user = base.user // the same source
	must(t, os.CopyFS(filepath.Join(l.dir, "w.duckdb.raw"), os.DirFS(base.warehouse()+".raw")))
	must(t, copyTo(l.warehouse(), base.warehouse()))
	damageUserDir(1).write(t, l.user)
	store := filepath.Join(l.user, "globalStorage", "state.vscdb")
	how := spoil(t, rng, store)
	defer func() {
		if t.Failed() {
			t.Logf("%s: %s", round, how)
		}
	}()
	names := named(t, store)
	before, err := os.ReadFile(l.warehouse())
	must(t, err)
	o := l.options(func(o *pipelines.Options) { o.Full = rng.IntN(2) == 0 })
	result, err := pipelines.Run(context.Background(), o)
	switch {
	case err != nil:
		outcome = "refused"
		var source *pipelines.SourceError
		if !errors.As(err, &source) {
			t.Errorf("%v", err)
		}
		after, err := os.ReadFile(l.warehouse())
		must(t, err)
		same(t, "the warehouse", string(before) == string(after), true)
	case len(result.Errors()) > 0:
		outcome = "partial"
		if !extract.IsDamage(result.Errors()[0]) {
			t.Errorf("%v", result.Errors())
		}
		same(t, "deleted rows", [][]string{{"0", "0", "partial", "false"}},
			l.ask(`SELECT (SELECT count(deleted_at) FROM messages), (SELECT count(deleted_at) FROM conversations),
			(SELECT status FROM loads WHERE load_id = 2), (SELECT is_complete FROM load_stores WHERE load_id = 2 AND store = 'global')`))
		for _, row := range l.raw() {
			if row["value_type"] == "gone" && row["hash"] == nil {
				t.Errorf("the raw layer says that %s is gone", row.row())
			}
		}
		l.holds(names)
	default:
		outcome = "unnoticed"
		l.holds(names)
		same(t, "rows deleted and not quarantined", [][]string{{"0"}},
			l.ask(`SELECT count(*) FROM messages WHERE deleted_at IS NOT NULL
			AND NOT EXISTS (FROM quarantine q WHERE q.key IN ('bubbleId:' || messages.conversation_id || ':' || messages.message_id, 'composerData:' || messages.conversation_id))`))
	}
	if heal && err == nil {
		before := l.ask(storedMessages)
		_, err := pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: l.warehouse(), ToolVersion: "test"},
			false)
		must(t, err)
		same(t, "the messages after a rebuild", before, l.ask(storedMessages))
	}
	if heal {
		l.run(damageUserDir(1))
		same(t, "the messages once the store is sound again", wanted, l.ask(liveMessages))
		same(t, "quarantined rows then", [][]string{{"0"}},
			l.ask(`SELECT count(*) FROM quarantine WHERE resolved_load_id IS NULL`))
	}
	return outcome
}

// holds checks that the warehouse has each row that an index names, as a row or in quarantine.
func (l *fixture) holds(names []string) {
	l.t.Helper()
	have := map[string]bool{}
	for _, row := range l.ask(
		`SELECT 'bubbleId:' || conversation_id || ':' || message_id FROM messages WHERE deleted_at IS NULL UNION ALL
		SELECT 'composerData:' || conversation_id FROM live_conversations UNION ALL SELECT key FROM quarantine WHERE resolved_load_id IS NULL`) {
		have[row[0]] = true
	}
	for _, key := range names {
		if parts := strings.Split(key, ":"); (parts[0] == "composerData" && len(parts) == 2 ||
			parts[0] == "bubbleId" && len(parts) == 3 && parts[2] != "") && !have[key] {
			l.t.Errorf("the index names %q, the warehouse does not", key)
		}
	}
}
