package pipelines_test

import (
	"os"
	"path/filepath"
	"testing"

	"pipeline/load/push"
)

// litter puts into a store what other programs leave in a folder that is shared: files that are none of Parquet, and
// copies of objects and of folders.
func (m *team) litter() {
	m.t.Helper()
	at := func(parts ...string) string { return filepath.Join(append([]string{m.dir, push.Root}, parts...)...) }
	first := func(pattern string) string {
		m.t.Helper()
		found, err := filepath.Glob(at(pattern))
		must(m.t, err)
		if len(found) == 0 {
			m.t.Fatalf("nothing is %s", pattern)
		}
		return found[0]
	}
	machine := first("machine=*")
	folder, commit := first("machine=*/push=*"), first("machine=*/commit/*.parquet")
	for _, copied := range []string{folder + " (conflicted copy)", folder + " 2",
		filepath.Join(filepath.Dir(folder), "._"+filepath.Base(folder))} {
		must(m.t, os.CopyFS(copied, os.DirFS(folder)))
	}
	for _, copied := range []string{machine + " - Copy", machine + ".bak"} {
		must(m.t, os.CopyFS(copied, os.DirFS(machine)))
	}
	text, err := os.ReadFile(commit)
	must(m.t, err)
	must(m.t, os.WriteFile(commit[:len(commit)-len(".parquet")]+" (1).parquet", text, 0o600))
	for _, garbage := range []string{
		filepath.Join(filepath.Dir(commit), "._"+filepath.Base(commit)),
		filepath.Join(filepath.Dir(commit), "conflicted.parquet"), filepath.Join(filepath.Dir(commit), ".DS_Store"),
		commit + ".part", filepath.Join(folder, "._messages.parquet"), filepath.Join(folder, "messages (1).parquet"),
		filepath.Join(folder, "messages.parquet.part"), at("machine=readme.parquet"), at("._machine=x"),
	} {
		must(m.t, os.WriteFile(garbage, []byte("no rows at all"), 0o600))
	}
}

// TestLakeStrangeFiles: every engine reads a store in which other programs have left files and copies of folders as
// before, and a push goes on.
func TestLakeStrangeFiles(t *testing.T) {
	long(t)
	m := newTeam(t)
	m.push(m.a, baseUserDir())
	m.push(m.b, baseUserDir().without(keyA3))
	m.litter()
	m.readsByDuckDB("copies beside")
	m.push(m.a, baseUserDir().without(keyBeta, keyB1, keyB2))
	m.readsByDuckDB("after one push more")
	m.in(t, "clickhouse", func() {
		views, err := push.Views("clickhouse", m.place)
		must(m.t, err)
		m.readsFrom("ClickHouse", inEngine(m.t, "clickhouse", views, allOf(""), "")+"/%s.parquet")
	})
	m.in(t, "clickhouse keeps", func() {
		keeper :=
			&keeper{m, m.t.TempDir()}
		keeper.load("tables", keeper.statements())
	})
	for _, name := range []string{"duckdb", "spark"} {
		m.in(t, name, func() {
			needs(m.t, name)
			folder := m.t.TempDir()
			tables, err := push.Tables(name, folder, m.place)
			must(m.t, err)
			inEngine(m.t, name, tables, nil, "")
			m.readsFrom(name, folder+"/%s/*.parquet")
		})
	}
}
