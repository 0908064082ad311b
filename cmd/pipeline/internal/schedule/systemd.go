package schedule

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Systemd is a timer of the user's own systemd: systemd.timer(5), systemd.service(5).
type Systemd struct{ at Place }

func (s *Systemd) unit(name, kind string) string { return "pipeline-" + name + "." + kind }

func (s *Systemd) folder() string { return filepath.Join(s.at.Config, "systemd", "user") }

// Plan implements System. Only the user may read the two units: variables may be private.
func (s *Systemd) Plan(j Job) (Plan, error) {
	if err := j.check(); err != nil {
		return Plan{}, err
	}
	if strings.ContainsAny(j.Program, `"'\`) {
		return Plan{}, fmt.Errorf("systemd starts no program whose path has a quote or a backslash: %s; make a link "+
			"to it elsewhere, and call that", j.Program)
	}
	timer, service := s.unit(j.Name, "timer"), s.unit(j.Name, "service")
	return Plan{
		Files: []File{
			{Path: filepath.Join(s.folder(), service), Mode: 0o600, Text: marked("# %s\n", "", s.service(j))},
			{Path: filepath.Join(s.folder(), timer), Mode: 0o600, Text: marked("# %s\n", "", s.timer(j))},
		},
		Commands: []Command{
			{Args: []string{"systemctl", "--user", "daemon-reload"}},
			{Args: []string{"systemctl", "--user", "enable", timer}},
			{Args: []string{"systemctl", "--user", "restart", timer}}, // also restarts an older version that is running
		},
		Log: "journalctl --user -u " + service,
	}, nil
}

// service runs the job. The type is exec, not oneshot: only with exec does systemd allow RestartForceExitStatus, which
// repeats a run after the one temporary failure only. The time limit is RuntimeMaxSec. KillMode is mixed, because the
// program ends its children itself.
func (s *Systemd) service(j Job) string {
	var b strings.Builder
	fmt.Fprintf(&b, `
[Unit]
Description=%s
StartLimitIntervalSec=1h
StartLimitBurst=%d

[Service]
Type=exec
`, strings.ReplaceAll(j.About, "%", "%%"), triesInHour)
	for _, v := range j.Env {
		fmt.Fprintf(&b, "Environment=%s\n", unitWord(v.Name+"="+v.Value, false))
	}
	fmt.Fprintf(&b, "ExecStart=%s", unitWord(j.Program, false))
	for _, a := range j.Args {
		b.WriteString(" " + unitWord(a, true))
	}
	fmt.Fprintf(&b, `
# Asked to stop, the program ends with %[1]d and leaves nothing half done.
KillMode=mixed
TimeoutStopSec=%[2]d
SuccessExitStatus=%[1]d
RuntimeMaxSec=%[3]d
# %[4]d says that the warehouse or a store was busy: soon it is not.
RestartForceExitStatus=%[4]d
RestartSec=%[5]d
Nice=19
IOSchedulingClass=idle
UMask=0077
`, j.Stopped, seconds(graceful), seconds(longest), j.Busy, seconds(again))
	return b.String()
}

// timer starts the service. Persistent starts it once if starts were missed while the machine was off.
func (s *Systemd) timer(j Job) string {
	return fmt.Sprintf(`
[Unit]
Description=%s, %s

[Timer]
OnCalendar=%s
Persistent=true
RandomizedDelaySec=120

[Install]
WantedBy=timers.target
`, strings.ReplaceAll(j.About, "%", "%%"), j.When, j.When.onCalendar())
}

func seconds(d time.Duration) int { return int(d / time.Second) }

// unitWord quotes a word for systemd.syntax(7): with the specifiers of systemd.unit(5), and in a command's arguments
// the variables of systemd.service(5).
func unitWord(s string, argument bool) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:=,"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%").Replace(s)
	if argument {
		s = strings.ReplaceAll(s, "$", "$$")
	}
	return `"` + s + `"`
}

// Undo implements System.
func (s *Systemd) Undo(name string) Undo {
	timer, service := s.unit(name, "timer"), s.unit(name, "service")
	return Undo{
		Files: []string{filepath.Join(s.folder(), service), filepath.Join(s.folder(), timer)},
		Links: []string{filepath.Join(s.folder(), "timers.target.wants", timer)},
		Commands: []Command{
			{Args: []string{"systemctl", "--user", "disable", "--now", timer}},
			{Args: []string{"systemctl", "--user", "stop", service}},
			// removes the time of the last run; older versions do not know the command
			{Args: []string{"systemctl", "--user", "clean", "--what=state", timer}, MayFail: true},
		},
		After: []Command{
			{Args: []string{"systemctl", "--user", "daemon-reload"}},
			{Args: []string{"systemctl", "--user", "reset-failed", service}, MayFail: true},
		},
	}
}

// Ready implements System.
func (s *Systemd) Ready(ctx context.Context, r Runner) (notes []string, err error) {
	if _, err := r.Run(ctx, "systemctl", "--user", "show", "--property=Version"); err != nil {
		return nil, fmt.Errorf("there is no systemd for users here: %w", err)
	}
	linger, err := r.Run(ctx, "loginctl", "show-user", s.at.User, "--property=Linger")
	if err == nil && strings.TrimSpace(linger) == "Linger=no" {
		notes = append(notes, "lingering is off: the timer runs only while you are logged in, and makes up for what "+
			"it missed when you log in again. 'loginctl enable-linger' has it run also while you are not.")
	}
	return notes, nil
}

// State implements System.
func (s *Systemd) State(ctx context.Context, r Runner, name string) (State, error) {
	timer, err1 := s.show(ctx, r, s.unit(name, "timer"), "UnitFileState", "ActiveState", "NextElapseUSecRealtime")
	service, err2 := s.show(ctx, r, s.unit(name, "service"), "ActiveState", "Result", "ExecMainStartTimestamp",
		"ExecMainCode", "ExecMainStatus")
	if err := errors.Join(err1, err2); err != nil {
		return State{}, err
	}
	st := State{
		Enabled: timer["UnitFileState"] == "enabled" && timer["ActiveState"] == "active",
		Running: service["ActiveState"] == "active" || service["ActiveState"] == "deactivating",
		NextRun: stamp(timer["NextElapseUSecRealtime"]), LastRun: stamp(service["ExecMainStartTimestamp"]),
	}
	if service["ActiveState"] == "activating" { // it is waiting for another try
		st.Told = append(st.Told, fmt.Sprintf("it is tried again %d minutes after it was busy", again/time.Minute))
	}
	if st.LastRun != nil && !st.Running {
		if st.Result = service["Result"]; service["ExecMainCode"] == "1" {
			// CLD_EXITED; otherwise the status is a signal
			st.LastExit = number(service["ExecMainStatus"])
		}
	}
	return st, nil
}

// show reads properties of a unit.
func (s *Systemd) show(ctx context.Context, r Runner, unit string, names ...string) (map[string]string, error) {
	out, err := r.Run(ctx, "systemctl", "--user", "show", unit, "--property="+strings.Join(names, ","))
	values := map[string]string{}
	for line := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		values[name] = value
	}
	return values, err
}

// stamp parses a time that systemctl prints with TZ=UTC; nil if there is none.
func stamp(text string) *time.Time {
	t, err := time.Parse("Mon 2006-01-02 15:04:05 MST", text)
	if err != nil {
		return nil
	}
	return &t
}
