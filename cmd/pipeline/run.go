package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
	"pipeline/load/engine"
	"pipeline/load/objects"
	"pipeline/load/tool/outpath"
	"pipeline/load/warehouse"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

func runCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "load Cursor's history into the warehouse",
		ArgsUsage: "[NAME|FILE]",
		Description: `Finds Cursor's stores, takes a read-only snapshot of each, and commits what they hold to the warehouse, all or nothing.
Cursor may be running. Rows that Cursor deletes or overwrites later stay in the warehouse.

The file of a pipeline (NAME or FILE) has the same settings as the flags below; flags and environment variables override it. 'pipeline pipelines list'
lists the pipelines.

Examples:
   pipeline run                              # every Cursor found here
   pipeline run --since 7d --project my-app  # what was active in a week
   pipeline run --source work=~/backup/User  # another folder, with a name
   pipeline run nightly --dry-run            # what nightly.yaml would load

Exit codes: 0 done, 1 failed, 2 usage, 3 source missing or unreadable, 4 loaded but a check failed
(or rows were quarantined, with --strict), 75 busy, 130 interrupted.`,
		Flags: append(settingFlags(),
			&cli.BoolFlag{Name: "dry-run", Usage: "say what would be loaded, change nothing"},
			jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"}),
		Action:       runAction,
		BashComplete: pipelineNames,
	}
}

func runAction(c *cli.Context) error {
	p, err := namedPipeline(c)
	if err != nil {
		return err
	}
	run, err := runOf(choices(c, p), !c.Bool("dry-run"))
	if err == nil {
		err = checkOutputs(run)
	}
	about, aboutErr := readRunReporting(run, term.IsTerminal(c.App.ErrWriter))
	if err = cmp.Or(err, aboutErr); err != nil {
		return refused(c, p, run.Options.Warehouse, about, err)
	}
	if c.Bool("dry-run") {
		return dryRun(c, run)
	}
	t := newRunReporter(c, p, run.Options.Warehouse, about)
	run.Options.Phase = t.phase(run.Options.Phase)
	var result *pipelines.Result // of the last try that has a result to print
	return t.report(func() error {
		err := t.tries(func() error {
			told, err := oneTry(c, run, t)
			if told != nil {
				result = told
			}
			return err
		})
		if result != nil {
			if err := printResult(c, result); err != nil {
				return err
			}
		}
		return err
	})
}

// lookAtHomes counts what the homes of the command line have. The run is over and has no store open.
func lookAtHomes(result *pipelines.Result, sources []extract.Source) {
	for _, s := range sources {
		if s.App != extract.AppCLI {
			continue
		}
		h := extract.LookAtHome(s.UserDir)
		for i := range result.Sources {
			if r := &result.Sources[i]; r.UserDir == s.UserDir {
				r.Chats, r.Home = int64(h.Chats), &h
			}
		}
	}
}

// oneTry loads once. The result is nil if there is only an error to print.
func oneTry(c *cli.Context, run *file.Run, t *runReporter) (*pipelines.Result, error) {
	if err := findSources(c.Context, run); err != nil {
		return nil, err
	}
	opt := run.Options
	finish := shows(c, &opt)
	defer finish()
	opt.Warn, opt.Note = t.warned(opt.Warn), term.Notes(c.App.ErrWriter)
	// a report, Markdown and a push open the warehouse again, and others may
	opt.Ends = oneCommand && run.Report == "" && run.Markdown.Dir == "" && run.Push.To == "" && !t.tellsLater()
	result, err := pipelines.Run(c.Context, opt)
	if err == nil && result.First {
		for _, u := range elsewhere(unreadHere(run), opt.Sources) {
			opt.Note("found, but not read by this version: %s", unreadWords(u))
		}
		if len(run.Sources) == 0 && extract.OnlyCLI(opt.Sources) {
			opt.Note("only the history of Cursor's command line was found; if its editor is used here too, " +
				"'pipeline discover' says where it was looked for, and --source names another place")
		}
	}
	if result != nil {
		lookAtHomes(result, opt.Sources)
	}
	var notPushed error
	if err == nil {
		result.Report = reportLoaded(c, run.Report, opt)
		result.Markdown = markdownLoaded(c, run.Markdown, opt)
		result.Push, notPushed = pushLoaded(c, run.Push, opt)
	}
	if result != nil {
		result.Seconds = time.Since(t.run.StartedAt).Seconds() // includes the report and earlier tries
		t.loaded(result)
	}
	if err != nil && result != nil && c.Context.Err() != nil {
		return nil, &exitError{exitInterrupted,
			fmt.Errorf("interrupted; load %d is in the warehouse, its %s is not published", result.LoadID,
				opt.Publish[len(result.Published())].Sink.About().Title)}
	}
	if err == nil {
		err = warehouse.BeforeReport.Reach()
	}
	if err != nil {
		return nil, err
	}
	if notPushed != nil {
		code := exitFailed
		switch {
		case c.Context.Err() != nil:
			code, notPushed = exitInterrupted, errors.New("interrupted")
		case errors.Is(notPushed, engine.ErrBusy):
			code = exitBusy
		}
		return result, &exitError{code,
			fmt.Errorf("load %d is in the warehouse, and is not pushed; the next run makes up for it: %w",
				result.LoadID, notPushed)}
	}
	return result, outcome(result, run.Strict)
}

