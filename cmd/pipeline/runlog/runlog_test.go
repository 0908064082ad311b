package runlog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pipeline/cmd/pipeline/runlog"
)

// TestRunLog: the log tells what ended, what did not, and what came after a line that was cut off, the latest first, also when it has grown.
func TestRunLog(t *testing.T) {
	t.Parallel()
	warehouse := filepath.Join(t.TempDir(), "w.duckdb")
	if runs, err := runlog.Read(warehouse, 5); err != nil || len(runs) > 0 {
		t.Fatalf("without a log: %v %v", runs, err)
	}
	begin := time.Date(2026, 5, 4, 4, 30, 0, 0, time.UTC)
	add := func(id string, code *int, text string) {
		r := runlog.Run{ID: id, Pipeline: "nightly", Trigger: runlog.BySchedule, StartedAt: begin, ExitCode: code, Error: text}
		if code != nil {
			end := begin.Add(time.Minute)
			r.FinishedAt = &end
		}
		if err := runlog.Append(warehouse, r); err != nil {
			t.Fatal(err)
		}
	}
	good, bad := 0, 3
	add("a", nil, "")
	add("a", &good, "")
	add("b", nil, "") // killed
	file, err := os.OpenFile(runlog.Path(warehouse), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"id":"b","exit_co`); err != nil { // the disk was full
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	add("c", nil, "")
	add("c", &bad, "no store\nat \x1b all")
	runs, err := runlog.Read(warehouse, 10)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := told(runs), "c 3 no store\nat \x1b all; b open ; a 0 "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if runs, err := runlog.Read(warehouse, 1); err != nil || told(runs) != told(runs[:1]) || len(runs) != 1 {
		t.Errorf("one run: %v %v", runs, err)
	}
	if info, err := os.Stat(runlog.Path(warehouse)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the log's rights: %v %v", info.Mode(), err)
	}
	long := strings.Repeat("é", 5000)
	for i := range 1200 {
		add(fmt.Sprint("n", i), &bad, long)
	}
	runs, err = runlog.Read(warehouse, 2000)
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) < 500 || runs[0].ID != "n1199" || runs[1].ID != "n1198" {
		t.Errorf("%d runs of a log that has grown, the last %s", len(runs), runs[0].ID)
	}
	if text := runs[0].Error; !strings.HasPrefix(text, "éé") || strings.ContainsRune(text, '\uFFFD') || len(text) > 2100 {
		t.Errorf("an error of %d bytes: %.20q", len(text), text)
	}
	for _, name := range []string{"", ".1"} {
		if info, err := os.Stat(runlog.Path(warehouse) + name); err != nil || info.Size() > 2<<20 {
			t.Errorf("the log%s: %v %v", name, info, err)
		}
	}
}

func told(runs []runlog.Run) string {
	var out []string
	for _, r := range runs {
		code := "open"
		if c, ok := r.Code(); ok {
			code = fmt.Sprint(c)
		}
		out = append(out, r.ID+" "+code+" "+r.Error)
	}
	return strings.Join(out, "; ")
}
