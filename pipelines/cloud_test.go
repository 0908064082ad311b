package pipelines_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/testdata/gen/graphtest"
	"pipeline/testdata/gen/storetest"
)

// cloudID is the id of the n-th cloud agent, and composerID that of the composer that may show it.
func cloudID(n int) string    { return "bc-" + composerID(n) }
func composerID(n int) string { return fmt.Sprintf("0000000c-0000-4000-8000-%012d", n) }

// cloudRows are the rows of a cloud agent.
func cloudRows(id string, g *graphtest.CloudGraph) (rows []storetest.Row) {
	rows = append(rows, storetest.Row{Key: id + ":cloudAgent:metadata", Value: g.Row})
	for name, blob := range g.Blobs {
		rows = append(rows, storetest.Row{Key: "agentKv:blob:" + hex.EncodeToString(name[:]), Value: blob})
	}
	return rows
}

// shows is a composer that shows a cloud agent, with its conversation or with nothing.
func shows(n int, named string, chat *graphtest.Chat) (rows []storetest.Row) {
	head := map[string]any{"composerId": composerID(n), "name": "shown", "createdAt": 1788220000000, named: cloudID(n),
		"conversationState": "~"}
	if named == "createdFromBackgroundAgent" {
		head[named] = map[string]any{"bcId": cloudID(n)}
	}
	if chat != nil {
		g := chat.Build()
		head["conversationState"] = "~" + base64.StdEncoding.EncodeToString(g.Root)
		rows = cloudRows("", &graphtest.CloudGraph{Blobs: g.Blobs})[1:]
	}
	text, err := json.Marshal(head)
	if err != nil {
		panic(err)
	}
	return append(rows, storetest.Row{Key: "composerData:" + composerID(n), Value: string(text)})
}

// writeCloud makes a store of rows; of equal keys the first counts.
func (l *fixture) writeCloud(rows []storetest.Row) {
	l.t.Helper()
	seen := map[any]bool{}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r storetest.Row) bool {
		again := seen[r.Key]
		seen[r.Key] = true
		return again
	})
	must(l.t, storetest.WriteStore(filepath.Join(l.user, "globalStorage", "state.vscdb"), rows,
		storetest.StoreOptions{}))
}

// wantCloud is the row of conversations of a cloud agent, and its messages.
func wantCloud(n int, c graphtest.Cloud) (row []string, messages [][]string) {
	g := c.Build()
	or := func(s string, lost bool) string {
		if s == "" || lost {
			return "NULL"
		}
		return s
	}
	gone := slices.Contains(c.Lost, "state")
	number := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	root := hex.EncodeToString(g.Root[:])
	if c.NoRoot {
		root = ""
	}
	requested := c.RequestedAt
	if requested == 0 {
		requested = c.Chat.StartedAt
	}
	row = []string{cloudID(n), or(c.Name, gone || slices.Contains(c.Lost, "name")), or(c.Branch, gone),
		or(c.Summary, gone), or(number(requested), gone), or(number(c.At), false), "cloud", "graph", or(root, gone),
		strings.TrimPrefix(g.Want[0], "is ")}
	if gone || c.NoRoot {
		return row, nil
	}
	for i, t := range c.Chat.Turns {
		messages = append(messages, []string{t.User.ID, "graph", t.User.Text})
		for j, s := range t.Steps {
			if !slices.Contains(c.Lost, fmt.Sprintf("step %d.%d", i, j)) {
				messages = append(messages, []string{fmt.Sprint(t.User.ID, "/", j), "graph", s.Text})
			}
		}
	}
	return row, messages
}

const cloudQuery = `SELECT conversation_id, title, git_branch, summary, epoch_ms(created_at), epoch_ms(updated_at), store_kind, format, root_blob, completeness
	FROM conversations WHERE deleted_at IS NULL AND conversation_id LIKE 'bc-%'`

// wantsCloud compares the cloud agents of the warehouse with their descriptions.
func (l *fixture) wantsCloud(what string, all []graphtest.Cloud) {
	l.t.Helper()
	var want [][]string
	for n, c := range all {
		row, messages := wantCloud(n, c)
		want = append(want, row)
		var got [][]string
		for _, m := range l.ask(
			`SELECT lpad(CAST(position AS VARCHAR), 4, '0'), message_id, origin, coalesce(text, thinking, '') FROM messages
			WHERE deleted_at IS NULL AND conversation_id = '` + cloudID(n) + `'`) {
			got = append(got, m[1:])
		}
		same(l.t, what+": messages of "+cloudID(n), messages, got)
	}
	same(l.t, what, want, l.ask(cloudQuery))
}

// TestCloudAgents: each shape of a cloud agent becomes the rows that its description says, and a rebuild gives the
// same.
func TestCloudAgents(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	var rows []storetest.Row
	var all []graphtest.Cloud
	for n, c := range graphtest.CloudCases() {
		all, rows = append(all, c.Cloud), append(rows, cloudRows(cloudID(n), c.Cloud.Build())...)
	}
	rows = append(rows, storetest.Row{Key: "bc-bad:cloudAgent:metadata", Value: "no base64"},
		storetest.Row{Key: "bc-null:cloudAgent:metadata"})
	l.writeCloud(rows)
	l.run(nil)
	l.wantsCloud("first load", all)
	same(t, "what could not be read", [][]string{{"bad_root", "bc-bad", "bc-bad:cloudAgent:metadata"}},
		l.ask(`SELECT reason, conversation_id, "key" FROM quarantine WHERE reason <> 'blob_missing'`))
	same(t, "what was not fetched", [][]string{{cloudID(6), "1"}, {cloudID(7), "2"}, {cloudID(8), "1"}},
		l.ask(`SELECT conversation_id, count(*) FROM quarantine WHERE reason = 'blob_missing' GROUP BY ALL`))
	same(t, "places", [][]string{{"9", "9", "9"}},
		l.ask(
			`SELECT count(*), count(*) FILTER (WHERE is_primary AND path = conversation_id || ':cloudAgent:metadata'), count(DISTINCT conversation_id) FROM conversation_sources`))
	// a blob is there for each of its conversations
	tables := slices.DeleteFunc(allTables(), func(name string) bool { return name == "_known_rows" })
	before := l.dump(tables...)
	if r := l.run(nil); r.Read != 0 {
		t.Errorf("a quiet night read %d conversations", r.Read)
	}
	same(t, "tables after a quiet night", before, l.dump(tables...))
	l.rebuilt()
}

