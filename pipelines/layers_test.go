package pipelines_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the name of this module; the packages below are named without it.
const module = "pipeline/"

// A layer is a package and what it may import: imports point one way.
type layer struct {
	imports   []string          // packages of this module
	forbidden map[string]string // other packages, and why not; a name ending in / is a whole tree
	reason    string            // why the table has it so
}

// singleFiles are packages with traps, and the only files that may import each: mostly one, and beside it the
// benchmark's, which measures the bare library.
var singleFiles = map[string][]string{
	"github.com/marcboeker/go-duckdb/v2":      {"load/engine/duckdb.go", "cmd/bench/engine.go"},
	"github.com/marcboeker/go-duckdb/mapping": {"load/engine/appender.go"},
	"github.com/DataDog/zstd":                 {"load/parquetfile/writer.go"},
	"github.com/go-faster/jx":                 {"cmd/bench/floors.go"},
	"github.com/goccy/go-yaml": {"transform/yaml.go", "pipelines/file/read.go",
		"pipelines/file/pipeline_test.go"},
	"github.com/tidwall/sjson":               {"cmd/pipeline/internal/hooks/hooks.go"},
	"github.com/tidwall/gjson":               {"cmd/pipeline/internal/hooks/hooks.go"},
	"github.com/tidwall/pretty":              {"cmd/pipeline/internal/hooks/hooks.go"},
	"github.com/tiktoken-go/tokenizer/codec": {"load/tokens/tokens.go"},
	"gopkg.in/natefinch/lumberjack.v2":       {"cmd/pipeline/runreporting.go"},
	"github.com/fsnotify/fsnotify":           {"cmd/pipeline/internal/serve/watch.go"},
	// the second makes buckets and policies, for tests
	"github.com/minio/minio-go/v7": {"load/objects/s3.go", "load/objects/s3test/server.go"},
	"github.com/BurntSushi/toml":   {"load/redact/rules.go"},
	// the others are clients
	"github.com/modelcontextprotocol/go-sdk": {"cmd/pipeline/internal/mcpserver/protocol.go",
		"cmd/pipeline/mcp_test.go", "cmd/pipeline/mcpsafe_test.go"},
	"github.com/google/jsonschema-go": {"cmd/pipeline/internal/mcpserver/protocol.go"},
	// Markdown to Markdown, to HTML, and what judges both
	"github.com/yuin/goldmark": {"cmd/pipeline/internal/chat/markdown.go", "cmd/pipeline/internal/chat/rendered.go",
		"cmd/pipeline/internal/chattest/chattest.go"},
}

