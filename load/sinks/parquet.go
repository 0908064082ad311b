package sinks

import (
	"fmt"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// parquet writes Parquet files, compressed by zstd. Their metadata describes the table.
type parquet struct{}

func (parquet) About() About {
	return About{Name: "parquet", Title: "Parquet", Extension: ".parquet", For: "for pandas, polars, Spark, DuckDB",
		Example: `duckdb -c "FROM '$(readlink -f ~/cursor-parquet/current)/messages/*/*.parquet' WHERE month = '2025-03'"`}
}

// These are the rows of a row group. The engine holds a group in memory several times while it writes it, and the
// documents of tool calls are large.
const (
	manyGroupRows = 16384
	fewGroupRows  = 1024
)

// groupRows is how many rows a group of a table has.
func groupRows(t schema.Table) int64 {
	if t.HasDocuments() {
		return fewGroupRows
	}
	return manyGroupRows
}

func (parquet) Copy(f File) string {
	about := make([]string, len(f.About))
	for i, a := range f.About {
		about[i] = engine.Literal(a[0]) + ": " + engine.Literal(a[1])
	}
	return fmt.Sprintf("COPY (SELECT %s FROM %s) TO %s (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, "+
		"ROW_GROUP_SIZE %d, KV_METADATA {%s}%s)",
		strings.Join(slices.Concat(f.Columns, f.PartitionBy), ", "), f.From, engine.Literal(f.Path), groupRows(f.Table),
		strings.Join(about, ", "), f.partitions())
}

func (parquet) Scan(_ schema.Table, files []string) (string, error) {
	return "read_parquet([" + engine.Literals(engine.Patterns(files)) + "], hive_partitioning = false)", nil
}

// partitions is the option of COPY for a file that is a folder.
func (f File) partitions() string {
	if len(f.PartitionBy) == 0 {
		return ""
	}
	return ", PARTITION_BY (" + strings.Join(f.PartitionBy, ", ") + ")"
}
