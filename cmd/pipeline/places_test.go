package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/load/rawlog"
	"pipeline/testdata/gen/storetest"
)

// TestForbiddenPlaces: no output is made among Cursor's files, those of the raw layer, or in the place of what is
// somebody else's: exit code 2, and nothing is read or made.
func TestForbiddenPlaces(t *testing.T) {
	at := t.TempDir()
	home := filepath.Join(t.TempDir(), "home") // a link
	must(t, os.Symlink(at, home))
	t.Setenv("HOME", home)
	w := newCLITest(t)
	w.must(storetest.New(storetest.Options{Seed: 4, Messages: 60}).Write(w.user))
	cursor := filepath.Join(home, ".config", "Cursor", "User") // found without being named
	mine, other, link := filepath.Join(w.dir, "mine"), filepath.Join(w.dir, "other"), filepath.Join(w.dir, "link")
	w.must(os.MkdirAll(filepath.Join(cursor, "globalStorage"), 0o700))
	w.must(os.MkdirAll(filepath.Join(home, ".cursor"), 0o700))
	w.must(os.MkdirAll(filepath.Join(other, "current"), 0o700))
	w.must(os.MkdirAll(mine, 0o700))
	w.must(os.WriteFile(filepath.Join(mine, "current"), []byte("a diary"), 0o600))
	w.must(os.Symlink(filepath.Join(w.user, "globalStorage"), link))
	w.must(os.Symlink(filepath.Join(home, ".cursor"), filepath.Join(mine, "linked.duckdb.raw")))
	raw := rawlog.Dir(w.warehouse)
	run := []string{"run", "--source", "test=" + w.user, "--warehouse", w.warehouse}
	refuse := func(name string, args ...string) {
		before := filesIn(t, w.dir)
		_, said := w.does(exitUsage, args...)
		if !strings.Contains(said, "name another") {
			t.Errorf("%s says %q, want what to do", name, said)
		}
		w.same(name+": the files", before, filesIn(t, w.dir))
	}
	outputs := func(args []string) {
		for name, flags := range map[string][]string{
			"Parquet in the source":        {"--parquet", w.user},
			"Parquet below the source":     {"--parquet", filepath.Join(w.user, "new", "parquet")},
			"Parquet by a link":            {"--parquet", filepath.Join(link, "parquet")},
			"Parquet in Cursor's folder":   {"--parquet", cursor},
			"Parquet in .cursor":           {"--parquet", filepath.Join(home, ".cursor", "parquet")},
			"Parquet in the raw layer":     {"--parquet", raw},
			"a file named current":         {"--parquet", mine},
			"a folder named current":       {"--parquet", other},
			"a report in the source":       {"--report", filepath.Join(w.user, "report.html")},
			"a report in the raw layer":    {"--report", filepath.Join(raw, "test", "report.html")},
			"a log in the source":          {"--log", filepath.Join(w.user, "globalStorage", "log")},
			"a log in Cursor's own folder": {"--log", filepath.Join(cursor, "log")},
		} {
			refuse(name, append(append([]string{}, args...), flags...)...)
		}
	}
	outputs(run)
	warehouses := map[string]string{"in the source": filepath.Join(w.user, "w.duckdb"),
		"beside the store": filepath.Join(w.user, "globalStorage", "w.duckdb"),
		"below the source": filepath.Join(w.user, "new", "w.duckdb"), "by a link": filepath.Join(link, "w.duckdb"),
		"in .cursor":                    filepath.Join(home, ".cursor", "w.duckdb"),
		"in .cursor by another path":    filepath.Join(at, ".cursor", "w.duckdb"),
		"in .cursor-server":             filepath.Join(at, ".cursor-server", "w.duckdb"),
		"with its raw layer in .cursor": filepath.Join(mine, "linked.duckdb"), "in place of the store": w.global(),
		"in place of a copy of it": filepath.Join(mine, "state.vscdb")}
	store2, err := os.ReadFile(w.global())
	w.must(err)
	w.must(os.WriteFile(filepath.Join(mine, "state.vscdb"), store2, 0o600))
	for name, path := range warehouses {
		for _, command := range []string{"run", "rebuild", "search the"} {
			args := append(strings.Fields(command), "--warehouse", path)
			if command == "run" {
				args = append(args, "--source", "test="+w.user, "--log", "none")
			}
			refuse("a warehouse "+name+", "+command, args...)
		}
	}
	if _, err := os.Stat(w.warehouse); err == nil {
		t.Error("a warehouse was made")
	}
	w.does(0, append(run, "--quiet", "--parquet", filepath.Join(w.dir, "parquet"))...)
	for name, args := range map[string][]string{
		"export parquet to Cursor's folder": {"export", "parquet", cursor},
		"export parquet to the raw layer":   {"export", "parquet", raw},
		"export parquet over a file":        {"export", "parquet", mine},
		"export conversations": {"export", "conversations", "--format", "markdown", "--out",
			filepath.Join(cursor, "chats")},
		"export conversations to a file": {"export", "conversations", "--format", "jsonl", "--output",
			filepath.Join(raw, "chats.jsonl")},
		"export parquet to a source": {"export", "parquet", filepath.Join(w.user, "parquet")},
		"export conversations to a source": {"export", "conversations", "--format", "markdown", "--out",
			filepath.Join(w.user, "chats")},
		"report": {"report", "--output", filepath.Join(cursor, "report.html")},
		"sql": {"sql", "--format", "csv", "--output",
			filepath.Join(home, ".cursor", "out.csv"), "SELECT 1"},
	} {
		refuse(name, append(args, "--warehouse", w.warehouse)...)
	}
	if text, err := os.ReadFile(filepath.Join(mine, "current")); err != nil || string(text) != "a diary" {
		t.Errorf("the person's file: %q, %v", text, err)
	}
	w.runs(0, "export", "parquet", filepath.Join(w.dir, "parquet"), "--warehouse", w.warehouse) // current is ours
}
