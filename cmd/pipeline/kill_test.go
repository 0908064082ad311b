//go:build unix

package main

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"pipeline/testdata/gen/editortest"
	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

// kinds of loads.
var kinds = []string{"first", "incremental", "full", "parquet", "reader"}

// TestKill kills runs at random moments: a third of them anywhere in the time that an undisturbed run takes, the others
// anywhere in the phase that was met least, since some are short. Several kills may come one after the other before a
// run is left in peace.
func TestKill(t *testing.T) {
	long(t)
	k := &killer{t: t, random: rand.New(rand.NewPCG(4, uint64(night.Number()))), spans: map[string]timings{},
		// a sample: make endurance
		byKind: map[string][phases]int{}, byStore: map[string]int{}, kills: 15, least: 0, inARow: 5, every: 3}
	if night.On() {
		k.kills, k.least, k.every = 500, 20, 2
	}
	var all []*lineage
	for _, wal := range []bool{true, false} {
		for _, editor := range []string{"none", "alive", "killed"} {
			all = append(all, k.lineage(wal, editor))
		}
	}
	defer func(began time.Time) { k.report(time.Since(began)) }(time.Now())
	for round := 0; !k.enough() && k.tries < 2*k.kills && !t.Failed(); round++ {
		k.round(round, all[round%len(all)], kinds[round%len(kinds)])
	}
	if !t.Failed() && !k.enough() {
		t.Errorf("want %d kills, and %d in each phase", k.kills, k.least)
	}
}

// report says what was done.
func (k *killer) report(took time.Duration) {
	table := fmt.Sprintf("%-12s", "kills")
	for _, name := range phaseNames {
		table += fmt.Sprintf("%9s", name)
	}
	for _, kind := range append(kinds, "all") {
		table += fmt.Sprintf("\n%-12s", kind)
		for p := range phases {
			n := k.counts[p]
			if kind != "all" {
				n = k.byKind[kind][p]
			}
			table += fmt.Sprintf("%9d", n)
		}
	}
	for _, kind := range kinds {
		table += fmt.Sprintf("\nan undisturbed run, %s: %v", kind, k.spans[kind])
	}
	k.t.Logf("%s\n%d kills in %v by store %v; %d runs had ended before their kill, %d of them busy\n"+
		"%d of the killed runs had committed; %d of these left their log\n%d runs compared with a first load", table,
		k.total(), took.Round(time.Second), k.byStore, k.tries-k.total()-k.counts[starting], k.busy, k.committed,
		k.logged, k.compared)
}

// killer holds what the rounds share.
type killer struct {
	t      *testing.T
	random *rand.Rand
	spans  map[string]timings // of undisturbed runs, by kind

	kills, least int // wanted: in all, and in each phase
	inARow       int // so many kills, at most, come before a run is left in peace
	every        int // a comparison with a first load comes every so many rounds

	counts            [phases]int // kills that met a running process
	tries, busy       int
	committed, logged int
	compared          int
	byKind            map[string][phases]int
	byStore           map[string]int
}

// total counts the kills but those before the first phase, when nothing had begun.
func (k *killer) total() (n int) {
	for p := opening; p < phases; p++ {
		n += k.counts[p]
	}
	return n
}

func (k *killer) enough() bool {
	for p := opening; p < phases; p++ {
		if k.counts[p] < k.least {
			return false
		}
	}
	return k.total() >= k.kills
}

func (k *killer) lineage(wal bool, editor string) *lineage {
	dir := k.t.TempDir()
	l := &lineage{wal: wal, editor: editor, user: filepath.Join(dir, "User"), name: "rollback, editor " + editor,
		loads: map[int64]map[string]int64{}, dest: place{filepath.Join(dir, "dest", "w.duckdb"),
			filepath.Join(dir, "dest", "parquet")}}
	if wal {
		l.name = "WAL, editor " + editor
	}
	must(k.t, storetest.New(storetest.Options{Seed: 5, Messages: 100, NoCases: true, WAL: wal}).
		Write(l.user))
	return l
}

