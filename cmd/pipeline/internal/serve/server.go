// Package serve runs pipelines when they are due, as long as its process lives, and reports on them over HTTP.
//
// It knows when and how a run is started, and what is reported about it. It must never know what a run does. A run is
// another process of this program. Planner decides when a run starts; it reads no clock, so that a test can simulate
// years in a second.
package serve

import (
	"cmp"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"pipeline/cmd/pipeline/internal/runlog"
)

// Options are the parts of a server.
type Options struct {
	// Pipelines returns the pipelines, read again if their files have changed, and new errors.
	Pipelines func() ([]Pipeline, []error)
	Runner    Runner
	Watch     *Watch // nil: one without notices
	Policy    Policy
	Signals   <-chan os.Signal // the first one asks to stop, the second interrupts the present run, the third kills it
	Tell      func(Event)      // receives events; called by one goroutine at a time
	Now       func() time.Time // nil: the wall clock
}

// An Event is something that happened.
type Event struct {
	Time     time.Time   `json:"time"`
	Kind     string      `json:"event"` // one of the kinds below
	Pipeline string      `json:"pipeline,omitempty"`
	Trigger  string      `json:"trigger,omitempty"`
	Message  string      `json:"message"`
	Run      *runlog.Run `json:"run,omitempty"` // the run that started or ended; its id ends in its process id
}

// Kinds of events.
const (
	EventServing  = "serving" // sent by the program that makes the server
	EventStarted  = "started" // a run started
	EventEnded    = "ended"   // a run ended
	EventWarning  = "warning"
	EventStopping = "stopping"
)

// A Server decides, starts runs and reports. Make one with New.
type Server struct {
	o       Options
	planner *Planner
	known   history
	state   atomic.Pointer[State]
	counts  *counts

	pipelines []Pipeline
	recorded  []runlog.Run // from the logs, the latest first
	run       Run
	running   *Start
	ended     chan outcome
	stopping  int // number of signals
	warned    map[string]bool
}

// outcome is how a run ended.
type outcome struct {
	code int
	said string
}

// longestNap is the longest sleep of the loop. A timer for tomorrow would be wrong, since timers stop while the machine
// is asleep (and so does the runner of the library that reads schedules). So the loop looks at the wall clock again and
// again.
const longestNap = 30 * time.Second

// New makes a server. It does nothing before Run.
func New(o Options) *Server {
	if o.Now == nil {
		// Round removes the monotonic clock, which stops while the machine is asleep
		o.Now = func() time.Time { return time.Now().Round(0) }
	}
	o.Watch = cmp.Or(o.Watch, NewWatch(nil))
	s := &Server{o: o, ended: make(chan outcome, 1), counts: newCounts(o.Now()), warned: map[string]bool{}}
	s.planner = NewPlanner(o.Policy, o.Now())
	s.state.Store(&State{At: o.Now()})
	return s
}

// Run runs until a signal stops it. interrupted says whether it interrupted a run.
func (s *Server) Run() (interrupted bool) {
	for {
		well := s.guarded("look", s.look)
		if s.stopping > 0 && s.run == nil {
			return interrupted
		}
		interrupted = s.wait(well) || interrupted
	}
}

