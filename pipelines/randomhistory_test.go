package pipelines_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pipeline/load/inspect"
	"pipeline/pipelines"
	"pipeline/testdata/gen/night"
)

// A history is what happens to a store, with a run after each batch.
type history []batchOfOps

type batchOfOps struct {
	ops   []opOfHistory
	after time.Duration // until the run
	check bool
	// it holds changes that no rowid shows: the run finds those that have another size, and a later one compares every
	// value
	heal bool
}

type opOfHistory struct {
	kind string
	n, m int
}

const (
	histories      = 4
	timesInHistory = 18 // of each kind of operation
	operationsMin  = 50 // of each kind, over all histories
)

// rarely are kinds for which there is often nothing to do.
var rarely = map[string]int{"checkpoint restore": 20, "subagent link": 35, "subagent link removed": 45,
	"update in place": 10, "set to NULL": 9, "delete another row": 10, "add another row": 10, "replace a row": 6,
	"replace by the same": 8, "unusable value": 4}

// rowIDKept are kinds whose change no rowid shows. They come together in every fourth batch.
var rowIDKept = []string{"update in place", "newest row: same key", "set to NULL"}

// anyHistory draws a history; it has one of so many parts of the usual number of operations.
func anyHistory(part int) *rapid.Generator[history] {
	return rapid.Custom(func(t *rapid.T) history { return drawHistory(t, part) })
}

func drawHistory(t *rapid.T, part int) (h history) {
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(historyOps)) {
		all = append(all, slices.Repeat([]string{kind}, (timesInHistory+rarely[kind])/part)...)
	}
	all = rapid.Permutation(all).Draw(t, "kinds")
	var hidden []string
	all = slices.DeleteFunc(all, func(kind string) bool {
		if slices.Contains(rowIDKept, kind) {
			hidden = append(hidden, kind)
			return true
		}
		return false
	})
	// rapid prefers small ones
	number := rapid.Custom(func(t *rapid.T) int { return int(rapid.Uint32().Draw(t, "number") * 2654435761 >> 12) })
	for i := 0; len(all)+len(hidden) > 0; i++ {
		size := min(len(all), []int{4, 90, 25, 60}[i%4])
		kinds := all[:size:size]
		if i%4 == 3 {
			n := min(len(hidden), 60)
			kinds, hidden = append(kinds, hidden[:n]...), hidden[n:]
		}
		all = all[size:]
		b := batchOfOps{after: []time.Duration{time.Hour, time.Hour, 21 * time.Hour}[number.Draw(t, "after")%3],
			check: i%4 == 2, heal: i%4 == 3}
		for _, kind := range kinds {
			b.ops = append(b.ops, opOfHistory{kind, number.Draw(t, "n"), number.Draw(t, "m")})
		}
		h = append(h, b)
	}
	h[len(h)-1].check = true
	return h
}

// historyChecker runs the pipeline over a store with a past, and knows what it must find.
type historyChecker struct {
	*fixture
	past  *changingStore
	now   time.Time
	store map[string]*sight // conversations of the global store as they are
	last  map[string]*sight // and as runs have seen them
	dirty bool              // the store may hold changes that neither rowids nor sizes show
	whole time.Time         // when a run compared every value last
	ever  map[string]bool   // cells of the messages that a run has seen
	did   map[string]int

	versions map[string]bool   // of rows of the global store that the raw layer must have
	usable   map[string]string // by key: the last usable value that a run has seen of a row, since it was last gone
}

// TestHistories: whatever happens to a store, the warehouse of incremental runs is the one that a full run makes, its
// live rows are those of a first load, a run right after another changes nothing, no check fails, and no message ever
// vanishes.
func TestHistories(t *testing.T) {
	t.Parallel()
	did := map[string]int{}
	count, part, least := 1, 3, 0 // a sample; all of them take minutes: make endurance
	if testing.Short() {
		part = 6
	}
	if night.On() {
		count, part, least = histories, 1, operationsMin
	}
	for seed := range count {
		h := anyHistory(part).Example(seed)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newHistoryChecker(t, did)
			for i, b := range h {
				w.past.open()
				for _, o := range b.ops {
					if historyOps[o.kind](w.past, o.n, o.m) {
						did[o.kind]++
					}
				}
				w.look()
				w.past.close()
				w.step(b.after)
				if b.heal && seed < 2 && i == 3 {
					w.heal()
				}
				if b.check {
					w.check()
				}
				if i == len(h)-1 || b.check && count == histories { // the sample does it once
					w.checkRebuild()
				}
				if i == len(h)-1 && count == histories {
					w.tidy()
				}
				if t.Failed() {
					t.Fatalf("batch %d of history %d", i, seed)
				}
			}
		})
	}
	for _, kind := range slices.Sorted(maps.Keys(historyOps)) {
		t.Logf("%-22s %d", kind, did[kind])
		if did[kind] < least {
			t.Errorf("%s: only %d times", kind, did[kind])
		}
	}
	t.Logf("checks %d (%d after hidden changes), runs %d, changes in place found %d", did["check"],
		did["dirty at a check"], did["run"], did["found in place"])
	t.Logf("rows that became unusable, at a check, %d; published files compared %d", did["stand-ins at a check"],
		did["published files compared"])
	if did["published files compared"] == 0 && !testing.Short() {
		t.Error("no publication was compared")
	}
	t.Logf("versions in the raw layer %d, warehouses made anew %d, of %d loads, raw files merged %d",
		did["versions in the raw layer"], did["rebuild"], did["loads made anew"], did["raw files merged"])
}

