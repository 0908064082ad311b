// Package serve runs pipelines when they are due, as long as its process lives, and tells of them over HTTP.
//
// It knows when and how a run is started and what is told about it; it must never know what a run does. A run is another process of this
// program. What is decided when is a matter of Planner, which has no clock, so that a test can have years of nights in a second.
package serve

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"pipeline/cmd/pipeline/internal/runlog"
)

// Options are what a server is made of.
type Options struct {
	// Pipelines returns what is served, read anew where it has changed on disk, and what is newly wrong with it.
	Pipelines func() ([]Pipeline, []error)
	Runner    Runner
	Watch     *Watch // nil: changes start nothing
	Policy    Policy
	Signals   <-chan os.Signal // the first asks to stop, the second interrupts the run in hand, the third ends it
	Tell      func(Event)      // what happens, as it does; called by one goroutine at a time
	Now       func() time.Time // nil: the clock on the wall
}

// An Event is something that happened.
type Event struct {
	Time     time.Time   `json:"time"`
	Kind     string      `json:"event"` // one of the words below
	Pipeline string      `json:"pipeline,omitempty"`
	Trigger  string      `json:"trigger,omitempty"`
	Message  string      `json:"message"`
	Run      *runlog.Run `json:"run,omitempty"` // that started or ended; its id ends in the number of its process
}

// Kinds of events.
const (
	Serving  = "serving" // told by who makes the server
	Started  = "started" // a run
	Ended    = "ended"   // a run
	Warning  = "warning"
	Stopping = "stopping"
)

// A Server decides, starts and tells. Make one with New.
type Server struct {
	o       Options
	planner *Planner
	known   history
	state   atomic.Pointer[State]
	counts  *counts

	pipelines []Pipeline
	recorded  []runlog.Run // the latest first
	run       Run
	running   *Start
	ended     chan outcome
	stopping  int // signals
	warned    map[string]bool
}

// outcome is how a run ended.
type outcome struct {
	code int
	said string
}

// longestNap is how long the loop sleeps at most. A timer that is set for tomorrow is no good: timers count the time that the machine is awake
// (and so does the runner of the library that reads schedules). So the clock on the wall is looked at anew each time.
const longestNap = 30 * time.Second

// New makes a server. Nothing happens before Run.
func New(o Options) *Server {
	if o.Now == nil {
		o.Now = func() time.Time { return time.Now().Round(0) } // without the reading of the clock that stops when the machine sleeps
	}
	s := &Server{o: o, ended: make(chan outcome, 1), counts: newCounts(o.Now()), warned: map[string]bool{}}
	s.planner = NewPlanner(o.Policy, o.Now())
	s.state.Store(&State{At: o.Now()})
	return s
}

// Run goes on until it is told to stop. interrupted says that a run was stopped for it.
func (s *Server) Run() (interrupted bool) {
	for {
		well := s.guarded("look", s.look)
		if s.stopping > 0 && s.run == nil {
			return interrupted
		}
		interrupted = s.wait(well) || interrupted
	}
}

// wait waits until it is time for a look.
func (s *Server) wait(well bool) (interrupted bool) {
	for {
		nap, changes := time.NewTimer(longestNap), s.o.Watch.C()
		if well { // else what is wrong would be met again at once
			nap.Reset(s.nap())
		}
		if s.stopping > 0 {
			changes = nil
		}
		select {
		case <-nap.C:
			return false
		case <-changes:
			s.o.Watch.Poke()
			nap.Stop()
			continue
		case out := <-s.ended:
			s.guarded("end of a run", func() { s.end(out) })
		case <-s.o.Signals:
			s.guarded("stop", func() { interrupted = s.stop() })
		}
		nap.Stop()
		return interrupted
	}
}

// guarded does one step of the loop. A defect in it is told, and the nights go on.
func (s *Server) guarded(what string, step func()) (well bool) {
	defer func() {
		if defect := recover(); defect != nil {
			s.o.Tell(Event{Time: s.o.Now(), Kind: Warning, Message: fmt.Sprintf("a defect of this program, which goes on: %s: %v\n%s", what, defect, debug.Stack())})
		}
	}()
	step()
	return true
}

// nap is how long nothing can happen that is not told of.
func (s *Server) nap() time.Duration {
	if s.stopping > 0 { // the run's end is told
		return longestNap
	}
	now := s.o.Now()
	nap := longestNap
	for _, wake := range []time.Time{s.planner.Wake(now, s.pipelines, s.recorded), s.o.Watch.Wake()} {
		if !wake.IsZero() {
			nap = min(nap, wake.Sub(now))
		}
	}
	return max(nap, 10*time.Millisecond)
}

// look looks at the clock, the files and the logs, and starts what is due.
func (s *Server) look() {
	now := s.o.Now()
	defer func() { s.publish(now) }()
	var problems []error
	s.pipelines, problems = s.o.Pipelines()
	for _, err := range problems {
		s.tell(Event{Kind: Warning, Message: err.Error()})
	}
	s.read()
	if s.run == nil {
		s.planner.Ended() // also where a defect kept a run from being started
	}
	if s.stopping > 0 {
		return
	}
	changed, err := s.o.Watch.Look(now, s.pipelines, func(p Pipeline) time.Time { return s.planner.lastStart(p, s.recorded, now) })
	if err != nil {
		s.tell(Event{Kind: Warning, Message: err.Error()})
	}
	for _, name := range changed {
		s.planner.Changed(name)
	}
	due, err := s.planner.Look(now, s.pipelines, s.recorded)
	s.once("planner", err)
	if due != nil {
		s.start(*due)
	}
}

