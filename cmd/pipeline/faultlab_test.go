//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pipeline/extract/editortest"
	"pipeline/extract/storetest"
	"pipeline/load/reader"
)

// A faultLab has a store, a warehouse of an earlier state of it, and what loads that meet no fault make of the two.
type faultLab struct {
	t      *testing.T
	user   string
	before place  // the warehouse of the load before; it is copied, never written to
	old    *state // what it holds
	first  loaded // a first load
	later  loaded // a load into the warehouse of the load before

	converged *atomic.Int64 // next runs that were looked at
}

// loaded is what a load that meets no fault leaves.
type loaded struct {
	*state
	versions string // what the raw layer holds
}

// newFaultLab makes a store in a journal mode, loads it, and has an editor change it. In WAL mode the editor is killed: its last rows are in the -wal only.
func newFaultLab(t *testing.T, wal bool) *faultLab {
	t.Helper()
	dir := t.TempDir()
	lab := &faultLab{t: t, converged: new(atomic.Int64), user: filepath.Join(dir, "User"), before: house(filepath.Join(dir, "before"))}
	if err := storetest.New(storetest.Options{Seed: 7, Messages: 100, NoCases: true, WAL: wal}).Write(lab.user); err != nil {
		t.Fatal(err)
	}
	lab.edit(wal, 5)
	lab.mustRun(lab.before)
	lab.old = lab.look(lab.before)
	lab.edit(wal, 15)
	for _, l := range []struct {
		name   string
		loaded *loaded
		house  place
	}{{"first", &lab.first, house(filepath.Join(dir, "first"))}, {"later", &lab.later, lab.house(false)}} {
		lab.mustRun(l.house)
		*l.loaded = loaded{lab.look(l.house), lab.versions(l.house)}
		if l.loaded.live != lab.first.live || l.loaded.versions == "" {
			t.Fatalf("the %s load differs from a first one:\n%s\nwant\n%s", l.name, l.loaded.live, lab.first.live)
		}
	}
	if lab.old.live == lab.first.live {
		t.Fatal("the editor has changed nothing")
	}
	return lab
}

// house is a place in a folder of its own.
func house(dir string) place {
	return place{filepath.Join(dir, "w.duckdb"), filepath.Join(dir, "parquet")}
}

// edit has an editor make some commits: messages are added, and values overwritten.
func (lab *faultLab) edit(wal bool, commits int) {
	lab.t.Helper()
	editor := editortest.Start(lab.t, filepath.Join(lab.user, "globalStorage", "state.vscdb"), editortest.Options{WAL: wal, Limit: commits})
	for until := time.Now().Add(patience); editor.Commits() < commits; time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			lab.t.Fatalf("the editor made only %d commits in %v", editor.Commits(), patience)
		}
	}
	if wal {
		editor.Kill()
	} else if err := editor.Stop(); err != nil {
		lab.t.Fatal(err)
	}
}

// house is the warehouse of the load before in a new folder; an empty folder if a first load is to come.
func (lab *faultLab) house(first bool) place {
	lab.t.Helper()
	dir := lab.t.TempDir()
	if !first {
		if err := os.CopyFS(dir, os.DirFS(filepath.Dir(lab.before.warehouse))); err != nil {
			lab.t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, "w.duckdb"), 0o600); err != nil {
			lab.t.Fatal(err)
		}
	}
	return house(dir)
}

// args are the arguments of a load of the store.
func (lab *faultLab) args() []string { return []string{"--quiet", "--source", "test=" + lab.user} }

// mustRun loads, and publishes.
func (lab *faultLab) mustRun(h place) {
	lab.t.Helper()
	if code, out := output(lab.t, command(h, lab.args()...)); code != 0 {
		lab.t.Fatalf("a run that meets no fault: exit code %d: %s", code, out)
	}
}

func (lab *faultLab) look(h place) *state {
	lab.t.Helper()
	return look(lab.t, h.warehouse, lab.t.Errorf)
}

// versions are the rows of the raw layer, of which each version is there once: their number, and a hash of what they hold.
func (lab *faultLab) versions(h place) string {
	lab.t.Helper()
	answer, err := reader.Query(lab.t.Context(), h.warehouse, `SELECT count(*) || ' versions, ' || count(*) - count(DISTINCT v) || ' of them twice, ' || coalesce(sum(hash(v)::HUGEINT), 0)
		FROM (SELECT {a: source_id, b: store, c: table_name, d: conversation_id, e: key, f: key_type, g: key_bytes, h: hash} AS v FROM _known_rows WHERE NOT is_mark)`)
	if err != nil {
		lab.t.Error(err)
		return ""
	}
	return reader.Text(answer.Rows[0][0])
}

