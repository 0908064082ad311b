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

// This file decides when a run is due. It reads no clock: each decision depends only on its arguments, one of which is
// the time.

// A Pipeline is a pipeline that is served.
type Pipeline struct {
	Name        string
	Description string
	Arg         string        // argument of 'pipeline run': the name, or the file's absolute path
	When        string        // the schedule for people; "" without one
	Schedule    Schedule      // nil: it runs only when its stores change
	Jitter      time.Duration // a run starts up to this long after its time
	Warehouse   string        // its runs are logged beside it
	Watched     bool          // a change of its stores starts it
	Stores      []string      // paths of the SQLite files that it reads
	Folders     []string      // folders in which new stores may appear
}

// A Schedule is when a pipeline runs.
type Schedule interface {
	// Due is the latest time of the schedule after last and not after now, and how many times before it were missed;
	// zero if there is none.
	Due(last, now time.Time) (at time.Time, missed int, err error)
	// Next is the first time of the schedule after now; zero if there is none.
	Next(now time.Time) (time.Time, error)
}

// A Start is a run that is due.
type Start struct {
	Pipeline Pipeline
	Trigger  string    // a word of package runlog
	Moment   time.Time // time of the schedule; zero for a change
	Missed   int       // number of earlier times that this run makes up for
}

// Policy holds for all pipelines.
type Policy struct {
	Seed     string        // of this machine, so that delays differ between machines
	MinPause time.Duration // pause between the end of a run and one that a change starts
}

// Times for the decisions.
const (
	late     = 5 * time.Minute // an older time was missed: the machine was asleep or off
	setBack  = time.Minute     // a start further in the future was logged before the clock was set back
	yearBack = 366 * 24 * time.Hour
)

// A Planner decides which run starts. Only one run goes on at a time, and a pipeline is in the queue at most once. Use
// it from one goroutine.
type Planner struct {
	policy  Policy
	began   time.Time            // start of the server
	starts  map[string]time.Time // by pipeline: the last start that this planner knows
	changed map[string]bool      // pipelines whose stores have changed since
	queue   []Start
	running *Start
}

// NewPlanner makes a planner for a server that starts now.
func NewPlanner(policy Policy, now time.Time) *Planner {
	return &Planner{policy: policy, began: now, starts: map[string]time.Time{}, changed: map[string]bool{}}
}

// Look puts runs that have become due into the queue. It returns the run to start now, and counts it as started; nil if
// none is due, or if a run goes on. runs are the logged runs, the latest first. An error concerns one pipeline only.
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
	delete(p.changed, next.Pipeline.Name) // this run may miss changes from now on
	return &next, errors.Join(errs...)
}

// Ended says that the run from Look has ended, or could not be started.
func (p *Planner) Ended() { p.running = nil }

// Changed says that a pipeline's stores have changed, and that the changes have stopped.
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

// due returns the run of one pipeline that is due; nil if there is none.
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

// latestMoment is the schedule's Due. If a pipeline never ran (last is zero), counting all times of a year would be
// slow: it looks at the last hours first.
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

// lastStart is the last start of the pipeline that counts; zero if there is none. Two kinds of starts do not count. A
// start in the future comes from before the clock was set back. A run that ended early, because it was interrupted or
// killed before this server started, has not done its work, so that the schedule's time is due again.
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

// is reports whether a logged run belongs to the pipeline.
func (p Pipeline) is(r runlog.Run) bool {
	return r.Pipeline != "" && (r.Pipeline == p.Name || r.Pipeline == p.Arg)
}

// busyPause is the shortest pause after a run that was busy: the cause may last a while, and each run is logged.
const busyPause = time.Minute

// pauseEnds is the time from which a change may start a run.
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

// jitter is the delay of a run. It is random, but always the same for one time of the schedule, so that every look
// gives the same result.
func (p *Planner) jitter(pipeline Pipeline, moment time.Time) time.Duration {
	if pipeline.Jitter <= 0 {
		return 0
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s\x00%d", p.policy.Seed, pipeline.Name, moment.Unix())
	return time.Duration(rand.New(rand.NewPCG(h.Sum64(), 0)).Int64N(int64(pipeline.Jitter))).Truncate(time.Second)
}

// Next is the next start by the pipeline's schedule, with jitter; zero without a schedule.
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

// Wake is the next time at which Look may return something new, unless something happens before: a time of the
// schedule, the end of its jitter, or of a pause.
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
			if moment, _, err := pipeline.Schedule.Due(maxTime(last, now.Add(-pipeline.Jitter)), now); err == nil &&
				!moment.IsZero() {
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
