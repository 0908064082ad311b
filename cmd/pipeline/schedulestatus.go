package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/schedule"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
)

func scheduleStatusCommand() *cli.Command {
	return &cli.Command{
		Name:  "status",
		Usage: "list the timers, how their last run ended, and when the next one starts",
		Description: `The system tells about the timer, the warehouse about the last good load: so you see a timer that runs every night without a good load.

Examples:
   pipeline schedule status
   pipeline schedule status --json | jq '.timers[].last_exit'

Exit codes: 0 done, also if nothing is installed, 1 failed.`,
		Flags:  []cli.Flag{timerNameFlag("only the timer `NAME`"), warehouseFlag(), jsonFlag()},
		Action: scheduleStatusAction,
	}
}

// reportedTimers is the JSON output of schedule status.
type reportedTimers struct {
	System    string              `json:"system"`
	Timers    []reportedTimer     `json:"timers"`
	Warehouse string              `json:"warehouse"`
	LastGood  *reader.LoadSummary `json:"last_good"` // null: there is no warehouse, or no good load
}

type reportedTimer struct {
	Name      string            `json:"name"`
	Installed bool              `json:"installed"` // its files exist
	Files     map[string]string `json:"files"`
	Problem   string            `json:"problem,omitempty"` // why the system could not answer
	schedule.State
}

func scheduleStatusAction(c *cli.Context) error {
	system, err := timerSystem("; 'crontab -l' lists what cron runs")
	if err != nil {
		return err
	}
	names := schedule.Names(system)
	if c.IsSet("name") || len(names) == 0 {
		if err := schedule.CheckName(c.String("name")); err != nil {
			return usage("%s", err)
		}
		names = []string{c.String("name")}
	}
	out := reportedTimers{System: timerName(), Timers: []reportedTimer{}}
	for _, name := range names {
		t, err := timerOf(c, system, name)
		if err != nil {
			return err
		}
		out.Timers = append(out.Timers, t)
	}
	if out.Warehouse, err = warehousePath(c); err != nil {
		return err
	}
	if _, err := os.Stat(out.Warehouse); err == nil {
		s, err := reader.ReadStatus(c.Context, out.Warehouse, 1)
		if err != nil {
			fmt.Fprintln(c.App.ErrWriter, "warning: the last good load is not known: "+term.PrintableLines(err.Error()))
		} else {
			out.LastGood = s.LastGood
		}
	}
	return printed(c, out, func(w io.Writer) {
		now, warehouse := time.Now(), term.Printable(out.Warehouse)
		for _, t := range out.Timers {
			printTimer(w, t, now)
		}
		if good := out.LastGood; good == nil {
			fmt.Fprintf(w, "last good    none in %s; --warehouse names another\n", warehouse)
		} else {
			fmt.Fprintf(w, "last good    load %d, %s, in %s\n", good.LoadID, term.Moment(good.StartedAt, now),
				warehouse)
		}
	})
}

// timerOf returns the state of one timer.
func timerOf(c *cli.Context, system schedule.System, name string) (reportedTimer, error) {
	t := reportedTimer{Name: name, Installed: true, Files: map[string]string{}}
	for _, path := range system.Undo(name).Files {
		found, err := schedule.Look(path, "")
		if err != nil {
			return t, err
		}
		t.Files[path] = string(found)
		t.Installed = t.Installed && found != schedule.Missing
	}
	if !t.Installed {
		return t, nil
	}
	var err error
	if t.State, err = system.State(c.Context, schedule.Exec{}, name); err != nil {
		t.Problem = err.Error()
	}
	return t, nil
}

func printTimer(w io.Writer, t reportedTimer, now time.Time) {
	if !t.Installed {
		fmt.Fprintf(w, "timer        %s is not installed; 'pipeline schedule install%s' makes it\n", t.Name,
			nameArg(t.Name))
		printTimerFiles(w, t)
		return
	}
	state := "not enabled: 'pipeline schedule install' again, with the same arguments, sets it"
	switch {
	case t.Problem != "":
		state = "not known: " + t.Problem
	case t.Running:
		state = "a run is under way"
	case t.Enabled:
		state = "enabled"
	}
	fmt.Fprintf(w, "timer        %s, %s\n", t.Name, term.Printable(state))
	printTimerFiles(w, t)
	switch {
	case t.LastRun != nil:
		fmt.Fprintf(w, "last run     %s%s\n", term.Moment(*t.LastRun, now), ended(t))
	case t.LastExit != nil:
		fmt.Fprintf(w, "last run    %s\n", ended(t)[1:])
	case t.Problem == "" && len(t.Told) == 0:
		fmt.Fprintln(w, "last run     none yet")
	}
	if t.NextRun != nil {
		fmt.Fprintf(w, "next run     %s\n", term.Moment(*t.NextRun, now))
	}
	for _, line := range t.Told {
		fmt.Fprintf(w, "             %s\n", term.Printable(line))
	}
}

