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
	"time"

	"pipeline/load/inspect"
	"pipeline/load/maintain"
	"pipeline/load/rawlog"
	"pipeline/load/versions"
	"pipeline/pipelines"
)

// evolved loads six states of a small store, at one to six o'clock. Of alpha a3 loses its tool call at three; of its other rows it rewrites a2 at two, three,
// four and five, and its head at three, five and six. beta's b2 is rewritten and then gone, b1 is unusable for a time, gamma goes.
func evolved(t *testing.T) *fixture {
	l := newFixture(t)
	w := baseUserDir().withFolder("ws1", folder{`{"folder":"file:///src/one"}`, map[string]any{"aiService.prompts": `[{"text":"p1"}]`}, false}).
		with("composerData:delta", `{"name":"Delta"}`)
	l.run(w)
	w = w.replaced(t, keyA2, "An answer", "A2 at two").replaced(t, keyB2, "Reply", "B2 at two").with(keyB1, `not JSON`)
	l.run(w)
	w = w.replaced(t, keyA2, "A2 at two", "A2 at three").replaced(t, keyAlpha, `"Alpha"`, `"Alpha at three"`).without("composerData:gamma", keyB2).with(keyB1, bubbleB1).
		with(keyA3, `{"_v":2,"type":2,"bubbleId":"a3","text":"no call","createdAt":"2025-10-09T08:56:20Z"}`).
		withFolder("ws1", folder{`{"folder":"file:///src/one"}`, map[string]any{"aiService.prompts": `[{"text":"p2"}]`}, false})
	l.run(w)
	w = w.replaced(t, keyA2, "A2 at three", "An answer").replaced(t, keyBeta, `"Beta"`, `"Beta at four"`)
	l.run(w)
	w = w.replaced(t, keyA2, "An answer", "A2 at five").replaced(t, keyAlpha, `"Alpha at three"`, `"Alpha at five"`).replaced(t, keyBeta, `"Beta at four"`, `"Beta at five"`).
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
		} else if text != "gone" && text != "removed" {
			text = r.text("value")
		}
		if text == "gone" && r["hash"] != nil {
			text = "back"
		}
		out[r.text("key")] += fmt.Sprintf("%d: %s; ", r["load_id"], text)
	}
	return out
}

// later are the options of a command some time after the last run.
func (l *fixture) later(retention time.Duration) pipelines.Options {
	o := l.options()
	o.Retention = retention
	return o
}

func (l *fixture) retain(retention time.Duration) *maintain.Retention {
	l.t.Helper()
	r, err := pipelines.Retain(l.t.Context(), l.later(retention), true)
	must(l.t, err)
	return r
}

func (l *fixture) compact() *pipelines.Compacted {
	l.t.Helper()
	out, err := pipelines.Compact(l.t.Context(), l.later(0), true)
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
	return l.dump(slices.DeleteFunc(allTables(), func(name string) bool { return name == "_known_rows" || name == "_raw_parts" || name == "_meta" })...)
}

// kept are the versions of alpha and beta that retention leaves at half past five, by hand. What was superseded at six stays. Of alpha all stays that was
// there when the tool call went at three, of beta what was there when b2 went; b1 was quarantined. The answer of a2 was there again at four.
var kept = map[string]string{
	keyAlpha:             "1: Alpha; 3: removed; 5: Alpha at five; 6: Alpha at six; ",
	keyA1:                "1: First question; ",
	keyA2:                "1: removed; 2: A2 at two; 3: removed; 4: back; 5: A2 at five; ",
	keyA3:                "1: run_terminal_command_v2; 3: no call; ",
	"composerData:delta": "1: removed; 5: Delta at five; ",

	keyBeta: "1: Beta; 4: removed; 5: Beta at five; ",
	keyB1:   "1: Second question; 2: not JSON; 3: back; ",
	keyB2:   "1: removed; 2: B2 at two; 3: gone; ",
}

// TestRetentionBesideNothing: retention leaves a version that holds nothing, for the row was not there then; and no such version stands for one
// that was there and went to retention. A rebuild finds both conversations when the runs found them.
func TestRetentionBesideNothing(t *testing.T) {
	t.Parallel()
	long(t)
	l := newFixture(t)
	w := baseUserDir().without("composerData:beta", "composerData:gamma", keyB1, keyB2)
	head := func(key, name string) string { return `{"_v":13,"composerId":"` + key + `","name":"` + name + `"}` }
	for _, state := range [][2]any{ // of late, which comes after it held nothing, and of again, which held nothing for a time
		{nil, head("again", "one")},
		{head("late", "two"), []byte{0}},
		{head("late", "three"), head("again", "three")},
		{head("late", "four"), head("again", "four")},
	} {
		l.run(w.with("composerData:late", state[0], "composerData:again", state[1]))
	}
	l.runs++ // an hour in which none of this was the last state
	l.retain(time.Minute)
	same(t, "the versions of late", "1: ; 2: removed; 3: removed; 4: four; ", l.told("late")["composerData:late"])
	l.rebuilt()
	l.sound()
}

