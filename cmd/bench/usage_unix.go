//go:build unix

package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
)

// peakRSS is the most memory that a process held, in bytes.
func peakRSS(state *os.ProcessState) int64 {
	r, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(r.Maxrss)
	}
	return int64(r.Maxrss) << 10
}

// ownCPU is the CPU time that this process has used, in seconds.
func ownCPU() (float64, error) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0, fmt.Errorf("ask for the CPU time used: %w", err)
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9, nil
}
