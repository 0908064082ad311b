package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/schedule"
	"pipeline/cmd/pipeline/internal/term"
)

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
