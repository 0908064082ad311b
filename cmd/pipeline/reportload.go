package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/report"
	"pipeline/cmd/pipeline/internal/result"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/pipelines"
)

// reportLoaded writes the page after a load to path (--report), and returns the path; "" if there is none. A failure is
// printed, but does not fail the load: the next load writes the page again. A load that found nothing new also writes
// it, since the page shows how fresh the warehouse is.
func reportLoaded(c *cli.Context, path string, opt pipelines.Options) string {
	if path == "" {
		return ""
	}
	if opt.Phase != nil {
		opt.Phase(pipelines.PhaseReport)
	}
	path, err := filepath.Abs(path)
	if err == nil {
		err = writeReport(c.Context, &result.Writer{File: path, Messages: c.App.ErrWriter}, opt.Warehouse)
	}
	if err != nil {
		term.Warnings(c.App.ErrWriter)("the report %s was not written: %v", path, err)
		return ""
	}
	return path
}

// writeReport writes the page about the whole warehouse.
func writeReport(ctx context.Context, out *result.Writer, warehouse string) (err error) {
	r, err := reader.OpenLocal(ctx, warehouse)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return out.Deliver(warehouse, func(w io.Writer) error {
		_, err := report.Write(ctx, w, r, report.Options{Now: time.Now(), Version: version,
			Show: showCommandLine(warehouse)})
		return err
	})
}