// left is what a run that met a fault has left.
type left struct {
	first  bool // it was a first load
	killed bool
	code   int
	output string
}

// judge looks at a warehouse after a run that met a fault: it is as it was or holds the whole load, and so does the publication. It returns whether
// the load is in.
func (lab *faultLab) judge(h place, l left, say sayer) (loadedNow bool) {
	lab.t.Helper()
	want := lab.later
	if l.first {
		want = lab.first
	}
	var now *state
	if _, err := os.Stat(h.warehouse); !errors.Is(err, os.ErrNotExist) {
		now = look(lab.t, h.warehouse, say)
	}
	switch {
	case now == nil && !l.first:
		say("the warehouse is gone")
		return false
	case now == nil, !l.first && now.all == lab.old.all:
	case now.loads == want.loads && now.live == want.live:
		loadedNow = true
	default:
		say("the warehouse is neither as it was nor the load whole: %d loads\n%s\nwant\n%s", now.loads, now.live, want.live)
	}
	if !l.killed {
		lab.judgeEnd(l, loadedNow, say)
		left := leftovers(lab.t, h)
		if loadedNow && !l.first {
			left = slices.DeleteFunc(left, func(name string) bool { return name == "w.duckdb.wal" }) // the load may still be in there
		}
		if len(left) > 0 {
			say("scratch is left: %v", left)
		}
	}
	if now != nil {
		checkRaw(lab.t, h.warehouse, now, !l.killed, say)
	}
	loads := map[int64]map[string]int64{want.loads: want.rows}
	if !l.first {
		loads[lab.old.loads] = lab.old.rows
	}
	checkPublication(lab.t, &lineage{house: h, loads: loads}, say)
	return loadedNow
}

// judgeEnd compares what a run says with what it did.
func (lab *faultLab) judgeEnd(l left, loadedNow bool, say sayer) {
	lab.t.Helper()
	text := strings.ToLower(l.output)
	switch {
	case l.code == 0 && !loadedNow:
		say("the run says that it went well, and its load is not in the warehouse")
	case l.code < 0 || strings.Contains(text, "panic") || strings.Contains(text, "goroutine"):
		say("the run broke down (%d): %s", l.code, l.output)
	case l.code != 0 && strings.TrimSpace(text) == "":
		say("exit code %d, and not a word", l.code)
	case l.code != 0 && loadedNow && (strings.Contains(text, "nothing was changed") || strings.Contains(text, "is as it was")):
		say("the load is in the warehouse; the run says: %s", l.output)
	}
}

// converge has the next run go well and compares what there is then with a first load of the store. The warehouse is removed then.
func (lab *faultLab) converge(h place, first bool, say sayer) {
	lab.t.Helper()
	defer os.RemoveAll(filepath.Dir(h.warehouse)) // hundreds of them would fill a disk
	if code, out := output(lab.t, command(h, lab.args()...)); code != 0 {
		say("the next run: exit code %d: %s", code, out)
		return
	}
	now, want := look(lab.t, h.warehouse, say), lab.later
	if first {
		want = lab.first
	}
	if now.live != want.live {
		say("after the next run the live rows differ from those of a first load:\n%s\nwant\n%s", now.live, want.live)
	}
	if versions := lab.versions(h); versions != want.versions || !strings.Contains(versions, " 0 of them twice") {
		say("after the next run the raw layer holds %s; want %s", versions, want.versions)
	}
	checkRaw(lab.t, h.warehouse, now, true, say)
	if left := leftovers(lab.t, h); len(left) > 0 {
		say("after the next run there is %v", left)
	}
	if lab.converged.Add(1)%8 != 1 && os.Getenv("PIPELINE_ENDURANCE") == "" {
		return // what follows takes as long as all of the above
	}
	if code, out := output(lab.t, program("check", "--deep", "--warehouse", h.warehouse, "--parquet", h.parquet)); code != 0 {
		say("pipeline check --deep: exit code %d: %s", code, out)
	}
}

// within is the lab as a subtest uses it.
func (lab *faultLab) within(t *testing.T) *faultLab {
	own := *lab
	own.t = t
	return &own
}

// program is the program with some arguments.
func program(args ...string) *exec.Cmd { return exec.Command("pipeline", args...) } // TestMain put it into the PATH

// output runs a command and returns its exit code, -1 if it was killed, and what it printed.
func output(t *testing.T, cmd *exec.Cmd) (code int, text string) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}
