package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/sql"
)

// notRun marks a block that a test cannot run: ```sh-not-run. There may be at most maxNotRun of them in all documents.
const (
	notRun    = "-not-run"
	maxNotRun = 6
)

// A fence is a fenced block of a document.
type fence struct {
	info     string // what follows the opening ```
	body     string
	line     int // of the opening ```
	from, to int // where the body is in the document
	answer   int // the block right after it that shows what it prints; -1: none
}

// runs is whether the block is run by a test.
func (f fence) runs() bool { return f.info == "sh" || f.info == "sql" || f.info == "python" }

// fences finds the fenced blocks of a document. A block that this test would overlook is an error.
func fences(text string) ([]fence, error) {
	var out []fence
	open, line, at, last := -1, 0, 0, 0
	for _, s := range strings.SplitAfter(text, "\n") {
		line++
		switch trimmed := strings.TrimSpace(s); {
		case strings.HasPrefix(s, "```") && open < 0:
			open = len(out)
			out = append(out, fence{info: strings.TrimPrefix(trimmed, "```"), line: line, from: at + len(s),
				answer: -1})
			if f := &out[open]; f.info == "text" && open > 0 && out[open-1].runs() &&
				strings.TrimSpace(text[last:at]) == "" {
				out[open-1].answer = open
			}
		case open >= 0 && trimmed == "```":
			out[open].to, out[open].body, last, open = at, text[out[open].from:at], at+len(s), -1
		case open < 0 && (strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")):
			return nil, fmt.Errorf("line %d: a block that is indented or fenced with ~~~ would not be run: begin it "+
				"with ``` at the start of the line", line)
		}
		at += len(s)
	}
	if open >= 0 {
		return nil, fmt.Errorf("line %d: the block has no end", out[open].line)
	}
	return out, nil
}

// checkFences says what is wrong with the blocks of a document: every one is run, is the answer to one that is run, or
// says that it is not run.
func checkFences(name string, blocks []fence) []string {
	var wrong []string
	answers := map[int]bool{}
	for _, f := range blocks {
		if f.answer >= 0 {
			answers[f.answer] = true
		}
	}
	for i, f := range blocks {
		if lang, ok := strings.CutSuffix(f.info, notRun); f.runs() || answers[i] || ok && lang != "" {
			continue
		}
		wrong = append(wrong,
			fmt.Sprintf("%s:%d: a block %q is not run by any test; sh, sql and python are, and text right after one "+
				"of these is its answer. If it cannot be run in a test, say so: ```sh%s", name, f.line, f.info, notRun))
	}
	return wrong
}

// documents are the README and the pages of docs, by their name from the root.
func documents(t *testing.T) []string {
	t.Helper()
	names := []string{"README.md"}
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(pages) < 5 {
		t.Fatal("the documents are not there: ", pages, err)
	}
	for _, page := range pages {
		names = append(names, "docs/"+filepath.Base(page))
	}
	return names
}

// TestDocs runs every fenced block of the documents, each document's in their order, in a home where Cursor has been
// used and where, but for the README, which does it itself, the demo history is loaded. What a block prints is compared
// with the text block that follows it.
func TestDocs(t *testing.T) {
	var marked []string
	for _, name := range documents(t) {
		path := filepath.Join("..", "..", filepath.FromSlash(name))
		text, err := os.ReadFile(path)
		must(t, err)
		blocks, err := fences(string(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, problem := range checkFences(name, blocks) {
			t.Error(problem)
		}
		for _, f := range blocks {
			if strings.HasSuffix(f.info, notRun) {
				marked = append(marked, fmt.Sprintf("%s:%d (%s)", name, f.line, f.info))
			}
		}
		if slices.ContainsFunc(blocks, fence.runs) && name != installing && !testing.Short() {
			// make test-all runs them, and TestDist those of installing
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				runDocument(t, path, string(text), blocks)
			})
		}
	}
	t.Logf("not run by any test: %s", strings.Join(marked, ", "))
	if len(marked) > maxNotRun {
		t.Errorf("%d blocks are not run, at most %d may", len(marked), maxNotRun)
	}
}

// TestCookbook keeps docs/cookbook.md what it says it is: at least thirty queries, numbered, each with its answer and a
// word on its coverage, and at least fifteen that start from an answer of the warehouse.
func TestCookbook(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "cookbook.md"))
	must(t, err)
	recipes := regexp.MustCompile(`(?m)^### `).Split(string(text), -1)[1:]
	from := 0
	for i, recipe := range recipes {
		title, _, _ := strings.Cut(recipe, "\n")
		blocks, err := fences(recipe)
		if err != nil || len(blocks) != 2 || blocks[0].info != "sql" || blocks[0].answer != 1 {
			t.Errorf("%q is not a query and its answer: %v", title, err)
			continue
		}
		if !strings.HasPrefix(title, fmt.Sprintf("%d. ", i+1)) || !strings.HasSuffix(title, "?") {
			t.Errorf("%q should be number %d, and a question", title, i+1)
		}
		if !strings.Contains(strings.ToLower(recipe[:blocks[0].from]), "coverage") {
			t.Errorf("%q does not say what is known", title)
		}
		if slices.ContainsFunc(sql.Answers(),
			func(f sql.File) bool { return regexp.MustCompile(`\b` + f.Name + `\b`).MatchString(blocks[0].body) }) {
			from++
		}
	}
	if len(recipes) < 30 || from < 15 {
		t.Errorf("%d queries, %d of them from an answer; want 30 and 15", len(recipes), from)
	}
}

