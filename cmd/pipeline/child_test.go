package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pipeline/load/reader"
)

// A phase is how far a run has come, by its marker file.
type phase int

const (
	starting   phase = iota // the marker is empty: no phase has begun
	opening                 // the warehouse is opened, and copied if a reader holds it
	reading                 // rows go into the transaction
	merging                 // the stores are closed; merge, models, checks
	committing              // the log grows, is folded into the file, the file gets its place
	committed               // the load is in the warehouse; nobody has been told
	publishing              // Parquet files are written
	phases
)

var phaseNames = [phases]string{"start", "open", "read", "merge", "commit", "done", "publish"}

func (p phase) String() string { return phaseNames[p] }

// patience is the longest that a test waits for anything; a run takes a second, or some where the machine is busy.
const patience = 2 * time.Minute

// place is where a run writes.
type place struct{ warehouse, parquet string }

// command is a run of the program.
func command(dest place, args ...string) *exec.Cmd {
	args = append([]string{"run", "--warehouse", dest.warehouse}, args...)
	if dest.parquet != "" {
		args = append(args, "--parquet", dest.parquet)
	}
	return exec.Command("pipeline", args...) // TestMain put it into the PATH
}

// child is the program in a process of its own.
type child struct {
	t      *testing.T
	cmd    *exec.Cmd
	output bytes.Buffer // complete when it has ended
	marker *os.File
	ended  chan struct{}
	began  time.Time

	mu   sync.Mutex
	now  phase
	seen [phases]time.Duration // when each phase was first seen
	took time.Duration
}

// start starts a command and watches its phases.
func start(t *testing.T, cmd *exec.Cmd) *child {
	t.Helper()
	c := &child{t: t, cmd: cmd, ended: make(chan struct{})}
	var err error
	if c.marker, err = os.Create(filepath.Join(t.TempDir(), "phase")); err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "PIPELINE_PHASE_FILE="+c.marker.Name())
	cmd.WaitDelay = patience
	cmd.Stderr = &c.output
	if cmd.Stdout == nil {
		cmd.Stdout = &c.output
	}
	c.began = time.Now()
	must(t, cmd.Start())
	exited := make(chan struct{})
	go func() {
		_ = cmd.Wait() // how it ended, ProcessState says
		close(exited)
	}()
	go c.watch(exited)
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-c.ended
	})
	return c
}

// watch reads the marker until the process has ended, and the last word that it wrote then.
func (c *child) watch(exited <-chan struct{}) {
	defer close(c.ended)
	defer c.marker.Close()
	for {
		select {
		case <-exited:
			c.took = time.Since(c.began)
			c.look()
			return
		case <-time.After(200 * time.Microsecond):
			c.look()
		}
	}
}

func (c *child) look() {
	word := make([]byte, 16)
	n, _ := c.marker.ReadAt(word, 0) // it is shorter
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.now
	if known := slices.Index(phaseNames[:], strings.TrimSpace(string(word[:n]))); known >= 0 {
		// others are parts of the one before
		p = phase(known)
	}
	if c.now = p; c.seen[p] == 0 {
		c.seen[p] = time.Since(c.began)
	}
}

func (c *child) phase() phase {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// await waits until the run has come to a phase, or has ended.
func (c *child) await(p phase) {
	c.t.Helper()
	for until := time.Now().Add(patience); c.phase() < p; {
		select {
		case <-c.ended:
			return
		case <-time.After(200 * time.Microsecond):
		}
		if time.Now().After(until) {
			c.hangs()
		}
	}
}

// sleep waits, but not longer than the run takes.
func (c *child) sleep(d time.Duration) {
	select {
	case <-c.ended:
	case <-time.After(d):
	}
}

// wait waits for the end and returns the exit code; -1 for a run that was killed.
func (c *child) wait() int {
	c.t.Helper()
	select {
	case <-c.ended:
	case <-time.After(patience):
		c.hangs()
	}
	return c.cmd.ProcessState.ExitCode()
}

// hangs ends a test whose run does not end. The run prints where it is.
func (c *child) hangs() {
	c.t.Helper()
	at := c.phase()
	_ = c.cmd.Process.Signal(syscall.SIGQUIT)
	c.sleep(10 * time.Second)
	_ = c.cmd.Process.Kill()
	<-c.ended
	c.t.Fatalf("%v did not come further than to the phase %s in %v: %s", c.cmd.Args, at, patience, c.output.String())
}

// timings are the time that each phase of a run took, and of all.
type timings struct {
	phase [phases]time.Duration
	whole time.Duration
}

func (t timings) String() string {
	text := t.whole.Round(time.Millisecond).String()
	for p, d := range t.phase {
		if d > 0 {
			text += fmt.Sprintf(", %s %v", phase(p), d.Round(100*time.Microsecond))
		}
	}
	return text
}

// timings of a run that has ended.
func (c *child) timings() timings {
	out, until := timings{whole: c.took}, c.took
	for p := phases - 1; p >= 0; p-- {
		if p == starting || c.seen[p] > 0 {
			out.phase[p] = until - c.seen[p]
			until = c.seen[p]
		}
	}
	return out
}

// gag gives a command an output that takes nothing: a run that wants to tell of its load stands still. It returns what
// lets go of it.
func gag(t *testing.T, cmd *exec.Cmd) (release func()) {
	t.Helper()
	r, w, err := os.Pipe()
	must(t, err)
	must(t, w.SetWriteDeadline(time.Now().Add(10*time.Millisecond)))
	if _, err := w.Write(make([]byte, 1<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("fill a pipe: %v", err)
	}
	cmd.Stdout = w
	return func() { _ = errors.Join(w.Close(), r.Close()) }
}

// holdWarehouse is a program that holds the warehouse open for reading until its input ends, as an idle CLI does.
func holdWarehouse() {
	r, err := reader.OpenAny(context.Background(), os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("open")
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := r.Close(); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// hold has another process hold a warehouse until release is called.
func hold(t *testing.T, warehouse string) (release func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	bound := time.AfterFunc(patience, cancel)
	cmd := exec.CommandContext(ctx, "holdwarehouse", warehouse)
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	release = sync.OnceFunc(func() {
		bound.Reset(patience)
		defer cancel()
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the reader: %v", err)
		}
	})
	t.Cleanup(release)
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "open\n" {
		t.Fatalf("hold the warehouse: %s %v", line, err)
	}
	bound.Stop()
	return release
}
