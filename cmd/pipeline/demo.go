package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract/storetest"
	"pipeline/extract/yeartest"
	"pipeline/load/tool/outpath"
	"pipeline/pipelines"
)

func demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "make an invented history to try the program on",
		Description: `Writes an invented year of one developer: conversations of the editor and of the command line about six projects, the agent's plans,
and the projects' git repositories. Beside them, folder usage has what Cursor counted: an export of its dashboard, a page of its API, a log of hooks.
The same seed gives the same year. With --cases it writes what the tests of this program read: every format since 2024, with deliberately odd rows.

Examples:
   pipeline demo --out demo
   pipeline demo --messages 3000 --seed 7 --out small
   pipeline demo --cases --out odd
   pipeline run --source demo --git --usage demo/usage --warehouse demo.duckdb`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "messages", Usage: "make about `NUMBER` messages (default: 15000, with --cases 2000)"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` that the history is made from: the same one makes the same history"},
			&cli.PathFlag{Name: "out", Usage: "`DIR` to make; must be missing or empty"},
			&cli.StringFlag{Name: "until", Usage: "`DAY` after the last one of the year (default: " + storetest.YearEnd.Format(time.DateOnly) + ")"},
			&cli.BoolFlag{Name: "cases", Usage: "every format since 2024 and deliberately odd rows instead of a year"},
			&cli.BoolFlag{Name: "no-cases", Hidden: true, Usage: "as --cases, without the odd rows"},
			&cli.BoolFlag{Name: "wal", Usage: "leave the global store as a running Cursor does, with rows in its -wal"},
		},
		Action: demoAction,
	}
}

func demoAction(c *cli.Context) error {
	out := c.Path("out")
	if out == "" {
		return &pipelines.UsageError{Message: "name the folder to make: pipeline demo --out demo"}
	}
	if err := outpath.Folder(out); err != nil {
		return err
	}
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		return &pipelines.UsageError{Message: fmt.Sprintf("%s is not empty; name another folder, or remove it first", out)}
	}
	if c.IsSet("messages") && c.Int("messages") <= 0 {
		return &pipelines.UsageError{Message: "--messages must be at least 1"}
	}
	if c.Bool("cases") || c.Bool("no-cases") {
		return demoCases(c, out)
	}
	return demoYear(c, out)
}

// demoYear writes a developer's year.
func demoYear(c *cli.Context, out string) error {
	o := yeartest.Options{Seed: c.Uint64("seed"), Messages: c.Int("messages"), WAL: c.Bool("wal")}
	if day := c.String("until"); day != "" {
		until, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return &pipelines.UsageError{Message: fmt.Sprintf("--until %q is not a day such as %s", day, storetest.YearEnd.Format(time.DateOnly))}
		}
		o.Until = until
	}
	if err := yeartest.Write(out, o); err != nil {
		return fmt.Errorf("write the demo: %w", err)
	}
	fmt.Fprintf(c.App.Writer, "A synthetic year is in %s: a Cursor directory, a folder .cursor, and six projects with their commits; what Cursor counted is in %s\n%s\n", out, filepath.Join(out, yeartest.Usage),
		loadIt(out, " --git"))
	return nil
}

// demoCases writes every format, with or without odd rows.
func demoCases(c *cli.Context, out string) error {
	o := storetest.Options{Seed: c.Uint64("seed"), Messages: 2000, NoCases: c.Bool("no-cases"), WAL: c.Bool("wal")}
	if c.IsSet("messages") {
		o.Messages = c.Int("messages")
	}
	plan, user := storetest.New(o), filepath.Join(out, yeartest.User)
	if err := plan.Write(user); err != nil {
		return fmt.Errorf("write the demo: %w", err)
	}
	usage := filepath.Join(out, yeartest.Usage)
	if err := plan.WriteUsage(usage); err != nil {
		return fmt.Errorf("write the demo's usage: %w", err)
	}
	fmt.Fprintf(c.App.Writer, "A synthetic Cursor directory is in %s, what Cursor counted in %s\n%s\n", user, usage, loadIt(out, ""))
	return nil
}

// loadIt is the command that loads a demo.
func loadIt(out, flags string) string {
	return fmt.Sprintf("Load it: pipeline run --source %s%s --usage %s --warehouse %s", term.ShellQuote(out), flags, term.ShellQuote(filepath.Join(out, yeartest.Usage)), term.ShellQuote(strings.TrimRight(out, "/")+".duckdb"))
}
