package main

import (
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/progress"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines"
)

// phaseWords are the phases of a run as people read them. What is not here is too short to be told of.
var phaseWords = map[string]string{
	pipelines.PhaseOpen:    "opening the warehouse",
	pipelines.PhaseRead:    "reading conversations",
	pipelines.PhaseMerge:   "writing",
	pipelines.PhaseCheck:   "checking",
	pipelines.PhaseCommit:  "committing",
	pipelines.PhaseIndex:   "updating the search index",
	pipelines.PhaseRetain:  "old versions",
	pipelines.PhaseReport:  "writing the report",
	pipelines.PhaseReplay:  "making loads anew",
	pipelines.PhaseCompact: "putting raw files together",
	pipelines.PhaseShrink:  "writing the warehouse anew",
}

// begin shows how far a command has come, until finish, which may be called twice. Everything that is written to stderr meanwhile goes through it.
// silent shows nothing where no terminal is.
func begin(c *cli.Context, silent bool) (line *progress.Line, finish func()) {
	stderr := c.App.ErrWriter
	line = progress.Start(stderr, silent)
	c.App.ErrWriter = line
	return line, func() {
		line.Close()
		c.App.ErrWriter = stderr
	}
}

// busy shows a command of one phase on a terminal; elsewhere its result says enough. --quiet shows nothing.
func busy(c *cli.Context, phase string) (count func(done, total int), finish func()) {
	if c.Bool("quiet") {
		return func(int, int) {}, func() {}
	}
	line, finish := begin(c, true)
	line.Phase(phase)
	return line.Count, finish
}

// shows has the progress and the warnings of what opt says shown, but for --quiet. finish ends that.
func shows(c *cli.Context, opt *pipelines.Options) (finish func()) {
	if c.Bool("quiet") {
		return func() {}
	}
	line, finish := begin(c, c.Bool("json")) // a program reads there
	also, published := opt.Phase, 0
	opt.Warn, opt.Progress = term.Warnings(line), line.Count
	opt.Phase = func(name string) {
		if words := phaseWords[name]; words != "" {
			line.Phase(words)
		} else if name == pipelines.PhasePublish {
			line.Phase("publishing " + opt.Publish[published].Sink.About().Title)
			published++
		}
		if also != nil {
			also(name)
		}
	}
	return finish
}
