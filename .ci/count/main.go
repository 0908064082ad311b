// Command count tells how large the tree is and how its files hang together: go run ./.ci/count. Lines are counted
// without blank ones.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// tops are the folders with the product's code.
var tops = []string{"cmd", "extract", "transform", "load", "sql", "pipelines", "testdata"}

// longest is how many columns a line may have.
const longest = 120

// A kind of code.
type kind string

const (
	product    kind = "product"
	tests      kind = "tests"
	generators kind = "generators"
	bench      kind = "bench"
	queries    kind = "SQL"
)

// kindOf tells by the names of a file and its folders what it is for.
func kindOf(path string) kind {
	dir := filepath.ToSlash(filepath.Dir(path))
	switch in := func(part string) bool { return strings.Contains("/"+dir+"/", "/"+part+"/") }; {
	case strings.HasSuffix(path, "_test.go"), filepath.Ext(path) == ".sql" && in("testdata"):
		return tests
	case filepath.Ext(path) == ".sql":
		return queries
	case in("bench"), in("shapestore"):
		return bench
	case in("testdata"), slices.ContainsFunc(strings.Split(dir, "/"),
		func(part string) bool { return strings.HasSuffix(part, "test") }):
		return generators
	}
	return product
}

// A room is a folder.
type room struct {
	lines           map[kind]int
	files, exported int
	long            []string // lines of Go that are too long, as path:line
}

func main() {
	rooms := map[string]*room{}
	for _, top := range tops {
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if ext := filepath.Ext(path); err != nil || d.IsDir() || ext != ".go" && ext != ".sql" {
				return err
			}
			dir := filepath.Dir(path)
			if rooms[dir] == nil {
				rooms[dir] = &room{lines: map[kind]int{}}
			}
			return rooms[dir].count(path)
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if slices.Contains(os.Args, "-long") {
		tooLong(rooms)
		return
	}
	show(rooms)
	for _, top := range []string{"transform", "pipelines", "extract", "cmd/pipeline"} {
		back, all := arrows(top)
		fmt.Printf("%-13s %d of %d arrows between files run back up\n", top, back, all)
	}
}

// count adds a file to the room.
func (r *room) count(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	of, lines := kindOf(path), 0
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		line := scanner.Text()
		if strings.TrimSpace(line) != "" {
			lines++
		}
	}
	r.lines[of] += lines
	if filepath.Ext(path) != ".go" {
		return scanner.Err()
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	r.long = append(r.long, longLines(path, set, tree)...)
	if of != product {
		return scanner.Err()
	}
	r.files++
	for name := range declared(tree) {
		if ast.IsExported(name) {
			r.exported++
		}
	}
	return scanner.Err()
}

// longLines are the lines of a file that are too long. Texts in backquotes, and comments in C, may have longer ones.
func longLines(path string, set *token.FileSet, tree *ast.File) (long []string) {
	text, err := os.ReadFile(path)
	if err != nil || ast.IsGenerated(tree) {
		return nil
	}
	other := map[int]bool{}
	except := func(n ast.Node) {
		for line := set.Position(n.Pos()).Line; line <= set.Position(n.End()).Line; line++ {
			other[line] = true
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && strings.HasPrefix(l.Value, "`") {
			except(l)
		}
		if i, ok := n.(*ast.GenDecl); ok && len(i.Specs) == 1 && i.Doc != nil {
			if s, ok := i.Specs[0].(*ast.ImportSpec); ok && s.Path.Value == `"C"` {
				except(i.Doc)
			}
		}
		return true
	})
	for i, line := range strings.Split(string(text), "\n") {
		if utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")) > longest && !other[i+1] {
			long = append(long, fmt.Sprintf("%s:%d", path, i+1))
		}
	}
	return long
}

// declared are the names that a file declares at the top; a method counts by its own name.
func declared(tree *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names[d.Name.Name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names[n.Name] = true
					}
				}
			}
		}
	}
	return names
}

// tooLong names the lines that are too long, and exits with 1 if there are any.
func tooLong(rooms map[string]*room) {
	code := 0
	for _, dir := range slices.Sorted(maps.Keys(rooms)) {
		for _, at := range rooms[dir].long {
			fmt.Printf("%s has more than %d columns\n", at, longest)
			code = 1
		}
	}
	os.Exit(code)
}

// show prints the rooms with product code, and the sums.
func show(rooms map[string]*room) {
	kinds := []kind{product, tests, generators, bench, queries}
	sums, long, packages := map[kind]int{}, 0, 0
	fmt.Printf("%-36s %8s %6s %6s %9s %5s\n", "package", "product", "tests", "files", "exported", "long")
	for _, dir := range slices.Sorted(maps.Keys(rooms)) {
		r := rooms[dir]
		for _, k := range kinds {
			sums[k] += r.lines[k]
		}
		long += len(r.long)
		if r.lines[product] > 0 {
			packages++
			fmt.Printf("%-36s %8d %6d %6d %9d %5d\n", dir, r.lines[product], r.lines[tests], r.files, r.exported,
				len(r.long))
		}
	}
	for _, k := range kinds {
		fmt.Printf("%-10s %6d lines\n", k, sums[k])
	}
	fmt.Printf("%d packages with product code; %d lines of Go over %d columns\n", packages, long, longest)
}

// arrows counts the pairs of files of a package in which one uses a name of the other, and those that run against the
// order in which fewest do: an order that takes next whatever most of the others use and that uses fewest of them.
func arrows(dir string) (back, all int) {
	uses := usesOf(dir)
	left := slices.Sorted(maps.Keys(uses))
	at := map[string]int{}
	for len(left) > 0 {
		weight := func(path string) (n int) {
			for _, other := range left {
				if uses[path][other] {
					n++
				}
				if uses[other][path] {
					n--
				}
			}
			return n
		}
		next := slices.MaxFunc(left, func(a, b string) int {
			return cmp.Or(weight(a)-weight(b), strings.Compare(b, a))
		})
		at[next] = len(at)
		left = slices.DeleteFunc(left, func(path string) bool { return path == next })
	}
	for from, tos := range uses {
		for to := range tos {
			all++
			if at[to] < at[from] {
				back++
			}
		}
	}
	return back, all
}

// usesOf tells which files of a package use what another of them declares: a name at the top, or a method. A field, or
// a local variable, of the same name is no use. Imports are not read, so a method of a value whose type only they tell
// is not seen.
func usesOf(dir string) map[string]map[string]bool {
	uses, set := map[string]map[string]bool{}, token.NewFileSet()
	var trees []*ast.File
	paths, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, path := range paths {
		tree, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil || kindOf(path) != product {
			continue
		}
		trees, uses[path] = append(trees, tree), map[string]bool{}
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Error: func(error) {}} // it goes on without the imports
	pkg, _ := config.Check(dir, set, trees, &info)
	for id, o := range info.Uses {
		f, _ := o.(*types.Func)
		isMethod := f != nil && f.Signature().Recv() != nil
		from, to := set.Position(id.Pos()).Filename, set.Position(o.Pos()).Filename
		if o.Pkg() == pkg && from != to && (isMethod || o.Parent() == pkg.Scope()) {
			uses[from][to] = true
		}
	}
	return uses
}
