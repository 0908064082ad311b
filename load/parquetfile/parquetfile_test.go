package parquetfile_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pipeline/load/engine"
	"pipeline/load/parquetfile"
	"pipeline/sql/schema"
)

// row has a column of each type.
type row struct {
	ID     int64          `col:"id" doc:"x"`
	Name   string         `col:"name"`
	Text   *string        `col:"text"`
	Count  *int64         `col:"count"`
	At     *schema.Millis `col:"happened"`
	Is     *bool          `col:"flag"`
	Detail schema.JSON    `col:"detail"`
	Value  schema.Blob    `col:"value"`
	Never  *string        `col:"never"`
}

func ptr[T any](v T) *T { return &v }

// rowsOf makes rows with values that are hard to write: NULL beside empty, long ones, the ends of the numbers.
func rowsOf(n int) (rows []row) {
	for i := range n {
		r := row{ID: int64(i), Name: fmt.Sprintf("n%03d", i%7)}
		switch i % 5 {
		case 0:
			r.Text, r.Count, r.At, r.Is = ptr(""), ptr(int64(-1<<63)), ptr(schema.Millis(-1)), ptr(true)
		case 1:
			r.Text, r.Count, r.Detail = ptr(strings.Repeat("é𝄞", i)), ptr(1<<63-1-int64(i)),
				schema.JSON(`{"a": [1, "x"]}`)
		case 2:
			r.At, r.Is, r.Value = ptr(schema.Millis(1700000000000+i)), ptr(false), schema.Blob{}
		case 3:
			r.Value = bytes.Repeat([]byte{0, byte(i), 255}, 1+i*7)
		}
		rows = append(rows, r)
	}
	if n > 0 {
		rows[n/2].Text = ptr(strings.Repeat("long ", 1<<19)) // larger than a page
	}
	return rows
}