// TestFences shows that no block is overlooked.
func TestFences(t *testing.T) {
	blocks, err := fences("```sql\nSELECT 1;\n```\n\n```text\n1\n```\n```sh-not-run\nlong\n```\n```text\nan answer " +
		"to nothing\n```\n```\nno word\n```\n")
	if err != nil || len(blocks) != 5 {
		t.Fatal(blocks, err)
	}
	if blocks[0].answer != 1 || blocks[0].body != "SELECT 1;\n" || blocks[1].body != "1\n" || blocks[3].line != 11 {
		t.Error(blocks)
	}
	if wrong := checkFences("x.md", blocks); len(wrong) != 2 || !strings.HasPrefix(wrong[0], "x.md:11:") ||
		!strings.HasPrefix(wrong[1], "x.md:14:") {
		t.Error(wrong)
	}
	for _, overlooked := range []string{"- a list\n  ```sql\n  SELECT 1;\n  ```\n", "~~~sql\nSELECT 1;\n~~~\n",
		"```sql\nSELECT 1;\n"} {
		if _, err := fences(overlooked); err == nil {
			t.Errorf("%q is accepted", overlooked)
		}
	}
	got := withAnswers("```sql\nSELECT 2;\n```\n", []fence{{info: "sql", from: 7, to: 17, answer: -1}},
		map[int]string{0: "2\n"}, true)
	if want := "```sql\nSELECT 2;\n```\n\n```text\n2\n```\n"; got != want {
		t.Errorf("%q", got)
	}
}

// runDocument runs the blocks of one document in a working folder of their own.
func runDocument(t *testing.T, path, text string, blocks []fence) {
	d := newDocHome(t)
	d.sh(t, "pipeline demo --out $HOME/.config/Cursor")
	if filepath.Base(path) != "README.md" {
		d.loadDemo(t)
	}
	answers := map[int]string{}
	for i, f := range blocks {
		if !f.runs() {
			continue
		}
		t.Run(fmt.Sprintf("line %d %s", f.line, f.info), func(t *testing.T) {
			if missing := d.missing(f); missing != "" {
				t.Skipf("%s is not installed; with it on the PATH this block is run", missing)
			}
			got := d.block(t, f)
			if answers[i] = got; f.answer < 0 || *update {
				return
			}
			if diff := cmp.Diff(blocks[f.answer].body, got); diff != "" {
				t.Errorf("it prints something else; look at it and run go test ./cmd/pipeline -run TestDocs -update "+
					"(-want +got):\n%s", diff)
			}
		})
	}
	if *update {
		must(t, os.WriteFile(path, []byte(withAnswers(text, blocks, answers, filepath.Base(path) == "cookbook.md")),
			0o600))
	}
}

