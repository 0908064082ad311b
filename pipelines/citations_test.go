package pipelines_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var (
	citation = regexp.MustCompile(`docs/([a-z]+)\.md, `)
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	// unseen are citations of what nobody outside can see. The brackets keep the patterns from finding themselves.
	unseen = regexp.MustCompile(
		`atlas,? [0-9f]|\bfs:[0-9]{5,}|[(](design|contract)[,: ]|(faults|design|warehouse|cursor-format|other-stores)[.]md`)
	// wrapped is the end of a comment's line and the beginning of its next.
	wrapped = regexp.MustCompile(`[ \t]*\n[ \t]*(//|--) ?`)
	// shape names a case of the generator, in docs/formats.md.
	shape = regexp.MustCompile("`case ([a-z0-9_]+)`")
	link  = regexp.MustCompile(`\]\(#([^)]+)\)`)
)

// TestCitations: what a comment cites is there for everyone. "docs/X.md, Heading" names a heading of that document.
func TestCitations(t *testing.T) {
	t.Parallel()
	root := os.DirFS("..")
	headings, cited, citations := map[string][]string{}, map[string]bool{}, 0
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "bin"):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" && path.Ext(name) != ".sql":
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		for _, found := range unseen.FindAll(text, -1) {
			t.Errorf("%s cites %q, which a stranger cannot see: name a heading of a page in docs", name, found)
		}
		if !bytes.Contains(text, []byte("docs/")) {
			return nil
		}
		joined := wrapped.ReplaceAllString(string(text), " ")
		for _, at := range citation.FindAllStringSubmatchIndex(joined, -1) {
			document, rest := joined[at[2]:at[3]], joined[at[1]:]
			if headings[document] == nil {
				headings[document] = headingsOf(t, root, document)
			}
			citations++
			h := cites(rest, headings[document])
			cited[document+" "+h] = true
			if h == "" {
				rest, _, _ = strings.Cut(rest, "\n")
				t.Errorf("%s cites docs/%s.md, %.60q: it has no such heading", name, document, rest)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if citations < 40 || len(cited) < 20 {
		t.Errorf("only %d citations of %d headings were found", citations, len(cited))
	}
}

// headingsOf are the headings of a document.
func headingsOf(t *testing.T, root fs.FS, document string) []string {
	t.Helper()
	text, err := fs.ReadFile(root, "docs/"+document+".md")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, found := range heading.FindAllStringSubmatch(string(text), -1) {
		out = append(out, found[1])
	}
	return out
}

// cites is the longest of the headings that a text begins with, "" for none.
func cites(text string, headings []string) (found string) {
	for _, h := range headings {
		rest, ok := strings.CutPrefix(text, h)
		next, _ := utf8.DecodeRuneInString(rest)
		if ok && len(h) > len(found) && (rest == "" ||
			!unicode.IsLetter(next) && !unicode.IsDigit(next) && next != '_') {
			found = h
		}
	}
	return found
}

// TestCites: a citation ends where the heading does.
func TestCites(t *testing.T) {
	t.Parallel()
	headings := []string{"Tables", "Role", "Role, mode and text", "tool_calls"}
	for text, want := range map[string]string{
		"Tables).": "Tables", "Tables": "Tables", "Tables2": "", "Table": "", "and so on": "",
		"Role, mode and text)": "Role, mode and text", "Role, mode": "Role", "tool_calls.": "tool_calls",
		"tool_calls_of": "",
	} {
		if got := cites(text, headings); got != want {
			t.Errorf("%q cites %q, want %q", text, got, want)
		}
	}
}

// TestFormatsPage: each heading of docs/formats.md is there once, its links lead to headings, what it says of the
// generator is true, and every source that it names in brackets is in its list.
func TestFormatsPage(t *testing.T) {
	t.Parallel()
	root := os.DirFS("..")
	text, err := fs.ReadFile(root, "docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string]bool{}
	for _, h := range headingsOf(t, root, "formats") {
		anchor := strings.ReplaceAll(strings.ToLower(regexp.MustCompile(`[^A-Za-z0-9 -]`).ReplaceAllString(h, "")), " ",
			"-")
		if anchors[anchor] {
			t.Errorf("the heading %q is there twice", h)
		}
		anchors[anchor] = true
	}
	for _, found := range link.FindAllSubmatch(text, -1) {
		if !anchors[string(found[1])] {
			t.Errorf("a link leads to #%s, which is not there", found[1])
		}
	}
	generator := generatorText(t, root)
	for _, found := range shape.FindAllSubmatch(text, -1) {
		// some cases are made by a function
		made := regexp.MustCompile(fmt.Sprintf(`(\{(name: )?%[1]q,\s+["a-zA-Z]|[cC]ase\(%[1]q, )`,
			found[1]))
		if string(found[1]) != "x" && !made.MatchString(generator) {
			t.Errorf("the generator has no case %s", found[1])
		}
	}
	page, sources, _ := strings.Cut(string(text), "\n## Sources\n")
	for _, found := range regexp.MustCompile(`(?m)^\| ([a-z][a-z0-9 .-]+) \| `).FindAllStringSubmatch(sources, -1) {
		if name := found[1]; name != "name" && !strings.Contains(page, "["+name+"]") {
			t.Errorf("nothing is said to be from the source %s", name)
		}
	}
	prose := regexp.MustCompile("`[^`\n]*`").ReplaceAllString(page, "")
	for _, found := range regexp.MustCompile(`\[([a-z][a-z0-9 .-]+)\][^(]`).FindAllStringSubmatch(prose, -1) {
		if name := found[1]; !strings.Contains(sources, "\n| "+name+" | ") {
			t.Errorf("the source %s is not in the list", name)
		}
	}
}

// generatorText is the Go text of the generators' cases: those of stores, of graphs, of transcripts and of usage.
func generatorText(t *testing.T, root fs.FS) string {
	t.Helper()
	names, err := fs.Glob(root, "testdata/gen/*/cases*.go")
	if err != nil || len(names) < 10 {
		t.Fatal("the cases are not there: ", names, err)
	}
	names = append(names, "testdata/gen/graphtest/damage.go", "testdata/gen/graphtest/cloud.go")
	var b strings.Builder
	for _, name := range names {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return b.String()
}

// inCode are files and tests that a document names in backticks.
var inCode = regexp.MustCompile(
	"`((?:extract|transform|load|sql|pipelines|cmd|testdata)/[A-Za-z0-9_/.*]+|Test[A-Za-z0-9]+)`")

// TestArchitectureNames: the files, packages and tests that docs/ARCHITECTURE.md names are there, and it stays on two
// pages.
func TestArchitectureNames(t *testing.T) {
	t.Parallel()
	root := os.DirFS("..")
	text, err := fs.ReadFile(root, "docs/ARCHITECTURE.md")
	must(t, err)
	tests := map[string]bool{}
	must(t, fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		source, err := fs.ReadFile(root, name)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(source, -1) {
			tests[string(m[1])] = true
		}
		return err
	}))
	found := inCode.FindAllSubmatch(text, -1)
	for _, m := range found {
		name := string(m[1])
		if strings.HasPrefix(name, "Test") {
			if !tests[name] {
				t.Errorf("there is no test %s", name)
			}
			continue
		}
		if files, err := fs.Glob(root, name); err != nil || len(files) == 0 {
			t.Errorf("there is no %s", name)
		}
	}
	if len(found) < 30 {
		t.Errorf("only %d names were found", len(found))
	}
	if words := len(strings.Fields(string(text))); words > 1400 {
		t.Errorf("it has %d words: two pages have 1,400", words)
	}
}
