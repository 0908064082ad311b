package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"pipeline/cmd/pipeline/internal/notify"
)

// This file makes every command end soon after an interrupt, even if it is waiting for something. Most of a command
// ends with its context. Three things do not: a read of standard input, a write to a pipe that nobody reads, and a disk
// that does not answer.

// How long a command may take to end.
const (
	commandTime = 700 * time.Millisecond // a command that only reads leaves nothing behind
	// a command that writes needs a moment to undo what it has begun; killing it does no harm
	writerTime    = 10 * time.Second
	reportingTime = interruptedPing + notify.CommandLimit + writerTime
)

// writers are the commands that write more than their output.
var writers = []string{"run", "rebuild", "prune", "export", "demo", "schedule"}

// An allowance is the time that a command has to end after an interrupt. A command may extend it.
type allowance struct{ atomic.Int64 }

type allowanceKey struct{}

// waitFor sets the allowance of the command with this context.
func waitFor(ctx context.Context, d time.Duration) {
	if a, ok := ctx.Value(allowanceKey{}).(*allowance); ok {
		a.Store(int64(d))
	}
}

// endsSoon runs a command, and stops waiting for it if it does not end in time after an interrupt. 'serve' handles its
// signals itself.
func endsSoon(ctx context.Context, args []string, stderr io.Writer, command func(context.Context) int) int {
	if len(args) > 1 && args[1] == "serve" {
		return command(ctx)
	}
	a := &allowance{}
	a.Store(int64(commandTime))
	if len(args) > 1 && slices.Contains(writers, args[1]) {
		a.Store(int64(writerTime))
	}
	ended := make(chan int, 1)
	go func() { ended <- command(context.WithValue(ctx, allowanceKey{}, a)) }()
	select {
	case code := <-ended:
		return code
	case <-ctx.Done():
	}
	for told := time.Now(); ; {
		left := time.Duration(a.Load()) - time.Since(told)
		if left <= 0 {
			return givenUp(stderr)
		}
		select {
		case code := <-ended:
			return code
		case <-time.After(min(left, 100*time.Millisecond)): // the command may have extended its allowance
		}
	}
}

// givenUp prints a message about that, but does not wait for the message either.
func givenUp(stderr io.Writer) int {
	said := make(chan struct{})
	go func() {
		fmt.Fprintln(stderr, "pipeline: interrupted; gave up waiting for an operation that did not end")
		close(said)
	}()
	select {
	case <-said:
	case <-time.After(100 * time.Millisecond):
	}
	return exitInterrupted
}

// interruptedPing is the time limit for a monitor after an interrupt: somebody is waiting for the end.
const interruptedPing = 1500 * time.Millisecond