var layers = map[string]layer{
	"extract": {imports: []string{"load/tool/atomicfile", "load/tool/scratch", "load/tool/sqlrows"},
		reason: "it knows where bytes are, never what they mean"},
	"testdata/gen/night":      {reason: "it only reads what make endurance says"},
	"testdata/gen/storetest":  {reason: "a second opinion shares no code with what it judges"},
	"testdata/gen/editortest": {reason: "a second opinion shares no code with what it judges"},
	"testdata/gen/disagreetest": {imports: []string{"testdata/gen/storetest", "testdata/gen/graphtest"},
		reason: "a second opinion shares no code with what it judges, and graphs and stores are written by others"},
	"testdata/gen/clitest": {imports: []string{"testdata/gen/graphtest", "testdata/gen/transcripttest"},
		reason: "a second opinion shares no code with what it judges, and graphs and transcripts are written by " +
			"others"},
	"testdata/gen/yeartest": {imports: []string{"testdata/gen/clitest", "testdata/gen/storetest",
		"testdata/gen/graphtest"}, reason: "it puts together what others plan and write, and shares no code with " +
		"what is judged by it"},
	"transform": {imports: []string{"extract", "sql/schema", "transform/graph", "transform/jsondoc", "transform/prompt",
		"transform/transcript", "transform/usage"}, reason: "it is pure: no clock, no I/O, no SQL",
		forbidden: map[string]string{
			"database/sql": "no SQL", "os": "no I/O", "os/": "no I/O", "net": "no I/O", "net/": "no I/O",
			"io/ioutil": "no I/O", "syscall": "no I/O", "math/rand": "the same rows in give the same rows out",
		}},
	"transform/jsondoc": {imports: []string{"sql/schema"},
		reason: "it knows values and the columns that hold them, never what a document says; it is pure: no clock, " +
			"no I/O, no SQL", forbidden: map[string]string{"os": "no I/O", "io": "no I/O", "database/sql": "no SQL"}},
	"transform/graph": {imports: []string{"transform/jsondoc", "transform/prompt"},
		reason: "it knows nodes and their fields, never which store has them; it is pure: no clock, no I/O, no SQL",
		forbidden: map[string]string{
			"context": "nothing takes long", "database/sql": "no SQL", "io": "no I/O", "io/": "no I/O", "os": "no I/O",
			"os/": "no I/O", "net": "no I/O", "net/": "no I/O", "syscall": "no I/O",
			"math/rand":                        "the same blobs in give the same conversation out",
			"google.golang.org/protobuf/proto": "nothing is generated: fields are read by their numbers",
		}},
	"testdata/gen/graphtest": {reason: "a second opinion shares no code with what it judges"},
	"transform/transcript": {imports: []string{"transform/prompt"},
		reason: "it knows a file's bytes and its name, never the folder that it is in, or what a store has of the " +
			"conversation; it is pure: no clock, no I/O, no SQL", forbidden: map[string]string{
			"context": "nothing takes long", "database/sql": "no SQL", "io": "no I/O", "io/": "no I/O", "os": "no I/O",
			"os/": "no I/O", "net": "no I/O", "net/": "no I/O",
			"path/filepath": "the same path means the same on every system", "syscall": "no I/O",
			"math/rand": "the same bytes in give the same transcript out",
		}},
	"testdata/gen/transcripttest": {imports: []string{"testdata/gen/graphtest"},
		reason: "it writes JSON as that does; a second opinion shares no code with what it judges"},
	"transform/usage": {imports: []string{"transform/jsondoc"},
		reason: "it knows a file's bytes, never which turn an event belongs to; it is pure: no clock, no I/O, no SQL",
		forbidden: map[string]string{
			"context": "nothing takes long", "database/sql": "no SQL", "io": "no I/O", "io/": "no I/O", "os": "no I/O",
			"os/": "no I/O", "net": "no I/O", "net/": "no I/O", "syscall": "no I/O",
			"math/rand": "the same bytes in give the same events out",
		}},
	"transform/prices": {imports: []string{"sql/schema"},
		reason: "it knows what a token costs, never how many there are; it is pure: no clock, no files, no SQL",
		forbidden: map[string]string{
			"context": "nothing takes long", "database/sql": "no SQL", "os": "no files", "os/": "no files",
			"net": "no I/O", "net/": "no I/O", "syscall": "no I/O",
			"math/rand": "the same list in gives the same list out",
		}},
	"testdata/gen/usagetest": {imports: []string{"testdata/gen/graphtest"},
		reason: "it writes JSON as that does; a second opinion shares no code with what it judges"},
	"transform/prompt": {reason: "it knows a text, never where it is from; it is pure: no clock, no I/O, no SQL",
		forbidden: map[string]string{
			"context": "nothing takes long", "database/sql": "no SQL", "io": "no I/O", "io/": "no I/O", "os": "no I/O",
			"os/": "no I/O", "net": "no I/O", "net/": "no I/O", "syscall": "no I/O",
			"math/rand": "the same text in gives the same prompt out",
		}},
	"sql":        {imports: []string{"sql/schema"}, reason: "the SQL files are for every engine and every reader"},
	"sql/schema": {reason: "the declaration of the tables is the ground that all stand on"},

	"load": {imports: []string{"load/engine", "load/figures", "sql/schema"},
		reason: "it has types that its rooms share, and does nothing"},
	"load/warehouse": {imports: []string{"load", "load/catalog", "load/changes", "load/engine", "load/figures",
		"load/rawindex", "load/rawlog", "load/session", "load/sinks", "load/tokens", "load/tool/atomicfile",
		"load/tool/failpoint", "load/tool/filelock", "load/tool/outpath", "load/tool/sqlrows", "sql", "sql/schema"},
		reason: "it knows storage, never chats, and none of its readers"},
	"load/session": {imports: []string{"load/engine", "sql/schema"},
		reason: "it knows an open file, never which rows are written to it"},
	"load/rawindex": {imports: []string{"load", "load/engine", "load/figures", "load/rawlog", "load/session",
		"load/tool/atomicfile", "load/tool/failpoint", "load/tool/sqlrows", "load/versions", "sql", "sql/schema"},
		reason: "it knows what a warehouse says of its raw layer, never what a row means"},
	"load/versions": {imports: []string{"load", "load/engine", "load/rawlog", "load/tool/sqlrows", "sql",
		"sql/schema"}, reason: "it reads the raw layer's files alone, never the warehouse's tables"},
	"load/maintain": {imports: []string{"load", "load/catalog", "load/engine", "load/rawindex", "load/rawlog",
		"load/session", "load/tool/atomicfile", "load/tool/failpoint", "load/tool/sqlrows", "load/versions",
		"load/warehouse", "sql", "sql/schema"},
		reason: "it knows what is to be removed, never what rows mean or when it is due"},
	"load/figures": {imports: []string{"load/catalog", "load/engine", "load/tool/sqlrows", "sql",
		"sql/schema"}, reason: "it asks a connection that is open, and knows no loads"},
	"load/reader": {imports: []string{"load", "load/catalog", "load/engine", "load/figures",
		"load/tool/scratch", "load/tool/sqlrows", "sql", "sql/schema"},
		reason: "it reads what is committed, and knows no loads; of load it knows types"},
	"load/search": {imports: []string{"load", "load/engine", "load/reader", "load/textindex",
		"load/tool/filelock", "load/tool/sqlrows", "sql/schema"},
		reason: "it reads what is committed, and knows no loads; of load it knows types"},
	"load/inspect": {imports: []string{"load/catalog", "load/digest", "load/engine", "load/figures",
		"load/rawindex", "load/rawlog", "load/sinks", "load/tool/atomicfile", "load/tool/filelock", "load/tool/sqlrows",
		"load/warehouse", "sql", "sql/schema"}, reason: "it looks at what loads have left, and changes nothing"},
	"load/tool/outpath":    {reason: "it knows kinds of files, never what is in them"},
	"load/tool/atomicfile": {reason: "it knows how a file takes its place, never what is in it"},
	"load/objects": {imports: []string{"load/tool/atomicfile"},
		reason: "it knows objects by their keys, never what is in them"},
	"load/objects/s3test": {reason: "it starts a server for tests, and shares no code with what it judges"},
	"load/catalog": {imports: []string{"load/engine", "load/tool/sqlrows", "sql/schema"},
		reason: "it knows which tables a file has, never what is in them"},
	"load/tool/failpoint": {reason: "it knows how a program fails, never what it was about to do"},
	"load/tool/filelock": {imports: []string{"load/tool/outpath"},
		reason: "it knows locks, never what they are for"},
	"load/engine": {imports: []string{"load/tool/atomicfile", "load/tool/outpath", "load/tool/scratch",
		"load/tool/sqlrows", "sql/schema"},
		reason: "it knows the engine's file and its traps, never which rows are in it"},
	"load/digest": {imports: []string{"load/engine", "sql/schema"},
		reason: "it compares what tables hold, wherever they are"},
	"load/changes": {imports: []string{"load/engine", "load/tool/sqlrows"},
		reason: "it knows what is stale since a load, never who asks, or what they keep"},
	"load/sinks": {imports: []string{"load/catalog", "load/changes", "load/digest", "load/engine",
		"load/parquetfile", "load/tool/atomicfile", "load/tool/failpoint", "load/tool/filelock", "load/tool/outpath",
		"load/tool/sqlrows", "sql", "sql/schema"}, reason: "it reads any committed warehouse, and knows no loads"},
	"load/rawlog": {imports: []string{"load/engine", "load/parquetfile", "load/tool/atomicfile",
		"load/tool/outpath", "sql/schema"}, reason: "it knows Parquet files of rows, never the warehouse's tables"},
	"load/parquetfile": {imports: []string{"sql/schema"},
		reason: "it knows columns, never which table they are of, or where the file is"},
	"load/tool/sqlrows": {imports: []string{"sql/schema"}, reason: "it knows rows, never whose they are"},
	"load/tool/scratch": {imports: []string{"load/tool/atomicfile"}, reason: "it knows folders, never what is in them"},
	"load/textindex":    {imports: []string{"load/tool/sqlrows"}, reason: "it knows words, never where they come from"},
	"load/tokens":       {reason: "it knows a text, never whose it is or what a token costs"},
	"load/sinktest": {imports: []string{"load", "load/reader", "load/warehouse", "sql/schema"},
		reason: "it tests what a warehouse promises, by its methods alone"},
	"load/push": {imports: []string{"load/engine", "load/objects", "load/redact", "load/tool/atomicfile",
		"load/tool/filelock", "load/tool/outpath", "load/tool/scratch", "load/tool/sqlrows", "load/warehouse",
		"sql/schema"}, reason: "it knows tables, units and objects, never what a row means or how a secret or a name " +
		"is found"},
	"load/redact":            {reason: "it knows texts and rules, never which column or machine a text is of"},
	"load/redact/redacttest": {reason: "it makes what redact is to find, and shares no code with it"},

	"pipelines": {imports: []string{"extract", "load", "load/catalog", "load/engine", "load/figures", "load/inspect",
		"load/maintain", "load/push", "load/search", "load/sinks", "load/versions", "load/warehouse", "pipelines/plan",
		"pipelines/raw", "sql/schema", "transform", "transform/prices"},
		reason: "it puts the parts together and knows none of their inside"},
	"pipelines/plan": {imports: []string{"extract", "load", "load/figures", "sql/schema", "transform"},
		reason: "it decides what is read as a function of what is known; it reads nothing and changes nothing",
		forbidden: map[string]string{
			"context": "nothing takes long", "database/sql": "no SQL", "os": "no I/O", "os/": "no I/O", "io": "no I/O",
			"io/": "no I/O", "net": "no I/O", "net/": "no I/O", "syscall": "no I/O",
			"math/rand": "the same state in gives the same plan out",
		}},
	"pipelines/doctor": {imports: []string{"extract", "load/engine", "load/figures", "load/inspect", "load/sinks",
		"pipelines"}, reason: "it knows what may stand in the way of a run, never how a run is done; what a run " +
		"would do it asks of a dry run"},
	"pipelines/shape": {imports: []string{"extract", "transform"},
		reason: "it counts rows and fields, never what a run makes of them, and says no value; of transform it asks " +
			"which names are Cursor's"},
	"testdata/gen/shapetest": {imports: []string{"testdata/gen/storetest"},
		reason: "it makes stores for tests out of a file, and shares no code with what wrote it"},
	"cmd/shapestore": {imports: []string{"testdata/gen/shapetest"},
		reason: "it is for developers, and no part of the program"},
	"pipelines/raw": {imports: []string{"extract", "load", "load/versions", "pipelines/plan", "sql/schema"},
		reason: "it knows how what is read is a row of the raw layer, never why it is read and what it means"},
	"pipelines/file": {imports: []string{"extract", "load/objects", "load/push", "load/sinks", "pipelines"},
		reason: "it knows what may be said of a run, never how a run is done"},

	"cmd/pipeline/internal/faulttest": {reason: "it breaks any program, and knows none"},
	"cmd/pipeline/internal/csp":       {reason: "it knows texts of pages, never what is in them"},
	"cmd/pipeline/internal/report": {imports: []string{"cmd/pipeline/internal/csp", "cmd/pipeline/internal/term",
		"load/reader"},
		reason: "a page is a function of a warehouse and of what is asked of it; it knows no flags and no stores"},
	"cmd/pipeline/internal/demo": {imports: []string{"load/tool/sqlrows"},
		reason: "it knows where the projects of the packed year are, never what a row means"},
	"cmd/pipeline/internal/hooks": {reason: "it writes down what Cursor says, and knows nothing of runs"},
	"cmd/pipeline/internal/schedule": {imports: []string{"load/tool/atomicfile", "load/tool/outpath"},
		reason: "it knows timers, never what they start"},
	"cmd/pipeline/internal/early": {reason: "it knows signals and limits of the system, never what the program " +
		"does"},
	"cmd/pipeline/internal/retry": {reason: "it knows pauses, never what is tried"},
	"cmd/pipeline/internal/notify": {imports: []string{"cmd/pipeline/internal/retry"},
		reason: "it knows how something is told, never what a run does"},
	"cmd/pipeline/internal/progress": {reason: "it knows how something is shown, never what is done"},
	"cmd/pipeline/internal/runlog": {imports: []string{"load/tool/atomicfile", "load/tool/outpath"},
		reason: "it knows what runs say of themselves, never what they do"},
	"cmd/pipeline/internal/serve": {imports: []string{"cmd/pipeline/internal/csp",
		"cmd/pipeline/internal/runlog"},
		reason: "it knows when and how runs are started and what is told of them, never what they do"},
	"cmd/pipeline/internal/chat": {imports: []string{"cmd/pipeline/internal/csp", "cmd/pipeline/internal/term",
		"load/reader", "sql/schema"}, reason: "it knows the rows of a conversation, never how they are found"},
	"cmd/pipeline/internal/pages": {imports: []string{"cmd/pipeline/internal/chat", "cmd/pipeline/internal/csp",
		"cmd/pipeline/internal/report", "cmd/pipeline/internal/term", "load", "load/engine", "load/reader",
		"load/search", "load/textindex", "load/tool/outpath", "sql/schema"},
		reason: "it knows which pages there are, and knows no flags and no stores"},
	"cmd/pipeline/internal/chattest": {reason: "it judges what is printed, and shares no code with what prints it"},
	"cmd/pipeline/internal/mcpserver": {imports: []string{"cmd/pipeline/internal/chat", "load", "load/engine",
		"load/reader", "load/redact", "load/search", "load/tool/sqlrows", "pipelines", "pipelines/file", "sql",
		"sql/schema"}, reason: "it answers from a warehouse, and knows no flags and no stores; of pipelines it knows " +
		"how projects and times are named"},
	"cmd/pipeline/internal/places": {imports: []string{"extract", "load", "load/rawlog", "load/sinks",
		"load/tool/outpath", "pipelines"}, reason: "it knows places, never what is written to them; of pipelines it " +
		"knows the type of a usage error"},
	"cmd/pipeline/internal/result": {imports: []string{"cmd/pipeline/internal/places", "cmd/pipeline/internal/term",
		"load/reader", "load/tool/atomicfile", "load/tool/outpath", "pipelines"},
		reason: "it knows rows and columns, never what is in them; of pipelines it knows the type of a usage error"},
	"cmd/pipeline/internal/term": {reason: "it knows texts and terminals, never what the texts say"},
	"cmd/pipeline":               {imports: []string{"*"}, reason: "it wires everything"},
	"cmd/bench":                  {imports: []string{"*"}, reason: "it measures everything"},
}