// TestCloudNights: blobs that the editor fetches later, a state that goes on and one that is gone give the rows of a
// first load. A blob that is lost again stays read.
func TestCloudNights(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	cases := map[string]graphtest.Cloud{}
	for _, c := range graphtest.CloudCases() {
		cases[c.Name] = c.Cloud
	}
	l.writeCloud(nil)
	full, lacks := cases["cloud"], cases["cloud_step_not_fetched"]
	written := map[string]any{}
	night := func(what string, read int64, all ...graphtest.Cloud) {
		t.Helper()
		want := map[string]any{}
		for n, c := range all {
			for _, row := range cloudRows(cloudID(n), c.Build()) {
				want[row.Key.(string)] = row.Value
			}
		}
		for _, key := range sortedNames(written) { // all other rows stay where they are
			if _, ok := want[key]; !ok {
				l.exec(`DELETE FROM cursorDiskKV WHERE key = ?`, key)
			}
		}
		for _, key := range sortedNames(want) {
			if !cmp.Equal(written[key], want[key]) {
				l.exec(replaceRowSQL, key, want[key])
			}
		}
		written = want
		r := l.run(nil)
		l.wantsCloud(what, all)
		if r.Conversations.Changed+r.Conversations.New != read {
			t.Errorf("%s: %d conversations are new or changed, not %d", what,
				r.Conversations.Changed+r.Conversations.New, read)
		}
		first := newFixture(t)
		first.user = l.user
		first.run(nil)
		same(t, what+": a first load", first.dump(contentTables...).drop("first_seen_at", "changed_at", "deleted_at"),
			live(l.dump(contentTables...)).drop("first_seen_at", "changed_at", "deleted_at"))
	}
	night("first load", 2, full, lacks)
	fetched := lacks
	fetched.Lost = nil
	night("a step is fetched", 1, full, fetched)
	more := full
	more.Name, more.At = "Fix the login, again", full.At+1000
	night("the agent goes on", 1, more, fetched)
	night("one is gone", 0, more)
	same(t, "the one that is gone", [][]string{{cloudID(1)}},
		l.ask(`SELECT conversation_id FROM conversations WHERE deleted_at IS NOT NULL`))
	loses := more
	loses.Lost = []string{"step 0.0"}
	for _, row := range cloudRows(cloudID(0), loses.Build()) {
		delete(written, row.Key.(string))
	}
	for key := range written {
		l.exec(`DELETE FROM cursorDiskKV WHERE key = ?`, key)
	}
	if len(written) != 1 {
		t.Errorf("%d blobs were removed, not one", len(written))
	}
	l.run(nil)
	l.wantsCloud("a step that the store has lost comes out of the raw layer", []graphtest.Cloud{more})
	l.rebuilt()
}

// live leaves out the rows that are deleted.
func live(c cells) cells {
	set := cells{}
	for cell, v := range c {
		if row, ok := strings.CutSuffix(cell, ".deleted_at"); ok && v != "NULL" && v != "" {
			set[row] = gone
		}
	}
	return c.change(set)
}

// TestCloudShown: an agent that a composer shows is counted once, as the composer, while the composer is there and has
// its turns.
func TestCloudShown(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	c := graphtest.CloudCases()[0].Cloud
	agents := slices.Concat(cloudRows(cloudID(0), c.Build()), cloudRows(cloudID(1), c.Build()),
		cloudRows(cloudID(2), c.Build()))
	counted := func(what string, ids ...string) {
		t.Helper()
		var want [][]string
		for _, id := range ids {
			want = append(want, []string{id, strconv.Itoa(len(c.Chat.Turns[0].Steps) + len(c.Chat.Turns[1].Steps) + 2)})
		}
		slices.SortFunc(want, slices.Compare)
		same(t, what, want, l.ask(`SELECT conversation_id, count(*) FROM live_messages GROUP BY ALL`))
	}
	night := func(rows ...[]storetest.Row) {
		t.Helper()
		l.writeCloud(slices.Concat(rows...))
		l.run(nil)
	}
	night(agents)
	counted("nobody shows them", cloudID(0), cloudID(1), cloudID(2))
	night(agents, shows(0, "createdFromBackgroundAgent", &c.Chat), shows(1, "bcId", &c.Chat), shows(2, "bcId", nil))
	counted("composers show them; one has nothing yet", composerID(0), composerID(1), cloudID(2))
	same(t, "places", [][]string{{composerID(0), "cloud", cloudID(0) + ":cloudAgent:metadata", "false"},
		{composerID(0), "composer", "globalStorage/state.vscdb", "true"}},
		l.ask(
			`SELECT conversation_id, store_kind, path, is_primary FROM conversation_sources WHERE conversation_id = '`+
				composerID(0)+`'`))
	l.rebuilt()
	night(agents, shows(1, "bcId", &c.Chat), shows(2, "bcId", &c.Chat))
	counted("one composer is gone, another has the turns now", cloudID(0), composerID(1), composerID(2))
	l.rebuilt()
}
