package sinks

import (
	"errors"
	"os"

	"pipeline/load/parquetfile"
	"pipeline/sql/schema"
)

// writeEmpty writes the Parquet file of a table without rows: the engine takes ten times as long to plan a query for
// each, and most tables of most people are empty. It returns false if it cannot, as for a table with columns of a type
// that package parquetfile does not write: the engine writes the file then.
func (p *publisher) writeEmpty(t schema.Table, to string) bool {
	if p.Sink != (parquet{}) {
		return false
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false
	}
	file, err := parquetfile.NewWriter(out, t.Published(), parquetfile.Options{AsEngine: true})
	if err == nil {
		err = errors.Join(file.Close(aboutFile(t, p.options.ToolVersion)...), file.Failure())
	}
	if err = errors.Join(err, out.Close()); err != nil {
		_ = os.Remove(to)
	}
	return err == nil
}
