package serve

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"log"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"pipeline/cmd/pipeline/internal/csp"
	"pipeline/cmd/pipeline/internal/runlog"
)

//go:embed page/page.html
var pageText string

//go:embed page/style.css
var pageStyle string

// runsShown is how many runs the page shows.
const runsShown = 20

// shown is the data for page/page.html.
type shown struct {
	Style     template.CSS
	Version   string
	Now       time.Time
	Stopping  bool
	Pipelines []PipelineState
	Runs      []runlog.Run
	More      int // number of runs that are not shown
}

// page answers with the page for people. The page has no script, and its policy allows none.
func (s *Server) page(version string) http.HandlerFunc {
	policy := "default-src 'none'; style-src " + csp.Source(pageStyle) +
		"; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
	return func(w http.ResponseWriter, _ *http.Request) {
		state, now := s.state.Load(), s.o.Now()
		t, err := template.New("page").Funcs(template.FuncMap{
			"moment":  func(t time.Time) string { return t.Local().Format("Mon 2006-01-02 15:04") },
			"exactly": func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
			"ago":     func(t time.Time) string { return humanize.RelTime(t, now, "ago", "from now") },
			"zone":    func() string { return now.Local().Format("MST") }, "cut": cut,
			"took": took, "meaning": meaning, "query": url.QueryEscape, "comma": humanize.Comma,
			"good": func(r runlog.Run) bool { code, ended := r.Code(); return ended && code == 0 },
		}).Parse(pageText)
		var out bytes.Buffer
		if err == nil {
			err = t.Execute(&out, shown{Style: template.CSS(pageStyle), Version: version, Now: now,
				Stopping: state.Stopping, Pipelines: state.Pipelines,
				Runs: state.Runs[:min(runsShown, len(state.Runs))], More: max(0, len(state.Runs)-runsShown)})
		}
		if err != nil {
			http.Error(w, "The page could not be made: "+err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(out.Bytes()) // the client may be gone
	}
}

// cut shortens an error for a list of runs.
func cut(text string) string {
	const most = 160
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most]) + " …"
	}
	return text
}

// meaning describes how a run ended.
func meaning(r runlog.Run) string {
	code, ended := r.Code()
	if !ended {
		return "under way, or killed"
	}
	words := map[int]string{0: "done", 1: "failed", 2: "did not understand its arguments",
		3: "a source is missing or cannot be read", 4: "loaded, but a check failed",
		runlog.Busy: "busy, nothing changed", exitNotStarted: "not started",
		runlog.Interrupted: "interrupted, nothing half done"}[code]
	switch {
	case words == "" && code > 128:
		return fmt.Sprintf("ended by signal %d", code-128)
	case words == "":
		return fmt.Sprintf("exit code %d", code)
	}
	return words
}

// counts counts the runs that end while the server is running: a Prometheus counter starts at zero with each process.
type counts struct {
	mu       sync.Mutex
	since    time.Time
	seen     map[string]bool // ids of runs that were counted
	runs     *prometheus.CounterVec
	messages *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

// durations are the buckets for the duration of a run, in seconds: a run that finds nothing new takes less than one, a
// first load takes minutes.
func durations() []float64 { return []float64{0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600} }

func newCounts(now time.Time) *counts {
	return &counts{since: now, seen: map[string]bool{},
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pipeline_runs_total",
			Help: "Runs that ended while this server was running, by who started them and by exit code; includes " +
				"runs that it did not start."}, []string{"pipeline", "trigger", "exit_code"}),
		messages: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pipeline_messages_loaded_total",
			Help: "Messages that these runs wrote into the warehouse, new or changed."}, []string{"pipeline"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "pipeline_run_duration_seconds",
			Help: "How long these runs took.", Buckets: durations()}, []string{"pipeline"}),
	}
}

// see counts the runs that have ended since the last call.
func (c *counts) see(pipelines []Pipeline, runs []runlog.Run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range pipelines {
		c.messages.WithLabelValues(p.Name) // makes the counter exist from the start, with 0
	}
	for _, r := range runs {
		code, ended := r.Code()
		if r.FinishedAt == nil || !ended || r.FinishedAt.Before(c.since) || c.seen[r.ID] {
			continue
		}
		i := slices.IndexFunc(pipelines, func(p Pipeline) bool { return p.is(r) })
		if i < 0 {
			continue
		}
		c.seen[r.ID] = true
		name := pipelines[i].Name
		c.runs.WithLabelValues(name, r.Trigger, strconv.Itoa(code)).Inc()
		c.messages.WithLabelValues(name).Add(float64(max(0, r.Messages)))
		c.duration.WithLabelValues(name).Observe(max(0, r.FinishedAt.Sub(r.StartedAt).Seconds()))
	}
}

// gauges reports the state at the time of the request. Unknown values have no sample: a missing run must not look like
// a run at the time 0.
func (s *Server) gauges(all *prometheus.Registry, version string) {
	of := func(name, help string, labels ...string) *prometheus.GaugeVec {
		g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "pipeline_" + name, Help: help}, labels)
		all.MustRegister(g)
		return g
	}
	state := s.state.Load()
	of("last_look_timestamp_seconds", "When the server last looked at the clock: at least twice a minute.").
		WithLabelValues().Set(seconds(state.At))
	of("build_info", "1; the labels say which program this is.", "version", "goversion").
		WithLabelValues(version, runtime.Version()).Set(1)
	last := of("last_run_timestamp_seconds", "When the last run that has ended began.", "pipeline")
	success := of("last_success_timestamp_seconds", "When the last run that went well (exit code 0) began.", "pipeline")
	exitCode := of("last_run_exit_code", "Exit code of the last run that has ended.", "pipeline")
	inProgress := of("run_in_progress", "1 while this server has a run of the pipeline under way.", "pipeline")
	next := of("next_run_timestamp_seconds", "When the schedule starts the pipeline next.", "pipeline")
	ready := of("ready", "1 where the last run went well and is not older than the schedule allows.", "pipeline")
	for _, p := range state.Pipelines {
		inProgress.WithLabelValues(p.Name).Set(oneIf(p.State == Running))
		ready.WithLabelValues(p.Name).Set(oneIf(p.Problem == nil))
		if p.Next != nil {
			next.WithLabelValues(p.Name).Set(seconds(*p.Next))
		}
		if p.LastRun != nil {
			last.WithLabelValues(p.Name).Set(seconds(p.LastRun.StartedAt))
			if code, ended := p.LastRun.Code(); ended {
				exitCode.WithLabelValues(p.Name).Set(float64(code))
			}
		}
		if p.LastSuccess != nil {
			success.WithLabelValues(p.Name).Set(seconds(p.LastSuccess.StartedAt))
		}
	}
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// metrics answers with the server's own metrics only.
func (s *Server) metrics(version string, messages *log.Logger) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		all := prometheus.NewRegistry()
		all.MustRegister(s.counts.runs, s.counts.messages, s.counts.duration)
		s.gauges(all, version)
		promhttp.HandlerFor(all, promhttp.HandlerOpts{ErrorLog: messages}).ServeHTTP(w, r)
	}
}
