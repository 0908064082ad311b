package sinks

import (
	"fmt"
	"strings"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// parquet writes zstd Parquet. A file says what it is in its metadata.
type parquet struct{}

func (parquet) About() About {
	return About{Name: "parquet", Title: "Parquet", Extension: ".parquet", For: "for pandas, polars, Spark, DuckDB",
		Example: `duckdb -c "FROM '$(readlink -f ~/cursor-parquet/current)/messages/*/*.parquet' WHERE month = '2025-03'"`}
}

// Rows of a row group: the engine holds one in memory several times over while it writes it, and what tools were told and gave back is large.
const (
	manyGroupRows = 16384
	fewGroupRows  = 4096
)

func (parquet) Copy(f File) string {
	rows := manyGroupRows
	if hasDocuments(f.Table) {
		rows = fewGroupRows
	}
	about := make([]string, len(f.About))
	for i, a := range f.About {
		about[i] = engine.Literal(a[0]) + ": " + engine.Literal(a[1])
	}
	return fmt.Sprintf("COPY (SELECT %s FROM %s) TO %s (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE %d, KV_METADATA {%s})",
		strings.Join(f.Columns, ", "), f.From, engine.Literal(f.Path), rows, strings.Join(about, ", "))
}

func (parquet) Scan(_ schema.Table, files []string) (string, error) {
	return "read_parquet(" + fileList(files) + ", hive_partitioning = false)", nil
}

// fileList is a list of files, as the engine's readers take it.
func fileList(files []string) string {
	literals := make([]string, len(files))
	for i, file := range files {
		literals[i] = engine.Literal(file)
	}
	return "[" + strings.Join(literals, ", ") + "]"
}
