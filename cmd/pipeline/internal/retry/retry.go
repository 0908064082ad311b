// Package retry repeats a step while the cause of its failure is temporary.
//
// It knows pauses. It must never know what is tried, or which causes are temporary.
package retry

import (
	"context"
	"math/rand/v2"
	"time"
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
	end, most := now().Add(p.Until), time.Duration(float64(p.Most)/(1+spread))
	for n, pause := 1, p.First; ; n, pause = n+1, min(2*pause, most) {
		err := try()
		if err == nil || !passing(err) || n == p.Tries || ctx.Err() != nil {
			return err
		}
		length := time.Duration(float64(pause) * (1 - spread + 2*spread*rand.Float64()))
		if p.Until > 0 {
			length = min(length, end.Sub(now())) // the last try is made at the time limit
		}
		if length <= 0 {
			return err
		}
		wait(err, now().Add(length))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(length):
		}
	}
}

// now is the time by the wall clock: the monotonic clock stops while a machine sleeps.
func now() time.Time { return time.Now().Round(0) }
