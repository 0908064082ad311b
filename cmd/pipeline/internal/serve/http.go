package serve

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"pipeline/cmd/pipeline/internal/runlog"
)

// Web is what the pages are made of.
type Web struct {
	Version string
	Address string       // that is listened on, as it was given: HOST:PORT
	Reports ReportWriter // makes the page of a warehouse
	Log     *log.Logger  // what net/http has to say
}

// alive is how long ago the last look may be: the loop looks twice a minute.
const alive = 2 * time.Minute

// HTTP is a server of the pages. It is not started.
func (s *Server) HTTP(w Web) *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.healthz)
	mux.HandleFunc("GET /readyz", s.readyz)
	mux.HandleFunc("GET /api/runs", s.apiRuns)
	mux.HandleFunc("GET /api/pipelines", s.apiPipelines)
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.registry(w.Version), promhttp.HandlerOpts{ErrorLog: w.Log}))
	mux.Handle("GET /report", &reports{state: s.state.Load, writer: w.Reports, kept: map[string]keptReport{}})
	mux.HandleFunc("GET /{$}", s.page(w.Version))
	return &http.Server{
		Handler: guard(w.Address, mux), ErrorLog: w.Log, MaxHeaderBytes: 16 << 10,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: reportTime + 30*time.Second, IdleTimeout: time.Minute,
	}
}

// guard lets only in what was asked of this server by its own name. A page of another site can have a browser ask any address, by a name of its own that
// it lets point here (DNS rebinding), and would read what is told here.
func guard(address string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
		switch {
		case !ourHost(r.Host, address):
			http.Error(w, "This server answers to localhost, 127.0.0.1, [::1] and the address that it was given by --listen only.", http.StatusForbidden)
		case r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate":
			http.Error(w, "This server is not for other web sites to ask.", http.StatusForbidden) // they cannot read the answer, but have a report made
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "Nothing can be changed here: only GET and HEAD are answered.", http.StatusMethodNotAllowed)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// ourHost tells whether a Host header names this server. Where any address was asked for, any may be named: a number is no name that points elsewhere.
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

// hostOf is an address without its port.
func hostOf(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return address
}

// healthz tells whether the loop lives.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) {
	ago := s.o.Now().Sub(s.state.Load().At)
	if ago > alive {
		http.Error(w, fmt.Sprintf("the last look at the clock was %s ago", ago.Round(time.Second)), http.StatusServiceUnavailable)
		return
	}
	text(w, "ok\n")
}

// readyz tells whether every pipeline is as it should be. A server without one does nothing, and is not ready for it.
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
	_, _ = w.Write([]byte(s)) // whoever asked may be gone
}

// runsTold is how many runs are told without ?n=, and mostRuns how many at most.
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
	_ = e.Encode(v) // whoever asked may be gone
}
