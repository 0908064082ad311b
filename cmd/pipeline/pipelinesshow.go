package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines/file"
)

func pipelinesShowCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "show a pipeline, and when it runs next",
		ArgsUsage: "NAME|FILE",
		Description: `Examples:
   pipeline pipelines show nightly
   pipeline pipelines show nightly --yaml > mine.yaml  # the file as it is
   pipeline pipelines show ./mine.yaml --json`,
		Flags: []cli.Flag{jsonFlag(), &cli.BoolFlag{Name: "yaml", Usage: "print the file as it is"}},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usage("name one pipeline; 'pipeline pipelines list' lists them")
			}
			lib, err := library()
			if err != nil {
				return err
			}
			p, err := lib.Find(c.Args().First())
			if err != nil {
				return err
			}
			if c.Bool("yaml") {
				_, err := io.WriteString(c.App.Writer, p.Text)
				return err
			}
			return showPipeline(c, p, lib)
		},
		BashComplete: pipelineNames,
	}
}

// shownTimes is how many of the next start times are shown.
const shownTimes = 3

// shownPipeline is a pipeline as JSON. Values are those of the file, in the form of the flags, without secrets.
type shownPipeline struct {
	pipelineLine
	Next   []time.Time         `json:"next"`
	Values map[string][]string `json:"values"`
}

func showPipeline(c *cli.Context, p *file.Pipeline, lib file.Library) error {
	next, err := p.Next(lib.Now, shownTimes)
	if err != nil {
		return err
	}
	values := map[string][]string{}
	rows := [][2]string{}
	for _, s := range file.Settings() {
		if s.Flag == "" {
			continue
		}
		for i, v := range p.Values[s.Key] {
			v = s.Masked(v)
			if values[s.Key] = append(values[s.Key], v); i == 0 {
				rows = append(rows, [2]string{s.Key, v})
			} else {
				rows = append(rows, [2]string{"", v})
			}
		}
	}
	if c.Bool("json") {
		return term.PrintJSON(c.App.Writer, shownPipeline{pipelineLineOf(file.Listed{Name: p.Name, Pipeline: p}),
			append([]time.Time{}, next...), values})
	}
	w := c.App.Writer
	if p.Shipped {
		fmt.Fprintf(w, "%s (shipped; %s would replace it)\n", p.Name,
			term.Printable(filepath.Join(lib.Folder, p.Name+".yaml")))
	} else {
		fmt.Fprintf(w, "%s (%s)\n", p.Name, term.Printable(p.File))
	}
	if p.Description != "" {
		fmt.Fprintln(w, term.Printable(p.Description))
	}
	fmt.Fprintln(w)
	line := func(key, value string) { fmt.Fprintf(w, "  %-14s %s\n", key, term.Printable(value)) }
	if p.Schedule == nil {
		line("schedule", "none: it runs only when somebody starts it")
	} else {
		zone := p.Schedule.Timezone
		if zone == "" {
			zone = "this machine's time"
		}
		if p.Schedule.Jitter != "" {
			zone += ", up to " + p.Schedule.Jitter + " later"
		}
		line("schedule", p.Schedule.Cron+"  ("+zone+")")
		for i, t := range next {
			line([]string{"next", ""}[min(i, 1)], t.Format("Mon 2006-01-02 15:04 MST"))
		}
	}
	for _, row := range rows {
		line(row[0], row[1])
	}
	_, err = fmt.Fprintf(w, "\nAll values of a run: pipeline config %s\n", term.ShellQuote(c.Args().First()))
	return err
}
