package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/maintain"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// This file has commands that were renamed. For one version the old names still work.

// renamed is a command under its old name: no list shows it, and it prints the new name.
func renamed(command *cli.Command, now string) *cli.Command {
	action := command.Action
	command.Hidden, command.Usage = true, "the old name of '"+now+"'"
	command.Action = func(c *cli.Context) error {
		if !c.Bool("quiet") {
			fmt.Fprintf(c.App.ErrWriter, "'pipeline %s' is '%s' now: the next version will not know the old name\n", command.Name, now)
		}
		return action(c)
	}
	return command
}

func verifyCommand() *cli.Command {
	flags := slices.Concat([]cli.Flag{warehouseFlag()}, deepFlags(), []cli.Flag{jsonFlag()})
	return renamed(&cli.Command{Name: "verify", Flags: flags, Action: checkDeep}, "pipeline check --deep")
}

func retentionCommand() *cli.Command {
	flags := append(oldPruneFlags(), &cli.BoolFlag{Name: "apply", Usage: "remove it; without this nothing is changed"},
		&cli.StringFlag{Name: "retention", EnvVars: []string{"PIPELINE_RETENTION"}, Hidden: true})
	return renamed(&cli.Command{Name: "retention", ArgsUsage: "[DURATION]", Flags: flags, Action: retentionAction}, "pipeline prune --retention DURATION")
}

func compactCommand() *cli.Command {
	flags := append(oldPruneFlags(), &cli.BoolFlag{Name: "dry-run", Usage: "say what would be done, change nothing"})
	return renamed(&cli.Command{Name: "compact", Flags: flags, Action: compactAction}, "pipeline prune --apply")
}

func oldPruneFlags() []cli.Flag {
	return []cli.Flag{warehouseFlag(), memoryFlag(), jsonFlag(), &cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"}}
}

// retained is what retention prints as JSON.
type retained struct {
	Applied bool `json:"applied"`
	*maintain.Retention
}

func retentionAction(c *cli.Context) error {
	text := c.String("retention")
	if c.Args().Present() {
		text = c.Args().First()
	}
	if text == "" || c.Args().Len() > 1 {
		return &pipelines.UsageError{Message: "say how long versions are kept: pipeline prune --retention 180d"}
	}
	opt, finish, err := pruneOptions(c)
	if err != nil {
		return err
	}
	defer finish()
	if opt.Retention, err = file.ParseLength(text); err != nil {
		return err
	}
	apply := c.Bool("apply")
	r, err := pipelines.Retain(c.Context, opt, apply)
	finish()
	switch {
	case err != nil:
		return err
	case c.Bool("json"):
		return term.PrintJSON(c.App.Writer, retained{apply, r})
	case !c.Bool("quiet"):
		printRetention(c.App.Writer, r, apply)
		if !apply && r.Versions+r.Loads > 0 {
			fmt.Fprintln(c.App.Writer, "Nothing was changed; --apply removes it.")
		}
	}
	return nil
}

func compactAction(c *cli.Context) error {
	opt, finish, err := pruneOptions(c)
	if err != nil {
		return err
	}
	defer finish()
	out, err := pipelines.Compact(c.Context, opt, !c.Bool("dry-run"))
	finish()
	switch {
	case err != nil:
		return err
	case c.Bool("json"):
		return term.PrintJSON(c.App.Writer, out)
	case !c.Bool("quiet"):
		printCompacted(c.App.Writer, out)
		if !out.Applied {
			fmt.Fprintln(c.App.Writer, "Nothing was changed.")
		}
	}
	return nil
}
