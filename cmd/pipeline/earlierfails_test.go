//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load/failpoint"
	"pipeline/load/warehouse"
)

// migrationsFail kills a run that migrates a warehouse at each failpoint that it comes to before it loads, or has it meet an error there. The
// warehouse is then of the earlier version and as it was, or of this one with the same rows; the next run makes of it what an undisturbed one does.
func migrationsFail(t *testing.T, binary string) {
	store := readEarlierStore(t)
	fresh := &earlier{cliTest: newCLITest(t)}
	store.write(t, fresh.user, store.states())
	fresh.run(0, "--quiet")
	want := fresh.holds()
	all := warehouse.Failpoints()
	points := ofMigrations
	if os.Getenv("PIPELINE_ENDURANCE") != "" {
		points = slices.Concat([]failpoint.Point{"before-copy", "after-copy"}, ofMigrations, []failpoint.Point{"before-commit"})
	}
	for i, point := range points {
		for k, action := range []string{"kill", "error"} {
			if os.Getenv("PIPELINE_ENDURANCE") == "" && k != i%2 {
				continue
			}
			t.Run(string(point)+"/"+action, func(t *testing.T) {
				e := newEarlier(t, fresh.user, 1)
				e.fails(binary, point, action)
				after := func(p failpoint.Point) bool { return slices.Index(all, point) >= slices.Index(all, p) }
				e.isLeft(after("after-kept"), after("after-migrated"), action == "kill")
				e.run(0, "--quiet")
				e.same("what the warehouse holds after the next run", want, e.holds())
				e.keepsDeleted()
				e.isLeft(true, true, false)
			})
		}
	}
}

// fails runs the program until it comes to a failpoint.
func (e *earlier) fails(binary string, point failpoint.Point, action string) {
	e.t.Helper()
	cmd := exec.Command(binary, "run", "--source", "old="+e.user, "--warehouse", e.warehouse)
	cmd.Env = append(os.Environ(), "PIPELINE_FAILPOINT="+string(point)+"="+action)
	code, said := output(e.t, cmd)
	switch {
	case action == "kill" && code >= 0:
		e.t.Fatalf("exit code %d, want it killed: %s", code, said)
	case action == "error" && (code != exitFailed || !strings.Contains(said, "failpoint "+string(point))):
		e.t.Errorf("exit code %d, want %d and a message that names the cause: %s", code, exitFailed, said)
	}
}

// isLeft: the warehouse is migrated or as it was, its copy is there or not, and nothing is half of either.
func (e *earlier) isLeft(kept, migrated, killed bool) {
	e.t.Helper()
	version := e.ask(`SELECT value FROM _meta WHERE key = 'schema_version'`)[0][0]
	switch {
	case !migrated:
		e.same("the warehouse", e.before, e.tables(e.warehouse))
	case version == "1":
		e.t.Error("the warehouse is not migrated")
	default:
		e.same("the kept messages", "9", e.ask(`SELECT count(*) FROM messages`)[0][0])
	}
	if _, err := os.Stat(e.copy); errors.Is(err, os.ErrNotExist) == kept {
		e.t.Errorf("the copy: %v", err)
	} else if kept {
		e.same("the copy", e.before, e.tables(e.copy))
	}
	left := leftovers(e.t, placeIn(filepath.Dir(e.warehouse)))
	left = slices.DeleteFunc(left, func(name string) bool {
		return filepath.Base(e.copy) == name || killed || migrated && strings.HasSuffix(name, ".wal")
	})
	if len(left) > 0 {
		e.t.Errorf("there is %v", left)
	}
}
