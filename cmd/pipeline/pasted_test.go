package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLineFor: the command after a run fits a terminal of 80 columns where its path lets it, and a shell that is given
// it finds the warehouse.
func TestLineFor(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	here := filepath.Join(home, "some", "where")
	must(t, os.MkdirAll(here, 0o700))
	t.Setenv("HOME", home)
	t.Chdir(here)
	long := strings.Repeat("long", 10)
	for _, c := range []struct{ path, want string }{
		{defaultWarehouse(), `pipeline answers`},
		{filepath.Join(here, "w.duckdb"), `pipeline answers --warehouse w.duckdb`},
		{filepath.Join(here, "-w.duckdb"), "pipeline answers --warehouse ~/some/where/-w.duckdb"},
		{filepath.Join(home, "w.duckdb"), `pipeline answers --warehouse ~/w.duckdb`},
		{"/w.duckdb", `pipeline answers --warehouse /w.duckdb`},
		{filepath.Join(home, "my chats", "it's.duckdb"),
			"pipeline answers --warehouse ~/'my chats/it'\\''s.duckdb'"},
		{"/" + long + "/w.duckdb", "pipeline answers \\\n           --warehouse /" + long +
			"/w.duckdb"},
	} {
		line := lineFor("pipeline answers", c.path, len("Ask it:    "))
		if line != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.path, line, c.want)
		}
		for _, part := range strings.Split("Ask it:    "+line, "\n") {
			if len(part) > askColumns {
				t.Errorf("%d columns: %s", len(part), part)
			}
		}
		shell, err := exec.LookPath("sh")
		if err != nil {
			continue
		}
		said, err := exec.Command(shell, "-c", `pipeline() { printf '%s\n' "$@"; }; `+line).CombinedOutput()
		want := "\n" + c.path + "\n"
		if filepath.Dir(c.path) == here && !strings.Contains(line, "~") {
			want = "\n" + filepath.Base(c.path) + "\n"
		}
		if err != nil || c.path != defaultWarehouse() && !strings.Contains(string(said), want) {
			t.Errorf("a shell reads %q of %s: %v", said, line, err)
		}
	}
}
