package engine

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pipeline/sql/schema"
)

type text struct {
	ID   int64  `col:"id"`
	Text string `col:"text"`
}

// TestKeepFreedMemory: while rows are written, the engine keeps some of the memory that it has freed if there is room
// for it, but never much, and next to nothing without room.
func TestKeepFreedMemory(t *testing.T) {
	defer KeepFreedMemory(0)
	db, conn, err := Open(t.Context(), filepath.Join(t.TempDir(), "w.duckdb"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	defer conn.Close()
	for _, query := range []string{SetMemory(100 << 20), `CREATE TABLE texts (id BIGINT, "text" VARCHAR)`} {
		if _, err := conn.ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	most := func(ms int, rows int64, words int) (most int) {
		KeepFreedMemory(ms)
		a, err := NewAppender(conn, "texts", schema.NewTable[text]("texts", "", schema.Internal), 8<<20)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			row := []text{{i, strings.Repeat("some words and more ", words)}}
			before := a.passed
			if err := a.Append(reflect.ValueOf(row)); err != nil {
				t.Fatal(err)
			}
			if a.passed < before && i > rows/2 { // a batch was written
				most = max(most, freed())
			}
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		return most
	}
	if freed() < 0 {
		t.Fatal("the engine's allocator does not say how much memory is freed: a first load returns all of it after " +
			"each batch")
	}
	if without := most(0, 100_000, 25); without > 4<<20 {
		t.Errorf("without room the engine keeps %d bytes of freed memory", without)
	}
	if with := most(Briefly, 100_000, 25); with < 4<<20 || with > kept {
		t.Errorf("with room the engine keeps %d bytes of freed memory, want some and at most %d", with, kept)
	}
	if with := most(AWhile, 25_000, 250); with > kept { // a group of rows is as large as what may be kept
		t.Errorf("after long texts the engine keeps %d bytes of freed memory, want at most %d", with, kept)
	}
}
