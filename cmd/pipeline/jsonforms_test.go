package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A jsonCase is a command line that prints JSON, in a folder with the demo history and its warehouse.
type jsonCase struct {
	form string // the command, or error
	args string // what the shell gets
	code int
}

var jsonCases = []jsonCase{
	{"answers", "answers --json", 0},
	{"answers", "answers tool_failures --json --max-rows 3", 0},
	{"check", "check --json", 0},
	{"check", "check --deep --json --source demo=demo --subset 1/50 --parquet pq", 0},
	{"config", "config nightly --json", 0},
	{"discover", "discover --json --source demo", 0},
	{"doctor", "doctor --json --source demo=demo --parquet pq", 0},
	{"doctor", "doctor --json --source nowhere --no-plan", 3},
	{"error", "sql --json 'SELECT nonsense'", 1},
	{"error", "run --json --source nowhere", 3},
	{"error", "rnu --json", 2},
	{"export conversations", "export conversations --json --format openai --out chats --project tide-web", 0},
	{"export csv", "export csv out --json", 0},
	{"export parquet", "export parquet pq2 --json --redact", 0},
	{"history", "history ca5ee242-0000-4000-8000-000000000001 --json", 0},
	{"history", "history composerData:ca5ee242-0000-4000-8000-000000000001 --json", 0},
	{"history", "history composerData:ca5ee242-0000-4000-8000-000000000001 --show last --json", 0},
	{"pipelines list", "pipelines list --json", 0},
	{"pipelines show", "pipelines show weekly --json", 0},
	{"pipelines validate", "pipelines validate broken.yaml weekly --json", 2},
	{"prune", "prune --json", 0},
	{"push", "push --to lake --json --dry-run --show-redactions", 0},
	{"push", "push --to lake --json", 0},
	{"push", "push --to lake --gc --json --dry-run", 0},
	{"rebuild", "rebuild --json --force --warehouse rebuilt.duckdb", 0},
	{"report", "report -o page.html --json", 0},
	{"run", "run --json --source demo=demo --dry-run --full", 0},
	{"run", "run --json --source demo=demo --full --git --estimate --parquet pq --csv csv --report r.html --push " +
		"lake2 --usage demo/usage", 0},
	{"schema", "schema --json", 0},
	{"search", "search migration --json", 0},
	{"secrets", "secrets --json", 0},
	{"show", "show ca5ee242 --json", 0},
	{"show", "show --last --json", 0},
	{"sql", "sql --json 'SELECT 1 AS n, NULL AS nothing, {\"a\": [1]} AS s, now() AS t'", 0},
	{"sql", "sql --json 'SELECT 1 AS n WHERE false'", 0},
	{"status", "status --json --runs 3", 0},
	{"status", "status --json --warehouse none.duckdb", 3},
	{"version", "version --json", 0},
}

// timerCases need the timers of systemd, here of a script that is called as its program.
var timerCases = []jsonCase{
	{"schedule install", "schedule install --json --dry-run", 0},
	{"schedule status", "schedule status --json", 0},
	{"schedule remove", "schedule remove --json --dry-run", 0},
}

// TestJSON: with --json every command prints one object, with the version of its form first, and it is as the JSON
// schema of the command says, with no member more. Each command that has the flag is among the cases.
func TestJSON(t *testing.T) {
	t.Parallel()
	long(t)
	w := newCLITest(t)
	w.warehouse = demoWarehouse(t)
	w.dir = filepath.Dir(w.warehouse)
	w.must(os.Mkdir(filepath.Join(w.dir, "home"), 0o700))
	for _, name := range []string{"bin", "lake", "lake2"} {
		w.must(os.Mkdir(filepath.Join(w.dir, name), 0o700))
	}
	w.must(os.WriteFile(filepath.Join(w.dir, "broken.yaml"), []byte("since: never\nbogus: 1\n"), 0o600))
	w.must(os.WriteFile(filepath.Join(w.dir, "bin", "systemctl"), []byte("#!/bin/sh\necho running\n"), 0o700))
	w.must(exec.Command("sh", "-c", "mkdir "+filepath.Join(w.dir, "raw")+" && for f in "+w.warehouse+"*; do cp -r $f "+
		filepath.Join(w.dir, "rebuilt.duckdb")+"${f#"+w.warehouse+"}; done").Run())
	runDemo := exec.Command("pipeline", "run", "--quiet", "--source", "demo=demo", "--warehouse", w.warehouse,
		"--parquet", "pq")
	runDemo.Dir = w.dir
	w.must(runDemo.Run())
	cases := slices.Clone(jsonCases)
	if os.Getenv("PATH") != "" && filepath.Separator == '/' {
		cases = append(cases, timerCases...)
	}
	met := map[string]bool{"serve": true} // see served.start
	for _, c := range cases {
		met[c.form] = true
		cmd := exec.Command("sh", "-c", "pipeline "+c.args)
		cmd.Dir = w.dir
		cmd.Env = append(os.Environ(), "HOME="+filepath.Join(w.dir, "home"), "PIPELINE_WAREHOUSE=w.duckdb",
			"PATH="+filepath.Join(w.dir, "bin")+":"+os.Getenv("PATH"), "XDG_RUNTIME_DIR="+w.dir)
		var out, said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &said
		_ = cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("pipeline %s: exit code %d, want %d: %s", c.args, code, c.code, said.String())
		}
		if !strings.HasPrefix(strings.ReplaceAll(out.String(), " ", ""), "{\n\"schema_version\":1,") &&
			c.form != "error" {
			t.Errorf("pipeline %s begins with %.60q", c.args, out.String())
		}
		if err := strictly(t, c.form).judge(out.Bytes()); err != nil {
			t.Errorf("pipeline %s: %v", c.args, err)
		}
	}
	for command, path := range commandsOf(newApp(nil, nil).Commands, nil) {
		if name := strings.Join(path, " "); hasFlag(command, "json") && !met[name] &&
			(cases[len(cases)-1].form == "schedule remove" || path[0] != "schedule") {
			t.Errorf("pipeline %s --json is not among the cases", name)
		}
	}
}

// A form judges what a command prints.
type form struct{ *jsonschema.Schema }

// strictly is a command's JSON schema, made stricter: an object has no members but those that the schema names.
func strictly(t *testing.T, command string) form {
	t.Helper()
	var printed, said bytes.Buffer
	if code := realMain(append([]string{"pipeline", "schema"}, strings.Fields(command)...), &printed,
		&said); code != 0 {
		t.Fatal(said.String())
	}
	document, err := jsonschema.UnmarshalJSON(&printed)
	if err != nil {
		t.Fatal(command, err)
	}
	closed(document)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(command+".json", document); err != nil {
		t.Fatal(command, err)
	}
	schema, err := compiler.Compile(command + ".json")
	if err != nil {
		t.Fatal(command, err)
	}
	return form{schema}
}

// closed closes each object of a schema that names members.
func closed(node any) {
	switch node := node.(type) {
	case map[string]any:
		if _, open := node["additionalProperties"]; node["properties"] != nil && !open && node["type"] != nil {
			node["additionalProperties"] = false
		}
		for _, child := range node {
			closed(child)
		}
	case []any:
		for _, child := range node {
			closed(child)
		}
	}
}

// judge says what is wrong with one JSON document.
func (f form) judge(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	var first json.RawMessage
	if err := decoder.Decode(&first); err != nil {
		return err
	}
	if decoder.More() {
		return os.ErrExist // more than one document
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(first))
	if err != nil {
		return err
	}
	return f.Validate(document)
}
