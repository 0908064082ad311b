package main

import (
	"errors"
	"os"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/extract"
	"pipeline/load/objects"
	"pipeline/load/tool/outpath"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

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
