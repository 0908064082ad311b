package pipelines_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"pipeline/extract"
	"pipeline/load/reader"
	"pipeline/load/sinks"
	"pipeline/pipelines"
	"pipeline/sql/schema"
	"pipeline/testdata/gen/storetest"
)

// userDir is a small Cursor user directory in the making.
type userDir struct {
	rows       map[string]any // of the global store's cursorDiskKV
	extra      []storetest.Row
	headers    []map[string]any // of the table composerHeaders; none: no such table
	exec       []string
	workspaces map[string]folder
	garbage    bool // the global store is no database
	noGlobal   bool
}

// folder is a folder of workspaceStorage.
type folder struct {
	json    string         // workspace.json
	items   map[string]any // of ItemTable; nil: no store
	garbage bool           // the store is no database
}

const (
	alphaHead = `{"_v":13,"composerId":"alpha","name":"Alpha","createdAt":1760000000000,"lastUpdatedAt":1760000600000,"unifiedMode":"agent",` +
		`"status":"completed","modelConfig":{"modelName":"m-1"},"workspaceIdentifier":{"id":"ws1"},` +
		`"fullConversationHeadersOnly":[{"bubbleId":"a1","type":1},{"bubbleId":"a2","type":2},{"bubbleId":"a3","type":2}]}`
	bubbleA1 = `{"_v":2,"type":1,"bubbleId":"a1","text":"First question","createdAt":"2025-10-09T08:54:20Z","context":{"fileSelections":[{"relativeWorkspacePath":"x.go"}]}}`
	bubbleA2 = `{"_v":2,"type":2,"bubbleId":"a2","text":"An answer","createdAt":"2025-10-09T08:55:20Z"}`
	bubbleA3 = `{"_v":2,"type":2,"bubbleId":"a3","createdAt":"2025-10-09T08:56:20Z","toolFormerData":` + toolA3 + `}`
	toolA3   = `{"tool":15,"name":"run_terminal_command_v2","toolCallId":"call-1","status":"completed","params":"{\"command\":\"ls\"}","result":"{\"output\":\"ok\"}"}`
	betaHead = `{"_v":13,"composerId":"beta","name":"Beta","createdAt":1760086400000,` +
		`"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1,"createdAt":"2025-10-10T08:54:20Z"},{"bubbleId":"b2","type":2}]}`
	bubbleB1  = `{"_v":2,"bubbleId":"b1","text":"Second question"}`
	bubbleB2  = `{"_v":2,"type":2,"bubbleId":"b2","text":"Reply","thinking":{"text":"Let me think.","signature":"s"},"createdAt":"2025-10-10T08:55:20Z"}`
	gammaHead = `{"_v":13,"composerId":"gamma","name":"Gamma","createdAt":1760007200000,"workspaceIdentifier":{"id":"ws1"},"fullConversationHeadersOnly":[{"bubbleId":"g1"}]}`

	keyA1, keyA2, keyA3 = "bubbleId:alpha:a1", "bubbleId:alpha:a2", "bubbleId:alpha:a3"
	keyB1, keyB2        = "bubbleId:beta:b1", "bubbleId:beta:b2"
	keyAlpha, keyBeta   = "composerData:alpha", "composerData:beta"
)

// baseUserDir has three conversations: alpha (project one; user, answer, tool call; one attachment), beta (no project;
// a time from the header, thinking) and gamma (project one, two hours after alpha, whose only message is missing).
func baseUserDir() *userDir {
	return &userDir{
		rows: map[string]any{
			keyAlpha: alphaHead, keyA1: bubbleA1, keyA2: bubbleA2, keyA3: bubbleA3,
			keyBeta: betaHead, keyB1: bubbleB1, keyB2: bubbleB2,
			"composerData:gamma": gammaHead,
		},
		workspaces: map[string]folder{"ws1": {json: `{"folder":"file:///src/one"}`}},
	}
}

func (w *userDir) clone() *userDir {
	c := *w
	c.rows, c.workspaces = maps.Clone(w.rows), maps.Clone(w.workspaces)
	c.extra, c.exec, c.headers = slices.Clone(w.extra), slices.Clone(w.exec), slices.Clone(w.headers)
	return &c
}

// with is a copy of the user directory with these rows set; without is one without them.
func (w *userDir) with(keysAndValues ...any) *userDir {
	c := w.clone()
	for i := 0; i < len(keysAndValues); i += 2 {
		c.rows[keysAndValues[i].(string)] = keysAndValues[i+1]
	}
	return c
}

func (w *userDir) without(keys ...string) *userDir {
	c := w.clone()
	for _, k := range keys {
		delete(c.rows, k)
	}
	return c
}

func (w *userDir) withFolder(id string, f folder) *userDir {
	c := w.clone()
	c.workspaces[id] = f
	return c
}

