//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/extract"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
	"pipeline/testdata/gen/storetest"
)

// A monitor is a server that keeps what it is told.
type monitor struct {
	*httptest.Server
	mu   sync.Mutex
	told []string
}

func newMonitor(t *testing.T) *monitor {
	m := &monitor{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // what is cut off is another body than the wanted one
		m.mu.Lock()
		defer m.mu.Unlock()
		m.told = append(m.told, r.URL.Path+" "+string(body))
	}))
	t.Cleanup(m.Close)
	return m
}

// take is what it was told since it was last asked.
func (m *monitor) take() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer func() { m.told = nil }()
	return m.told
}

const pingSecret = "5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278"

// TestNotified: whoever is to be told of a run is told of its beginning and its end, and none of them changes its exit
// code.
func TestNotified(t *testing.T) {
	w, m := newCLITest(t), newMonitor(t)
	w.store(talk("a", "hello", "there"), storetest.StoreOptions{})
	ping, log := m.URL+"/"+pingSecret, filepath.Join(w.dir, "state", "runs.log")
	t.Run("a run that goes well", func(t *testing.T) { toldOfSuccess(t, w, m, log) })
	missing := []string{"run", "--source", filepath.Join(w.dir, "nowhere"), "--warehouse", w.warehouse}
	t.Run("one that fails", func(t *testing.T) {
		_, said := w.does(3, append(missing, "--ping", ping, "--log", log)...)
		told := m.take()
		if len(told) != 2 || !strings.HasPrefix(told[1], "/"+pingSecret+"/3 run: exit code 3\nnothing was loaded\n") {
			t.Errorf("the monitor was told %q", told)
		}
		runs := w.logged()
		if r := runs[0]; *r.ExitCode != 3 || !strings.Contains(r.Error, "nowhere: there is no such store") ||
			r.LoadID != 0 || !strings.Contains(said, r.Error) {
			t.Errorf("%+v", r)
		}
		last := logLines(t, log)
		if end := last[len(last)-1]; end["level"] != "ERROR" || end["exit_code"] != 3.0 || end["load_id"] != nil {
			t.Errorf("%v", end)
		}
	})
	t.Run("nobody hears it", func(t *testing.T) {
		nobody := httptest.NewServer(nil)
		nobody.Close()
		blocked := filepath.Join(w.dir, "blocked")
		w.must(os.WriteFile(blocked, nil, 0o600))
		_, said := w.does(3, append(missing, "--ping", nobody.URL+"/"+pingSecret, "--log",
			filepath.Join(blocked, "log"), "--on-end", "exit 9")...)
		for _, part := range []string{"warning: the ping to " + nobody.URL + "/... did not come through",
			"connection refused", "is not written", "the command at the end failed: exit status 9", "nowhere"} {
			if strings.Count(said, part) < 1 {
				t.Errorf("it says %q, want %q", said, part)
			}
		}
		if strings.Contains(said, pingSecret) {
			t.Error("it tells the URL")
		}
	})
	t.Run("the command", func(t *testing.T) { toldCommand(t, w, missing) })
	t.Run("slips", func(t *testing.T) {
		for _, args := range [][]string{{"--ping", "ftp://x/" + pingSecret}, {"--on-end-when", "never"},
			{"--retry", "often"}, {"--retry", "-1h"}, {"--ping", pingSecret}} {
			if _, said := w.does(2, append(missing, args...)...); strings.Contains(said, pingSecret) ||
				!strings.Contains(said, args[0]) {
				t.Errorf("%s: %s", args, said)
			}
		}
	})
	if got := m.take(); len(got) > 0 {
		t.Errorf("the monitor was told %q", got)
	}
}

