package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// TestUnderWine makes the archive for Windows and the tests that only Windows can run, and goes through a whole session
// of the program in it under Wine: a first load, a second one, what reads the warehouse, and what people meet there: a
// store and a warehouse that other programs hold. go test -v prints each call, what it says, and its exit code.
func TestUnderWine(t *testing.T) {
	onlyEndurance(t)
	w := newWine(t)
	t.Run("session", w.session)
	t.Run("large store", w.largeStore)
	t.Run("held store", w.heldStore)
	t.Run("held warehouse", w.heldWarehouse)
	t.Run("hooks", w.hooks)
	t.Run("serve", w.serves)
	t.Run("open", w.opens)
	for folder, tests := range map[string]string{
		"load/tool/atomicfile": ".", "load/tool/scratch": "TestRemoveHeld", "load/engine": "TestHeldWarehouse",
		"load/warehouse":                 "TestForeignLog|TestRefused",
		"cmd/pipeline/internal/schedule": "TestHideConsole",
		"extract":                        "TestHeldOnWindows|TestHeldStore|TestOpenShared|TestListFolder",
	} {
		t.Run(folder, func(t *testing.T) {
			program := filepath.Join(w.dir, filepath.Base(folder)+".test.exe")
			w.build(t, program, "./"+folder)
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
	script  string // which runs a command where Wine is
	program string
}

func newWine(t *testing.T) *wine {
	t.Helper()
	if strings.HasPrefix(os.TempDir(), "/dev/") { // what lies there Wine does not list
		t.Setenv("TMPDIR", "/var/tmp")
	}
	script, err := filepath.Abs(filepath.Join("..", "..", ".ci", "wine"))
	must(t, err)
	w := &wine{docHome: newDocHome(t), script: script}
	w.env = append(w.env, "WINEDEBUG=-all", "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=1",
		"CC=x86_64-w64-mingw32ucrt-gcc", "CXX=x86_64-w64-mingw32ucrt-g++", "GOFLAGS=-buildvcs=false",
		"PIPELINE_LOG=none", "PIPELINE_WAREHOUSE=demo.duckdb", "PIPELINE_TIMEZONE=UTC")
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} { // the home is another one
		out, err := exec.Command("go", "env", name).Output()
		must(t, err)
		w.env = append(w.env, name+"="+strings.TrimSpace(string(out)))
	}
	if out, code := w.run(t, "", "wine", "wineboot", "--init"); code == 77 {
		t.Skip(out)
	} else if code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	t.Cleanup(func() { w.run(t, "", "wineserver", "--kill") })
	w.program = unpacked(t, makeDist(t, filepath.Join("..", ".."), "windows/amd64", script))
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
	return withoutWine(string(out)), cmd.ProcessState.ExitCode()
}

// build has the compiler make a program of a package's tests.
func (w *wine) build(t *testing.T, program, folder string) {
	t.Helper()
	cmd := w.command(t.Context(), "go", "test", "-trimpath", "-ldflags", "-s -w '-extldflags=-static'",
		"-o", program, "-c", folder)
	cmd.Dir = filepath.Dir(filepath.Dir(w.script))
	succeeds(t, cmd)
}

// withoutWine takes out the line ends of Windows, and what Wine itself prints; now and then a thread that is the same
// in every call fails, and the call ends as it should.
func withoutWine(out string) string {
	return regexp.MustCompile(
		`(?m)^(error: XDG_RUNTIME_DIR|it looks like wine32|multiarch needs|execute "dpkg|apt-get install wine32|wine: .*\(thread 00c8\)).*\n`).
		ReplaceAllString(strings.ReplaceAll(out, "\r", ""), "")
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
	must(t, os.WriteFile(program+".c", []byte(holder), 0o600))
	if out, code := w.run(t, "", "x86_64-w64-mingw32ucrt-gcc", "-o", program, program+".c"); code != 0 {
		t.Fatal(out)
	}
	cmd := w.command(t.Context(), "wine", program, file)
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
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

// largeStore: a first load of more rows than load/warehouse's fewSynced. Elsewhere its file is synced beside the
// engine, which on Windows shares it with nobody.
func (w *wine) largeStore(t *testing.T) {
	options := storetest.Options{Seed: 8, Messages: 10_000, NoCases: true}
	must(t, storetest.New(options).Write(filepath.Join(w.dir, "large")))
	w.calls(t, []call{{"run --source large --warehouse large.duckdb", 0, "First load: the warehouse was made."}})
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