// goFile is one Go file that is no test.
type goFile struct {
	name string // from the module's root, with slashes
	file *ast.File
	set  *token.FileSet
	size int // lines
}

// goFiles parses every file of the module that is no test.
func goFiles(t *testing.T) []goFile {
	t.Helper()
	var out []goFile
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") ||
			d.Name() == "testdata" && name != "testdata" || d.Name() == "bin"):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		out = append(out, goFile{name, file, set, bytes.Count(text, []byte("\n"))})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 20 {
		t.Fatalf("only %d files were found", len(out))
	}
	return out
}

// TestLayers holds the import table.
func TestLayers(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range goFiles(t) {
		name := path.Dir(s.name)
		l, ok := layers[name]
		if !ok {
			t.Errorf("package %s is not in the import table: add it, with what it may import and why", name)
			continue
		}
		seen[name] = true
		for _, spec := range s.file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if why := l.refuses(imported); why != "" {
				t.Errorf("%s imports %s: %s", s.name, imported, why)
			}
			for driver, only := range singleFiles {
				if (imported == driver || strings.HasPrefix(imported, driver+"/")) && !slices.Contains(only, s.name) {
					t.Errorf("%s imports %s: only %v may know it and its traps", s.name, imported, only)
				}
			}
		}
	}
	for name := range layers {
		if !seen[name] {
			t.Errorf("the import table names %s, and there is no such package", name)
		}
	}
}

