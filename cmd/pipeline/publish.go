package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/load/sinks"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// This file binds the sinks to flags: one for each sink's folder, and one for how long its older publications stay.

// folderFlags are a flag for the folder of each sink. The usage may have the sink's title (%s).
func folderFlags(usage string) (flags []cli.Flag) {
	for _, s := range sinks.All() {
		about := s.About()
		flags = append(flags, &cli.PathFlag{Name: about.Name, EnvVars: []string{variableOf(about.Name)}, Usage: strings.ReplaceAll(usage, "%s", about.Title)})
	}
	return flags
}

// variableOf is the environment variable that says what a flag does.
func variableOf(flag string) string {
	return "PIPELINE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

func keepFlag(s sinks.Sink) cli.Flag {
	name := keepOf(s)
	return &cli.StringFlag{Name: name, EnvVars: []string{variableOf(name)}, Value: file.Defaults()[name],
		Usage: "keep a publication for `D` after another took its place, for who still reads it; 0: remove it at once"}
}

func keepOf(s sinks.Sink) string { return s.About().Name + "-keep" }

// publishFlags are the flags of a command that publishes: two for each sink.
func publishFlags() (flags []cli.Flag) {
	for i, folder := range folderFlags("also publish every table as %s in `DIR`/current") {
		flags = append(flags, folder, keepFlag(sinks.All()[i]))
	}
	return flags
}

// targets are the folders that the flags name. Two sinks in one folder would replace each other's publications.
func targets(c *cli.Context) (out []sinks.Target, err error) {
	taken := map[string]string{}
	for _, s := range sinks.All() {
		name := s.About().Name
		dir, err := publicationFolder(c.Path(name))
		if err != nil {
			return nil, err
		}
		if dir == "" {
			continue
		}
		if other := taken[dir]; other != "" {
			return nil, &pipelines.UsageError{Message: fmt.Sprintf("--%s and --%s name one folder, %s: name another for one of them", other, name, dir)}
		}
		taken[dir] = name
		out = append(out, sinks.Target{Sink: s, Dir: dir})
	}
	return out, nil
}

// keeping reads how long the older publications of each sink stay. What is written wrongly is refused also where nothing is published.
func keeping(c *cli.Context, targets []sinks.Target) error {
	keep := map[sinks.Sink]time.Duration{}
	for _, s := range sinks.All() {
		var err error
		if keep[s], err = flagOf(c, keepOf(s), file.ParseKeep); err != nil {
			return err
		}
	}
	for i := range targets {
		targets[i].Keep = keep[targets[i].Sink]
	}
	return nil
}

// publicationFolder is the folder of publications that was named; "" for none.
func publicationFolder(dir string) (string, error) {
	if dir == "" {
		return "", nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return dir, sinks.CheckFolder(dir)
}

// titles names sinks.
func titles(targets []sinks.Target) string {
	var out []string
	for _, t := range targets {
		out = append(out, t.Sink.About().Title)
	}
	return strings.Join(out, ", ")
}
