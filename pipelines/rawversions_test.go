package pipelines_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"pipeline/load/rawlog"
	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// rawRow is a row of the raw layer with all its columns, read by Arrow alone; NULL is nil.
type rawRow map[string]any

func (r rawRow) text(column string) string { s, _ := r[column].(string); return s }

func (r rawRow) row() string {
	if r["key_type"] == "null" {
		return r.text("store") + " NULL"
	}
	if s, ok := r["key_bytes"].(string); ok {
		return r.text("store") + " " + r.text("key_type") + " " + s
	}
	return r.text("store") + " " + r.text("key")
}

// raw reads the whole layer in the order of its files.
func (l *fixture) raw() (out []rawRow) {
	l.t.Helper()
	names, err := filepath.Glob(filepath.Join(rawlog.Dir(l.warehouse()), "*", "*.parquet"))
	must(l.t, err)
	for _, name := range names {
		out = append(out, rawFileRows(l.t, name)...)
	}
	slices.SortStableFunc(out, func(a, b rawRow) int { return a["n"].(int) - b["n"].(int) })
	return out
}

func rawFileRows(t *testing.T, name string) (out []rawRow) {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSuffix(name[strings.LastIndex(name, "-")+1:], ".parquet"))
	must(t, err)
	f, err := file.OpenParquetFile(name, false)
	must(t, err)
	defer func() { must(t, f.Close()) }()
	r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	must(t, err)
	table, err := r.ReadTable(t.Context())
	must(t, err)
	defer table.Release()
	rows := array.NewTableReader(table, 0)
	defer rows.Release()
	for rows.Next() {
		rec := rows.Record()
		for i := range int(rec.NumRows()) {
			row := rawRow{"n": n}
			for j, field := range rec.Schema().Fields() {
				row[field.Name] = rawCell(t, rec.Column(j), i)
			}
			out = append(out, row)
		}
	}
	return out
}

func rawCell(t *testing.T, column arrow.Array, i int) any {
	if column.IsNull(i) {
		return nil
	}
	switch c := column.(type) {
	case *array.Binary:
		return string(c.Value(i))
	case *array.String:
		return c.Value(i)
	case *array.Int64:
		return c.Value(i)
	case *array.Timestamp:
		return int64(c.Value(i))
	}
	t.Fatalf("a column of type %T", column)
	return nil
}

// stories are what the files above n say of each row, in their order: versions, ends, returns.
func (l *fixture) stories(n int) map[string][]string {
	l.t.Helper()
	out, byHash := map[string][]string{}, map[string]string{}
	for _, r := range l.raw() {
		row, hash := r.row(), r.text("hash")
		version := r.text("value_type") + " " + r.text("value")
		switch {
		case r["value_type"] != "gone":
			byHash[row+" "+hash] = version
		case r["hash"] == nil:
			version = "gone"
		case r["key_type"] == "null":
			version = "gone: " + byHash[row+" "+hash]
		default:
			version = "back: " + byHash[row+" "+hash]
		}
		if r["n"].(int) > n {
			out[row] = append(out[row], version)
		}
	}
	for _, versions := range out {
		if slices.Contains(versions, "back: ") || slices.Contains(versions, "gone: ") {
			l.t.Errorf("a mark is of no version: %q", versions)
		}
	}
	return out
}

// rawCount counts the layer's files: a story after it is what later loads say.
func (l *fixture) rawCount() int {
	names, err := filepath.Glob(filepath.Join(rawlog.Dir(l.warehouse()), "*", "*.parquet"))
	must(l.t, err)
	n := 0
	for _, name := range names {
		i, err := strconv.Atoi(strings.TrimSuffix(name[strings.LastIndex(name, "-")+1:], ".parquet"))
		must(l.t, err)
		n = max(n, i)
	}
	return n
}

type stories = map[string][]string

// adds runs and compares what the run writes into the layer.
func (l *fixture) adds(what string, want stories, w *userDir, change ...func(*pipelines.Options)) *pipelines.Result {
	l.t.Helper()
	n := l.rawCount()
	r := l.run(w, change...)
	same(l.t, what, want, l.stories(n))
	return r
}

