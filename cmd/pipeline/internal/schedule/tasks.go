package schedule

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Tasks is a task of the Windows Task Scheduler: its XML is described in [MS-TSCH] 2.5.
type Tasks struct{ at Place }

func (t *Tasks) task(name string) string { return "pipeline-" + name }

// file is kept after the task was made from it: it shows what was made, and that this tool made it.
func (t *Tasks) file(name string) string {
	return filepath.Join(t.at.State, "pipeline", t.task(name)+".xml")
}

// expanded matches what the Task Scheduler replaces in a command line. It cannot be escaped.
var expanded = regexp.MustCompile(`%[^%]+%|\$\(Arg[0-9]+\)`)

// Plan implements System.
func (t *Tasks) Plan(j Job) (Plan, error) {
	if err := j.check(); err != nil {
		return Plan{}, err
	}
	log := t.at.logFile(j.Name)
	// A task has no environment and no place for output, so a subcommand sets the variables and writes the log. This
	// way no shell is needed, which would have its own rules for quotes.
	words := []string{"schedule", "exec", "--log", log}
	for _, v := range j.Env {
		words = append(words, "--env", v.Name+"="+v.Value)
	}
	words = append(append(words, "--"), j.Args...)
	for _, w := range append([]string{j.Program}, words...) {
		if expanded.MatchString(w) {
			return Plan{}, fmt.Errorf("the Task Scheduler would take a part of %q for a variable, and has no way to "+
				"write it: use another name", w)
		}
	}
	return Plan{
		Files: []File{{Path: t.file(j.Name), Mode: 0o600, UTF16: true,
			Text: marked("<!-- %s -->\n", `<?xml version="1.0" encoding="UTF-16"?>`+"\n", t.xml(j, words))}},
		Folders: []string{filepath.Dir(log)},
		Commands: []Command{{Args: []string{"schtasks", "/Create", "/F", "/TN", t.task(j.Name), "/XML",
			t.file(j.Name)}}},
		Log: log,
	}, nil
}

// xml is the task. It runs in the session of the user who is logged in: any other way needs a password or an
// administrator. StartWhenAvailable makes up for a missed start.
func (t *Tasks) xml(j Job, words []string) string {
	quotedWords := make([]string, len(words))
	for i, w := range words {
		quotedWords[i] = windowsWord(w)
	}
	repetition, start := "", fmt.Sprintf("2025-01-01T%02d:%02d:00", j.When.Hour, j.When.Minute)
	if j.When.Every > 0 && j.When.Every < 24*time.Hour {
		repetition = fmt.Sprintf("      <Repetition>\n        <Interval>PT%dM</Interval>\n"+
			"        <Duration>P1D</Duration>\n      </Repetition>\n", j.When.Every/time.Minute)
	}
	return fmt.Sprintf(`<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>%s</Description>
  </RegistrationInfo>
  <Triggers>
    <CalendarTrigger>
%s      <StartBoundary>%s</StartBoundary>
      <Enabled>true</Enabled>
      <ScheduleByDay>
        <DaysInterval>1</DaysInterval>
      </ScheduleByDay>
    </CalendarTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>%s</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <AllowHardTerminate>true</AllowHardTerminate>
    <StartWhenAvailable>true</StartWhenAvailable>
    <RunOnlyIfNetworkAvailable>false</RunOnlyIfNetworkAvailable>
    <IdleSettings>
      <StopOnIdleEnd>false</StopOnIdleEnd>
      <RestartOnIdle>false</RestartOnIdle>
    </IdleSettings>
    <AllowStartOnDemand>true</AllowStartOnDemand>
    <Enabled>true</Enabled>
    <Hidden>false</Hidden>
    <RunOnlyIfIdle>false</RunOnlyIfIdle>
    <WakeToRun>false</WakeToRun>
    <ExecutionTimeLimit>PT%dH</ExecutionTimeLimit>
    <Priority>9</Priority>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>%s</Command>
      <Arguments>%s</Arguments>
    </Exec>
  </Actions>
</Task>
`, xmlText(j.About), repetition, start, xmlText(t.at.User), longest/time.Hour, xmlText(windowsWord(j.Program)),
		xmlText(strings.Join(quotedWords, " ")))
}

// windowsWord quotes a word in the way that programs on Windows parse their command line: a backslash is special only
// before a quote.
func windowsWord(s string) string {
	if s != "" && !strings.ContainsAny(s, " \t\"") {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0
	for _, c := range []byte(s) {
		if c == '"' {
			b.WriteString(strings.Repeat(`\`, slashes+1))
		}
		slashes++
		if c != '\\' {
			slashes = 0
		}
		b.WriteByte(c)
	}
	return b.String() + strings.Repeat(`\`, slashes) + `"`
}

// Undo implements System.
func (t *Tasks) Undo(name string) Undo {
	return Undo{Files: []string{t.file(name)}, Commands: []Command{
		{Args: []string{"schtasks", "/End", "/TN", t.task(name)}, MayFail: true},
		{Args: []string{"schtasks", "/Delete", "/F", "/TN", t.task(name)}, MayFail: true},
	}}
}

// Ready implements System.
func (t *Tasks) Ready(ctx context.Context, r Runner) ([]string, error) {
	if _, err := r.Run(ctx, "schtasks", "/?"); err != nil {
		return nil, fmt.Errorf("the Task Scheduler cannot be asked: %w", err)
	}
	return []string{"the task runs only while you are logged in, and makes up for a start that it missed; a console " +
		"window may show up for a moment."}, nil
}

// Columns of schtasks /V /FO CSV. Their order is fixed; their names and the date format depend on the user's language.
const (
	csvNext   = 2
	csvStatus = 3
	csvLast   = 5
	csvResult = 6
)

// Results that are not exit codes: SCHED_S_TASK_RUNNING and SCHED_S_TASK_HAS_NOT_RUN.
const (
	taskRunning   = 0x41301
	taskHasNotRun = 0x41303
)

// State implements System. It returns times as text: in some languages day and month cannot be told apart.
func (t *Tasks) State(ctx context.Context, r Runner, name string) (State, error) {
	out, err := r.Run(ctx, "schtasks", "/Query", "/TN", t.task(name), "/V", "/FO", "CSV", "/NH")
	if err != nil {
		return State{}, nil // it is not registered
	}
	row, err := csv.NewReader(strings.NewReader(strings.TrimSpace(out))).Read()
	if err != nil || len(row) <= csvResult {
		return State{}, errors.Join(fmt.Errorf("schtasks prints something else than expected: %q", out), err)
	}
	st := State{Enabled: true, Told: []string{"next start " + row[csvNext], "last start " + row[csvLast],
		"status " + row[csvStatus]}}
	switch code := number(row[csvResult]); {
	case code == nil || *code == taskHasNotRun:
	case *code == taskRunning:
		st.Running = true
	default:
		st.LastExit = code
	}
	return st, nil
}
