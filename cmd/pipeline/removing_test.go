package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRemoving: what install.md says removes all that can be made again, and neither the history nor a line of anybody
// else.
func TestRemoving(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(installing)))
	must(t, err)
	_, section, _ := strings.Cut(string(text), "\n## Removing\n")
	blocks, err := fences(section)
	if err != nil || len(blocks) != 1 {
		t.Fatalf("%d blocks: %v", len(blocks), err)
	}
	d := newDocHome(t)
	d.sh(t, `mkdir -p ~/.cursor ~/.local/state/pipeline
echo '{"version": 1, "hooks": {"stop": [{"command": "./mine.sh"}]}}' > ~/.cursor/hooks.json
pipeline demo --out ~/.config/Cursor
pipeline run nightly --quiet --log ~/.local/state/pipeline/pipeline.log
pipeline search migration
TMPDIR=/var/tmp pipeline hook install`)
	home := filepath.Dir(d.dir)
	there := func() (names []string) {
		for _, name := range []string{
			".local/share/pipeline/warehouse.duckdb", ".local/share/pipeline/warehouse.duckdb.raw",
			".config/Cursor/User/globalStorage/state.vscdb", ".local/share/pipeline/warehouse.duckdb.search",
			".local/share/pipeline/warehouse.duckdb.runs", ".local/share/pipeline/parquet", ".local/state/pipeline",
		} {
			if _, err := os.Stat(filepath.Join(home, name)); err == nil {
				names = append(names, name)
			}
		}
		return names
	}
	if names := there(); len(names) != 7 {
		t.Fatalf("before there are only %q", names)
	}
	d.sh(t, blocks[0].body)
	if names := there(); len(names) != 3 || !strings.Contains(names[2], "state.vscdb") {
		t.Errorf("left are %q", names)
	}
	hooks, err := os.ReadFile(filepath.Join(home, ".cursor", "hooks.json"))
	if err != nil || !strings.Contains(string(hooks), "./mine.sh") || strings.Contains(string(hooks), "pipeline") {
		t.Errorf("%s %v", hooks, err)
	}
	d.sh(t, "pipeline check --deep")
}
