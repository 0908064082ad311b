package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"pipeline/cmd/pipeline/internal/notify"
	"pipeline/load/tool/outpath"
	"pipeline/pipelines/file"
)

// This file reads the settings for reports of a run.

// runReporting says to whom a run is reported, and whether it is tried again.
type runReporting struct {
	retry     time.Duration
	ping      *notify.Ping // nil: nobody
	onEnd     string       // "": none
	onEndWhen string
	logFile   string // "": none
}

// readRunReporting reads the settings; terminal is whether somebody watches the run.
func readRunReporting(run *file.Run, terminal bool) (out runReporting, err error) {
	out = runReporting{retry: run.Retry, onEnd: run.Command, onEndWhen: run.When}
	if run.Ping != nil {
		out.ping = notify.NewPing(run.Ping, file.MaskedPing(run.Ping), version)
	}
	switch {
	case run.Log == file.LogNone, run.Log == "" && terminal:
	case run.Log == "":
		out.logFile = filepath.Join(xdg.StateHome, "pipeline", "pipeline.log")
	default:
		out.logFile, err = filepath.Abs(run.Log)
	}
	if err == nil && out.logFile != "" {
		err = isLog(out.logFile, run.Options.Warehouse)
	}
	return out, err
}

// isLog refuses an existing file that does not hold JSON lines: a log is appended to, and rotated when it is large.
func isLog(file, warehouse string) error {
	refused := func(why string) error {
		return usage("--log %s: %s; name another file, or 'none'", file, why)
	}
	if file == warehouse {
		return refused("it is the warehouse")
	}
	if err := outpath.Result(file); err != nil || outpath.IsStream(file) {
		return err
	}
	info, err := os.Stat(file)
	if err != nil || info.Size() == 0 {
		return nil // opening the log makes it, or fails
	}
	f, err := os.Open(file)
	if err != nil {
		return nil // writing to it gives the error
	}
	defer f.Close()
	first := make([]byte, 1)
	if _, err := f.Read(first); err != nil || first[0] != '{' {
		return refused("it holds something other than JSON lines, which would be lost")
	}
	return nil
}

// tellsLater reports whether the end of the run is told to others while the process goes on.
func (t *runReporter) tellsLater() bool { return t.onEnd != "" || t.ping != nil }
