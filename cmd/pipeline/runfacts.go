package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"pipeline/cmd/pipeline/internal/term"
)

// This file writes what a monitor, the user's command and the log of runs are told of a run.

// body is the text for a monitor: counts, and no name of a conversation or of this machine.
func (t *runReporter) body(code int) string {
	r := t.run
	text := fmt.Sprintf("%s: exit code %d\n", t.name, code)
	if r.LoadID > 0 {
		text += fmt.Sprintf("load %d: %s new, %d changed, %d deleted, %s written\n", r.LoadID,
			term.Plural(r.New, "conversation"), r.Changed, r.Deleted, term.Plural(r.Messages, "message"))
	} else {
		text += "nothing was loaded\n"
	}
	if r.Attempts > 1 {
		text += fmt.Sprintf("%d tries\n", r.Attempts)
	}
	return text + fmt.Sprintf("%.0f s\n", r.FinishedAt.Sub(r.StartedAt).Seconds())
}

// facts are the environment variables for the user's command. None has the name of a setting: otherwise it would set a
// run that the command starts.
func (t *runReporter) facts() map[string]string {
	r, name := t.run, t.name
	if r.Pipeline == "" {
		name = "" // a run without a pipeline
	}
	count := func(n int64) string { return strconv.FormatInt(n, 10) }
	out := map[string]string{
		"PIPELINE_NAME": name, "PIPELINE_RUN_WAREHOUSE": t.warehouse, "PIPELINE_RUN_TRIGGER": r.Trigger,
		"PIPELINE_EXIT_CODE": strconv.Itoa(*r.ExitCode), "PIPELINE_ERROR": r.Error,
		"PIPELINE_STARTED_AT":  r.StartedAt.Format(time.RFC3339),
		"PIPELINE_FINISHED_AT": r.FinishedAt.Format(time.RFC3339), "PIPELINE_ATTEMPTS": strconv.Itoa(r.Attempts),
		"PIPELINE_LOAD_ID": "", "PIPELINE_CONVERSATIONS_NEW": count(r.New),
		"PIPELINE_CONVERSATIONS_CHANGED": count(r.Changed), "PIPELINE_CONVERSATIONS_DELETED": count(r.Deleted),
		"PIPELINE_MESSAGES_LOADED": count(r.Messages),
	}
	if r.LoadID > 0 {
		out["PIPELINE_LOAD_ID"] = count(r.LoadID)
	}
	return out
}

// lastWords describes the end of a run: the error, or what kept the load from being complete. It quotes no rows.
func (t *runReporter) lastWords(err error) string {
	if err == nil || err.Error() != "" || t.last == nil {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	var lines []string
	for _, e := range t.last.Errors() {
		lines = append(lines, e.Error())
	}
	for _, f := range t.last.Failures {
		lines = append(lines, fmt.Sprintf("check %s failed: %s (%s)", f.Check, f.Doc, term.Plural(f.Rows, "row")))
	}
	return strings.Join(lines, "\n")
}
