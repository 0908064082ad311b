//go:build unix

package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"pipeline/cmd/pipeline/internal/faulttest"
	"pipeline/load/reader"
	"pipeline/testdata/gen/night"
)

// changes are the kinds of calls that change something on a disk.
var changes = []faulttest.Kind{faulttest.Write, faulttest.Sync, faulttest.Rename, faulttest.Remove, faulttest.Truncate,
	faulttest.Create}

// TestFailingCalls has the n-th system call of a run fail, or kills the run in front of it: for all n in three nights
// of endurance, else for some. What is in the warehouse then is the load before or the new one, whole, and the next run
// makes the same of it as a first load does.
func TestFailingCalls(t *testing.T) {
	t.Parallel()
	long(t)
	fixture := newFaultFixture(t, false)
	beside := func(name string, try func(t *testing.T)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			try(t)
		})
	}
	for _, situation := range []string{firstLoad, laterLoad} {
		beside("changes fail/"+situation, func(t *testing.T) { fixture.within(t).changesFail(situation == firstLoad) })
		beside("killed/"+situation, func(t *testing.T) { fixture.within(t).killedBefore(situation == firstLoad) })
	}
	beside("reads fail/in place", func(t *testing.T) { fixture.within(t).readsFail() })
	beside("reads fail/WAL", func(t *testing.T) { newFaultFixture(t, true).readsFail() })
}

// TestTemplateNotWritten: where the first write of a new warehouse fails, the run fails and says so: it does not make
// the file in another way, as if the disk were well.
func TestTemplateNotWritten(t *testing.T) {
	long(t)
	t.Parallel()
	fixture := newFaultFixture(t, false)
	for i, c := range fixture.undisturbed(true, ofWarehouse) {
		if c.Kind != faulttest.Write || !strings.Contains(c.Path, ".duckdb.new-") {
			continue
		}
		h := fixture.newPlace(true)
		f := ofWarehouse(h)
		f.n, f.answer.Errno = i+1, syscall.EIO
		l := fixture.run(h, true, f)
		hit, _ := f.hit()
		say := fixture.sayer(h, f, hit)
		fixture.judgeMessage(h, l, f, hit, say)
		fixture.judge(h, l, say)
		fixture.converge(h, true, say)
		return
	}
	t.Fatal("no write of a new warehouse")
}

// A fault is what happens to the calls of a run.
type fault struct {
	kinds  []faulttest.Kind
	folder string // calls for files elsewhere do not count
	base   string // nor those for files whose names do not begin so
	n      int    // of the call that it happens to; 0: none
	lasts  func(hit, later faulttest.Call) bool
	answer faulttest.Answer

	calls []faulttest.Call // that count
}

// hit is the call that it happened to.
func (f *fault) hit() (call faulttest.Call, ok bool) {
	if f.n == 0 || len(f.calls) < f.n {
		return call, false
	}
	return f.calls[f.n-1], true
}

func (f *fault) decide(call faulttest.Call) faulttest.Answer {
	within := call.Path == f.folder || strings.HasPrefix(call.Path, f.folder+string(filepath.Separator))
	ofLog := strings.Contains(filepath.Base(call.Path), ".runs") // without its note a run goes on: TestRunsNotNoted
	if !within || ofLog || !strings.HasPrefix(filepath.Base(call.Path), f.base) {
		return faulttest.Answer{}
	}
	f.calls = append(f.calls, call)
	hit, ok := f.hit()
	if !ok || len(f.calls) > f.n && (f.lasts == nil || !f.lasts(hit, call)) {
		return faulttest.Answer{}
	}
	return f.answer
}

// run is a load that meets a fault.
func (fixture *faultFixture) run(h place, first bool, f *fault) left {
	fixture.t.Helper()
	l := left{first: first}
	l.code, l.output = faulttest.Run(fixture.t, command(h, fixture.args()...), f.kinds, f.decide)
	l.killed = l.code < 0 && f.answer.Kill
	return l
}

// sampled is how many calls of a run are tried where not all are.
const sampled = 2

