package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines/file"
)

func pipelinesListCommand() *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "list the shipped pipelines and yours",
		ArgsUsage: " ",
		Description: `A file of yours that cannot be used is listed with its error; 'pipeline pipelines validate' prints all of it.

Examples:
   pipeline pipelines list
   pipeline pipelines list --json`,
		Flags:  []cli.Flag{jsonFlag()},
		Action: pipelinesListAction,
	}
}

// pipelineLine is a pipeline in the list.
type pipelineLine struct {
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Schedule    *string `json:"schedule"`
	Timezone    *string `json:"timezone"`
	File        *string `json:"file"`     // null: it is shipped with the program
	Replaces    bool    `json:"replaces"` // it replaces a shipped one of the same name
	Problem     *string `json:"problem"`
}

func pipelinesListAction(c *cli.Context) error {
	if c.NArg() > 0 {
		return usage("list takes no name; 'pipeline pipelines show NAME' shows one")
	}
	lib, err := library()
	if err != nil {
		return err
	}
	all, err := lib.List()
	if err != nil {
		return err
	}
	lines := []pipelineLine{}
	for _, l := range all {
		lines = append(lines, pipelineLineOf(l))
	}
	return printed(c, map[string][]pipelineLine{"pipelines": lines}, func(w io.Writer) {
		var rows []table.Row
		for _, l := range lines {
			from, what, when := "shipped", l.Description, "-"
			if l.File != nil {
				from = filepath.Base(*l.File)
			}
			if l.Replaces {
				from += " (instead of the shipped one)"
			}
			if l.Schedule != nil {
				when = strings.TrimSpace(*l.Schedule + " " + term.OrEmpty(l.Timezone))
			}
			if l.Problem != nil {
				what, _, _ = strings.Cut("BROKEN: "+*l.Problem, "\n")
			}
			rows = append(rows, table.Row{term.Printable(l.Name), when, term.Printable(from), term.Printable(what)})
		}
		term.PlainTable(w, table.Row{"name", "schedule", "from", "what"}, rows)
		fmt.Fprintf(w, "\nYours are in %s\n", term.Printable(lib.Folder))
	})
}

func pipelineLineOf(l file.Listed) pipelineLine {
	line := pipelineLine{Name: l.Name, Replaces: l.Replaces}
	if l.Err != nil {
		problem := l.Err.Error()
		line.Problem = &problem
		var broken *file.Error
		if errors.As(l.Err, &broken) {
			line.File = &broken.File
		}
		return line
	}
	p := l.Pipeline
	line.Description = p.Description
	if p.Schedule != nil {
		line.Schedule = &p.Schedule.Cron
		if p.Schedule.Timezone != "" {
			line.Timezone = &p.Schedule.Timezone
		}
	}
	if !p.Shipped {
		line.File = &p.File
	}
	return line
}
