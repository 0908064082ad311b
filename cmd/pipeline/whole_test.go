package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/load/reader"
	"pipeline/testdata/gen/storetest"
)

// cliTest runs the program over a user directory that a test makes.
type cliTest struct {
	t                    *testing.T
	dir, user, warehouse string
}

// long leaves a test that takes some seconds of CPU, a browser, Python or ptrace to make test-all: make test runs with
// -short.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it is long: make test-all runs it")
	}
}

func newCLITest(t *testing.T) *cliTest {
	dir := t.TempDir()
	return &cliTest{t, dir, filepath.Join(dir, "User"), filepath.Join(dir, "w.duckdb")}
}

// global is the global store.
func (w *cliTest) global() string { return filepath.Join(w.user, "globalStorage", "state.vscdb") }

// store makes the global store anew.
func (w *cliTest) store(rows []storetest.Row, o storetest.StoreOptions) {
	w.t.Helper()
	w.must(storetest.WriteStore(w.global(), rows, o))
}

func (w *cliTest) must(err error) {
	w.t.Helper()
	must(w.t, err)
}

// run loads the user directory under the name test, in a process of its own. It must end with an exit code; what it
// prints and says comes back.
func (w *cliTest) run(code int, args ...string) (printed, said string) {
	w.t.Helper()
	return w.runs(code, append([]string{"run", "--source", "test=" + w.user, "--warehouse", w.warehouse}, args...)...)
}

// runs is run with any arguments.
func (w *cliTest) runs(code int, args ...string) (printed, said string) {
	w.t.Helper()
	var out, errs strings.Builder
	cmd := exec.Command("pipeline", args...) // TestMain put it into the PATH
	cmd.Dir, cmd.Stdout, cmd.Stderr = w.dir, &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		w.t.Errorf("%.200q: exit code %d, want %d\n%s", args, got, code, errs.String())
	}
	return out.String(), errs.String()
}

// does is runs in this process, which is sooner done.
func (w *cliTest) does(code int, args ...string) (printed, said string) {
	w.t.Helper()
	var out, errs strings.Builder
	if got := realMain(append([]string{"pipeline"}, args...), &out, &errs); got != code {
		w.t.Errorf("%.200q: exit code %d, want %d\n%s", args, got, code, errs.String())
	}
	return out.String(), errs.String()
}

// amiss is what was said beside the phases.
func amiss(said string) string {
	phases := slices.Collect(maps.Values(phaseWords))
	lines := slices.DeleteFunc(strings.SplitAfter(said, "\n"),
		func(line string) bool { return slices.Contains(phases, strings.TrimSuffix(line, "\n")) })
	return strings.Join(lines, "")
}

// ask asks the warehouse; the rows come as text.
func (w *cliTest) ask(query string) (rows [][]string) {
	w.t.Helper()
	answer, err := reader.Query(w.t.Context(), w.warehouse, query)
	w.must(err)
	for _, cells := range answer.Rows {
		var row []string
		for _, cell := range cells {
			row = append(row, reader.Text(cell))
		}
		rows = append(rows, row)
	}
	return rows
}

func (w *cliTest) same(what string, want, got any) {
	w.t.Helper()
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(held{})); diff != "" {
		w.t.Errorf("%s differs (-want +got):\n%.2000s", what, diff)
	}
}

// exec changes the global store as SQLite's own program would.
func (w *cliTest) exec(statements ...string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", "file:"+w.global())
	w.must(err)
	db.SetMaxOpenConns(1)
	for _, s := range append([]string{"PRAGMA synchronous = OFF"}, statements...) {
		_, err := db.Exec(s)
		w.must(err)
	}
	w.must(db.Close())
}

// sound: verify and check find nothing.
func (w *cliTest) sound() {
	w.t.Helper()
	w.does(0, "check", "--deep", "--warehouse", w.warehouse)
	w.does(0, "check", "--warehouse", w.warehouse)
}

// talk is a conversation with these messages, as rows.
func talk(id string, texts ...string) []storetest.Row {
	var headers []string
	var rows []storetest.Row
	for i, text := range texts {
		message := id + "-" + string(rune('a'+i))
		headers = append(headers, `{"bubbleId":"`+message+`"}`)
		value, _ := json.Marshal(map[string]any{"type": 1 + i%2, "text": text}) // strings and numbers always encode
		rows = append(rows, storetest.Row{Key: "bubbleId:" + id + ":" + message, Value: string(value)})
	}
	head := `{"_v":13,"composerId":"` + id + `","name":"` + id +
		`","createdAt":1760000000000,"fullConversationHeadersOnly":[` + strings.Join(headers, ",") + `]}`
	return append([]storetest.Row{{Key: "composerData:" + id, Value: head}}, rows...)
}

// must ends a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// program is the program with some arguments.
func program(args ...string) *exec.Cmd { return exec.Command("pipeline", args...) } // TestMain put it into the PATH

// output runs a command and returns its exit code, -1 if it was killed, and what it printed.
func output(t *testing.T, cmd *exec.Cmd) (code int, text string) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// succeeds runs a command that must go well.
func succeeds(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if code, out := output(t, cmd); code != 0 {
		t.Fatalf("%q: exit code %d\n%s", cmd.Args, code, out)
	}
}
