package warehouse_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"pipeline/load"
	"pipeline/load/sinks"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// someRows fills a load with a row of most tables.
func someRows(t *testing.T, tx *warehouse.Load) {
	t.Helper()
	at := loadStart
	rows := &schema.Rows{
		Conversations: []schema.Conversation{{SourceID: "s", ConversationID: "c", Format: "rows", CreatedAt: &at}},
		ToolCalls: []schema.ToolCall{{SourceID: "s", ConversationID: "c", MessageID: "m0", ToolKind: "shell",
			Position: ptr(int64(0)), Params: schema.JSON(`{ "a": "<b>" }`)}},
		ModelUsage: []schema.ModelUsage{{SourceID: "s", ConversationID: "c", Model: "m", CostCents: ptr(0.5)}},
		Quarantine: []schema.Quarantine{{SourceID: "s", Store: "global", Key: ptr("k"), ValueHash: "h",
			ConversationID: ptr("c"), Family: "f", Reason: "bad_json"}},
	}
	for i := range 3 {
		when := at + schema.Millis(i)
		m := message(fmt.Sprint("m", i), ptr("text\x00"), schema.JSON(`{"codeBlocks":[1]}`))
		m.Position, m.CreatedAt, m.CreatedAtSource, m.InputTokens = ptr(int64(i)), &when, ptr("message"), ptr(int64(7))
		rows.Messages = append(rows.Messages, m)
	}
	tx.Replace(schema.OwnerNamed("s", "global", "c"))
	if err := tx.Write(rows); err != nil {
		t.Fatal(err)
	}
	err := tx.Source(load.SourceRows{
		Source:     schema.Source{SourceID: "s", FirstSeenAt: at, LastSeenAt: at},
		DailyStats: []schema.DailyEditStats{{SourceID: "s", Date: "2024-02-29", TabSuggestedLines: ptr(int64(4))}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// current is where a publication is read.
func current(t *testing.T, dir string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("current is a file there")
	}
	target, err := os.Readlink(filepath.Join(dir, "current"))
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// how is how tests publish.
func how() sinks.Options {
	return sinks.Options{ToolVersion: "test", Now: time.Now()}
}

// in is a folder for Parquet.
func in(dir string) sinks.Target { return sinks.Target{Sink: sinks.Named("parquet"), Dir: dir} }

func publish(t *testing.T, path, dir string, loadID int64) *sinks.Published {
	t.Helper()
	out, err := in(dir).Publish(t.Context(), path, how())
	if err != nil {
		t.Fatal(err)
	}
	if out.LoadID != loadID {
		t.Fatalf("load %d was published, want %d", out.LoadID, loadID)
	}
	return out
}

// publications are the names in a Parquet folder but that of its lock.
func publications(t *testing.T, dir string) []string {
	t.Helper()
	return slices.DeleteFunc(names(t, dir), func(name string) bool { return name == ".pipeline-lock" })
}

// tableFiles are a table's files in a publication.
func tableFiles(t *testing.T, folder, table string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, table+".parquet"))
	months, err2 := filepath.Glob(filepath.Join(folder, table, "month=*", "part-*.parquet"))
	if err = errors.Join(err, err2); err != nil || len(found)+len(months) == 0 {
		t.Fatalf("%s has no file of %s: %v", folder, table, err)
	}
	return append(found, months...)
}

// readParquet reads a file whole.
func readParquet(t *testing.T, path string) (*file.Reader, arrow.Table) {
	t.Helper()
	f, err := file.OpenParquetFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.ReadTable(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(table.Release)
	return f, table
}

// A publication holds every table of the data dictionary, as types that every reader knows, with the rows of the
// warehouse.
func TestPublishTypes(t *testing.T) {
	long(t)
	t.Parallel()
	dir := t.TempDir()
	path, out := filepath.Join(dir, "warehouse.duckdb"), filepath.Join(dir, "it's parquet")
	mustLoad(t, path, func(tx *warehouse.Load) { someRows(t, tx) })
	publish(t, path, out, 1)
	if got := current(t, out); got != "v-00000001" {
		t.Errorf("current is %s", got)
	}
	files := []string{"_manifest.json"}
	for _, table := range schema.Tables() {
		if table.Scope == schema.Internal {
			continue
		}
		name := table.Name + ".parquet"
		if table.Name == "messages" || table.Name == "tool_calls" {
			name = table.Name
		}
		files = append(files, name)
		f, data := readParquet(t, tableFiles(t, filepath.Join(out, "current"), table.Name)[0])
		if want := cells(t, path, `SELECT count(*) FROM `+table.Name)[0][0]; fmt.Sprint(data.NumRows()) != want {
			t.Errorf("%s has %d rows, want %s", table.Name, data.NumRows(), want)
		}
		checkTypes(t, table.Published(), f, data.Schema())
	}
	slices.Sort(files)
	if got := names(t, filepath.Join(out, "v-00000001")); !slices.Equal(got, files) {
		t.Errorf("files: %v, want %v", got, files)
	}
	if got := publications(t, out); !slices.Equal(got, []string{"current", "v-00000001"}) {
		t.Errorf("beside the publication: %v", got)
	}
}

// arrowTypes are what the warehouse's types become.
var arrowTypes = map[string]arrow.DataType{
	"VARCHAR": arrow.BinaryTypes.String, "JSON": arrow.BinaryTypes.String, "BIGINT": arrow.PrimitiveTypes.Int64,
	"DOUBLE": arrow.PrimitiveTypes.Float64, "BOOLEAN": arrow.FixedWidthTypes.Boolean,
	"DATE": arrow.FixedWidthTypes.Date32, "TIMESTAMPTZ": &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
}

func checkTypes(t *testing.T, table schema.Table, f *file.Reader, s *arrow.Schema) {
	t.Helper()
	if s.NumFields() != len(table.Columns) {
		t.Errorf("%s has %d columns, want %d", table.Name, s.NumFields(), len(table.Columns))
		return
	}
	for i, c := range table.Columns {
		if field := s.Field(i); field.Name != c.Name || !arrow.TypeEqual(field.Type, arrowTypes[c.Type]) {
			t.Errorf("%s: column %d is %s %s, want %s %s", table.Name, i, field.Name, field.Type, c.Name,
				arrowTypes[c.Type])
		}
	}
	for g := range f.NumRowGroups() {
		for i := range table.Columns {
			chunk, err := f.RowGroup(g).MetaData().ColumnChunk(i)
			if err != nil {
				t.Fatal(err)
			}
			if chunk.Compression() != compress.Codecs.Zstd {
				t.Errorf("%s is compressed with %s, want zstd", table.Name, chunk.Compression())
			}
		}
	}
}

// Values come back as they are in the warehouse.
func TestPublishValues(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, out := filepath.Join(dir, "warehouse.duckdb"), filepath.Join(dir, "parquet")
	mustLoad(t, path, func(tx *warehouse.Load) { someRows(t, tx) })
	publish(t, path, out, 1)
	cell := func(table, column string, row int) string {
		t.Helper()
		_, data := readParquet(t, tableFiles(t, filepath.Join(out, "current"), table)[0])
		at := data.Schema().FieldIndices(column)
		if len(at) != 1 {
			t.Fatalf("%s has no column %s", table, column)
		}
		reader := array.NewTableReader(data, data.NumRows())
		defer reader.Release()
		if !reader.Next() {
			t.Fatalf("%s has no rows", table)
		}
		return reader.Record().Column(at[0]).ValueStr(row)
	}
	for _, test := range []struct {
		table, column string
		row           int
		want          string
	}{
		{"messages", "text", 0, "text\u2400"},
		{"messages", "extra", 0, `{"codeBlocks":[1]}`},
		{"messages", "created_at", 2, "2023-11-14 22:13:20.002Z"},
		{"messages", "input_tokens", 1, "7"},
		{"messages", "thinking", 0, array.NullValueStr},
		{"tool_calls", "params", 0, `{ "a": "<b>" }`},
		{"daily_edit_stats", "date", 0, "2024-02-29"},
		{"model_usage", "cost_cents", 0, "0.5"},
		{"conversations", "input_tokens", 0, "21"},
		{"conversations", "is_subagent", 0, "false"},
		{"loads", "started_at", 0, "2023-11-14 22:13:20Z"},
	} {
		if got := cell(test.table, test.column, test.row); got != test.want {
			t.Errorf("%s.%s: %q, want %q", test.table, test.column, got, test.want)
		}
	}
}

// A second publication switches current; the first stays for who reads it. Publishing again changes nothing.
func TestPublishSwitches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, out := filepath.Join(dir, "warehouse.duckdb"), filepath.Join(dir, "parquet")
	mustLoad(t, path, func(tx *warehouse.Load) { someRows(t, tx) })
	publish(t, path, out, 1)
	first := readFile(t, filepath.Join(out, "v-00000001", "messages", "month=2023-11", "part-0.parquet"))
	mustLoad(t, path, func(tx *warehouse.Load) { tx.Replace(schema.OwnerNamed("s", "global", "c")) })
	for range 2 {
		publish(t, path, out, 2)
		if got := current(t, out); got != "v-00000002" {
			t.Errorf("current is %s", got)
		}
	}
	if readFile(t, filepath.Join(out, "v-00000001", "messages", "month=2023-11", "part-0.parquet")) != first {
		t.Error("the first publication was changed")
	}
	if got := publications(t, out); !slices.Equal(got, []string{"current", "v-00000001", "v-00000002"}) {
		t.Errorf("files: %v", got)
	}
	_, data := readParquet(t, filepath.Join(out, "current", "loads.parquet"))
	if data.NumRows() != 2 {
		t.Errorf("%d loads are published, want 2", data.NumRows())
	}
}

// What a run left that was killed at any step of a publication disturbs no other and is swept; nothing else is.
func TestPublishAfterKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, out := filepath.Join(dir, "warehouse.duckdb"), filepath.Join(dir, "parquet")
	mustLoad(t, path, func(tx *warehouse.Load) { someRows(t, tx) })
	for _, left := range []string{".pipeline-tmp-123", "v-00000000", "my notes", "tmp-456"} {
		if err := os.MkdirAll(filepath.Join(out, left), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(out, left, "messages.parquet"), "cut")
	}
	if err := os.Symlink("v-00000001", filepath.Join(out, ".current-v-00000001")); err != nil {
		t.Fatal(err)
	}
	publish(t, path, out, 1)
	if got := publications(t, out); !slices.Equal(got,
		[]string{"current", "my notes", "tmp-456", "v-00000000", "v-00000001"}) {
		t.Errorf("files: %v", got)
	}
	if err := os.Remove(filepath.Join(out, "current")); err != nil { // killed between the folder and the switch
		t.Fatal(err)
	}
	publish(t, path, out, 1)
	if got := current(t, out); got != "v-00000001" {
		t.Errorf("current is %s", got)
	}
}

// A warehouse that was thrown away leaves a folder of the number that the new one begins with: it is not taken for the
// new one's.
func TestPublishOfNewWarehouse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "parquet")
	old, fresh := filepath.Join(dir, "old.duckdb"), filepath.Join(dir, "new.duckdb")
	mustLoad(t, old, func(tx *warehouse.Load) { someRows(t, tx) })
	publish(t, old, out, 1)
	w := mustOpen(t, fresh)
	tx, err := w.Begin(t.Context(), load.Settings{LoadID: 1, StartedAt: loadStart + 1000, SessionGapMs: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context(),
		load.Run{Load: schema.Load{LoadID: 1, StartedAt: loadStart + 1000, Status: "ok", Mode: "first"}}); err != nil {
		t.Fatal(err)
	}
	other := (*sinks.OwnerError)(nil)
	if _, err := in(out).Publish(t.Context(), fresh, how()); !errors.As(err, &other) {
		t.Errorf("the folder is another warehouse's: %v", err)
	}
	if err := os.Remove(filepath.Join(out, "current")); err != nil {
		t.Fatal(err)
	}
	publish(t, fresh, out, 1)
	if _, data := readParquet(t, filepath.Join(out, "current", "messages", "month=unknown",
		"part-0.parquet")); data.NumRows() != 0 {
		t.Errorf("the old warehouse's %d messages are published for the new one", data.NumRows())
	}
	if got := publications(t, out); !slices.Equal(got, []string{"current", "v-00000001"}) {
		t.Errorf("files: %v", got)
	}
}

