package schedule

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write golden files anew")

// plainJob is what most people have.
func plainJob() Job {
	return Job{Name: "nightly", About: "pipeline: load Cursor's history", Program: "/home/ada/.local/bin/pipeline",
		Args: []string{"run"}, When: When{Hour: 4, Minute: 30}, Busy: 75, Stopped: 130}
}

// oddJob has every character that some format gives a meaning to.
func oddJob() Job {
	return Job{
		Name: "odd", About: "pipeline: 100 % <of> & \"all\"", Program: "/home/ada/my bin $HOME %h & <b> ü/pipeline",
		When: When{Every: 6 * time.Hour}, Busy: 75, Stopped: 130,
		Args: []string{"run", "--parquet", "/data/50% of \"ü\" & <x>", "$HOME", "${HOME}", ";", "", `a\b\`,
			`it's "so\"`, "#no comment"},
		Env: []Var{{"PIPELINE_PROJECT", `50% $HOME "q" 's' \n <&> ü`},
			{"PIPELINE_WAREHOUSE", "/home/ada/my data/w.duckdb"}},
	}
}

func place() Place {
	return Place{Home: "/home/ada", Config: "/home/ada/.config", State: "/home/ada/.local/state", UID: 1000,
		User: `HOST\ada <&>`}
}

// TestGolden makes the files of each system, on any system.
func TestGolden(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the golden files have this test's paths with slashes")
	}
	short := plainJob()
	short.Name, short.When = "often", When{Every: 20 * time.Minute}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, j := range []Job{plainJob(), oddJob(), short} {
			plan, err := For(goos, place()).Plan(j)
			if err != nil {
				t.Fatal(goos, j.Name, err)
			}
			for _, f := range plan.Files {
				file := filepath.Join("..", "..", "..", "..", "testdata", "schedule", j.Name+filepath.Ext(f.Path))
				if *update {
					must(t, os.WriteFile(file, []byte(f.Text), 0o600))
				}
				want, err := os.ReadFile(file)
				must(t, err)
				if diff := cmp.Diff(string(want), f.Text); diff != "" {
					t.Errorf("%s differs; look at it and run go test ./cmd/pipeline/internal/schedule -update (-want "+
						"+got):\n%s", file, diff)
				}
			}
		}
	}
}

// TestUnitsVerify has systemd's own checker read the units: of each time there is, and of a program at an odd path with
// odd arguments.
func TestUnitsVerify(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed; with it on the PATH this test has it verify the units")
	}
	dir := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", dir)
	t.Setenv("HOME", dir)
	whens := []When{{Hour: 2, Minute: 30}, {Hour: 23, Minute: 59}}
	for _, d := range every() {
		whens = append(whens, When{Every: d})
	}
	for i, when := range whens {
		j := plainJob()
		if i == 0 {
			j = oddJob()
		}
		j.When, j.Program = when, filepath.Join(dir, `a $HOME %h & <b> ü`, "pipeline")
		must(t, os.MkdirAll(filepath.Dir(j.Program), 0o700))
		must(t, os.WriteFile(j.Program, []byte("#!/bin/sh\n"), 0o700))
		plan, err := (&Systemd{Place{Config: dir}}).Plan(j)
		must(t, err)
		args := []string{"--user", "verify"}
		for _, f := range plan.Files {
			must(t, f.Write())
			args = append(args, f.Path)
		}
		if out, err := exec.Command(analyze, args...).CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 {
			t.Errorf("%s: %v\n%s", when, err, out)
		}
	}
}

// TestCalendar has systemd say when its timers start.
func TestCalendar(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed; with it on the PATH this test has it read the times")
	}
	for _, test := range []struct {
		when When
		want string // the starts after noon
	}{
		{When{Hour: 2, Minute: 30}, "02:30:00 02:30:00 02:30:00"},
		{When{Every: 15 * time.Minute}, "12:15:00 12:30:00 12:45:00"},
		{When{Every: time.Hour}, "13:00:00 14:00:00 15:00:00"},
		{When{Every: 8 * time.Hour}, "16:00:00 00:00:00 08:00:00"},
		{When{Every: 24 * time.Hour}, "00:00:00 00:00:00 00:00:00"},
	} {
		cmd := exec.Command(analyze, "calendar", "--iterations=3", "--base-time=2026-06-01 12:00:00",
			test.when.onCalendar())
		cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", test.when, err, out)
		}
		var got []string
		for line := range strings.Lines(string(out)) {
			if words := strings.Fields(line); strings.Contains(line, "Next elapse:") ||
				strings.Contains(line, "Iter.") {
				got = append(got, words[len(words)-2])
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s starts at %v, want %s\n%s", test.when, got, test.want, out)
		}
		first := next(test.when.moments(), time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC))
		if first == nil || first.Format("15:04:05") != got[0] {
			t.Errorf("%s starts next at %v, systemd says %s", test.when, first, got[0])
		}
	}
}

