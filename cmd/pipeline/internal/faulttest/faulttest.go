// Package faulttest runs a command whose system calls fail: the n-th write meets a full disk, a read an error of the disk, or the process is
// killed in front of a call. The command is any program, as it is; nothing has to be built into it.
//
// The kernel asks (seccomp with user notification) before each call of the kinds that a test wants to see, in every thread of the process; a
// function of the test answers. There is one question at a time, so the calls of a process have one order and can be counted.
//
// The filter has to be installed by the process itself, before it becomes the command. A test package calls Main first thing in its TestMain:
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

// The kinds. Not every call of such a kind is seen, but each that Go, SQLite and DuckDB make.
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
	Path   string // of the file behind the descriptor, or the one that is named; of two the new one
	Offset int64  // of a read or write at an offset; else -1
}

// An Answer is what becomes of a call.
type Answer struct {
	Errno syscall.Errno // 0: it is made
	Kill  bool          // it is not made: the process is killed
}

// ErrUnsupported: this machine cannot do it.
var ErrUnsupported = errors.New("system calls cannot be watched here")

// Run runs a command to its end and asks decide before each of its calls of some kinds. It returns what the command has printed, and its exit
// code, -1 if it was killed. It skips the test where the machine cannot do it.
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

// Variables that have Main become a command: its program, and the kinds of calls to ask about.
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
