package retry_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"pipeline/cmd/pipeline/internal/retry"
)

var errBusy, errBroken = errors.New("busy"), errors.New("broken")

func busy(err error) bool { return errors.Is(err, errBusy) }

// TestPauses: they grow, are never longer than the longest, and end when the time is over, with one more try. The clock
// is the test's.
func TestPauses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var at []time.Duration
		err := retry.Do(t.Context(), retry.Pauses{First: 30 * time.Second, Most: 15 * time.Minute,
			Until: 2 * time.Hour}, func() error {
			at = append(at, time.Since(begin))
			return errBusy
		}, busy, func(err error, next time.Time) {
			if err != errBusy || !next.After(time.Now()) {
				t.Errorf("it was told of %v and %v", err, next)
			}
		})
		if err != errBusy {
			t.Errorf("it ended with %v", err)
		}
		pauses, longest := []time.Duration{}, time.Duration(0)
		for i, a := range at[1:] {
			pauses = append(pauses, a-at[i])
			longest = max(longest, a-at[i])
		}
		t.Log(pauses)
		if first := pauses[0]; first < 24*time.Second || first > 36*time.Second {
			t.Errorf("the first pause is %v, want half a minute, about", first)
		}
		if longest > 15*time.Minute || longest < 10*time.Minute {
			t.Errorf("the longest pause is %v, want about a quarter of an hour, and not more", longest)
		}
		for i := range 4 {
			if ratio := float64(pauses[i+1]) / float64(pauses[i]); ratio < 1.3 || ratio > 3.1 {
				t.Errorf("pause %v after %v: they should grow to about twice", pauses[i+1], pauses[i])
			}
		}
		if got := at[len(at)-1]; got != 2*time.Hour {
			t.Errorf("the last try is after %v, want it when the time is over", got)
		}
	})
}

// TestEnds: what ends the tries before the time is over.
func TestEnds(t *testing.T) {
	t.Parallel()
	pauses := retry.Pauses{First: time.Minute, Most: time.Hour, Until: 24 * time.Hour}
	for _, test := range []struct {
		name  string
		p     retry.Pauses
		says  []error // each try; the last again and again
		stop  time.Duration
		want  error
		tries int
	}{
		{"it goes well at once", pauses, []error{nil}, 0, nil, 1},
		{"it goes well in the end", pauses, []error{errBusy, errBusy, nil}, 0, nil, 3},
		{"another failure", pauses, []error{errBusy, errBroken}, 0, errBroken, 2},
		{"no time for another", retry.Pauses{First: time.Minute, Most: time.Hour, Until: time.Nanosecond},
			[]error{errBusy}, 0, errBusy, 2},
		{"so many tries", retry.Pauses{First: time.Second, Most: time.Minute, Tries: 3}, []error{errBusy}, 0, errBusy,
			3},
		{"an interrupt in a pause", pauses, []error{errBusy}, 30 * time.Second, context.Canceled, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancelCause(t.Context())
				defer stop(nil)
				if test.stop > 0 {
					time.AfterFunc(test.stop, func() { stop(errors.New("a signal")) })
				}
				begin, tries := time.Now(), 0
				err := retry.Do(ctx, test.p, func() error {
					tries++
					return test.says[min(tries, len(test.says))-1]
				}, busy, func(error, time.Time) {})
				if err != test.want || tries != test.tries {
					t.Errorf("%d tries and %v, want %d and %v", tries, err, test.tries, test.want)
				}
				if took := time.Since(begin); test.stop > 0 && took != test.stop {
					t.Errorf("it ended after %v, want at once", took)
				}
			})
		})
	}
}

// TestInterruptedTry: what a try says of its own interruption is what is returned, and no other try is made.
func TestInterruptedTry(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	tries := 0
	err := retry.Do(ctx, retry.Pauses{First: time.Hour, Most: time.Hour}, func() error {
		tries++
		stop()
		return errBusy
	}, busy, func(error, time.Time) { t.Error("it waits") })
	if err != errBusy || tries != 1 {
		t.Errorf("%d tries: %v", tries, err)
	}
}
