package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// TestDidYouMean: a slip in a command, a subcommand or a flag is answered with what was meant, wherever it stands; what
// is no slip is not.
func TestDidYouMean(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	for args, says := range map[string]string{
		"rnu":                           `there is no command "rnu"; did you mean "run"?`,
		"serach words":                  `there is no command "serach"; did you mean "search"?`,
		"xyzzy":                         `there is no command "xyzzy"` + "\n",
		"run --sicne 7d":                `there is no flag --sicne; did you mean "--since"?`,
		"run nightly --warehose w":      `there is no flag --warehose; did you mean "--warehouse"?`,
		"run -fulll":                    `there is no flag --fulll; did you mean "--full"?`,
		"check --jsno":                  `there is no flag --jsno; did you mean "--json"?`,
		"schedule instal":               `did you mean "install"?`,
		"export parqet x":               `did you mean "parquet"?`,
		"export parquet x --parqet-kep": `there is no flag --parqet-kep; did you mean "--parquet-keep"?`,
		"run --xyzzy":                   "there is no flag --xyzzy\n",
		"run -x":                        "there is no flag -x\n",
		"run --warehouse":               "flag needs an argument: --warehouse\n",
		"export xml -w w":               `there is no export of "xml"; there is: pipeline export parquet,`,
		"schedule --json status":        "comes one of install, status, remove\n",
		"export conversations --format html --out -": "-o - writes all to standard output\n",
		"--versoin": `there is no flag --versoin; did you mean "--version"?`,
	} {
		if _, said := w.does(2, strings.Fields(args)...); !strings.Contains(said, says) {
			t.Errorf("pipeline %s says %q, want %q", args, said, says)
		}
	}
}

// TestFailureJSON: whatever fails under --json is one object of one shape on stdout, and is told on stderr all the
// same.
func TestFailureJSON(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.must(os.WriteFile(filepath.Join(w.dir, "bad.duckdb"),
		[]byte("no warehouse, though as long as the header of one: "+strings.Repeat("x", 20000)), 0o600))
	for _, c := range []struct {
		args, kind, says string
		code             int
	}{
		{"run --json --source /nonexistent", "source", "/nonexistent", 3},
		{"check --json --warehouse none.duckdb", "source", "there is no warehouse at", 3},
		{"sql --json --warehouse none.duckdb FROM", "source", "there is no warehouse at", 3},
		{"rnu --json", "usage", "did you mean", 2},
		{"run --json --sicne 7d", "usage", "--since", 2},
		{"run --json --since never", "usage", "never", 2},
		{"demo --json", "usage", "there is no flag --json", 2},
		{"check --json --warehouse bad.duckdb", "failed", "bad.duckdb", 1},
	} {
		out, said := w.runs(c.code, strings.Fields(c.args)...)
		var got struct {
			Error *struct {
				Kind, Message, Remedy *string
				ExitCode              int `json:"exit_code"`
			}
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil || got.Error == nil || got.Error.Message == nil ||
			got.Error.Remedy == nil || got.Error.Kind == nil {
			t.Errorf("pipeline %s prints %q: %v", c.args, out, err)
			continue
		}
		e := got.Error
		if e.ExitCode != c.code || *e.Kind != c.kind || !strings.Contains(*e.Message, c.says) ||
			!strings.Contains(said, *e.Message) || !strings.Contains(said, *e.Remedy) {
			t.Errorf("pipeline %s: %s; said: %s", c.args, out, said)
		}
		if strings.Count(said, *e.Message) != 1 {
			t.Errorf("pipeline %s says it more than once: %s", c.args, said)
		}
	}
}

// TestFailureBesideResult: where a result is printed there is no second object, though the exit code is not 0.
func TestFailureBesideResult(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(append(talk("c", "hello"), storetest.Row{Key: "composerData:bad", Value: "no JSON"}),
		storetest.StoreOptions{})
	out, said := w.run(4, "--json", "--strict")
	var result struct {
		LoadID int `json:"load_id"`
		Error  any `json:"error"`
	}
	if err := json.Unmarshal([]byte(out), &result); err != nil || result.LoadID != 1 || result.Error != nil ||
		!strings.Contains(said, "rows are quarantined") {
		t.Errorf("%v: %s %s", err, out, said)
	}
}

// A brokenWriter takes nothing.
type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// TestLostOutput: a result that does not arrive is a failure, said with its cause and what to do, unless its reader
// went away.
func TestLostOutput(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"schema doctor", "version", "completion bash", "discover --json", "man",
		"--help"} {
		args := append([]string{"pipeline"}, strings.Fields(command)...)
		var said strings.Builder
		if got := realMain(args, brokenWriter{&os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}},
			&said); command != "discover --json" && got != 1 {
			t.Errorf("%s to a full disk: exit code %d: %s", command, got, said.String())
		} else if got == 1 && !strings.Contains(said.String(), "make room") {
			t.Errorf("%s to a full disk says %q", command, said.String())
		}
	}
	if got := realMain([]string{"pipeline", "schema"}, brokenWriter{syscall.EPIPE}, io.Discard); got != 0 {
		t.Errorf("schema to a reader that has gone: exit code %d", got)
	}
}

// TestFailureOnWindows: the system's messages there end with a line break of their own, which is no part of what is
// said, and a remedy is known for the commonest.
func TestFailureOnWindows(t *testing.T) {
	t.Parallel()
	got := failureOf(t.Context(),
		errors.New("IO Error: Could not write file \"w.duckdb\": There is not enough space on the disk.\r\n\r\n"),
		"run")
	if want := "IO Error: Could not write file \"w.duckdb\": There is not enough space on the " +
		"disk."; got.Message != want || !strings.Contains(got.Remedy, "make room") {
		t.Errorf("%q, %q", got.Message, got.Remedy)
	}
}

// panicking is a writer that is an error of this program.
type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("a mistake") }

// TestPanic: a panic of a command is a failure in one line that says where it was, and no dump.
func TestPanic(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"version", "man"} {
		var said strings.Builder
		got := realMain([]string{"pipeline", command}, panicking{}, &said)
		if first, rest, _ := strings.Cut(said.String(), "\n"); got != exitFailed ||
			!strings.Contains(first, "an error in this program: a mistake, at cmd/pipeline.panicking.Write:") ||
			rest != "" {
			t.Errorf("%s: exit code %d: %s", command, got, said.String())
		}
	}
}
