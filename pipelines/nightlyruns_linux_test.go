package pipelines_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"pipeline/load/engine"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// A timeZoneStay is some days that a laptop spends in a time zone, and when its pipeline runs there.
type timeZoneStay struct {
	zone, cron string
	first      string // day
	days       int    // as many nights
	// nights (from 0) of which the moment is not as the schedule has it, by a calendar of the zone
	odd    map[int]string
	usual  string         // time of day of all others
	nights map[int]string // what is amiss, by night
}

// stays are thirty nights: both days on which the clocks of Berlin are changed, and one of Lord Howe Island, where it
// is by half an hour.
var stays = []timeZoneStay{
	{"Europe/Berlin", "30 2 * * *", "2026-03-22", 10, map[int]string{7: "03:00"}, "02:30",
		map[int]string{1: asleep, 2: readerComes, 3: asleep, 4: readerGoes, 5: locked, 6: busy, 7: asleep,
			8: killed + "merge"}},
	{"Australia/Lord_Howe", "45 1 * * *", "2026-04-01", 10, nil, "01:45",
		map[int]string{1: fullDisk, 2: fullDisk, 3: asleep, 6: killed + "commit", 7: off, 8: off, 9: asleep}},
	{"Europe/Berlin", "30 2 * * *", "2026-10-19", 10, nil, "02:30",
		map[int]string{1: readerComes, 2: killed + "read", 3: readerGoes, 4: locked, 5: off, 6: asleep, 8: fullDisk}},
}

// What may be amiss in a night.
const (
	asleep      = "the lid is closed until the morning"
	off         = "the machine is off until the next night"
	readerComes = "somebody leaves a reader open"
	readerGoes  = "and closes it"
	locked      = "the editor is in the middle of a commit"
	busy        = "another run is under way"
	fullDisk    = "the disk is full"
	killed      = "the run is killed: "
)

// TestThirtyRuns: a pipeline runs by its schedule for thirty nights while the store changes. Each night is loaded, or
// told of; of the moments that are missed one is made up for; in the end every version of a row that a good run could
// see is in the raw layer once, and the warehouse is the one that a first load makes.
func TestThirtyRuns(t *testing.T) {
	t.Parallel()
	long(t)
	w := newHistoryChecker(t, map[string]int{})
	n := &nightlyRuns{historyChecker: w, rng: rand.New(rand.NewPCG(30, 1)), disk: filepath.Join(w.dir, "disk")}
	must(t, os.Mkdir(n.disk, 0o700))
	if err := syscall.Mount("tmpfs", n.disk, "tmpfs", 0, "size=192m"); err != nil {
		t.Logf("no night has a full disk: a small one cannot be mounted here: %v", err)
	} else {
		n.small = true
		t.Cleanup(func() { must(t, syscall.Unmount(n.disk, syscall.MNT_DETACH)) })
	}
	w.dir = n.disk
	missed := 0
	for _, s := range stays {
		missed += n.spend(s)
	}
	want := 0
	for _, s := range stays {
		want += s.days
	}
	same(t, "the nights that were loaded, told of, or made up for by another", want, n.loaded+len(n.told)+missed)
	t.Logf("%d nights loaded, %d made up for by the next; told of:\n%s", n.loaded, missed, strings.Join(n.told, "\n"))
	w.check()
	w.checkRebuild()
}

// nightlyRuns is the laptop and what it does.
type nightlyRuns struct {
	*historyChecker
	rng     *rand.Rand
	disk    string
	small   bool // it can be filled
	release func()
	last    time.Time // start of the last run
	loaded  int
	told    []string // of the nights that were not loaded
}

// spend lives through some days minute by minute, and returns how many moments were missed and made up for.
func (n *nightlyRuns) spend(s timeZoneStay) (missed int) {
	zone, err := time.LoadLocation(s.zone)
	must(n.t, err)
	midnight, err := time.ParseInLocation(time.DateOnly, s.first, zone)
	must(n.t, err)
	schedule := &file.Schedule{Cron: s.cron, Timezone: s.zone}
	var days, want, got []string
	for i := range s.days {
		days = append(days, midnight.AddDate(0, 0, i).Format(time.DateOnly))
		if clock := cmp.Or(s.odd[i], s.usual); s.nights[i] != off { // the next one makes up for it
			want = append(want, days[i]+" "+clock)
		}
	}
	n.last = midnight
	for now := midnight; now.Before(midnight.AddDate(0, 0, s.days)); now = now.Add(time.Minute) {
		local := now.In(zone)
		amiss := s.nights[slices.Index(days, local.Format(time.DateOnly))]
		if local.Hour() == 0 && local.Minute() == 0 {
			n.live(8)
		}
		if amiss == off || amiss == asleep && local.Hour() < 8 {
			continue
		}
		at, passed, err := schedule.Due(n.last, now)
		must(n.t, err)
		if at.IsZero() {
			continue
		}
		if late := now.Sub(at); late > 0 && amiss != asleep {
			n.t.Errorf("%s came %s late", at, late)
		}
		got = append(got, at.Format("2006-01-02 15:04"))
		missed += passed
		n.last = now
		n.night(now, amiss)
	}
	same(n.t, "the moments in "+s.zone, want, got)
	return missed
}

