package pipelines_test

import (
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"pipeline/testdata/gen/clitest"
)

// TestCLILive loads a chat while the command line appends to it all the time: no append fails, every load has one state
// of the chat, and the last one has all of it, though the command line was killed and left its -wal behind.
func TestCLILive(t *testing.T) {
	concurrent(t)
	long(t)
	t.Parallel()
	l := newFixture(t)
	dot := filepath.Join(l.dir, ".cursor")
	w, err := clitest.Live(dot)
	must(t, err)
	stop, stopped := make(chan bool), make(chan error)
	appended := make(chan int, 10_000)
	go func() {
		n := 1
		for {
			select {
			case <-stop:
				stopped <- nil
				return
			case <-time.After(3 * time.Millisecond):
			}
			if err := w.Append(); err != nil {
				stopped <- err
				return
			}
			n++
			appended <- n
		}
	}()
	last := 1
	for range 12 {
		before := last
		for len(appended) > 0 {
			before = <-appended
		}
		if r := l.run(nil, cliSources(t, dot)); len(r.Failures) > 0 || len(r.Errors()) > 0 {
			t.Fatalf("checks: %v, errors: %v", r.Failures, r.Errors())
		}
		got := l.ask(
			`SELECT count(*) FILTER (WHERE role = 'user'), count(DISTINCT turn) = max(turn) AND count(*) FILTER (WHERE deleted_at IS NOT NULL) = 0 FROM messages`)
		turns, err := strconv.Atoi(got[0][0])
		must(t, err)
		if turns < before || got[0][1] != "true" {
			t.Fatalf("a load has %v, and %d turns had been written before it", got, before)
		}
		last = turns
	}
	close(stop)
	must(t, <-stopped)
	must(t, w.Kill())
	l.run(nil, cliSources(t, dot))
	wantCLI(t, l, w.Home())
}