func toldOfSuccess(t *testing.T, w *cliTest, m *monitor, log string) {
	t.Setenv("PIPELINE_TRIGGER", runlog.BySchedule)
	t.Setenv("PIPELINE_PING", m.URL+"/"+pingSecret)
	_, said := w.run(0, "--quiet", "--log", log)
	if said != "" {
		t.Errorf("it says %q", said)
	}
	told := m.take()
	if len(told) != 2 || told[0] != "/"+pingSecret+"/start run: begins\n" ||
		!strings.HasPrefix(told[1], "/"+pingSecret+
			" run: exit code 0\nload 1: 1 conversation new, 0 changed, 0 deleted, 2 messages written\n") ||
		strings.Contains(told[1], w.dir) {
		t.Errorf("the monitor was told %q", told)
	}
	r := w.logged()[0]
	if *r.ExitCode != 0 || r.LoadID != 1 || r.New != 1 || r.Messages != 2 || r.Trigger != runlog.BySchedule ||
		r.Attempts != 1 || r.Error != "" || r.FinishedAt.Before(r.StartedAt) {
		t.Errorf("%+v", r)
	}
	var phases []string
	lines := logLines(t, log)
	for _, line := range lines {
		if line["run"] != r.ID || line["trigger"] != runlog.BySchedule {
			t.Errorf("%v", line)
		}
		if line["msg"] == "phase" {
			phases = append(phases, line["phase"].(string))
		}
	}
	w.same("the phases", []string{"open", "read", "merge", "check", "commit", "done"}, phases)
	if end := lines[len(lines)-1]; lines[0]["msg"] != "run begins" || end["exit_code"] != 0.0 ||
		end["load_id"] != 1.0 || end["messages_loaded"] != 2.0 || end["level"] != "INFO" {
		t.Errorf("%v", lines)
	}
	for path, want := range map[string]os.FileMode{log: 0o600, filepath.Dir(log): 0o700,
		runlog.Path(w.warehouse): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
}

// toldCommand runs commands in the real shell.
func toldCommand(t *testing.T, w *cliTest, missing []string) {
	fails, goesWell := missing, append([]string{"run", "--source", "test=" + w.user, "--warehouse", w.warehouse},
		"--quiet")
	for _, test := range []struct {
		when string
		want string // exit codes that the command was told of, of the runs below
	}{{"always", "3 3 0 0 "}, {"failure", "3 3 "}, {"change", "3 0 "}} {
		file := filepath.Join(t.TempDir(), "told")
		for _, run := range [][]string{fails, fails, goesWell, goesWell} {
			w.does(map[bool]int{true: 3, false: 0}[run[2] == fails[2]],
				append(run, "--on-end", `printf "%s " "$PIPELINE_EXIT_CODE" >> '`+file+`'; echo on stdout`,
					"--on-end-when", test.when)...)
		}
		got, err := os.ReadFile(file)
		if w.must(err); string(got) != test.want {
			t.Errorf("%s: it was told of %q, want %q", test.when, got, test.want)
		}
	}
	printed, said := w.runs(3, append(missing, "--on-end",
		`env | sort | grep -E '^PIPELINE_(ERROR|LOAD_ID|NAME|RUN_WAREHOUSE|RUN_TRIGGER|WAREHOUSE|TRIGGER|ON_END|PING)='`)...)
	if printed != "" || !strings.Contains(said,
		"PIPELINE_LOAD_ID=\nPIPELINE_NAME=\nPIPELINE_RUN_TRIGGER=hand\nPIPELINE_RUN_WAREHOUSE="+w.warehouse+"\n") ||
		!strings.Contains(said, "PIPELINE_ERROR="+filepath.Join(w.dir, "nowhere")+": there is no such store") {
		t.Errorf("it printed %q and said %q", printed, said)
	}
}

// logged are the runs of the log, the latest first.
func (w *cliTest) logged() []runlog.Run {
	w.t.Helper()
	runs, err := runlog.Read(w.warehouse, 100)
	w.must(err)
	if len(runs) == 0 {
		w.t.Fatal("no run is logged")
	}
	return runs
}

// logLines are the lines of a log of JSON lines.
func logLines(t *testing.T, file string) (out []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	for line := range strings.Lines(string(text)) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, v)
	}
	return out
}

