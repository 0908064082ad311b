package transform

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pipeline/sql/schema"
)

var update = flag.Bool("update", false, "write fields_read.txt anew")

// unknownOf normalizes a conversation and lists its unknown fields.
func unknownOf(t *testing.T, head string, parts ...part) (out []string) {
	t.Helper()
	for _, f := range normalized(t, conversationOf("c", head, parts...)).UnknownFields {
		out = append(out, fmt.Sprint(f.Family, " ", f.Path, " ", f.Type, " ", f.Rows))
	}
	return out
}

func TestUnknownFields(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, head string
		parts      []part
		want       []string
	}{
		{"nothing new", `{"composerId":"c","name":"x"}`, []part{bubble("a", `{"type":1,"text":"x"}`)}, nil},
		{"one level", `{"brandNew":1}`, []part{bubble("a", `{"brandNewField":"x"}`),
			bubble("b", `{"brandNewField":null}`), bubble("d", `{"text":"x"}`)},
			[]string{"bubbleId $.brandNewField string 2", "composerData $.brandNew number 1"}},
		{"two levels", `{"modelConfig":{"modelName":"m","brandNew":true},"todos":[{"id":"1","newA":[]},{"newA":{}}]}`,
			[]part{bubble("a", `{"toolFormerData":{"tool":5,"newB":null}}`)},
			[]string{"bubbleId $.toolFormerData.newB null 1", "composerData $.modelConfig.brandNew boolean 1",
				"composerData $.todos[].newA array, object 1"}},
		{"escaped names", `{"na\u006de":"x","\u006eew":1,"modelConfig":{"modelN\u0061me":"m","n\u0065w":1}}`, nil,
			[]string{"composerData $.modelConfig.new number 1", "composerData $.new number 1"}},
		{"what is below a new field is not named", `{"brandNew":{"acme-project":{"x":1}}}`, nil,
			[]string{"composerData $.brandNew object 1"}},
		{"names that are data",
			`{"/home/me/secret":1,"me@example.com":2,"ghp_16C7e42F292c6912E7710c838347Ae178B4a":3,"550e8400-e29b-41d4-a716-446655440000":4,"":5}`, nil, []string{"composerData $.* number 1"}},
		{"maps whose names are data",
			`{"codeBlockData":{"file:///x":{"e":{"brandNew":1}}},"originalFileStates":{"file:///x":{}},"usageData":{"gpt-5":{}},"conversationMap":{"brandNew":{"text":"x"}}}`, nil, nil},
		{"messages in a document",
			`{"conversation":[{"type":1,"text":"x","brandNew":1}],"conversationMap":{"m":{"text":"x","brandNew":2}}}`,
			nil, []string{"bubbleId $.brandNew number 2"}},
	} {
		if got := unknownOf(t, c.head, c.parts...); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestManyUnknownFields: a document of a hundred thousand names fills no table.
func TestManyUnknownFields(t *testing.T) {
	t.Parallel()
	var head strings.Builder
	head.WriteString(`{"name":"x"`)
	for i := range 100_000 {
		fmt.Fprintf(&head, `,"new%s":1`, strings.Map(func(r rune) rune { return r - '0' + 'a' }, strconv.Itoa(i)))
	}
	got := unknownOf(t, head.String()+"}")
	if len(got) != schema.MaxUnknownFields+1 || got[0] != "composerData $.* number 1" {
		t.Errorf("%d rows, the first %s", len(got), got[0])
	}
}

// TestFieldsRead: fields_read.txt names what the readers ask of a message or of a conversation's document. With -update
// it is written anew (go generate ./transform).
func TestFieldsRead(t *testing.T) {
	t.Parallel()
	readers := map[string]map[string]string{ // by file: of whom fields are asked, and the family of the document
		"message.go":      {"o": "bubbleId", "a.head": "composerData"},
		"conversation.go": {"h": "composerData", "head": "composerData"},
		"edits.go":        {"head": "composerData", "documents": "composerData"},
		"context.go":      {"head": "composerData"},
		"given.go":        {"a.head": "composerData"},
		"order.go":        {"head": "composerData"},
	}
	var lines []string
	asked := 0
	for file, documents := range readers {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		within := false // o is something within the message
		ast.Inspect(parsed, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncDecl); ok {
				within = makes(f, "o")
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !asks(method) || within && nameOf(method.X) == "o" {
				return true
			}
			family := documents[nameOf(method.X)]
			for _, arg := range call.Args {
				if text, ok := arg.(*ast.BasicLit); ok && family != "" {
					asked++
					name, _ := strconv.Unquote(text.Value)
					lines = append(lines, family+": "+name+"\n")
				}
			}
			return true
		})
	}
	lines = append(lines, askedAnywhere(t)...)
	if asked < 60 {
		t.Errorf("only %d fields are asked for: the test looks in the wrong place", asked)
	}
	slices.Sort(lines)
	if want := fieldsReadHead + strings.Join(slices.Compact(lines), ""); *update {
		if err := os.WriteFile("fields_read.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Skip("written anew")
	} else if fieldsRead != want {
		t.Errorf("fields_read.txt is\n%s\nand what is asked for is\n%s\nrun: go generate ./transform", fieldsRead, want)
	}
	for _, f := range attachmentFields {
		if _, known := knownFields()["bubbleId"].fields[f.name]; !known {
			t.Errorf("fields.txt does not name %s", f.name)
		}
	}
	for _, name := range headFields {
		if _, known := knownFields()["composerData"].fields[name]; !known && name != "workspaceId" &&
			name != "isSubagent" {
			// columns of the header table
			t.Errorf("fields.txt does not name %s", name)
		}
	}
}

// askedAnywhere are the names that readers ask for of any object, as lines of fields_read.txt.
func askedAnywhere(t *testing.T) (lines []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if method, ok := call.Fun.(*ast.SelectorExpr); !ok || !asks(method) {
				return true
			}
			for _, arg := range call.Args {
				if text, ok := arg.(*ast.BasicLit); ok && text.Kind == token.STRING {
					name, _ := strconv.Unquote(text.Value)
					lines = append(lines, "anywhere: "+name+"\n")
				}
			}
			return true
		})
	}
	return lines
}

const fieldsReadHead = `# The fields that readers ask of a message or of a conversation's document, and of any object (anywhere). Written by go generate ./transform;
# fields.txt has all others.

`

// makes reports that a function has a variable of its own of that name.
func makes(f *ast.FuncDecl, name string) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok && assign.Tok == token.DEFINE {
			found = found || slices.ContainsFunc(assign.Lhs, func(e ast.Expr) bool { return nameOf(e) == name })
		}
		return !found
	})
	return found
}

// asks reports whether a method looks for members by their names: of a value, or of several heads.
func asks(method *ast.SelectorExpr) bool {
	return slices.Contains([]string{"Get", "First", "get", "first"}, method.Sel.Name)
}

// nameOf is the text of a name such as a.head; "" for anything else.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return nameOf(e.X) + "." + e.Sel.Name
	}
	return ""
}
