// Package retry does a thing again while the cause of its failure is passing.
//
// It knows pauses, and must never know what is tried, or which causes pass.
package retry

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Pauses say how long it is waited between tries. Each is about twice as long as the one before, and by up to a fifth longer or shorter, so that
// those who wait for the same thing do not all come back at once.
type Pauses struct {
	First time.Duration // after the first try, about
	Most  time.Duration // none is longer
	Until time.Duration // since the beginning, by the clock: a pause ends then, and the try after it is the last; 0: no limit
	Tries int           // at most so many; 0: no limit
}

// spread is by which share a pause is longer or shorter than its turn.
const spread = 0.2

// Do tries until it goes well, a failure is not passing, or the pauses allow no other try, and returns what the last try returned. Before each pause
// wait is told what failed, and when it is tried again. Where ctx ends in a pause, its error is returned.
func Do(ctx context.Context, p Pauses, try func() error, passing func(error) bool, wait func(err error, next time.Time)) error {
	var last error
	waiting := false
	growing := backoff.NewExponentialBackOff()
	growing.InitialInterval, growing.MaxInterval = p.First, time.Duration(float64(p.Most)/(1+spread))
	growing.RandomizationFactor, growing.Multiplier = spread, 2
	pauses := &bounded{BackOff: growing}
	if p.Until > 0 {
		pauses.end = now().Add(p.Until)
	}
	options := []backoff.RetryOption{backoff.WithBackOff(pauses), backoff.WithMaxElapsedTime(0), backoff.WithNotify(func(err error, pause time.Duration) {
		waiting = true
		wait(last, now().Add(pause))
	})}
	if p.Tries > 0 {
		options = append(options, backoff.WithMaxTries(uint(p.Tries)))
	}
	_, _ = backoff.Retry(ctx, func() (struct{}, error) { // what it returns is the last error, or why it was ended
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

// bounded ends the last pause when the time is over.
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

// now is the time by the clock alone: the other one stands still while a machine sleeps.
func now() time.Time { return time.Now().Round(0) }