// live changes the store as Cursor does.
func (n *nightlyRuns) live(times int) {
	kinds := slices.DeleteFunc(slices.Sorted(maps.Keys(historyOps)),
		func(kind string) bool { return slices.Contains(rowIDKept, kind) })
	n.past.open()
	for range times {
		historyOps[kinds[n.rng.IntN(len(kinds))]](n.past, n.rng.IntN(1<<20), n.rng.IntN(1<<20))
	}
	n.past.close()
}

// night is the run that is due, whatever is amiss.
func (n *nightlyRuns) night(now time.Time, amiss string) {
	n.t.Helper()
	phase, isKilled := strings.CutPrefix(amiss, killed)
	switch {
	case amiss == readerComes:
		n.release = hold(n.t, "duckdb", n.warehouse()+"?access_mode=read_only", "FROM conversations")
	case amiss == readerGoes:
		n.release()
	case amiss == fullDisk && n.small:
		filler := filepath.Join(n.disk, "filler")
		fill(n.t, filler)
		err := n.bad(now, amiss)
		says(n.t, err, n.warehouse(), "space")
		n.tell(now, amiss, err)
		must(n.t, os.Remove(filler))
		return
	case isKilled:
		n.kill(now, phase)
		return
	case amiss == locked:
		n.see() // what is committed is read all the same
		defer hold(n.t, "sqlite", "file:"+n.past.global(), `PRAGMA cache_size = 1`, `BEGIN EXCLUSIVE`,
			`UPDATE cursorDiskKV SET value = 'not committed' WHERE key LIKE 'bubbleId:%'`)()
		n.now = now
		n.step(0)
		n.loaded++
		return
	case amiss == busy:
		lock := flock.New(n.warehouse() + ".lock")
		held, err := lock.TryLock()
		if err != nil || !held {
			n.t.Fatal("the warehouse cannot be locked: ", err)
		}
		for range 2 { // the cause is passing: it is tried again
			if err := n.bad(now, amiss); !errors.Is(err, engine.ErrBusy) {
				n.t.Errorf("a warehouse that is locked: %v", err)
			}
			now = now.Add(time.Minute)
		}
		must(n.t, lock.Unlock())
	}
	n.good(now)
}

// bad is a run that changes nothing and says why.
func (n *nightlyRuns) bad(now time.Time, amiss string) error {
	n.t.Helper()
	before := n.dump(allTables()...)
	_, err := pipelines.Run(n.t.Context(), n.options(acceptDeletes,
		func(o *pipelines.Options) { o.Now = func() time.Time { return now } }))
	if err == nil {
		n.t.Fatalf("%s: the run of a night in which %s succeeded", now, amiss)
	}
	same(n.t, "the tables after a night in which "+amiss, before, n.dump(allTables()...))
	return err
}

func (n *nightlyRuns) tell(now time.Time, amiss string, err error) {
	n.told = append(n.told, fmt.Sprintf("%s: %s: %.200s", now.Format(time.DateOnly), amiss, err))
}

const nightEnv = "PIPELINES_TEST_NIGHT"

// TestNight is a run in a process of its own, which is killed when it comes to a phase.
func TestNight(t *testing.T) {
	args := strings.Split(os.Getenv(nightEnv), "\n")
	if len(args) != 4 {
		t.Skip("only in a process of its own")
	}
	at, err := time.Parse(time.RFC3339, args[2])
	must(t, err)
	o := options(t, args[0], args[1])
	o.Now, o.Phase = func() time.Time { return at }, func(phase string) {
		if phase == args[3] {
			must(t, syscall.Kill(os.Getpid(), syscall.SIGKILL))
			select {}
		}
	}
	acceptDeletes(&o)
	mustRun(t, o)
}

// kill is a night whose run is killed in a phase.
func (n *nightlyRuns) kill(now time.Time, phase string) {
	n.t.Helper()
	self, err := os.Executable()
	must(n.t, err)
	cmd := exec.Command(self, "-test.run=^TestNight$")
	cmd.Env = append(os.Environ(), nightEnv+"="+
		strings.Join([]string{n.dir, n.user, now.Format(time.RFC3339), phase}, "\n"))
	before := n.dump(allTables()...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || !exit.Sys().(syscall.WaitStatus).Signaled() {
		n.t.Fatalf("the run was to be killed in %s: %v\n%s", phase, err, out)
	}
	same(n.t, "the tables after a run that was killed", before, n.dump(allTables()...))
	n.tell(now, killed+phase, err)
}

// good is a night that is loaded.
func (n *nightlyRuns) good(now time.Time) {
	n.t.Helper()
	n.see()
	n.now = now
	n.step(0)
	n.loaded++
}

// see notes what the store holds, which the run is to find.
func (n *nightlyRuns) see() {
	n.past.open()
	n.look()
	n.past.close()
}