// TestBusyRun: a run that is busy is tried again as long as it is to be, its exit code is that of the last try, and an
// interrupt ends a pause at once.
func TestBusyRun(t *testing.T) {
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	lock := flock.New(w.warehouse + ".lock")
	take := func() {
		if held, err := lock.TryLock(); err != nil || !held {
			t.Fatal("the lock: ", held, err)
		}
	}
	take()
	_, said := w.run(exitBusy, "--retry", "1s")
	if strings.Count(said, "busy: the warehouse is in use: another run holds") != 1 ||
		!strings.Contains(said, "; trying again at ") {
		t.Errorf("it says %q", said)
	}
	w.same("its tries", 2, w.logged()[0].Attempts)
	if _, said := w.does(exitBusy, "run", "--source", w.user, "--warehouse", w.warehouse); strings.Contains(said,
		"trying again") {
		t.Errorf("without --retry it says %q", said)
	}

	waiting := exec.Command("pipeline", "run", "--source", "test="+w.user, "--warehouse", w.warehouse, "--retry", "1h",
		"--log", filepath.Join(w.dir, "log"))
	c := start(t, waiting)
	awaitPause(c, filepath.Join(w.dir, "log"))
	out, _ := w.does(3, "status", "--warehouse", w.warehouse)
	if !strings.Contains(out, "last run     under way, ") || !strings.Contains(out, "failing      2 runs in a row") {
		t.Errorf("meanwhile status prints %q", out)
	}
	begin := time.Now()
	w.must(waiting.Process.Signal(syscall.SIGINT))
	if code := c.wait(); code != exitInterrupted || time.Since(begin) > 10*time.Second {
		t.Errorf("exit code %d after %v: %s", code, time.Since(begin), c.output.String())
	}
	if r := w.logged()[0]; *r.ExitCode != exitInterrupted || r.Error != "interrupted" {
		t.Errorf("%+v", r)
	}

	cmd := exec.Command("pipeline", "run", "--source", "test="+w.user, "--warehouse", w.warehouse, "--retry", "2s",
		"--json", "--log", filepath.Join(w.dir, "log2"))
	var printed bytes.Buffer
	cmd.Stdout = &printed
	c = start(t, cmd)
	awaitPause(c, filepath.Join(w.dir, "log2"))
	w.must(lock.Unlock())
	var result pipelines.Result
	if code := c.wait(); code != 0 || json.Unmarshal(printed.Bytes(), &result) != nil || result.LoadID != 1 {
		t.Errorf("exit code %d: %s%s", code, printed.String(), c.output.String())
	}
	if r := w.logged()[0]; r.Attempts != 2 || r.LoadID != 1 || *r.ExitCode != 0 {
		t.Errorf("%+v", r)
	}

	killed := start(t, command(place{warehouse: w.warehouse}, "--source", "test="+w.user, "--full"))
	killed.await(reading)
	_ = killed.cmd.Process.Kill()
	killed.wait()
	if out, _ := w.does(0, "status", "--warehouse", w.warehouse, "--runs", "0"); !strings.Contains(out,
		"last run     killed, ") {
		t.Errorf("after a kill status prints %q", out)
	}
}

// awaitPause waits until a run waits for its next try, as its log tells.
func awaitPause(c *child, log string) {
	inPause := func() bool {
		text, err := os.ReadFile(log)
		return err == nil && strings.Contains(string(text), "busy, trying again")
	}
	for until := time.Now().Add(patience); !inPause(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(until) {
			c.hangs()
		}
	}
}

// inRun has a function called as the action of 'pipeline run'.
func inRun(t *testing.T, stderr io.Writer, warehouse string, do func(*runReporter) error) (int, error) {
	t.Helper()
	app := newApp(io.Discard, stderr)
	app.Command("run").Action = func(c *cli.Context) error {
		run := &file.Run{Options: pipelines.Options{Warehouse: warehouse}}
		if err := read(run, slices.DeleteFunc(choices(c, nil),
			func(ch choice) bool { return ch.Key == "warehouse" })); err != nil {
			return err
		}
		about, err := readRunReporting(run, false)
		if err != nil {
			return err
		}
		return do(newRunReporter(c, nil, warehouse, about))
	}
	err := app.RunContext(t.Context(), []string{"pipeline", "run", "--retry", "2h", "--log", "none"})
	if err == nil {
		return 0, nil
	}
	return exitCode(context.Background(), err), err
}

