package serve_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/serve"
)

// fakeRunner starts runs that take as long as they are told to, or until they are interrupted.
type fakeRunner struct {
	takes     time.Duration
	code      int
	defect    string // panic on "start" or "wait"
	fails     error
	mu        sync.Mutex
	now, most int
	pid       int
	starts    []string
}

type fakeRun struct {
	of     *fakeRunner
	stop   chan string
	number int
}

func (f *fakeRunner) Start(s serve.Start) (serve.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.starts = append(f.starts, s.Pipeline.Name+" "+time.Now().UTC().Format("02 15:04:05")+" "+s.Trigger)
	if f.defect == "start" && len(f.starts) == 1 {
		panic("a slip")
	}
	if f.fails != nil {
		return nil, f.fails
	}
	f.now++
	f.most = max(f.most, f.now)
	f.pid++
	return &fakeRun{f, make(chan string, 2), f.pid}, nil
}

func (r *fakeRun) PID() int { return r.number }

func (r *fakeRun) Wait() (int, string) {
	code, said := r.of.code, "load 1 is done"
	select {
	case <-time.After(r.of.takes):
	case said = <-r.stop:
		code = 130
	}
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	r.of.now--
	if r.of.defect == "wait" && r.number == 1 {
		panic("a slip")
	}
	return code, said
}

func (r *fakeRun) Interrupt() error { r.stop <- "interrupted"; return nil }
func (r *fakeRun) Kill() error      { r.stop <- "killed"; return nil }

// loop is a server in a bubble of time.
type loop struct {
	*serve.Server
	signals chan os.Signal
	events  []serve.Event
	stopped chan bool
}

// bubble serves pipelines; the bubble's time begins at midnight.
func bubble(runner serve.Runner, change func(*serve.Options), pipelines ...serve.Pipeline) *loop {
	l := &loop{signals: make(chan os.Signal, 3), stopped: make(chan bool, 1)}
	o := serve.Options{Runner: runner, Signals: l.signals, Tell: func(e serve.Event) { l.events = append(l.events, e) },
		Pipelines: func() ([]serve.Pipeline, []error) { return pipelines, nil }}
	if change != nil {
		change(&o)
	}
	l.Server = serve.New(o)
	go func() { l.stopped <- l.Run() }()
	return l
}

// told are the messages of a kind.
func (l *loop) told(kind string) (out []string) {
	for _, e := range l.events {
		if e.Kind == kind {
			out = append(out, e.Message)
		}
	}
	return out
}

// TestLoop: three pipelines of the same minute, runs that take longer than the schedule's steps: one at a time, none
// twice, none left out.
func TestLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all []serve.Pipeline
		for _, name := range []string{"a", "b", "c"} {
			p := nightly("*/30 * * * *", "UTC")
			p.Name = name
			all = append(all, p)
		}
		runner := &fakeRunner{takes: 7 * time.Minute}
		l := bubble(runner, nil, all...)
		time.Sleep(90 * time.Minute)
		synctest.Wait()
		l.signals <- syscall.SIGTERM
		if <-l.stopped {
			t.Error("no run was interrupted")
		}
		var want []string
		for _, hour := range []string{"00:00", "00:30", "01:00"} {
			from, _ := time.Parse("15:04", hour)
			for i, name := range []string{"a", "b", "c"} {
				want = append(want, name+" 01 "+from.Add(time.Duration(i)*7*time.Minute).Format("15:04:05")+" schedule")
			}
		}
		if want = append(want, "a 01 01:30:00 schedule"); !slices.Equal(runner.starts, want) || runner.most != 1 {
			t.Errorf("at most %d at once: %q, want %q", runner.most, runner.starts, want)
		}
	})
}

// TestSleep: while the machine sleeps its timers stand still, and the clock on the wall does not.
func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slept atomic.Int64
		runner := &fakeRunner{takes: time.Minute}
		l := bubble(runner, func(o *serve.Options) {
			o.Now = func() time.Time { return time.Now().UTC().Add(time.Duration(slept.Load())) }
		}, nightly("30 4 * * *", "UTC"))
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		slept.Store(int64(80 * time.Hour)) // it is Tuesday, 10 o'clock
		time.Sleep(31 * time.Second)
		synctest.Wait()
		l.signals <- syscall.SIGTERM
		<-l.stopped
		want := []string{"due 1999-12-31 04:30 UTC", "due 2000-01-04 04:30 UTC, and 3 times before"}
		if got := l.told(serve.EventStarted); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		for _, e := range l.events {
			if e.Kind == serve.EventStarted && e.Trigger != "catch-up" {
				t.Error(e.Trigger)
			}
		}
	})
}

