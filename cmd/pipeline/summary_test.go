package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pipeline/load/reader"
	"pipeline/testdata/gen/storetest"
)

// summaryNumbers are the numbers of a line of a run's summary.
func summaryNumbers(t *testing.T, summary, line string) (out []int) {
	t.Helper()
	found := regexp.MustCompile(`(?m)^  ` + line + ` +(.*)$`).FindStringSubmatch(summary)
	if found == nil {
		t.Fatalf("the summary has no line %q:\n%s", line, summary)
	}
	for _, number := range regexp.MustCompile(`[0-9,]*[0-9]`).FindAllString(found[1], -1) {
		n, err := strconv.Atoi(strings.ReplaceAll(number, ",", ""))
		must(t, err)
		out = append(out, n)
	}
	return out
}

// TestSummaryAddsUp: what a first load has written is what the warehouse and the orphans hold, each as SQL counts it; a
// run with --full calls nothing changed that is not.
func TestSummaryAddsUp(t *testing.T) {
	t.Chdir(t.TempDir())
	w := newCLITest(t)
	mustWriteStore(t, "demo", 200, 1)
	run := func(args ...string) string {
		out, _ := w.does(0, append([]string{"run", "--source", "work=demo", "--warehouse", w.warehouse}, args...)...)
		return out
	}
	first := run()
	loaded, written := summaryNumbers(t, first, "conversations"), summaryNumbers(t, first, "written")
	held, orphans := summaryNumbers(t, first, "warehouse"), summaryNumbers(t, first, "orphans")
	held[0] += summaryNumbers(t, first, "empty")[0] // conversations without a message are live, and counted apart
	for i, counted := range []struct {
		table string
		told  int
	}{{"conversations", loaded[0]}, {"messages", written[0]}, {"tool_calls", written[1]}} {
		got, err := reader.Query(t.Context(), w.warehouse,
			fmt.Sprintf("SELECT (SELECT count(*) FROM live_%[1]s), (SELECT count(*) FROM %[1]s)", counted.table))
		w.must(err)
		live, all := fmt.Sprint(got.Rows[0][0]), fmt.Sprint(got.Rows[0][1])
		if strconv.Itoa(held[i]) != live || strconv.Itoa(counted.told) != all || held[i]+orphans[i] != counted.told {
			t.Errorf("%s: %d told of, %d in the warehouse, %d of orphans; SQL counts %s, live %s", counted.table,
				counted.told, held[i], orphans[i], all, live)
		}
	}
	again := summaryNumbers(t, run("--full"), "conversations")
	if want := []int{0, 0, 0, 0, loaded[0]}; fmt.Sprint(again) != fmt.Sprint(want) {
		t.Errorf("with --full: %v new, changed, deleted, unchanged, read again; want %v", again, want)
	}
}

// TestSummaryWords: what is not there is not told of, one thing is not several, and what --full has read again is not
// called changed.
func TestSummaryWords(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{1: "1 line of a file that cannot be read, 1 not JSON",
		2: "2 lines of files that cannot be read, 2 not JSON"} {
		if got := reasons(map[string]int64{"bad_line": n, "bad_json": n}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	w := newCLITest(t)
	w.store(talk("a", "hello", "well"), storetest.StoreOptions{})
	printed, _ := w.run(0)
	if strings.Contains(printed, "not read") {
		t.Errorf("nothing was passed over: %s", printed)
	}
	w.run(0, "--full")
	printed, _ = w.does(0, "status", "--warehouse", w.warehouse)
	if !regexp.MustCompile(`(?m)^ +2  .* ok +full +0 +- +2$`).MatchString(printed) {
		t.Errorf("of a load of all: %s", printed)
	}
}