// exec changes the global store as the editor would, in place.
func (l *fixture) exec(statement string, args ...any) {
	l.t.Helper()
	l.execIn(filepath.Join("globalStorage", "state.vscdb"), statement, args...)
}

func (l *fixture) execIn(store, statement string, args ...any) {
	l.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(l.user, store))
	must(l.t, err)
	_, err = db.Exec(statement, args...)
	must(l.t, err)
	must(l.t, db.Close())
}

const replaceRowSQL = `INSERT OR REPLACE INTO cursorDiskKV (key, value) VALUES (?, ?)`

// hours sets a run's clock.
func hours(n int) func(*pipelines.Options) {
	return func(o *pipelines.Options) {
		o.Now = func() time.Time { return time.Date(2026, 1, 1, n, 0, 0, 0, time.UTC) }
	}
}

func (l *fixture) clone() *fixture {
	return &fixture{t: l.t, dir: l.t.TempDir(), user: l.user, runs: l.runs}
}

// rebuilt is madeAnew in make test-all. In make test, TestRunsAfterRebuild makes one warehouse of every kind of source
// anew, and TestHistories and TestFoldProperty those of stores that change.
func (l *fixture) rebuilt(but ...string) {
	l.t.Helper()
	if !testing.Short() {
		l.madeAnew(but...)
	}
}

// madeAnew makes a warehouse out of a copy of the layer alone. but are columns that another load may have given.
func (l *fixture) madeAnew(but ...string) {
	l.t.Helper()
	l.tablesAnew(rebuiltTables(), but...)
}

// rebuiltTables are those that a rebuild makes as they were.
func rebuiltTables() []string {
	return slices.DeleteFunc(allTables(), func(name string) bool {
		return slices.Contains(append(notRebuilt, "_known_rows"), name)
	})
}

// tablesAnew is madeAnew for some tables.
func (l *fixture) tablesAnew(tables []string, but ...string) {
	l.t.Helper()
	again := l.clone()
	must(l.t, os.CopyFS(rawlog.Dir(again.warehouse()), os.DirFS(rawlog.Dir(l.warehouse()))))
	_, err := pipelines.Rebuild(l.t.Context(), pipelines.Options{Warehouse: again.warehouse(), ToolVersion: "test"},
		false)
	must(l.t, err)
	same(l.t, "the warehouse that was made anew", l.dump(tables...).drop(but...), again.dump(tables...).drop(but...))
}

// madeAnewInPlace makes the warehouse anew where it is, in make test-all: the rows of some tables stay as they are.
func (l *fixture) madeAnewInPlace(tables ...string) {
	l.t.Helper()
	if testing.Short() {
		return
	}
	before := l.dumpSources(tables...)
	_, err := pipelines.Rebuild(l.t.Context(), pipelines.Options{Warehouse: l.warehouse(), ToolVersion: "test"}, false)
	must(l.t, err)
	same(l.t, "the rows once they are made anew", before, l.dumpSources(tables...))
}

// rawForms are stored values and what the layer must say of them: type, bytes, size.
var rawForms = []struct {
	value any
	typ   string
	bytes any
	size  int64
}{
	{`{"type":2,"text":"ü"}`, "text", `{"type":2,"text":"ü"}`, 22},
	{[]byte(`{"type":2,"text":"b"}`), "blob", `{"type":2,"text":"b"}`, 21},
	{"7b2274797065223a327d", "text", "7b2274797065223a327d", 20},
	{"7B2274797065223A327D", "text", "7B2274797065223A327D", 20},
	{[]byte("7B2274797065223A327D"), "blob", "7B2274797065223A327D", 20},
	{[]byte{0}, "blob", "\x00", 1},
	{nil, "null", nil, 0},
	{"", "text", "", 0},
	{[]byte{}, "blob", "", 0},
	{int64(-42), "integer", "-42", 3},
	{1.5, "real", "1.5", 3},
	{[]byte("\xff\xfe{\x00"), "blob", "\xff\xfe{\x00", 4},
	{"text \xff", "text", "text \xff", 6},
	{"nul\x00inside", "text", "nul\x00inside", 10},
	{" [1 , 2]\r\n", "text", " [1 , 2]\r\n", 10},
}

