package schedule

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A fake answers commands by how they begin; others fail.
type fake map[string]string

func (f fake) Run(_ context.Context, args ...string) (string, error) {
	line := strings.Join(args, " ")
	for begin, answer := range f {
		if strings.HasPrefix(line, begin) {
			return answer, nil
		}
	}
	return "", errors.New(line + ": no such thing")
}

func code(n int) *int { return &n }

// TestSystemdState reads what systemctl 252 prints.
func TestSystemdState(t *testing.T) {
	s := &Systemd{place()}
	timer := "UnitFileState=enabled\nActiveState=active\nNextElapseUSecRealtime=Sat 2026-10-10 02:30:00 UTC\n"
	for _, test := range []struct {
		name, service string
		want          State
	}{
		{"never", "ActiveState=inactive\nResult=success\nExecMainStartTimestamp=\nExecMainCode=0\nExecMainStatus=0\n",
			State{}},
		{"busy", "ActiveState=failed\nResult=exit-code\n" +
			"ExecMainStartTimestamp=Fri 2026-10-09 02:31:07 UTC\nExecMainCode=1\nExecMainStatus=75\n",
			State{LastExit: code(75), Result: "exit-code"}},
		{"killed", "ActiveState=failed\nResult=timeout\n" +
			"ExecMainStartTimestamp=Fri 2026-10-09 02:31:07 UTC\nExecMainCode=2\nExecMainStatus=9\n",
			State{Result: "timeout"}},
		{"now", "ActiveState=active\nResult=success\n" +
			"ExecMainStartTimestamp=Fri 2026-10-09 02:31:07 UTC\nExecMainCode=0\nExecMainStatus=0\n",
			State{Running: true}},
	} {
		got, err := s.State(t.Context(), fake{"systemctl --user show pipeline-nightly.timer ": timer,
			"systemctl --user show pipeline-nightly.service ": test.service}, "nightly")
		must(t, err)
		if !got.Enabled || got.NextRun == nil || !got.NextRun.Equal(time.Date(2026, 10, 10, 2, 30, 0, 0, time.UTC)) {
			t.Errorf("%s: %+v", test.name, got)
		}
		if (got.LastRun != nil) != (test.name != "never") ||
			got.LastRun != nil && !got.LastRun.Equal(time.Date(2026, 10, 9, 2, 31, 7, 0, time.UTC)) {
			t.Errorf("%s: last run %v", test.name, got.LastRun)
		}
		if got.Running != test.want.Running || got.Result != test.want.Result ||
			(got.LastExit == nil) != (test.want.LastExit == nil) ||
			got.LastExit != nil && *got.LastExit != *test.want.LastExit {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
	if _, err := s.State(t.Context(), fake{}, "nightly"); err == nil {
		t.Error("no systemd, and no error")
	}
	for linger, notes := range map[string]int{"Linger=no\n": 1, "Linger=yes\n": 0} {
		got, err := s.Ready(t.Context(), fake{"systemctl --user show": "Version=252", "loginctl show-user": linger})
		if err != nil || len(got) != notes {
			t.Errorf("%s: %q %v", linger, got, err)
		}
	}
}

// TestLaunchdState reads what launchctl prints, and the file.
func TestLaunchdState(t *testing.T) {
	p := Place{Home: t.TempDir(), State: t.TempDir(), UID: 501}
	l := &Launchd{p}
	plan, err := l.Plan(plainJob())
	must(t, err)
	must(t, plan.Files[0].Write())
	const print = "launchctl print gui/501/local.pipeline.nightly"
	got, err := l.State(t.Context(),
		fake{print: "gui/501/local.pipeline.nightly = {\n\tstate = not running\n\n" +
			"\tlast exit code = (never exited)\n\tevent = {\n\t\tstate = 1\n\t}\n}\n"}, "nightly")
	if err != nil || !got.Enabled || got.Running || got.LastExit != nil || got.LastRun != nil {
		t.Errorf("%+v %v", got, err)
	}
	if n := got.NextRun; n == nil || n.Hour() != 4 || n.Minute() != 30 || n.Before(time.Now()) ||
		time.Until(*n) > 25*time.Hour {
		t.Errorf("next run %v", n)
	}
	must(t, os.MkdirAll(filepath.Dir(plan.Log), 0o700))
	must(t, os.WriteFile(plan.Log, []byte("done"), 0o600))
	got, err = l.State(t.Context(), fake{print: "x = {\n\tstate = not running\n\tlast exit code = 3: ESRCH\n}\n"},
		"nightly")
	if err != nil || got.LastExit == nil || *got.LastExit != 3 || got.LastRun == nil {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := l.State(t.Context(), fake{}, "nightly"); err != nil || got.Enabled {
		t.Errorf("%+v %v", got, err)
	}
}

// A leaving is launchd with a job that runs: a bootout returns at once, the job is gone later, and before that a
// bootstrap fails.
type leaving struct {
	after   time.Duration // the job needs it to end
	gone    time.Time
	loaded  time.Duration // when the job was loaded again
	asked   int
	started time.Time
}

func (l *leaving) Run(_ context.Context, args ...string) (string, error) {
	there := l.after > 0 && (l.gone.IsZero() || time.Now().Before(l.gone))
	switch args[1] {
	case "bootout":
		if !there {
			return "", errors.New("Boot-out failed: 3: No such process")
		}
		l.gone = time.Now().Add(l.after)
	case "print":
		if l.asked++; !there {
			return "", errors.New("Bad request. Could not find service")
		}
	case "bootstrap":
		if there {
			return "", errors.New("Bootstrap failed: 5: Input/output error")
		}
		l.loaded = time.Since(l.started)
	}
	return "", nil
}

// TestLaunchdAgain installs over a job that ends at once, later, never, or is not there: it is loaded as soon as it can
// be, and one that never ends is an error.
func TestLaunchdAgain(t *testing.T) {
	plan, err := (&Launchd{place()}).Plan(plainJob())
	must(t, err)
	for _, test := range []struct {
		after, loaded time.Duration
		asked         int
		fails         bool
	}{
		{after: 0, asked: 1},
		{after: time.Nanosecond, loaded: 200 * time.Millisecond, asked: 2},
		{after: 4 * time.Second, loaded: 4 * time.Second, asked: 21},
		{after: time.Hour, asked: 1501, fails: true}, // five minutes: then launchd kills what it was to end
	} {
		synctest.Test(t, func(t *testing.T) {
			l := &leaving{after: test.after, started: time.Now()}
			var err error
			for _, c := range plan.Commands {
				err = errors.Join(err, c.Run(t.Context(), l))
			}
			if (err != nil) != test.fails || l.loaded != test.loaded || l.asked != test.asked {
				t.Errorf("%v: loaded after %v and %d questions, %v", test.after, l.loaded, l.asked, err)
			}
			if test.fails && !strings.Contains(err.Error(), "Bootstrap failed") {
				t.Error(err)
			}
		})
	}
}

// TestTasksState reads what schtasks prints, in any language.
func TestTasksState(t *testing.T) {
	s := &Tasks{place()}
	const query = "schtasks /Query /TN pipeline-nightly "
	row := `"HOST","\pipeline-nightly","10.10.2026 04:30:00","Bereit","Nur interaktiv","09.10.2026 04:30:01","75","HOST\ada","pipeline.exe"` + "\r\n"
	got, err := s.State(t.Context(), fake{query: row}, "nightly")
	if err != nil || !got.Enabled || got.LastExit == nil || *got.LastExit != 75 ||
		got.Told[0] != "next start 10.10.2026 04:30:00" {
		t.Errorf("%+v %v", got, err)
	}
	for result, running := range map[string]bool{"267011": false, "267009": true} {
		got, err := s.State(t.Context(), fake{query: strings.Replace(row, `"75"`, `"`+result+`"`, 1)}, "nightly")
		if err != nil || got.LastExit != nil || got.Running != running {
			t.Errorf("%s: %+v %v", result, got, err)
		}
	}
	if got, err := s.State(t.Context(), fake{}, "nightly"); err != nil || got.Enabled {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := s.State(t.Context(), fake{query: "what?"}, "nightly"); err == nil {
		t.Error("no error")
	}
}

// TestCondition tells whose a file is.
func TestCondition(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		dir := t.TempDir()
		system := For(goos, Place{Home: dir, Config: dir, State: dir})
		plan, err := system.Plan(plainJob())
		must(t, err)
		f := plan.Files[0]
		expect := func(want FileState) {
			t.Helper()
			if got, err := Look(f.Path, f.Text); err != nil || got != want {
				t.Errorf("%s: %s %v, want %s", goos, got, err, want)
			}
		}
		expect(Missing)
		must(t, f.Write())
		expect(Same)
		if names := Names(system); len(names) != 1 || names[0] != "nightly" {
			t.Errorf("%s: %q", goos, names)
		}
		info, err := os.Stat(f.Path)
		if err != nil || info.Mode().Perm() != f.Mode && runtime.GOOS != "windows" {
			t.Errorf("%s: %v %v", goos, info, err)
		}
		left, err := os.ReadDir(filepath.Dir(f.Path))
		if err != nil || len(left) != 1 {
			t.Errorf("%s: %v %v", goos, left, err)
		}
		other, changed, foreign := f, f, f
		other.Text = marked("# %s\n", "", "[Timer]\n")
		changed.Text = strings.Replace(f.Text, "/home/ada", "/home/bob", 1)
		foreign.Text = strings.Replace(f.Text, "Made by", "Made for", 1)
		for want, file := range map[FileState]File{Ours: other, Altered: changed, Foreign: foreign} {
			must(t, file.Write())
			expect(want)
		}
		if names := Names(system); len(names) > 1 {
			t.Errorf("%s: %q", goos, names)
		}
	}
}
