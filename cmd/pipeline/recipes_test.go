package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pipeline/testdata/gen/night"
)

// tablesOfTables are the packages in which a test asks something of every table.
var tablesOfTables = []string{"./sql/schema", "./load/push", "./load/reader", "./load/sinks"}

// A recipe is a patch of testdata/recipes: a text that explains it, with the commands that follow it, and the changes
// that are made by hand.
type recipe struct {
	name     string
	patch    string   // path
	commands []string // lines of the text that begin with $
	packages []string // that the changes are in, and the tables of tables if they declare a column
}

var (
	recipeCommand = regexp.MustCompile(`(?m)^    \$ (.*)$`)
	recipeFile    = regexp.MustCompile(`(?m)^\+\+\+ b/(.*)$`)
)

func recipes(t *testing.T) (all []recipe) {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "testdata", "recipes"))
	must(t, err)
	paths, err := filepath.Glob(filepath.Join(dir, "*.patch"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d recipes, %v", len(paths), err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		must(t, err)
		r := recipe{name: strings.TrimSuffix(filepath.Base(p), ".patch"), patch: p}
		for _, m := range recipeCommand.FindAllStringSubmatch(string(text), -1) {
			r.commands = append(r.commands, m[1])
		}
		for _, m := range recipeFile.FindAllStringSubmatch(string(text), -1) {
			pkg := "./" + path.Dir(m[1])
			if !strings.HasSuffix(m[1], ".go") {
				continue
			}
			r.packages = append(r.packages, pkg)
			if pkg == "./sql/schema" {
				r.packages = append(r.packages, tablesOfTables...)
			}
		}
		slices.Sort(r.packages)
		r.packages = slices.Compact(r.packages)
		all = append(all, r)
	}
	return all
}

// TestRecipesApply: every recipe fits the tree as it is, and the guide names it.
func TestRecipesApply(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "CONTRIBUTING.md"))
	must(t, err)
	for _, r := range recipes(t) {
		if !strings.Contains(string(guide), "recipes/"+r.name+".patch") {
			t.Errorf("CONTRIBUTING.md does not name %s.patch", r.name)
		}
		if len(r.commands) == 0 {
			t.Errorf("%s.patch names no command that tests it", r.name)
		}
		inTree(t, filepath.Join("..", ".."), "git", "apply", "--check", r.patch)
	}
}

// TestRecipes makes the change of each recipe alone in a copy of the tree, and runs what its text says, and the tests
// of the packages that it is in. Three nights of endurance try all recipes.
func TestRecipes(t *testing.T) {
	t.Parallel()
	long(t)
	root := t.TempDir()
	copyTree(t, filepath.Join("..", ".."), root)
	inTree(t, root, "git", "init", "-q")
	inTree(t, root, "git", "add", "-A")
	inTree(t, root, "git", "-c", "user.name=nobody", "-c", "user.email=nobody@example.com", "commit", "-qm", "the tree")
	for i, r := range recipes(t) {
		if night.On() && !night.Draws(i, 3) {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			inTree(t, root, "git", "checkout", "-q", ".")
			inTree(t, root, "git", "clean", "-fdq")
			inTree(t, root, "git", "apply", r.patch)
			if unformatted := inTree(t, root, "gofmt", "-l", "cmd", "extract", "load", "pipelines", "sql", "testdata",
				"transform"); unformatted != "" {
				t.Errorf("gofmt would change %s", unformatted)
			}
			for _, command := range r.commands {
				out := inTree(t, root, strings.Fields(command)...)
				if strings.Contains(out, "no tests to run") {
					t.Errorf("%s: %s", command, out)
				}
			}
			inTree(t, root, "go", "vet", "./...")
			if len(r.packages) > 0 {
				inTree(t, root, append([]string{"go", "test", "-short", "-timeout", "1h"}, r.packages...)...)
			}
		})
	}
}

// inTree runs a command in a folder, and gives what it prints. It has the usual umask, not that of the program, which
// this process may have: tests of the tree start themselves as another user.
func inTree(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", `umask 022; exec "$@"`, "sh"}, args...)...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { // what these tests do is no endurance
		return strings.HasPrefix(v, "PIPELINE_ENDURANCE=")
	})
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// copyTree copies what a clone would have: not what was built, nor the history.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	tree := os.DirFS(from)
	err := fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == ".git" || path == "bin":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, path), 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := fs.ReadFile(tree, path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, path), text, 0o600)
	})
	must(t, err)
}
