package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/progress"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines"
)

// phaseWords are the names of a run's phases for people. Phases that are not here are too short to show.
var phaseWords = map[string]string{
	pipelines.PhaseOpen:     "opening the warehouse",
	pipelines.PhaseRead:     "reading conversations",
	pipelines.PhaseMerge:    "writing",
	pipelines.PhaseCheck:    "checking",
	pipelines.PhaseCommit:   "committing",
	pipelines.PhaseIndex:    "updating the search index",
	pipelines.PhaseReport:   "writing the report",
	pipelines.PhaseMarkdown: "writing Markdown",
	pipelines.PhasePush:     "pushing",
	pipelines.PhaseReplay:   "rebuilding loads",
	pipelines.PhaseCompact:  "merging raw files",
	pipelines.PhaseShrink:   "rewriting the warehouse",
}

// begin shows the progress of a command until finish is called; finish may be called twice. Meanwhile everything that
// is written to stderr goes through the progress line. With silent, nothing is shown if there is no terminal.
func begin(c *cli.Context, silent bool) (line *progress.Line, finish func()) {
	stderr := c.App.ErrWriter
	line = progress.Start(stderr, silent)
	c.App.ErrWriter = line
	return line, func() {
		line.Close()
		c.App.ErrWriter = stderr
	}
}

// busy shows the progress of a command with one phase, on a terminal only, and not with --quiet.
func busy(c *cli.Context, phase string) (count func(done, total int), finish func()) {
	if c.Bool("quiet") {
		return func(int, int) {}, func() {}
	}
	line, finish := begin(c, true)
	line.Phase(phase)
	return line.Count, finish
}

// shows connects the progress and the warnings of opt with the progress line, except with --quiet. finish ends that.
func shows(c *cli.Context, opt *pipelines.Options) (finish func()) {
	if c.Bool("quiet") {
		return func() {}
	}
	line, finish := begin(c, c.Bool("json")) // a program reads the output
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

// showing does what the options say, and shows its progress and its warnings meanwhile.
func showing[R any](c *cli.Context, opt pipelines.Options,
	work func(context.Context, pipelines.Options) (R, error)) (R, error) {
	finish := shows(c, &opt)
	defer finish()
	return work(c.Context, opt)
}
