package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"pipeline/cmd/pipeline/internal/runlog"
)

// Web has what the pages need.
type Web struct {
	Version string
	Address string       // the given address to listen on: HOST:PORT
	Reports ReportWriter // writes the report page of a warehouse
	// answers with the pages of a warehouse's chats, by paths below /, to those who may read them; nil: there are none
	Chats func(warehouse string) http.Handler
	Log   *log.Logger // for messages of net/http
}

// alive is how old the last look may be; there are two each minute.
const alive = 2 * time.Minute

// HTTP makes a server of the pages. It does not start it.
func (s *Server) HTTP(w Web) *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.healthz)
	mux.HandleFunc("GET /readyz", s.readyz)
	mux.HandleFunc("GET /api/runs", s.apiRuns)
	mux.HandleFunc("GET /api/pipelines", s.apiPipelines)
	mux.HandleFunc("GET /metrics", s.metrics(w.Version, w.Log))
	mux.Handle("GET /report", &reports{state: s.state.Load, writer: w.Reports, kept: map[string]keptReport{}})
	if w.Chats != nil {
		mux.HandleFunc("GET "+chats+"{pipeline}/{rest...}", s.chats(w.Chats))
	}
	mux.HandleFunc("GET /{$}", s.page(w.Version))
	return &http.Server{
		Handler: Guard(w.Address, mux), ErrorLog: w.Log, MaxHeaderBytes: 16 << 10,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: reportTime + 30*time.Second,
		IdleTimeout: time.Minute,
	}
}

// chats is where the pages of a pipeline's chats are.
const chats = "/read/"

// ChatsPath is the path of the pages of a pipeline's chats.
func ChatsPath(pipeline string) string { return chats + url.PathEscape(pipeline) + "/" }

func (s *Server) chats(of func(warehouse string) http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("pipeline")
		_, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), chats), "/")
		for _, p := range s.state.Load().Pipelines {
			if p.Name == name {
				inner := r.Clone(r.Context()) // http.StripPrefix knows no names that are escaped
				inner.URL.Path, inner.URL.RawPath = "/"+r.PathValue("rest"), "/"+rest
				of(p.Warehouse).ServeHTTP(w, inner)
				return
			}
		}
		http.Error(w, fmt.Sprintf("No pipeline %q is served here.", name), http.StatusNotFound)
	}
}

// Guard only lets in requests that name this server as their host. Without it, a page of another site could make its
// own host name point here (DNS rebinding), have the browser send a request, and read the answer. address is the given
// address to listen on: HOST:PORT.
func Guard(address string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action "+
			"'none'")
		switch {
		case !ourHost(r.Host, address):
			http.Error(w, "This server answers to localhost, 127.0.0.1, [::1] and the address that it was given by "+
				"--listen only.", http.StatusForbidden)
		case r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate",
			r.Header.Get("Origin") != "" && r.Header.Get("Origin") != "http://"+r.Host:
			// they could not read the answer, but could make this server write reports
			http.Error(w, "This server does not answer requests of other web sites.", http.StatusForbidden)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "Nothing can be changed here: only GET and HEAD are answered.", http.StatusMethodNotAllowed)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// ourHost reports whether a Host header names this server. If the server listens on all addresses, the header may be
// any IP address: an IP address cannot be redirected like a name.
func ourHost(header, address string) bool {
	host := strings.ToLower(strings.Trim(hostOf(header), "[]"))
	given := strings.ToLower(hostOf(address))
	switch {
	case host == "":
		return false
	case host == "localhost", host == "127.0.0.1", host == "::1", host == given:
		return true
	}
	_, err := netip.ParseAddr(host)
	ip, wildcard := netip.ParseAddr(given)
	return err == nil && (given == "" || wildcard == nil && ip.IsUnspecified())
}

// hostOf returns an address without its port.
func hostOf(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return address
}

// healthz reports whether the loop is running.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	ago := s.o.Now().Sub(s.state.Load().At)
	if ago > alive {
		http.Error(w, fmt.Sprintf("the last look at the clock was %s ago", ago.Round(time.Second)),
			http.StatusServiceUnavailable)
		return
	}
	text(w, "ok\n")
}

// readyz reports whether every pipeline is in order. A server without a pipeline is not ready.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) {
	var problems []string
	served := s.state.Load().Pipelines
	if len(served) == 0 {
		problems = append(problems, "no pipeline is served")
	}
	for _, p := range served {
		if p.Problem != nil {
			problems = append(problems, p.Name+": "+*p.Problem)
		}
	}
	if len(problems) > 0 {
		http.Error(w, strings.Join(problems, "\n"), http.StatusServiceUnavailable)
		return
	}
	text(w, "ok\n")
}

func text(w http.ResponseWriter, s string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(s)) // the client may be gone
}

// runsTold is how many runs an answer lists if its request has no ?n=. mostRuns is the largest n.
const (
	runsTold = 50
	mostRuns = 1000
)

func (s *Server) apiRuns(w http.ResponseWriter, r *http.Request) {
	n := runsTold
	if given := r.URL.Query().Get("n"); given != "" {
		var err error
		if n, err = strconv.Atoi(given); err != nil || n < 1 || n > mostRuns {
			http.Error(w, fmt.Sprintf("n is a number from 1 to %d", mostRuns), http.StatusBadRequest)
			return
		}
	}
	runs := s.state.Load().Runs
	asJSON(w, append([]runlog.Run{}, runs[:min(n, len(runs))]...))
}

func (s *Server) apiPipelines(w http.ResponseWriter, _ *http.Request) {
	asJSON(w, append([]PipelineState{}, s.state.Load().Pipelines...))
}

func asJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	_ = e.Encode(v) // the client may be gone
}

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
