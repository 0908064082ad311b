package main

import (
	"bytes"
	"errors"
	"os"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines"
	"pipeline/pipelines/shape"
)

// doctorShape prints a description of the stores, and writes what it has printed to the file that is named.
func doctorShape(c *cli.Context) error {
	run, err := flagsOf(c, false)
	if err != nil {
		return err
	}
	checkup, err := checkupOf(c)
	if err != nil {
		return err
	}
	if len(checkup.NotFound) > 0 {
		return &pipelines.SourceError{Failures: checkup.NotFound}
	}
	path := c.Args().First()
	if path != "" {
		if err := places.Check(path, "FILE", places.ForbiddenFolders(env(run), checkup.Sources,
			run.Options.Warehouse)); err != nil {
			return err
		}
	}
	described, err := shape.Of(c.Context, checkup.Sources)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := term.PrintJSON(&text, described); err != nil {
		return err
	}
	if _, err := c.App.Writer.Write(text.Bytes()); err != nil || path == "" {
		return err
	}
	return writeNew(path, text.Bytes())
}

// writeNew writes a file that only its owner can read. A file that is there stays: it may be anything.
func writeNew(path string, text []byte) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return usage("%s exists; name a file that does not", path)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}
