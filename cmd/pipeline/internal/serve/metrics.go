package serve

import (
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"pipeline/cmd/pipeline/internal/runlog"
)

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

// gauges reports the state at the time of the request.
type gauges struct {
	state                                 func() *State
	last, success, code, inProgress, next *prometheus.Desc
	problem, look, build                  *prometheus.Desc
	version                               string
}

func newGauges(state func() *State, version string) *gauges {
	of := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("pipeline_"+name, help, labels, nil)
	}
	return &gauges{state: state, version: version,
		last: of("last_run_timestamp_seconds", "When the last run that has ended began.", "pipeline"),
		success: of("last_success_timestamp_seconds", "When the last run that went well (exit code 0) began.",
			"pipeline"),
		code:       of("last_run_exit_code", "Exit code of the last run that has ended.", "pipeline"),
		inProgress: of("run_in_progress", "1 while this server has a run of the pipeline under way.", "pipeline"),
		next:       of("next_run_timestamp_seconds", "When the schedule starts the pipeline next.", "pipeline"),
		problem: of("ready", "1 where the last run went well and is not older than the schedule allows.",
			"pipeline"),
		look: of("last_look_timestamp_seconds",
			"When the server last looked at the clock: at least twice a minute."),
		build: of("build_info", "1; the labels say which program this is.", "version", "goversion"),
	}
}

// Describe implements prometheus.Collector.
func (g *gauges) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{g.last, g.success, g.code, g.inProgress, g.next, g.problem, g.look, g.build} {
		out <- d
	}
}

// Collect implements prometheus.Collector. Unknown values have no sample: a missing run must not look like a run at the
// time 0.
func (g *gauges) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	s := g.state()
	gauge(g.look, seconds(s.At))
	gauge(g.build, 1, g.version, runtime.Version())
	for _, p := range s.Pipelines {
		gauge(g.inProgress, oneIf(p.State == Running), p.Name)
		gauge(g.problem, oneIf(p.Problem == nil), p.Name)
		if p.Next != nil {
			gauge(g.next, seconds(*p.Next), p.Name)
		}
		if p.LastRun != nil {
			gauge(g.last, seconds(p.LastRun.StartedAt), p.Name)
			if code, ended := p.LastRun.Code(); ended {
				gauge(g.code, float64(code), p.Name)
			}
		}
		if p.LastSuccess != nil {
			gauge(g.success, seconds(p.LastSuccess.StartedAt), p.Name)
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

// registry has the server's own metrics only.
func (s *Server) registry(version string) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(s.counts.runs, s.counts.messages, s.counts.duration, newGauges(s.state.Load, version))
	return r
}
