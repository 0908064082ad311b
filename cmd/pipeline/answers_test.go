package main

import (
	dbsql "database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/load/reader"
	"pipeline/sql"
	"pipeline/testdata/gen/storetest"
)

// TestAnswerOfAnotherVersion: a warehouse that has no such view says what to do.
func TestAnswerOfAnotherVersion(t *testing.T) {
	w := newCLITest(t)
	mustWriteStore(t, filepath.Join(w.dir, "demo"), 2000, 1)
	w.does(0, "run", "--quiet", "--source", filepath.Join(w.dir, "demo"), "--warehouse", w.warehouse)
	db, err := dbsql.Open("duckdb", w.warehouse)
	w.must(err)
	_, err = db.Exec("DROP VIEW answers.tool_failures_short")
	w.must(err)
	w.must(db.Close())
	if _, said := w.does(1, "answers", "tool_failures", "--warehouse", w.warehouse); !strings.Contains(said,
		"'pipeline run' adds it") {
		t.Error(said)
	}
}

// TestAnswersNameTheirZone: an answer that differs from zone to zone says so by CutsDays, and so what is printed names
// the zone.
func TestAnswersNameTheirZone(t *testing.T) {
	warehouse := demoWarehouse(t)
	defer func() { time.Local = time.UTC }()
	printed, differ := map[string]string{}, 0
	for _, zone := range []string{"UTC", "Pacific/Kiritimati"} { // 14 hours before it
		var err error
		if time.Local, err = time.LoadLocation(zone); err != nil {
			t.Fatal(err)
		}
		r, err := reader.OpenAny(t.Context(), warehouse)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range slices.Concat(sql.Answers(), sql.Shorts()) {
			if differ == 20 && f.CutsDays() {
				continue // enough say so
			}
			answer, err := r.Query(t.Context(), "FROM "+f.Object())
			if err != nil {
				t.Fatal(f.Name, err)
			}
			rows := fmt.Sprint(answer.Rows)
			if zone == "UTC" {
				printed[f.Name] = rows
			}
			if printed[f.Name] != rows {
				if differ++; !f.CutsDays() {
					t.Errorf("%s differs between UTC and %s, and does not say so", f.Name, zone)
				}
			}
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if differ < 20 {
		t.Errorf("only %d answers differ: the zone was not set", differ)
	}
}

// TestNothingKnown: where nothing is known of tokens, the first answers say what would make them known, and show no row
// of which only that is known.
func TestNothingKnown(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("alpha", "one", "two"), storetest.StoreOptions{})
	w.does(0, "run", "--warehouse", w.warehouse, "--source", "test="+w.user, "--quiet")
	out, _ := w.does(0, "answers", "--warehouse", w.warehouse)
	for _, part := range []string{"How many tokens went into each model", "Nothing is recorded for this yet.",
		"pipeline hook install"} {
		if !strings.Contains(out, part) {
			t.Errorf("it lacks %q:\n%s", part, out)
		}
	}
}
