package main

import (
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

func retentionCommand() *cli.Command {
	return &cli.Command{
		Name:      "retention",
		Usage:     "say which old versions and loads may go, and remove them",
		ArgsUsage: "[D]",
		Description: `Lists what a run that began more than D ago took the place of: versions of rows in the raw layer, and rows of loads, load_stores and
key_families. It changes nothing unless --apply is given. Without D it takes PIPELINE_RETENTION.

The latest version of every row stays for ever, also of rows that Cursor deleted, and so does each version from which a table has a deleted
row: 'pipeline rebuild' makes the same tables afterwards. Of a version that is removed the value goes; when it was seen, its size and its hash
stay, and 'pipeline history' shows that it was there. What conversations share (lists of titles, projects) and quarantined rows stay.
'pipeline run --retention D', or 'retention' in a pipeline's file, does the same once a day after a load.

Examples:
   pipeline retention 180d            what would be removed
   pipeline retention 180d --apply    remove it
   pipeline retention 1w --json | jq .versions`,
		Flags: []cli.Flag{
			warehouseFlag(),
			&cli.BoolFlag{Name: "apply", Usage: "remove it; without this nothing is changed"},
			memoryFlag(), jsonFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"},
			&cli.StringFlag{Name: "retention", EnvVars: []string{"PIPELINE_RETENTION"}, Hidden: true},
		},
		Action: retentionAction,
	}
}

// retained is what the command prints as JSON.
type retained struct {
	Applied bool `json:"applied"`
	*load.Retention
}

func retentionAction(c *cli.Context) error {
	text := c.String("retention")
	if c.Args().Present() {
		text = c.Args().First()
	}
	if text == "" || c.Args().Len() > 1 {
		return &pipelines.UsageError{Message: "say how long versions are kept: pipeline retention 180d"}
	}
	opt, finish, err := houseOptions(c)
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
	}
	return nil
}

// houseOptions are those of the commands of housekeeping.
func houseOptions(c *cli.Context) (opt pipelines.Options, finish func(), err error) {
	finish = func() {}
	run, err := flagsOf(c, false)
	if err == nil {
		err = isThere(run.Options.Warehouse)
	}
	opt = run.Options
	if err != nil {
		return opt, finish, err
	}
	return opt, shows(c, &opt), nil
}

func printRetention(w io.Writer, r *load.Retention, applied bool) {
	verb := "Would be removed, as"
	if applied {
		verb = "Removed, as"
	}
	if r.Versions+r.Loads == 0 {
		fmt.Fprintf(w, "Nothing is to be removed: no load before %s took the place of anything that may go.\n", term.LocalTime(r.Before))
		return
	}
	fmt.Fprintf(w, "%s loads before %s took the place of it:\n", verb, term.LocalTime(r.Before))
	fmt.Fprintf(w, "  versions   %s of rows, %s of values%s\n", humanize.Comma(r.Versions), humanize.Bytes(uint64(r.Bytes)), fromTo(r.From, r.To))
	files := fmt.Sprintf("%s of the raw layer with %s", term.Plural(int64(r.Files), "file"), humanize.Bytes(uint64(r.FileBytes)))
	if applied {
		files += ", written anew with " + humanize.Bytes(uint64(r.After))
	} else {
		files += ", to be written anew"
	}
	fmt.Fprintf(w, "  files      %s\n", files)
	fmt.Fprintf(w, "  loads      %s%s\n", humanize.Comma(r.Loads), fromTo(r.LoadsFrom, r.LoadsTo))
	if !applied {
		fmt.Fprintln(w, "Nothing was changed; --apply removes it.")
	}
}

func fromTo(from, to *time.Time) string {
	if from == nil || to == nil {
		return ""
	}
	return fmt.Sprintf(", from %s to %s", term.LocalTime(*from), term.LocalTime(*to))
}

// retainedLine is what a run's summary says of what its retention removed.
func retainedLine(r *load.Retention) string {
	return fmt.Sprintf("%s and %s from before %s removed", term.Plural(r.Versions, "version"), term.Plural(r.Loads, "load"), term.LocalTime(r.Before))
}
