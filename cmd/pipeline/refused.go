package main

import (
	"errors"
	"os"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/extract"
	"pipeline/load/outpath"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// refused tells of a run that did not begin, since a place that it writes to is not fit for it: whoever relies on a nightly run hears of it as of one that
// failed. Mistakes in arguments are told to who made them alone. So it is where the warehouse has no log of runs yet, or is itself where nothing is written.
func refused(c *cli.Context, p *file.Pipeline, warehouse string, about runReporting, err error) error {
	if c.Bool("dry-run") || !errors.As(err, new(*outpath.Refused)) && !errors.As(err, new(*places.Error)) {
		return err
	}
	log := runlog.Path(warehouse)
	if _, missing := os.Lstat(log); missing != nil || outpath.Own(log) != nil || places.CheckWarehouse(warehouse) != nil {
		return err
	}
	about.logFile = "" // it may be the place that is refused
	return newRunReporter(c, p, warehouse, about).report(func() error { return err })
}

// checkOutputs refuses what a run may not write to. Nothing is looked for where a run writes nothing but its warehouse.
func checkOutputs(run *file.Run) error {
	opt := run.Options
	if len(opt.Publish) == 0 && run.Report == "" && (run.Log == "" || run.Log == file.LogNone) {
		return nil
	}
	var named []extract.Source
	if len(run.Sources) > 0 { // those that are found by themselves are forbidden anyway
		var err error
		named, _, err = sources(run)
		if usage := (*pipelines.UsageError)(nil); errors.As(err, &usage) {
			return nil // it is told where the sources are read
		}
	}
	never := places.ForbiddenFolders(env(run), named, opt.Warehouse)
	for _, to := range []struct{ flag, path string }{{"--report", run.Report}, {"--log", run.Log}} {
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
