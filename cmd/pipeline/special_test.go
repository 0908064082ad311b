//go:build unix

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pipeline/testdata/gen/storetest"
)

// A special is something that is no regular file. Each is made at a path of its own.
type special struct {
	name string
	make func(path string) error
}

// specials are those that anybody can make. What makes a device asks for more rights: a link leads to one.
func specials(t *testing.T) []special {
	return []special{
		{"a named pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }},
		{"a socket", func(path string) error {
			short, err := os.MkdirTemp("/tmp", "s") // the path of a socket is short
			if err != nil {
				return err
			}
			t.Cleanup(func() { _ = os.RemoveAll(short) })
			l, err := net.Listen("unix", filepath.Join(short, "s"))
			if err != nil {
				return err
			}
			t.Cleanup(func() { _ = l.Close() })
			return os.Symlink(filepath.Join(short, "s"), path)
		}},
		{"a device", func(path string) error { return os.Symlink("/dev/zero", path) }},
		{"a folder", func(path string) error { return os.Mkdir(path, 0o700) }},
	}
}

// asked are all the commands that take a warehouse, with what they need besides. The test counts them.
func asked(user string) [][]string {
	return [][]string{{"run", "--source", user, "--log", "none"},
		{"run", "--source", user, "--log", "none", "--dry-run"}, {"doctor", "--source", user}, {"status"},
		{"sql", "SELECT 1"}, {"answers", "tool_usage"}, {"report", "-o", "-"}, {"search", "word"}, {"show", "--last"},
		{"check"}, {"check", "--deep"}, {"history", "c"}, {"rebuild"}, {"prune", "--apply"},
		{"export", "parquet", "published"}, {"export", "conversations", "--format", "markdown"}, {"schedule", "status"}}
}

// TestSpecialFiles: whatever lies where a warehouse, or a file beside it, belongs, each command refuses it at once, as
// a mistake of who named it. One that hangs runs into the tests' time limit.
func TestSpecialFiles(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	for i, s := range specials(t) {
		for _, end := range []string{"", ".wal", ".lock", ".runs", ".runs.1", ".search", ".search.lock", ".raw"} {
			if end == ".raw" && s.name == "a folder" {
				continue
			}
			dest := filepath.Join(w.dir, fmt.Sprint(i, end), "w.duckdb")
			w.must(errors.Join(os.Mkdir(filepath.Dir(dest), 0o700), s.make(dest+end)))
			for _, command := range asked(w.user) {
				refuses(t, s.name, dest+end, append(command, "--warehouse", dest)...)
			}
		}
	}
}

// refuses runs a command that must end with the exit code of usage, and name the path. A link is called one where none
// is followed.
func refuses(t *testing.T, kind, path string, args ...string) {
	t.Helper()
	w := cliTest{t: t}
	_, said := w.does(exitUsage, args...)
	if !strings.Contains(said, path+" is "+kind) && !strings.Contains(said, path+" is a link") {
		t.Errorf("%v: %s", args, said)
	}
}

// TestSpecialOutputs: so is what lies where a result, a publication or a log is to go.
func TestSpecialOutputs(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	w.run(0)
	run := []string{"run", "--quiet", "--source", "test=" + w.user, "--warehouse", w.warehouse}
	read := []string{"--warehouse", w.warehouse}
	for i, s := range specials(t) {
		at := func(name string) string { return filepath.Join(w.dir, fmt.Sprint(i, name)) }
		w.must(s.make(at("out")))
		w.must(os.Mkdir(at("published"), 0o700))
		w.must(s.make(filepath.Join(at("published"), ".pipeline-lock")))
		for _, args := range [][]string{append(run, "--report", at("out")), append(run, "--log", at("out")),
			append([]string{"report", "-o", at("out")}, read...),
			append([]string{"sql", "-o", at("out"), "SELECT 1"}, read...),
			append([]string{"answers", "tool_usage", "-o", at("out")}, read...),
			append([]string{"export", "conversations", "--format", "jsonl", "-o", at("out")}, read...)} {
			refuses(t, s.name, at("out"), args...)
		}
		lock := filepath.Join(at("published"), ".pipeline-lock")
		for _, args := range [][]string{append(run, "--parquet", at("published")),
			append([]string{"export", "parquet", at("published")}, read...),
			append([]string{"check", "--deep", "--parquet", at("published")}, read...)} {
			refuses(t, s.name, lock, args...)
		}
		if s.name == "a folder" {
			continue
		}
		for _, args := range [][]string{append(run, "--parquet", at("out")),
			append([]string{"export", "parquet", at("out")}, read...),
			append([]string{"export", "conversations", "--format", "jsonl", "--out", at("out")}, read...),
			{"demo", "--out", at("out")}} {
			refuses(t, s.name, at("out"), args...)
		}
	}
	w.same("the messages", "a:hello", w.living())
}

// TestStreams: a result, a report and a log go to streams as they come: nowhere, to standard output, and to what a
// shell has opened.
func TestStreams(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	shell := func(line string) string {
		t.Helper()
		cmd := exec.Command("sh", "-c", line)
		cmd.Env = append(os.Environ(), "U="+w.user, "W="+w.warehouse)
		text, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
		return string(text)
	}
	if got := shell(
		`pipeline run --quiet --source test=$U --warehouse $W --log /dev/stdout --report /dev/null | cat`); !strings.Contains(got, `"msg":"run ended"`) {
		t.Errorf("the log: %s", got)
	}
	for _, line := range []string{
		`pipeline sql --warehouse $W --format csv -o /dev/stdout "SELECT text FROM live_messages" | cat`,
		`pipeline sql --warehouse $W --format csv -o /dev/fd/7 "SELECT text FROM live_messages" 7>&1 >/dev/null | cat`,
	} {
		w.same(line, "text\nhello\n", shell(line))
	}
	if !testing.Short() { // of make test only the run draws one
		w.same("the report", "<!doctype html>", shell(`pipeline report --warehouse $W -o /dev/stdout | head -c 15`))
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%s is no device any more: %v", os.DevNull, err)
	}
}

// TestThroughLinks: no file beside a warehouse is written through a link: what it leads to is somebody's.
func TestThroughLinks(t *testing.T) {
	t.Parallel()
	for _, end := range []string{".runs", ".lock", ".wal", ".search.lock"} {
		w := newCLITest(t)
		w.store(talk("a", "hello"), storetest.StoreOptions{})
		victim := filepath.Join(w.dir, "victim")
		w.must(os.WriteFile(victim, []byte("my notes\n"), 0o600))
		w.must(os.Symlink(victim, w.warehouse+end))
		refuses(t, "a link", w.warehouse+end, "run", "--source", "test="+w.user, "--warehouse", w.warehouse)
		text, err := os.ReadFile(victim)
		w.must(err)
		w.same("the file", "my notes\n", string(text))
	}
}

// TestNamesOfSchemas: a warehouse that is called as one of its schemas is refused at once, as nobody could ask it;
// other odd names work.
func TestNamesOfSchemas(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	ask := func(want int, says, name string, args ...string) {
		args = append([]string{args[0], "--warehouse", filepath.Join(w.dir, name)}, args[1:]...)
		if _, said := w.does(want, args...); !strings.Contains(said, says) {
			t.Errorf("%s: %v: %s", name, args, said)
		}
	}
	for _, name := range []string{"answers.duckdb", "Report.db", "internal", ".answers.x.duckdb"} {
		ask(exitUsage, "cannot be called "+name, name, "run", "--source", "test="+w.user)
		ask(exitUsage, "cannot be called "+name, name, "answers")
	}
	allowed := []string{"select.duckdb", "main.duckdb", "temp.duckdb", "a b'c\".duckdb", "live_messages.duckdb",
		"conversations"}
	if testing.Short() {
		allowed = allowed[:1]
	}
	for _, name := range allowed {
		for _, args := range [][]string{{"run", "--source", "test=" + w.user},
			{"run", "--full", "--source", "test=" + w.user}, {"rebuild"}, {"check", "--deep"},
			{"answers", "tool_usage"}, {"sql", "FROM answers.tool_usage"}} {
			ask(0, "", name, args...)
		}
	}
}

// TestEndsWhenTold: a command that waits for what never comes ends when it is told to: for input, for a reader of its
// output, for a pager.
func TestEndsWhenTold(t *testing.T) {
	long(t)
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	w.run(0)
	long := "SELECT repeat('x', 1000) FROM range(100000)"
	for _, args := range [][]string{
		// reads its query
		{"sql", "--warehouse", w.warehouse},
		// is not read
		{"sql", "--warehouse", w.warehouse, "--format", "csv", long},
		// the engine is busy
		{"sql", "--warehouse", w.warehouse, "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b"},
		{"report", "--warehouse", w.warehouse, "-o", "/dev/fd/3"},
	} {
		t.Run(args[len(args)-1], func(t *testing.T) {
			t.Parallel()
			ends(t, args...)
		})
	}
}

// ends starts a command whose standard input never comes and whose outputs nobody reads, tells it to stop, and waits
// for it.
func ends(t *testing.T, args ...string) {
	t.Helper()
	inRead, inWrite, err1 := os.Pipe()
	outRead, outWrite, err2 := os.Pipe()
	must(t, errors.Join(err1, err2))
	for _, f := range []*os.File{inRead, inWrite, outRead, outWrite} {
		t.Cleanup(func() { _ = f.Close() })
	}
	fill(t, outWrite)
	cmd := exec.Command("pipeline", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = inRead, outWrite, outWrite, []*os.File{outWrite}
	must(t, cmd.Start())
	time.Sleep(500 * time.Millisecond) // it waits by now, or is told sooner
	sent := time.Now()
	must(t, cmd.Process.Signal(syscall.SIGTERM))
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		t.Fatal("it does not end")
	}
	t.Logf("exit code %d after %v", cmd.ProcessState.ExitCode(), time.Since(sent).Round(time.Millisecond))
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted &&
		cmd.ProcessState.String() != "signal: terminated" {
		// it may not have come to main yet
		t.Errorf("%v", cmd.ProcessState)
	}
}

// fill has a pipe take no more.
func fill(t *testing.T, pipe *os.File) {
	t.Helper()
	must(t, pipe.SetWriteDeadline(time.Now().Add(100*time.Millisecond)))
	if _, err := pipe.Write(make([]byte, 1<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("the pipe is not full: %v", err)
	}
}
