package main

import (
	"fmt"
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
	w := demoTest(t)
	w.change("DROP VIEW answers.tool_failures_short")
	if _, said := w.does(1, "answers", "tool_failures", "--warehouse", w.warehouse); !strings.Contains(said,
		"'pipeline run' adds it") {
		t.Error(said)
	}
}

// TestAnswersOnDemo: every answer has something to say of the invented history. One that differs from zone to zone says
// so by CutsDays, and so what is printed names the zone; make test compares some.
func TestAnswersOnDemo(t *testing.T) {
	defer func() { time.Local = time.UTC }()
	enough, every := 20, 1 // that differ and say so; each of how many is compared
	if testing.Short() {
		enough, every = 3, 2
	}
	var readers []*reader.Reader
	var zones []*time.Location
	for _, name := range []string{"UTC", "Pacific/Kiritimati"} { // 14 hours before it
		zone, err := time.LoadLocation(name)
		must(t, err)
		time.Local = zone
		zones, readers = append(zones, zone), append(readers, openWarehouse(t, demoWarehouse(t)))
	}
	ask := func(i int, f sql.File) [][]any {
		time.Local = zones[i]
		answer, err := readers[i].Query(t.Context(), "FROM "+f.Object())
		if err != nil {
			t.Fatal(f.Name, err)
		}
		return answer.Rows
	}
	differ := 0
	for i, f := range slices.Concat(sql.Answers(), sql.Shorts()) {
		isShort := i >= len(sql.Answers())
		if isShort && (testing.Short() || differ == enough && f.CutsDays()) {
			continue
		}
		rows := ask(0, f)
		if !isShort && (len(rows) == 0) != slices.Contains(needMore, f.Name) {
			t.Errorf("%s has %d rows", f.Name, len(rows))
		}
		if differ == enough && f.CutsDays() || i%every > 0 {
			continue
		}
		if fmt.Sprint(rows) != fmt.Sprint(ask(1, f)) {
			if differ++; !f.CutsDays() {
				t.Errorf("%s differs between UTC and %s, and does not say so", f.Name, zones[1])
			}
		}
	}
	if differ < enough {
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
