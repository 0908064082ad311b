package pipelines_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pipeline/extract"
	"pipeline/load/inspect"
	"pipeline/pipelines"
	"pipeline/testdata/gen/clitest"
	"pipeline/testdata/gen/storetest"
	"pipeline/testdata/gen/yeartest"
)

// TestRunsAfterRebuild: after a rebuild, with the warehouse that it replaces and without one, every run goes on as
// before, whatever kind of source there is, and the warehouse says what was read of each store.
func TestRunsAfterRebuild(t *testing.T) {
	t.Parallel()
	editor := func(t *testing.T, l *fixture) {
		must(t, storetest.New(storetest.Options{Seed: 7, Messages: 60}).Write(l.user))
	}
	also := func(paths ...string) func(*testing.T, *fixture, *pipelines.Options) {
		return func(t *testing.T, l *fixture, o *pipelines.Options) {
			for i, path := range paths {
				o.Sources = append(o.Sources, resolve(t, fmt.Sprint("other", i, "=", filepath.Join(l.dir, path)))...)
			}
		}
	}
	homes := map[string]struct {
		write   func(*testing.T, *fixture)
		sources func(*testing.T, *fixture, *pipelines.Options)
		alone   bool // without the user directory of the editor
	}{
		"editor": {write: editor},
		"odd":    {write: func(t *testing.T, l *fixture) { must(t, storetest.NewOdd().Write(l.user)) }},
		"workspace": {write: func(t *testing.T, l *fixture) {
			w := sharingUserDir()
			w.noGlobal = true
			w.write(t, l.user)
		}},
		"command line": {alone: true, sources: also("home/.cursor"), write: func(t *testing.T, l *fixture) {
			must(t, clitest.Cases().Write(filepath.Join(l.dir, "home", ".cursor")))
		}},
		"transcripts": {alone: true, sources: also("home/.cursor"), write: func(t *testing.T, l *fixture) {
			must(t, clitest.Spoken().Write(filepath.Join(l.dir, "home", ".cursor")))
		}},
		"year": {sources: also(yeartest.Dot), write: func(t *testing.T, l *fixture) {
			must(t, yeartest.Write(l.dir, yeartest.Options{Seed: 1, Messages: 400}))
		}},
		"backups": {sources: also("backup/User", "file/state.vscdb", "ws/state.vscdb"),
			write: func(t *testing.T, l *fixture) {
				w := sharingUserDir()
				w.write(t, l.user)
				w.replaced(t, keyA2, "An answer", "Before").write(t, filepath.Join(l.dir, "backup", "User"))
				for from, to := range map[string]string{"globalStorage": "file", "workspaceStorage/ws2": "ws"} {
					must(t, os.CopyFS(filepath.Join(l.dir, to), os.DirFS(filepath.Join(l.user, from))))
				}
			}},
	}
	for name, home := range homes {
		for _, kept := range []bool{true, false} {
			what := name
			if !kept {
				what += ", from the log alone"
			}
			if testing.Short() && (kept != (name == "year") ||
				name == "editor" || name == "odd" || name == "command line") {
				continue // make test-all takes all
			}
			t.Run(what, func(t *testing.T) {
				t.Parallel()
				l := newFixture(t)
				home.write(t, l)
				how := func(o *pipelines.Options) {
					if home.alone {
						o.Sources = nil
					}
					if home.sources != nil {
						home.sources(t, l, o)
					}
					if _, err := os.Stat(filepath.Join(l.dir, yeartest.Usage)); err == nil {
						o.Usage = []extract.UsageFiles{{Dir: filepath.Join(l.dir, yeartest.Usage)}}
						o.Git = true
					}
				}
				const stores, families = `SELECT source_id, store, rows_seen > 0 FROM load_stores WHERE load_id = (SELECT max(load_id) FROM loads) ORDER BY ALL`,
					`SELECT source_id, store, family, handling, rows FROM key_families WHERE load_id = (SELECT max(load_id) FROM loads) AND handling IN ('loaded', 'linked') ORDER BY ALL`
				r := l.run(nil, how)
				same(t, "the first status", "ok", r.Status)
				wantStores, wantFamilies := l.ask(stores), l.ask(families)
				if !kept {
					must(t, os.Remove(l.warehouse()))
				}
				_, err := pipelines.Rebuild(t.Context(),
					pipelines.Options{Warehouse: l.warehouse(), ToolVersion: "test"}, false)
				must(t, err)
				l.checked("after the rebuild")
				if kept {
					same(t, "the stores after the rebuild", wantStores, l.ask(stores))
					same(t, "the families after the rebuild", wantFamilies, l.ask(families))
				}
				inLog := func(rows [][]string) [][]string {
					// the log has no empty store, and of a family no row that is read only where another leads to it
					return slices.DeleteFunc(slices.Clone(rows), func(row []string) bool {
						return row[len(row)-1] == "false" || slices.Contains(row, extract.FamilyNode) ||
							slices.Contains(row, "0")
					})
				}
				same(t, "the stores that the log has", inLog(wantStores), inLog(l.ask(stores)))
				same(t, "the families that the log has", inLog(wantFamilies), inLog(l.ask(families)))
				for _, change := range []func(*pipelines.Options){func(*pipelines.Options) {},
					func(*pipelines.Options) {}, full} {
					r := l.run(nil, how, change)
					same(t, "the status", "ok", r.Status)
					same(t, "the errors", 0, len(r.Errors()))
					same(t, "the stores", wantStores, l.ask(stores))
				}
				l.checked("after the runs")
				look, err := inspect.Warehouse(t.Context(), l.warehouse())
				must(t, err)
				same(t, "stores that doctor calls incomplete", 0, len(look.Incomplete))
			})
		}
	}
}