// TestPlist has Python's reader of property lists read ours.
func TestPlist(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed; with it on the PATH this test reads the property list by its plistlib")
	}
	j := oddJob()
	plan, err := (&Launchd{place()}).Plan(j)
	must(t, err)
	cmd := exec.Command(python, "-c", "import sys, json, plistlib; json.dump(plistlib.loads(sys.stdin.buffer.read()), "+
		"sys.stdout)")
	cmd.Stdin = strings.NewReader(plan.Files[0].Text)
	out, err := cmd.Output()
	must(t, err)
	var got struct {
		Label                 string
		ProgramArguments      []string
		EnvironmentVariables  map[string]string
		StartCalendarInterval []map[string]int
		ProcessType           string
		LowPriorityIO         bool
		ExitTimeOut           int
	}
	must(t, json.Unmarshal(out, &got))
	if diff := cmp.Diff(append([]string{j.Program}, j.Args...), got.ProgramArguments); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{j.Env[0].Name: j.Env[0].Value, j.Env[1].Name: j.Env[1].Value},
		got.EnvironmentVariables); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]map[string]int{{"Hour": 0, "Minute": 0}, {"Hour": 6, "Minute": 0}, {"Hour": 12, "Minute": 0},
		{"Hour": 18, "Minute": 0}}, got.StartCalendarInterval); diff != "" {
		t.Error(diff)
	}
	if got.Label != "local.pipeline.odd" || got.ProcessType != "Background" || !got.LowPriorityIO ||
		got.ExitTimeOut != 300 {
		t.Error(got)
	}
}

// TestTaskXML reads the task back: its bytes as Windows does, its XML, and its command line by the documented rules.
func TestTaskXML(t *testing.T) {
	j := oddJob()
	j.Args[2], j.Env[0].Value = `/data/50% of "ü" & <x>`, `5% "q" \n <&> ü`
	plan, err := (&Tasks{place()}).Plan(j)
	must(t, err)
	b := plan.Files[0].encoded()
	if !bytes.HasPrefix(b, []byte("\xff\xfe<\x00?\x00")) || !bytes.Contains(b, []byte("\r\x00\n\x00")) {
		t.Errorf("not UTF-16 as Windows writes it: %x", b[:20])
	}
	d := xml.NewDecoder(strings.NewReader(decoded(b)))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var task struct {
		UserID    string `xml:"Principals>Principal>UserId"`
		Logon     string `xml:"Principals>Principal>LogonType"`
		Interval  string `xml:"Triggers>CalendarTrigger>Repetition>Interval"`
		Available bool   `xml:"Settings>StartWhenAvailable"`
		Limit     string `xml:"Settings>ExecutionTimeLimit"`
		OnlyIdle  string `xml:"Settings>RunOnlyIfIdle"`
		Command   string `xml:"Actions>Exec>Command"`
		Arguments string `xml:"Actions>Exec>Arguments"`
	}
	must(t, d.Decode(&task))
	if task.UserID != place().User || task.Logon != "InteractiveToken" || task.Interval != "PT360M" ||
		!task.Available || task.Limit != "PT6H" || task.OnlyIdle != "false" {
		t.Errorf("%+v", task)
	}
	if want := `"` + j.Program + `"`; task.Command != want {
		t.Errorf("command %s, want %s", task.Command, want)
	}
	want := append([]string{"schedule", "exec", "--log", "/home/ada/.local/state/pipeline/schedule-odd.log", "--env",
		"PIPELINE_PROJECT=" + j.Env[0].Value, "--env", "PIPELINE_WAREHOUSE=/home/ada/my data/w.duckdb", "--"},
		j.Args...)
	if diff := cmp.Diff(want, windowsSplit(task.Arguments)); diff != "" {
		t.Error(diff)
	}
}

