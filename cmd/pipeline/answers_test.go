package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnswerOfAnotherVersion: a warehouse that has no such view says what to do.
func TestAnswerOfAnotherVersion(t *testing.T) {
	w := newCLITest(t)
	w.does(0, "demo", "--cases", "--out", filepath.Join(w.dir, "demo"))
	w.does(0, "run", "--quiet", "--source", filepath.Join(w.dir, "demo"), "--warehouse", w.warehouse)
	db, err := sql.Open("duckdb", w.warehouse)
	w.must(err)
	_, err = db.Exec("DROP VIEW answers.tool_failures_short")
	w.must(err)
	w.must(db.Close())
	if _, said := w.does(1, "answers", "tool_failures", "--warehouse", w.warehouse); !strings.Contains(said, "'pipeline run' adds it") {
		t.Error(said)
	}
}