// read reads the logs.
func (s *Server) read() {
	runs, err := s.known.runs(s.pipelines)
	s.once("log", err)
	s.recorded = runs
	s.counts.see(s.pipelines, runs)
}

// once tells of an error when it is new: the same is met at each look.
func (s *Server) once(of string, err error) {
	if err == nil {
		return
	}
	if text := of + err.Error(); !s.warned[text] {
		s.warned[text] = true
		s.tell(Event{Kind: Warning, Message: err.Error()})
	}
}

// start begins a run.
func (s *Server) start(due Start) {
	now := s.o.Now()
	run, err := s.o.Runner.Start(due)
	if err != nil {
		s.known.add(runlog.Run{ID: runlog.NewID(now), Pipeline: due.Pipeline.Name, Trigger: due.Trigger, StartedAt: now})
		s.known.end(now, exitNotStarted, err.Error())
		s.planner.Ended()
		s.tell(Event{Kind: Warning, Pipeline: due.Pipeline.Name, Trigger: due.Trigger, Message: err.Error()})
		return
	}
	s.run, s.running = run, &due
	own := runlog.Run{ID: strconv.FormatInt(now.UnixNano(), 36) + "-" + strconv.Itoa(run.PID()), Pipeline: due.Pipeline.Name, Trigger: due.Trigger, StartedAt: now, Attempts: 1}
	s.known.add(own)
	s.tell(Event{Kind: Started, Pipeline: due.Pipeline.Name, Trigger: due.Trigger, Message: why(due), Run: &own})
	go func() {
		out := outcome{code: exitNotStarted, said: "a defect of this program: the end of the run was not seen"}
		defer func() {
			if defect := recover(); defect != nil {
				out.said = fmt.Sprintf("a defect of this program: %v", defect)
			}
			s.ended <- out
		}()
		out.code, out.said = run.Wait()
	}()
}

// exitNotStarted is the code of a run that there was none of, as a shell has it for a program that cannot be run.
const exitNotStarted = 126

// why says what a run is for.
func why(s Start) string {
	switch {
	case s.Trigger == runlog.ByWatch:
		return "its stores have changed"
	case s.Missed > 0:
		return fmt.Sprintf("due %s, and %d times before", s.Moment.Format(clock), s.Missed)
	}
	return "due " + s.Moment.Format(clock)
}

// clock is how moments are told, in the zone of their schedule.
const clock = "2006-01-02 15:04 MST"

// end notes how the run in hand ended.
func (s *Server) end(out outcome) {
	due := s.running
	s.run, s.running = nil, nil
	s.planner.Ended()
	if out.code == 0 {
		out.said = ""
	}
	s.known.end(s.o.Now(), out.code, out.said)
	own := s.known.own[len(s.known.own)-1]
	if due.Trigger == runlog.ByWatch && out.code == runlog.Busy { // what changed is not loaded yet
		s.planner.Changed(due.Pipeline.Name)
	}
	s.read()
	for _, r := range s.recorded {
		if sameRun(own, r) {
			own = r
		}
	}
	s.tell(Event{Kind: Ended, Pipeline: due.Pipeline.Name, Trigger: due.Trigger, Message: howEnded(own), Run: &own})
}

// howEnded tells a run's end in words.
func howEnded(r runlog.Run) string {
	code, _ := r.Code()
	text := fmt.Sprintf("done in %s", took(r))
	if code != 0 {
		text = fmt.Sprintf("exit code %d after %s", code, took(r))
	}
	if r.Error != "" {
		text += ": " + r.Error
	}
	return text
}

func took(r runlog.Run) string {
	if r.FinishedAt == nil {
		return "?"
	}
	return r.FinishedAt.Sub(r.StartedAt).Round(100 * time.Millisecond).String()
}

// stop is what a signal does: the first lets the run in hand end, the second interrupts it, the third ends it.
func (s *Server) stop() (interrupted bool) {
	s.stopping++
	switch {
	case s.run == nil:
		s.tell(Event{Kind: Stopping, Message: "no run is under way"})
		return false
	case s.stopping == 1:
		s.tell(Event{Kind: Stopping, Pipeline: s.running.Pipeline.Name, Message: "its run is under way and is waited for; once more interrupts it, which leaves nothing half done"})
		return false
	}
	what, act := "interrupted", s.run.Interrupt
	if s.stopping > 2 {
		what, act = "killed", s.run.Kill
	}
	s.tell(Event{Kind: Stopping, Pipeline: s.running.Pipeline.Name, Message: "its run is " + what})
	if err := act(); err != nil {
		s.tell(Event{Kind: Warning, Message: err.Error()})
	}
	return true
}

// tell tells what happened. Whoever hears of it and asks finds it so.
func (s *Server) tell(e Event) {
	e.Time = s.o.Now()
	s.publish(e.Time)
	s.o.Tell(e)
}
