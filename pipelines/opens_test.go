package pipelines_test

import (
	"go/ast"
	"maps"
	"path"
	"slices"
	"testing"
)

// readers are the packages that may open a file of a source, and the only files of theirs that ask the system
// themselves, each with the reason. Windows' own ways to open and to rename need more than package os does.
var (
	readers = []string{"extract", "transform", "pipelines/doctor", "pipelines/plan", "pipelines/raw",
		"pipelines/shape", "cmd/pipeline/internal/places"}
	ownOpens = map[string]string{"extract/open_other.go": "the one open function",
		"extract/open_windows.go": "the one open function",
		"extract/processes.go":    "it reads what Linux tells of processes"}
	ownRenames = map[string]string{
		"load/tool/atomicfile/move.go":       "the one rename",
		"cmd/pipeline/internal/hooks/log.go": "Cursor waits for the hook, and the next call may rename it",
		"cmd/pipeline/exportwriting.go":      "it renames in a root, within atomicfile.Retry",
		"cmd/bench/store.go":                 "it measures, and is no part of the program",
		"testdata/gen/editortest/storage.go": "a second opinion shares no code with what it judges",
	}
)

// TestOneOpen: a file of a source is opened by extract.OpenShared, so that the editor may remove it meanwhile, on
// Windows, too. os.OpenFile makes private copies.
func TestOneOpen(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	eachUse(t, "os", func(file, where, name string) {
		if slices.Contains([]string{"Open", "ReadDir", "ReadFile", "DirFS", "OpenInRoot", "OpenRoot"}, name) &&
			slices.Contains(readers, path.Dir(file)) {
			seen[file] = true
			if ownOpens[file] == "" {
				t.Errorf("%s uses os.%s: a file of a source is opened by extract.OpenShared, and a folder is listed "+
					"by listFolder", where, name)
			}
		}
	})
	for file := range ownOpens {
		if !seen[file] && path.Base(file) != "open_windows.go" {
			t.Errorf("%s opens nothing itself", file)
		}
	}
}

// TestOneRename: atomicfile renames, as on Windows a rename is tried more than once.
func TestOneRename(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	eachUse(t, "", func(file, where, name string) {
		if name == "Rename" {
			seen[file] = true
			if ownRenames[file] == "" {
				t.Errorf("%s renames: atomicfile.Move and atomicfile.Rename do that", where)
			}
		}
	})
	for file := range ownRenames {
		if !seen[file] {
			t.Errorf("%s renames nothing itself", file)
		}
	}
}

// TestFewSyncs: what is synced again and again beside the editor is flushed only, as on macOS its own syncs wait for
// each full one. Private copies need none, and a new warehouse needs one, the last.
func TestFewSyncs(t *testing.T) {
	t.Parallel()
	got := map[string]int{}
	eachUse(t, "", func(file, _, name string) {
		if name == "Sync" && (path.Dir(file) == "extract" || file == "load/warehouse/place.go") {
			got[file]++
		}
	})
	if want := map[string]int{"load/warehouse/place.go": 1}; !maps.Equal(got, want) {
		t.Errorf("full syncs: %v, want %v; atomicfile.Flush is for all others", got, want)
	}
}

// eachUse calls f for each name that is taken from a package; "" means from anything but package atomicfile.
func eachUse(t *testing.T, from string, f func(file, where, name string)) {
	t.Helper()
	for _, s := range goFiles(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				x, plain := sel.X.(*ast.Ident)
				if from == "" && !(plain && x.Name == "atomicfile") || plain && x.Name == from {
					f(s.name, s.set.Position(n.Pos()).String(), sel.Sel.Name)
				}
			}
			return true
		})
	}
}
