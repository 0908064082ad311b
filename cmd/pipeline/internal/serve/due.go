package serve

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"pipeline/cmd/pipeline/internal/runlog"
)

// This file decides when a run is due. It has no clock: each decision is a function of what is known and of the time that it is told.

// A Pipeline is what is run, and when.
type Pipeline struct {
	Name        string
	Description string
	Arg         string        // for 'pipeline run': the name, or the file's absolute path
	When        string        // the schedule in words, for people; "" without one
	Schedule    Schedule      // nil: only when its stores change
	Jitter      time.Duration // a run starts up to this long after its moment
	Warehouse   string        // where its runs are logged
	Watched     bool          // a change of its stores starts it
	Stores      []string      // paths of the SQLite files that it reads
	Folders     []string      // in which folders of new stores may appear
}

// A Schedule is when a pipeline runs.
type Schedule interface {
	// Due is the latest moment after last and not after now, and how many came before it in that time; zero if none has come.
	Due(last, now time.Time) (at time.Time, missed int, err error)
	// Next is the first moment after now; zero if there is none.
	Next(now time.Time) (time.Time, error)
}

// A Start is a run that is due.
type Start struct {
	Pipeline Pipeline
	Trigger  string    // one of package runlog's words
	Moment   time.Time // of the schedule; zero for a change
	Missed   int       // moments before it that this run makes up for
}

// Policy is what holds for all pipelines.
type Policy struct {
	Seed     string        // of this machine, so that jitter differs between machines
	MinPause time.Duration // from the end of a run to one that a change starts
}

// Times that decisions rest on.
const (
	late     = 5 * time.Minute // a moment that is longer ago was missed: the machine slept, or was off
	setBack  = time.Minute     // a start that is further in the future is one of a clock that was set back since
	yearBack = 366 * 24 * time.Hour
)

// A Planner decides which run is to start. One run goes on at a time, and a pipeline waits once at most. It is not for several goroutines.
type Planner struct {
	policy  Policy
	began   time.Time            // when the server did
	starts  map[string]time.Time // by pipeline: the last start that this planner knows of
	changed map[string]bool      // stores of these have changed since
	queue   []Start
	running *Start
}

// NewPlanner makes a planner for a server that begins now.
func NewPlanner(policy Policy, now time.Time) *Planner {
	return &Planner{policy: policy, began: now, starts: map[string]time.Time{}, changed: map[string]bool{}}
}

// Look puts what has become due into the queue, and returns the run that is to be started now, which it takes as begun: nil where nothing is
// due, or a run goes on. runs are those that the logs have, the latest first. An error is about one pipeline, and keeps no other.
func (p *Planner) Look(now time.Time, pipelines []Pipeline, runs []runlog.Run) (*Start, error) {
	var errs []error
	p.queue = slices.DeleteFunc(p.queue, func(s Start) bool { return !has(pipelines, s.Pipeline.Name) })
	for _, pipeline := range pipelines {
		if p.isQueued(pipeline.Name) || p.isRunning(pipeline.Name) {
			continue
		}
		s, err := p.due(pipeline, runs, now)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", pipeline.Name, err))
		}
		if s != nil {
			p.queue = append(p.queue, *s)
		}
	}
	if p.running != nil || len(p.queue) == 0 {
		return nil, errors.Join(errs...)
	}
	next := p.queue[0]
	p.queue = p.queue[1:]
	p.running, p.starts[next.Pipeline.Name] = &next, now
	delete(p.changed, next.Pipeline.Name) // what changes from now on, this run may not see
	return &next, errors.Join(errs...)
}

// Ended says that the run that Look returned is over, or could not be started.
func (p *Planner) Ended() { p.running = nil }

// Changed says that a pipeline's stores have changed, and are quiet again.
func (p *Planner) Changed(name string) { p.changed[name] = true }

func (p *Planner) isRunning(name string) bool {
	return p.running != nil && p.running.Pipeline.Name == name
}

func (p *Planner) isQueued(name string) bool {
	return slices.ContainsFunc(p.queue, func(s Start) bool { return s.Pipeline.Name == name })
}

func has(pipelines []Pipeline, name string) bool {
	return slices.ContainsFunc(pipelines, func(p Pipeline) bool { return p.Name == name })
}

// due is the run of one pipeline; nil if it is not time.
func (p *Planner) due(pipeline Pipeline, runs []runlog.Run, now time.Time) (*Start, error) {
	last := p.lastStart(pipeline, runs, now)
	var err error
	if pipeline.Schedule != nil {
		var moment time.Time
		var missed int
		if moment, missed, err = latestMoment(pipeline.Schedule, last, now); !moment.IsZero() {
			at := moment.Add(p.jitter(pipeline, moment))
			switch {
			case missed == 0 && now.Before(at) && !last.IsZero():
			case now.Sub(at) > late:
				return &Start{pipeline, runlog.ByCatchUp, moment, missed}, err
			default:
				return &Start{pipeline, runlog.BySchedule, moment, missed}, err
			}
		}
	}
	if p.changed[pipeline.Name] && !now.Before(p.pauseEnds(pipeline, runs, now)) {
		return &Start{Pipeline: pipeline, Trigger: runlog.ByWatch}, err
	}
	return nil, err
}

