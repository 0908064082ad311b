package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
)

// This file reads the log of runs for status.

// loggedRuns are the runs of the log, the latest first.
type loggedRuns []loggedRun

// A loggedRun is a run of the log as JSON.
type loggedRun struct {
	runlog.Run
	State runlog.State `json:"state"`
}

// A failingRow is a pipeline whose last run failed.
type failingRow struct {
	Pipeline string    `json:"pipeline"` // "": runs without a pipeline
	Runs     int       `json:"runs"`     // number of failed runs in a row
	Since    time.Time `json:"since"`    // start of the first of them
	Last     loggedRun `json:"last"`
}

func readRuns(warehouse string) (loggedRuns, error) {
	runs, err := runlog.Read(warehouse, runsRead)
	var out loggedRuns
	for i, state := range runlog.States(runs) {
		out = append(out, loggedRun{runs[i], state})
	}
	return out, err
}

// last returns the latest n runs.
func (l loggedRuns) last(n int) []loggedRun { return append([]loggedRun{}, l[:min(n, len(l))]...) }

func (r loggedRun) wentWell() bool { return r.ExitCode != nil && *r.ExitCode == 0 }

// failing returns the pipelines whose last run failed or was killed. A run that is under way does not count yet, and
// one that somebody interrupted does not count.
func (l loggedRuns) failing() []failingRow {
	out, over := []failingRow{}, map[string]bool{}
	for _, r := range l {
		i := slices.IndexFunc(out, func(f failingRow) bool { return f.Pipeline == r.Pipeline })
		switch {
		case r.State == runlog.UnderWay || over[r.Pipeline] || r.ExitCode != nil && *r.ExitCode == exitInterrupted:
		case r.wentWell():
			over[r.Pipeline] = true
		case i < 0:
			out = append(out, failingRow{r.Pipeline, 1, r.StartedAt, r})
		default:
			out[i].Runs++
			out[i].Since = r.StartedAt
		}
	}
	return out
}

// tellsMore reports whether the last run left no load.
func (l loggedRuns) tellsMore(last *reader.LoadSummary) bool {
	if len(l) == 0 {
		return false
	}
	return last == nil || !l[0].wentWell() && l[0].LoadID != last.LoadID
}

// print prints the last run if it left no load, and pipelines that keep failing.
func (l loggedRuns) print(w io.Writer, last *reader.LoadSummary, now time.Time) {
	if l.tellsMore(last) {
		fmt.Fprintf(w, "last run     %s, %s%s%s\n", l[0].how(), term.Moment(l[0].StartedAt, now),
			pipelineOf(l[0].Pipeline), l[0].reason())
	}
	for _, f := range l.failing() {
		latest := f.Last.ID == l[0].ID
		if f.Runs == 1 && latest {
			continue
		}
		fmt.Fprintf(w, "failing      %s in a row%s, since %s", term.Plural(f.Runs, "run"),
			pipelineOf(f.Pipeline), term.Moment(f.Since, now))
		if !latest {
			fmt.Fprintf(w, "; the last: %s%s", f.Last.how(), f.Last.reason())
		}
		fmt.Fprintln(w)
	}
}

// how describes the state of a run.
func (r loggedRun) how() string {
	switch code, ended := r.Code(); {
	case !ended:
		return string(r.State)
	case code == 0:
		return "went well"
	case code == exitInterrupted:
		return fmt.Sprintf("interrupted (exit %d)", code)
	default:
		return fmt.Sprintf("failed (exit %d)", code)
	}
}

// shownReason is how much of an error is shown; --json has all of it.
const shownReason = 200

func pipelineOf(name string) string {
	if name == "" {
		return ""
	}
	return ", " + term.Printable(name)
}

func (r loggedRun) reason() string {
	line, _, more := strings.Cut(r.Error, "\n")
	if line == "" {
		return ""
	}
	if more {
		line += " ..."
	}
	return ": " + text.Snip(term.Printable(line), shownReason, "...")
}

// runsRead is how many runs of the log are read: more than an hourly pipeline has in a month.
const runsRead = 1000
