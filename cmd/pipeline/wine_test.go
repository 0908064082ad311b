package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestUnderWine builds the program and the tests that only Windows can run, and goes through a whole session under
// Wine: a first load, a second one, what reads the warehouse, and what people meet there: a store and a warehouse that
// other programs hold.
func TestUnderWine(t *testing.T) {
	onlyEndurance(t)
	w := newWine(t)
	w.build("-o", w.program, "./cmd/pipeline")
	t.Run("session", w.session)
	t.Run("held store", w.heldStore)
	t.Run("held warehouse", w.heldWarehouse)
	t.Run("hooks", w.hooks)
	t.Run("serve", w.serves)
	for folder, tests := range map[string]string{
		"load/tool/atomicfile": ".", "load/tool/scratch": "TestRemoveHeld", "load/engine": "TestHeldWarehouse",
		"load/warehouse":                 "TestForeignLog|TestRefused",
		"cmd/pipeline/internal/schedule": "TestHideConsole",
		"extract":                        "TestHeldOnWindows|TestHeldStore|TestOpenShared|TestListFolder",
	} {
		t.Run(folder, func(t *testing.T) {
			program := filepath.Join(w.dir, filepath.Base(folder)+".test.exe")
			w.build("-o", program, "-c", "./"+folder)
			if out, code := w.run(t, "", "wine", program, "-test.v", "-test.run", tests); code != 0 ||
				!strings.Contains(out, "--- PASS") {
				t.Errorf("exit code %d\n%s", code, out)
			}
		})
	}
}

// A wine is a home where programs for Windows run.
type wine struct {
	*docHome
	t       *testing.T
	script  string // which runs a command where Wine is
	program string
}

func newWine(t *testing.T) *wine {
	t.Helper()
	script, err := filepath.Abs(filepath.Join("..", "..", ".ci", "wine"))
	if err != nil {
		t.Fatal(err)
	}
	w := &wine{docHome: newDocHome(t), t: t, script: script}
	w.program = filepath.Join(w.dir, "pipeline.exe")
	w.env = append(w.env, "WINEDEBUG=-all", "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=1",
		"CC=x86_64-w64-mingw32ucrt-gcc", "CXX=x86_64-w64-mingw32ucrt-g++", "GOFLAGS=-buildvcs=false",
		"PIPELINE_LOG=none")
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} { // the home is another one
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		w.env = append(w.env, name+"="+strings.TrimSpace(string(out)))
	}
	if out, code := w.run(t, "", "wine", "wineboot", "--init"); code == 77 {
		t.Skip(out)
	} else if code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	t.Cleanup(func() { w.run(t, "", "wineserver", "--kill") })
	return w
}

// command is a call where Wine is, in the home's folder.
func (w *wine) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, w.script, append([]string{name}, args...)...)
	cmd.Dir, cmd.Env = w.dir, w.env
	return cmd
}

// run returns what a command prints to both outputs, and its exit code.
func (w *wine) run(t *testing.T, stdin, name string, args ...string) (string, int) {
	t.Helper()
	cmd := w.command(context.WithoutCancel(t.Context()), name, args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(out), "\r", ""), cmd.ProcessState.ExitCode()
}

// build has the compiler make something of the clone: a program with -o, a package's tests with -c.
func (w *wine) build(args ...string) {
	w.t.Helper()
	how := "build"
	if len(args) > 2 && args[2] == "-c" {
		how = "test"
	}
	cmd := w.command(w.t.Context(), "go",
		append([]string{how, "-trimpath", "-ldflags",
			"-s -w -X main.version=" + distVersion + " '-extldflags=-static'"}, args...)...)
	cmd.Dir = filepath.Dir(filepath.Dir(w.script))
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("%v\n%s", err, out)
	}
}

// pipeline calls the program, which must end with a code, and returns what it prints.
func (w *wine) pipeline(t *testing.T, code int, args ...string) string {
	t.Helper()
	out, got := w.run(t, "", "wine", append([]string{w.program}, args...)...)
	if got != code {
		t.Errorf("pipeline %s ended with %d, want %d\n%s", strings.Join(args, " "), got, code, out)
	}
	return out
}

