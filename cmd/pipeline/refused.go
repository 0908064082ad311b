package main

import (
	"errors"
	"os"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/load/outpath"
	"pipeline/pipelines/file"
)

// refused tells of a run that did not begin, since a place that it writes to is not fit for it: whoever relies on a nightly run hears of it as of one that
// failed. Mistakes in arguments are told to who made them alone. So it is where the warehouse has no log of runs yet, or is itself where nothing is written.
func refused(c *cli.Context, p *file.Pipeline, warehouse string, about telling, err error) error {
	if c.Bool("dry-run") || !errors.As(err, new(*outpath.Refused)) && !errors.As(err, new(*places.Error)) {
		return err
	}
	log := runlog.Path(warehouse)
	if _, missing := os.Lstat(log); missing != nil || outpath.Own(log) != nil || places.CheckWarehouse(warehouse) != nil {
		return err
	}
	about.logFile = "" // it may be the place that is refused
	return newTeller(c, p, warehouse, about).tell(func() error { return err })
}
