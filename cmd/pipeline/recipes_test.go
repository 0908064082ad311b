package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// contributing is the page whose blocks TestRecipes runs, in a copy of the tree.
const contributing = "docs/CONTRIBUTING.md"

// A recipeStep is a block of the page that goes into a file: below, above or instead of the one line that has these words, or as a new file.
type recipeStep struct{ file, where, words, text string }

var stepInfo = regexp.MustCompile(`^[a-z]+ ([^ ]+): (below|above|instead of|new) ?(.*)$`)

// recipeSteps are the steps of the page, and the commands that it says to run, each once: what makes files anew is run when all steps are made, and tests are
// run after that.
func recipeSteps(t *testing.T, page string) (steps []recipeStep, commands []string) {
	t.Helper()
	_, recipes, _ := strings.Cut(page, "\n## Recipes\n")
	blocks, err := fences(recipes)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range blocks {
		found := stepInfo.FindStringSubmatch(f.info)
		switch {
		case found != nil:
			steps = append(steps, recipeStep{found[1], found[2], found[3], f.body})
		case f.info == "sh":
			for line := range strings.Lines(f.body) {
				if line = strings.TrimSpace(line); !slices.Contains(commands, line) {
					commands = append(commands, line)
				}
			}
		default:
			t.Errorf("a block %q is no step and no command", f.info)
		}
	}
	slices.SortStableFunc(commands, func(a, b string) int { return tests(a) - tests(b) })
	return steps, commands
}

// tests is 0 for a command that writes files, 1 for one that only tests.
func tests(command string) int {
	if strings.HasPrefix(command, "go test") {
		return 1
	}
	return 0
}

// someTests is a command that runs some tests of a package.
var someTests = regexp.MustCompile(`^go test (-short )?-run '?([^' ]+)'? ([^ ]+)$`)

// together has one command in place of several that run some tests of the same package: it is built once. Each test that is named must be there, and pass.
func together(commands []string) (fewer []string, passes map[string][]string) {
	passes = map[string][]string{}
	for _, command := range commands {
		some := someTests.FindStringSubmatch(command)
		if some == nil {
			fewer = append(fewer, command)
			continue
		}
		key := "go test -v " + some[1] + some[3] + " -run "
		if passes[key] == nil {
			fewer = append(fewer, key)
		}
		passes[key] = append(passes[key], strings.Split(some[2], "|")...)
	}
	for i, key := range fewer {
		if names, ok := passes[key]; ok {
			fewer[i] = key + "'" + strings.Join(names, "|") + "'"
			passes[fewer[i]] = names
		}
	}
	return fewer, passes
}

// take makes a step in a copy of the tree.
func (s recipeStep) take(root string) error {
	file := filepath.Join(root, filepath.FromSlash(s.file))
	if s.where == "new" {
		if _, err := os.Stat(file); err == nil {
			return fmt.Errorf("%s is there already", s.file)
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		return os.WriteFile(file, []byte(s.text), 0o600)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines := strings.SplitAfter(string(text), "\n")
	var at []int
	for i, line := range lines {
		if strings.Contains(strings.Join(strings.Fields(line), " "), strings.Join(strings.Fields(s.words), " ")) {
			at = append(at, i)
		}
	}
	if len(at) != 1 {
		return fmt.Errorf("%s has %d lines with the words %q, want one", s.file, len(at), s.words)
	}
	from, to := at[0], at[0] // the lines that the text takes the place of
	switch s.where {
	case "below":
		from, to = at[0]+1, at[0]+1
	case "instead of":
		to = at[0] + 1
	}
	return os.WriteFile(file, []byte(strings.Join(slices.Replace(lines, from, to, s.text), "")), 0o600)
}

// TestRecipes takes every recipe of docs/CONTRIBUTING.md in a copy of the tree, and runs its commands there.
func TestRecipes(t *testing.T) {
	t.Parallel()
	long(t)
	page, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(contributing)))
	if err != nil {
		t.Fatal(err)
	}
	steps, commands := recipeSteps(t, string(page))
	root := t.TempDir()
	copyTree(t, filepath.Join("..", ".."), root)
	for _, s := range steps {
		if err := s.take(root); err != nil {
			t.Fatal(err)
		}
	}
	commands, passes := together(commands)
	for _, command := range commands {
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", command)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		for _, name := range passes[command] {
			if !strings.Contains(string(out), "--- PASS: "+strings.ReplaceAll(name, "$", "")) {
				t.Errorf("%s: no test %s has passed:\n%s", command, name, out)
			}
		}
	}
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
	if err != nil {
		t.Fatal(err)
	}
}
