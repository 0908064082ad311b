package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/serve"
	"pipeline/pipelines/file"
)

// pages are those of a server of which a test says what it knows.
type pages struct {
	t       *testing.T
	house   string
	now     time.Time
	server  *serve.Server
	handler http.Handler
	written int
	fails   error
	step    chan struct{}
}

// Report implements serve.ReportWriter.
func (p *pages) Report(_ context.Context, warehouse, file string) error {
	if p.written++; p.fails != nil {
		return p.fails
	}
	return os.WriteFile(file, []byte("<!doctype html>report of "+filepath.Base(warehouse)), 0o600)
}

const evil = `<script>alert("x")</script>`

// newPages has a server whose log has these runs; its clock stands at noon of 4 May 2026.
func newPages(t *testing.T, address string, runs []runlog.Run, all ...serve.Pipeline) *pages {
	t.Helper()
	p := &pages{t: t, house: filepath.Join(t.TempDir(), "w.duckdb"), now: at(t, "2026-05-04 12:00:00"),
		step: make(chan struct{})}
	for i := range all {
		all[i].Warehouse = filepath.Join(filepath.Dir(p.house), all[i].Warehouse+filepath.Base(p.house))
	}
	for _, r := range runs {
		must(t, runlog.Append(p.house, r))
	}
	signals := make(chan os.Signal, 3)
	p.server = serve.New(serve.Options{Signals: signals, Tell: func(serve.Event) {},
		Now: func() time.Time { return p.now }, Runner: &fakeRunner{takes: time.Hour},
		Pipelines: func() ([]serve.Pipeline, []error) { return all, nil }})
	p.handler = p.server.HTTP(serve.Web{Version: "1.2 " + evil, Address: address, Reports: p, Chats: p.chats,
		Log: log.New(io.Discard, "", 0)}).Handler
	return p
}

// chats stands for the pages of a warehouse's chats.
func (p *pages) chats(warehouse string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, filepath.Base(warehouse), " ", r.URL.EscapedPath(), " ", r.URL.RawQuery)
	})
}

