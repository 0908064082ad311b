package pipelines_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pipeline/extract"
	"pipeline/load/engine"
	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// fails runs, which must fail, and checks that nothing below the test's folder changed but the lock file.
func (l *fixture) fails(change ...func(*pipelines.Options)) error {
	l.t.Helper()
	before := l.files()
	_, err := pipelines.Run(context.Background(), l.options(change...))
	if err == nil {
		l.t.Fatal("the run succeeded")
	}
	same(l.t, "the files", before, l.files())
	return err
}

// files are all files in the test's folder but those that only lock.
func (l *fixture) files() map[string]string {
	out := files(l.t, l.dir)
	maps.DeleteFunc(out, func(path, _ string) bool { return strings.HasSuffix(path, ".lock") })
	return out
}

// says checks that an error's text names all of these.
func says(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not say %q: %v", part, err)
		}
	}
}

// TestBadStores: a store that cannot be read is a clear error, and leaves no warehouse or the earlier one as it was.
func TestBadStores(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.run(baseUserDir())
	for _, c := range []struct {
		name  string
		first bool // also as the first load
		write func(path string) error
		kind  extract.ErrKind
		says  []string // beside the file: cause, remedy
	}{
		{"not a database", true, storetest.WriteNotADatabase, extract.KindNotDatabase,
			[]string{"not a SQLite database", "Likely cause", "--source"}},
		{"zero bytes", false, storetest.WriteZeroBytes, extract.KindEmpty,
			[]string{"empty", "Likely cause", "state.vscdb.backup"}},
		{"no page whole", false, func(path string) error {
			return errors.Join(storetest.WriteTruncated(path), os.Truncate(path, 5000))
		}, extract.KindDamaged, []string{"cut off", "Likely cause"}},
		{"no such table", false, storetest.WriteNoTables, extract.KindNoTable,
			[]string{"no store of Cursor's", "another program", "--source"}},
		{"a view in place of a table", true, storeOf(`CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)`,
			`CREATE TABLE kv (key TEXT UNIQUE, value BLOB)`, `INSERT INTO kv VALUES ('composerData:a', '{}')`,
			`CREATE VIEW CURSORDISKKV AS SELECT * FROM kv`),
			extract.KindStrange, []string{"CURSORDISKKV is a view", "nothing counts as deleted"}},
		{"an unknown collation", true, storeOf(`CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)`,
			`PRAGMA writable_schema = 1`,
			`UPDATE sqlite_master SET sql = 'CREATE TABLE cursorDiskKV (key TEXT COLLATE icu UNIQUE, value BLOB)' WHERE type = 'table'`), extract.KindStrange, []string{"icu", "newer Cursor"}},
		{"missing", true, func(string) error { return nil }, extract.KindMissing,
			[]string{"no such store", "Likely cause", "pipeline discover"}},
		{"a folder", false, func(path string) error { return os.Mkdir(path, 0o700) }, extract.KindNotDatabase,
			[]string{"folder", "Likely cause", "--source"}},
		{"always written to", true, func(store string) error {
			return os.WriteFile(store+"-journal", []byte("journal"), 0o600)
		}, extract.KindBusy, []string{"no quiet moment", "run again"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			baseUserDir().write(t, l.user)
			o := l.options() // resolved while there is a store
			store := filepath.Join(l.user, "globalStorage", "state.vscdb")
			if c.kind != extract.KindBusy {
				must(t, os.Remove(store))
			}
			must(t, c.write(store))
			warehouses := []string{l.warehouse()}
			if c.first {
				warehouses = append(warehouses, filepath.Join(l.dir, "new.duckdb"))
			}
			for _, o.Warehouse = range warehouses {
				before := l.files()
				stop := func() {}
				if c.kind == extract.KindBusy {
					stop = grow(t, store+"-journal")
				}
				_, err := pipelines.Run(context.Background(), o)
				stop()
				var source *pipelines.SourceError
				var known *extract.StoreError
				if !errors.As(err, &source) || !errors.As(err, &known) {
					t.Fatalf("got %v, want a SourceError of a StoreError", err)
				}
				same(t, "the kind", c.kind, known.Kind)
				same(t, "whether it is busy", c.kind == extract.KindBusy, errors.Is(err, extract.ErrBusy))
				says(t, err, append(c.says, store)...)
				after := l.files()
				delete(before, store+"-journal")
				delete(after, store+"-journal")
				same(t, "the files", before, after)
			}
		})
	}
}

