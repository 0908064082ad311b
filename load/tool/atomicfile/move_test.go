package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// TestRetry: what another program holds for a moment is renamed later, two seconds are the end, and any other error is
// returned at once.
func TestRetry(t *testing.T) {
	held, other := &os.LinkError{Op: "rename", Old: "a", New: "b", Err: syscall.Errno(32)},
		errors.New("the disk is gone")
	for name, test := range map[string]struct {
		after      time.Duration // when the error changes
		err        error         // what it is then
		want       error
		atLeast    time.Duration
		latest     time.Duration
		leastTries int
	}{
		"renamed at last": {after: time.Second, want: nil, atLeast: time.Second, latest: 1200 * time.Millisecond,
			leastTries: 5},
		"held for too long": {after: time.Hour, want: held, atLeast: 1800 * time.Millisecond, latest: retryFor,
			leastTries: 10},
		"another error":   {err: other, want: other, leastTries: 1},
		"renamed at once": {leastTries: 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin, tries := time.Now(), 0
				got := retry(func() error {
					tries++
					if time.Since(begin) < test.after {
						return held
					}
					return test.err
				}, isHeldOnWindows)
				if took := time.Since(begin); !errors.Is(got, test.want) || (got == nil) != (test.want == nil) ||
					took < test.atLeast || took > test.latest || tries < test.leastTries {
					t.Errorf("%v after %v and %d tries", got, took, tries)
				}
			})
		})
	}
}

// TestIsHeld: the two errors of Windows' say that a file is open elsewhere, and only on Windows.
func TestIsHeld(t *testing.T) {
	t.Parallel()
	for code, want := range map[syscall.Errno]bool{2: false, 3: false, 5: true, 32: true, 112: false} {
		if got := isHeldOnWindows(&os.LinkError{Op: "rename", Old: "a", New: "b", Err: code}); got != want {
			t.Errorf("%d: %v", code, got)
		}
	}
}

// TestMove: a file takes the place of another, and one that is missing is an error at once.
func TestMove(t *testing.T) {
	t.Parallel()
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	for path, text := range map[string]string{from: "new", to: "old"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Move(from, to); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(to); err != nil || string(text) != "new" {
		t.Error(string(text), err)
	}
	if err := Move(from, to); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