// TestStop: the first signal waits for the run in hand, the second interrupts it, the third kills it; no other is
// started.
func TestStop(t *testing.T) {
	for signals, want := range []struct {
		took        time.Duration
		interrupted bool
		said        string
	}{{}, {9 * time.Minute, false, "done in 10m0s"}, {0, true, "interrupted"}} {
		if signals == 0 {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			l := bubble(&fakeRunner{takes: 10 * time.Minute}, nil, nightly("* * * * *", "UTC"))
			time.Sleep(time.Minute)
			for range signals {
				l.signals <- syscall.SIGINT
				synctest.Wait()
			}
			from := time.Now()
			if signals == 1 && (!l.State().Stopping || l.State().Pipelines[0].State != serve.Running) {
				t.Errorf("%+v", l.State())
			}
			if got := <-l.stopped; got != want.interrupted || time.Since(from) != want.took {
				t.Errorf("%d signals: interrupted %v after %v", signals, got, time.Since(from))
			}
			if ended := l.told(serve.EventEnded); len(ended) != 1 || !strings.Contains(ended[0], want.said) ||
				len(l.told(serve.EventStarted)) != 1 {
				t.Errorf("%d signals: %v", signals, l.events)
			}
		})
	}
}

// TestDefects: a panic, a program that cannot be started and a broken file are told, and the loop goes on.
func TestDefects(t *testing.T) {
	for _, test := range []struct {
		name, want string
		runner     *fakeRunner
		files      error
	}{
		{"a panic at the start", "a slip", &fakeRunner{defect: "start", takes: time.Second}, nil},
		{"a panic at the end", "a slip", &fakeRunner{defect: "wait", takes: time.Second}, nil},
		{"no such program", "no such program", &fakeRunner{fails: errors.New("no such program")}, nil},
		{"a broken file", "line 3", &fakeRunner{takes: time.Second}, errors.New("line 3")},
		{"a panic of who tells", "third look", &fakeRunner{takes: time.Second}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				looks := 0
				p := nightly("* * * * *", "UTC")
				l := bubble(test.runner, func(o *serve.Options) {
					o.Pipelines = func() ([]serve.Pipeline, []error) {
						if looks++; looks == 3 && test.want == "third look" {
							panic("third look")
						}
						if looks == 2 && test.files != nil {
							return []serve.Pipeline{p}, []error{test.files}
						}
						return []serve.Pipeline{p}, nil
					}
				})
				time.Sleep(5*time.Minute + time.Second)
				synctest.Wait()
				l.signals <- syscall.SIGTERM
				<-l.stopped
				if n := len(test.runner.starts); n != 6 && n != 7 {
					t.Errorf("%d starts in five minutes: %q", n, test.runner.starts)
				}
				if all := fmt.Sprint(l.events, l.State().Runs); !strings.Contains(all, test.want) {
					t.Errorf("not told: %s", all)
				}
			})
		})
	}
}

// TestBusyAgain: a run that a change began, and that was busy, is begun again after the pause: what changed is not
// loaded yet.
func TestBusyAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runner := &fakeRunner{takes: time.Second, code: 75}
		store := t.TempDir() + "/state.vscdb"
		must(t, os.WriteFile(store, []byte("x"), 0o600))
		p := serve.Pipeline{Name: "w", Watched: true, Stores: []string{store}}
		l := bubble(runner, func(o *serve.Options) {
			o.Watch, o.Policy.MinPause = serve.NewWatch(nil), 5*time.Minute
		}, p)
		time.Sleep(13 * time.Minute)
		synctest.Wait()
		l.signals <- syscall.SIGTERM
		<-l.stopped
		if want := []string{"w 01 00:00:10 watch", "w 01 00:05:11 watch",
			"w 01 00:10:12 watch"}; !slices.Equal(runner.starts, want) {
			t.Errorf("%q, want %q", runner.starts, want)
		}
	})
}

// TestKilledRun: a run writes its first line into the log and is killed: it is one run, of which the server has seen
// the end. One that writes its last line is told as the line has it.
func TestKilledRun(t *testing.T) {
	for _, code := range []int{137, 0} {
		synctest.Test(t, func(t *testing.T) {
			p := nightly("@yearly", "UTC")
			p.Warehouse = t.TempDir() + "/w.duckdb"
			began := time.Now()
			l := bubble(&fakeRunner{takes: 3 * time.Second, code: code}, nil, p)
			time.Sleep(time.Second)
			line := runlog.Run{ID: "abc-1", Pipeline: "night", Trigger: runlog.ByCatchUp,
				StartedAt: began.Add(time.Millisecond)}
			if code == 0 {
				line.FinishedAt, line.ExitCode, line.Messages = new(began.Add(2*time.Second)), new(0), 12
			}
			must(t, runlog.Append(p.Warehouse, line))
			other := line
			other.ID, other.Pipeline, other.StartedAt = "abd-2", "", began.Add(-time.Hour)
			must(t, runlog.Append(p.Warehouse, other))
			time.Sleep(time.Minute)
			l.signals <- syscall.SIGTERM
			<-l.stopped
			runs := l.State().Runs
			if len(runs) != 2 || runs[0].ID != "abc-1" || runs[0].FinishedAt == nil || *runs[0].ExitCode != code ||
				runs[0].Messages != line.Messages {
				t.Errorf("%d: %+v", code, runs)
			}
			if got, _, _ := strings.Cut(fmt.Sprint(l.told(serve.EventEnded)), " "); got != map[int]string{137: "[exit",
				0: "[done"}[code] {
				t.Errorf("%d: %q", code, l.told(serve.EventEnded))
			}
		})
	}
}

// must ends a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
