package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/schedule"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/outpath"
)

func scheduleExecCommand() *cli.Command {
	return &cli.Command{
		Name:   "exec",
		Usage:  "what a task of the Windows Task Scheduler starts: a task has no variables and no place for output",
		Hidden: true, ArgsUsage: "COMMAND",
		Flags: []cli.Flag{
			&cli.PathFlag{Name: "log", Required: true, Usage: "append what is printed to `FILE`"},
			&cli.StringSliceFlag{Name: "env", Usage: "set `NAME=VALUE`"},
		},
		Action: scheduleExecAction,
	}
}

// logLimit is the size at which a log is rotated; one older file is kept.
const logLimit = 4 << 20

func scheduleExecAction(c *cli.Context) (err error) {
	schedule.HideConsole()
	for _, v := range c.StringSlice("env") {
		name, value, _ := strings.Cut(v, "=")
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	file := c.Path("log")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if info, err := os.Stat(file); err == nil && info.Size() > logLimit {
		if err := atomicfile.Move(file, file+".1"); err != nil {
			return err
		}
	}
	log, err := outpath.Open(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	if code := realMain(append([]string{"pipeline"}, c.Args().Slice()...), log, log); code != 0 {
		return &exitError{code: code}
	}
	return nil
}