// write writes a file with a row group for every so many rows.
func write(t *testing.T, o parquetfile.Options, rows []row, every int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.parquet")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	table := schema.NewTable[row]("rows", "", schema.Internal)
	w, err := parquetfile.NewWriter(out, table, o)
	if err != nil {
		t.Fatal(err)
	}
	group := parquetfile.NewGroup(table, o)
	for i := range rows {
		row := rows[i]
		row.Value = bytes.Clone(row.Value)
		group.Append(reflect.ValueOf(&row))
		if group.Rows() == every || i == len(rows)-1 {
			if err := w.Write(group); err != nil {
				t.Fatal(err)
			}
			group.Reset()
		}
	}
	if err := errors.Join(w.Close([2]string{"about", "it"}, [2]string{"more", "é"}), w.Failure(),
		out.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFile: the engine reads every value as it was, in both forms, whatever the sizes of pages and row groups, and
// skips no row that a filter wants.
func TestFile(t *testing.T) {
	t.Parallel()
	db, conn, err := engine.Open(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(conn.Close(), db.Close()); err != nil {
			t.Error(err)
		}
	})
	for _, o := range []parquetfile.Options{{}, {AsEngine: true}, {NoStatistics: []string{"id", "text"}}} {
		for _, size := range [][2]int{{0, 1}, {1, 1}, {8, 8}, {9, 9}, {300, 300}, {300, 64}, {3000, 3000}} {
			rows := rowsOf(size[0])
			path := write(t, o, rows, size[1])
			compare(t, conn, path, rows)
			for _, filter := range []struct {
				where string
				holds func(row) bool
			}{
				{"id >= 70 AND id < 90", func(r row) bool { return r.ID >= 70 && r.ID < 90 }},
				{"name = 'n003'", func(r row) bool { return r.Name == "n003" }},
				{"name > 'n005'", func(r row) bool { return r.Name > "n005" }},
				{"text = ''", func(r row) bool { return r.Text != nil && *r.Text == "" }},
				{"text IS NULL", func(r row) bool { return r.Text == nil }},
				{"count < 0", func(r row) bool { return r.Count != nil && *r.Count < 0 }},
				{"never IS NOT NULL", func(row) bool { return false }},
				{"happened > make_timestamptz(0)", func(r row) bool { return r.At != nil && *r.At > 0 }},
				{"NOT flag", func(r row) bool { return r.Is != nil && !*r.Is }},
			} {
				want, got := 0, 0
				for _, r := range rows {
					if filter.holds(r) {
						want++
					}
				}
				if err := conn.QueryRowContext(t.Context(), `SELECT count(*) FROM read_parquet(?) WHERE `+filter.where,
					path).Scan(&got); err != nil || got != want {
					t.Errorf("%+v, %d rows: %s: %d rows, %v, want %d", o, size, filter.where, got, err, want)
				}
			}
		}
	}
}

// compare compares every cell.
func compare(t *testing.T, conn *sql.Conn, path string, want []row) {
	t.Helper()
	rows, err := conn.QueryContext(t.Context(),
		`SELECT id, name, text, count, epoch_ms(happened), flag, detail, value, never FROM read_parquet(?)`, path)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; rows.Next(); n++ {
		var got row
		var detail *string
		if err := rows.Scan(&got.ID, &got.Name, &got.Text, &got.Count, &got.At, &got.Is, &detail, (*[]byte)(&got.Value),
			&got.Never); err != nil {
			t.Fatal(err)
		}
		if detail != nil {
			got.Detail = schema.JSON(*detail)
		}
		if got.Value != nil && len(got.Value) == 0 {
			got.Value = schema.Blob{}
		}
		if n >= len(want) || !reflect.DeepEqual(got, want[n]) {
			t.Fatalf("%s: row %d is not as it was written", path, n)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil || n != len(want) {
		t.Errorf("%d rows, %v, want %d", n, err, len(want))
	}
}

// TestMetadata: the file tells what it was given, and the engine's form has the types that the engine writes.
func TestMetadata(t *testing.T) {
	t.Parallel()
	db, conn, err := engine.Open(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = errors.Join(conn.Close(), db.Close()) }()
	path := write(t, parquetfile.Options{AsEngine: true}, rowsOf(20), 7)
	engines := filepath.Join(t.TempDir(), "engine.parquet")
	if _, err := conn.ExecContext(t.Context(),
		`COPY (FROM read_parquet('`+path+`')) TO '`+engines+`' (FORMAT parquet)`); err != nil {
		t.Fatal(err)
	}
	const columns = `SELECT string_agg(concat_ws(' ', name, type, repetition_type, converted_type), ', ') FROM parquet_schema(?) WHERE type IS NOT NULL`
	var about, ours, theirs string
	var groups int
	err = errors.Join(
		conn.QueryRowContext(t.Context(),
			`SELECT string_agg(key::VARCHAR || '=' || value::VARCHAR, ' ' ORDER BY key) FROM parquet_kv_metadata(?)`,
			path).Scan(&about),
		conn.QueryRowContext(t.Context(), columns, path).Scan(&ours),
		conn.QueryRowContext(t.Context(), columns, engines).Scan(&theirs),
		conn.QueryRowContext(t.Context(), `SELECT num_row_groups FROM parquet_file_metadata(?)`, path).Scan(&groups))
	if err != nil {
		t.Fatal(err)
	}
	if about != `about=it more=\xC3\xA9` || ours != theirs || groups != 3 {
		t.Errorf("about %q\n%d groups\n ours %s\nthe engine's %s", about, groups, ours, theirs)
	}
}

// full is a disk that takes so many bytes.
type full int

func (f *full) Write(b []byte) (int, error) {
	if *f -= full(len(b)); *f < 0 {
		return 0, errors.New("full")
	}
	return len(b), nil
}

// TestFull: a disk that is full at any place is told, and nothing panics.
func TestFull(t *testing.T) {
	t.Parallel()
	table := schema.NewTable[row]("rows", "", schema.Internal)
	rows := rowsOf(50)
	for space := range 40 {
		disk := full(space * 100)
		w, err := parquetfile.NewWriter(&disk, table, parquetfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		group := parquetfile.NewGroup(table, parquetfile.Options{})
		for i := range rows {
			group.Append(reflect.ValueOf(&rows[i]))
		}
		_ = errors.Join(w.Write(group), w.Close())
		if err := w.Failure(); (err == nil) != (disk >= 0) {
			t.Errorf("%d bytes: %v, %d left", space*100, err, disk)
		}
	}
}
