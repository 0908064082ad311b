//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"pipeline/load/maintain"
	"pipeline/load/reader"
	"pipeline/load/tool/failpoint"
	"pipeline/load/versions"
	"pipeline/testdata/gen/night"
)

// A pruneFixture has a warehouse of two loads whose file is half free, and what is in it.
type pruneFixture struct {
	*faultFixture
	before place
	tables string // rows and hash of each table that housekeeping leaves as it is
	all    string // versions in the raw layer
	key    string // of a row with two versions
}

// newPruneFixture makes it out of a faultFixture.
func newPruneFixture(t *testing.T, fixture *faultFixture) *pruneFixture {
	t.Helper()
	h := &pruneFixture{faultFixture: fixture.within(t)}
	h.before = h.newPlace(false)
	h.before.parquet = ""
	h.mustRun(h.before)
	must(t, execDuckDB(h.before.warehouse, `CREATE TABLE filler AS SELECT hash(range) AS h FROM range(1500000);
		CHECKPOINT; DROP TABLE filler; CHECKPOINT`))
	h.tables, h.all = h.unchanging(h.before), h.versions(h.before)
	answer, err := reader.Query(t.Context(), h.before.warehouse,
		`SELECT key FROM internal._known_rows GROUP BY key HAVING count(*) = 2 ORDER BY key LIMIT 1`)
	if err != nil || len(answer.Rows) == 0 {
		t.Fatal("no row has two versions: ", err)
	}
	h.key = reader.Text(answer.Rows[0][0])
	return h
}

// copied is the warehouse in a folder of its own.
func (h *pruneFixture) copied() place {
	h.t.Helper()
	dir := h.t.TempDir()
	must(h.t, os.CopyFS(dir, os.DirFS(filepath.Dir(h.before.warehouse))))
	return place{warehouse: filepath.Join(dir, "w.duckdb")}
}

func (h *pruneFixture) unchanging(p place) string {
	h.t.Helper()
	return unchangingOf(look(h.t, p.warehouse, h.t.Errorf))
}

func unchangingOf(s *state) string {
	lines := slices.DeleteFunc(strings.SplitAfter(s.kept, "\n"), func(line string) bool {
		return strings.HasPrefix(line, "_known_rows ") || strings.HasPrefix(line, "_raw_parts ")
	})
	return strings.Join(lines, "")
}

func (h *pruneFixture) does(p place, want int, args ...string) {
	h.t.Helper()
	if code, out := output(h.t, program(append(args, "--warehouse", p.warehouse)...)); code != want {
		h.t.Errorf("%q: exit code %d: %s", args, code, out)
	}
}

// told is how many versions of a row 'pipeline history' tells of, which reads nothing but the files.
func (h *pruneFixture) told(p place) int {
	h.t.Helper()
	history, err := versions.OpenHistory(h.t.Context(), p.warehouse)
	must(h.t, err)
	defer history.Close()
	rows, err := history.Rows(h.t.Context(), versions.RowFilter{Name: h.key})
	if err != nil || len(rows) != 1 {
		h.t.Fatalf("%d rows of %s: %v", len(rows), h.key, err)
	}
	return len(rows[0].Versions)
}

// files are those of the raw layer.
func (h *pruneFixture) files(p place) (n int) {
	h.t.Helper()
	names, err := filepath.Glob(filepath.Join(p.warehouse+".raw", "*", "*"))
	must(h.t, err)
	return len(names)
}

// testHouse kills housekeeping at each of its moments. What is left is whole, also for who reads nothing but the raw
// layer, and the next run, or the same command again, ends what was begun: every version is there once.
func testHouse(t *testing.T, fixture *faultFixture) {
	h := newPruneFixture(t, fixture)
	for i, point := range maintain.Failpoints() {
		t.Run("prune/"+string(point), func(t *testing.T) {
			h.killed(t, point, []string{"prune", "--apply"}, i%2 == 0)
		})
	}
	t.Run("prune/a reader holds it", func(t *testing.T) { h.held(t) })
}

func (h *pruneFixture) killed(t *testing.T, point failpoint.Point, args []string, again bool) {
	own := *h
	h, own.faultFixture = &own, h.within(t)
	p := h.copied()
	cmd := exec.Command("pipeline", append(args, "--warehouse", p.warehouse)...)
	cmd.Env = append(os.Environ(), "PIPELINE_FAILPOINT="+string(point)+"=kill")
	if code, out := output(t, cmd); code >= 0 {
		t.Fatalf("exit code %d, want it killed: %s", code, out)
	}
	if now := h.unchanging(p); now != h.tables {
		t.Errorf("the tables are\n%s\nwant\n%s", now, h.tables)
	}
	if n := h.told(p); n != 2 {
		t.Errorf("history tells of %d versions", n)
	}
	if again {
		h.does(p, 0, args...)
	} else {
		code, out := output(t, command(p, "--source", "test="+h.user))
		if code != 0 || strings.Contains(out, "warning") || !strings.Contains(out, " 0 new, 0 changed, 0 deleted") {
			t.Errorf("the next run: exit code %d: %s", code, out)
		}
	}
	end := look(t, p.warehouse, t.Errorf)
	if now := unchangingOf(end); again && now != h.tables {
		t.Errorf("in the end the tables are\n%s\nwant\n%s", now, h.tables)
	}
	if got := h.versions(p); got != h.all {
		t.Errorf("in the end the raw layer holds %s, want %s", got, h.all)
	}
	if n := h.told(p); n != 2 {
		t.Errorf("in the end history tells of %d versions", n)
	}
	checkRaw(t, p.warehouse, end, true, t.Errorf)
	if left := leftovers(t, p); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	if named := len(end.raw); h.files(p) != named || again && named != 1 {
		t.Errorf("the raw layer has %d files, %d are named", h.files(p), named)
	}
	if night.On() || point == "after-merge-name" {
		h.does(p, 0, "check", "--deep")
	}
}

// held: who holds the warehouse keeps what it was; a run under way is left alone.
func (h *pruneFixture) held(t *testing.T) {
	own := *h
	h, own.faultFixture = &own, h.within(t)
	p := h.copied()
	reader, err := os.Open(p.warehouse)
	must(t, err)
	defer reader.Close()
	content, err := io.ReadAll(reader)
	must(t, err)
	before, err := reader.Stat()
	must(t, err)
	release := hold(t, p.warehouse)
	h.does(p, 0, "prune", "--apply")
	if now, err := io.ReadAll(io.NewSectionReader(reader, 0, before.Size()+1)); err != nil ||
		!bytes.Equal(now, content) {
		t.Errorf("what the reader holds is not as it was: %v", err)
	}
	release()
	after, err := os.Stat(p.warehouse)
	if err != nil || os.SameFile(before, after) || after.Size() >= before.Size()*2/3 {
		t.Errorf("the file has %d bytes, and had %d: %v", after.Size(), before.Size(), err)
	}
	if now := h.unchanging(p); now != h.tables {
		t.Errorf("the tables are\n%s\nwant\n%s", now, h.tables)
	}
	if got := h.versions(p); got != h.all || h.files(p) != 1 {
		t.Errorf("the raw layer holds %s in %d files, want %s", got, h.files(p), h.all)
	}
	lock := flock.New(p.warehouse + ".lock")
	if held, err := lock.TryLock(); err != nil || !held {
		t.Fatalf("the lock is not free: %v", err)
	}
	h.does(p, 75, "prune", "--apply")
	must(t, lock.Unlock())
}
