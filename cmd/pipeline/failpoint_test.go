//go:build unix

package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pipeline/load/tool/failpoint"
	"pipeline/load/warehouse"
	"pipeline/testdata/gen/night"
)

// situations of a load.
const (
	firstLoad = "first"
	laterLoad = "later"
	heldLoad  = "held" // a reader has the warehouse open
)

// unreached are the failpoints that a load does not come to.
func unreached(situation string) []failpoint.Point {
	switch situation {
	case firstLoad:
		return []failpoint.Point{"before-copy", "after-copy"}
	case laterLoad:
		return []failpoint.Point{"before-copy", "after-copy", "before-place", "after-place"}
	}
	return nil
}

// onePerPhase are failpoints of the phases of a load: rows are appended, raw files named, all is committed, a new file
// placed, Parquet published.
var onePerPhase = []failpoint.Point{"after-appends", "after-raw-name", "after-commit", "before-place", "before-switch"}

// TestFailpoints kills a run at each failpoint, or has it meet an error there. Whatever it leaves is the state before
// or the new one, whole, and the next run makes the same of it as a first load does.
func TestFailpoints(t *testing.T) {
	t.Parallel()
	fixture := newFaultFixture(t, false)
	n := 0
	for i, situation := range []string{firstLoad, laterLoad, heldLoad} {
		for j, point := range ofLoads() {
			actions := []string{"kill", "error"}
			if !night.On() {
				// A sample has every other failpoint kill and the others fail, in one situation each.
				if i != inSample(point, j/4) {
					continue
				}
				if testing.Short() {
					if j = slices.Index(onePerPhase, point); j < 0 {
						continue // make test-all tries them
					}
				}
				actions = actions[j%2:][:1]
			}
			for _, action := range actions {
				if slices.Contains(unreached(situation), point) {
					continue
				}
				n++
				t.Run(situation+"/"+string(point)+"/"+action,
					func(t *testing.T) { fixture.at(t, situation, point, action) })
			}
		}
	}
	t.Logf("%d runs failed at %d failpoints", n, len(ofLoads()))
	if testing.Short() {
		return
	}
	t.Run("housekeeping", func(t *testing.T) { testHouse(t, fixture) })
	t.Run("addition", additionsFail)
}

// ofAdditions are the failpoints that only a run comes to that adds tables or columns.
var ofAdditions = []failpoint.Point{"before-kept", "after-kept", "before-migrated", "after-migrated"}

// ofLoads are those that loads come to.
func ofLoads() []failpoint.Point {
	return slices.DeleteFunc(warehouse.Failpoints(),
		func(p failpoint.Point) bool { return slices.Contains(ofAdditions, p) })
}

// inSample is the n-th of the situations in which a load comes to a failpoint.
func inSample(point failpoint.Point, n int) int {
	var in []int
	for i, situation := range []string{firstLoad, laterLoad, heldLoad} {
		if !slices.Contains(unreached(situation), point) {
			in = append(in, i)
		}
	}
	return in[n%len(in)]
}

// at fails one run at one failpoint.
func (fixture *faultFixture) at(t *testing.T, situation string, point failpoint.Point, action string) {
	fixture = fixture.within(t)
	l := left{first: situation == firstLoad, killed: action == "kill"}
	h := fixture.newPlace(l.first)
	release := func() {}
	if situation == heldLoad {
		release = hold(t, h.warehouse)
	}
	cmd := command(h, fixture.args()...)
	cmd.Env = append(os.Environ(), "PIPELINE_FAILPOINT="+string(point)+"="+action)
	l.code, l.output = output(t, cmd)
	switch {
	case l.code == 0:
		t.Fatal("the run did not come to the failpoint")
	case l.killed && l.code >= 0:
		t.Fatalf("exit code %d, want it killed: %s", l.code, l.output)
	case !l.killed && (l.code != exitFailed || !strings.Contains(l.output, "failpoint "+string(point))):
		t.Errorf("exit code %d, want %d and a message that names the cause: %s", l.code, exitFailed, l.output)
	}
	loadedNow := fixture.judge(h, l, t.Errorf)
	if want := fixture.isIn(situation, point); loadedNow != want {
		t.Errorf("the load is in the warehouse: %t, want %t", loadedNow, want)
	}
	release()
	fixture.converge(h, l.first, t.Errorf)
}

// isIn reports that a load is in the warehouse if it fails at a failpoint: one that goes into the file itself when it
// is committed, one that goes into a new file when that has its place.
func (fixture *faultFixture) isIn(situation string, point failpoint.Point) bool {
	from := failpoint.Point("after-commit")
	if situation != laterLoad {
		from = "after-place"
	}
	return slices.Index(warehouse.Failpoints(), point) >= slices.Index(warehouse.Failpoints(), from)
}