// grow goes on writing to a rollback journal, as one long transaction after the other does.
func grow(t *testing.T, journal string) (stop func()) {
	file, err := os.OpenFile(journal, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(t, err)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				_, _ = file.WriteString("journal")
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		must(t, file.Close())
	}
}

// TestLockedStore: a store that another program holds locked, with changes not yet committed, gives the committed rows,
// and is not disturbed.
func TestLockedStore(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	baseUserDir().write(t, l.user)
	store := filepath.Join(l.user, "globalStorage", "state.vscdb")
	release := hold(t, "sqlite", "file:"+store, `PRAGMA cache_size = 1`, `BEGIN EXCLUSIVE`,
		`UPDATE cursorDiskKV SET value = '{"text":"not committed"}' WHERE key LIKE 'bubbleId:%'`)
	l.run(nil)
	release()
	same(t, "the texts", [][]string{{"a1", "First question"}, {"a2", "An answer"}, {"a3", "NULL"},
		{"b1", "Second question"}, {"b2", "Reply"}}, l.ask(`SELECT message_id, text FROM messages`))
}

// TestMissingSource: a path that is not there is named with what there is instead.
func TestMissingSource(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	baseUserDir().write(t, l.user)
	_, err := extract.Resolve(filepath.Join(l.dir, "Usr"), extract.Env{OS: "linux", Home: l.dir})
	var known *extract.StoreError
	if !errors.As(err, &known) || known.Kind != extract.KindMissing {
		t.Fatalf("got %v", err)
	}
	says(t, err, filepath.Join(l.dir, "Usr"), l.user, "pipeline discover")
	_, err = pipelines.Run(t.Context(), l.options(func(o *pipelines.Options) { o.Sources = nil }))
	var source *pipelines.SourceError
	if !errors.As(err, &source) {
		t.Errorf("without a source: got %v", err)
	}
}

// TestBadWarehouses: what is no warehouse of this version, or in use, is not touched.
func TestBadWarehouses(t *testing.T) {
	t.Parallel()
	duck := func(statement string) func(*testing.T, *fixture) {
		return func(t *testing.T, l *fixture) {
			db, err := sql.Open("duckdb", l.warehouse())
			must(t, err)
			_, err = db.Exec(statement)
			must(t, errors.Join(err, db.Close()))
		}
	}
	for _, c := range []struct {
		name string
		make func(*testing.T, *fixture)
		busy bool
		says []string
	}{
		{"a folder", func(t *testing.T, l *fixture) { must(t, os.Mkdir(l.warehouse(), 0o700)) }, false,
			[]string{"is a folder", "Move it away, or name another place"}},
		{"a text", func(t *testing.T, l *fixture) {
			must(t, os.WriteFile(l.warehouse(), []byte(strings.Repeat("This is no database.\n", 1000)), 0o600))
		}, false, []string{"not a warehouse", "--warehouse"}},
		{"an empty file", func(t *testing.T, l *fixture) { must(t, os.WriteFile(l.warehouse(), nil, 0o600)) }, false,
			[]string{"not a warehouse", "--warehouse"}},
		{"a SQLite store", func(t *testing.T, l *fixture) {
			must(t, storetest.WriteStore(l.warehouse(), nil, storetest.StoreOptions{}))
		}, false, []string{"not a warehouse", "--warehouse"}},
		{"a DuckDB file of another program", duck(`CREATE TABLE notes (a INTEGER)`), false,
			[]string{"not a warehouse", "--warehouse"}},
		{"a newer schema", func(t *testing.T, l *fixture) {
			l.run(baseUserDir())
			duck(`UPDATE internal._meta SET value = '99' WHERE key = 'warehouse_version'`)(t, l)
		}, false, []string{"schema version 99", "--warehouse"}},
		{"written to by another program", func(t *testing.T, l *fixture) {
			l.run(baseUserDir())
			hold(t, "duckdb", l.warehouse(), `CREATE TABLE notes (a INTEGER)`)
		}, true, []string{"close it", "run again"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newFixture(t)
			c.make(t, l)
			baseUserDir().without(keyA1).write(t, l.user)
			err := l.fails()
			same(t, "whether it is busy", c.busy, errors.Is(err, engine.ErrBusy))
			says(t, err, append(c.says, l.warehouse())...)
			if c.busy {
				return
			}
			before := l.files()
			if _, err := pipelines.DryRun(t.Context(), l.options()); err == nil {
				t.Error("a dry run succeeded")
			}
			same(t, "the files after a dry run", before, l.files())
		})
	}
}