// TestChats: each pipeline has the chats of its warehouse, by paths below its own.
func TestChats(t *testing.T) {
	t.Parallel()
	p := newPages(t, "127.0.0.1:8787", nil, serve.Pipeline{Name: "night", Warehouse: "a"},
		serve.Pipeline{Name: "by watch " + evil, Warehouse: "b"}).look()
	for path, want := range map[string]string{
		serve.ChatsPath("night"):                       "aw.duckdb / ",
		serve.ChatsPath("night") + "chat/a%2Fb?full=1": "aw.duckdb /chat/a%2Fb full=1",
		serve.ChatsPath("by watch "+evil) + "report":   "bw.duckdb /report ",
		serve.ChatsPath("other"):                       "No pipeline \"other\" is served here.\n",
	} {
		if got := p.get(path).Body.String(); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// look has the server look once.
func (p *pages) look() *pages {
	p.server.Look()
	return p
}

// get asks for a page.
func (p *pages) get(path string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = "localhost:8787"
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	return w
}

// TestMetrics: Prometheus's own parser reads what is told, its linter finds nothing, and the numbers are those of the
// log.
func TestMetrics(t *testing.T) {
	t.Parallel()
	old, today := ran("night", at(t, "2026-05-03 04:30:00")), ran("night", at(t, "2026-05-04 04:30:00"))
	p := newPages(t, "127.0.0.1:8787", []runlog.Run{old, today}, nightly("30 4 * * *", "UTC"),
		serve.Pipeline{Name: "by watch " + evil, Watched: true}).look()
	failed := ran("night", p.now.Add(time.Second))
	failed.ExitCode, failed.Trigger, failed.Messages, failed.FinishedAt = new(4), runlog.ByHand, 7,
		new(p.now.Add(91*time.Second))
	other := failed
	other.ID, other.Pipeline = "other", "not served"
	for _, r := range []runlog.Run{failed, other} {
		must(t, runlog.Append(p.house, r))
	}
	p.now = p.now.Add(2 * time.Minute)
	p.look().look() // it is counted once
	text := p.get("/metrics").Body.String()
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	must(t, err)
	got := map[string]float64{}
	for name, f := range families {
		for _, m := range f.Metric {
			got[name+labels(m)] = m.GetGauge().GetValue() + m.GetCounter().GetValue() + m.GetHistogram().GetSampleSum()
		}
	}
	delete(got, "pipeline_build_info"+labelsOf(families["pipeline_build_info"]))
	want := map[string]float64{
		"pipeline_last_run_timestamp_seconds night":     1777896001,
		"pipeline_last_success_timestamp_seconds night": 1777869000, "pipeline_last_run_exit_code night": 4,
		"pipeline_runs_total 4 night hand": 1, "pipeline_run_duration_seconds night": 90,
		"pipeline_messages_loaded_total night": 7, "pipeline_messages_loaded_total by watch " + evil: 0,
		"pipeline_run_in_progress night": 0, "pipeline_run_in_progress by watch " + evil: 0,
		"pipeline_next_run_timestamp_seconds night": 1777955400, "pipeline_ready night": 0,
		"pipeline_ready by watch " + evil: 0, "pipeline_last_look_timestamp_seconds": 1777896120,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func labels(m *dto.Metric) (out string) {
	for _, l := range m.Label {
		out += " " + l.GetValue()
	}
	return out
}

func labelsOf(f *dto.MetricFamily) string { return labels(f.Metric[0]) }

// TestReady: a pipeline is ready whose last run went well, and is not older than its schedule and an hour.
func TestReady(t *testing.T) {
	t.Parallel()
	well := func(start string) runlog.Run { return ran("night", at(t, start)) }
	with := func(r runlog.Run, change func(*runlog.Run)) runlog.Run { change(&r); return r }
	jittered := nightly("0 11 * * *", "UTC")
	jittered.Jitter = 30 * time.Minute
	for _, test := range []struct {
		name     string
		runs     []runlog.Run
		pipeline serve.Pipeline
		want     string
	}{
		{"well", []runlog.Run{well("2026-05-04 04:30:02")}, nightly("30 4 * * *", "UTC"), ""},
		{"by hand, late", []runlog.Run{well("2026-05-04 11:30:02")}, nightly("30 4 * * *", "UTC"), ""},
		{"failed", []runlog.Run{with(well("2026-05-04 04:30:02"), func(r *runlog.Run) {
			r.ExitCode, r.Error =
				new(3), "no store"
		})}, nightly("30 4 * * *", "UTC"),
			"night: its last run, of 2026-05-04 04:30 UTC, ended with exit code 3: no store"},
		{"killed", []runlog.Run{well("2026-05-03 04:30:00"),
			with(well("2026-05-04 04:30:02"), func(r *runlog.Run) { r.FinishedAt, r.ExitCode = nil, nil })},
			serve.Pipeline{Name: "night", Watched: true},
			"it was killed, or a run that somebody started is still under way"},
		{"within the hour", []runlog.Run{well("2026-05-03 11:00:00")}, jittered, ""},
	} {
		got := newPages(t, "127.0.0.1:8787", test.runs, test.pipeline)
		if test.name == "within the hour" { // of the jitter, too
			got.now = got.now.Add(15 * time.Minute)
		}
		w := got.look().get("/readyz")
		if want := map[bool]int{true: 200, false: 503}[test.want == ""]; w.Code != want ||
			!strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s: %d %s", test.name, w.Code, w.Body)
		}
	}
	late := newPages(t, "127.0.0.1:8787", []runlog.Run{ran("other", at(t, "2026-05-03 04:30:00")),
		ran("night", at(t, "2026-05-03 04:30:00"))}, nightly("30 4 * * *", "UTC"))
	if w := late.look().get("/readyz"); w.Code != 503 ||
		!strings.Contains(w.Body.String(), "one was due 2026-05-04 04:30 UTC") {
		t.Errorf("late: %d %s", w.Code, w.Body)
	}
	for _, ago := range []time.Duration{time.Minute, 3 * time.Minute} { // since the last look
		late.now = at(t, "2026-05-04 12:00:00").Add(ago)
		if w := late.get("/healthz"); w.Code != map[bool]int{true: 200, false: 503}[ago < 2*time.Minute] {
			t.Errorf("%v after the last look: %d %s", ago, w.Code, w.Body)
		}
	}
}

// TestReadyForNothing: a server that has not looked yet, or has found no pipeline, is not ready, and has no report.
func TestReadyForNothing(t *testing.T) {
	t.Parallel()
	unlooked := newPages(t, "127.0.0.1:8787", []runlog.Run{ran("night", at(t, "2026-05-04 04:30:02"))},
		nightly("30 4 * * *", "UTC"))
	empty := newPages(t, "127.0.0.1:8787", nil).look()
	for _, p := range []*pages{unlooked, empty} {
		for _, path := range []string{"/readyz", "/report"} {
			if w := p.get(path); w.Code != 503 ||
				!strings.Contains(strings.ToLower(w.Body.String()), "no pipeline is served") {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
		}
	}
	if w := unlooked.look().get("/readyz"); w.Code != 200 {
		t.Errorf("after the first look: %d %s", w.Code, w.Body)
	}
}

// TestGuard: only this server's own names are answered to, only to be read, and nothing but its pages is there.
func TestGuard(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		address, host string
		want          int
	}{
		{"127.0.0.1:8787", "localhost:8787", 200}, {"127.0.0.1:8787", "127.0.0.1:8787", 200},
		// a tunnel
		{"127.0.0.1:8787", "[::1]:8787", 200}, {"127.0.0.1:8787", "LOCALHOST", 200},
		{"127.0.0.1:8787", "localhost:9", 200}, {"127.0.0.1:8787", "evil.example", 403},
		{"127.0.0.1:8787", "localhost.evil.example:8787", 403}, {"127.0.0.1:8787", "127.0.0.1.evil.example", 403},
		{"127.0.0.1:8787", "10.0.0.1:8787", 403}, {"127.0.0.1:8787", "", 403}, {"127.0.0.1:8787", ":8787", 403},
		{"laptop.lan:8787", "laptop.lan:8787", 200}, {"laptop.lan:8787", "10.0.0.1", 403},
		{"0.0.0.0:8787", "10.0.0.1:8787", 200}, {"0.0.0.0:8787", "evil.example", 403}, {":8787", "[fe80::1]:8787", 200},
		{"[::]:8787", "10.0.0.1", 200},
	} {
		p := newPages(t, test.address, nil)
		for _, path := range []string{"/healthz", "/metrics", "/"} {
			if w := p.get(path, func(r *http.Request) { r.Host = test.host }); w.Code != test.want {
				t.Errorf("%s asked as %q for %s: %d, want %d", test.address, test.host, path, w.Code, test.want)
			}
		}
	}
	p := newPages(t, "127.0.0.1:8787", nil)
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE"} {
		if w := p.get("/", func(r *http.Request) { r.Method = method }); w.Code != 405 ||
			w.Header().Get("Allow") != "GET, HEAD" ||
			!strings.Contains(w.Body.String(), "Nothing can be changed here") {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
	for mode, want := range map[string]int{"no-cors": 403, "cors": 403, "navigate": 200} {
		if w := p.get("/healthz", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", mode)
		}); w.Code != want {
			t.Errorf("asked by another site's page (%s): %d", mode, w.Code)
		}
	}
	if w := p.get("/healthz", func(r *http.Request) { r.Method = "HEAD" }); w.Code != 200 {
		t.Error("HEAD: ", w.Code)
	}
	for _, path := range []string{"/page/style.css", "/debug/pprof/", "/api/", "/api", "/report/", "/x",
		"/api/runs/1"} {
		if w := p.get(path); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	for _, n := range []string{"0", "-1", "x", "1001"} {
		if w := p.get("/api/runs?n=" + n); w.Code != 400 {
			t.Errorf("n=%s: %d", n, w.Code)
		}
	}
}

// TestPage: what pipelines are called and what runs said is shown, and is no markup.
func TestPage(t *testing.T) {
	t.Parallel()
	const file = "/home/ada/sick.yaml" // what the log calls it by
	bad := ran(file, at(t, "2026-05-04 04:30:00"))
	bad.ExitCode, bad.Error, bad.Trigger = new(1), evil+strings.Repeat("long ", 100), evil
	sick := nightly("30 4 * * *", "UTC")
	sick.Name, sick.Description, sick.Arg = evil, evil, file
	p := newPages(t, "127.0.0.1:8787", []runlog.Run{bad}, sick).look()
	w := p.get("/")
	body, policy := w.Body.String(), w.Header().Get("Content-Security-Policy")
	if strings.Contains(body, "<script") || strings.Count(body, "&lt;script&gt;") < 6 ||
		!strings.Contains(body, "failed: ") || !strings.Contains(body, " …</td>") {
		t.Error(body)
	}
	if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") ||
		w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Error(w.Header())
	}
	var told []map[string]any
	if err := json.Unmarshal(p.get("/api/pipelines").Body.Bytes(), &told); err != nil || len(told) != 1 ||
		told[0]["next"] != "2026-05-05T04:30:00Z" || told[0]["state"] != "waiting" {
		t.Errorf("%v %v", told, err)
	}
	var runs []runlog.Run
	if err := json.Unmarshal(p.get("/api/runs?n=5").Body.Bytes(), &runs); err != nil || len(runs) != 1 ||
		runs[0].Error != bad.Error || runs[0].Pipeline != evil {
		t.Errorf("%v %v", runs, err)
	}
	empty := newPages(t, "127.0.0.1:8787", nil).look()
	for path, want := range map[string]string{"/api/pipelines": "[]\n", "/api/runs": "[]\n"} {
		if got := empty.get(path).Body.String(); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// TestReport: the report is made when it is asked for, again when the warehouse has changed, and not while a run writes
// it.
func TestReport(t *testing.T) {
	t.Parallel()
	p := newPages(t, "127.0.0.1:8787", []runlog.Run{ran("night", at(t, "2026-05-04 04:30:00"))},
		nightly("30 4 * * *", "UTC")).look()
	expect := func(what string, code, written int, says string) {
		t.Helper()
		w := p.get("/report")
		if w.Code != code || p.written != written || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s: %d, written %d times: %s", what, w.Code, p.written, w.Body)
		}
	}
	expect("nothing is loaded", 503, 0, "There is no warehouse yet")
	change := func(text string) {
		t.Helper()
		must(t, os.WriteFile(p.house, []byte(text), 0o600))
	}
	change("a")
	expect("first", 200, 1, "report of w.duckdb")
	expect("again", 200, 1, "report of w.duckdb")
	change("ab")
	expect("changed", 200, 2, "report of w.duckdb")
	change("abc")
	p.fails = &serve.ReportError{Code: 75, Said: "busy"}
	expect("somebody's run", 503, 3, "A run is writing the warehouse")
	p.fails = &serve.ReportError{Code: 1, Said: "no view"}
	expect("it fails", 500, 4, "no view")
	p.fails = nil
	p.now = at(t, "2026-05-05 04:30:00")
	p.look()
	expect("a run of ours", 503, 4, "A run is writing the warehouse")
	if w := p.get("/report?pipeline=x"); w.Code != 404 {
		t.Error(w.Code)
	}
	if w := p.get("/report?pipeline=night"); w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Error(w.Code)
	}
}

var _ serve.Schedule = (*file.Schedule)(nil)