// A publication that fails leaves the one before, and nothing of its own.
func TestPublishFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, out := filepath.Join(dir, "warehouse.duckdb"), filepath.Join(dir, "parquet")
	mustLoad(t, path, nil)
	publish(t, path, out, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := in(out).Publish(ctx, path, how()); err == nil {
		t.Error("a cancelled publication gave no error")
	}
	if _, err := in(out).Publish(t.Context(), filepath.Join(dir, "none.duckdb"), how()); err == nil ||
		!strings.Contains(err.Error(), "none.duckdb") {
		t.Errorf("a publication of nothing: %v", err)
	}
	if got := current(t, out); got != "v-00000001" {
		t.Errorf("current is %s", got)
	}
	if got := publications(t, out); !slices.Equal(got, []string{"current", "v-00000001"}) {
		t.Errorf("files: %v", got)
	}
}

// TestPublishLargeCalls: with the memory that a run with the least memory gives the engine, months of calls with long
// results are written: several files at once would take more.
func TestPublishLargeCalls(t *testing.T) {
	long(t)
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "warehouse.duckdb")
	random := rand.New(rand.NewPCG(1, 2))
	result := make([]byte, 1<<20)
	for i := range result {
		result[i] = 'A' + byte(random.IntN(26))
	}
	const chats, calls, nextMonth, size = 16, 1_000, 900, 12_500
	mustLoad(t, path, func(tx *warehouse.Load) {
		for c := range chats {
			chat := fmt.Sprintf("%xc", c)
			rows := &schema.Rows{Conversations: []schema.Conversation{{SourceID: "s", ConversationID: chat}}}
			for i := range calls {
				when, id := loadStart+schema.Millis(i), fmt.Sprint("m", i)
				if i >= nextMonth {
					when += 31 * 24 * 60 * 60 * 1000
				}
				m := message(id, nil, nil)
				m.ConversationID, m.CreatedAt, m.CreatedAtSource = chat, &when, ptr("message")
				rows.Messages = append(rows.Messages, m)
				at := random.IntN(len(result) - size)
				rows.ToolCalls = append(rows.ToolCalls, schema.ToolCall{SourceID: "s", ConversationID: chat,
					MessageID: id, ToolKind: "shell", ResultBytes: ptr(int64(size)), Result: schema.JSON(`"` + string(result[at:at+size]) + `"`)})
			}
			tx.Replace(schema.OwnerKey{SourceID: "s", Kind: schema.KindConversation, ID: chat})
			if err := tx.Write(rows); err != nil {
				t.Fatal(err)
			}
		}
	})
	options := how()
	options.Memory = 120 << 20 // what a load leaves of 143 (docs/performance.md, Memory)
	out := filepath.Join(dir, "parquet")
	if _, err := in(out).Publish(t.Context(), path, options); err != nil {
		t.Fatal(err)
	}
	if files := tableFiles(t, filepath.Join(out, current(t, out)), "tool_calls"); len(files) != 8 {
		t.Errorf("the months are not divided: %q", files)
	}
}
