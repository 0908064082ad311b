package pipelines_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load/inspect"
	"pipeline/load/rawlog"
	"pipeline/pipelines"
)

// evolved loads six states of a small store, at one to six o'clock. Of alpha a3 loses its tool call at three; of its
// other rows it rewrites a2 at two, three, four and five, and its head at three, five and six. beta's b2 is rewritten
// and then gone, b1 is unusable for a time, gamma goes.
func evolved(t *testing.T) *fixture {
	l := newFixture(t)
	w := baseUserDir().withFolder("ws1", folder{`{"folder":"file:///src/one"}`,
		map[string]any{"aiService.prompts": `[{"text":"p1"}]`}, false}).
		with("composerData:delta", `{"name":"Delta"}`)
	l.run(w)
	w = w.replaced(t, keyA2, "An answer", "A2 at two").replaced(t, keyB2, "Reply", "B2 at two").with(keyB1, `not JSON`)
	l.run(w)
	w = w.replaced(t, keyA2, "A2 at two", "A2 at three").replaced(t, keyAlpha, `"Alpha"`, `"Alpha at three"`).
		without("composerData:gamma", keyB2).with(keyB1, bubbleB1).
		with(keyA3, `{"_v":2,"type":2,"bubbleId":"a3","text":"no call","createdAt":"2025-10-09T08:56:20Z"}`).
		withFolder("ws1", folder{`{"folder":"file:///src/one"}`, map[string]any{"aiService.prompts": `[{"text":"p2"}]`},
			false})
	l.run(w)
	w = w.replaced(t, keyA2, "A2 at three", "An answer").replaced(t, keyBeta, `"Beta"`, `"Beta at four"`)
	l.run(w)
	w = w.replaced(t, keyA2, "An answer", "A2 at five").replaced(t, keyAlpha, `"Alpha at three"`, `"Alpha at five"`).
		replaced(t, keyBeta, `"Beta at four"`, `"Beta at five"`).
		with("composerData:delta", `{"name":"Delta at five"}`)
	l.run(w)
	l.run(w.replaced(t, keyAlpha, `"Alpha at five"`, `"Alpha at six"`))
	return l
}

// copied is the fixture with a copy of the store, the warehouse and its raw layer.
func (l *fixture) copied(t *testing.T) *fixture {
	t.Helper()
	c := newFixture(t)
	c.runs = l.runs
	must(t, os.CopyFS(c.user, os.DirFS(l.user)))
	must(t, os.CopyFS(rawlog.Dir(c.warehouse()), os.DirFS(rawlog.Dir(l.warehouse()))))
	b, err := os.ReadFile(l.warehouse())
	must(t, errOf(err, os.WriteFile(c.warehouse(), b, 0o600)))
	return c
}

func errOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// told are the versions of the rows whose keys have a word in them, as the layer's files have them, by load.
func (l *fixture) told(word string) map[string]string {
	l.t.Helper()
	all := l.raw()
	slices.SortStableFunc(all, func(a, b rawRow) int { return cmp.Compare(a["load_id"].(int64), b["load_id"].(int64)) })
	out := map[string]string{}
	for _, r := range all {
		if !strings.Contains(r.text("key"), word) {
			continue
		}
		text := r.text("value_type")
		if at := strings.Index(r.text("value"), `"text":"`); at >= 0 {
			text, _, _ = strings.Cut(r.text("value")[at+8:], `"`)
		} else if at := strings.Index(r.text("value"), `"name":"`); at >= 0 {
			text, _, _ = strings.Cut(r.text("value")[at+8:], `"`)
		} else if text != "gone" {
			text = r.text("value")
		}
		if text == "gone" && r["hash"] != nil {
			text = "back"
		}
		out[r.text("key")] += fmt.Sprintf("%d: %s; ", r["load_id"], text)
	}
	return out
}

func (l *fixture) compact() *pipelines.Compacted {
	l.t.Helper()
	out, err := pipelines.Compact(l.t.Context(), l.options(), true)
	must(l.t, err)
	return out
}

// sound holds the warehouse and its layer against each other.
func (l *fixture) sound() {
	l.t.Helper()
	v, err := inspect.Verify(l.t.Context(), l.warehouse())
	must(l.t, err)
	for _, d := range v.Damages {
		l.t.Errorf("%s: %s", d.Where, d.Problem)
	}
	same(l.t, "what verify notes", []string{}, v.Notes)
	same(l.t, "the named files", l.rawFound(), l.rawNamed())
}

// promised are the tables that housekeeping leaves as they are.
func (l *fixture) promised() cells {
	return l.dump(slices.DeleteFunc(allTables(),
		func(name string) bool { return name == "_known_rows" || name == "_raw_parts" || name == "_meta" })...)
}