// withAnswers is the document with the text blocks as they should be, those of blocks that were not run as they are.
// Where all is said, a query without an answer is given one.
func withAnswers(text string, blocks []fence, answers map[int]string, all bool) string {
	for i, f := range slices.Backward(blocks) {
		got, ok := answers[i]
		switch end := f.to + len("```\n"); {
		case ok && f.answer >= 0:
			text = text[:blocks[f.answer].from] + got + text[blocks[f.answer].to:]
		case ok && all && f.info == "sql":
			text = text[:end] + "\n```text\n" + got + "```\n" + text[end:]
		}
	}
	return text
}

// A docHome is where the blocks of a document are run.
type docHome struct {
	dir string
	env []string
}

func newDocHome(t *testing.T) *docHome {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	home := t.TempDir()
	// what a project's folder is called is in rows, whose sizes documents show
	home = filepath.Join(home, strings.Repeat("h", max(120-len(home), 1)))
	d := &docHome{dir: filepath.Join(home, "work"), env: os.Environ()}
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
		"PIPELINE_WAREHOUSE", "PIPELINE_SOURCE", "PIPELINE_CONFIG", "PIPELINE_LOG"} {
		d.env = append(d.env, name+"=")
	}
	d.env = append(d.env, "HOME="+home, "USERPROFILE="+home, "TZ=UTC", "LC_ALL=C.UTF-8", "COLUMNS=120")
	must(t, os.MkdirAll(d.dir, 0o700))
	return d
}

// block runs a block and returns what it prints. A query must return a row.
func (d *docHome) block(t *testing.T, f fence) string {
	t.Helper()
	switch f.info {
	case "sql":
		out := d.run(t, f.body, "pipeline", "sql", "--warehouse", "demo.duckdb")
		if !regexp.MustCompile(`(?m)^\([1-9][0-9,]* rows?\b`).MatchString(out) {
			t.Errorf("the query returns no row:\n%s", out)
		}
		return out
	case "python":
		return d.run(t, "", "python3", "-c", f.body)
	default:
		return d.sh(t, f.body)
	}
}

// loadDemo makes what the README's demo makes.
func (d *docHome) loadDemo(t *testing.T) {
	t.Helper()
	d.sh(t, "pipeline demo --out demo\npipeline run --quiet --source demo --warehouse demo.duckdb --parquet "+
		"demo-parquet")
}

func (d *docHome) sh(t *testing.T, script string) string {
	t.Helper()
	return d.run(t, "", "sh", "-e", "-c", script)
}

// run runs a command and returns its standard output; it must succeed.
func (d *docHome) run(t *testing.T, stdin, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = d.dir, d.env, strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", name, err, out.String(), errs.String())
	}
	return out.String()
}

var (
	// optional are the programs that a block may use and a machine may lack; what else it names must be there.
	optional = regexp.MustCompile(`(?m)(?:^|[|;(&]) *(duckdb|python3|sqlite3|datasette|curl)\b`)
	imported = regexp.MustCompile(`(?m)^(?:import |from |import .*, )([a-z0-9_]+)`)
)

// missing names what a block needs and this machine lacks; "" where it can be run.
func (d *docHome) missing(f fence) string {
	programs := optional.FindAllStringSubmatch(f.body, -1)
	if f.info == "python" {
		programs = [][]string{{"", "python3"}}
	} else if f.info == "sql" {
		programs = nil
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p[1]); err != nil {
			return p[1]
		}
	}
	if f.info != "python" {
		return ""
	}
	var packages []string
	for _, p := range imported.FindAllStringSubmatch(f.body, -1) {
		packages = append(packages, p[1])
	}
	return missingPackages(packages...)
}

// missingPackages names the Python packages that python3 does not find.
func missingPackages(names ...string) string {
	const find = "import sys, importlib.util as u; print(*[n for n in sys.argv[1:] if not u.find_spec(n)])"
	out, err := exec.Command("python3", append([]string{"-c", find}, names...)...).Output()
	if err != nil {
		return "a Python 3 that works"
	}
	if missing := strings.TrimSpace(string(out)); missing != "" {
		return "the Python package " + missing
	}
	return ""
}