func newHistoryChecker(t *testing.T, did map[string]int) *historyChecker {
	dir := t.TempDir()
	if shm, err := os.MkdirTemp("/dev/shm", "history"); err == nil { // a run's time is mostly that of the disk
		dir = shm
		t.Cleanup(func() { _ = os.RemoveAll(shm) })
	}
	w := &historyChecker{fixture: &fixture{t: t, dir: dir, user: filepath.Join(dir, "User")},
		now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), ever: map[string]bool{}, did: did, last: map[string]*sight{},
		versions: map[string]bool{}, usable: map[string]string{}}
	w.past = newChangingStore(t, w.user)
	return w
}

// tidy merges the files of the raw layer: a rebuild makes the same afterwards.
func (w *historyChecker) tidy() {
	w.t.Helper()
	opt := w.options(func(o *pipelines.Options) { o.Now = func() time.Time { return w.now } })
	done, err := pipelines.Compact(w.t.Context(), opt, true)
	must(w.t, err)
	w.did["raw files merged"] += done.Raw.Files
	w.checkRebuild()
}

// step is one run, some time after the last.
func (w *historyChecker) step(after time.Duration, change ...func(*pipelines.Options)) *pipelines.Result {
	w.t.Helper()
	w.now = w.now.Add(after)
	w.did["run"]++
	at := w.now
	r := w.run(nil, append(change, acceptDeletes, w.publishes,
		func(o *pipelines.Options) { o.Now = func() time.Time { return at } })...)
	if r.Mode == "full" || at.Sub(w.whole) >= 20*time.Hour {
		w.whole, w.dirty = at, false
	}
	w.found()
	if r.InPlace != nil {
		w.did["found in place"] += int(r.InPlace.Conversations + r.InPlace.Others)
	}
	return r
}

// ownTimes are columns that say when a load did something, or which one.
var ownTimes = []string{"first_seen_at", "last_seen_at", "changed_at", "load_id", "resolved_load_id"}

// state is the whole warehouse but for what belongs to a load: of a deletion only that it was, of an unknown field not
// which load read how many documents that have it.
func (w *historyChecker) state() cells {
	w.t.Helper()
	all := w.dump(allTables()...).drop(ownTimes...)
	for cell, v := range all {
		switch {
		case strings.HasPrefix(cell, "_raw_parts["), // each load writes one
			strings.HasPrefix(cell, "unknown_fields[") &&
				(strings.HasSuffix(cell, "].rows") || strings.HasSuffix(cell, "].last_load_id")):
			delete(all, cell)
		case strings.HasSuffix(cell, "].deleted_at") && v != "NULL":
			all[cell] = "some"
		}
	}
	return all
}

// publishes makes each run publish, too: it links the files whose rows cannot have changed.
func (w *historyChecker) publishes(o *pipelines.Options) {
	if !testing.Short() {
		o.Publish = parquetIn(filepath.Join(w.dir, "parquet"))
	}
}

// checkPublication compares every row of the published files with the warehouse.
func (w *historyChecker) checkPublication() {
	w.t.Helper()
	if testing.Short() {
		return
	}
	v, err := inspect.Verify(w.t.Context(), w.warehouse(), parquetIn(filepath.Join(w.dir, "parquet"))...)
	must(w.t, err)
	for _, d := range v.Damages {
		w.t.Errorf("%s: %s", d.Where, d.Problem)
	}
	for _, p := range v.Publications() {
		w.did["published files compared"] += p.Files
	}
}

// heal is a run that follows the last full comparison by more than 20 hours: it finds what a full run finds.
func (w *historyChecker) heal() {
	w.t.Helper()
	w.step(21 * time.Hour)
	w.check()
}

// check holds the warehouse against what must be true at any time.
func (w *historyChecker) check() {
	w.t.Helper()
	w.did["check"]++
	if w.dirty { // a row came to a rowid that it had before
		w.did["dirty at a check"]++
		w.step(21 * time.Hour)
	}
	before := w.dump(allTables()...).drop("last_seen_at")
	state := w.state()
	r := w.step(time.Minute)
	same(w.t, "what a second run says", pipelines.ConversationCount{Unchanged: r.Conversations.Unchanged},
		r.Conversations)
	same(w.t, "the rows after a second run", before, w.dump(allTables()...).drop("last_seen_at"))
	w.checkPublication()
	w.step(time.Hour, full)
	same(w.t, "the rows after a full run", state, w.state())
	for message := range w.ever {
		if _, ok := state[message+".position"]; !ok {
			w.t.Errorf("%s is lost", message)
		}
	}
	w.checkRaw()
	fresh := &historyChecker{fixture: &fixture{t: w.t, dir: filepath.Join(w.dir, "fresh"),
		user: filepath.Join(w.dir, "fresh", "User")}, now: w.now, did: w.did}
	w.copyUsable(fresh.user)
	fresh.step(0)
	sameLive(w.t, state, fresh.state())
	fresh.warehouse()
	must(w.t, os.RemoveAll(fresh.dir))
}
