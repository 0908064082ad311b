package serve

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"pipeline/cmd/pipeline/internal/runlog"
)

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
