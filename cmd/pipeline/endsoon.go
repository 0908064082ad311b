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

// This file has every command end soon when it is told to, whatever it waits for. Most of what a command does ends with its context; a read of standard
// input, a write to a pipe that nobody empties, or a disk that does not answer does not.

// How long a command may take to end.
const (
	commandTime   = 700 * time.Millisecond // one that only reads leaves nothing behind
	writerTime    = 10 * time.Second       // one that writes undoes what it has begun: that takes a moment, and no kill does harm
	reportingTime = interruptedPing + notify.CommandLimit + writerTime
)

// writers are the commands that write more than their result.
var writers = []string{"run", "rebuild", "prune", "retention", "compact", "export", "demo", "schedule"}

// An allowance is the time that a command has to end. A command may give itself more.
type allowance struct{ atomic.Int64 }

type allowanceKey struct{}

// waitFor gives the command of this context so much time to end.
func waitFor(ctx context.Context, d time.Duration) {
	if a, ok := ctx.Value(allowanceKey{}).(*allowance); ok {
		a.Store(int64(d))
	}
}

// endsSoon does a command, and gives it up if it does not end in time when it is told to. 'serve' counts its signals itself, and ends by them.
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
		case <-time.After(min(left, 100*time.Millisecond)): // it may have given itself more
		}
	}
}

// givenUp says so, unless that too would be waited for.
func givenUp(stderr io.Writer) int {
	said := make(chan struct{})
	go func() {
		fmt.Fprintln(stderr, "pipeline: interrupted; what it waited for did not end, and was given up")
		close(said)
	}()
	select {
	case <-said:
	case <-time.After(100 * time.Millisecond):
	}
	return exitInterrupted
}
