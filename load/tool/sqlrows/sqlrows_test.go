package sqlrows_test

import (
	"database/sql"
	"reflect"
	"testing"

	_ "modernc.org/sqlite"

	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

// TestRows: columns go into the fields of structs, of structs in these and of private ones too; a NULL is no empty
// value, and no row shares memory with another.
func TestRows(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	type key struct{ source, id string }
	type row struct {
		key
		At    *schema.Millis
		bytes []byte
		Doc   schema.JSON
		name  *string
		live  bool
	}
	const query = `SELECT 'a', 'b', 7, x'00ff', '{}', 'n', 1 UNION ALL SELECT 'a', 'c', NULL, x'01', NULL, NULL, 0`
	at, name := schema.Millis(7), "n"
	want := []row{{key{"a", "b"}, &at, []byte{0, 0xff}, schema.JSON("{}"), &name, true},
		{key{"a", "c"}, nil, []byte{1}, nil, nil, false}}
	got, err := sqlrows.All[row](t.Context(), db, query)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v (%v)", got, want, err)
	}
	names, err := sqlrows.Map[key, int](t.Context(), db, `SELECT 'a', 'b', ? UNION ALL SELECT 'a', 'c', 2`, 1)
	if want := map[key]int{{"a", "b"}: 1, {"a", "c"}: 2}; err != nil || !reflect.DeepEqual(names, want) {
		t.Errorf("%v, want %v (%v)", names, want, err)
	}
	if texts, err := sqlrows.All[string](t.Context(), db, `SELECT 'x' WHERE false`); err != nil || texts != nil {
		t.Error(texts, err)
	}
	if _, err := sqlrows.All[string](t.Context(), db, `SELECT NULL`); err == nil {
		t.Error("a NULL is a text")
	}
}
