package main

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
)

func configCommand() *cli.Command {
	return &cli.Command{
		Name:      "config",
		Usage:     "print every value of a run, and where it came from",
		ArgsUsage: "[NAME|FILE]",
		Description: `Takes the arguments of 'pipeline run', and prints the value of each setting: from the flag, else the environment variable, else the
pipeline's file, else the default. It reads nothing but the file.

Examples:
   pipeline config          # the values of a plain 'pipeline run'
   pipeline config nightly  # the values of 'pipeline run nightly'
   pipeline config nightly --since 2d --json`,
		Flags:        append(settingFlags(), jsonFlag()),
		Action:       configAction,
		BashComplete: pipelineNames,
	}
}

func configAction(c *cli.Context) error {
	p, err := namedPipeline(c)
	if err != nil {
		return err
	}
	settings := choices(c, p)
	run, err := runOf(settings, false)
	if err != nil {
		return err
	}
	if _, err := readRunReporting(run, term.IsTerminal(c.App.ErrWriter)); err != nil {
		return err
	}
	return printed(c, map[string][]choice{"settings": settings}, func(w io.Writer) {
		var rows []table.Row
		for _, s := range settings {
			key, from := s.Key, s.origin()
			for _, value := range s.Values {
				rows = append(rows, table.Row{key, term.Printable(value), term.Printable(from)})
				key, from = "", ""
			}
			if len(s.Values) == 0 {
				rows = append(rows, table.Row{key, fmt.Sprintf("(%s)", s.setting.Unset), term.Printable(from)})
			}
		}
		term.PlainTable(w, table.Row{"key", "value", "from"}, rows)
	})
}
