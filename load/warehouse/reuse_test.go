package warehouse_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"pipeline/load/inspect"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// months are the conversations of talks, and the months in which they begin.
var months = map[string]string{"a": "2023-11", "b": "2024-02", "c": "2024-05", "none": "unknown"}

// monthFile is where a month of a table is published.
func monthFile(table, conversation string) string {
	return filepath.Join(table, "month="+months[conversation], "part-0.parquet")
}

// talks loads conversations, each with a message and a call that hold a text.
func talks(t *testing.T, path, text string, conversations ...string) {
	t.Helper()
	mustLoad(t, path, func(tx *warehouse.Load) {
		for _, id := range conversations {
			c := schema.Conversation{SourceID: "s", ConversationID: id, Format: "rows", Title: &text}
			if month := months[id]; month != "unknown" {
				at, err := time.Parse("2006-01", month)
				if err != nil {
					t.Fatal(err)
				}
				c.CreatedAt = ptr(schema.Millis(at.UnixMilli()))
			}
			m := message(id+"-1", &text, nil)
			m.ConversationID, m.Position, m.CreatedAt = id, ptr(int64(0)), c.CreatedAt
			call := schema.ToolCall{SourceID: "s", ConversationID: id, MessageID: m.MessageID, ToolKind: "shell",
				Position: ptr(int64(0)), RawArgs: &text}
			tx.Replace(schema.OwnerNamed("s", "global", id))
			if err := tx.Write(&schema.Rows{Conversations: []schema.Conversation{c}, Messages: []schema.Message{m},
				ToolCalls: []schema.ToolCall{call}}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// isSame reports whether two names are of one file.
func isSame(t *testing.T, a, b string) bool {
	t.Helper()
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return os.SameFile(one, other)
}

// mustVerify: the publication is as it was written, and as the warehouse.
func mustVerify(t *testing.T, path, out string) {
	t.Helper()
	v, err := inspect.Verify(t.Context(), path, in(out))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range v.Damages {
		if strings.Contains(d.Where, out) { // the rows of these tests keep no promise
			t.Errorf("%s: %s", d.Where, d.Problem)
		}
	}
}

// What has not changed is linked: a month whose conversations are as they were, a table. What has is written, and so is
// all by another version.
func TestPublishReuses(t *testing.T) {
	long(t)
	t.Parallel()
	dir := t.TempDir()
	path, out := filepath.Join(dir, "warehouse.duckdb"), filepath.Join(dir, "parquet")
	talks(t, path, "first", "a", "b", "none")
	if p := publish(t, path, out, 1); p.Written != p.Files || p.Unchanged {
		t.Errorf("the first publication: %+v", p)
	}
	talks(t, path, "second", "b", "c")
	p := publish(t, path, out, 2)
	first, second := filepath.Join(out, "v-00000001"), filepath.Join(out, "v-00000002")
	reused := 0
	for _, f := range []struct {
		path string
		same bool
	}{
		{monthFile("messages", "a"), true}, {monthFile("tool_calls", "a"), true}, {monthFile("messages", "none"), true},
		{"prompts.parquet", true}, {monthFile("messages", "b"), false}, {monthFile("tool_calls", "b"), false},
		{"conversations.parquet", false}, {"loads.parquet", false},
	} {
		if got := isSame(t, filepath.Join(first, f.path), filepath.Join(second, f.path)); got != f.same {
			t.Errorf("%s is the same file: %t, want %t", f.path, got, f.same)
		}
	}
	for _, path := range slices.Concat(tableFiles(t, second, "messages"), tableFiles(t, second, "tool_calls")) {
		before := filepath.Join(first, strings.TrimPrefix(path, second))
		if _, err := os.Stat(before); err == nil && isSame(t, before, path) {
			reused++
		}
	}
	if reused != 4 || p.Written >= p.Files-reused || p.Written < 6 {
		t.Errorf("%d months are reused: %+v", reused, p)
	}
	mustVerify(t, path, out)
	if p := publish(t, path, out, 2); !p.Unchanged || p.Written != 0 {
		t.Errorf("publishing again: %+v", p)
	}
	newer := how()
	newer.ToolVersion = "newer"
	if p, err := in(out).Publish(t.Context(), path, newer); err != nil || p.Written != p.Files {
		t.Errorf("another version: %+v, %v", p, err)
	}
	if n := len(tableFiles(t, second, "messages")); n != 4 {
		t.Errorf("messages are in %d files", n)
	}
}

// A published file that somebody changed is never taken over, neither when the same load is published again nor with
// the next one.
func TestPublishRepairs(t *testing.T) {
	t.Parallel()
	long(t)
	alter := map[string]func(path string) error{
		"removed":         os.Remove,
		"another size":    func(path string) error { return os.WriteFile(path, []byte("PAR1"), 0o600) },
		"a byte":          flipByte,
		"an empty folder": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
		"the list is gone": func(path string) error {
			return os.Remove(filepath.Join(path, "..", "..", "..", "_manifest.json"))
		},
		"an unlisted file": func(path string) error {
			folder := filepath.Join(path, "..", "..", "month=2030-01")
			return errors.Join(os.Mkdir(folder, 0o700),
				os.WriteFile(filepath.Join(folder, "part-0.parquet"), nil, 0o600))
		},
	}
	for name, alter := range alter {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path, out := filepath.Join(dir, "warehouse.duckdb"), filepath.Join(dir, "parquet")
			talks(t, path, "x", "a", "b")
			publish(t, path, out, 1)
			altered := filepath.Join(out, "v-00000001", monthFile("messages", "a"))
			last := int64(1)
			if name == "a byte" || name == "removed" {
				last = 2 // with the next load
			}
			for id := int64(1); id <= last; id++ {
				if err := alter(altered); err != nil {
					t.Fatal(err)
				}
				if v, err := inspect.Verify(t.Context(), path, in(out)); err != nil ||
					!slices.ContainsFunc(v.Damages,
						func(d inspect.Damage) bool { return strings.Contains(d.Where, out) }) {
					t.Errorf("verify finds nothing: %+v, %v", v, err)
				}
				if id == 2 {
					talks(t, path, "y", "b")
				}
				if p := publish(t, path, out, id); p.Unchanged {
					t.Errorf("the altered publication is taken for whole: %+v", p)
				}
				mustVerify(t, path, out)
			}
		})
	}
}

// flipByte changes a byte in the middle of a file, and nothing else about it.
func flipByte(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b[len(b)/2] ^= 1
	return os.WriteFile(path, b, 0o600)
}

// Publications that have not been current for long enough are removed; what is current never, and nothing that is not
// ours.
func TestPublishRetires(t *testing.T) {
	t.Parallel()
	long(t)
	dir := t.TempDir()
	path, out := filepath.Join(dir, "warehouse.duckdb"), filepath.Join(dir, "parquet")
	o := how()
	for id := range 5 {
		talks(t, path, fmt.Sprint(id), "a")
		if _, err := in(out).Publish(t.Context(), path, o); err != nil {
			t.Fatal(err)
		}
		o.Now = o.Now.Add(25 * time.Minute)
	}
	// each was replaced 25 minutes after the one before: when the fifth took the fourth's place, the first had been out
	// of use for 75 minutes
	if got, want := publications(t, out), []string{"current", "v-00000002", "v-00000003", "v-00000004",
		"v-00000005"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	writeFile(t, filepath.Join(out, "v-00000002", "notes.txt"), "mine")
	writeFile(t, filepath.Join(out, "v-00000003", "messages", "mine.parquet"), "mine")
	writeFile(t, filepath.Join(out, "v-00000004", ".DS_Store"), "nobody's")
	for _, folder := range []string{"v-20240101", "v-20240102"} {
		if err := os.MkdirAll(filepath.Join(out, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(out, "v-20240101", "messages.parquet"), "mine, of the first of January")
	atOnce := in(out)
	atOnce.Keep = -1
	p, err := atOnce.Publish(t.Context(), path, o)
	if err != nil || !p.Unchanged || p.Removed != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	if got, want := publications(t, out), []string{"current", "v-00000002", "v-00000003", "v-00000005", "v-20240101",
		"v-20240102"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	mustVerify(t, path, out)
}

// Where files cannot be linked they are copied.
func TestPublishCopies(t *testing.T) {
	long(t)
	t.Parallel()
	far, err := os.MkdirTemp("/dev/shm", "pipeline-test-")
	if err != nil {
		t.Skip("there is no second file system:", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(far) })
	dir := t.TempDir()
	path, out := filepath.Join(dir, "warehouse.duckdb"), filepath.Join(dir, "parquet")
	talks(t, path, "x", "a", "b")
	publish(t, path, out, 1)
	first := filepath.Join(out, "v-00000001")
	if err := errors.Join(os.CopyFS(filepath.Join(far, "v-00000001"), os.DirFS(first)), os.RemoveAll(first),
		os.Symlink(filepath.Join(far, "v-00000001"), first)); err != nil {
		t.Fatal(err)
	}
	talks(t, path, "y", "b")
	if p := publish(t, path, out, 2); p.Written > p.Files/2 {
		t.Errorf("%+v", p)
	}
	mustVerify(t, path, out)
}

// TestPublicationReaders: 500 readers that each resolve current once and read every file below it, all at a time, while
// publications come and go. Each reads one publication whole: what marks a load is the same in all of its tables.
func TestPublicationReaders(t *testing.T) {
	t.Parallel()
	long(t)
	if runtime.GOOS == "windows" {
		t.Skip("current is a file there")
	}
	readers, loads := 500, 10
	if testing.Short() {
		readers, loads = 100, 4
	}
	dir := t.TempDir()
	path, out := filepath.Join(dir, "warehouse.duckdb"), filepath.Join(dir, "parquet")
	talks(t, path, "still", "a")
	talks(t, path, "2", "b", "c", "none")
	publish(t, path, out, 2)
	var mu sync.Mutex
	var group sync.WaitGroup
	last, published, seen := 2, sync.NewCond(&mu), map[string]int{}
	for i := range readers {
		group.Go(func() {
			mu.Lock()
			for last < 2+i%loads { // they come while the publications do
				published.Wait()
			}
			mu.Unlock()
			folder, err := readWhole(out)
			if err != nil {
				t.Errorf("reader %d: %v", i, err)
			}
			mu.Lock()
			seen[folder]++
			mu.Unlock()
		})
	}
	for id := 3; id < 2+loads; id++ {
		talks(t, path, fmt.Sprint(id), "b", "c", "none")
		publish(t, path, out, int64(id))
		mu.Lock()
		last = id
		mu.Unlock()
		published.Broadcast()
	}
	group.Wait()
	t.Logf("%d readers read %d publications", readers, len(seen))
	if len(seen) < 2 {
		t.Error("all read the same publication")
	}
}

// readWhole reads all files of the current publication, and compares their marks.
func readWhole(out string) (folder string, err error) {
	if folder, err = filepath.EvalSymlinks(filepath.Join(out, "current")); err != nil {
		return "", err
	}
	var number int
	if _, err := fmt.Sscanf(filepath.Base(folder), "v-%d", &number); err != nil {
		return "", err
	}
	mark := fmt.Sprint(number)
	want := map[string][]string{"conversations.title": {mark, mark, mark, "still"},
		"messages.text": {mark, mark, mark, "still"}, "tool_calls.raw_args": {mark, mark, mark, "still"}}
	for id := range number {
		want["loads.load_id"] = append(want["loads.load_id"], fmt.Sprint(id+1))
	}
	got := map[string][]string{}
	for _, t := range schema.Tables() {
		if t.Scope == schema.Internal {
			continue
		}
		one, err1 := filepath.Glob(filepath.Join(folder, t.Name+".parquet"))
		more, err2 := filepath.Glob(filepath.Join(folder, t.Name, "*", "*.parquet"))
		if err := errors.Join(err1, err2); err != nil || len(one)+len(more) == 0 {
			return folder, fmt.Errorf("%s: no file of %s: %w", folder, t.Name, err)
		}
		for _, path := range append(one, more...) {
			if err := readColumns(path, t.Name, want, got); err != nil {
				return folder, fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	for column, values := range want {
		slices.Sort(values)
		slices.Sort(got[column])
		if !slices.Equal(got[column], values) {
			return folder, fmt.Errorf("%s: %s is %v, want %v", folder, column, got[column], values)
		}
	}
	return folder, nil
}

// readColumns reads a file whole, and keeps the columns that are asked for.
func readColumns(path, name string, wanted map[string][]string, into map[string][]string) (err error) {
	f, err := file.OpenParquetFile(path, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		return err
	}
	data, err := r.ReadTable(context.Background())
	if err != nil {
		return err
	}
	defer data.Release()
	rows := array.NewTableReader(data, 0)
	defer rows.Release()
	for rows.Next() {
		for i, field := range data.Schema().Fields() {
			if column := name + "." + field.Name; wanted[column] != nil {
				for row := range int(rows.Record().NumRows()) {
					into[column] = append(into[column], rows.Record().Column(i).ValueStr(row))
				}
			}
		}
	}
	return rows.Err()
}
