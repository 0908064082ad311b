package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// This file starts runs as separate processes. If a run ends, even by a crash of the engine, the server goes on, and
// the run's memory is freed.

// A Runner starts runs.
type Runner interface {
	// Start begins a run. After an error there is no run.
	Start(s Start) (Run, error)
}

// A Run is a run in a process of its own.
type Run interface {
	// PID is the process id.
	PID() int
	// Wait waits for the end, and returns the exit code and the last message. After a signal the code is 128 plus the
	// signal's number.
	Wait() (code int, said string)
	// Interrupt asks the run to end without leaving anything half done.
	Interrupt() error
	// Kill ends the run at once. The warehouse is unchanged then.
	Kill() error
}

// A Program is a Runner that starts 'PROGRAM run NAME'.
type Program struct {
	Path   string    // of this program
	Output io.Writer // gets the output of runs, line by line
}

// TriggerVariable tells a run who started it, with a word of package runlog.
const TriggerVariable = "PIPELINE_TRIGGER"

// Start begins a run.
func (p Program) Start(s Start) (Run, error) {
	out := &lines{w: p.Output, before: s.Pipeline.Name + " | "}
	return p.child(out, []string{TriggerVariable + "=" + s.Trigger}, "run", s.Pipeline.Arg)
}

// Report writes the report page of a warehouse to a file. An error includes the program's message and its exit code.
func (p Program) Report(ctx context.Context, warehouse, file string) error {
	c, err := p.child(&lines{w: io.Discard}, nil, "report", "--warehouse", warehouse, "--output", file)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = c.Kill() })()
	if code, said := c.Wait(); code != 0 {
		return &ReportError{code, said}
	}
	return nil
}

// ReportError is a report that was not written.
type ReportError struct {
	Code int // exit code of 'pipeline report'
	Said string
}

func (e *ReportError) Error() string { return e.Said }

// child is a process.
type child struct {
	cmd   *exec.Cmd
	out   *lines
	ended chan struct{}
}

// child starts the program in a process group of its own: a Ctrl-C at the terminal is meant for the server alone.
func (p Program) child(out *lines, env []string, args ...string) (*child, error) {
	c := &child{cmd: exec.Command(p.Path, args...), out: out, ended: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), env...)
	c.cmd.Stdout, c.cmd.Stderr = out, out
	c.cmd.WaitDelay = 10 * time.Second // its own children may hold its output open
	c.cmd.SysProcAttr = ownGroup()
	started := make(chan error, 1)
	go func() {
		// On Linux the system ends the child with the thread that started it (see ownGroup): so this goroutine keeps
		// its thread until the child has ended.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := c.cmd.Start()
		started <- err
		if err == nil {
			_ = c.cmd.Wait() // ProcessState has the result
			close(c.ended)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", p.Path, err)
	}
	return c, nil
}

func (c *child) PID() int { return c.cmd.Process.Pid }

func (c *child) Wait() (int, string) {
	<-c.ended
	c.out.finish()
	if code := c.cmd.ProcessState.ExitCode(); code >= 0 {
		return code, c.out.last
	}
	return killedBy(c.cmd.ProcessState), strings.TrimSpace(c.out.last + " (" + c.cmd.ProcessState.String() + ")")
}

func (c *child) Interrupt() error { return ended(interrupt(c.cmd.Process)) }

func (c *child) Kill() error { return ended(c.cmd.Process.Kill()) }

// ended ignores the error that the process has already ended.
func ended(err error) error {
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// lines prefixes each line.
type lines struct {
	mu      sync.Mutex
	w       io.Writer
	before  string
	rest    []byte
	last    string // last line with a message; an error has priority
	isError bool
}

const longestLine = 64 << 10

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	for {
		i := bytes.IndexByte(l.rest, '\n')
		if i < 0 && len(l.rest) < longestLine {
			return len(p), nil
		}
		if i < 0 {
			i = len(l.rest) - 1
		}
		l.line(string(l.rest[:i]))
		l.rest = l.rest[i+1:]
	}
}

// line passes a line on. An error of the output, as when the terminal is closed, ends no run.
func (l *lines) line(text string) {
	text = strings.TrimRight(text, "\r")
	said, isError := strings.CutPrefix(text, "pipeline: ")
	if said = strings.TrimSpace(said); said != "" && (isError || !l.isError) { // advice may follow an error
		l.last, l.isError = said, isError
	}
	_, _ = io.WriteString(l.w, l.before+text+"\n")
}

// finish passes on the last text, which had no line break.
func (l *lines) finish() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rest) > 0 {
		l.line(string(l.rest))
		l.rest = nil
	}
}