// windowsSplit splits a command line by the rules that Microsoft gives for CommandLineToArgvW: 2n backslashes and a
// quote are n backslashes and the end or begin of quoting, 2n+1 are n backslashes and a quote, others stand for
// themselves.
func windowsSplit(line string) (out []string) {
	var word []byte
	inWord, quoting := false, false
	for i := 0; i < len(line); {
		n := 0
		for i+n < len(line) && line[i+n] == '\\' {
			n++
		}
		if i+n < len(line) && line[i+n] == '"' {
			word = append(word, strings.Repeat(`\`, n/2)...)
			if n%2 == 1 {
				word = append(word, '"')
			} else {
				quoting = !quoting
			}
			inWord = true
			i += n + 1
			continue
		}
		word = append(word, strings.Repeat(`\`, n)...)
		inWord = inWord || n > 0
		if i += n; i == len(line) {
			break
		}
		if c := line[i]; (c == ' ' || c == '\t') && !quoting {
			if inWord {
				out = append(out, string(word))
			}
			word, inWord = nil, false
		} else {
			word, inWord = append(word, c), true
		}
		i++
	}
	if inWord {
		out = append(out, string(word))
	}
	return out
}

// TestCronLine has sh take the line apart, as cron gives it to sh: cron itself turns \% into %.
func TestCronLine(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	j, dir := oddJob(), t.TempDir()
	j.Program = filepath.Join(dir, "it's a % ü", "pipeline")
	must(t, os.MkdirAll(filepath.Dir(j.Program), 0o700))
	script := "#!/bin/sh\nprintf '%s\\n' \"$PIPELINE_PROJECT\" \"$@\"\n"
	must(t, os.WriteFile(j.Program, []byte(script), 0o700))
	p := Place{State: dir}
	must(t, os.MkdirAll(filepath.Join(dir, "pipeline"), 0o700))
	line, ok := strings.CutPrefix(CronLine(j, p), "0 */6 * * * ")
	if !ok || strings.Count(line, "%") != strings.Count(line, `\%`) {
		t.Fatal(CronLine(j, p))
	}
	if out, err := exec.Command("sh", "-c", strings.ReplaceAll(line, `\%`, "%")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, err := os.ReadFile(p.logFile(j.Name))
	if want := strings.Join(append([]string{j.Env[0].Value}, j.Args...), "\n") + "\n"; err != nil ||
		string(got) != want {
		t.Errorf("%s %v, want %s", got, err, want)
	}
}

// TestRefused: what a format cannot hold is said, not written.
func TestRefused(t *testing.T) {
	for _, test := range []struct {
		goos string
		edit func(*Job)
		want string
	}{
		{"linux", func(j *Job) { j.Program = `/opt/a"b/pipeline` }, "make a link"},
		{"linux", func(j *Job) { j.Args = append(j.Args, "a\nb") }, "control character"},
		{"darwin", func(j *Job) { j.Env = []Var{{"PIPELINE_X", "\x01"}} }, "control character"},
		{"darwin", func(j *Job) { j.Args = append(j.Args, "\xff") }, "no UTF-8"},
		{"windows", func(j *Job) { j.Args = append(j.Args, "%PATH%") }, "for a variable"},
		{"windows", func(j *Job) { j.Name = `..\x` }, "no name for a timer"},
	} {
		j := plainJob()
		test.edit(&j)
		if _, err := For(test.goos, place()).Plan(j); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.goos, err, test.want)
		}
	}
	if For("plan9", place()) != nil {
		t.Error("there is a timer of plan9")
	}
}

// TestSkipped: in the night in which clocks go forward a time is not there.
func TestSkipped(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no time zones are installed: ", err)
	}
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, berlin)
	if got := (When{Hour: 2, Minute: 30}).Skipped(now); got != "2027-03-28" {
		t.Errorf("02:30 is not there on %q", got)
	}
	for _, w := range []When{{Hour: 4, Minute: 30}, {Every: time.Hour}} {
		if got := w.Skipped(now); got != "" {
			t.Errorf("%s is not there on %s", w, got)
		}
	}
}

// must ends a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
