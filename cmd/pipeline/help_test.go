package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pipeline/load/reader"
)

// helpOf is what --help prints of a command without a terminal; of the program for none.
func helpOf(t *testing.T, path ...string) string {
	t.Helper()
	var out, said bytes.Buffer
	if code := realMain(append(append([]string{"pipeline"}, path...), "--help"), &out, &said); code != 0 {
		t.Fatal(path, said.String())
	}
	return out.String()
}

// TestHelp: the help of every command has 80 columns, begins with what the command does, has two to four examples, and
// calls the values of flags by words. It is the same after arguments.
func TestHelp(t *testing.T) {
	t.Parallel()
	letter := regexp.MustCompile(`--[a-z-]+ [A-Z]\b`)
	flagged := regexp.MustCompile(`(?m)^   --`)
	pages := map[string]string{"": helpOf(t)}
	for c, path := range commandsOf(newApp(nil, nil).Commands, nil) {
		page := helpOf(t, path...)
		pages[strings.Join(path, " ")] = page
		if len(c.Subcommands) == 0 && helpOf(t, append(slices.Clone(path), "run", "--no-such-flag")...) != page {
			t.Errorf("pipeline %s has other help after arguments", strings.Join(path, " "))
		}
	}
	if len(pages) < 35 {
		t.Errorf("only %d pages", len(pages))
	}
	for name, page := range pages {
		for line := range strings.Lines(page) {
			if line = strings.TrimRight(line, "\n"); utf8.RuneCountInString(line) > helpWidth &&
				!strings.Contains(line, "duckdb -c") {
				t.Errorf("pipeline %s: a line of %d: %s", name, utf8.RuneCountInString(line), line)
			}
		}
		if want := strings.TrimSpace("pipeline "+name) + " - "; !strings.HasPrefix(page, want) ||
			!strings.Contains(page, "\nUsage:\n   pipeline") {
			t.Errorf("pipeline %s begins with %.80q", name, page)
		}
		if n := len(examplesOf(page)); n < 2 || n > 4 {
			t.Errorf("pipeline %s has %d examples", name, n)
		}
		if found := letter.FindString(page); found != "" {
			t.Errorf("pipeline %s has a value that is no word: %s", name, found)
		}
		if flags := len(flagged.FindAllString(page, -1)); flags >= groupedFrom != strings.Contains(page,
			"\nCommon options:\n") {
			t.Errorf("pipeline %s has %d flags, in groups or not", name, flags)
		}
		if strings.Contains(page, "\nOther options:\n") {
			t.Errorf("pipeline %s has flags that are in no group", name)
		}
	}
}

// TestHelpGroups: the help of the program lists each command once, in a group.
func TestHelpGroups(t *testing.T) {
	t.Parallel()
	page := helpOf(t)
	var grouped []string
	for _, g := range commandGroups {
		if !strings.Contains(page, "\n"+g.title+":\n") {
			t.Errorf("%s is not there", g.title)
		}
		grouped = append(grouped, g.commands...)
	}
	for _, c := range newApp(nil, nil).Commands {
		if n := strings.Count(page, "\n   "+c.Name+" "); !c.Hidden && (n != 1 || !slices.Contains(grouped, c.Name)) {
			t.Errorf("%s is listed %d times", c.Name, n)
		}
	}
}

// TestHelpFlags: a letter means one thing wherever it is a flag, and flags stand in a group that says what they are
// for.
func TestHelpFlags(t *testing.T) {
	t.Parallel()
	letters := map[string]string{}
	for c, path := range commandsOf(newApp(nil, nil).Commands, nil) {
		for _, f := range c.Flags {
			for _, name := range f.Names() {
				if full := f.Names()[0]; len(name) == 1 && letters[name] == "" {
					letters[name] = full
				} else if len(name) == 1 && letters[name] != full {
					t.Errorf("-%s is --%s, and --%s in pipeline %s", name, letters[name], full, strings.Join(path, " "))
				}
			}
		}
	}
	page := helpOf(t, "export", "conversations")
	for flag, want := range map[string]string{"--role": "Which conversations and messages", "--all-branches": "Which " +
		"conversations and messages", "--redact": "What is written"} {
		before, _, _ := strings.Cut(page, "\n   "+flag)
		title := regexp.MustCompile(`(?m)^(\S.*):$`).FindAllStringSubmatch(before, -1)
		if got := title[len(title)-1][1]; got != want {
			t.Errorf("%s is under %q, want %q", flag, got, want)
		}
	}
}

