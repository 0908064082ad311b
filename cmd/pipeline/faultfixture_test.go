//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pipeline/load/reader"
	"pipeline/testdata/gen/editortest"
	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

// A faultFixture has a store, a warehouse of an earlier state of it, and what loads that meet no fault make of the two.
type faultFixture struct {
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

// newFaultFixture makes a store in a journal mode, loads it, and has an editor change it. In WAL mode the editor is
// killed: its last rows are in the -wal only.
func newFaultFixture(t *testing.T, wal bool) *faultFixture {
	t.Helper()
	dir := t.TempDir()
	fixture := &faultFixture{t: t, converged: new(atomic.Int64), user: filepath.Join(dir, "User"),
		before: placeIn(filepath.Join(dir, "before"))}
	must(t, storetest.New(storetest.Options{Seed: 7, Messages: 100, NoCases: true, WAL: wal}).
		Write(fixture.user))
	fixture.edit(wal, 5)
	fixture.mustRun(fixture.before)
	fixture.old = fixture.look(fixture.before)
	fixture.edit(wal, 15)
	for _, l := range []struct {
		name   string
		loaded *loaded
		dest   place
	}{{"first", &fixture.first, placeIn(filepath.Join(dir, "first"))},
		{"later", &fixture.later, fixture.newPlace(false)}} {
		fixture.mustRun(l.dest)
		*l.loaded = loaded{fixture.look(l.dest), fixture.versions(l.dest)}
		if l.loaded.live != fixture.first.live || l.loaded.versions == "" {
			t.Fatalf("the %s load differs from a first one:\n%s\nwant\n%s", l.name, l.loaded.live, fixture.first.live)
		}
	}
	if fixture.old.live == fixture.first.live {
		t.Fatal("the editor has changed nothing")
	}
	return fixture
}

// placeIn is a place in a folder of its own.
func placeIn(dir string) place {
	return place{filepath.Join(dir, "w.duckdb"), filepath.Join(dir, "parquet")}
}

// edit has an editor make some commits: messages are added, and values overwritten.
func (fixture *faultFixture) edit(wal bool, commits int) {
	fixture.t.Helper()
	editor := editortest.Start(fixture.t, filepath.Join(fixture.user, "globalStorage", "state.vscdb"),
		editortest.Options{WAL: wal, Limit: commits})
	for until := time.Now().Add(patience); editor.Commits() < commits; time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			fixture.t.Fatalf("the editor made only %d commits in %v", editor.Commits(), patience)
		}
	}
	if wal {
		editor.Kill()
	} else if err := editor.Stop(); err != nil {
		fixture.t.Fatal(err)
	}
}

// newPlace is the warehouse of the load before in a new folder; an empty folder if a first load is to come.
func (fixture *faultFixture) newPlace(first bool) place {
	fixture.t.Helper()
	dir := fixture.t.TempDir()
	if !first {
		must(fixture.t, os.CopyFS(dir, os.DirFS(filepath.Dir(fixture.before.warehouse))))
		must(fixture.t, os.Chmod(filepath.Join(dir, "w.duckdb"), 0o600))
	}
	return placeIn(dir)
}

// args are the arguments of a load of the store.
func (fixture *faultFixture) args() []string {
	return []string{"--quiet", "--source", "test=" + fixture.user}
}

// mustRun loads, and publishes.
func (fixture *faultFixture) mustRun(h place) {
	fixture.t.Helper()
	if code, out := output(fixture.t, command(h, fixture.args()...)); code != 0 {
		fixture.t.Fatalf("a run that meets no fault: exit code %d: %s", code, out)
	}
}

func (fixture *faultFixture) look(h place) *state {
	fixture.t.Helper()
	return look(fixture.t, h.warehouse, fixture.t.Errorf)
}

