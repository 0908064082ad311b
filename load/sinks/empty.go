package sinks

import (
	"os"

	"pipeline/sql/schema"
)

// writeEmpty writes the Parquet file of a table without rows, as Ahead writes those with rows: the engine takes ten times as long to plan a query for each, and most
// tables of most people are empty. It returns false if it cannot, as for a table with columns of a type that Ahead does not need: the engine writes the file then.
func (p *publisher) writeEmpty(t schema.Table, to string) bool {
	if p.Sink != (parquet{}) {
		return false
	}
	f := &aheadFile{table: t, path: to}
	err := f.open(nil)
	if err == nil {
		err = f.close(p.options.ToolVersion)
	}
	if err != nil {
		if f.out != nil {
			_ = f.out.Close()
		}
		_ = os.Remove(to)
	}
	return err == nil
}
