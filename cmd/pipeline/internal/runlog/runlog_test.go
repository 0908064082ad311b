package runlog_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pipeline/cmd/pipeline/internal/runlog"
)

// TestRunLog: the log tells what ended, what did not, and what came after a line that was cut off, the latest first,
// also when it has grown.
func TestRunLog(t *testing.T) {
	t.Parallel()
	warehouse := filepath.Join(t.TempDir(), "w.duckdb")
	if runs, err := runlog.Read(warehouse, 5); err != nil || len(runs) > 0 {
		t.Fatalf("without a log: %v %v", runs, err)
	}
	begin := time.Date(2026, 5, 4, 4, 30, 0, 0, time.UTC)
	add := func(id string, code *int, text string) {
		r := runlog.Run{ID: id, Pipeline: "nightly", Trigger: runlog.BySchedule, StartedAt: begin, ExitCode: code,
			Error: text}
		if code != nil {
			end := begin.Add(time.Minute)
			r.FinishedAt = &end
		}
		must(t, runlog.Append(warehouse, r))
	}
	good, bad := 0, 3
	add("a", nil, "")
	add("a", &good, "")
	add("b", nil, "") // killed
	file, err := os.OpenFile(runlog.Path(warehouse), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	if _, err := file.WriteString(`{"id":"b","exit_co`); err != nil { // the disk was full
		t.Fatal(err)
	}
	must(t, file.Close())
	add("c", nil, "")
	add("c", &bad, "no store\nat \x1b all")
	runs, err := runlog.Read(warehouse, 10)
	must(t, err)
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
	must(t, err)
	if len(runs) < 500 || runs[0].ID != "n1199" || runs[1].ID != "n1198" {
		t.Errorf("%d runs of a log that has grown, the last %s", len(runs), runs[0].ID)
	}
	if text := runs[0].Error; !strings.HasPrefix(text, "éé") || strings.ContainsRune(text, '\uFFFD') ||
		len(text) > 2100 {
		t.Errorf("an error of %d bytes: %.20q", len(text), text)
	}
	for _, name := range []string{"", ".1"} {
		if info, err := os.Stat(runlog.Path(warehouse) + name); err != nil || info.Size() > 2<<20 {
			t.Errorf("the log%s: %v %v", name, info, err)
		}
	}
}

// TestStates: a run that has not ended is under way while its process is there, and no later run has its number.
func TestStates(t *testing.T) {
	t.Parallel()
	sleeper := exec.Command("sleep", "60")
	if err := sleeper.Start(); err != nil {
		t.Skip("there is no sleep: ", err)
	}
	gone := exec.Command("true")
	must(t, gone.Run())
	alive, dead, code := sleeper.Process.Pid, gone.Process.Pid, 0
	id := func(pid int) string { return fmt.Sprint("x-", pid) }
	runs := []runlog.Run{{ID: id(alive)}, {ID: id(dead)}, {ID: id(alive)}, {ID: id(os.Getpid())},
		{ID: id(alive), ExitCode: &code}, {ID: "odd"}, {ID: id(-1)}}
	want := []runlog.State{runlog.UnderWay, runlog.Killed, runlog.Killed, runlog.Killed, runlog.Ended, runlog.Killed,
		runlog.Killed}
	if got := runlog.States(runs); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	_ = sleeper.Process.Kill()
	_ = sleeper.Wait() // it was killed
	if got := runlog.States(runs)[0]; got != runlog.Killed {
		t.Errorf("a run whose process has gone is %s", got)
	}
}

// TestPutAside: runs that begin at once put a log aside that has grown once, and lose none of it.
func TestPutAside(t *testing.T) {
	t.Parallel()
	warehouse := filepath.Join(t.TempDir(), "w.duckdb")
	code := 3
	for i := range 550 {
		must(t, runlog.Append(warehouse, runlog.Run{ID: fmt.Sprint("old", i), ExitCode: &code,
			Error: strings.Repeat("x", 2000)}))
	}
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			if err := runlog.Append(warehouse, runlog.Run{ID: fmt.Sprint("new", i)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	runs, err := runlog.Read(warehouse, 1000)
	if err != nil || len(runs) != 600 {
		t.Errorf("%d runs %v", len(runs), err)
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

// must ends a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
