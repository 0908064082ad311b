package engine_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// everyType has a column of each type, with and without NULL.
type everyType struct {
	ID       int64          `col:"id"`
	Text     string         `col:"text"`
	Maybe    *string        `col:"maybe"`
	Count    *int64         `col:"count"`
	Cost     *float64       `col:"cost"`
	Is       bool           `col:"is"`
	Perhaps  *bool          `col:"perhaps"`
	At       schema.Millis  `col:"at"`
	Sometime *schema.Millis `col:"sometime"`
	Day      schema.Date    `col:"day"`
	Doc      schema.JSON    `col:"doc"`
	Bytes    schema.Blob    `col:"bytes"`
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ptr[T any](v T) *T { return &v }

// TestAppender: every type, texts around the length up to which the engine keeps them in place, NULL beside values, and
// more rows than a chunk holds, in one batch or in many, arrive as SQL says that they must.
func TestAppender(t *testing.T) {
	t.Parallel()
	const rows = 3000
	var in []everyType
	for i := range int64(rows) {
		row := everyType{ID: i, Text: strings.Repeat("é", int(i%20)), At: schema.Millis(i*1001 - 2_000_000),
			Is: i%3 == 0, Day: "2024-02-29"}
		if i%2 == 0 {
			row.Maybe, row.Count, row.Cost = ptr(strings.Repeat("x", int(i%40))), ptr(-i), ptr(float64(i)/4)
			row.Perhaps, row.Sometime = ptr(i%4 == 0), ptr(schema.Millis(i))
			row.Doc, row.Bytes = schema.JSON(fmt.Sprintf(`{ "id":%d}`, i)),
				schema.Blob("\x00\xff"+strings.Repeat("b", int(i%15)))
		}
		in = append(in, row)
	}
	const want = `SELECT id, repeat('é', (id % 20)::INT) AS text, CASE WHEN id % 2 = 0 THEN repeat('x', (id % 40)::INT) END AS maybe, CASE WHEN id % 2 = 0 THEN -id END AS count,
		CASE WHEN id % 2 = 0 THEN id / 4 END AS cost, id % 3 = 0 AS "is", CASE WHEN id % 2 = 0 THEN id % 4 = 0 END AS perhaps, make_timestamptz((id * 1001 - 2000000) * 1000) AS at,
		CASE WHEN id % 2 = 0 THEN make_timestamptz(id * 1000) END AS sometime, DATE '2024-02-29' AS day, CASE WHEN id % 2 = 0 THEN '{ "id":' || id || '}' END AS doc,
		CASE WHEN id % 2 = 0 THEN '\x00\xFF'::BLOB || encode(repeat('b', (id % 15)::INT)) END AS bytes FROM range(3000) AS _(id)`
	for _, batch := range []int64{100, 1 << 20} {
		db, conn, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "w.duckdb"), false)
		must(t, err)
		table := schema.NewTable[everyType]("every", "", schema.Internal)
		for _, target := range []string{"every", "temp.staged"} {
			columns := make([]string, len(table.Columns))
			for i, c := range table.Columns {
				columns[i] = fmt.Sprintf("%q %s", c.Name, c.Type)
			}
			kind, name := "", target
			if temporary, ok := strings.CutPrefix(target, "temp."); ok {
				kind, name = "TEMP", temporary
			}
			_, err := conn.ExecContext(t.Context(),
				fmt.Sprintf("CREATE %s TABLE %s (%s)", kind, name, strings.Join(columns, ", ")))
			must(t, err)
			a, err := engine.NewAppender(conn, target, table, batch)
			must(t, err)
			must(t, a.Append(reflect.ValueOf(in[:10])))
			must(t, a.Append(reflect.ValueOf(in[10:])))
			must(t, a.Close())
			var differ int
			must(t, conn.QueryRowContext(t.Context(),
				fmt.Sprintf(`WITH got AS (SELECT * REPLACE (doc::VARCHAR AS doc) FROM %[1]s), want AS (%[2]s)
				SELECT count(*) FROM ((FROM got EXCEPT ALL FROM want) UNION ALL (FROM want EXCEPT ALL FROM got))`,
					target, want)).Scan(&differ))
			if differ != 0 {
				t.Errorf("%s, batches of %d bytes: %d rows differ", target, batch, differ)
			}
		}
		if a, err := engine.NewAppender(conn, "nowhere", table, batch); err == nil {
			t.Errorf("an appender of a table that does not exist: %v", a)
		}
		must(t, conn.Close())
		must(t, db.Close())
	}
}