// samples are the calls of a run that are tried, by number: a third of all each night, or some of those that are the
// first of their kind for a file.
func (fixture *faultFixture) samples(calls []faulttest.Call) (out []int) {
	fixture.t.Helper()
	seen, counts := map[string]bool{}, map[faulttest.Kind]int{}
	for i, c := range calls {
		class := string(c.Kind) + " " + class(c.Path)
		if c.Kind == faulttest.Read {
			class = fmt.Sprint(c.Path, c.Offset)
		}
		if night.Draws(i, 3) || !night.On() && !seen[class] {
			out = append(out, i+1)
		}
		seen[class] = true
		counts[c.Kind]++
	}
	if !night.On() && len(out) > sampled {
		for i := range sampled {
			out[i] = out[(i+1)*len(out)/sampled-1] // the last, too
		}
		out = out[:sampled]
	}
	fixture.t.Logf("%d of %d calls are tried; there are %v", len(out), len(calls), counts)
	return out
}

// class is a file's name without what differs from run to run; published tables, and folders of workspaces, are all
// alike.
func class(path string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, filepath.Base(path))
	if filepath.Ext(name) == ".parquet" {
		return filepath.Ext(name)
	}
	return name
}

// undisturbed is a run that meets no fault, for its calls.
func (fixture *faultFixture) undisturbed(first bool, count func(place) *fault) []faulttest.Call {
	fixture.t.Helper()
	h := fixture.newPlace(first)
	f := count(h)
	if l := fixture.run(h, first, f); !fixture.judge(h, l, fixture.t.Errorf) || len(f.calls) == 0 {
		fixture.t.Fatalf("a run that meets no fault: exit code %d, %d calls: %s", l.code, len(f.calls), l.output)
	}
	return f.calls
}

// ofWarehouse is a fault of what changes in the folder of a warehouse.
func ofWarehouse(h place) *fault { return &fault{kinds: changes, folder: filepath.Dir(h.warehouse)} }

// changesFail has what a load changes fail: the disk of the warehouse is full, for a moment or from then on, or broken.
func (fixture *faultFixture) changesFail(first bool) {
	forever := func(_, later faulttest.Call) bool { // a full disk lets files be removed, renamed and cut
		return later.Kind == faulttest.Write || later.Kind == faulttest.Create
	}
	modes := []struct {
		errno syscall.Errno
		lasts func(hit, later faulttest.Call) bool
	}{{syscall.ENOSPC, nil}, {syscall.ENOSPC, forever}, {syscall.EIO, nil}}
	failed, harmless := 0, 0
	for i, n := range fixture.samples(fixture.undisturbed(first, ofWarehouse)) {
		mode := modes[i%len(modes)]
		h := fixture.newPlace(first)
		f := ofWarehouse(h)
		f.n, f.lasts, f.answer.Errno = n, mode.lasts, mode.errno
		l := fixture.run(h, first, f)
		hit, ok := f.hit()
		if !ok {
			continue // this run made fewer calls
		}
		say := fixture.sayer(h, f, hit)
		if l.code == 0 {
			harmless++
		} else {
			failed++
		}
		fixture.judgeMessage(h, l, f, hit, say)
		fixture.judge(h, l, say)
		fixture.converge(h, first, say)
	}
	fixture.t.Logf("%d runs failed, to %d it did not matter", failed, harmless)
}

// judgeMessage: a run that met a fault says which file and why, unless it did not matter. The engine folds its log into
// the file when the load is safe in the log already, and tries again at the next run; and it gives no cause where a
// sync fails, or it cannot remove a log.
func (fixture *faultFixture) judgeMessage(h place, l left, f *fault, hit faulttest.Call, say sayer) {
	engines := strings.HasPrefix(hit.Path, h.warehouse) && !strings.HasPrefix(hit.Path, h.warehouse+".raw")
	folding := engines && slices.ContainsFunc(f.calls[:f.n],
		func(c faulttest.Call) bool { return c.Kind == faulttest.Write && c.Path == h.warehouse })
	switch text := strings.ToLower(l.output); {
	case l.code == 0:
		if hit.Kind != faulttest.Remove && !folding {
			say("the run says that it went well")
		}
	case !strings.Contains(text, strings.ToLower(filepath.Dir(h.warehouse))):
		say("the message names no file: %s", l.output)
	case !strings.Contains(text, f.answer.Errno.Error()) &&
		!(engines && (hit.Kind == faulttest.Remove || strings.Contains(text, "fsync failed"))):
		say("the message names no cause: %s", l.output)
	}
}