// round changes the store, kills some runs and has the next one end.
func (k *killer) round(n int, l *lineage, kind string) {
	k.t.Helper()
	say := func(format string, args ...any) {
		k.t.Helper()
		k.t.Errorf("round %d (%s, %s load): %s", n, l.name, kind, fmt.Sprintf(format, args...))
	}
	k.prepare(l, kind, say)
	end, release := k.change(l), func() {}
	if kind == "reader" {
		release = hold(k.t, l.dest.warehouse)
	}
	defer func() { release() }()
	for left := k.inARow - k.random.IntN(2) - 1; left >= 0; left-- {
		acked := l.acked
		var before map[string]string
		if l.editor == "none" {
			before = files(k.t, l.user)
		}
		met := k.kill(l, kind, &end, say)
		if l.editor == "none" && !maps.Equal(before, files(k.t, l.user)) {
			say("the run killed in phase %s changed the source", met)
		}
		k.look(l, met, say)
		if k.t.Failed() {
			end()
			return
		}
		if l.acked == acked || left == 0 {
			continue
		}
		switch kind { // a load came through: the next is to be of the same kind, and find something to do
		case "first":
			l.forget(k.t)
		case "reader":
			release() // it holds the file that was replaced
			release = hold(k.t, l.dest.warehouse)
		}
		if l.editor == "none" {
			end = k.change(l)
		}
	}
	end()
	before := files(k.t, l.user)
	k.peace(l, kind, say)
	if n%k.every == 0 && l.acked > 1 {
		k.compare(l, say)
	}
	if !maps.Equal(before, files(k.t, l.user)) {
		say("the next run changed the source")
	}
}

// prepare makes a warehouse that such a load goes to, and measures one that is not killed.
func (k *killer) prepare(l *lineage, kind string, say sayer) {
	k.t.Helper()
	if kind == "first" {
		l.forget(k.t)
	} else if l.acked == 0 {
		k.peace(l, "first", say)
	}
	if k.spans[kind].whole > 0 {
		return
	}
	release := func() {}
	if kind != "first" {
		k.change(l)()
	}
	if kind == "reader" {
		release = hold(k.t, l.dest.warehouse)
	}
	k.peace(l, kind, say)
	release()
	if kind == "first" {
		l.forget(k.t)
	}
}

// change has an editor change the store. It goes on, or not, as the lineage says, until end is called.
func (k *killer) change(l *lineage) (end func()) {
	k.t.Helper()
	const enough = 10
	options := editortest.Options{WAL: l.wal, Pause: 5 * time.Millisecond, Limit: enough}
	if l.editor != "none" {
		options.Limit = 0
		if !l.wal {
			options.Pause = 20 * time.Millisecond // pauses in which the store can be read in place
		}
	}
	editor := editortest.Start(k.t, filepath.Join(l.user, "globalStorage", "state.vscdb"), options)
	for until := time.Now().Add(patience); editor.Commits() < enough; time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			k.t.Fatalf("%s: the editor made only %d commits in %v", l.name, editor.Commits(), patience)
		}
	}
	end = func() {
		k.t.Helper()
		if l.editor == "killed" || l.editor == "none" && l.wal { // a -wal stays, or a journal
			editor.Kill()
		} else if err := editor.Stop(); err != nil {
			k.t.Errorf("%s: the editor was disturbed: %v", l.name, err)
		}
	}
	if l.editor == "none" {
		end()
	}
	return end
}

// peace has a run end, which must load and leave nothing behind.
func (k *killer) peace(l *lineage, kind string, say sayer) {
	k.t.Helper()
	c := start(k.t, l.command(kind, "--quiet"))
	if code := c.wait(); code != 0 {
		say("an undisturbed run: exit code %d: %s", code, c.output.String())
		k.t.FailNow()
	}
	before := l.last
	l.acked++
	now := look(k.t, l.dest.warehouse, say)
	l.check(k.t, now, k.every > 1, say)
	quiet := before != nil && before.live == l.last.live && kind != "full" // a killed run has loaded it all
	if span := c.timings(); k.spans[kind].whole == 0 || span.whole < k.spans[kind].whole && !quiet {
		k.spans[kind] = span
	}
	if kind == "parquet" {
		if link, err := os.Readlink(filepath.Join(l.dest.parquet, "current")); err != nil ||
			link != fmt.Sprintf("v-%08d", l.acked) {
			say("current is %s after load %d: %v", link, l.acked, err)
		}
	}
	checkPublication(k.t, l, say)
	checkRaw(k.t, l.dest.warehouse, now, true, say)
	dest := l.dest
	if kind != "parquet" {
		dest.parquet = "" // it is swept by the next run that publishes
	}
	if left := leftovers(k.t, dest); len(left) > 0 {
		say("a run that ended well left %v", left)
	}
}

