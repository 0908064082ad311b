package sql

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/sql/schema"
)

// statementNames are the names of all statements.
func statementNames() (names []string) {
	for _, dir := range statementFolders {
		for _, f := range read(dir) {
			names = append(names, path.Join(dir, f.Name))
		}
	}
	return names
}

// forTable is what a given.sql begins with whose statement is the same for each table: the table of the case.
var forTable = regexp.MustCompile(`^-- Table: (\w+)\n`)

// givenAs is a given.sql that is another statement's.
var givenAs = regexp.MustCompile(`^-- Given: (\S+)\n$`)

// given makes what a statement reads.
func given(t *testing.T, name string) string {
	t.Helper()
	text := readFile(t, filepath.Join("../testdata/statements", name, "given.sql"))
	if other := givenAs.FindStringSubmatch(text); other != nil {
		return given(t, other[1])
	}
	return text
}

// parameter is a value that a statement is given.
var parameter = regexp.MustCompile(`[^\w'](\$[a-z_]+)`)

// TestStatements runs every statement on rows made by hand: testdata/statements/<folder>/<name>/given.sql makes what it
// reads, want.sql asks for what it has made. A statement
// that returns rows or has parameters is run by want.sql: EXECUTE answer.
func TestStatements(t *testing.T) {
	for _, name := range statementNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join("../testdata/statements", name)
			temp := t.TempDir() // $DIR, for statements that read files
			given, want := given(t, name), filepath.Join(dir, "want.sql")
			w := newTables(t, func(ddl string) string { return strings.ReplaceAll(ddl, " NOT NULL", "") })
			w.setZone("UTC")
			w.exec(t, strings.ReplaceAll(given, "$DIR", temp))
			statement := ""
			if table := forTable.FindStringSubmatch(given); table != nil {
				spec, _ := schema.Lookup(table[1])
				statement = StatementIn(name, "memory", spec)
			} else {
				statement = Statement(name)
			}
			bound := parameter.MatchString(statement)
			if slices.Contains([]string{"SELECT", "WITH"}, strings.Fields(statement)[0]) || bound {
				if !bound {
					w.planned(t, name, statement)
				}
				statement = "PREPARE answer AS " + statement
			}
			w.execPlanned(t, name, statement)
			if text := readFile(t, want); strings.Contains(text, "$DIR") {
				want = filepath.Join(temp, "want.sql")
				if err := os.WriteFile(want, []byte(strings.ReplaceAll(text, "$DIR", temp)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			w.answers(t, want)
		})
	}
}

// TestStatementsForEveryTable: a statement that is the same for each table can be filled in for each.
func TestStatementsForEveryTable(t *testing.T) {
	t.Parallel()
	for _, name := range statementNames() {
		for _, table := range schema.Tables() {
			text := StatementIn(name, "memory", table)
			if strings.Contains(text, "{{") || strings.Contains(text, "<no value>") {
				t.Errorf("%s of %s has a place that is not filled:\n%s", name, table.Name, text)
			}
		}
	}
}

// TestStatementsAreStrict: a name that nobody knows is refused, of a statement and inside one.
func TestStatementsAreStrict(t *testing.T) {
	t.Parallel()
	for what, f := range map[string]func(){
		"an unknown statement":      func() { Statement("merge/none") },
		"a table that is not given": func() { Statement("merge/replace") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is filled in", what)
				}
			}()
			f()
		}()
	}
}

// TestStatementsUsed: the program asks for every statement, and for no other.
func TestStatementsUsed(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`^(` + strings.Join(statementFolders, "|") + `)/\w+$`)
	used := map[string]bool{}
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if text, err := strconv.Unquote(l.Value); err == nil && named.MatchString(text) {
					used[text] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	names := statementNames()
	for _, name := range names {
		if !used[name] {
			t.Errorf("nobody asks for %s", name)
		}
		delete(used, name)
	}
	for name := range used {
		t.Errorf("%s is asked for, and there is no such file", name)
	}
}

// TestStatementsHaveDoc: each file says what it does, and what it is to be run with.
func TestStatementsHaveDoc(t *testing.T) {
	t.Parallel()
	for _, dir := range statementFolders {
		for _, f := range read(dir) {
			if f.Doc == "" {
				t.Errorf("%s/%s begins with no comment", dir, f.Name)
			}
			text := regexp.MustCompile(`{{.*?}}`).ReplaceAllString(withoutComment(f.SQL), "")
			for _, name := range regexp.MustCompile(`getvariable\('(\w+)'\)|`+parameter.String()).
				FindAllStringSubmatch(text, -1) {
				if value := name[1] + name[2]; !strings.Contains(f.Doc, value) {
					t.Errorf("the comment of %s/%s does not say what %s is", dir, f.Name, value)
				}
			}
		}
	}
}

// TestNeverHeaded: three statements ask whether only messages of a conversation were ever seen, in the same words.
func TestNeverHeaded(t *testing.T) {
	t.Parallel()
	const begins, ends = "(o.status IS NOT DISTINCT FROM 'orphaned' AND o.header_count", "o.model IS NULL)"
	var first string
	for _, name := range []string{"merge/outcome", "merge/conversations", "reading/conversation_states"} {
		words := strings.Join(strings.Fields(Statement(name)), " ")
		_, rest, found := strings.Cut(words, begins)
		condition, _, closed := strings.Cut(rest, ends)
		if !found || !closed {
			t.Fatalf("%s does not ask", name)
		}
		if first == "" {
			first = condition
		}
		if diff := cmp.Diff(first, condition); diff != "" {
			t.Errorf("%s asks in other words:\n%s", name, diff)
		}
	}
}

// TestCoverageStatement compares the statement with the view whose measures it sums up. Rows of copies, deleted rows,
// and sources without conversations count in neither.
func TestCoverageStatement(t *testing.T) {
	t.Parallel()
	w := soundWarehouse(t)
	compare := func(what string, atLeast int) {
		t.Helper()
		got := w.rows(t, Statement("reading/coverage"))
		want := w.rows(t,
			`SELECT measure, sum(known)::BIGINT, sum(total)::BIGINT FROM coverage WHERE measure IN ('message_time', 'message_model', 'message_tokens') GROUP BY measure ORDER BY measure`)
		if !slices.Equal(got, want) || len(got) < atLeast {
			t.Errorf("%s: the statement returns %v, the view %v", what, got, want)
		}
	}
	compare("a sound warehouse", 3)
	w.exec(t,
		`INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, copies) VALUES ('s1', 'c2', 's2', false, 2)`)
	compare("with a copy", 3)
	w.exec(t,
		`DELETE FROM conversation_copies; UPDATE messages SET deleted_at = created_at WHERE message_id = 'm1'; UPDATE conversations SET status = 'orphaned' WHERE conversation_id = 'c2'`)
	compare("with rows that are gone", 3)
	w.exec(t, `DELETE FROM messages; DELETE FROM conversations`)
	compare("without a message", 3)
	w.exec(t, `UPDATE sources SET app = 'git'`)
	compare("without a source of conversations", 0)
}