// sayer says which call it was.
func (fixture *faultFixture) sayer(h place, f *fault, hit faulttest.Call) sayer {
	how := "killed"
	if !f.answer.Kill {
		how = f.answer.Errno.Error()
	}
	if f.lasts != nil {
		how += ", lasting"
	}
	return func(format string, args ...any) {
		fixture.t.Helper()
		fixture.t.Errorf("call %d, %s of %s (%s): %s", f.n, hit.Kind,
			strings.TrimPrefix(hit.Path, filepath.Dir(h.warehouse)), how, fmt.Sprintf(format, args...))
	}
}

// killedBefore kills a load in front of its n-th change.
func (fixture *faultFixture) killedBefore(first bool) {
	before, after := 0, 0
	for _, n := range fixture.samples(fixture.undisturbed(first, ofWarehouse)) {
		h := fixture.newPlace(first)
		f := ofWarehouse(h)
		f.n, f.answer.Kill = n, true
		l := fixture.run(h, first, f)
		hit, ok := f.hit()
		if !ok {
			continue
		}
		say := fixture.sayer(h, f, hit)
		if !l.killed {
			say("exit code %d, want it killed: %s", l.code, l.output)
		}
		if fixture.judge(h, l, say) {
			after++
		} else {
			before++
		}
		fixture.converge(h, first, say)
	}
	fixture.t.Logf("killed: %d before the load was in, %d after", before, after)
}

// readsFail has a read of the store fail, once or whenever that place is read: the run never says that all went well
// where rows are missing, and takes no row for deleted.
func (fixture *faultFixture) readsFail() {
	ofStores := func(place) *fault {
		// and its -wal
		return &fault{kinds: []faulttest.Kind{faulttest.Read}, folder: fixture.user, base: "state.vscdb"}
	}
	source := files(fixture.t, fixture.user)
	samePlace := func(hit, later faulttest.Call) bool { return later.Path == hit.Path && later.Offset == hit.Offset }
	whole, partial, refused := 0, 0, 0
	for i, n := range fixture.samples(fixture.undisturbed(false, ofStores)) {
		h := fixture.newPlace(false)
		f := ofStores(h)
		f.n, f.answer.Errno = n, syscall.EIO
		if i%2 == 0 {
			f.lasts = samePlace
		}
		l := fixture.run(h, false, f)
		hit, ok := f.hit()
		if !ok {
			continue
		}
		say := fixture.sayer(h, f, hit)
		now := look(fixture.t, h.warehouse, say)
		switch {
		case l.code == 0:
			whole++
			fixture.judge(h, l, say)
		case now.all == fixture.old.all:
			refused++
			fixture.judge(h, l, say)
		default:
			partial++
			fixture.judgePartial(h, l, say)
		}
		fixture.converge(h, false, say)
	}
	if !maps.Equal(source, files(fixture.t, fixture.user)) {
		fixture.t.Error("the source has changed")
	}
	fixture.t.Logf("%d runs loaded all, %d a part, %d nothing", whole, partial, refused)
}

// judgePartial looks at a load of which a store could not be read, or not all of it: it says so, and deletes nothing.
func (fixture *faultFixture) judgePartial(h place, l left, say sayer) {
	fixture.t.Helper()
	fixture.judgeEnd(l, false, say)
	if l.code != exitSource {
		say("exit code %d of a load of a part, want %d: %s", l.code, exitSource, l.output)
	}
	for query, want := range map[string]string{
		"SELECT status FROM loads_latest":                                                     "partial",
		"SELECT count(*) > 0 FROM load_stores WHERE NOT is_complete AND load_id = 2":          "true",
		"SELECT count(*) = 0 FROM conversations WHERE deleted_at IS NOT NULL":                 "true",
		"SELECT count(*) = 0 FROM messages WHERE deleted_at IS NOT NULL":                      "true",
		"SELECT count(*) = 0 FROM tool_calls WHERE deleted_at IS NOT NULL":                    "true",
		fmt.Sprintf("SELECT count(*) >= %d FROM live_messages", fixture.old.rows["messages"]): "true",
	} {
		answer, err := reader.Query(fixture.t.Context(), h.warehouse, query)
		if err != nil {
			say("%s: %v", query, err)
		} else if got := reader.Text(answer.Rows[0][0]); got != want {
			say("%s: %s, want %s; the run said: %s", query, got, want, l.output)
		}
	}
}
