package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/rogpeppe/go-internal/testscript"
)

// scripts is the folder of the scripts.
var scripts = filepath.Join("..", "..", "testdata", "script")

// TestScripts runs whole scenarios as a person would type them.
func TestScripts(t *testing.T) {
	testscript.RunT(oneByOne{t}, testscript.Params{Dir: scripts, Setup: emptyHome, Cmds: scriptCommands,
		UpdateScripts: *update})
}

// oneByOne runs no script beside another, or beside another test: hereCommand gives this process another folder and
// other variables.
type oneByOne struct{ *testing.T }

func (t oneByOne) Parallel() {}

func (t oneByOne) Verbose() bool { return testing.Verbose() }

func (t oneByOne) Run(name string, script func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { script(oneByOne{t}) })
}

// scriptCommands are what scripts can do beside testscript's own commands.
var scriptCommands = map[string]func(*testscript.TestScript, bool, []string){"here": hereCommand, "row": rowCommand,
	"fault": faultCommand, "hold": holdCommand, "store": storeCommand, "demo": demoScript}

// ownVariables is the key of the variables that a script begins with.
type ownVariables struct{}

// emptyHome gives a script a home of its own, without Cursor.
func emptyHome(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, "home")
	for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
		"PIPELINE_WAREHOUSE", "PIPELINE_SOURCE"} {
		e.Setenv(name, "")
	}
	e.Setenv("HOME", home)
	e.Setenv("TZ", "UTC")
	e.Values[ownVariables{}] = e.Vars
	return os.MkdirAll(home, 0o700)
}

// setVariable is a line of a script that sets a variable.
var setVariable = regexp.MustCompile(`(?m)^env (\w+)=`)

// hereCommand is `here pipeline ARGS`: what `exec pipeline ARGS` does, in this process, without the start of another.
// What reads standard input, or asks for the program's own path, takes exec.
func hereCommand(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || args[0] != "pipeline" {
		ts.Fatalf("usage: here pipeline ARGS")
	}
	defer asScript(ts)()
	if code := realMain(args, ts.Stdout(), ts.Stderr()); (code != 0) != neg {
		ts.Fatalf("%q: exit code %d", args, code)
	}
}

// asScript gives this process the folder, the variables and the time zone of a script, until back is called.
func asScript(ts *testscript.TestScript) (back func()) {
	text, err := os.ReadFile(filepath.Join(scripts, ts.Name()+".txt"))
	ts.Check(err)
	folder, err := os.Getwd()
	ts.Check(err)
	zone, variables := time.Local, os.Environ()
	own := map[string]string{}
	for _, variable := range ts.Value(ownVariables{}).([]string) {
		name, _, _ := strings.Cut(variable, "=")
		own[name] = ts.Getenv(name)
	}
	for _, set := range setVariable.FindAllSubmatch(text, -1) {
		own[string(set[1])] = ts.Getenv(string(set[1]))
	}
	os.Clearenv()
	for name, value := range own {
		err = errors.Join(err, os.Setenv(name, value))
	}
	ts.Check(errors.Join(err, os.Chdir(ts.MkAbs("."))))
	xdg.Reload()
	time.Local, err = time.LoadLocation(ts.Getenv("TZ"))
	ts.Check(err)
	return func() {
		os.Clearenv()
		for _, variable := range variables {
			name, value, _ := strings.Cut(variable, "=")
			err = errors.Join(err, os.Setenv(name, value))
		}
		time.Local, err = zone, errors.Join(err, os.Chdir(folder))
		xdg.Reload()
		ts.Check(err)
	}
}