// TestHousekeeping: retention and compact leave every table, and what a rebuild makes, as they are; of the raw layer retention leaves what it must, and
// compact every version. A second time changes nothing.
func TestHousekeeping(t *testing.T) {
	t.Parallel()
	long(t)
	base := evolved(t)
	before, all := base.promised(), base.told("alpha")
	t.Run("retention", func(t *testing.T) { t.Parallel(); testRetention(t, base.copied(t), before) })
	t.Run("compact", func(t *testing.T) {
		t.Parallel()
		l := base.copied(t)
		plan, err := pipelines.Compact(t.Context(), l.later(0), false)
		must(t, err)
		same(t, "what it would do", []int{6, 6, 1}, []int{plan.Raw.AllFiles, plan.Raw.Files, plan.Raw.Into})
		same(t, "the files after a look", 6, len(l.rawFound()))
		done := l.compact()
		same(t, "what it did", []int{6, 6, 1}, []int{done.Raw.AllFiles, done.Raw.Files, done.Raw.Into})
		same(t, "the files", []string{"test/00000000-7.parquet"}, l.rawFound())
		same(t, "the tables", before, l.promised())
		same(t, "the versions", all, l.told("alpha"))
		l.sound()
		files := l.files()
		again := l.compact()
		same(t, "what it did again", []any{0, false}, []any{again.Raw.Into, again.Warehouse.Done})
		same(t, "the raw layer after it", files["w.duckdb.raw"], l.files()["w.duckdb.raw"])
		// What a run finds then counts on, and a new file stands beside the large one.
		l.adds("the next run", stories{"global " + keyA2: {`back: text ` + strings.Replace(bubbleA2, "An answer", "A2 at two", 1)}}, base.userDir(t).replaced(t, keyA2, "A2 at five", "A2 at two"))
		same(t, "both files", 1, l.compact().Raw.Into)
		same(t, "retention afterwards", kept[keyAlpha], func() string { l.retain(6*time.Hour + 30*time.Minute); return l.told("alpha")[keyAlpha] }())
		l.sound()
		l.rebuilt()
	})
	t.Run("a run applies it", func(t *testing.T) { t.Parallel(); testRunRetains(t, base.copied(t)) })
	t.Run("from a backup", func(t *testing.T) { t.Parallel(); testRestoredHouse(t, base.copied(t), maps.Clone(all)) })
}

// userDir is the last state of evolved.
func (l *fixture) userDir(t *testing.T) *userDir {
	t.Helper()
	return baseUserDir().replaced(t, keyA2, "An answer", "A2 at five").replaced(t, keyAlpha, `"Alpha"`, `"Alpha at six"`).replaced(t, keyBeta, `"Beta"`, `"Beta at five"`).without("composerData:gamma", keyB2).
		with(keyA3, `{"_v":2,"type":2,"bubbleId":"a3","text":"no call","createdAt":"2025-10-09T08:56:20Z"}`, "composerData:delta", `{"name":"Delta at five"}`).
		withFolder("ws1", folder{`{"folder":"file:///src/one"}`, map[string]any{"aiService.prompts": `[{"text":"p2"}]`}, false})
}

func testRetention(t *testing.T, l *fixture, before cells) {
	half := 90 * time.Minute // at seven
	plan, err := pipelines.Retain(t.Context(), l.later(half), false)
	must(t, err)
	l.runs--
	same(t, "what would go", []int64{6, 3}, []int64{plan.Versions, int64(plan.Files)})
	same(t, "the files after a look", 6, len(l.rawFound()))
	done := l.retain(half)
	same(t, "what went", []int64{plan.Versions, plan.Bytes}, []int64{done.Versions, done.Bytes})
	got := l.told("alpha")
	maps.Copy(got, l.told("beta"))
	maps.Copy(got, l.told("delta"))
	same(t, "the versions", kept, got)
	same(t, "the tables", before, l.promised())
	l.sound()
	same(t, "what goes a second time", int64(0), l.retain(2*time.Hour+30*time.Minute).Versions)

	h, err := versions.OpenHistory(t.Context(), l.warehouse())
	must(t, err)
	defer h.Close()
	rows, err := h.Rows(t.Context(), versions.RowFilter{Name: keyA2})
	must(t, err)
	var events []string
	for _, v := range rows[0].Versions {
		events = append(events, fmt.Sprint(v.LoadID, v.Event, v.Again, v.ValueType))
	}
	same(t, "the history", []string{"1new0removed", "2changed0text", "3changed0removed", "4again1removed", "5changed0text"}, events)
	_, err = h.Value(t.Context(), &rows[0], &rows[0].Versions[0])
	says(t, err, "version 1", "removed by retention")

	// A value that was removed and comes back is written again, with all of it.
	l.runs = 9
	l.run(l.userDir(t).replaced(t, keyA2, "A2 at five", "An answer"))
	same(t, "a removed version that is back", kept[keyA2]+"7: An answer; ", l.told("alpha")[keyA2])
	l.sound()
	l.rebuilt()
}