// wait waits until it is time to look.
func (s *Server) wait(well bool) (interrupted bool) {
	for {
		nap, changes := time.NewTimer(longestNap), s.o.Watch.C()
		if well { // otherwise the same error would come again at once
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

// guarded runs one step of the loop. It reports a panic, and the loop goes on.
func (s *Server) guarded(what string, step func()) (well bool) {
	defer func() {
		if defect := recover(); defect != nil {
			s.o.Tell(Event{Time: s.o.Now(), Kind: EventWarning,
				Message: fmt.Sprintf("an error in this program, which goes on: %s: %v\n%s", what, defect,
					debug.Stack())})
		}
	}()
	step()
	return true
}

// nap is how long the loop may sleep, if no event comes.
func (s *Server) nap() time.Duration {
	if s.stopping > 0 { // the end of the run is an event
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

// look looks at the clock, the files and the logs, and starts the run that is due.
func (s *Server) look() {
	now := s.o.Now()
	defer func() { s.publish(now) }()
	var problems []error
	s.pipelines, problems = s.o.Pipelines()
	for _, err := range problems {
		s.tell(Event{Kind: EventWarning, Message: err.Error()})
	}
	s.read()
	if s.run == nil {
		s.planner.Ended() // also if a panic kept a run from starting
	}
	if s.stopping > 0 {
		return
	}
	changed, err := s.o.Watch.Look(now, s.pipelines,
		func(p Pipeline) time.Time { return s.planner.lastStart(p, s.recorded, now) })
	if err != nil {
		s.tell(Event{Kind: EventWarning, Message: err.Error()})
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

// once reports an error only if it is new: every look meets the same one.
func (s *Server) once(of string, err error) {
	if err == nil {
		return
	}
	if text := of + err.Error(); !s.warned[text] {
		s.warned[text] = true
		s.tell(Event{Kind: EventWarning, Message: err.Error()})
	}
}

// start begins a run.
func (s *Server) start(due Start) {
	now := s.o.Now()
	run, err := s.o.Runner.Start(due)
	if err != nil {
		s.known.add(runlog.Run{ID: runlog.NewID(now), Pipeline: due.Pipeline.Name, Trigger: due.Trigger,
			StartedAt: now})
		s.known.end(now, exitNotStarted, err.Error())
		s.planner.Ended()
		s.tell(Event{Kind: EventWarning, Pipeline: due.Pipeline.Name, Trigger: due.Trigger, Message: err.Error()})
		return
	}
	s.run, s.running = run, &due
	own := runlog.Run{ID: strconv.FormatInt(now.UnixNano(), 36) + "-" + strconv.Itoa(run.PID()),
		Pipeline: due.Pipeline.Name, Trigger: due.Trigger, StartedAt: now, Attempts: 1}
	s.known.add(own)
	s.tell(Event{Kind: EventStarted, Pipeline: due.Pipeline.Name, Trigger: due.Trigger, Message: why(due), Run: &own})
	go func() {
		out := outcome{code: exitNotStarted, said: "an error in this program: the end of the run was not seen"}
		defer func() {
			if defect := recover(); defect != nil {
				out.said = fmt.Sprintf("an error in this program: %v", defect)
			}
			s.ended <- out
		}()
		out.code, out.said = run.Wait()
	}()
}

// exitNotStarted is the code of a run that could not be started; shells use it for a program that cannot be run.
const exitNotStarted = 126

// why says why a run starts.
func why(s Start) string {
	switch {
	case s.Trigger == runlog.ByWatch:
		return "its stores have changed"
	case s.Missed > 0:
		return fmt.Sprintf("due %s, and %d times before", s.Moment.Format(clock), s.Missed)
	}
	return "due " + s.Moment.Format(clock)
}

// clock is the format of times, in the zone of their schedule.
const clock = "2006-01-02 15:04 MST"

// end notes how the present run ended.
func (s *Server) end(out outcome) {
	due := s.running
	s.run, s.running = nil, nil
	s.planner.Ended()
	if out.code == 0 {
		out.said = ""
	}
	s.known.end(s.o.Now(), out.code, out.said)
	own := s.known.own[len(s.known.own)-1]
	if due.Trigger == runlog.ByWatch && out.code == runlog.Busy { // the change has not been loaded yet
		s.planner.Changed(due.Pipeline.Name)
	}
	s.read()
	for _, r := range s.recorded {
		if sameRun(own, r) {
			own = r
		}
	}
	s.tell(Event{Kind: EventEnded, Pipeline: due.Pipeline.Name, Trigger: due.Trigger, Message: howEnded(own),
		Run: &own})
}

// howEnded describes a run's end.
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

// stop handles a signal: the first lets the present run finish, the second interrupts it, the third kills it.
func (s *Server) stop() (interrupted bool) {
	s.stopping++
	switch {
	case s.run == nil:
		s.tell(Event{Kind: EventStopping, Message: "no run is under way"})
		return false
	case s.stopping == 1:
		s.tell(Event{Kind: EventStopping, Pipeline: s.running.Pipeline.Name,
			Message: "its run is under way, and this program waits for it; a second signal interrupts it, which " +
				"leaves nothing half done"})
		return false
	}
	what, act := "interrupted", s.run.Interrupt
	if s.stopping > 2 {
		what, act = "killed", s.run.Kill
	}
	s.tell(Event{Kind: EventStopping, Pipeline: s.running.Pipeline.Name, Message: "its run is " + what})
	if err := act(); err != nil {
		s.tell(Event{Kind: EventWarning, Message: err.Error()})
	}
	return true
}

// tell sends an event. State shows the event's effect before that.
func (s *Server) tell(e Event) {
	e.Time = s.o.Now()
	s.publish(e.Time)
	s.o.Tell(e)
}
