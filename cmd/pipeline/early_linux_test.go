package main

import (
	"errors"
	"os"
	"os/exec"
	signals "os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestEarlySignals: a signal at any moment after the program was loaded ends it with its own exit code.
func TestEarlySignals(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		if signals.Ignored(signal) {
			continue // as below nohup: the program leaves it ignored
		}
		met, step := 0, 10*time.Millisecond
		if testing.Short() {
			step *= 10
		}
		for wait := time.Duration(0); wait < 200*time.Millisecond; wait += step {
			cmd := exec.Command("pipeline", "sql", "--warehouse", "/nowhere/w.duckdb") // reads its query
			_, stdin, err := pipes(cmd)
			if err == nil {
				err = cmd.Start()
			}
			must(t, err)
			awaitHandler(cmd.Process.Pid)
			time.Sleep(wait)
			err = cmd.Process.Signal(signal)
			// a program that was not interrupted ends with its input
			late := time.AfterFunc(time.Minute, func() { _ = stdin.Close() })
			_ = cmd.Wait()
			late.Stop()
			_ = stdin.Close()
			if state := cmd.ProcessState; err == nil && state.ExitCode() == exitInterrupted {
				met++
			} else if err == nil && state.ExitCode() < 0 {
				t.Errorf("%v after %v: %v", signal, wait, state)
			}
		}
		if met == 0 {
			t.Errorf("%v: no process was interrupted", signal)
		}
	}
}

// pipes gives a command a standard input that never comes.
func pipes(cmd *exec.Cmd) (read, write *os.File, err error) {
	if read, write, err = os.Pipe(); err == nil {
		cmd.Stdin = read
	}
	return read, write, err
}

// awaitHandler waits until a process has a handler for SIGTERM: from then on the program is there. It gives up after a
// while.
func awaitHandler(pid int) {
	for range 2000 {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
		if err != nil {
			return
		}
		_, mask, _ := strings.Cut(string(text), "SigCgt:\t")
		if len(mask) >= 16 && strings.Trim(mask[:16], "0") != "" && mask[12] >= '4' { // the bit of signal 15
			return
		}
		time.Sleep(200 * time.Microsecond)
	}
}

// TestLimitsOfTheSystem: where the runtime or the engine could not work, a sentence says so, and no dump.
func TestLimitsOfTheSystem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, says string
		code       int
	}{
		{"ulimit -v 700000; exec pipeline version", "the address space (not the memory) is limited to 700000 kB",
			exitFailed},
		{"ulimit -s 64; exec pipeline version", "the stack is limited to 64 kB", exitFailed},
		{"GOMEMLIMIT=junk exec pipeline version", "GOMEMLIMIT is not understood", exitUsage},
		{"GOMEMLIMIT=-1 exec pipeline version", "GOMEMLIMIT is not understood", exitUsage},
		{"GOMEMLIMIT=9000000000GiB exec pipeline version", "GOMEMLIMIT is not understood", exitUsage},
		{"GOMEMLIMIT=9223372036854775808 exec pipeline version", "GOMEMLIMIT is not understood", exitUsage},
		{"GOMEMLIMIT=400MiB exec pipeline version", "", 0},
		{"GOMEMLIMIT=9223372036854775807B exec pipeline version", "", 0},
		{"GOMEMLIMIT=off exec pipeline version", "", 0},
		{"GOMEMLIMIT= exec pipeline version", "", 0},
		{"ulimit -s 256; exec pipeline version", "", 0},
	} {
		var errs strings.Builder
		cmd := exec.Command("sh", "-c", c.line)
		cmd.Stderr = &errs
		err := cmd.Run()
		exit, _ := errors.AsType[*exec.ExitError](err)
		code := 0
		if exit != nil {
			code = exit.ExitCode()
		}
		if said := errs.String(); code != c.code || !strings.Contains(said, c.says) ||
			strings.Contains(said, "goroutine") || strings.Contains(said, "fatal error") {
			t.Errorf("%s: exit code %d: %.300s", c.line, code, said)
		}
	}
}