// compare compares the warehouse with a first load of the store, and with what the raw layer makes of it.
func (k *killer) compare(l *lineage, say sayer) {
	k.t.Helper()
	k.compared++
	dir := k.t.TempDir()
	defer os.RemoveAll(dir) // hundreds of them would fill a disk
	l.likeFirst(k.t, dir, func(warehouse string) *exec.Cmd {
		return command(place{warehouse: warehouse}, "--quiet", "--source", "test="+l.user)
	}, say)
	l.likeRebuilt(k.t, dir, say)
}

func (k *killer) count(met phase, kind, store string) {
	k.counts[met]++
	k.byStore[store]++
	counts := k.byKind[kind]
	counts[met]++
	k.byKind[kind] = counts
}

// notKilled is the phase of a run that ended before.
const notKilled phase = -1

// kill kills a run and returns the phase that it had come to.
func (k *killer) kill(l *lineage, kind string, end *func(), say sayer) (met phase) {
	k.t.Helper()
	span, aim, delay := k.spans[kind], starting, time.Duration(0)
	if k.random.IntN(3) > 0 {
		aim = k.rarest(kind)
		delay = time.Duration(k.random.Float64() * float64(span.phase[aim]))
	} else {
		delay = time.Duration(k.random.Float64() * float64(span.whole))
	}
	cmd := l.command(kind)
	if aim == committed { // such a run ends in the wink of an eye: it is to wait where it tells of its load
		defer gag(k.t, cmd)()
		delay = time.Duration(k.random.Float64() * float64(2*time.Millisecond))
	} else {
		cmd.Args = append(cmd.Args, "--quiet")
	}
	c := start(k.t, cmd)
	c.await(aim)
	c.sleep(delay)
	first := k.random.IntN(2) == 0 // who dies first
	if l.editor == "killed" && first {
		(*end)()
	}
	_ = c.cmd.Process.Kill() // it may have ended
	code := c.wait()
	met = c.phase()
	k.tries++
	switch busy := code == exitBusy && !l.wal && l.editor != "none"; {
	// such a store can be read politely only between two commits
	case code < 0:
		k.count(met, kind, l.name)
	case code == 0:
		l.acked++
		met = notKilled
	case busy:
		k.busy++
		met = notKilled
	default:
		say("exit code %d before the kill: %s", code, c.output.String())
	}
	if l.editor == "killed" {
		(*end)()
		*end = k.change(l)
		if !first {
			(*end)()
		}
	}
	return met
}

// rarest is the phase that the fewest kills of such a load met, then the fewest of all. Two count by half: the commit,
// where most can go wrong, and the publication, which is a part of few loads.
func (k *killer) rarest(kind string) (rarest phase) {
	least := math.MaxInt
	for p := opening; p < phases; p++ {
		n := k.byKind[kind][p]*1000 + k.counts[p]
		if p == committing || p == publishing {
			n /= 2
		}
		// after the commit there is either this or that
		wanted := p < committed || (p == publishing) == (kind == "parquet")
		if wanted && n < least {
			least, rarest = n, p
		}
	}
	return rarest
}

// look looks at what a killed run left.
func (k *killer) look(l *lineage, met phase, say sayer) {
	k.t.Helper()
	if _, err := os.Stat(l.dest.warehouse); os.IsNotExist(err) {
		if l.acked > 0 || met >= committed {
			say("the warehouse is gone after a kill in phase %s", met)
		}
		return
	}
	log, err := os.Stat(l.dest.warehouse + ".wal")
	now := look(k.t, l.dest.warehouse, say)
	switch {
	case now.loads == l.acked+1:
		k.committed++
		if err == nil && log.Size() > 0 {
			k.logged++
		}
		l.acked++
	case met >= committed:
		say("a run killed in phase %s had committed load %d, there are %d", met, l.acked+1, now.loads)
	}
	l.check(k.t, now, false, say)
	checkPublication(k.t, l, say)
	checkRaw(k.t, l.dest.warehouse, now, false, say)
}