// versions are the rows of the raw layer, of which each version is there once: their number, and a hash of what they
// hold.
func (fixture *faultFixture) versions(h place) string {
	fixture.t.Helper()
	answer, err := reader.Query(fixture.t.Context(), h.warehouse,
		`SELECT count(*) || ' versions, ' || count(*) - count(DISTINCT v) || ' of them twice, ' || coalesce(sum(hash(v)::HUGEINT), 0)
		FROM (SELECT {a: source_id, b: store, c: table_name, d: conversation_id, e: key, f: key_type, g: key_bytes, h: hash} AS v FROM internal._known_rows WHERE NOT is_mark)`)
	if err != nil {
		fixture.t.Error(err)
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

// judge looks at a warehouse after a run that met a fault: it is as it was or holds the whole load, and so does the
// publication. It returns whether the load is in.
func (fixture *faultFixture) judge(h place, l left, say sayer) (loadedNow bool) {
	fixture.t.Helper()
	want := fixture.later
	if l.first {
		want = fixture.first
	}
	var now *state
	if _, err := os.Stat(h.warehouse); !errors.Is(err, os.ErrNotExist) {
		now = look(fixture.t, h.warehouse, say)
	}
	switch {
	case now == nil && !l.first:
		say("the warehouse is gone")
		return false
	case now == nil, !l.first && now.all == fixture.old.all:
	case now.loads == want.loads && now.live == want.live:
		loadedNow = true
	default:
		say("the warehouse is neither as it was nor the load whole: %d loads\n%s\nwant\n%s", now.loads, now.live,
			want.live)
	}
	if !l.killed {
		fixture.judgeEnd(l, loadedNow, say)
		left := leftovers(fixture.t, h)
		if loadedNow && !l.first {
			// the load may still be in there
			left = slices.DeleteFunc(left, func(name string) bool { return name == "w.duckdb.wal" })
		}
		if len(left) > 0 {
			say("scratch is left: %v", left)
		}
	}
	if now != nil {
		checkRaw(fixture.t, h.warehouse, now, !l.killed, say)
	}
	loads := map[int64]map[string]int64{want.loads: want.rows}
	if !l.first {
		loads[fixture.old.loads] = fixture.old.rows
	}
	checkPublication(fixture.t, &lineage{dest: h, loads: loads}, say)
	return loadedNow
}

// judgeEnd compares what a run says with what it did.
func (fixture *faultFixture) judgeEnd(l left, loadedNow bool, say sayer) {
	fixture.t.Helper()
	text := strings.ToLower(l.output)
	switch {
	case l.code == 0 && !loadedNow:
		say("the run says that it went well, and its load is not in the warehouse")
	case l.code < 0 || strings.Contains(text, "panic") || strings.Contains(text, "goroutine"):
		say("the run broke down (%d): %s", l.code, l.output)
	case l.code != 0 && strings.TrimSpace(text) == "":
		say("exit code %d, and not a word", l.code)
	case l.code != 0 && loadedNow && (strings.Contains(text, "nothing was changed") ||
		strings.Contains(text, "is as it was")):
		say("the load is in the warehouse; the run says: %s", l.output)
	}
}

// converge has the next run go well and compares what there is then with a first load of the store. The warehouse is
// removed then.
func (fixture *faultFixture) converge(h place, first bool, say sayer) {
	fixture.t.Helper()
	defer os.RemoveAll(filepath.Dir(h.warehouse)) // hundreds of them would fill a disk
	if code, out := output(fixture.t, command(h, fixture.args()...)); code != 0 {
		say("the next run: exit code %d: %s", code, out)
		return
	}
	now, want := look(fixture.t, h.warehouse, say), fixture.later
	if first {
		want = fixture.first
	}
	if now.live != want.live {
		say("after the next run the live rows differ from those of a first load:\n%s\nwant\n%s", now.live, want.live)
	}
	if versions := fixture.versions(h); versions != want.versions || !strings.Contains(versions, " 0 of them twice") {
		say("after the next run the raw layer holds %s; want %s", versions, want.versions)
	}
	checkRaw(fixture.t, h.warehouse, now, true, say)
	if left := leftovers(fixture.t, h); len(left) > 0 {
		say("after the next run there is %v", left)
	}
	if fixture.converged.Add(1)%8 != 1 && !night.On() {
		return // what follows takes as long as all of the above
	}
	if code, out := output(fixture.t, program("check", "--deep", "--warehouse", h.warehouse, "--parquet",
		h.parquet)); code != 0 {
		say("pipeline check --deep: exit code %d: %s", code, out)
	}
}

// within is the fixture as a subtest uses it.
func (fixture *faultFixture) within(t *testing.T) *faultFixture {
	own := *fixture
	own.t = t
	return &own
}
