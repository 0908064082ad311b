package pipelines_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"pipeline/load/rawlog"
	"pipeline/pipelines"
)

// rawVersion is a row of the raw layer, read by Arrow alone.
type rawVersion struct {
	seq                                       int
	store, table, key, valueType, value, hash string
	keyNull                                   bool
}

// rawRows reads every file of a raw layer, in the order of their numbers.
func rawRows(t *testing.T, dir string) (out []rawVersion) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.parquet"))
	must(t, err)
	for _, name := range files {
		seq, err := strconv.Atoi(strings.TrimSuffix(name[strings.LastIndex(name, "-")+1:], ".parquet"))
		must(t, err)
		f, err := file.OpenParquetFile(name, false)
		must(t, err)
		r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
		must(t, err)
		table, err := r.ReadTable(t.Context())
		must(t, err)
		rows := array.NewTableReader(table, 0)
		for rows.Next() {
			rec := rows.Record()
			text := func(column string, i int) string {
				c := rec.Column(rec.Schema().FieldIndices(column)[0])
				if c.IsNull(i) {
					return ""
				}
				if b, ok := c.(*array.Binary); ok {
					return string(b.Value(i))
				}
				return c.(*array.String).Value(i)
			}
			for i := range int(rec.NumRows()) {
				out = append(out, rawVersion{seq, text("store", i), text("table", i), text("key", i),
					text("value_type", i), text("value", i), text("hash", i), text("key_type", i) == "null"})
			}
		}
		rows.Release()
		table.Release()
		must(t, f.Close())
	}
	slices.SortStableFunc(out, func(a, b rawVersion) int { return a.seq - b.seq })
	return out
}

func (v rawVersion) row() string { return v.store + " " + v.table + " " + v.key }

// checkRaw holds the raw layer against the versions that runs saw: each of them once, and the last of each row is what
// the store holds.
func (w *historyChecker) checkRaw() {
	w.t.Helper()
	times, last := w.rawVersions()
	for version, n := range times {
		if n != 1 {
			w.t.Errorf("the raw layer has %d times %s", n, version)
		}
	}
	for version := range w.versions {
		if times[version] == 0 {
			w.t.Errorf("the raw layer lacks %s", version)
		}
	}
	present := map[string]string{}
	for _, s := range w.store {
		for key, f := range s.rows {
			present[inGlobal+key] = f.version()
		}
	}
	maps.DeleteFunc(last, func(row, _ string) bool { return !strings.HasPrefix(row, inGlobal) })
	same(w.t, "what the raw layer holds at last", present, last)
	w.did["versions in the raw layer"] += len(times)
}

// inGlobal begins what a rawVersion of a row of the global store says of its row.
const inGlobal = "global cursorDiskKV "

// rawVersions counts how often the raw layer has each version, and says which is the last of each row that is there.
func (w *historyChecker) rawVersions() (times map[string]int, last map[string]string) {
	w.t.Helper()
	times, last = map[string]int{}, map[string]string{}
	byHash := map[string]string{}
	for _, v := range rawRows(w.t, rawlog.Dir(w.warehouse())) {
		row, version := v.row(), v.valueType+" "+v.value
		switch {
		case v.valueType != "gone":
			times[row+" "+version]++
			byHash[row+" "+v.hash] = version
			last[row] = version
		case v.hash == "":
			delete(last, row)
		default:
			last[row] = byHash[row+" "+v.hash]
		}
	}
	return times, last
}

// notRebuilt are tables that say what a run did, or what the next one may trust.
var notRebuilt = []string{"loads", "load_stores", "raw_files", "key_families", "load_elements", "_owners",
	"_known_stores", "_meta", "_changes"}

// checkRebuild makes the warehouse anew from the raw layer alone. All of it must be as it is, times and loads too, but
// for tables that count what the layer holds and no longer may.
func (w *historyChecker) checkRebuild(but ...string) {
	w.t.Helper()
	again := &fixture{t: w.t, dir: filepath.Join(w.dir, "again"), user: filepath.Join(w.dir, "nowhere")}
	must(w.t, os.MkdirAll(again.dir, 0o700))
	must(w.t, os.CopyFS(rawlog.Dir(again.warehouse()), os.DirFS(rawlog.Dir(w.warehouse()))))
	r, err := pipelines.Rebuild(w.t.Context(), pipelines.Options{Warehouse: again.warehouse(), ToolVersion: "test"},
		false)
	must(w.t, err)
	for _, f := range r.Failures {
		w.t.Errorf("rebuild: check %s failed in %d rows: %s", f.Check, f.Rows, f.First)
	}
	tables := slices.DeleteFunc(allTables(), func(name string) bool {
		return slices.Contains(append(but, notRebuilt...), name)
	})
	want := w.dump(tables...)
	same(w.t, "the warehouse that was made anew", want, again.dump(tables...))
	// The next run reads the stores, which hold nothing new. It meets those that are empty: no row of the raw layer
	// tells of them.
	again.user = w.user
	c := again.run(nil, func(o *pipelines.Options) { o.Now = func() time.Time { return w.now.Add(time.Hour) } }).
		Conversations
	same(w.t, "the run after it", pipelines.ConversationCount{Unchanged: c.Unchanged}, c)
	same(w.t, "the warehouse after that", want.drop("last_seen_at"), again.dump(tables...).drop("last_seen_at"))
	if a, b := rawRows(w.t, rawlog.Dir(w.warehouse())),
		rawRows(w.t, rawlog.Dir(again.warehouse())); !slices.Equal(a, b) {
		w.t.Errorf("the raw layer has %d rows after that, and had %d", len(b), len(a))
	}
	w.did["rebuild"]++
	w.did["loads made anew"] += r.Loads
	again.warehouse()
	must(w.t, os.RemoveAll(again.dir))
}
