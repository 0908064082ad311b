package pipelines_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pipeline/extract"
	"pipeline/extract/clitest"
	"pipeline/pipelines"
)

// spokenHome is the home directory of one user: an editor's folder, and a .cursor.
type spokenHome struct {
	*fixture
	dot string
}

func newSpokenHome(t *testing.T) *spokenHome {
	l := newFixture(t)
	l.user = filepath.Join(l.dir, "home", ".config", "Cursor", "User")
	return &spokenHome{l, filepath.Join(l.dir, "home", ".cursor")}
}

// write makes both agree with a description.
func (s *spokenHome) write(home *clitest.Home) {
	s.t.Helper()
	must(s.t, home.Write(s.dot))
	w := &userDir{rows: map[string]any{}, workspaces: map[string]folder{}}
	for _, id := range slices.Sorted(maps.Keys(home.Editor)) {
		quoted, err := json.Marshal(id)
		must(s.t, err)
		w.rows["composerData:"+id] = `{"_v":13,"composerId":` + string(quoted) + `,"name":"In the editor","createdAt":1760000000000,"fullConversationHeadersOnly":[{"bubbleId":"b","type":1}]}`
		w.rows["bubbleId:"+id+":b"] = `{"_v":2,"type":1,"bubbleId":"b","text":"Question"}`
	}
	w.write(s.t, s.user)
}

// both reads the home, whatever the order in which its sources are found.
func (s *spokenHome) both(o *pipelines.Options) {
	found, err := extract.Resolve(filepath.Dir(s.dot), extract.Env{OS: "linux"})
	must(s.t, err)
	slices.Reverse(found)
	o.Sources, o.AcceptDeletes = found, true
}

// TestTranscripts: every row of the transcripts of a home is as the generator says.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	homes := map[string]*clitest.Home{"cases": clitest.Spoken()}
	for seed := range uint64(4) {
		homes[fmt.Sprint("seed ", seed)] = clitest.RandomSpoken(seed)
	}
	for name, home := range homes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSpokenHome(t)
			s.write(home)
			if r := s.run(nil, s.both); r.Status != "ok" {
				t.Errorf("status %s: %v", r.Status, r.Errors())
			}
			wantCLI(t, s.fixture, home)
		})
	}
}

// TestTranscriptNights: after each of ten nights the rows are those that the generator says, and after a rebuild they are the same.
func TestTranscriptNights(t *testing.T) {
	t.Parallel()
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 29))
			home, s := clitest.RandomSpoken(seed), newSpokenHome(t)
			for night := range 10 {
				s.write(home)
				s.run(nil, s.both)
				wantCLI(t, s.fixture, home)
				if t.Failed() {
					t.Fatalf("night %d", night)
				}
				home.SpokenNight(r, night)
			}
			tables := append(slices.Clone(contentTables), "conversation_sources", "quarantine")
			before := s.dumpSources(tables...)
			_, err := pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: s.warehouse(), ToolVersion: "test"}, false)
			must(t, err)
			for name, rows := range s.dumpSources(tables...) {
				same(t, name, before[name], rows)
			}
		})
	}
}

// old makes all files of a home so old that their times tell whether they have changed.
func (s *spokenHome) old() {
	at := time.Now().Add(-time.Hour)
	must(s.t, filepath.WalkDir(s.dot, func(path string, _ fs.DirEntry, err error) error { return errors.Join(err, os.Chtimes(path, at, at)) }))
}