// examplesOf are the command lines below "Examples:", as a person copies them.
func examplesOf(page string) (lines []string) {
	_, below, _ := strings.Cut(page, "Examples:\n")
	for line := range strings.Lines(below) {
		if !strings.HasPrefix(line, "   ") {
			break
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// unrun are the beginnings of examples that no test can run, and why.
var unrun = map[string]string{
	"curl ":                          "it asks a server that runs",
	"pipeline completion powershell": "it needs PowerShell; TestCompletion runs the script where that is",
	"pipeline completion zsh":        "it needs zsh; TestCompletion runs the script where that is",
	"source <(":                      "it is of bash; TestCompletion runs the script",
	"pipeline man | man":             "it needs man",
	"pipeline hook install":          "the program of a test is in a folder for temporary files; hook.txt runs it",
	"pipeline mcp nightly":           "it waits for a client; TestMCP has one",
	"pipeline push --to s3://":       "it needs a server; TestPush has one",
	"pipeline schedule": "it changes the timers of this machine; schedule.txt has a system that only " +
		"writes down",
	"pipeline serve": "it runs on; TestServe starts and ends it",
}

// TestHelpExamples runs the examples of every command in a home where Cursor has been used and the history is loaded.
// Names in them stand for some of that history.
func TestHelpExamples(t *testing.T) {
	t.Parallel()
	long(t)
	for _, program := range []string{"bash", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not here: the examples need it")
		}
	}
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	env := append(os.Environ(), "HOME="+home, "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=",
		"XDG_STATE_HOME=", "PIPELINE_LOG=none", "TZ=UTC")
	shell := func(in, line string) ([]byte, error) {
		cmd := exec.Command("bash", "-o", "pipefail", "-c", line)
		cmd.Dir, cmd.Env = in, env
		return cmd.CombinedOutput()
	}
	mustWriteStore(t, filepath.Join(home, "backup", "Cursor"), 50, 2)
	if out, err := shell(dir,
		`set -e; mkdir -p home/.cursor home/backup home/restored share ~/.local/share/man/man1 ~/.config/fish/completions
		pipeline demo --out ~/.config/Cursor; ln -s Cursor/User ~/backup/User
		pipeline run --quiet; pipeline export parquet ~/cursor-parquet --quiet
		cp -r ~/.local/share/pipeline/warehouse.duckdb* ~/restored/; mkdir folder; cp -r ~/backup/Cursor folder/demo
		cd folder; pipeline pipelines show nightly --yaml > mine.yaml; pipeline prices > prices.csv`); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	found, err := reader.Query(t.Context(), filepath.Join(home, ".local", "share", "pipeline", "warehouse.duckdb"),
		`SELECT c.conversation_id, c.project FROM live_conversations c
		SEMI JOIN live_tool_calls USING (conversation_id) WHERE c.project IS NOT NULL AND c.last_activity_at IS NOT NULL ORDER BY c.last_activity_at DESC LIMIT 1`)
	if err != nil || len(found.Rows) != 1 {
		t.Fatal(err, found)
	}
	id, project := reader.Text(found.Rows[0][0]), reader.Text(found.Rows[0][1])
	stand := strings.NewReplacer("my-app", project, "5a1cdd1b-0000-4000-8000-000000000001", id, "5a1cdd1b", id,
		"--show 2", "--show last", "composerData:ID", "composerData:"+id, "--since 7d", "--since 2024-01-01",
		"--since 30d", "--since 2024-01-01", "/mnt/share/cursor", filepath.Join(dir, "share"), "work.yaml", "mine.yaml",
		"--out demo", "--out demo2")
	ran := map[string]bool{}
	for _, path := range commandsOf(newApp(nil, nil).Commands, nil) {
		folder := filepath.Join(dir, strings.Join(path, "-"))
		must(t, os.CopyFS(folder, os.DirFS(filepath.Join(dir, "folder"))))
		for _, line := range examplesOf(helpOf(t, path...)) {
			why := ""
			for begin, reason := range unrun {
				if strings.HasPrefix(line, begin) {
					why = reason
				}
			}
			if why != "" {
				t.Logf("not run: %s: %s", line, why)
				continue
			}
			ran[line] = true
			if out, err := shell(folder, stand.Replace(line)); err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
		}
	}
	if len(ran) < 60 {
		t.Errorf("only %d examples were run", len(ran))
	}
}
