//go:build !unix

package main

import (
	"errors"
	"os"
)

func peakRSS(*os.ProcessState) int64 { return 0 }

func ownCPU() (float64, error) {
	return 0, errors.New("stages are measured by getrusage, which this system has not: run the benchmark on Linux or " +
		"macOS")
}