// TestRawForms: every form of a value is kept byte for byte, is known again by the next run, and its end is noticed.
func TestRawForms(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	w := baseUserDir()
	want := map[string]rawRow{}
	for i, f := range rawForms {
		key := fmt.Sprintf("bubbleId:alpha:f%02d", i)
		w.rows[key] = f.value
		want[key] = rawRow{"key_type": "text", "key_bytes": nil, "value": f.bytes, "value_type": f.typ,
			"value_bytes": f.size, "conversation_id": "alpha", "family": "bubbleId", "load_id": int64(1),
			"source_id": "test", "store": "global", "table": "cursorDiskKV"}
	}
	l.run(w)
	for _, r := range l.raw() {
		if form, ok := want[r.text("key")]; ok {
			got := rawRow{}
			for column := range form {
				got[column] = r[column]
			}
			same(t, r.text("key"), form, got)
			same(t, "the digits of the hash", 32, len(r.text("hash")))
			same(t, "when it was seen", time.Date(2026, 1, 1, 1, 0, 0, 0, time.UTC).UnixMilli(),
				r["observed_at"].(int64))
			delete(want, r.text("key"))
		}
	}
	same(t, "the rows that the layer lacks", 0, len(want))
	l.adds("the same store with other rowids", nil, w)
	ends := stories{}
	less := w.clone()
	for i := range rawForms {
		key := fmt.Sprintf("bubbleId:alpha:f%02d", i)
		delete(less.rows, key)
		ends["global "+key] = []string{"gone"}
	}
	l.adds("their ends", ends, less)
	l.rebuilt()
}

// rawKeys are stored keys and what the layer must say of them: text, type, bytes where the text could not hold them.
var rawKeys = []struct {
	key   any
	text  string
	typ   string
	bytes any
	owner string
}{
	{`bubbleId:alpha:it's "so"`, `bubbleId:alpha:it's "so"`, "text", nil, "alpha"},
	{`bubbleId:alpha:a;DROP TABLE loads;--`, `bubbleId:alpha:a;DROP TABLE loads;--`, "text", nil, "alpha"},
	{"bubbleId:alpha:new\nline\r", "bubbleId:alpha:new\nline\r", "text", nil, "alpha"},
	{"bubbleId:../../up:../x", "bubbleId:../../up:../x", "text", nil, "../../up"},
	{longKey, longKey, "text", nil, "alpha"},
	{"bubbleId:alpha:n\x00l", "bubbleId:alpha:n\u2400l", "text", "bubbleId:alpha:n\x00l", "alpha"},
	{"bubbleId:al\x00pha:x", "bubbleId:al\u2400pha:x", "text", "bubbleId:al\x00pha:x", "al\u2400pha"},
	{"bubbleId:alpha:\xff\xfe", `bubbleId:alpha:\xff\xfe`, "text", "bubbleId:alpha:\xff\xfe", ""},
	{[]byte("composerData:alpha"), "composerData:alpha", "blob", "composerData:alpha", ""},
	{[]byte("\x00\xff"), `␀\xff`, "blob", "\x00\xff", ""},
	{nil, "", "null", nil, ""},
}

// longKey is a key of 64 KB.
var longKey = "bubbleId:alpha:" + strings.Repeat("0123456789abcdef", 4096)