// TestHeldByReader: a reader that holds the warehouse does not fail a load, and nothing is left behind.
func TestHeldByReader(t *testing.T) {
	concurrent(t)
	t.Parallel()
	l := newFixture(t)
	l.run(baseUserDir())
	hold(t, "duckdb", l.warehouse()+"?access_mode=read_only", `SELECT 1`)
	for n := range int64(2) {
		same(t, "the load", n+2, l.run(baseUserDir().without(keyA1)).LoadID)
	}
	for name := range l.files() {
		if strings.Contains(name, ".new-") {
			t.Errorf("%s is left behind", name)
		}
	}
}

// TestTwoRuns: of two runs at once the second is told to wait, and the first goes on.
func TestTwoRuns(t *testing.T) {
	concurrent(t)
	t.Parallel()
	l := newFixture(t)
	for _, load2 := range []string{"first", "second"} {
		baseUserDir().write(t, l.user)
		var second error
		r := l.run(nil, func(o *pipelines.Options) {
			o.Full = true
			other := *o
			o.Progress = func(done, _ int) {
				if done == 1 {
					_, second = pipelines.Run(context.Background(), other)
				}
			}
		})
		if !errors.Is(second, engine.ErrBusy) {
			t.Errorf("%s load: the other run got %v", load2, second)
		} else {
			says(t, second, l.warehouse()+".lock", "another run", "run again")
		}
		same(t, "what is loaded", baseCounts,
			counts{r.Totals.Conversations, r.Totals.Orphaned, r.Totals.Messages, r.Totals.ToolCalls})
	}
	same(t, "the loads", [][]string{{"1", "first"}, {"2", "full"}}, l.ask(`SELECT load_id, mode FROM loads`))
}

// TestLockLeft: a lock file that a killed run left stops nobody, and neither does its unfinished first load.
func TestLockLeft(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	must(t, os.WriteFile(l.warehouse()+".lock", nil, 0o600))
	must(t, os.WriteFile(l.warehouse()+".new-123", []byte("half"), 0o600))
	l.run(baseUserDir())
	if _, err := os.Stat(l.warehouse() + ".new-123"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what the killed run left is still there: %v", err)
	}
}