// latestMoment is the schedule's Due. For a pipeline that never ran, which last says by being zero, the moments of a year are not counted: one
// of the last hours is found sooner.
func latestMoment(s Schedule, last, now time.Time) (at time.Time, missed int, err error) {
	if !last.IsZero() {
		return s.Due(last, now)
	}
	for _, back := range []time.Duration{2 * time.Hour, 50 * time.Hour, yearBack} {
		if at, _, err = s.Due(now.Add(-back), now); err != nil || !at.IsZero() {
			break
		}
	}
	return at, 0, err
}

// lastStart is when the pipeline was last started, zero if it never was. Starts that are still to come by today's clock were made before it was
// set back, and say nothing. A run that was interrupted, or killed, before this server began is made up for, once: what it was to do is not done.
func (p *Planner) lastStart(pipeline Pipeline, runs []runlog.Run, now time.Time) time.Time {
	last := p.starts[pipeline.Name]
	if last.After(now.Add(setBack)) {
		last = time.Time{}
	}
	states := runlog.States(runs)
	for i, r := range runs {
		code, _ := r.Code()
		cutOff := r.StartedAt.Before(p.began) && (states[i] == runlog.Killed || code == runlog.Interrupted)
		if pipeline.is(r) && !cutOff && !r.StartedAt.After(now.Add(setBack)) && r.StartedAt.After(last) {
			last = r.StartedAt
		}
	}
	return last
}

// is tells whether a run of the log is one of the pipeline.
func (p Pipeline) is(r runlog.Run) bool {
	return r.Pipeline != "" && (r.Pipeline == p.Name || r.Pipeline == p.Arg)
}

// busyPause is the least pause after a run that was busy: what keeps it so takes a while, and each run is noted.
const busyPause = time.Minute

// pauseEnds is from when on a change may start a run.
func (p *Planner) pauseEnds(pipeline Pipeline, runs []runlog.Run, now time.Time) time.Time {
	last, pause := p.starts[pipeline.Name], p.policy.MinPause
	for _, r := range runs {
		if at := cmp.Or(r.FinishedAt, &r.StartedAt); pipeline.is(r) && at.After(last) {
			last, pause = *at, p.policy.MinPause
			if code, _ := r.Code(); code == runlog.Busy {
				pause = max(pause, busyPause)
			}
		}
	}
	if last.IsZero() || last.After(now.Add(setBack)) {
		return now
	}
	return last.Add(pause)
}

// jitter is how long after its moment a run starts: chance, but always the same for one moment, so that each look agrees with the one before.
func (p *Planner) jitter(pipeline Pipeline, moment time.Time) time.Duration {
	if pipeline.Jitter <= 0 {
		return 0
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s\x00%d", p.policy.Seed, pipeline.Name, moment.Unix())
	return time.Duration(rand.New(rand.NewPCG(h.Sum64(), 0)).Int64N(int64(pipeline.Jitter))).Truncate(time.Second)
}

// Next is when the pipeline's schedule starts it next, jitter included; zero without one.
func (p *Planner) Next(pipeline Pipeline, now time.Time) (time.Time, error) {
	if pipeline.Schedule == nil {
		return time.Time{}, nil
	}
	moment, err := pipeline.Schedule.Next(now)
	if err != nil || moment.IsZero() {
		return time.Time{}, err
	}
	return moment.Add(p.jitter(pipeline, moment)), nil
}

// Wake is when Look may have something new to say, if nothing happens before: a moment, the end of its jitter, or of a pause.
func (p *Planner) Wake(now time.Time, pipelines []Pipeline, runs []runlog.Run) time.Time {
	var out time.Time
	sooner := func(t time.Time) {
		if t.After(now) && (out.IsZero() || t.Before(out)) {
			out = t
		}
	}
	for _, pipeline := range pipelines {
		if p.changed[pipeline.Name] {
			sooner(p.pauseEnds(pipeline, runs, now))
		}
		if pipeline.Schedule == nil {
			continue
		}
		if last := p.lastStart(pipeline, runs, now); !last.IsZero() && pipeline.Jitter > 0 {
			if moment, _, err := pipeline.Schedule.Due(maxTime(last, now.Add(-pipeline.Jitter)), now); err == nil && !moment.IsZero() {
				sooner(moment.Add(p.jitter(pipeline, moment)))
			}
		}
		if next, err := p.Next(pipeline, now); err == nil {
			sooner(next)
		}
	}
	return out
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
