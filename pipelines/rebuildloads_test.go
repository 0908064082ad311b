package pipelines_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pipeline/load/rawlog"
	"pipeline/pipelines"
)

// TestDeadLoads: files of loads that did not commit are taken in, and what the stores hold by then counts, not what
// those loads saw.
func TestDeadLoads(t *testing.T) {
	t.Parallel()
	long(t)
	a := baseUserDir().withFolder("ws2", folder{json: `{"folder":"file:///src/two"}`,
		items: map[string]any{"aiService.prompts": `[{"text":"p"}]`}})
	b := a.replaced(t, keyA2, "An answer", "Another").with("composerData:new", `{"name":"New"}`, "ofsContent:x", "b").
		withFolder("ws1", folder{json: `{"folder":"file:///src/moved"}`}).
		withFolder("ws3", folder{json: `{"folder":"file:///src/three"}`})
	for name, now := range map[string]*userDir{"still there": b, "back": a,
		"another": b.replaced(t, keyA2, "Another", "A third")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newFixture(t)
			l.run(a.with("ofsContent:x", "a"))
			before, err := os.ReadFile(l.warehouse())
			must(t, err)
			l.run(b)
			must(t, os.WriteFile(l.warehouse(), before, 0o600)) // as if the run had died before its commit
			l.run(now.with("ofsContent:x", "a"))
			orphan, err := filepath.Glob(filepath.Join(rawlog.Dir(l.warehouse()), "test", "*-2.parquet"))
			must(t, err)
			same(t, "the file of the dead run", 1, len(orphan))
			same(t, "whether it is named", [][]string{{"1"}},
				l.ask(`SELECT count(*) FROM raw_files WHERE path = 'test/`+filepath.Base(orphan[0])+`'`))
			last, hashes := map[string]string{}, map[string]string{}
			for _, v := range rawRows(t, rawlog.Dir(l.warehouse())) {
				if v.valueType != "gone" {
					hashes[v.hash] = v.value
				}
				if last[v.row()] = hashes[v.hash]; v.hash == "" {
					delete(last, v.row())
				}
			}
			same(t, "what the raw layer holds at last", now.rows[keyA2].(string), last["global cursorDiskKV "+keyA2])
			same(t, "of a family without a table", "a", last["global cursorDiskKV ofsContent:x"])
			_, has := last["global cursorDiskKV composerData:new"]
			same(t, "of the new conversation", now.rows["composerData:new"] != nil, has)
			again := &fixture{t: t, dir: filepath.Join(l.dir, "again")}
			must(t, os.MkdirAll(again.dir, 0o700))
			must(t, os.CopyFS(rawlog.Dir(again.warehouse()), os.DirFS(rawlog.Dir(l.warehouse()))))
			_, err = pipelines.Rebuild(t.Context(),
				pipelines.Options{Warehouse: again.warehouse(), ToolVersion: "test"}, false)
			must(t, err)
			tables := slices.DeleteFunc(allTables(),
				func(name string) bool { return slices.Contains(notRebuilt, name) })
			same(t, "the warehouse that was made anew", l.dump(tables...), again.dump(tables...))
		})
	}
}

// TestRebuildPartial: a load in which a store could not be read changes no row but when the source was last seen; so
// does it made anew.
func TestRebuildPartial(t *testing.T) {
	concurrent(t)
	long(t)
	t.Parallel()
	l := newFixture(t)
	w := baseUserDir().withFolder("ws2", folder{json: `{"folder":"file:///src/two"}`,
		items: map[string]any{"aiService.prompts": `[{"text":"p"}]`}})
	l.run(w)
	w.withFolder("ws2", folder{json: `{"folder":"file:///src/two"}`, garbage: true}).write(t, l.user)
	same(t, "the status", "partial", mustRun(t, l.options()).Status)
	same(t, "when it was last seen", [][]string{{clock(2)}}, l.ask(`SELECT last_seen_at FROM sources`))
	again := &fixture{t: t, dir: filepath.Join(l.dir, "again")}
	must(t, os.MkdirAll(again.dir, 0o700))
	must(t, os.CopyFS(rawlog.Dir(again.warehouse()), os.DirFS(rawlog.Dir(l.warehouse()))))
	_, err := pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: again.warehouse(), ToolVersion: "test"},
		false)
	must(t, err)
	tables := slices.DeleteFunc(allTables(), func(name string) bool { return slices.Contains(notRebuilt, name) })
	same(t, "the warehouse that was made anew", l.dump(tables...), again.dump(tables...))
}

// TestRebuildOfLongTexts: texts that do not fit into a small budget are in the new warehouse, too.
func TestRebuildOfLongTexts(t *testing.T) {
	t.Parallel()
	long(t)
	l, w := newFixture(t), baseUserDir()
	for i := range 4000 {
		text := strings.Repeat(fmt.Sprintf("%x ", sha256.Sum256([]byte{byte(i), byte(i >> 8)})), 450)
		w.rows[fmt.Sprintf("bubbleId:alpha:long%d", i)] = fmt.Sprintf(`{"_v":2,"type":2,"bubbleId":"long%d","text":%q}`,
			i, text)
	}
	small := func(o *pipelines.Options) { o.Memory = pipelines.MinMemory }
	l.run(w, small)
	before := l.ask(`SELECT count(*), sum(strlen(text)) FROM messages`)
	_, err := pipelines.Rebuild(t.Context(), l.options(small), false)
	must(t, err)
	if after := l.ask(`SELECT count(*), sum(strlen(text)) FROM messages`); !reflect.DeepEqual(before, after) {
		t.Errorf("messages and bytes: %v, after a rebuild %v", before, after)
	}
}
