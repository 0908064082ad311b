package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/report"
	"pipeline/cmd/pipeline/internal/result"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/pipelines"
	"pipeline/sql"
)

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "write a page with charts of the warehouse",
		ArgsUsage: " ", // see reportAction
		Description: `Writes one HTML file that needs no network: active days, hours, sessions, tools, models, edits, tokens, how far prompts got, and how much of all that
is recorded. Under each chart are its rows and its SQL. Buttons in the page choose another period or project, without a network; a click on a bar,
or Enter, lists the conversations behind it.

The page names projects and files and has the titles of conversations: --no-titles leaves these out. It holds no text of messages. With --redact it has
[redacted:RULE] in place of secrets, and ~ in place of home folders, as a push has them. With --since it carries no earlier days, with --until no later ones, with --project no other projects.

Examples:
   pipeline report                               # report.html, of 90 days
   pipeline report --since 2024-03-01 --until 2024-04-01 -o march.html
   pipeline report --no-titles --redact -o shared.html
   pipeline report --json | jq -r .path`,
		Flags: []cli.Flag{warehouseFlag(), timezoneFlag(), jsonFlag(), projectFlag(),
			&cli.PathFlag{Name: "output", Aliases: []string{"o"}, Value: "report.html",
				Usage: "write to `FILE`, which is replaced when everything is written; -: standard output"},
			&cli.StringFlag{Name: "since", Usage: "from the day of `TIME` on: 7d, 36h, yesterday, 2026-03-01, RFC 3339",
				DefaultText: "the 90 days up to the last recorded activity"},
			&cli.StringFlag{Name: "until", Usage: "up to the day before `TIME`", DefaultText: "today"},
			&cli.BoolFlag{Name: "no-titles", Usage: "leave out the titles of conversations, which are your own text"},
			&cli.BoolFlag{Name: "with-text", Usage: "show the titles of conversations, as is done without it",
				Hidden: true}, redactFlag("show")},
		Action: reportAction,
	}
}

// reportWritten is what --json prints.
type reportWritten struct {
	Path  string `json:"path"` // - for standard output
	Bytes int64  `json:"bytes"`
	report.Summary
}

func reportAction(c *cli.Context) (err error) {
	if c.NArg() > 0 {
		return usage("report takes no %q: name the file with --output", c.Args().First())
	}
	if err := noTitles(c); err != nil {
		return err
	}
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	out, err := reportOutput(c, path)
	if err != nil {
		return err
	}
	r, err := reader.OpenLocal(c.Context, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	result.SayCopy(c.App.ErrWriter, r)
	o := report.Options{Now: time.Now(), NoTitles: c.Bool("no-titles"), Version: version, Projects: c.String("project"),
		Show: showCommandLine(path)}
	if o.ProjectURIs, err = projectOf(c, r); err != nil {
		return err
	}
	if c.Bool("redact") {
		people, err := peopleOf(c.Context, r)
		if err != nil {
			return err
		}
		o.Redact = people.Text
	}
	if err := reportPeriod(c, path, &o); err != nil {
		return err
	}
	_, finish := busy(c, phaseWords[pipelines.PhaseReport])
	defer finish()
	written := reportWritten{Path: c.Path("output")}
	err = out.Deliver(path, func(w io.Writer) error {
		counted := &countingWriter{w: w}
		summary, err := report.Write(c.Context, counted, r, o)
		if err == nil {
			written.Bytes, written.Summary = counted.n, *summary
		}
		return err
	})
	finish()
	if err != nil {
		return errors.Join(err, missingView(c.Context, path, sql.Reports()[0], "what the report asks"))
	}
	return printed(c, written, func(w io.Writer) {
		if out.File != "" { // else the page itself went to standard output
			fmt.Fprintf(w, "%s: %s to %s (%s), %s\n", written.Path, written.From, written.To, written.Zone,
				term.Size(written.Bytes))
		}
	})
}

// reportPeriod reads --since and --until.
func reportPeriod(c *cli.Context, path string, o *report.Options) error {
	for name, to := range map[string]**time.Time{"since": &o.Since, "until": &o.Until} {
		ms, err := timeOf(c, path, name)
		if err != nil {
			return err
		}
		if ms != nil {
			t := time.UnixMilli(int64(*ms))
			*to = &t
		}
	}
	switch {
	case o.Since != nil && o.Since.After(o.Now):
		return usage("--since %s is in the future: nothing has happened since", c.String("since"))
	case o.Since != nil && o.Until != nil && !o.Since.Before(*o.Until):
		return usage("--since must be before --until")
	}
	return nil
}

// noTitles refuses flags that contradict each other, and says that --with-text is an old one.
func noTitles(c *cli.Context) error {
	if c.Bool("with-text") && c.Bool("no-titles") {
		return usage("--with-text and --no-titles contradict each other: titles are shown without either")
	}
	if c.Bool("with-text") {
		fmt.Fprintln(c.App.ErrWriter, "--with-text is not needed any more: titles are shown without it, and the next "+
			"version will not know it")
	}
	return nil
}

// reportOutput is the destination of the page. A destination that cannot take it is refused before the page is made.
func reportOutput(c *cli.Context, warehouse string) (*result.Writer, error) {
	switch file := c.Path("output"); {
	case file == "":
		return nil, usage("--output needs a file, or - for standard output")
	case file == "-" && c.Bool("json"):
		return nil, usage("--json prints what was written: it cannot share standard output with the page, name a " +
			"file with --output")
	}
	out := outputTo(c)
	return out, out.Check(warehouse)
}

// reportLoaded writes the page after a load to path (--report), and returns the path; "" if there is none. A failure is
// printed, but does not fail the load: the next load writes the page again. A load that found nothing new also writes
// it, since the page shows how fresh the warehouse is.
func reportLoaded(c *cli.Context, path string, opt pipelines.Options) string {
	if path == "" {
		return ""
	}
	if opt.Phase != nil {
		opt.Phase(pipelines.PhaseReport)
	}
	path, err := filepath.Abs(path)
	if err == nil {
		err = writeReport(c.Context, &result.Writer{File: path, Messages: c.App.ErrWriter}, opt.Warehouse)
	}
	if err != nil {
		term.Warnings(c.App.ErrWriter)("the report %s was not written: %v", path, err)
		return ""
	}
	return path
}

// writeReport writes the page about the whole warehouse.
func writeReport(ctx context.Context, out *result.Writer, warehouse string) (err error) {
	r, err := reader.OpenLocal(ctx, warehouse)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return out.Deliver(warehouse, func(w io.Writer) error {
		_, err := report.Write(ctx, w, r, report.Options{Now: time.Now(), Version: version,
			Show: showCommandLine(warehouse)})
		return err
	})
}
