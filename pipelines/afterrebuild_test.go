package pipelines_test

import (
	"fmt"
	"maps"
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
	homes := map[string]struct {
		write   func(*testing.T, *fixture)
		sources []string
	}{
		"editor": {write: editor, sources: []string{"User"}},
		"odd": {sources: []string{"User"},
			write: func(t *testing.T, l *fixture) { must(t, storetest.NewOdd().Write(l.user)) }},
		"workspace": {sources: []string{"User"}, write: func(t *testing.T, l *fixture) {
			w := sharingUserDir()
			w.noGlobal = true
			w.write(t, l.user)
		}},
		"command-line": {sources: []string{"home/.cursor"}, write: func(t *testing.T, l *fixture) {
			must(t, clitest.Cases().Write(filepath.Join(l.dir, "home", ".cursor")))
		}},
		"transcripts": {sources: []string{"home/.cursor"}, write: func(t *testing.T, l *fixture) {
			must(t, clitest.Spoken().Write(filepath.Join(l.dir, "home", ".cursor")))
		}},
		"year": {sources: []string{"User", yeartest.Dot}, write: func(t *testing.T, l *fixture) {
			must(t, yeartest.Write(l.dir, yeartest.Options{Seed: 1, Messages: 400}))
		}},
		"backups": {sources: []string{"User", "backup/User", "file/state.vscdb", "ws/state.vscdb"},
			write: func(t *testing.T, l *fixture) {
				w := sharingUserDir()
				w.write(t, l.user)
				w.replaced(t, keyA2, "An answer", "Before").write(t, filepath.Join(l.dir, "backup", "User"))
				for from, to := range map[string]string{"globalStorage": "file", "workspaceStorage/ws2": "ws"} {
					must(t, os.CopyFS(filepath.Join(l.dir, to), os.DirFS(filepath.Join(l.user, from))))
				}
			}},
	}
	for _, kept := range []bool{true, false} {
		what := "with the warehouse before it"
		if !kept {
			what = "from the log alone"
		}
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			if !kept {
				long(t)
			}
			l, all := newFixture(t), pipelines.Options{Git: true}
			for _, name := range slices.Sorted(maps.Keys(homes)) { // a folder each, and all in one warehouse
				h := &fixture{t: t, dir: filepath.Join(l.dir, name)}
				h.user = filepath.Join(h.dir, "User")
				homes[name].write(t, h)
				for i, path := range homes[name].sources {
					all.Sources = append(all.Sources,
						resolve(t, fmt.Sprint(name, i, "=", filepath.Join(h.dir, path)))...)
				}
				if dir := filepath.Join(h.dir, yeartest.Usage); name == "year" {
					all.Usage = []extract.UsageFiles{{Dir: dir}}
				}
			}
			how := func(o *pipelines.Options) { o.Sources, o.Usage, o.Git = all.Sources, all.Usage, all.Git }
			l.goesOn(kept, how)
		})
	}
}

// goesOn loads, rebuilds, and loads again three times.
func (l *fixture) goesOn(kept bool, how func(*pipelines.Options)) {
	t := l.t
	t.Helper()
	const stores, families = `SELECT source_id, store, rows_seen > 0 FROM load_stores WHERE load_id = (SELECT max(load_id) FROM loads) ORDER BY ALL`,
		`SELECT source_id, store, family, handling, rows FROM key_families WHERE load_id = (SELECT max(load_id) FROM loads) AND handling IN ('loaded', 'linked') ORDER BY ALL`
	r := l.run(nil, how)
	same(t, "the first status", "ok", r.Status)
	wantStores, wantFamilies := l.ask(stores), l.ask(families)
	rows := l.dump(rebuiltTables()...)
	if !kept {
		must(t, os.Remove(l.warehouse()))
	}
	_, err := pipelines.Rebuild(t.Context(),
		pipelines.Options{Warehouse: l.warehouse(), ToolVersion: "test"}, false)
	must(t, err)
	same(t, "the rows after the rebuild", rows, l.dump(rebuiltTables()...))
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
}
