//go:build unix

package serve

import (
	"os"
	"syscall"
)

func interrupt(p *os.Process) error { return p.Signal(os.Interrupt) }

// killedBy is the exit code that a shell uses for a process that a signal ended.
func killedBy(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return 128
}