// TestRawKeys: every form of a key names its own row: nothing of one is taken for another's, and no key becomes a path.
func TestRawKeys(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	w := baseUserDir()
	for i, k := range rawKeys {
		w.extra = append(w.extra, storetest.Row{Key: k.key, Value: fmt.Sprintf("value %d", i)})
	}
	w.extra = append(w.extra, storetest.Row{Key: nil, Value: "another"})
	l.run(w)
	byValue := map[string]rawRow{}
	for _, r := range l.raw() {
		byValue[r.text("value")] = r
	}
	for i, k := range rawKeys {
		r := byValue[fmt.Sprintf("value %d", i)]
		same(t, fmt.Sprintf("key %d", i), []any{k.text, k.typ, k.bytes, k.owner},
			[]any{r["key"], r["key_type"], r["key_bytes"], r["conversation_id"]})
	}
	same(t, "the type of the other NULL key", any("null"), byValue["another"]["key_type"])
	var made []string
	for name := range l.files() {
		if rel, err := filepath.Rel(l.dir, name); err == nil && !strings.HasPrefix(rel, "User") && rel != "." {
			made = append(made, rel)
		}
	}
	slices.Sort(made)
	same(t, "the files", []string{"w.duckdb", "w.duckdb.raw", "w.duckdb.raw/test",
		"w.duckdb.raw/test/00000001-1.parquet"}, made)
	l.adds("the same store with other rowids", nil, w)
	// One of two rows without a key changes, the other stays; the blob goes while the row of the same name as text
	// stays.
	next := w.clone()
	next.extra[len(next.extra)-1].Value = "another again"
	next.extra[8].Key = "bubbleId:x:y"
	change := stories{"global NULL": {"text another again", "gone: text another"},
		"global blob composerData:alpha": {"gone"}, "global bubbleId:x:y": {"text value 8"}}
	l.adds("one changed, one gone", change, next)
	l.adds("back", stories{"global NULL": {"text another", "gone: text another again"},
		"global blob composerData:alpha": {"back: text value 8"}, "global bubbleId:x:y": {"gone"}}, w)
	l.adds("quiet", nil, w)
	l.rebuilt()
}

// TestRawVersions: each version of a row is there once, whatever the editor does, and marks say when it went and came
// back.
func TestRawVersions(t *testing.T) {
	t.Parallel()
	long(t)
	l := newFixture(t)
	base := baseUserDir()
	a, b := "text "+bubbleA2, `text {"type":2,"text":"B"}`
	row := "global " + keyA2
	r := l.run(base)
	all := stories{}
	for key, value := range base.rows {
		all["global "+key] = []string{"text " + value.(string)}
	}
	all["workspace/ws1 workspace.json"] = []string{`text {"folder":"file:///src/one"}`}
	same(t, "the first load", all, l.stories(0))
	same(t, "what the run says", first, r.Conversations)
	set := func(v string) func() {
		return func() { l.exec(replaceRowSQL, keyA2, strings.TrimPrefix(v, "text ")) }
	}
	gone, back := stories{}, stories{}
	for _, key := range []string{keyAlpha, keyA1, keyA2, keyA3} {
		gone["global "+key], back["global "+key] = []string{"gone"}, []string{"back: text " + base.rows[key].(string)}
	}
	for _, s := range []struct {
		what string
		do   func()
		want stories
	}{
		{"B", set(b), stories{row: {b}}},
		{"A again", set(a), stories{row: {"back: " + a}}},
		{"A rewritten", set(a), nil},
		{"VACUUM", func() { l.exec(`DELETE FROM cursorDiskKV WHERE key = 'none'; VACUUM`) }, nil},
		{"deleted", func() { l.exec(`DELETE FROM cursorDiskKV WHERE key = ?`, keyA2) }, stories{row: {"gone"}}},
		{"still deleted", func() {}, nil},
		{"restored", set(a), stories{row: {"back: " + a}}},
		{"NULL", func() { l.exec(replaceRowSQL, keyA2, nil) }, stories{row: {"null "}}},
		{"A after NULL", set(a), stories{row: {"back: " + a}}},
		{"conversation deleted", func() { l.exec(`DELETE FROM cursorDiskKV WHERE key LIKE '%:alpha%'`) }, gone},
		{"conversation restored", func() {
			for _, key := range []string{keyAlpha, keyA1, keyA2, keyA3} {
				l.exec(replaceRowSQL, key, base.rows[key])
			}
		}, back},
		{"quiet", func() {}, nil},
	} {
		s.do()
		l.adds(s.what, s.want, nil)
	}
	same(t, "the story of the row", []string{a, b, "back: " + a, "gone", "back: " + a, "null ", "back: " + a, "gone",
		"back: " + a}, l.stories(0)[row])
	l.rebuilt()
}
