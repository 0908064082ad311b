package main

import (
	"fmt"
	"strings"
	"time"

	"pipeline/cmd/pipeline/internal/retry"
	"pipeline/cmd/pipeline/internal/term"
)

// Pauses between the tries of a run that was busy.
const (
	firstPause = 30 * time.Second
	mostPause  = 15 * time.Minute
)

// tries repeats a run, within the configured time, while its failure is temporary.
func (t *runReporter) tries(try func() error) error {
	if t.retry == 0 {
		return try()
	}
	ctx := t.c.Context
	t.run.Attempts = 0
	return retry.Do(ctx, retry.Pauses{First: firstPause, Most: mostPause, Until: t.retry}, func() error {
		t.last = nil
		t.run.Attempts++
		return try()
	}, func(err error) bool { return exitCode(ctx, err) == exitBusy }, func(err error, next time.Time) {
		reason, _, _ := strings.Cut(t.lastWords(err), "\n")
		at := next.Local().Format("15:04")
		if time.Until(next) < time.Minute {
			at = next.Local().Format("15:04:05")
		}
		if !t.c.Bool("quiet") {
			fmt.Fprintf(t.c.App.ErrWriter, "busy: %s; trying again at %s\n", term.Printable(reason), at)
		}
		t.log.Warn("busy, trying again", "error", reason, "attempt", t.run.Attempts, "next", next)
	})
}
