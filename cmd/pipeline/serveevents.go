package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/serve"
	"pipeline/cmd/pipeline/internal/term"
)

// eventsTo prints events: to standard output for programs, to standard error for people.
func eventsTo(c *cli.Context) func(serve.Event) {
	if c.Bool("json") {
		lines := json.NewEncoder(c.App.Writer)
		lines.SetEscapeHTML(false)
		// an error here has nowhere to go
		return func(e serve.Event) { _ = lines.Encode(eventLine{term.JSONVersion, e}) }
	}
	return func(e serve.Event) {
		text := e.Message
		if e.Pipeline != "" {
			text = e.Pipeline + ": " + text
		}
		if e.Trigger != "" {
			text += " (" + e.Trigger + ")"
		}
		fmt.Fprintf(c.App.ErrWriter, "%s %-8s %s\n", e.Time.Local().Format("2006-01-02 15:04:05"), e.Kind,
			term.PrintableLines(text))
	}
}

// eventLine is an event as --json prints it.
type eventLine struct {
	SchemaVersion int `json:"schema_version"`
	serve.Event
}

// printableWriter removes control characters from the output of runs, so that it cannot control the terminal.
type printableWriter struct{ w io.Writer }

func (p printableWriter) Write(b []byte) (int, error) {
	text := strings.TrimSuffix(string(b), "\n")
	_, err := fmt.Fprintln(p.w, term.PrintableLines(text))
	return len(b), err
}