// session loads a year twice, and calls what reads it. The answers are those of this system.
func (w *wine) session(t *testing.T) {
	if got := w.pipeline(t, 0, "version"); !strings.Contains(got, distVersion) ||
		!strings.Contains(got, "windows/amd64") {
		t.Errorf("it says that it is %s", got)
	}
	w.pipeline(t, 0, "demo", "--out", "demo")
	load := []string{"run", "--source", "demo", "--usage", "demo/usage", "--warehouse", "demo.duckdb"}
	for i, want := range []string{"166 new", "166 unchanged"} {
		if got := w.pipeline(t, 0, load...); !strings.Contains(got, want) {
			t.Errorf("run %d:\n%s", i+1, got)
		}
	}
	own := newDocHome(t)
	own.sh(t, "pipeline demo --out demo && pipeline run --source demo --usage demo/usage --warehouse demo.duckdb")
	for _, query := range []string{
		"SELECT count(*), count(DISTINCT conversation_id), sum(length(text)), max(created_at)::VARCHAR FROM " +
			"live_messages",
		"SELECT tool, count(*), count(*) FILTER (status = 'error') FROM live_tool_calls GROUP BY ALL ORDER BY ALL",
		"FROM answers.tool_failures_short", "FROM answers.billed_by_model_short",
	} {
		args := []string{"sql", "--warehouse", "demo.duckdb", "--timezone", "UTC", "--format", "csv", query}
		want := own.run(t, "", "pipeline", args...)
		if diff := cmp.Diff(want, withoutWine(w.pipeline(t, 0, args...))); diff != "" {
			t.Errorf("%s (-here +Windows):\n%s", query, diff)
		}
	}
	if err := os.Mkdir(filepath.Join(w.dir, "shared"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"answers"}, {"status"}, {"check", "--deep"}, {"report", "-o", "report.html"}, {"report", "-o", "report.html"},
		{"show", "--last"}, {"search", "migration"}, {"search", "migration"}, {"export", "csv", "csv"},
		{"export", "csv", "csv"}, {"export", "parquet", "parquet"},
		{"export", "conversations", "--format", "markdown", "--out", "chats"}, {"push", "--to", "shared"},
		{"push", "--to", "shared"}, {"run", "--full", "--source", "demo"}, {"rebuild"}, {"prune", "--apply"},
		{"doctor", "--source", "demo"}, {"check", "--deep"},
	} {
		w.pipeline(t, 0, append(args, "--warehouse", "demo.duckdb")...)
	}
	for _, want := range []string{"current.json", "was there already"} {
		if got := w.pipeline(t, 0, "export", "csv", "csv", "--warehouse", "demo.duckdb"); !strings.Contains(got, want) {
			t.Errorf("a publication, want %q:\n%s", want, got)
		}
	}
	w.pipeline(t, 0, "schedule", "install", "--dry-run")
	w.pipeline(t, 2, "schedule", "exec", "--log", "task.log", "--", "status", "--of-nothing") // as a task does
	if text, err := os.ReadFile(filepath.Join(w.dir, "task.log")); !strings.Contains(string(text), "of-nothing") {
		t.Errorf("%v: a task's log has %q", err, text)
	}
	if left, _ := filepath.Glob(filepath.Join(w.dir, "demo.duckdb.new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// withoutWine takes out what Wine itself prints; now and then a thread that is the same in every call fails, and the
// call ends as it should.
func withoutWine(out string) string {
	return regexp.MustCompile(
		`(?m)^(error: XDG_RUNTIME_DIR|it looks like wine32|multiarch needs|execute "dpkg|apt-get install wine32|wine: .*\(thread 00c8\)).*\n`).
		ReplaceAllString(out, "")
}

// holder is a program that opens a file without sharing it, until its input ends.
const holder = `#include <stdio.h>
#include <windows.h>
int main(int count, char **names) {
  HANDLE file = CreateFileA(names[1], GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
  puts(file == INVALID_HANDLE_VALUE ? "not held" : "held");
  fflush(stdout);
  getchar();
  return 0;
}
`

// hold has another program open a file until the result is called.
func (w *wine) hold(t *testing.T, file string) (release func()) {
	t.Helper()
	program := filepath.Join(w.dir, "hold.exe")
	if err := os.WriteFile(program+".c", []byte(holder), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := w.run(t, "", "x86_64-w64-mingw32ucrt-gcc", "-o", program, program+".c"); code != 0 {
		t.Fatal(out)
	}
	cmd := w.command(t.Context(), "wine", program, file)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said, err := bufio.NewReader(out).ReadString('\n')
	if strings.TrimSpace(said) != "held" {
		t.Fatal(said, err)
	}
	return func() {
		if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
			t.Error(err)
		}
	}
}

// heldStore: a store that a backup holds is busy. The others are loaded, and so is this one, later.
func (w *wine) heldStore(t *testing.T) {
	load := []string{"run", "--source", "demo", "--warehouse", "held.duckdb"}
	release := w.hold(t, filepath.Join("demo", "User", "globalStorage", "state.vscdb"))
	for range 2 { // the second run has a warehouse
		if got := w.pipeline(t, 75, load...); !strings.Contains(got, "has locked it") ||
			strings.Contains(got, "the disk") {
			t.Errorf("it says:\n%s", got)
		}
	}
	release()
	if got := w.pipeline(t, 0, load...); !strings.Contains(got, "159 new") {
		t.Errorf("afterwards:\n%s", got)
	}
}

// heldWarehouse: a warehouse that another program has open is in use, for those who read it and for those who write it.
func (w *wine) heldWarehouse(t *testing.T) {
	release := w.hold(t, "demo.duckdb")
	w.pipeline(t, 75, "run", "--source", "demo", "--warehouse", "demo.duckdb")
	w.pipeline(t, 75, "sql", "--warehouse", "demo.duckdb", "SELECT 1")
	w.pipeline(t, 75, "rebuild", "--warehouse", "demo.duckdb")
	release()
	w.pipeline(t, 0, "run", "--full", "--source", "demo", "--warehouse", "demo.duckdb")
}

// hooks: what Cursor calls is written once, and writes down what it is told, as PowerShell gives it.
func (w *wine) hooks(t *testing.T) {
	w.pipeline(t, 0, "hook", "install")
	if got := w.pipeline(t, 0, "hook", "install"); !strings.Contains(got, "is there already") {
		t.Errorf("the second time:\n%s", got)
	}
	payload := "\xef\xbb\xbf" +
		`{"conversation_id":"c1","generation_id":"g1","model":"gpt","hook_event_name":"stop","status":"completed","input_tokens":12,"output_tokens":3}`
	if out, code := w.run(t, payload, "wine", w.program, "hook", "log", "hooks"); code != 0 {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if text, err := os.ReadFile(filepath.Join(w.dir, "hooks", "turns.jsonl")); err != nil ||
		bytes.Count(text, []byte("\n")) != 1 || !bytes.Contains(text, []byte(`"g1"`)) {
		t.Errorf("%v: %s", err, text)
	}
	w.pipeline(t, 0, "hook", "remove")
}

// serves: it makes up for the run that was missed, and its pages are there.
func (w *wine) serves(t *testing.T) {
	const text = "sources: [demo]\nwarehouse: demo.duckdb\nschedule:\n  cron: \"0 0 1 1 *\"\n"
	if err := os.WriteFile(filepath.Join(w.dir, "yearly.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const address = "127.0.0.1:18787"
	ctx, cancel := context.WithCancel(t.Context())
	cmd := w.command(ctx, "wine", w.program, "serve", "./yearly.yaml", "--listen", address)
	cmd.WaitDelay = 10 * time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Log(said.String())
		}
	}()
	for _, page := range []string{"healthz", "readyz", "", "report", "metrics", "api/pipelines", "api/runs?n=2"} {
		code, err := 0, error(nil)
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
			var answer *http.Response
			if answer, err = http.Get("http://" + address + "/" + page); err == nil {
				_, err = io.Copy(io.Discard, answer.Body)
				code = answer.StatusCode
				_ = answer.Body.Close()
				if code == http.StatusOK { // while the run that was missed goes on, some say that they are not ready
					break
				}
			}
		}
		if code != http.StatusOK || err != nil {
			t.Errorf("/%s: %d, %v", page, code, err)
		}
	}
}
