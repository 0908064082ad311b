package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"pipeline/cmd/pipeline/internal/runlog"
)

// A ReportWriter writes the report page of a warehouse to a file.
type ReportWriter interface {
	Report(ctx context.Context, warehouse, file string) error
}

// reportTime is the time limit for a page: for a large warehouse it takes some seconds.
const reportTime = 2 * time.Minute

// reports answers with the report of a warehouse. A page is made on request, by one process at a time, and kept until
// the warehouse's file changes.
type reports struct {
	state  func() *State
	writer ReportWriter
	mu     sync.Mutex
	kept   map[string]keptReport // by warehouse
}

type keptReport struct {
	stamp string
	page  []byte
}

func (h *reports) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	state := h.state()
	name := r.URL.Query().Get("pipeline")
	i := slices.IndexFunc(state.Pipelines, func(p PipelineState) bool { return name == "" || p.Name == name })
	switch {
	case i < 0 && name == "":
		http.Error(w, "No pipeline is served here.", http.StatusServiceUnavailable)
		return
	case i < 0:
		http.Error(w, fmt.Sprintf("No pipeline %q is served here.", name), http.StatusNotFound)
		return
	}
	warehouse := state.Pipelines[i].Warehouse
	page, err := h.page(r.Context(), warehouse,
		slices.ContainsFunc(state.Pipelines, func(p PipelineState) bool {
			return p.State == Running && p.Warehouse == warehouse
		}))
	var not *notNow
	switch {
	case errors.As(err, &not):
		w.Header().Set("Retry-After", "10")
		http.Error(w, not.Error(), http.StatusServiceUnavailable)
	case err != nil:
		http.Error(w, "The report could not be made: "+err.Error(), http.StatusInternalServerError)
	default:
		// The page itself has a policy that allows its scripts. This header adds what a page cannot declare for itself.
		w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // the client may be gone
	}
}

// notNow is a temporary reason.
type notNow struct{ reason string }

func (e *notNow) Error() string { return e.reason }

// page returns the present page of a warehouse.
func (h *reports) page(ctx context.Context, warehouse string, written bool) (_ []byte, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	stamp := stampOf(warehouse) + " " + stampOf(warehouse+".wal")
	kept, ok := h.kept[warehouse]
	switch {
	case strings.HasPrefix(stamp, " "):
		return nil, &notNow{"There is no warehouse yet: the first run makes it."}
	case ok && kept.stamp == stamp:
		return kept.page, nil
	case written: // reading it now would make the run slower
		return nil, &notNow{"A run is writing the warehouse: ask again when it has ended."}
	}
	dir, err := os.MkdirTemp("", "pipeline-report-") // the page names projects, so only the user may read the folder
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx, cancel := context.WithTimeout(ctx, reportTime)
	defer cancel()
	file := filepath.Join(dir, "report.html")
	err = h.writer.Report(ctx, warehouse, file)
	if failed, ok := errors.AsType[*ReportError](err); ok && failed.Code == runlog.Busy {
		return nil, &notNow{"A run is writing the warehouse: ask again when it has ended."}
	}
	if err != nil {
		return nil, err
	}
	page, err := os.ReadFile(file)
	if err == nil {
		h.kept[warehouse] = keptReport{stamp, page}
	}
	return page, err
}
