package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEnduranceRuns: whoever asks whether it is a night of endurance is among the tests that make endurance runs, or is
// one of what people install.
func TestEnduranceRuns(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	lists := regexp.MustCompile(`(?m)^endurance-\w+: +TESTS_OF = (.+)$`).FindAllStringSubmatch(string(makefile), -1)
	var all []string
	for _, list := range lists {
		all = append(all, list[1])
	}
	run := regexp.MustCompile(`^func (` + strings.Join(append(all, "TestDist.*", "TestUnderWine"), "|") + `)\(`)
	asks := regexp.MustCompile(`night\.(On|Draws|Number)\(|\b(large|onlyEndurance)\(t\)`)
	for _, dir := range []string{"extract", "pipelines", filepath.Join("cmd", "pipeline")} {
		paths, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
		if err != nil || len(paths) == 0 {
			t.Fatal(dir, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, body := range strings.Split(string(text), "\n}\n") {
				at := strings.Index(body, "func Test")
				if at >= 0 && asks.MatchString(body[at:]) && !run.MatchString(body[at:]) {
					t.Errorf("%s: make endurance does not run %.60q", path, body[at:])
				}
			}
		}
	}
}