func testRunRetains(t *testing.T, l *fixture) {
	ask := func() string {
		return l.ask(`SELECT count(*) FROM internal._known_rows WHERE is_mark AND hash IS NOT NULL`)[0][0]
	}
	retention := func(o *pipelines.Options) { o.Retention = 90 * time.Minute }
	was := ask()
	r := l.run(nil, retention)
	same(t, "what the run says", int64(6), r.Retention.Versions)
	if ask() == was {
		t.Error("nothing was removed")
	}
	l.sound()
	if r := l.run(nil, retention); r.Retention != nil {
		t.Errorf("it was applied again within the day: %+v", r.Retention)
	}
	// It refuses a layer with a damaged file: the load is in, and the run says of both what is to be done. Put back, a run takes the file in first.
	name := l.rawFound()[0]
	file := filepath.Join(rawlog.Dir(l.warehouse()), name)
	whole, err := os.ReadFile(file)
	must(t, err)
	must(t, os.Truncate(file, 100))
	var warned []string
	next := func(answer string) *pipelines.Result {
		l.runs += 30
		l.userDir(t).replaced(t, keyA2, "A2 at five", answer).write(t, l.user)
		warned = nil
		return mustRun(t, l.options(retention, func(o *pipelines.Options) {
			o.Warn = func(format string, args ...any) { warned = append(warned, fmt.Sprintf(format, args...)) }
		}))
	}
	for _, answer := range []string{"A2 beside it", "A2 once more"} {
		r = next(answer)
		if r.Status != "check_failed" || len(r.Failures) != 1 || !strings.Contains(r.Failures[0].First, name) {
			t.Errorf("the run ends as %s with %v", r.Status, r.Failures)
		}
		if len(warned) != 2 || !strings.Contains(warned[0], file) || !strings.Contains(warned[1], "--retention was not applied") || !strings.Contains(warned[1], file) {
			t.Errorf("the run warned of %q", warned)
		}
		same(t, "what is said of it", (*maintain.Retention)(nil), r.Retention)
		same(t, "the answer", [][]string{{answer}}, l.ask(`SELECT text FROM messages WHERE message_id = 'a2'`))
	}
	_, err = pipelines.Retain(t.Context(), l.later(time.Hour), true)
	says(t, err, file, "not as it was written", "put it back from a backup")
	must(t, os.WriteFile(file, whole, 0o600))
	_, err = pipelines.Retain(t.Context(), l.later(time.Hour), true)
	says(t, err, file, "take a plain run first")
	r = next("A2 at last")
	same(t, "a run over the file that is back", []any{"ok", []string(nil)}, []any{r.Status, warned})
	if got := l.told("alpha")[keyA2]; r.Retention == nil || strings.Contains(got, "A2 beside it") || !strings.Contains(got, "A2 once more") || !strings.Contains(got, "A2 at last") {
		t.Errorf("it removed %+v and left %s", r.Retention, got)
	}
	l.sound()
	l.rebuilt()
}

// testRestoredHouse: a warehouse from a backup names files whose place others have taken meanwhile.
func testRestoredHouse(t *testing.T, l *fixture, all map[string]string) {
	restore := l.backup()
	same(t, "the files", 1, l.compact().Raw.Into)
	one, err := os.ReadFile(filepath.Join(rawlog.Dir(l.warehouse()), "test", "00000000-7.parquet"))
	must(t, err)
	l.runs = 7
	l.run(l.userDir(t).replaced(t, keyA2, "A2 at five", "A2 at eight"))
	same(t, "the files again", 1, l.compact().Raw.Into)
	restore()
	// An interrupted removal left a file of before, and the one in between.
	must(t, os.WriteFile(filepath.Join(rawlog.Dir(l.warehouse()), "test", "00000000-7.parquet"), one, 0o600))
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
