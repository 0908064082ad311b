package sinks

import (
	"errors"
	"os"

	"pipeline/load/parquetfile"
	"pipeline/sql/schema"
)

// writeEmpty writes the Parquet file of a table without rows: the engine takes ten times as long to plan a query for
// each, and most tables of most people are empty. Where it is not its to write, as a table with columns of a type that
// package parquetfile does not know, it writes nothing: the engine writes the file then.
func (p *publisher) writeEmpty(t schema.Table, to string) (written bool, err error) {
	if p.Sink != (parquet{}) || !parquetfile.Knows(t.Published()) {
		return false, nil
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false, err
	}
	file, err := parquetfile.NewWriter(out, t.Published(), parquetfile.Options{AsEngine: true})
	if err == nil {
		err = errors.Join(file.Close(aboutFile(t, p.options.ToolVersion)...), file.Failure())
	}
	return true, errors.Join(err, out.Close())
}
