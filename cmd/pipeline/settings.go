package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/urfave/cli/v2"

	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// This file puts the values of a run together: the command line, else the environment, else the pipeline's file, else the default.

// Where a value came from.
const (
	fromFlag        = "flag"
	fromEnvironment = "environment"
	fromFile        = "file"
	fromShipped     = "shipped"
	fromDefault     = "default"
)

// A setting is a value of a run, and where it came from.
type setting struct {
	Key    string   `json:"key"`
	Values []string `json:"values"` // as its flag takes them, but for secrets; none where nothing holds
	From   string   `json:"from"`   // flag, environment, file, shipped (a file that is part of the program) or default
	Name   string   `json:"name"`   // of the flag, the variable or the file; "" for a default
	Line   int      `json:"line,omitempty"`

	unset string // what holds where there is no value
}

// origin is where a value came from, for people.
func (s setting) origin() string {
	switch s.From {
	case fromDefault:
		return fromDefault
	case fromFile, fromShipped:
		return fmt.Sprintf("%s %s:%d", s.From, s.Name, s.Line)
	}
	return s.From + " " + s.Name
}

// library is where this user's pipelines are.
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
	return file.Library{Folder: folder, Home: home, Now: time.Now()}, nil
}

// withPipeline gives the flags that neither the command line nor the environment sets the values of the pipeline that the first argument
// names, so that one place makes Options of them all, and returns the pipeline and where each value of the run came from. Without an argument
// there is no pipeline.
func withPipeline(c *cli.Context) (p *file.Pipeline, _ []setting, err error) {
	if c.NArg() > 1 {
		return nil, nil, &pipelines.UsageError{Message: fmt.Sprintf("one pipeline at a time: what is %q?", c.Args().Get(1))}
	}
	if c.NArg() == 1 {
		lib, err := library()
		if err != nil {
			return nil, nil, err
		}
		if p, err = lib.Find(c.Args().First()); err != nil {
			return nil, nil, err
		}
	}
	typed := typedFlags(c)
	var out []setting
	for _, k := range file.Keys() {
		if k.Flag == "" {
			continue
		}
		s := above(c, typed, k.Flag)
		s.Key, s.unset = k.Path, k.Unset
		switch {
		case s.From != fromDefault:
		case p != nil && p.Lines[k.Path] > 0:
			if s.From, s.Name, s.Line = fromFile, p.File, p.Lines[k.Path]; p.Shipped {
				s.From, s.Name = fromShipped, p.Name+".yaml"
			}
			for _, value := range p.Values(k) {
				if err := c.Set(k.Flag, value); err != nil {
					return nil, nil, err
				}
			}
		case k.Default != "" && len(given(c, k.Flag)) == 0: // an empty variable is none
			if err := c.Set(k.Flag, k.Default); err != nil {
				return nil, nil, err
			}
		}
		for _, value := range given(c, k.Flag) {
			s.Values = append(s.Values, k.Masked(value))
		}
		out = append(out, s)
	}
	for _, name := range []string{"accept-deletes", "user-data-dir"} { // no file says these
		s := above(c, typed, name)
		s.Key, s.unset, s.Values = name, "none", given(c, name)
		out = append(out, s)
	}
	return p, withRaw(c, out), nil
}

// withRaw has --no-raw, which is another word for a value of --raw.
func withRaw(c *cli.Context, settings []setting) []setting {
	for i := range settings {
		if s := &settings[i]; s.Key == "raw" && c.Bool("no-raw") {
			s.Values, s.From, s.Name, s.Line = []string{"none"}, fromFlag, "--no-raw", 0
		} else if s.Key == "warehouse" && len(s.Values) == 0 {
			s.Values = []string{defaultWarehouse()}
		}
	}
	return settings
}

// above is what goes above a file: the command line, or a variable that is not empty.
func above(c *cli.Context, typed []string, flag string) setting {
	if slices.Contains(typed, flag) {
		return setting{From: fromFlag, Name: "--" + flag}
	}
	for _, f := range c.Command.Flags {
		if with, ok := f.(cli.DocGenerationFlag); ok && slices.Contains(f.Names(), flag) {
			for _, name := range with.GetEnvVars() {
				if os.Getenv(name) != "" {
					return setting{From: fromEnvironment, Name: name}
				}
			}
		}
	}
	return setting{From: fromDefault}
}

// typedFlags are the flags of the command line: those that the library has set without knowing the command have not come from a variable.
func typedFlags(c *cli.Context) []string {
	bare := *c
	bare.Command = nil
	return bare.LocalFlagNames()
}

// given are the values of a flag; none where it is empty.
func given(c *cli.Context, flag string) []string {
	var out []string
	switch v := c.Value(flag).(type) {
	case cli.StringSlice:
		out = v.Value()
	default:
		out = []string{fmt.Sprint(v)}
	}
	return slices.DeleteFunc(slices.Clone(out), func(s string) bool { return s == "" })
}

// pipelineNames completes the names of pipelines, and what a command has besides.
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