// refuses says why the layer may not import a package; "" if it may.
func (l layer) refuses(imported string) string {
	if inner, ours := strings.CutPrefix(imported, module); ours && !slices.Contains(l.imports, inner) &&
		!slices.Contains(l.imports, "*") {
		return l.reason
	}
	for name, why := range l.forbidden {
		if imported == name || strings.HasSuffix(name, "/") && strings.HasPrefix(imported, name) {
			return why
		}
	}
	return ""
}

// TestRefuses: the table refuses what it should.
func TestRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		layer, imported string
		refused         bool
	}{
		{"extract", "pipeline/sql/schema", true}, {"extract", "pipeline/transform", true}, {"extract", "os", false},
		{"testdata/gen/storetest", "pipeline/extract", true}, {"transform", "pipeline/extract", false},
		{"transform", "pipeline/sql/schema", false}, {"transform", "pipeline/sql", true},
		{"transform", "pipeline/load", true}, {"transform/graph", "pipeline/extract", true},
		{"transform/graph", "os", true}, {"transform/graph", "google.golang.org/protobuf/encoding/protowire", false},
		{"testdata/gen/graphtest", "pipeline/transform/graph", true},
		{"transform/transcript", "pipeline/transform/prompt", false},
		{"transform/transcript", "pipeline/transform/graph", true}, {"transform/transcript", "os", true},
		{"transform/transcript", "path/filepath", true}, {"transform/transcript", "time", false},
		{"testdata/gen/transcripttest", "pipeline/transform/transcript", true},
		{"transform/prompt", "pipeline/transform/transcript", true}, {"transform/prompt", "os", true},
		{"transform/usage", "pipeline/transform", true}, {"transform/usage", "net/http", true},
		{"transform/usage", "time", false}, {"testdata/gen/usagetest", "pipeline/transform/usage", true},
		{"transform", "database/sql", true}, {"transform", "os", true}, {"transform", "os/exec", true},
		{"transform", "net/http", true}, {"transform", "strings", false}, {"transform", "time", false},
		{"load", "pipeline/load/warehouse", true}, {"load/warehouse", "pipeline/sql", false},
		{"load/warehouse", "pipeline/load/reader", true}, {"load/warehouse", "pipeline/load/maintain", true},
		{"load/rawlog", "pipeline/load/rawindex", true}, {"load/versions", "pipeline/load/rawindex", true},
		{"load/reader", "pipeline/load/inspect", true}, {"load/sinks", "pipeline/load", true},
		{"load/warehouse", "pipeline/load/sinks", false}, {"load/warehouse", "pipeline/transform", true},
		{"load/warehouse", "pipeline/extract", true}, {"pipelines", "pipeline/sql", true},
		{"pipelines", "pipeline/pipelines/file", true}, {"pipelines/plan", "pipeline/pipelines", true},
		{"pipelines", "pipeline/pipelines/doctor", true}, {"pipelines/doctor", "pipeline/transform", true},
		{"pipelines/raw", "pipeline/pipelines", true}, {"pipelines/raw", "pipeline/transform", true},
		{"pipelines/plan", "os", true}, {"pipelines/plan", "time", false}, {"sql", "pipeline/load", true},
		{"sql", "pipeline/sql/schema", false}, {"sql/schema", "pipeline/sql", true},
		{"cmd/pipeline", "pipeline/load", false}, {"cmd/pipeline/internal/term", "pipeline/load", true},
		{"cmd/pipeline/internal/chat", "pipeline/extract", true},
		{"cmd/pipeline/internal/chat", "pipeline/cmd/pipeline/internal/term", false},
		{"cmd/pipeline/internal/result", "pipeline/extract", true},
		{"cmd/pipeline/internal/places", "pipeline/cmd/pipeline/internal/result", true},
	} {
		if got := layers[test.layer].refuses(test.imported); (got != "") != test.refused {
			t.Errorf("%s imports %s: refused for %q, want %v", test.layer, test.imported, got, test.refused)
		}
	}
}

