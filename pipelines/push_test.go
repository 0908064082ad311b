package pipelines_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pipeline/load/engine"
	"pipeline/load/objects"
	"pipeline/load/push"
	"pipeline/pipelines"
	"pipeline/sql/schema"
	"pipeline/testdata/gen/storetest"
)

// pushOptions are those of a machine's push.
func (l *fixture) pushOptions(store objects.Store) push.Options {
	return push.Options{Warehouse: l.warehouse(), Store: store, Target: "test", Level: push.Full,
		Redact: func(text, _ string) string { return text }, ToolVersion: "test", Now: time.Unix(1_780_000_000, 0)}
}

func (l *fixture) push(o push.Options) *push.Result {
	l.t.Helper()
	l.warehouse() // no reader has it open
	r, err := push.Push(l.t.Context(), o)
	must(l.t, err)
	return r
}

// lake has an engine that reads a store by the printed views.
type lake struct {
	t    *testing.T
	conn *sql.Conn
}

func readLake(t *testing.T, dir string) *lake {
	t.Helper()
	db, conn, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "lake.duckdb"), false)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(); _ = db.Close() })
	text, err := push.Views("duckdb", push.Place{Target: dir})
	must(t, err)
	_, err = conn.ExecContext(t.Context(), text)
	must(t, err)
	return &lake{t, conn}
}

// holds compares each table's rows of a machine with its warehouse, in both directions.
func (k *lake) holds(machine string, l *fixture) {
	k.t.Helper()
	ctx := context.Background()
	_, err := k.conn.ExecContext(ctx, "ATTACH "+engine.Literal(l.warehouse())+" AS w (READ_ONLY)")
	must(k.t, err)
	for _, table := range schema.Tables() {
		if !table.IsShared() {
			continue
		}
		var columns []string
		for _, c := range table.Columns {
			name := engine.Identifier(c.Name)
			if c.Type == "JSON" {
				name = "CAST(" + name + " AS VARCHAR)"
			}
			columns = append(columns, name)
		}
		list := strings.Join(columns, ", ")
		for _, way := range [][2]string{{"temp." + table.Name + " WHERE machine_id = " + engine.Literal(machine),
			"w." + table.Name}, {"w." + table.Name,
			"temp." + table.Name + " WHERE machine_id = " + engine.Literal(machine)}} {
			var n int64
			must(k.t, k.conn.QueryRowContext(ctx,
				fmt.Sprintf("SELECT count(*) FROM (SELECT %s FROM %s EXCEPT ALL SELECT %s FROM %s)", list, way[0], list,
					way[1])).Scan(&n))
			if n > 0 {
				k.t.Errorf("%d rows are in %s and not in %s", n, way[0], way[1])
			}
		}
	}
	_, err = k.conn.ExecContext(ctx, "DETACH w")
	must(k.t, err)
}

// TestPush: what machines have pushed, night by night, is what their warehouses hold.
func TestPush(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := storeIn(t, dir)
	l := newFixture(t)
	w := baseUserDir()
	l.run(w)
	first := l.push(l.pushOptions(store))
	if first.Seq != 1 || first.Units == 0 {
		t.Errorf("first push: %+v", first)
	}
	readLake(t, dir).holds(first.Machine, l)
	r := l.push(l.pushOptions(store))
	if r.Seq != 0 || r.Units != 0 || r.Files != 0 {
		t.Errorf("nothing new: %+v", r)
	}
	l.run(w.with(keyA2, `{"_v":2,"type":2,"bubbleId":"a2","text":"Another answer","createdAt":"2025-10-09T08:55:20Z"}`).
		without(keyBeta, keyB1, keyB2))
	r = l.push(l.pushOptions(store))
	if r.Seq != 2 || r.Machine != first.Machine {
		t.Errorf("second push: %+v", r)
	}
	readLake(t, dir).holds(first.Machine, l)
	other := newFixture(t)
	other.run(w)
	o := other.push(other.pushOptions(store))
	k := readLake(t, dir)
	k.holds(o.Machine, other)
	k.holds(first.Machine, l)
}

// TestPushOfLongTexts: texts that do not fit into the engine's memory are pushed.
func TestPushOfLongTexts(t *testing.T) {
	t.Parallel()
	long(t)
	dir, l := t.TempDir(), newFixture(t)
	l.run(baseUserDir())
	db, conn, err := engine.Open(t.Context(), l.warehouse(), false)
	must(t, err)
	_, err = conn.ExecContext(t.Context(), `INSERT INTO tool_calls BY NAME
		SELECT c.source_id, c.conversation_id, 'long' AS message_id, i AS call_index, 'other' AS tool_kind, false AS is_error, repeat(md5(CAST(i AS VARCHAR)), 600) AS raw_args
		FROM range(20_000) r(i), (FROM conversations LIMIT 1) c`)
	must(t, errors.Join(err, conn.Close(), db.Close()))
	l.push(l.pushOptions(storeIn(t, dir)))
	var rows, bytes int
	k := readLake(t, dir)
	_, err = k.conn.ExecContext(t.Context(), engine.SetMemory(1<<30))
	must(t, err)
	must(t, k.conn.QueryRowContext(t.Context(),
		`SELECT count(*), sum(strlen(raw_args)) FROM tool_calls WHERE message_id = 'long'`).Scan(&rows, &bytes))
	if rows != 20_000 || bytes != rows*32*600 {
		t.Errorf("%d calls with %d bytes were pushed", rows, bytes)
	}
}

