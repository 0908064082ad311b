// Package faulttest runs a command whose system calls fail: the n-th write meets a full disk, a read meets a disk
// error, or the process is killed before a call. The command is any program, unchanged.
//
// The kernel asks (seccomp with user notification) before each call of the kinds that a test chooses, in every thread
// of the process, and a function of the test answers. There is one question at a time, so the calls of a process have
// an order and can be counted.
//
// The process must install the filter itself, before it becomes the command. A test package calls Main first thing in
// its TestMain:
//
//	func TestMain(m *testing.M) {
//		faulttest.Main()
//		os.Exit(m.Run())
//	}
package faulttest

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// A Kind is a kind of system call.
type Kind string

// The kinds. They cover the calls that Go, SQLite and DuckDB make, not every call.
const (
	Read     Kind = "read"
	Write    Kind = "write"
	Sync     Kind = "sync"
	Rename   Kind = "rename" // a link gives a name too
	Remove   Kind = "remove"
	Truncate Kind = "truncate"
	Create   Kind = "create" // of a file or a folder; also an open that would create it
)

// A Call is a system call that a process is about to make.
type Call struct {
	Kind   Kind
	Path   string // of the file behind the descriptor, or of the file that is named; of two names the new one
	Offset int64  // of a read or write at an offset; else -1
}

// An Answer decides what happens to a call.
type Answer struct {
	Errno syscall.Errno // 0: the call is made; else it fails with this error
	Kill  bool          // the call is not made: the process is killed
}

// ErrUnsupported: this machine cannot do it.
var ErrUnsupported = errors.New("system calls cannot be watched here")

// Run runs a command to its end, and calls decide before each of its calls of some kinds. It returns the exit code, -1
// if the command was killed, and what it printed. It skips the test if this machine cannot do it.
func Run(t testing.TB, cmd *exec.Cmd, kinds []Kind, decide func(Call) Answer) (code int, output string) {
	t.Helper()
	code, output, err := run(cmd, kinds, decide)
	if errors.Is(err, ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatalf("%v: %v", cmd.Args, err)
	}
	return code, output
}

// Variables that make Main become a command: its program, and the kinds of calls to ask about.
const (
	envProgram = "PIPELINE_FAULTTEST_PROGRAM"
	envKinds   = "PIPELINE_FAULTTEST_KINDS"
)

// Main becomes a command if Run began this process, and does not return then.
func Main() {
	if program := os.Getenv(envProgram); program != "" {
		become(program)
	}
}
