package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/schedule"
	"pipeline/extract"
	"pipeline/load/objects"
	"pipeline/pipelines/file"
)

// This file decides what a timer runs: the program's path, the arguments and the environment, so that all of them still
// work later.

var goBuild = regexp.MustCompile(`[/\\]go-build[0-9]*[/\\]`)

// temporary returns an error if the program will not exist when the timer starts it.
func temporary(program string) error {
	within, err := filepath.Rel(os.TempDir(), program)
	if goBuild.MatchString(program) || err == nil && filepath.IsLocal(within) {
		return fmt.Errorf("%s will not stay there: install the program ('go install ./cmd/pipeline', or copy it to "+
			"~/.local/bin), and run that", program)
	}
	return nil
}

// runFlags are those that a run understands.
func runFlags() []cli.Flag { return runCommand().Flags }

// runArgs returns the words after --, for a run that is started from another folder.
func runArgs(c *cli.Context) ([]string, error) {
	given := c.Args().Slice()
	if i := slices.Index(given, "--"); i >= 0 {
		given = slices.Delete(given, i, i+1)
	}
	for _, arg := range given {
		if slices.Contains([]string{"-h", "-help", "--help", "-dry-run", "--dry-run"}, arg) {
			return nil, usage("a timer that runs 'pipeline run %s' would load nothing", arg)
		}
	}
	// Parse with the run's own flags; the pipeline that is named must exist. Nothing is run.
	app := newApp(io.Discard, io.Discard)
	app.Command("run").Action = func(c *cli.Context) error {
		_, err := namedPipeline(c)
		return err
	}
	if err := app.RunContext(c.Context, flagsFirst(app, append([]string{"pipeline", "run"}, given...))); err != nil {
		return nil, usage("'pipeline run %s' would not start: %s", strings.Join(given, " "), err)
	}
	return append([]string{"run"}, absoluteArgs(given, runFlags())...), nil
}

// absoluteArgs makes paths absolute: a timer starts in another folder.
func absoluteArgs(args []string, flags []cli.Flag) []string {
	kinds := map[string]cli.Flag{}
	for _, f := range flags {
		for _, name := range f.Names() {
			kinds[name] = f
		}
	}
	var out []string
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		flag := kinds[name]
		_, isBool := flag.(*cli.BoolFlag)
		switch {
		case len(args[i]) < 2 || args[i][0] != '-':
			out = append(out, absoluteFile(args[i]))
		case joined:
			dashes := args[i][:len(args[i])-len(strings.TrimLeft(args[i], "-"))]
			out = append(out, dashes+name+"="+absoluteValue(flag, value))
		case flag == nil || isBool || i+1 == len(args):
			out = append(out, args[i])
		default:
			out = append(out, args[i], absoluteValue(flag, args[i+1]))
			i++
		}
	}
	return out
}

// absoluteFile makes a word absolute that is clearly a file, such as ./nightly.yaml. A plain name stays as it is.
func absoluteFile(word string) string {
	if info, err := os.Stat(word); err != nil || info.IsDir() || !strings.ContainsAny(word, `/\.`) {
		return word
	}
	return absolute(word)
}

// absoluteValue makes a flag's value absolute if it is a path, and the paths in one that is none alone: of a source, of
// an alias. These may begin with ~/, as a shell leaves it.
func absoluteValue(f cli.Flag, value string) string {
	switch f := f.(type) {
	case *cli.PathFlag:
		if f.Name == "log" && value == file.LogNone || strings.Contains(value, "://") { // a bucket
			return value
		}
		return absolute(value)
	case *cli.StringSliceFlag:
		here, err := os.Getwd()
		home, homeErr := os.UserHomeDir()
		all := file.Settings()
		i := slices.IndexFunc(all, func(s file.Setting) bool { return s.Flag == f.Name })
		if value != "" && err == nil && homeErr == nil && i >= 0 {
			return all[i].Placed(value, file.Reading{Dir: here, Home: home})
		}
	}
	return value
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil && path != "" {
		return abs
	}
	return path
}

// timerVariables tell a run that a timer started it, and the umask of what it pushes into a folder: timers have a
// stricter one.
func timerVariables() []schedule.Var {
	out := []schedule.Var{{Name: triggerVariable, Value: runlog.BySchedule}}
	if umask := os.Getenv(objects.UmaskVariable); umask != "" {
		out = append(out, schedule.Var{Name: objects.UmaskVariable, Value: umask})
	}
	return out
}

// ofServers are variables by which a push finds its server, and says which profile has the credentials. Credentials are
// not among them: a timer's files are no place for those.
var ofServers = []string{"AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3",
	"HTTPS_PROXY", "NO_PROXY", "https_proxy", "no_proxy"}

// jobVariables are the variables that are set now and that a run reads: PIPELINE_*, those of its flags, those of
// servers, and the folders of XDG and of Cursor. Variables that only tests use are left out, and those of
// timerVariables.
func jobVariables(flags []cli.Flag) (out []schedule.Var) {
	flagOf := map[string]cli.Flag{}
	for _, f := range flags {
		if f, ok := f.(cli.DocGenerationFlag); ok {
			for _, name := range f.GetEnvVars() {
				flagOf[name] = f.(cli.Flag)
			}
		}
	}
	isPath := append([]string{"PIPELINE_ROOT", "PIPELINE_CONFIG", "CURSOR_USER_DATA_DIR", "AWS_CONFIG_FILE",
		"AWS_SHARED_CREDENTIALS_FILE", "SSL_CERT_FILE", "SSL_CERT_DIR"}, extract.FolderVariables...)
	ofUser := []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} // a relative one counts nowhere
	tests := regexp.MustCompile(`^PIPELINE_(TRIGGER|UMASK|FAILPOINT|PHASE_FILE|ENDURANCE|TEST_.*|FAULTTEST_.*)$`)
	for _, set := range os.Environ() {
		name, value, _ := strings.Cut(set, "=")
		flag, ofFlag := flagOf[name]
		switch {
		case value == "" || tests.MatchString(name):
			continue
		case slices.Contains(isPath, name):
			value = absolute(value)
		case slices.Contains(ofUser, name):
		case ofFlag:
			value = absoluteValue(flag, value)
		case slices.Contains(ofServers, name):
			if strings.Contains(value, "@") { // a password of a proxy
				continue
			}
		case !strings.HasPrefix(name, "PIPELINE_"):
			continue
		}
		out = append(out, schedule.Var{Name: name, Value: value})
	}
	slices.SortFunc(out, func(a, b schedule.Var) int { return strings.Compare(a.Name, b.Name) })
	return out
}
