package serve

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"pipeline/cmd/pipeline/internal/runlog"
)

// State is what a server knew at its last look. It never changes afterwards.
type State struct {
	At        time.Time
	Stopping  bool
	Pipelines []PipelineState
	Runs      []runlog.Run // the latest first
}

// PipelineState is the state of a pipeline. Its JSON is in /api/pipelines.
type PipelineState struct {
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Schedule    *string     `json:"schedule"`     // null: none
	Watched     bool        `json:"watched"`      // a change of its stores starts it
	Warehouse   string      `json:"warehouse"`    //
	State       string      `json:"state"`        // waiting, queued or running
	Next        *time.Time  `json:"next"`         // next start by its schedule
	LastRun     *runlog.Run `json:"last_run"`     // last run that has ended
	LastSuccess *runlog.Run `json:"last_success"` // last run with exit code 0
	UnderWay    *runlog.Run `json:"under_way"`    // present run, if this server started it
	Problem     *string     `json:"problem"`      // why it is not in order; null: all is well
}

// States of a pipeline.
const (
	Waiting = "waiting"
	Queued  = "queued"
	Running = "running"
)

// publish makes the state for readers.
func (s *Server) publish(now time.Time) {
	out := &State{At: now, Stopping: s.stopping > 0, Runs: named(s.recorded, s.pipelines)}
	for _, p := range s.pipelines {
		line := PipelineState{Name: p.Name, Description: p.Description, Watched: p.Watched, Warehouse: p.Warehouse,
			State: Waiting}
		if p.When != "" {
			line.Schedule = &p.When
		}
		if next, err := s.planner.Next(p, now); err == nil && !next.IsZero() {
			line.Next = &next
		}
		switch {
		case s.planner.isRunning(p.Name):
			line.State = Running
			if i := slices.IndexFunc(s.recorded, p.is); i >= 0 {
				line.UnderWay = &s.recorded[i]
			}
		case s.planner.isQueued(p.Name):
			line.State = Queued
		}
		line.LastRun = find(s.recorded, p, func(r runlog.Run) bool {
			return line.State != Running || r.FinishedAt != nil
		})
		line.LastSuccess = find(s.recorded, p,
			func(r runlog.Run) bool { code, ended := r.Code(); return ended && code == 0 })
		if problem := problemOf(p, line, now); problem != "" {
			line.Problem = &problem
		}
		out.Pipelines = append(out.Pipelines, line)
	}
	s.state.Store(out)
}

// named renames runs to the names of the served pipelines: the log may have the file's path.
func named(runs []runlog.Run, pipelines []Pipeline) []runlog.Run {
	out := slices.Clone(runs)
	for i, r := range out {
		if at := slices.IndexFunc(pipelines, func(p Pipeline) bool { return p.is(r) }); at >= 0 {
			out[i].Pipeline = pipelines[at].Name
		}
	}
	return out
}

// find is the latest wanted run of a pipeline; nil if there is none.
func find(runs []runlog.Run, p Pipeline, wanted func(runlog.Run) bool) *runlog.Run {
	i := slices.IndexFunc(runs, func(r runlog.Run) bool { return p.is(r) && wanted(r) })
	if i < 0 {
		return nil
	}
	return &runs[i]
}

// grace is how late a run may be: other runs may come first, and a run takes time.
const grace = time.Hour

// problemOf says why a pipeline is not in order: its last run failed, or a time of its schedule was more than an hour
// ago and no good run has begun since the time before. "" means that all is well.
func problemOf(p Pipeline, s PipelineState, now time.Time) string {
	switch {
	case s.LastRun == nil && s.State == Running:
		return "its first run is under way"
	case s.LastRun == nil:
		return "it has not run yet"
	case s.LastRun.FinishedAt == nil:
		return fmt.Sprintf("its last run, of %s, has not ended: it was killed, or a run that somebody started is "+
			"still under way", s.LastRun.StartedAt.Format(clock))
	}
	if code, _ := s.LastRun.Code(); code != 0 {
		text := fmt.Sprintf("its last run, of %s, ended with exit code %d", s.LastRun.StartedAt.Format(clock), code)
		if s.LastRun.Error != "" {
			text += ": " + s.LastRun.Error
		}
		return text
	}
	if p.Schedule == nil {
		return ""
	}
	// The first time after the last good run is enough; there may be very many.
	due, err := p.Schedule.Next(s.LastSuccess.StartedAt)
	if err == nil && !due.IsZero() && now.Sub(due.Add(p.Jitter)) > grace {
		return fmt.Sprintf("its last good run was that of %s, and one was due %s",
			s.LastSuccess.StartedAt.Format(clock), due.Format(clock))
	}
	return ""
}

// history has the known runs. The logs beside the warehouses have runs of this server and of others. This process also
// remembers its own runs: a run that was killed could not log its end. Use it from one goroutine.
type history struct {
	own  []runlog.Run // the latest last
	logs map[string]logged
}

// logged is a log as it was last read.
type logged struct {
	stamp string
	runs  []runlog.Run
}

const ownKept = 500 // number of runs that are remembered without a log

// add notes a run that this process has started.
func (h *history) add(r runlog.Run) {
	h.own = append(h.own, r)
	h.own = h.own[max(0, len(h.own)-ownKept):]
}

// end notes how the last added run ended.
func (h *history) end(finished time.Time, code int, said string) {
	last := &h.own[len(h.own)-1]
	last.FinishedAt, last.ExitCode, last.Error = &finished, &code, said
}

// runs returns all known runs, the latest first. If a log cannot be read, it returns an error and the log's last known
// runs.
func (h *history) runs(pipelines []Pipeline) ([]runlog.Run, error) {
	if h.logs == nil {
		h.logs = map[string]logged{}
	}
	var all []runlog.Run
	var errs []error
	var seen []string
	for _, p := range pipelines {
		if p.Warehouse == "" || slices.Contains(seen, p.Warehouse) {
			continue
		}
		seen = append(seen, p.Warehouse)
		stamp := stampOf(runlog.Path(p.Warehouse))
		if l, ok := h.logs[p.Warehouse]; !ok || l.stamp != stamp {
			// read only if changed: a log may have some thousand lines
			runs, err := runlog.Read(p.Warehouse, everyRun)
			if err != nil {
				errs = append(errs, err)
			} else {
				h.logs[p.Warehouse] = logged{stamp, runs}
			}
		}
		all = append(all, h.logs[p.Warehouse].runs...)
	}
	for _, own := range h.own {
		if i := slices.IndexFunc(all, func(r runlog.Run) bool { return sameRun(own, r) }); i < 0 {
			all = append(all, own)
		} else if all[i].FinishedAt == nil { // the run was killed, or could not write its last line
			all[i].FinishedAt, all[i].ExitCode, all[i].Error = own.FinishedAt, own.ExitCode, own.Error
		}
	}
	slices.SortStableFunc(all, func(a, b runlog.Run) int { return b.StartedAt.Compare(a.StartedAt) })
	return all, errors.Join(errs...)
}

const everyRun = 1 << 30 // all: the size of a log is limited

// sameRun compares the process id at the end of the run's id, and the time, since process ids are reused.
func sameRun(own, r runlog.Run) bool {
	apart := r.StartedAt.Sub(own.StartedAt)
	return own.PID() == r.PID() && apart > -time.Minute && apart < time.Minute
}

// stampOf changes when a file is written or replaced; "" if there is none.
func stampOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}
