package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/notify"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/outpath"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// This file reads who is to be told of a run.

// Variables that a command at the end is not handed: a run that it starts would run it again, and would ping.
const (
	pingVariable  = "PIPELINE_PING"
	onEndVariable = "PIPELINE_ON_END"
)

func tellingFlags() []cli.Flag {
	defaults := file.Defaults()
	return []cli.Flag{
		&cli.StringFlag{Name: "retry", Value: defaults["retry"], EnvVars: []string{"PIPELINE_RETRY"}, Usage: "where the run was busy (exit code 75), try again with growing pauses for `D`; 0: not at all"},
		&cli.StringFlag{Name: "ping", EnvVars: []string{pingVariable}, Usage: "tell the monitor at `URL`: URL/start, URL when it went well, URL/CODE when not"},
		&cli.StringFlag{Name: "on-end", EnvVars: []string{onEndVariable}, Usage: "run `COMMAND` by the shell at the end; it finds PIPELINE_EXIT_CODE, PIPELINE_ERROR and others"},
		&cli.StringFlag{Name: "on-end-when", Value: defaults["notify.on"], EnvVars: []string{"PIPELINE_ON_END_WHEN"}, Usage: "run that command always, on failure, or on change (of the exit code): `WHEN`"},
		&cli.PathFlag{Name: "log", EnvVars: []string{"PIPELINE_LOG"}, Usage: "log the run in `FILE` as JSON lines; none: nowhere", DefaultText: "where stderr is no terminal pipeline/pipeline.log in your state directory"},
	}
}

// telling is who is told of a run, and whether it is tried again.
type telling struct {
	retry     time.Duration
	ping      *notify.Ping // nil: nobody
	onEnd     string       // "": none
	onEndWhen string
	logFile   string // "": none
}

// tellingOf reads tellingFlags.
func tellingOf(c *cli.Context, warehouse string) (out telling, err error) {
	if out.retry, err = flagOf(c, "retry", file.ParseRetry); err != nil {
		return out, err
	}
	if out.onEndWhen, err = flagOf(c, "on-end-when", file.ParseNotifyWhen); err != nil {
		return out, err
	}
	out.onEnd = c.String("on-end")
	if c.String("ping") != "" {
		u, err := flagOf(c, "ping", file.ParsePing)
		if err != nil {
			return out, err
		}
		out.ping = notify.NewPing(u, file.MaskedPing(u), version)
	}
	switch path := c.Path("log"); {
	case path == file.LogNone, path == "" && term.IsTerminal(c.App.ErrWriter):
	case path == "":
		out.logFile = filepath.Join(xdg.StateHome, "pipeline", "pipeline.log")
	default:
		out.logFile, err = filepath.Abs(path)
	}
	if err == nil && out.logFile != "" {
		err = isLog(out.logFile, warehouse)
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
