package rawlog

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/google/go-cmp/cmp"

	"pipeline/sql/schema"
)

// TestRowsOf writes rows and reads them again: an empty value is not NULL, values are of several pages and groups.
func TestRowsOf(t *testing.T) {
	hash := "0123456789abcdef0123456789abcdef"
	long := schema.Blob(strings.Repeat("x\x00", 600_000))
	want := []*schema.RawRow{
		{SourceID: "s", Key: "a", KeyBytes: schema.Blob{0xff}, RowID: -1, Value: long, Hash: &hash, ObservedAt: 1},
		{SourceID: "s", Key: "b", Value: schema.Blob{}, Hash: &hash, LoadID: 1 << 60},
		{SourceID: "", Key: "c", ValueType: schema.RawGone},
		{SourceID: "s", Key: "d", Value: long, Hash: &hash},
	}
	for _, group := range []int64{1, 1 << 30} {
		var got []*schema.RawRow
		for row, err := range rowsOf(t.Context(), written(t, group, want...)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, row)
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b schema.Blob) bool {
			return (a == nil) == (b == nil) && bytes.Equal(a, b)
		})); diff != "" {
			t.Errorf("groups of %d bytes (-want +got):\n%.2000s", group, diff)
		}
	}
}

// TestOtherTypes: a column of another type than its field is an error, and no zero or empty text.
func TestOtherTypes(t *testing.T) {
	in, err := file.OpenParquetFile(written(t, 1<<30, &schema.RawRow{SourceID: "s", ObservedAt: 1}), false)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	columns := make([]file.ColumnChunkReader, in.MetaData().Schema.NumColumns())
	for c := range columns {
		of := c
		if c == 0 { // the number of the last column for the text of the first
			of = len(columns) - 1
		}
		if columns[c], err = in.RowGroup(0).Column(of); err != nil {
			t.Fatal(err)
		}
	}
	if row, err := nextRow(columns); err == nil || !strings.Contains(err.Error(), "it is damaged") {
		t.Errorf("%+v, %v", row, err)
	}
}

// written is a file of rows.
func written(t *testing.T, group int64, rows ...*schema.RawRow) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "rows.parquet")
	w, err := NewWriter(path, group)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := w.Append(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(Load{}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return path
}
