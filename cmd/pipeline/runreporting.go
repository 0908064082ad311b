package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"pipeline/cmd/pipeline/internal/notify"
	"pipeline/load/outpath"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// This file reads who is to be told of a run.

// runReporting is who is told of a run, and whether it is tried again.
type runReporting struct {
	retry     time.Duration
	ping      *notify.Ping // nil: nobody
	onEnd     string       // "": none
	onEndWhen string
	logFile   string // "": none
}

// tellingOf is who is to be told of a run; terminal is where it is watched.
func runReportingOf(run *file.Run, terminal bool) (out runReporting, err error) {
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

// isLog refuses a file that is none of JSON lines: a log is appended to, and put aside when it has grown.
func isLog(file, warehouse string) error {
	refused := func(why string) error {
		return &pipelines.UsageError{Message: fmt.Sprintf("--log %s: %s; name another file, or 'none'", file, why)}
	}
	if file == warehouse {
		return refused("it is the warehouse")
	}
	if err := outpath.Result(file); err != nil || outpath.IsStream(file) {
		return err
	}
	info, err := os.Stat(file)
	if err != nil || info.Size() == 0 {
		return nil // it is made, or said not to be writable
	}
	f, err := os.Open(file)
	if err != nil {
		return nil // writing says why
	}
	defer f.Close()
	first := make([]byte, 1)
	if _, err := f.Read(first); err != nil || first[0] != '{' {
		return refused("it holds something else than JSON lines, which would be lost")
	}
	return nil
}
