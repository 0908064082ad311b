package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/schedule"
	"pipeline/cmd/pipeline/internal/term"
)

func scheduleInstallCommand() *cli.Command {
	return &cli.Command{
		Name:      "install",
		Usage:     "make a timer that runs 'pipeline run', or change it",
		ArgsUsage: "[-- RUN ARGS...]",
		Description: `Prints in full the files that it will write, and the commands that it will run. Then it asks at a terminal; elsewhere it needs --yes.
The arguments after -- go to 'pipeline run' unchanged, except that paths are made absolute. A timer does not have the environment of your shell:
the variables PIPELINE_* that are set now, those of XDG folders, and those by
which a push finds its server (AWS_PROFILE, AWS_REGION, SSL_CERT_FILE, HTTPS_PROXY
and the like), but no keys, are written into the files.

The time is local. When clocks go forward, many time zones skip 02:30; none skips 04:30.

Examples:
   pipeline schedule install --dry-run  # show the files and commands
   pipeline schedule install            # every day at 04:30
   pipeline schedule install --at 12:15 --yes
   pipeline schedule install --every 6h --name often -- nightly --since 7d

Exit codes: 0 done, 1 failed (there is no such timer here, a file is another's, a command failed), 2 usage.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "at", Usage: "start every day at `HH:MM`", DefaultText: "04:30"},
			&cli.StringFlag{Name: "every", Usage: "start again after each `DURATION`, from midnight on: 15m, 1h, 6h, " +
				"12h"},
			timerNameFlag("call the timer `NAME`: each name is a timer of its own"),
			&cli.BoolFlag{Name: "dry-run", Usage: "print the files and the commands, change nothing"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask"},
			&cli.BoolFlag{Name: "force", Usage: "overwrite files that were changed by hand, or that this tool did " +
				"not make"},
			jsonFlag(),
		},
		Action: scheduleInstallAction,
	}
}

func scheduleInstallAction(c *cli.Context) error {
	i, system, err := planned(c)
	if err != nil {
		return err
	}
	refusals, err := i.refusals(c.Bool("force"))
	if err != nil {
		return err
	}
	if why := temporary(i.Program); why != nil {
		refusals = append(refusals, why)
	}
	notes, unready := system.Ready(c.Context, schedule.Exec{})
	i.Notes = append(i.Notes, notes...)
	if unready != nil {
		refusals = append(refusals, fmt.Errorf("%w\n%s", unready, cronInstead(i.job)))
	}
	if c.Bool("dry-run") {
		for _, r := range refusals {
			fmt.Fprintln(c.App.ErrWriter, "note: without --dry-run this fails: "+term.PrintableLines(r.Error()))
		}
		return i.print(c, "Dry run: nothing was changed.")
	}
	if len(refusals) > 0 {
		return errors.Join(refusals...)
	}
	if !c.Bool("json") {
		printPlan(c.App.Writer, i)
	}
	if err := confirmed(c, "Write these files and run these commands?"); err != nil {
		return err
	}
	if err := i.carryOut(c); err != nil {
		return err
	}
	i.Installed = true
	return printed(c, i, func(w io.Writer) {
		fmt.Fprintf(w, "\nInstalled: 'pipeline run' starts %s. See how it goes: pipeline schedule status%s\n", i.Starts,
			nameArg(i.Name))
	})
}

// confirmed asks at a terminal. Elsewhere --yes is needed.
func confirmed(c *cli.Context, question string) error {
	if c.Bool("yes") {
		return nil
	}
	if !isatty.IsTerminal(os.Stdin.Fd()) {
		return usage("nobody is there to ask: --yes does it without asking, --dry-run only shows it")
	}
	fmt.Fprintf(c.App.ErrWriter, "\n%s [y/N] ", question)
	answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return &exitError{exitFailed, errors.New("nothing was changed")}
	}
	return nil
}