// TestPushRebuilt: a rebuilt warehouse pushes as the machine that it was, and a conversation that was withdrawn stays
// where it is, as do its subagents.
func TestPushRebuilt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := storeIn(t, dir)
	l := newFixture(t)
	l.run(baseUserDir().with("composerData:sub",
		`{"name":"Sub","createdAt":1760000060000,"subagentInfo":{"parentComposerId":"alpha"}}`).
		with("bubbleId:sub:s1", `{"type":1,"text":"Look"}`))
	o := l.pushOptions(store)
	o.Withdraw = []string{"alpha"}
	first := l.push(o)
	_, err := pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: l.warehouse(), ToolVersion: "test"}, false)
	must(t, err)
	r := l.push(l.pushOptions(store))
	if r.Machine != first.Machine {
		t.Errorf("machine %s is %s after a rebuild", first.Machine, r.Machine)
	}
	k := readLake(t, dir)
	if text := k.texts(dir); strings.Contains(text, "An answer") || strings.Contains(text, "Look") ||
		!strings.Contains(text, "Reply") {
		t.Error("what was withdrawn, or its subagent, is there; or all else is missing")
	}
}

// TestPushHashes: the hashes that a push keeps say what has changed; without them, and where they are damaged, the next
// push finds out the same.
func TestPushHashes(t *testing.T) {
	long(t)
	t.Parallel()
	dir := t.TempDir()
	store := storeIn(t, dir)
	l := newFixture(t)
	w := baseUserDir()
	l.run(w)
	machine := l.push(l.pushOptions(store)).Machine
	kept := func() string {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(push.Dir(l.warehouse()), "*", "hashes-*.parquet"))
		if err != nil || len(files) != 1 {
			t.Fatalf("kept: %v, %v", files, err)
		}
		return files[0]
	}
	text, err := os.ReadFile(kept())
	must(t, err)
	for what, spoil := range map[string]func(file string) error{
		"kept":      func(string) error { return nil },
		"lost":      os.Remove,
		"cut":       func(file string) error { return os.Truncate(file, int64(len(text))/2) },
		"of others": func(file string) error { return os.WriteFile(file, []byte("PAR1, and nothing of it"), 0o600) },
	} {
		must(t, spoil(kept()))
		if r := l.push(l.pushOptions(store)); r.Units != 0 || r.Withdrawn != 0 {
			t.Errorf("%s: %+v", what, r)
		}
	}
	w = w.with(keyA2, `{"_v":2,"type":2,"bubbleId":"a2","text":"Another answer","createdAt":"2025-10-09T08:55:20Z"}`)
	l.run(w)
	if r := l.push(l.pushOptions(store)); r.Rows["conversations"] != 1 || r.Rows["messages"] == 0 {
		t.Errorf("one conversation is another one: %+v", r)
	}
	readLake(t, dir).holds(machine, l)
}

// storeIn is a store in a folder.
func storeIn(t *testing.T, dir string) objects.Store {
	t.Helper()
	store, err := objects.Open(dir, "", "")
	must(t, err)
	return store
}

// texts are all values of every object below a folder, with the objects' keys.
func (k *lake) texts(dir string) string {
	k.t.Helper()
	var all strings.Builder
	must(k.t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		all.WriteString(strings.TrimPrefix(path, dir) + "\n") // a key is read by everybody, too
		if filepath.Ext(path) != ".parquet" {
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		}
		rows, err := k.conn.QueryContext(k.t.Context(),
			"SELECT CAST(to_json(t) AS VARCHAR) FROM read_parquet("+engine.Literal(path)+
				", hive_partitioning = false) t")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var row string
			if err := rows.Scan(&row); err != nil {
				return err
			}
			all.WriteString(row)
		}
		return rows.Err()
	}))
	return all.String()
}

