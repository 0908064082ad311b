package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// faults is how many rows the table of docs/reliability.md has.
const faults = 59

var (
	testName   = regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9_]+)`")
	scriptName = regexp.MustCompile("`([a-z]+\\.txt)`")
	testFunc   = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9_]+)\(`)
	faultRow   = regexp.MustCompile(`(?m)^\| ([0-9]+) \|(.*)\|$`)
)

// TestReliability keeps docs/reliability.md true to the tests: each fault has its row, each row names a test or says
// why there is none, and each test that is named is there.
func TestReliability(t *testing.T) {
	root := filepath.Join("..", "..")
	doc, err := os.ReadFile(filepath.Join(root, "docs", "reliability.md"))
	must(t, err)
	tests := map[string]bool{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, found := range testFunc.FindAllSubmatch(source, -1) {
			tests[string(found[1])] = true
		}
		return err
	})
	must(t, err)
	for _, name := range testName.FindAllSubmatch(doc, -1) {
		if !tests[string(name[1])] {
			t.Errorf("there is no test %s", name[1])
		}
	}
	for _, name := range scriptName.FindAllSubmatch(doc, -1) {
		if _, err := os.Stat(filepath.Join(root, "testdata", "script", string(name[1]))); err != nil {
			t.Error(err)
		}
	}
	rows := faultRow.FindAllSubmatch(doc, -1)
	for i, row := range rows {
		cells := strings.Split(string(row[2]), " | ")
		if string(row[1]) != fmt.Sprint(i+1) || len(cells) != 4 {
			t.Errorf("row %d of the table has number %s and %d cells", i+1, row[1], len(cells))
			continue
		}
		if shown := cells[2]; !testName.MatchString(shown) && !scriptName.MatchString(shown) {
			t.Errorf("row %s names no test: %s", row[1], shown)
		}
	}
	if len(rows) != faults {
		t.Errorf("the table has %d rows, want %d", len(rows), faults)
	}
}
