package schedule

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"pipeline/load/tool/outpath"
)

// Launchd is an agent of the user's own launchd: launchd.plist(5).
type Launchd struct{ at Place }

func (l *Launchd) label(name string) string { return "local.pipeline." + name }

func (l *Launchd) file(name string) string {
	return filepath.Join(l.at.Home, "Library", "LaunchAgents", l.label(name)+".plist")
}

// domain is the user's graphical login session.
func (l *Launchd) domain() string { return "gui/" + strconv.Itoa(l.at.UID) }

// Plan implements System. launchd refuses a file that others may write to. Others may read it, like the files of other
// programs.
func (l *Launchd) Plan(j Job) (Plan, error) {
	if err := j.check(); err != nil {
		return Plan{}, err
	}
	log, target := l.at.logFile(j.Name), l.domain()+"/"+l.label(j.Name)
	return Plan{
		Files: []File{{Path: l.file(j.Name), Mode: 0o644,
			Text: marked("<!-- %s -->\n", xml.Header, l.plist(j, log))}},
		Folders: []string{filepath.Dir(log)},
		Commands: []Command{
			{Args: []string{"launchctl", "bootout", target}, MayFail: true}, // unload an older version
			{Args: []string{"launchctl", "print", target}, UntilGone: true}, // bootout does not wait for its run
			{Args: []string{"launchctl", "enable", target}},
			{Args: []string{"launchctl", "bootstrap", l.domain(), l.file(j.Name)}},
		},
		Log: log,
	}, nil
}

// plist runs the job. If starts were missed during sleep, launchd starts the job once on waking. launchd cannot limit
// another try to one exit code.
func (l *Launchd) plist(j Job, log string) string {
	var b strings.Builder
	b.WriteString(
		`<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + l.label(j.Name) + "</string>\n\t<key>ProgramArguments</key>\n\t<array>\n")
	for _, a := range append([]string{j.Program}, j.Args...) {
		b.WriteString("\t\t<string>" + xmlText(a) + "</string>\n")
	}
	b.WriteString("\t</array>\n")
	if len(j.Env) > 0 {
		b.WriteString("\t<key>EnvironmentVariables</key>\n\t<dict>\n")
		for _, v := range j.Env {
			b.WriteString("\t\t<key>" + xmlText(v.Name) + "</key>\n\t\t<string>" + xmlText(v.Value) + "</string>\n")
		}
		b.WriteString("\t</dict>\n")
	}
	b.WriteString("\t<key>StartCalendarInterval</key>\n\t<array>\n")
	for _, m := range j.When.moments() {
		b.WriteString("\t\t<dict>")
		if m.hour >= 0 {
			fmt.Fprintf(&b, "<key>Hour</key><integer>%d</integer>", m.hour)
		}
		fmt.Fprintf(&b, "<key>Minute</key><integer>%d</integer></dict>\n", m.minute)
	}
	fmt.Fprintf(&b, `	</array>
	<key>ProcessType</key>
	<string>Background</string>
	<key>LowPriorityIO</key>
	<true/>
	<key>Nice</key>
	<integer>19</integer>
	<key>ExitTimeOut</key>
	<integer>%d</integer>
	<key>Umask</key>
	<integer>%d</integer>
	<key>StandardOutPath</key>
	<string>%[3]s</string>
	<key>StandardErrorPath</key>
	<string>%[3]s</string>
</dict>
</plist>
`, seconds(graceful), 0o077, xmlText(log))
	return b.String()
}

// xmlText escapes a text for XML.
func xmlText(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer never fails
	return b.String()
}

// Undo implements System.
func (l *Launchd) Undo(name string) Undo {
	return Undo{Files: []string{l.file(name)},
		Commands: []Command{{Args: []string{"launchctl", "bootout", l.domain() + "/" + l.label(name)}, MayFail: true}}}
}

// Ready implements System.
func (l *Launchd) Ready(ctx context.Context, r Runner) ([]string, error) {
	if _, err := r.Run(ctx, "launchctl", "print", l.domain()); err != nil {
		return nil, fmt.Errorf("launchd has no session for you: log in at the screen, not by ssh alone: %w", err)
	}
	return []string{"the agent runs only while you are logged in; a start that was missed during sleep is made up " +
		"for, one that was missed while the machine was off is not."}, nil
}

var (
	launchdField = regexp.MustCompile(`(?m)^\t(state|last exit code) = (\S+)`)
	plistMoment  = regexp.MustCompile(
		`<dict>(?:<key>Hour</key><integer>(\d+)</integer>)?<key>Minute</key><integer>(\d+)</integer></dict>`)
)

// State implements System. launchd does not report the time of the last run: since every run prints something, it is
// the time of the log. launchd does not report the next run either: its time is read from the file.
func (l *Launchd) State(ctx context.Context, r Runner, name string) (st State, err error) {
	out, err := r.Run(ctx, "launchctl", "print", l.domain()+"/"+l.label(name))
	if err != nil {
		return State{}, nil // it is not loaded
	}
	st.Enabled = true
	for _, f := range launchdField.FindAllStringSubmatch(out, -1) {
		switch {
		case f[1] == "state":
			st.Running = f[2] == "running"
		default:
			st.LastExit = number(strings.TrimSuffix(f[2], ":")) // "(never exited)" is not a number
		}
	}
	if info, err := os.Stat(l.at.logFile(name)); err == nil && (st.LastExit != nil || st.Running) {
		t := info.ModTime()
		st.LastRun = &t
	}
	text, err := outpath.Read(l.file(name), outpath.SmallFile)
	var starts []moment
	for _, m := range plistMoment.FindAllStringSubmatch(string(text), -1) {
		start := moment{hour: -1}
		if hour := number(m[1]); hour != nil {
			start.hour = *hour
		}
		start.minute = *number(m[2])
		starts = append(starts, start)
	}
	st.NextRun = next(starts, time.Now())
	return st, err
}