// dryRun prints what a run would do. It notifies nobody.
func dryRun(c *cli.Context, run *file.Run) error {
	if run.Options.Git {
		fmt.Fprintln(c.App.ErrWriter, "a dry run ignores --git: it does not say which commits would be read")
	}
	if err := findSources(c.Context, run); err != nil {
		return err
	}
	result, err := showing(c, run.Options, func(ctx context.Context, opt pipelines.Options) (*pipelines.Result, error) {
		opt.Note = term.Notes(c.App.ErrWriter)
		return pipelines.DryRun(ctx, opt)
	})
	if err != nil {
		return err
	}
	lookAtHomes(result, run.Options.Sources)
	if err := printResult(c, result); err != nil {
		return err
	}
	return outcome(result, run.Strict)
}

// findSources finds again, for each try, the times that an earlier load may set, and the sources.
func findSources(ctx context.Context, run *file.Run) error {
	if err := setTimes(ctx, run); err != nil {
		return err
	}
	found, looked, err := sources(run)
	if err != nil {
		return err
	}
	if len(found) == 0 && len(run.Usage) == 0 {
		return noSource(run, looked)
	}
	run.Options.Sources = found
	paths := run.Usage
	if info, err := os.Stat(hookFolder()); err == nil && info.IsDir() {
		paths = append(slices.Clone(paths), hookFolder())
	}
	run.Options.Usage, run.Options.Missing = extract.FindUsage(paths, env(run).Home)
	if on := run.Options.Estimate; run.Prices != "" && (on == nil || *on) {
		if run.Options.Prices, err = pipelines.ReadPrices(run.Prices); err != nil {
			// the last list is better than none
			run.Options.Missing, run.Options.Estimate = append(run.Options.Missing, err), nil
		}
	}
	return nil
}

// printResult prints what a run did, and its problems.
func printResult(c *cli.Context, result *pipelines.Result) error {
	if c.Bool("json") {
		if err := term.PrintJSON(c.App.Writer, result); err != nil {
			return err
		}
	} else if !c.Bool("quiet") {
		printSummary(c.App.Writer, result, c.Bool("dry-run"))
	}
	if c.Bool("quiet") {
		printFailures(c.App.ErrWriter, result.Failures)
	}
	for _, failure := range result.Errors() {
		fmt.Fprintln(c.App.ErrWriter, "pipeline: "+term.PrintableLines(failure.Error()))
	}
	return nil
}

// outcome is the exit code of a run without an error: the first that applies of 3, 75, 4.
func outcome(r *pipelines.Result, strict bool) error {
	if failures := r.Errors(); len(failures) > 0 {
		return &exitError{code: codeOfFailures(failures)}
	}
	if len(r.Failures) > 0 {
		return &exitError{code: exitCheck}
	}
	if strict && len(r.Totals.Quarantine) > 0 {
		return &exitError{exitCheck,
			errors.New("rows are quarantined (--strict); list them: pipeline sql \"SELECT key, reason, head FROM " +
				"quarantine WHERE resolved_load_id IS NULL\"")}
	}
	return nil
}

// refused reports a run that did not begin because it cannot write to one of its places: a monitor of a nightly run
// must hear of it like of a failed run. Mistakes in arguments are only printed. So are refusals if the warehouse has no
// log of runs yet, or if the warehouse's own place is refused.
func refused(c *cli.Context, p *file.Pipeline, warehouse string, about runReporting, err error) error {
	if c.Bool("dry-run") || !errors.As(err, new(*outpath.Refused)) && !errors.As(err, new(*places.Error)) {
		return err
	}
	log := runlog.Path(warehouse)
	if _, missing := os.Lstat(log); missing != nil || outpath.Own(log) != nil ||
		places.CheckWarehouse(warehouse) != nil {
		return err
	}
	about.logFile = "" // the log may be the place that is refused
	return newRunReporter(c, p, warehouse, about).report(func() error { return err })
}

// checkOutputs refuses places that a run must not write to. If a run writes nothing but its warehouse, no sources are
// looked for.
func checkOutputs(run *file.Run) error {
	opt := run.Options
	folder := objects.Folder(run.Push.To)
	if len(opt.Publish) == 0 && run.Report == "" && run.Markdown.Dir == "" && folder == "" &&
		(run.Log == "" || run.Log == file.LogNone) {
		return nil
	}
	var named []extract.Source
	if len(run.Sources) > 0 { // places in sources that discovery finds are forbidden anyway
		var err error
		named, _, err = sources(run)
		if usage := (*pipelines.UsageError)(nil); errors.As(err, &usage) {
			return nil // the error comes when the sources are read
		}
	}
	never := places.ForbiddenFolders(env(run), named, opt.Warehouse)
	for _, to := range []struct{ flag, path string }{{"--report", run.Report}, {"--log", run.Log}, {"--push", folder},
		{"--markdown", run.Markdown.Dir}} {
		if to.path != "" && to.path != file.LogNone {
			if err := places.Check(to.path, to.flag, never); err != nil {
				return err
			}
		}
	}
	for _, target := range opt.Publish {
		if err := places.CheckTarget(target, "--"+target.Sink.About().Name, never); err != nil {
			return err
		}
	}
	return nil
}