// replaced is a copy in which a part of one row's text is another.
func (w *userDir) replaced(t *testing.T, key, old, new string) *userDir {
	t.Helper()
	text := w.rows[key].(string)
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not hold %s", key, old)
	}
	return w.with(key, strings.Replace(text, old, new, 1))
}

// write makes the user directory anew.
func (w *userDir) write(t *testing.T, user string) {
	t.Helper()
	must(t, os.RemoveAll(user))
	global := filepath.Join(user, "globalStorage", "state.vscdb")
	switch {
	case w.noGlobal:
	case w.garbage:
		must(t, storetest.WriteNotADatabase(global))
	default:
		o := storetest.StoreOptions{Exec: w.exec}
		if w.headers != nil {
			o.HeaderColumns, o.HeaderRows = storetest.HeaderColumns10, w.headers
		}
		rows := slices.Clone(w.extra)
		for _, key := range slices.Sorted(maps.Keys(w.rows)) {
			rows = append(rows, storetest.Row{Key: key, Value: w.rows[key]})
		}
		must(t, storetest.WriteStore(global, rows, o))
	}
	for id, f := range w.workspaces {
		dir := filepath.Join(user, "workspaceStorage", id)
		must(t, os.MkdirAll(dir, 0o700))
		if f.json != "" {
			must(t, os.WriteFile(filepath.Join(dir, "workspace.json"), []byte(f.json), 0o600))
		}
		store := filepath.Join(dir, "state.vscdb")
		switch {
		case f.garbage:
			must(t, storetest.WriteNotADatabase(store))
		case f.items != nil:
			var rows []storetest.Row
			for _, key := range slices.Sorted(maps.Keys(f.items)) {
				rows = append(rows, storetest.Row{Table: storetest.ItemTable, Key: key, Value: f.items[key]})
			}
			must(t, storetest.WriteStore(store, rows, storetest.StoreOptions{NoDiskKV: true}))
		}
	}
}

// at writes the user directory and returns where.
func (w *userDir) at(t *testing.T, user string) string {
	t.Helper()
	w.write(t, user)
	return user
}

// sources are named user directories.
func sources(t *testing.T, users map[string]string) []extract.Source {
	t.Helper()
	var args []string
	for _, name := range slices.Sorted(maps.Keys(users)) {
		args = append(args, name+"="+users[name])
	}
	return resolve(t, args...)
}

// resolve finds the sources of arguments of --source.
func resolve(t *testing.T, args ...string) []extract.Source {
	t.Helper()
	var all []extract.Source
	for _, arg := range args {
		found, err := extract.Resolve(arg, extract.Env{OS: "linux", Home: "/nowhere"})
		must(t, err)
		all = append(all, found...)
	}
	return all
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fixture runs the user directories of one test into one warehouse. The clock stands still in a run; the n-th run is at
// n o'clock.
type fixture struct {
	t         *testing.T
	dir, user string
	runs      int
	open      *reader.Reader // of the warehouse, while nobody else may write to it; see reading
}

// long leaves a test that takes some seconds of CPU to make test-all: make test runs with -short.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it is long: make test-all runs it")
	}
}

func newFixture(t *testing.T) *fixture {
	dir := t.TempDir()
	return &fixture{t: t, dir: dir, user: filepath.Join(dir, "User")}
}

// warehouse is the path of the warehouse. Whoever has it may write there, so no reader is open any more.
func (l *fixture) warehouse() string {
	l.t.Helper()
	if l.open != nil {
		must(l.t, l.open.Close())
		l.open = nil
	}
	return filepath.Join(l.dir, "w.duckdb")
}

// reading opens the warehouse for the questions until the next run: to open it takes longer than most of them.
func (l *fixture) reading() *reader.Reader {
	l.t.Helper()
	if l.open == nil {
		w, err := reader.Open(context.Background(), l.warehouse())
		must(l.t, err)
		l.open = w
		l.t.Cleanup(func() { l.warehouse() })
	}
	return l.open
}

// options are those of the next run.
func (l *fixture) options(change ...func(*pipelines.Options)) pipelines.Options {
	l.t.Helper()
	l.runs++
	at := time.Date(2026, 1, 1, l.runs, 0, 0, 0, time.UTC)
	o := pipelines.Options{Warehouse: l.warehouse(), ToolVersion: "test", Host: "host", MachineID: "machine",
		Workers: 2}
	if _, err := os.Stat(l.user); err == nil {
		o = options(l.t, l.dir, l.user)
	}
	o.Now = func() time.Time { return at }
	for _, f := range change {
		f(&o)
	}
	return o
}