// TestPushWithdraw: a conversation that is withdrawn is gone for readers at once, comes never back, and is in no object
// once a checkpoint and the removal of what is older are through; of an erased machine nothing is left.
func TestPushWithdraw(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := storeIn(t, dir)
	l := newFixture(t)
	l.run(baseUserDir())
	first := l.push(l.pushOptions(store))
	if k := readLake(t, dir); !strings.Contains(k.texts(dir), "An answer") {
		t.Fatal("the texts are not there")
	}
	o := l.pushOptions(store)
	o.Withdraw = []string{"alpha"}
	if r := l.push(o); r.Withdrawn != 1 {
		t.Errorf("withdrawn: %+v", r)
	}
	k := readLake(t, dir)
	var n int
	must(t, k.conn.QueryRowContext(t.Context(), `SELECT count(*) FROM messages WHERE conversation_id = 'alpha'`).
		Scan(&n))
	if n > 0 {
		t.Errorf("%d messages are read", n)
	}
	l.run(baseUserDir().
		with(keyA2, `{"_v":2,"type":2,"bubbleId":"a2","text":"Never again","createdAt":"2025-10-09T08:55:20Z"}`))
	l.push(l.pushOptions(store))
	o = l.pushOptions(store)
	o.Checkpoint = true
	l.push(o)
	if removed, err := push.Collect(t.Context(), o, push.Grace); err != nil || removed.Commits > 0 {
		t.Errorf("so soon after the checkpoint: %+v, %v", removed, err)
	}
	o.Now = o.Now.Add(push.Grace)
	removed, err := push.Collect(t.Context(), o, push.Grace)
	if err != nil || removed.Commits != 3 || removed.Objects == 0 {
		t.Errorf("a week later: %+v, %v", removed, err)
	}
	k = readLake(t, dir)
	if all := k.texts(dir); strings.Contains(all, "An answer") || strings.Contains(all, "Never again") ||
		!strings.Contains(all, "Reply") {
		t.Error("a withdrawn conversation is in an object, or another one is in none")
	}
	if r := l.push(l.pushOptions(store)); r.Seq != 0 || r.Machine != first.Machine {
		t.Errorf("after that: %+v", r)
	}
	if _, err := push.Erase(t.Context(), o); err != nil {
		t.Error(err)
	}
	if all := k.texts(dir); strings.Contains(all, "Reply") || strings.Contains(all, first.Machine) {
		t.Error("something of the machine is left")
	}
}

// TestPushRetention: what is older than a team keeps is not sent, or withdrawn where it was; the rest is all there.
func TestPushRetention(t *testing.T) {
	long(t)
	t.Parallel()
	dir := t.TempDir()
	l := newFixture(t)
	must(t, storetest.New(storetest.Options{Seed: 5, Messages: 200}).Write(l.user))
	l.run(nil)
	o := l.pushOptions(storeIn(t, dir))
	l.push(o)
	since := l.ask(
		`SELECT median(last_activity_at)::VARCHAR, epoch_us(median(last_activity_at))::VARCHAR FROM conversations
		WHERE conversation_id IN (SELECT conversation_id FROM checkpoints)`)[0] // some of each table are on either side
	us, err := strconv.ParseInt(since[1], 10, 64)
	must(t, err)
	o.Since = time.UnixMicro(us)
	r := l.push(o)
	k := readLake(t, dir)
	recent :=
		`conversation_id IN (SELECT conversation_id FROM w.conversations WHERE coalesce(last_activity_at, updated_at, created_at, first_seen_at) >= '` + since[0] + `')`
	_, err = k.conn.ExecContext(t.Context(), "ATTACH "+engine.Literal(l.warehouse())+" AS w (READ_ONLY)")
	must(t, err)
	for table, condition := range map[string]string{
		"conversations": recent, "messages": recent, "tool_calls": recent, "checkpoints": recent, "attachments": recent,
		"code_edits": recent, "sessions": "ended_at >= '" + since[0] + "'",
		"activity_periods": "ended_at >= '" + since[0] + "'",
		"prompts":          "created_at IS NULL OR created_at >= '" + since[0] + "'", "workspaces": "true",
		"loads": "true",
	} {
		var want, all, got int
		must(t, k.conn.QueryRowContext(t.Context(),
			fmt.Sprintf("SELECT (SELECT count(*) FROM w.%[1]s WHERE %[2]s), (SELECT count(*) FROM w.%[1]s), (SELECT "+
				"count(*) FROM temp.%[1]s)", table, condition)).Scan(&want, &all, &got))
		t.Logf("%s: %d of %d", table, want, all)
		if got != want || condition == recent && (want == 0 || want == all) {
			t.Errorf("%s: %d rows are read, not %d of %d", table, got, want, all)
		}
	}
	if r.Withdrawn == 0 {
		t.Errorf("nothing is withdrawn: %+v", r)
	}
	_, err = k.conn.ExecContext(t.Context(), "DETACH w")
	must(t, err)
	o.Since = time.Time{}
	l.push(o)
	readLake(t, dir).holds(r.Machine, l)
}