// TestPanickingRun: a fault in the program is a failure like another: with exit code 1, its stack on stderr, and told.
func TestPanickingRun(t *testing.T) {
	t.Parallel()
	warehouse := filepath.Join(t.TempDir(), "w.duckdb")
	var stderr bytes.Buffer
	code, err := inRun(t, &stderr, warehouse, func(t *runReporter) error {
		return t.report(func() error { var rows []int; return fmt.Errorf("%d", rows[len(rows)+3]) })
	})
	if code != exitFailed || !strings.Contains(err.Error(),
		"an error in this program: runtime error: index out of range") {
		t.Errorf("exit code %d: %v", code, err)
	}
	if !strings.Contains(stderr.String(), "TestPanickingRun") {
		t.Errorf("the stack is not there: %s", stderr.String())
	}
	runs, err := runlog.Read(warehouse, 1)
	if err != nil || len(runs) != 1 || *runs[0].ExitCode != exitFailed ||
		!strings.HasPrefix(runs[0].Error, "an error in this program") {
		t.Errorf("%+v %v", runs, err)
	}
}

// TestPartlyBusy: a run that loaded some stores while another was busy is tried again, too, and no other failure is.
// The clock is the test's.
func TestPartlyBusy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tries, begin := 0, time.Now()
		var stderr bytes.Buffer
		code, err := inRun(t, &stderr, "", func(tell *runReporter) error {
			return tell.tries(func() error {
				tries++
				result := &pipelines.Result{LoadID: int64(tries), Messages: 5}
				tell.loaded(result)
				switch tries {
				case 1, 2:
					return &exitError{code: codeOfFailures([]error{fmt.Errorf("the store: %w", extract.ErrBusy)})}
				case 3:
					if tell.run.Messages != 15 || tell.run.LoadID != 3 || tell.run.Attempts != 3 {
						t.Errorf("%+v", tell.run)
					}
					return &exitError{exitSource, errors.New("the store is no database")}
				}
				return nil
			})
		})
		if code != exitSource || tries != 3 || time.Since(begin) < time.Minute {
			t.Errorf("exit code %d after %d tries and %v: %v", code, tries, time.Since(begin), err)
		}
		if got := strings.Count(stderr.String(), "trying again at"); got != 2 {
			t.Errorf("it said so %d times: %s", got, stderr.String())
		}
	})
}

// TestLogRotates: a log that has grown is put aside, and the oldest of those is removed.
func TestLogRotates(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state", "runs.log")
	must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	var logs []string
	for range logsAside + 2 {
		must(t, errors.Join(os.WriteFile(file, []byte("{}\n"), 0o600),
			os.Truncate(file, logMegabytes<<20)))
		l := openRunLog(file, runlog.Run{ID: "a"}, "w", t.Errorf)
		l.Info("run begins")
		must(t, l.Close())
		time.Sleep(2 * time.Millisecond) // what is put aside is named by the time
	}
	for until := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) { // they are removed aside from the run
		logs, _ = filepath.Glob(filepath.Join(filepath.Dir(file), "*"))
		if len(logs) == logsAside+1 {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("there are %q", logs)
		}
	}
	for _, log := range logs {
		if info, err := os.Stat(log); err != nil || info.Mode().Perm() != 0o600 ||
			(info.Size() > 1<<20) != (log != file) {
			t.Errorf("%s: %v %v", log, info, err)
		}
	}
	w := "nobody"
	l := openRunLog(filepath.Join(file, "below", "a file"), runlog.Run{}, "w",
		func(format string, args ...any) { w += fmt.Sprintf(format, args...) })
	l.Info("one")
	l.Info("two")
	if strings.Count(w, "is not written") != 1 {
		t.Errorf("it warns %q", w)
	}
}

// TestRunsNotNoted: a run whose note cannot be written says so once, and goes on.
func TestRunsNotNoted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a file")
	must(t, os.WriteFile(file, nil, 0o600))
	var said bytes.Buffer
	told := &runReporter{c: cli.NewContext(newApp(io.Discard, &said), flag.NewFlagSet("run", flag.ContinueOnError),
		nil), warehouse: filepath.Join(file, "w.duckdb"), noted: true, log: noLog}
	told.note()
	told.note()
	if strings.Count(said.String(), "will not know of this run") != 1 {
		t.Errorf("it says %q", said.String())
	}
}
