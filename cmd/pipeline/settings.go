package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/tool/outpath"
	"pipeline/pipelines/file"
)

// This file finds the value of each setting of a run: from the command line, else the environment, else the pipeline's
// file, else the default.

// The origins of a value.
const (
	fromFlag        = "flag"
	fromEnvironment = "environment"
	fromFile        = "file"
	fromShipped     = "shipped"
	fromDefault     = "default"
)

// A choice is the value of a setting in one run, and its origin.
type choice struct {
	Key    string   `json:"key"`
	Values []string `json:"values"` // in the form of the flag, without secrets; empty if there is no value
	From   string   `json:"from"`   // flag, environment, file, shipped (a file that is part of the program) or default
	Name   string   `json:"name"`   // name of the flag, the variable or the file; "" for a default
	Line   int      `json:"line,omitempty"`

	setting file.Setting
	texts   []string // the values with secrets
}

// origin describes the origin of a value for people.
func (c choice) origin() string {
	switch c.From {
	case fromDefault:
		return fromDefault
	case fromFile, fromShipped:
		return fmt.Sprintf("%s %s:%d", c.From, c.Name, c.Line)
	}
	return c.From + " " + c.Name
}

// setting returns the declaration of a setting, by its key, or by its flag if it has no key.
func setting(name string) file.Setting {
	all := file.Settings()
	return all[slices.IndexFunc(all, func(s file.Setting) bool { return s.Name() == name })]
}

// settingFlag returns the flag of a setting.
func settingFlag(name string) cli.Flag { return flagFor(setting(name)) }

// settingFlagAs returns the flag of a setting for a command that uses the value for something else.
func settingFlagAs(name, usage, without string) cli.Flag {
	s := setting(name)
	s.Usage, s.Without = usage, without
	return flagFor(s)
}

func flagFor(s file.Setting) cli.Flag {
	short, env := slices.DeleteFunc([]string{s.Short}, isEmpty), slices.DeleteFunc([]string{s.Env}, isEmpty)
	switch s.Shape {
	case file.Bool:
		return &cli.BoolFlag{Name: s.Flag, Aliases: short, EnvVars: env, Usage: s.Usage}
	case file.List:
		return &cli.StringSliceFlag{Name: s.Flag, Aliases: short, EnvVars: env, Usage: s.Usage, DefaultText: s.Without}
	case file.Path:
		return &cli.PathFlag{Name: s.Flag, Aliases: short, EnvVars: env, Usage: s.Usage, DefaultText: s.Without}
	}
	return &cli.StringFlag{Name: s.Flag, Aliases: short, EnvVars: env, Usage: s.Usage, DefaultText: s.Without,
		Value: s.Default}
}

// settingFlags are the flags of all settings.
func settingFlags() (out []cli.Flag) {
	for _, s := range file.Settings() {
		if s.Flag != "" {
			out = append(out, flagFor(s))
		}
	}
	return out
}

func isEmpty(s string) bool { return s == "" }

// library is the folder of this user's pipelines.
func library() (file.Library, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return file.Library{}, fmt.Errorf("your home folder is not known: %w", err)
	}
	folder := os.Getenv("PIPELINE_CONFIG")
	if folder == "" {
		folder = filepath.Join(xdg.ConfigHome, "pipeline")
	}
	if folder, err = filepath.Abs(filepath.Join(folder, "pipelines")); err != nil {
		return file.Library{}, err
	}
	return file.Library{Folder: folder, Home: home, Data: filepath.Dir(defaultWarehouse()), Now: time.Now()}, nil
}

// namedPipeline is the pipeline of the first argument; nil without an argument.
func namedPipeline(c *cli.Context) (*file.Pipeline, error) {
	switch {
	case c.NArg() > 1:
		return nil, usage("one pipeline at a time: what is %q?", c.Args().Get(1))
	case c.NArg() == 0:
		return nil, nil
	}
	lib, err := library()
	if err != nil {
		return nil, err
	}
	return lib.Find(c.Args().First())
}

