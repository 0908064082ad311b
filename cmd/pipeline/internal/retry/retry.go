// Package retry repeats a step while the cause of its failure is temporary.
//
// It knows pauses. It must never know what is tried, or which causes are temporary.
package retry

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Pauses say how long to wait between tries. Each pause is about twice as long as the one before. It varies by up to a
// fifth, so that several programs that wait for the same thing do not all come back at once.
type Pauses struct {
	First time.Duration // approximate pause after the first try
	Most  time.Duration // longest pause
	Until time.Duration // time limit since the beginning, by the clock: the last try is made then; 0: no limit
	Tries int           // largest number of tries; 0: no limit
}

// spread is the share by which a pause varies.
const spread = 0.2

// Do calls try until it succeeds, a failure is not temporary (passing is false), or the pauses allow no other try. It
// returns what the last try returned. Before each pause it calls wait with the error and the time of the next try. If
// ctx ends during a pause, it returns ctx's error.
func Do(ctx context.Context, p Pauses, try func() error, passing func(error) bool,
	wait func(err error, next time.Time)) error {
	var last error
	waiting := false
	growing := backoff.NewExponentialBackOff()
	growing.InitialInterval, growing.MaxInterval = p.First, time.Duration(float64(p.Most)/(1+spread))
	growing.RandomizationFactor, growing.Multiplier = spread, 2
	pauses := &bounded{BackOff: growing}
	if p.Until > 0 {
		pauses.end = now().Add(p.Until)
	}
	options := []backoff.RetryOption{backoff.WithBackOff(pauses), backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, pause time.Duration) {
			waiting = true
			wait(last, now().Add(pause))
		})}
	if p.Tries > 0 {
		options = append(options, backoff.WithMaxTries(uint(p.Tries)))
	}
	_, _ = backoff.Retry(ctx, func() (struct{}, error) { // it returns the last error, or the error of ctx
		waiting = false
		if last = try(); last != nil && !passing(last) {
			return struct{}{}, backoff.Permanent(last)
		}
		return struct{}{}, last
	}, options...)
	if waiting {
		return ctx.Err()
	}
	return last
}

// bounded ends the last pause at the time limit.
type bounded struct {
	backoff.BackOff
	end time.Time // zero: never
}

// NextBackOff implements backoff.BackOff.
func (b *bounded) NextBackOff() time.Duration {
	pause := b.BackOff.NextBackOff()
	if b.end.IsZero() {
		return pause
	}
	left := b.end.Sub(now())
	if left <= 0 {
		return backoff.Stop
	}
	return min(pause, left)
}

// now is the time by the wall clock: the monotonic clock stops while a machine sleeps.
func now() time.Time { return time.Now().Round(0) }
