//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/testdata/gen/storetest"
)

// TestSignals interrupts runs in each phase: they end soon, with their exit code, and nothing is half done.
func TestSignals(t *testing.T) {
	long(t)
	dir := t.TempDir()
	dest := place{filepath.Join(dir, "dest", "w.duckdb"), filepath.Join(dir, "dest", "parquet")}
	s := &interrupter{t: t, random: rand.New(rand.NewPCG(6, 2026)),
		lineage: lineage{user: filepath.Join(dir, "User"), dest: dest, loads: map[int64]map[string]int64{}}}
	must(t, storetest.New(storetest.Options{Seed: 6, Messages: 600}).Write(s.user))
	for p := opening; p <= committing; p++ { // of a first load
		s.interrupt(syscall.SIGINT, p)
	}
	s.load()
	t.Logf("a run that is not interrupted: %v", s.span)
	for p := opening; p < phases; p++ {
		s.interrupt([]syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM}[p%3], p)
	}
	s.load()
	release := hold(t, s.dest.warehouse)
	s.interrupt(syscall.SIGINT, opening)
	s.interrupt(syscall.SIGTERM, merging)
	release()
	s.load()
}

// interrupter runs loads of one store.
type interrupter struct {
	lineage
	t      *testing.T
	random *rand.Rand
	span   timings // of a run that was not interrupted
}

func (s *interrupter) start() *child {
	return start(s.t, command(s.dest, "--quiet", "--full", "--source", "test="+s.user))
}

// load lets a run end.
func (s *interrupter) load() {
	s.t.Helper()
	c := s.start()
	if c.wait() != 0 {
		s.t.Fatalf("a run after those that were interrupted: %s", c.output.String())
	}
	s.acked++
	s.span = c.timings()
	s.look()
}

// look: the warehouse holds the loads that ended, the publication is that of one of them, and no other file is there.
func (s *interrupter) look() {
	s.t.Helper()
	if left := leftovers(s.t, s.dest); len(left) > 0 {
		s.t.Errorf("left: %v", left)
	}
	if s.acked == 0 {
		return
	}
	now := look(s.t, s.dest.warehouse, s.t.Errorf)
	s.lineage.check(s.t, now, true, s.t.Errorf)
	checkPublication(s.t, &s.lineage, s.t.Errorf)
	checkRaw(s.t, s.dest.warehouse, now, true, s.t.Errorf)
}

// interrupt sends a signal to a run in a phase: when it begins, or at any moment in it.
func (s *interrupter) interrupt(signal syscall.Signal, during phase) {
	t := s.t
	t.Helper()
	before := s.files()
	c := s.start()
	c.await(during)
	c.sleep(time.Duration(s.random.Float64() * float64(s.span.phase[during])))
	sent := time.Now()
	_ = c.cmd.Process.Signal(signal) // it may have ended
	if signal == syscall.SIGHUP {
		c.sleep(time.Millisecond)
		_ = c.cmd.Process.Signal(signal) // a closed terminal may send it twice
	}
	code, took, met := c.wait(), time.Since(sent), c.phase()
	t.Logf("%v in phase %s: exit code %d after %v in phase %s", signal, during, code, took.Round(time.Millisecond), met)
	if took > 10*time.Second { // it takes much less; the machine may be busy
		t.Errorf("%v in phase %s: the run ended only after %v", signal, during, took)
	}
	switch {
	case met >= committed && (code == 0 || code == exitInterrupted):
		s.acked++ // it was too late to undo the load
	case code != exitInterrupted:
		t.Errorf("%v in phase %s: exit code %d: %s", signal, during, code, c.output.String())
	default:
		if diff := cmp.Diff(before, s.files()); diff != "" {
			t.Errorf("%v in phase %s changed the warehouse (-before +after):\n%s", signal, during, diff)
		}
	}
	s.look()
}

// files are the files of the warehouse and its publication, with their hashes. The lock is not compared, nor the log of
// runs, nor the raw layer: what the warehouse does not name in there is no part of it.
func (s *interrupter) files() map[string]string {
	s.t.Helper()
	folder := filepath.Dir(s.dest.warehouse)
	if _, err := os.Stat(s.dest.warehouse); os.IsNotExist(err) {
		return map[string]string{}
	}
	all := files(s.t, folder)
	maps.DeleteFunc(all, func(path, _ string) bool {
		return path == folder || path == s.dest.warehouse+".lock" || path == runlog.Path(s.dest.warehouse) ||
			strings.HasPrefix(path, s.dest.warehouse+".raw")
	})
	return all
}

// TestFileModes: what people typed is for their eyes only, whatever the umask, also while the run goes on.
func TestFileModes(t *testing.T) {
	long(t)
	dir := t.TempDir()
	user, below := filepath.Join(dir, "User"), filepath.Join(dir, "made")
	dest := place{filepath.Join(below, "by", "run", "w.duckdb"), filepath.Join(below, "by", "run", "parquet")}
	must(t, storetest.New(storetest.Options{Seed: 7, Messages: 300}).Write(user))
	seen := map[string]bool{}
	run := func() {
		t.Helper()
		program := command(dest, "--quiet", "--full", "--source", user)
		c := start(t, exec.Command("sh", append([]string{"-c", `umask 022; exec "$0" "$@"`}, program.Args...)...))
		for done := false; !done; {
			select {
			case <-c.ended:
				done = true
			case <-time.After(2 * time.Millisecond):
			}
			modes(t, below, seen)
		}
		if c.wait() != 0 {
			t.Fatalf("exit code %d: %s", c.wait(), c.output.String())
		}
	}
	missing := func(parts ...string) (none []string) {
		for _, part := range parts {
			found := false
			for name := range seen {
				found = found || strings.Contains(name, part)
			}
			if !found {
				none = append(none, part)
			}
		}
		return none
	}
	const tries = 5 // some files live for a few milliseconds only
	run()
	for try := 1; try == 1 || try < tries && len(missing("w.duckdb.wal")) > 0; try++ {
		run()
	}
	defer hold(t, dest.warehouse)()
	for try := 1; try == 1 || try < tries && len(missing("w.duckdb.new-", ".pipeline-tmp-")) > 0; try++ {
		run()
	}
	if none := missing("w.duckdb", "w.duckdb.lock", "w.duckdb.runs", "w.duckdb.new-", "w.duckdb.wal", "loads.parquet",
		"v-00000002", ".pipeline-tmp-"); len(none) > 0 {
		t.Errorf("not seen: %v", none)
	}
	t.Logf("%d files and folders", len(seen))
}

// modes looks at everything below a folder, and the folder itself.
func modes(t *testing.T, dir string, seen map[string]bool) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil { // it is gone again, or not there yet
			return nil
		}
		info, err := d.Info()
		if err != nil || info.Mode().Type() == fs.ModeSymlink {
			return nil
		}
		want := fs.FileMode(0o600)
		if info.IsDir() {
			want = 0o700
		}
		if got := info.Mode().Perm(); got != want && !seen[path] {
			t.Errorf("%s has mode %s", path, fmt.Sprintf("%04o, want %04o", got, want))
		}
		seen[path] = true
		return nil
	})
}
