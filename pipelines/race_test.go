package pipelines_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// concurrent marks a test of what runs at the same time. Under the race detector, which makes a test some ten times
// slower, these alone are run.
func concurrent(t *testing.T) { t.Helper() }

// marked finds the tests that begin with the mark.
var marked = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\) \{[^\n]*\n\tconcurrent\(t\)$`)

// onlyConcurrent has only the tests that are marked run, where nobody has asked for others.
func onlyConcurrent() error {
	flag.Parse()
	if run := flag.Lookup("test.run"); !raceDetector || run.Value.String() != "" {
		return nil
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		return err
	}
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, found := range marked.FindAllSubmatch(text, -1) {
			names = append(names, string(found[1]))
		}
	}
	return flag.Set("test.run", "^("+strings.Join(names, "|")+")$")
}

// TestConcurrent: the tests that are marked are found.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	found := marked.FindAllStringSubmatch("func TestA(t *testing.T) {\n\tconcurrent(t)\n}\n\n"+
		"func TestB(t *testing.T) {\n\tt.Parallel()\n}\n\nfunc TestC(t *testing.T) { // alone\n\tconcurrent(t)\n}\n",
		-1)
	if len(found) != 2 || found[0][1] != "TestA" || found[1][1] != "TestC" {
		t.Error(found)
	}
}
