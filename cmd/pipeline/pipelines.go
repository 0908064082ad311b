package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines/file"
)

// pipelinesCommand is the group of commands about pipeline files.
func pipelinesCommand() *cli.Command {
	return &cli.Command{
		Name:  "pipelines",
		Usage: "list, show and check runs that are described in YAML files",
		Description: `A pipeline is a YAML file that says what 'pipeline run NAME' does. Some are shipped; yours are NAME.yaml in the folder that
'pipeline pipelines list' names, or any file, by its path. A file of yours replaces a shipped one of the same name.

Examples:
   pipeline pipelines list
   pipeline pipelines show nightly --yaml > mine.yaml  # a file to start from
   pipeline pipelines validate mine.yaml
   pipeline run mine.yaml --dry-run`,
		Subcommands: []*cli.Command{pipelinesListCommand(), pipelinesShowCommand(), pipelinesValidateCommand(),
			pipelinesSchemaCommand()},
		Action: wantsSubcommand("say what to do: pipelines list, show, validate or schema",
			"pipelines takes list, show, validate or schema, not %q"),
	}
}

func pipelinesSchemaCommand() *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print the JSON schema of the files, for editors",
		ArgsUsage: " ",
		Description: `An editor with a YAML language server then completes keys and explains them. Name the schema in the first line of a pipeline:
   # yaml-language-server: $schema=pipeline.schema.json

Examples:
   pipeline pipelines schema > pipeline.schema.json
   pipeline pipelines schema | jq -r '.properties | keys[]'  # the keys`,
		Action: func(c *cli.Context) error {
			schema, err := file.Schema()
			if err != nil {
				return err
			}
			_, err = c.App.Writer.Write(schema)
			return err
		},
	}
}

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

func pipelinesValidateCommand() *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "check pipelines, and report every error",
		ArgsUsage: "[NAME|FILE...]",
		Description: `Without a name or file it checks every pipeline. It does not check whether the sources that a file names exist: 'pipeline doctor' does.

Examples:
   pipeline pipelines validate
   pipeline pipelines validate mine.yaml work.yaml
   pipeline pipelines validate --json

Exit codes: 0 all are right, 2 one is not.`,
		Flags:        []cli.Flag{jsonFlag()},
		Action:       pipelinesValidateAction,
		BashComplete: pipelineNames,
	}
}

// validated is the result for one pipeline.
type validated struct {
	Name     string         `json:"name"` // the name that was given
	File     *string        `json:"file"` // null: it is shipped with the program
	OK       bool           `json:"ok"`
	Problems []file.Problem `json:"problems"`
	text     string
}

func pipelinesValidateAction(c *cli.Context) error {
	lib, err := library()
	if err != nil {
		return err
	}
	var all []file.Listed
	if c.NArg() == 0 {
		if all, err = lib.List(); err != nil {
			return err
		}
	}
	for _, arg := range c.Args().Slice() {
		p, err := lib.Find(arg)
		all = append(all, file.Listed{Name: arg, Pipeline: p, Err: err})
	}
	out, code := []validated{}, 0
	for _, l := range all {
		v := validate(l)
		if out = append(out, v); !v.OK {
			code = exitUsage
		}
	}
	result := map[string][]validated{"pipelines": out}
	return exits(printed(c, result, func(w io.Writer) { printValidated(w, out) }), code)
}

func validate(l file.Listed) validated {
	v := validated{Name: l.Name, OK: l.Err == nil, Problems: []file.Problem{}}
	var broken *file.Error
	switch {
	case l.Err == nil && !l.Pipeline.Shipped:
		v.File = &l.Pipeline.File
	case errors.As(l.Err, &broken):
		v.File, v.Problems, v.text = &broken.File, broken.Problems, broken.Error()
	case l.Err != nil:
		v.Problems, v.text = []file.Problem{{Message: l.Err.Error()}}, l.Err.Error()
	}
	return v
}

func printValidated(w io.Writer, all []validated) {
	wrong := 0
	for _, v := range all {
		if v.OK {
			fmt.Fprintf(w, "ok: %s\n", term.Printable(v.Name))
			continue
		}
		wrong++
		fmt.Fprintln(w, term.PrintableLines(v.text))
	}
	if wrong > 0 {
		fmt.Fprintf(w, "%d of %s cannot be used\n", wrong, term.Plural(len(all), "pipeline"))
	}
}