// run loads a user directory (nil: what is there), which must succeed, with no check failing.
func (l *fixture) run(w *userDir, change ...func(*pipelines.Options)) *pipelines.Result {
	l.t.Helper()
	if w != nil {
		w.write(l.t, l.user)
	}
	r := mustRun(l.t, l.options(change...))
	for _, f := range r.Failures {
		l.t.Errorf("run %d: check %s failed in %d rows: %s", l.runs, f.Check, f.Rows, f.First)
	}
	return r
}

func full(o *pipelines.Options) { o.Full = true }

// clock is the time of the n-th run as the warehouse shows it.
func clock(n int) string {
	return time.Date(2026, 1, 1, n, 0, 0, 0, time.UTC).Format("2006-01-02 15:04:05Z")
}

// cells are tables as text: "messages[alpha a2].text" -> "An answer".
type cells map[string]string

// contentTables are those that a conversation's rows are in.
var contentTables = []string{"conversations", "messages", "tool_calls", "attachments"}

// allTables are all but those of the runs themselves.
func allTables() []string {
	var names []string
	for _, t := range schema.Tables() {
		if t.Scope != schema.ByLoad && t.Name != "_raw_parts" && t.Name != "_changes" { // what each load wrote
			names = append(names, t.Name)
		}
	}
	return names
}

// dump reads whole tables, of all sources together.
func (l *fixture) dump(tables ...string) cells {
	l.t.Helper()
	out := cells{}
	for source, rows := range l.dumpSources(tables...) {
		for cell, v := range rows {
			if source != "" && source != "test" {
				cell = source + ":" + cell
			}
			out[cell] = v
		}
	}
	return out
}

// dumpSources reads whole tables by source; what is of none is under "".
func (l *fixture) dumpSources(tables ...string) map[string]cells {
	l.t.Helper()
	w := l.reading()
	out := map[string]cells{}
	for _, name := range tables {
		spec, ok := schema.Lookup(name)
		if !ok {
			l.t.Fatalf("there is no table %s", name)
		}
		var columns []string
		for _, c := range spec.Columns {
			if name == "_known_stores" && slices.Contains([]string{"state", "tool_version", "compared_at",
				"transform_version"},
				c.Name) {
				continue // each run has its own to say of a store's file
			}
			if c.Type == "JSON" { // as stored, not as the driver would parse it
				c.Name = fmt.Sprintf(`CAST("%[1]s" AS VARCHAR) AS "%[1]s"`, c.Name)
			}
			columns = append(columns, c.Name)
		}
		answer, err := w.Query(context.Background(), "SELECT "+strings.Join(columns, ", ")+" FROM "+name)
		must(l.t, err)
		for _, row := range answer.Rows {
			if name == "_meta" && (row[0] == "lineage" || row[0] == "warehouse_id") {
				continue // each transaction has its own, and each warehouse
			}
			var id []string
			source := ""
			for i, c := range answer.Columns {
				switch {
				case c == "source_id":
					source = reader.Text(row[i])
				case slices.Contains(spec.Key(), c):
					id = append(id, reader.Text(row[i]))
				}
			}
			if out[source] == nil {
				out[source] = cells{}
			}
			first := name + "[" + strings.Join(id, " ") + "]."
			if _, twice := out[source][first+answer.Columns[len(answer.Columns)-1]]; twice {
				l.t.Errorf("two rows of source %s are %s", source, first)
			}
			for i, c := range answer.Columns {
				cell := first + c
				if c != "source_id" {
					out[source][cell] = reader.Text(row[i])
				}
			}
		}
	}
	return out
}

// ask runs one query and closes the warehouse again: only one may have it open at a time.
func (l *fixture) ask(sql string) [][]string {
	l.t.Helper()
	return query(l.t, l.reading(), sql)
}

// change is a copy with cells set; a value of gone removes a row ("messages[alpha a2]") or a cell.
const gone = "\x00gone"

func (c cells) change(set cells) cells {
	out := maps.Clone(c)
	for cell, v := range set {
		if v != gone {
			out[cell] = v
			continue
		}
		maps.DeleteFunc(out, func(k, _ string) bool { return k == cell || strings.HasPrefix(k, cell+".") })
	}
	return out
}

// drop is a copy without some columns.
func (c cells) drop(columns ...string) cells {
	out := maps.Clone(c)
	maps.DeleteFunc(out, func(k, _ string) bool {
		return slices.ContainsFunc(columns, func(column string) bool { return strings.HasSuffix(k, "]."+column) })
	})
	return out
}

func same[T any](t *testing.T, what string, want, got T) {
	t.Helper()
	if reflect.DeepEqual(want, got) { // the usual case, and much faster
		return
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.AllowUnexported(counts{})); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", what, shorten(diff))
	}
}

// parquetIn has a run publish Parquet in a folder.
func parquetIn(dir string) []sinks.Target {
	return []sinks.Target{{Sink: sinks.Named("parquet"), Dir: dir}}
}
