package main

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"pipeline/load/rawlog"
	"pipeline/testdata/gen/storetest"
)

// unreadable are the ways in which a store that was sound is one no more.
var unreadable = []struct {
	name   string
	beside bool // the store of a workspace is there too, and sound
	do     func(path string) error
	says   string
}{
	{"cut in half", false, func(path string) error {
		return truncate(path, func(n int64) int64 { return n / 2 / 4096 * 4096 })
	}, "damaged"},
	{"cut inside a page", false, func(path string) error {
		return truncate(path, func(n int64) int64 { return n - 100 })
	}, "cut off"},
	{"0 bytes", false, storetest.WriteZeroBytes, "empty"},
	{"not a database", false, storetest.WriteNotADatabase, "not a SQLite database"},
	{"encrypted", false, encrypt, "not a SQLite database"},
	{"gone", false, os.Remove, "no such store"},
	{"cut in half, another beside it", true, func(path string) error {
		return truncate(path, func(n int64) int64 { return n / 2 / 4096 * 4096 })
	}, "damaged"},
	{"0 bytes, another beside it", true, storetest.WriteZeroBytes, "empty"},
	{"gone, another beside it", true, os.Remove, "no such store"},
}

func truncate(path string, to func(int64) int64) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, to(info.Size()))
}

// encrypt changes each byte, the header's too, as an encrypting build of SQLite does.
func encrypt(path string) error {
	b, err := os.ReadFile(path)
	for i := range b {
		b[i] ^= byte(i*7 + 0x5a)
	}
	return errors.Join(err, os.WriteFile(path, b, 0o600))
}

// TestUnreadable: a store that cannot be read ends a run with exit code 3 and a clear text. Nothing of it is taken for
// deleted, neither where it is the only store nor where others beside it are loaded.
func TestUnreadable(t *testing.T) {
	long(t)
	for _, c := range unreadable {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			unreadableStore(newCLITest(t), c.do, c.says, c.beside)
		})
	}
}

func unreadableStore(w *cliTest, damage func(string) error, says string, beside bool) {
	var rows []storetest.Row
	for _, id := range []string{"one", "two", "three"} {
		rows = append(rows, talk(id, "question "+strings.Repeat("q", 3000), "answer "+strings.Repeat("a", 9000))...)
	}
	w.store(rows, storetest.StoreOptions{})
	if beside {
		w.must(storetest.WriteStore(filepath.Join(w.user, "workspaceStorage", "ws", "state.vscdb"),
			[]storetest.Row{{Table: storetest.ItemTable,
				Key:   "composer.composerData",
				Value: `{"allComposers":[{"composerId":"inline","createdAt":1760000000000,"conversation":[{"type":1,"text":"hello"}]}]}`}}, storetest.StoreOptions{NoDiskKV: true}))
	}
	w.run(0)
	w.must(damage(w.global()))
	before, live := files(w.t, w.dir),
		w.ask("SELECT conversation_id, message_id, position, text FROM live_messages ORDER BY ALL")
	_, said := w.run(3, "--accept-deletes")
	for _, part := range []string{says, "Likely cause", w.user} {
		if !strings.Contains(said, part) {
			w.t.Errorf("it says %q, want %q", said, part)
		}
	}
	if !beside {
		after := files(w.t, w.dir)
		// the run is noted
		aside := func(path, _ string) bool {
			return strings.HasSuffix(path, ".lock") ||
				strings.HasSuffix(path, ".runs")
		}
		maps.DeleteFunc(before, aside)
		maps.DeleteFunc(after, aside)
		w.same("the files", before, after)
	}
	w.same("the live messages", live,
		w.ask("SELECT conversation_id, message_id, position, text FROM live_messages ORDER BY ALL"))
	for _, table := range []string{"conversations", "messages", "tool_calls", "prompts"} {
		w.same("what is deleted of "+table, [][]string{{"0"}},
			w.ask("SELECT count(*) FROM "+table+" WHERE deleted_at IS NOT NULL"))
	}
	w.same("the rows that the raw layer calls gone", 0, bytes.Count(valueTypes(w), []byte("gone")))
}

// valueTypes are those of all rows of the raw layer, read by Arrow alone.
func valueTypes(w *cliTest) []byte {
	var types []byte
	names, err := filepath.Glob(filepath.Join(rawlog.Dir(w.warehouse), "test", "*.parquet"))
	w.must(err)
	if len(names) == 0 {
		w.t.Error("there is no raw layer")
	}
	for _, name := range names {
		f, err := file.OpenParquetFile(name, false)
		w.must(err)
		r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
		w.must(err)
		table, err := r.ReadTable(w.t.Context())
		w.must(err)
		column := table.Column(table.Schema().FieldIndices("value_type")[0])
		for _, chunk := range column.Data().Chunks() {
			for i := range chunk.Len() {
				types = append(types, chunk.(*array.String).Value(i)+" "...)
			}
		}
		table.Release()
		w.must(f.Close())
	}
	return types
}