// printTimerFiles lists files that differ from those that this tool made.
func printTimerFiles(w io.Writer, t reportedTimer) {
	for _, path := range slices.Sorted(maps.Keys(t.Files)) {
		if found := schedule.FileState(t.Files[path]); found == schedule.Altered || found == schedule.Foreign ||
			found == schedule.Missing && t.Installed {
			fmt.Fprintf(w, "             %s is %s\n", term.Printable(path), found)
		}
	}
}

// ended describes how a run ended.
func ended(t reportedTimer) string {
	if t.LastExit == nil {
		if t.Result == "" || t.Result == "success" {
			return ""
		}
		return ", ended by the system: " + t.Result
	}
	meaning := map[int]string{0: "done", exitFailed: "failed", exitUsage: "it does not understand its arguments",
		exitSource: "a source is missing or cannot be read", exitCheck: "loaded, but a check failed",
		exitBusy: "busy, nothing changed", exitInterrupted: "stopped, nothing half done"}[*t.LastExit]
	if meaning == "" {
		return fmt.Sprintf(", exit code %d", *t.LastExit)
	}
	return fmt.Sprintf(", exit code %d: %s", *t.LastExit, meaning)
}

func scheduleRemoveCommand() *cli.Command {
	return &cli.Command{
		Name:  "remove",
		Usage: "stop a timer and remove its files",
		Description: `A run that is under way is asked to stop, and leaves nothing half done. The warehouse and the logs stay.

Examples:
   pipeline schedule remove
   pipeline schedule remove --name often

Exit codes: 0 removed, or nothing was there, 1 failed (a file was changed by hand, or is another's).`,
		Flags: []cli.Flag{timerNameFlag("remove the timer `NAME`"),
			&cli.BoolFlag{Name: "force", Usage: "also remove files that were changed by hand"},
			&cli.BoolFlag{Name: "dry-run", Usage: "say what would be removed"}, jsonFlag()},
		Action: scheduleRemoveAction,
	}
}

func scheduleRemoveAction(c *cli.Context) error {
	name := c.String("name")
	if err := schedule.CheckName(name); err != nil {
		return usage("%s", err)
	}
	system, err := timerSystem("; 'crontab -e' changes what cron runs")
	if err != nil {
		return err
	}
	undo := system.Undo(name)
	there := []string{}
	for _, path := range undo.Files {
		found, err := schedule.Look(path, "")
		switch {
		case err != nil:
			return err
		case found == schedule.Foreign:
			return fmt.Errorf("%s was not made by this tool: nothing was removed; remove it yourself if it is in the "+
				"way", path)
		case found == schedule.Altered && !c.Bool("force"):
			return fmt.Errorf("%s was changed by hand: nothing was removed; --force removes it anyway", path)
		case found != schedule.Missing:
			there = append(there, path)
		}
	}
	if len(there) > 0 && !c.Bool("dry-run") {
		if err := takeAway(c, undo, there); err != nil {
			return err
		}
	}
	dry, word := c.Bool("dry-run"), "removed"
	if dry {
		word = "to remove"
	}
	return printed(c, map[string]any{"name": name, "removed": there, "dry_run": dry}, func(w io.Writer) {
		if len(there) == 0 {
			fmt.Fprintf(w, "There is no timer %s: nothing to remove.\n", name)
		}
		for _, path := range there {
			fmt.Fprintf(w, "%-12s %s\n", word, term.Printable(path))
		}
	})
}

// takeAway stops the timer and removes its files. It removes the files even if the system reports an error.
func takeAway(c *cli.Context, undo schedule.Undo, files []string) error {
	commands := func(list []schedule.Command) {
		for _, command := range list {
			if err := command.Run(c.Context, schedule.Exec{}); err != nil {
				fmt.Fprintln(c.App.ErrWriter, "warning: "+term.PrintableLines(err.Error()))
			}
		}
	}
	commands(undo.Commands)
	for _, link := range undo.Links {
		if info, err := os.Lstat(link); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			files = append(files, link)
		}
	}
	for _, path := range files {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	commands(undo.After)
	return nil
}