// TestProjectOption: --project narrows a run to a project; what it leaves out is neither deleted nor forgotten.
func TestProjectOption(t *testing.T) {
	long(t)
	t.Parallel()
	with := func(p string) func(*pipelines.Options) {
		return func(o *pipelines.Options) { o.Projects = []string{p} }
	}
	base := baseUserDir().withFolder("ws2", folder{json: `{"folder":"file:///src/another"}`}).
		replaced(t, keyBeta, `"name"`, `"workspaceIdentifier":{"id":"ws2"},"name"`)
	l := newFixture(t)
	base.write(t, l.user)
	for _, p := range []string{"one", "file:///src/one", "/src/one", "o*", "/src/o?e"} {
		r, err := pipelines.DryRun(t.Context(), l.options(with(p)))
		must(t, err)
		same(t, p+": the result", [2]int64{2, 1}, [2]int64{r.Conversations.New, r.LeftOut})
	}
	l.runs = 0
	r := l.run(nil, with("one"))
	same(t, "the result", [2]int64{2, 1}, [2]int64{r.Conversations.New, r.LeftOut})
	same(t, "the conversations", [][]string{{"alpha"}, {"gamma"}}, l.ask(`SELECT conversation_id FROM conversations`))
	r = l.run(base)
	same(t, "the next plain run", pipelines.ConversationCount{New: 1, Unchanged: 2}, r.Conversations)
	before := l.dump(contentTables...)
	// Beta changes, alpha's answer goes: only alpha's project is looked at, and beta's other message is not missed.
	changed := base.without(keyA2, keyB1).replaced(t, keyB2, "Reply", "Another")
	r = l.run(changed, with("one"))
	same(t, "a narrowed run", [2]int64{1, 0}, [2]int64{r.Conversations.Changed, r.Conversations.Deleted})
	columns := []string{"last_seen_at", "changed_at", "load_id"}
	same(t, "the rows after a narrowed run", before.change(a2Gone(3)).drop(columns...),
		l.dump(contentTables...).drop(columns...))
	same(t, "the next plain run", pipelines.ConversationCount{Changed: 1, Unchanged: 2}, l.run(changed).Conversations)
	// Beta's folder becomes another one while only project one is looked at: the next plain run sees that beta has
	// moved.
	moved := changed.withFolder("ws2", folder{json: `{"folder":"file:///src/moved"}`})
	same(t, "a narrowed run", pipelines.ConversationCount{Unchanged: 3}, l.run(moved, with("one")).Conversations)
	same(t, "the next plain run", pipelines.ConversationCount{Changed: 1, Unchanged: 2}, l.run(moved).Conversations)
	same(t, "beta's project", [][]string{{"moved"}},
		l.ask(`SELECT project FROM conversations WHERE conversation_id = 'beta'`))
	changed = moved
	// Everything but alpha goes: a narrowed run marks nothing as deleted, the next plain run does.
	less := changed.without(keyBeta, keyB2, "composerData:gamma")
	same(t, "a narrowed run", pipelines.ConversationCount{Unchanged: 3}, l.run(less, with("one")).Conversations)
	same(t, "the next plain run", pipelines.ConversationCount{Deleted: 2, Unchanged: 1},
		l.run(less, acceptDeletes).Conversations)
	l = newFixture(t)
	l.run(base)
	err := l.fails(with("anothr"))
	var usage *pipelines.UsageError
	if !errors.As(err, &usage) {
		t.Errorf("no match: got %v", err)
	}
	says(t, err, `"anothr"`, "another, one")
	if _, err := pipelines.DryRun(t.Context(), l.options(with("anothr"))); !errors.As(err, &usage) {
		t.Errorf("no match in a dry run: got %v", err)
	}
}

