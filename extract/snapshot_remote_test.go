package extract

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// A store on a file system without locks, as some network mounts are: its owner commits between our looks and our
// copying, and no lock of anybody's tells. A copy is made only of files that stood still; if they never do, the store
// is busy, and nothing is left.
func TestRemoteChanges(t *testing.T) {
	for _, test := range []struct {
		name    string
		commits int // one in each try, as long as there are some left
		busy    bool
	}{{"in the first try", 1, false}, {"in two tries", 2, false}, {"in every try", openTries, true}} {
		for _, moment := range []string{"before the copy", "in the copy"} {
			t.Run(test.name+", "+moment, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "state.vscdb")
				want := edited(t, path, false, false, 30)
				made := 0
				commit := func() {
					if made < test.commits {
						made++
						withoutLocks(t, path, made)
					}
				}
				o := storeOptions{TempDir: t.TempDir(), pause: time.Millisecond, remote: isRemote}
				switch moment {
				case "before the copy": // asked between the look and the wait for files that stand still
					o.remote = func(string) (bool, error) { commit(); return true, nil }
				case "in the copy":
					// the clock is read between the last look before the copying and the first byte of it
					o.now = func() time.Time { commit(); return time.Now() }
				}
				s, err := openStore(t.Context(), path, o)
				if test.busy != errors.Is(err, ErrBusy) || test.busy != (err != nil) {
					t.Fatalf("after %d commits: %v, want busy %v", made, err, test.busy)
				}
				if !test.busy {
					var last int
					err := s.Conn().QueryRowContext(t.Context(), "SELECT value FROM cursorDiskKV WHERE key = 'remote'").
						Scan(&last)
					if n := messages(t, s); n != want || last != test.commits || err != nil {
						t.Errorf("%d messages and commit %d, want %d and %d; %v", n, last, want, test.commits, err)
					}
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				}
				if left := files(t, o.TempDir); len(left) > 0 {
					t.Errorf("left in the temporary directory: %s", names(left))
				}
			})
		}
	}
}

// withoutLocks makes one commit that takes no lock and keeps the size of the file.
func withoutLocks(t *testing.T, path string, n int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?nolock=1")
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("INSERT INTO cursorDiskKV (key, value) VALUES ('remote', ?)", fmt.Sprint(n))
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}
