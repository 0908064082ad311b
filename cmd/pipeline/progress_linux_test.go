package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"pipeline/testdata/gen/storetest"
)

// A pty is a terminal that a test looks at.
type pty struct {
	t       *testing.T
	program *os.File      // the end that a program has
	read    chan struct{} // closed when all is read

	mu   sync.Mutex
	sent []byte // all that the program has sent
}

func newPTY(t *testing.T, columns uint16) *pty {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Skipf("there is no terminal to be had: %v", err)
	}
	raw, err := ours.SyscallConn()
	must(t, err)
	n := 0
	if other := raw.Control(func(fd uintptr) {
		if n, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN); err == nil {
			err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0)
		}
		if err == nil {
			err = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: columns})
		}
	}); other != nil {
		t.Fatal(other)
	}
	p := &pty{t: t, read: make(chan struct{})}
	if err == nil {
		p.program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	must(t, err)
	go func() {
		defer close(p.read)
		part := make([]byte, 4096)
		for {
			n, err := ours.Read(part)
			p.mu.Lock()
			p.sent = append(p.sent, part[:n]...)
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { _, _ = p.program.Close(), ours.Close() })
	return p
}

func (p *pty) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.sent)
}

// await waits until what the program has sent from a place on matches, and returns the place behind it.
func (p *pty) await(from int, pattern string) int {
	p.t.Helper()
	want := regexp.MustCompile(pattern)
	for until := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		text := p.text()
		if at := want.FindStringIndex(text[from:]); at != nil {
			return from + at[1]
		}
		if time.Now().After(until) {
			p.t.Fatalf("%q is not shown; shown was: %q", pattern, text[from:])
		}
	}
}

// phaseGate stops a program in the first phase that it comes to, until open is called.
func phaseGate(t *testing.T) (variable string, open func()) {
	t.Helper()
	gate := filepath.Join(t.TempDir(), "gate")
	must(t, syscall.Mkfifo(gate, 0o600))
	return "PIPELINE_PHASE_FILE=" + gate, func() {
		f, err := os.OpenFile(gate, os.O_RDONLY|syscall.O_NONBLOCK, 0) // from now on whoever writes to it need not wait
		must(t, err)
		t.Cleanup(func() { _ = f.Close() })
	}
}

// TestProgressTerminal: on a terminal every phase of a run is shown while it lasts, with a line that moves and is gone
// in the end.
func TestProgressTerminal(t *testing.T) {
	long(t)
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("c", "search me", "found"), storetest.StoreOptions{})
	w.run(0, "--quiet")
	w.does(0, "search", "--warehouse", w.warehouse, "found") // from now on a run has an index to keep
	w.exec(`INSERT INTO cursorDiskKV SELECT replace(key, ':c', ':d'), replace(value, '"c', '"d') FROM cursorDiskKV`)
	p, dir := newPTY(t, 100), t.TempDir()
	variable, open := phaseGate(t)
	cmd := exec.Command("pipeline", "run", "--source", "test="+w.user, "--warehouse", w.warehouse, "--parquet",
		filepath.Join(dir, "pq"), "--report", filepath.Join(dir, "r.html"))
	var out strings.Builder
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), variable, "TERM=xterm"), &out, p.program
	w.must(cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	at := 0
	for range 3 { // it moves
		at = p.await(at, `\r[-|/\\] opening the warehouse  \d+s *`)
	}
	open()
	for _, phase := range []string{"reading conversations", "writing", "checking", "committing",
		"updating the search index", "publishing Parquet", "writing the report"} {
		at = p.await(at, `\r[-|/\\] `+phase+`  \d+s *`)
	}
	w.must(cmd.Wait())
	p.await(at, `\r *\r$`) // what was written last is read
	if text := p.text(); strings.ContainsAny(text, "\n\x1b") ||
		strings.Trim(text[strings.LastIndex(text[:len(text)-1], "\r"):], " \r") != "" {
		t.Errorf("the line does not stay one, or it stays: %q", text[max(0, len(text)-300):])
	}
	if !strings.Contains(out.String(), "1 new") {
		t.Errorf("the run printed %s", out.String())
	}
}

// TestProgressElsewhere: where no terminal is, each phase is a line; --quiet and --json have none.
func TestProgressElsewhere(t *testing.T) {
	t.Parallel()
	long(t)
	w := newCLITest(t)
	w.store(talk("c", "hello", "there"), storetest.StoreOptions{})
	phases := "opening the warehouse\nreading conversations\nwriting\nchecking\ncommitting\n" +
		"publishing Parquet\nwriting the report\n"
	places := []string{"--parquet", filepath.Join(w.dir, "pq"), "--report", filepath.Join(w.dir, "r.html")}
	_, said := w.run(0, places...)
	w.same("a first run says", phases, said)
	_, said = w.run(0, "--full", "--json")
	w.same("--json says", "", said)
	_, said = w.run(0, "--full", "--quiet")
	w.same("--quiet says", "", said)
	for _, c := range []struct{ args, says string }{
		{"rebuild", "rebuilding loads\n"}, {"prune --apply", "merging raw files\nrewriting the warehouse\n"},
		{"export parquet " + filepath.Join(w.dir, "pq2"), "publishing Parquet\n" + keepsSecrets + "\n"}, {"check", ""},
		{"check --deep --source test=" + w.user, ""}, {"export conversations --format jsonl", ""},
		{"report --output " + filepath.Join(w.dir, "r2.html"), ""}, {"search hello", ""},
	} {
		_, said := w.does(0, append(strings.Fields(c.args), "--warehouse", w.warehouse)...)
		w.same(c.args+" says", c.says, said)
	}
}

// TestProgressDumb: a terminal that is none, or that says it can do nothing, gets lines.
func TestProgressDumb(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("c", "hello"), storetest.StoreOptions{})
	p := newPTY(t, 80)
	cmd := exec.Command("pipeline", "run", "--source", "test="+w.user, "--warehouse", w.warehouse)
	cmd.Env, cmd.Stderr = append(os.Environ(), "TERM=dumb"), p.program
	w.must(cmd.Run())
	p.await(0, `^opening the warehouse\r\nreading conversations\r\nwriting\r\nchecking\r\ncommitting\r\n$`)
}

// TestSeconds: what a run says that it took is what its log says, with Parquet: the report begins after that.
func TestSeconds(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("c", "hello"), storetest.StoreOptions{})
	log := filepath.Join(w.dir, "log")
	out, _ := w.run(0, "--json", "--log", log, "--parquet", filepath.Join(w.dir, "pq"), "--report",
		filepath.Join(w.dir, "r.html"))
	var result struct{ Seconds float64 }
	w.must(json.Unmarshal([]byte(out), &result))
	lines, err := os.ReadFile(log)
	w.must(err)
	var began, report time.Time
	for line := range strings.Lines(string(lines)) {
		var entry struct {
			Time       time.Time
			Msg, Phase string
		}
		w.must(json.Unmarshal([]byte(line), &entry))
		switch {
		case entry.Msg == "run begins":
			began = entry.Time
		case entry.Phase == "report":
			report = entry.Time
		}
	}
	if least := report.Sub(began).Seconds(); report.IsZero() || result.Seconds < least {
		t.Errorf("the run says that it took %.3f s; until its report began it took %.3f s", result.Seconds, least)
	}
}