// TestHousekeeping: a compact leaves every table, every version, and what a rebuild makes, as they are. A second time
// changes nothing.
func TestHousekeeping(t *testing.T) {
	t.Parallel()
	long(t)
	base := evolved(t)
	before, all := base.promised(), base.told("alpha")
	t.Run("compact", func(t *testing.T) {
		t.Parallel()
		l := base.copied(t)
		plan, err := pipelines.Compact(t.Context(), l.options(), false)
		must(t, err)
		same(t, "what it would do", []int{6, 6, 1}, []int{plan.Raw.AllFiles, plan.Raw.Files, plan.Raw.Into})
		same(t, "the files after a look", 6, len(l.rawFound()))
		done := l.compact()
		same(t, "what it did", []int{6, 6, 1}, []int{done.Raw.AllFiles, done.Raw.Files, done.Raw.Into})
		same(t, "the files", []string{"test/00000000-1-6.parquet"}, l.rawFound())
		same(t, "the tables", before, l.promised())
		same(t, "the versions", all, l.told("alpha"))
		l.sound()
		files := l.files()
		again := l.compact()
		same(t, "what it did again", []any{0, false}, []any{again.Raw.Into, again.Warehouse.Done})
		same(t, "the raw layer after it", files["w.duckdb.raw"], l.files()["w.duckdb.raw"])
		// What a run finds then counts on, and a new file stands beside the large one.
		l.adds("the next run", stories{"global " +
			keyA2: {`back: text ` + strings.Replace(bubbleA2, "An answer", "A2 at two", 1)}},
			base.userDir(t).replaced(t, keyA2, "A2 at five", "A2 at two"))
		same(t, "both files", 1, l.compact().Raw.Into)
		l.sound()
		l.rebuilt()
	})
	for _, name := range []string{"00000003-3.parquet", "00000006-6.parquet"} { // one in between, and the newest
		t.Run("a lost file/"+name, func(t *testing.T) { t.Parallel(); testLostFile(t, base.copied(t), name) })
	}
	t.Run("from a backup", func(t *testing.T) { t.Parallel(); testRestoredHouse(t, base.copied(t), maps.Clone(all)) })
}

// userDir is the last state of evolved.
func (l *fixture) userDir(t *testing.T) *userDir {
	t.Helper()
	return baseUserDir().replaced(t, keyA2, "An answer", "A2 at five").
		replaced(t, keyAlpha, `"Alpha"`, `"Alpha at six"`).replaced(t, keyBeta, `"Beta"`, `"Beta at five"`).
		without("composerData:gamma", keyB2).
		with(keyA3, `{"_v":2,"type":2,"bubbleId":"a3","text":"no call","createdAt":"2025-10-09T08:56:20Z"}`,
			"composerData:delta", `{"name":"Delta at five"}`).
		withFolder("ws1", folder{`{"folder":"file:///src/one"}`, map[string]any{"aiService.prompts": `[{"text":"p2"}]`},
			false})
}

// testLostFile: a merged file covers no number whose file is away: once it is put back, its versions are there again.
func testLostFile(t *testing.T, l *fixture, file string) {
	all := l.told("alpha")
	name := filepath.Join(rawlog.Dir(l.warehouse()), "test", file)
	away := filepath.Join(t.TempDir(), "away")
	must(t, os.Rename(name, away))
	l.run(nil, func(o *pipelines.Options) { o.Warn = func(string, ...any) {} })
	l.compact()
	for _, path := range l.rawFound() {
		merged, _ := rawlog.Parse(path)
		if away, _ := rawlog.Parse("test/" + file); merged.IsMerged() && merged.First <= away.Seq &&
			away.Seq <= merged.Seq {
			t.Errorf("%s covers a file that is away", path)
		}
	}
	must(t, os.Rename(away, name))
	l.run(nil)
	for key, versions := range l.told("alpha") {
		for version := range strings.SplitSeq(all[key], "; ") {
			if !strings.Contains(versions, version) {
				t.Errorf("%s lacks the version %q: %s", key, version, versions)
			}
		}
	}
	l.sound()
}

// testRestoredHouse: a warehouse from a backup names files whose place others have taken meanwhile.
func testRestoredHouse(t *testing.T, l *fixture, all map[string]string) {
	restore := l.backup()
	same(t, "the files", 1, l.compact().Raw.Into)
	one, err := os.ReadFile(filepath.Join(rawlog.Dir(l.warehouse()), "test", "00000000-1-6.parquet"))
	must(t, err)
	l.runs = 7
	l.run(l.userDir(t).replaced(t, keyA2, "A2 at five", "A2 at eight"))
	same(t, "the files again", 1, l.compact().Raw.Into)
	restore()
	// An interrupted removal left a file of before, and the one in between.
	must(t, os.WriteFile(filepath.Join(rawlog.Dir(l.warehouse()), "test", "00000000-1-6.parquet"), one, 0o600))
	var warned []string
	l.runs = 8
	l.run(nil, func(o *pipelines.Options) {
		o.Warn = func(format string, args ...any) { warned = append(warned, fmt.Sprintf(format, args...)) }
	})
	same(t, "what the run warns of", []string(nil), warned)
	all[keyA2] += "7: A2 at eight; "
	same(t, "the versions", all, l.told("alpha"))
	l.sound()
	l.adds("quiet", nil, nil)
}