// TestPure: transform, its packages and plan ask no clock, and nothing is done before main begins.
func TestPure(t *testing.T) {
	t.Parallel()
	pure := []string{"transform", "transform/graph", "transform/transcript", "transform/prompt", "transform/usage",
		"transform/prices", "transform/jsondoc", "pipelines/plan"}
	clock := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Local"}
	for _, s := range goFiles(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv == nil && n.Name.Name == "init" {
					t.Errorf("%s has an init function: what a program does begins in main", s.set.Position(n.Pos()))
				}
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok || !slices.Contains(pure, path.Dir(s.name)) {
					return true
				}
				if x.Name == "time" && slices.Contains(clock, n.Sel.Name) {
					t.Errorf("%s uses time.%s: this package has no clock, the same in gives the same out",
						s.set.Position(n.Pos()), n.Sel.Name)
				}
			}
			return true
		})
	}
}

// Files and functions may be this long. Longer ones have a reason.
const (
	maxFile     = 420 // lines
	maxFunction = 70
)

var longWithReason = map[string]string{
	"testdata/gen/storetest/plans.go PlanFiles": "it is a list of cases",
}

// TestSizes: what is long is hard to read.
func TestSizes(t *testing.T) {
	t.Parallel()
	long := map[string]bool{}
	check := func(name string, lines, limit int) {
		if lines <= limit {
			return
		}
		long[name] = true
		if longWithReason[name] == "" {
			t.Errorf("%s has %d lines, more than %d: cut it, or say in longWithReason why it is one thing", name, lines,
				limit)
		}
	}
	for _, s := range goFiles(t) {
		check(s.name, s.size, maxFile)
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			check(s.name+" "+f.Name.Name, s.set.Position(f.End()).Line-s.set.Position(f.Pos()).Line+1, maxFunction)
		}
	}
	for name := range longWithReason {
		if !long[name] {
			t.Errorf("longWithReason names %s, which is not long", name)
		}
	}
}

// TestTopLevel: a newcomer finds the house as the README draws it.
func TestTopLevel(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	// The Dockerfile has its place at the top, since what it copies lies beside it; people and forges look there for
	// the changes and for how to report a hole.
	fixed := []string{"cmd", "extract", "transform", "load", "sql", "pipelines", "testdata", "docs", "go.mod", "go.sum",
		"Makefile", "Dockerfile", "README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "bin"}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(fixed, e.Name()) {
			t.Errorf("%s is at the top level, which is fixed: %v", filepath.Base(e.Name()), fixed)
		}
	}
}
