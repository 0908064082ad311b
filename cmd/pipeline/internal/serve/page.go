package serve

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"time"

	"github.com/dustin/go-humanize"

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