// choices returns the values of the settings for which the command has flags. An empty variable counts as not set. p is
// nil without a pipeline.
func choices(c *cli.Context, p *file.Pipeline) (out []choice) {
	typed := typedFlags(c)
	for _, s := range file.Settings() {
		if s.Flag == "" || !hasFlag(c.Command, s.Flag) {
			continue
		}
		ch := choice{Key: s.Name(), Values: []string{}, From: fromDefault, setting: s}
		switch {
		case slices.Contains(typed, s.Flag):
			ch.From, ch.Name, ch.texts = fromFlag, "--"+s.Flag, given(c, s.Flag)
		case s.Env != "" && os.Getenv(s.Env) != "":
			ch.From, ch.Name, ch.texts = fromEnvironment, s.Env, given(c, s.Flag)
		case p != nil && p.Lines[s.Key] > 0:
			ch.From, ch.Name, ch.Line, ch.texts = fromFile, p.File, p.Lines[s.Key], p.Values[s.Key]
			if p.Shipped {
				ch.From, ch.Name, ch.texts = fromShipped, p.Name+".yaml", p.Values[s.Key]
			}
		case s.Default != "":
			ch.texts = []string{s.Default}
		}
		if s.Key == "warehouse" && len(ch.texts) == 0 {
			ch.texts = []string{defaultWarehouse()}
		}
		for _, text := range ch.texts {
			ch.Values = append(ch.Values, s.Masked(text))
		}
		out = append(out, ch)
	}
	return out
}

func hasFlag(command *cli.Command, name string) bool {
	return slices.ContainsFunc(command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
}

// read stores the values in a run.
func read(run *file.Run, choices []choice) error {
	for _, ch := range choices {
		if len(ch.texts) == 0 && ch.From == fromFlag {
			ch.texts = []string{""} // a setting without a value is an empty text, which most settings refuse
		}
		if err := run.Take(ch.setting, ch.texts...); err != nil {
			return err
		}
	}
	return nil
}

// runOf makes the run for the values, and checks the places that it writes to. The run has its warehouse even if
// another place is refused.
func runOf(choices []choice, writes bool) (*file.Run, error) {
	run := &file.Run{Options: defaultOptions(writes)}
	if err := read(run, choices); err != nil {
		return run, err
	}
	opt := &run.Options
	err := useZone(context.Background(), run.Timezone)
	if err != nil {
		return run, err
	}
	if opt.Warehouse != "" { // the command has the setting
		if opt.Warehouse, err = fitWarehouse(opt.Warehouse); err != nil {
			return run, err
		}
	}
	if opt.Publish, err = targets(run); err != nil {
		return run, err
	}
	return run, outpath.Result(run.Report)
}

// flagsOf makes the run for the flags of a command that takes no pipeline.
func flagsOf(c *cli.Context, writes bool) (*file.Run, error) { return runOf(choices(c, nil), writes) }

// setTimes computes the times that limit a run's conversations: an earlier load may decide them.
func setTimes(ctx context.Context, run *file.Run) (err error) {
	opt := &run.Options
	if opt.Since, err = timeAt(ctx, opt.Warehouse, "since", run.Since); err != nil {
		return err
	}
	if opt.Until, err = timeAt(ctx, opt.Warehouse, "until", run.Until); err != nil {
		return err
	}
	if opt.Since != nil && opt.Until != nil && *opt.Since >= *opt.Until {
		return usage("--since must be before --until")
	}
	return nil
}

// typedFlags are the flags on the command line. The library also lists flags that environment variables have set; these
// are left out.
func typedFlags(c *cli.Context) []string {
	bare := *c
	bare.Command = nil
	return bare.LocalFlagNames()
}

// given are the values of a flag; none if it is empty.
func given(c *cli.Context, flag string) []string {
	var out []string
	switch v := c.Value(flag).(type) {
	case cli.StringSlice:
		out = v.Value()
	default:
		out = []string{fmt.Sprint(v)}
	}
	return slices.DeleteFunc(slices.Clone(out), isEmpty)
}

// pipelineNames completes the names of pipelines; after a flag it completes as other commands do.
func pipelineNames(c *cli.Context) {
	if lib, err := library(); err == nil && !strings.HasPrefix(os.Args[max(0, len(os.Args)-2)], "-") {
		if all, err := lib.List(); err == nil {
			for _, l := range all {
				fmt.Fprintln(c.App.Writer, l.Name)
			}
			return
		}
	}
	cli.DefaultCompleteWithFlags(c.Command)(c)
}

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