// TestDryRun: it says what a run would do, and changes and makes nothing.
func TestDryRun(t *testing.T) {
	concurrent(t)
	t.Parallel()
	l := newFixture(t)
	base := baseUserDir()
	dry := func(w *userDir, change ...func(*pipelines.Options)) *pipelines.Result {
		t.Helper()
		w.write(t, l.user)
		before := files(t, l.dir)
		r, err := pipelines.DryRun(t.Context(), l.options(change...))
		must(t, err)
		same(t, "the files", before, files(t, l.dir))
		return r
	}
	r := dry(base)
	var bytes int64
	for _, v := range base.rows {
		bytes += int64(len(v.(string)))
	}
	same(t, "a first run", pipelines.ConversationCount{New: 3}, r.Conversations)
	same(t, "the bytes", bytes, r.Bytes)
	same(t, "the status", "dry_run", r.Status)
	l.run(base)
	same(t, "nothing to do", pipelines.ConversationCount{Unchanged: 3}, dry(base).Conversations)
	same(t, "full", pipelines.ConversationCount{Changed: 3}, dry(base, full).Conversations)
	next := base.replaced(t, keyA2, "An answer", "Another").without("composerData:gamma").
		with("composerData:delta", `{}`)
	r = dry(next)
	same(t, "one of each", pipelines.ConversationCount{New: 1, Changed: 1, Deleted: 1, Unchanged: 1}, r.Conversations)
	same(t, "the same as the run", l.run(next).Conversations, r.Conversations)
	r = dry(base, func(o *pipelines.Options) { o.Projects = []string{"one"} })
	same(t, "narrowed", [2]int64{2, 1}, [2]int64{r.Conversations.New + r.Conversations.Changed, r.LeftOut})
	garbage := baseUserDir()
	garbage.garbage = true
	garbage.write(t, l.user)
	var source *pipelines.SourceError
	if _, err := pipelines.DryRun(t.Context(), l.options()); !errors.As(err, &source) {
		t.Errorf("no readable source: got %v", err)
	}
}

// TestIdleProgram: a program that has the warehouse open, for writing as the CLI does, and does nothing, keeps no load
// from its work.
func TestIdleProgram(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.run(baseUserDir())
	release := hold(t, "duckdb", l.warehouse(), `SELECT 1`)
	same(t, "the run", pipelines.ConversationCount{Changed: 1, Unchanged: 2},
		l.run(baseUserDir().without(keyA2)).Conversations)
	same(t, "the messages while it is held", [][]string{{"1"}},
		l.ask(`SELECT count(*) FROM messages WHERE deleted_at IS NOT NULL`))
	release()
	same(t, "the loads", [][]string{{"1"}, {"2"}}, l.ask(`SELECT load_id FROM loads ORDER BY 1`))
}

// holdEnv makes this binary, started again, hold a database open: locks of one process do not hold against itself.
const holdEnv = "PIPELINES_TEST_HOLD"

// TestHold is the other process.
func TestHold(t *testing.T) {
	args := strings.Split(os.Getenv(holdEnv), "\n")
	if len(args) < 2 {
		t.Skip("only in a process of its own")
	}
	db, err := sql.Open(args[0], args[1])
	must(t, err)
	db.SetMaxOpenConns(1)
	for _, statement := range args[2:] {
		_, err := db.Exec(statement)
		must(t, err)
	}
	fmt.Println("held")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// hold has another process hold a database until release, or the test's end.
func hold(t *testing.T, args ...string) (release func()) {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self, "-test.run=^TestHold$")
	cmd.Env = append(os.Environ(), holdEnv+"="+strings.Join(args, "\n"))
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	released := false
	release = func() {
		if !released {
			released = true
			_ = in.Close()
			_ = cmd.Wait()
		}
	}
	t.Cleanup(release)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "held\n" {
		t.Fatalf("the other process says %q: %v", line, err)
	}
	return release
}

// storeOf makes a store by statements.
func storeOf(statements ...string) func(path string) error {
	return func(path string) error {
		db, err := sql.Open("sqlite", "file:"+path)
		if err != nil {
			return err
		}
		db.SetMaxOpenConns(1)
		for _, s := range statements {
			if _, err2 := db.Exec(s); err2 != nil {
				err = errors.Join(err, err2)
			}
		}
		return errors.Join(err, db.Close())
	}
}

// Names of tables are the same to SQLite whatever their capitals, and so they are to a run.
func capitals(s *story) {
	s.run(baseUserDir(), first)
	rows := s.dump("conversations", "messages", "tool_calls", "workspaces", "prompts")
	for _, name := range []string{"cursorDiskKV", "ItemTable"} {
		s.exec("ALTER TABLE " + name + " RENAME TO other")
		s.exec("ALTER TABLE other RENAME TO " + strings.ToUpper(name))
	}
	s.run(nil, unchanged(3))
	same(s.t, "the rows", rows, s.dump("conversations", "messages", "tool_calls", "workspaces", "prompts"))
}
