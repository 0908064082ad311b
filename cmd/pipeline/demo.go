package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract/storetest"
	"pipeline/load/outpath"
	"pipeline/pipelines"
)

func demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "make an invented history to try the program on",
		Description: `Writes an invented history of every era of Cursor's format; the same seed gives the same rows.
Beside it, folder usage has what Cursor counted of the latest conversations: an export of its dashboard, a page of its API, a log of hooks.

Examples:
   pipeline demo --out demo
   pipeline demo --messages 37000 --seed 7 --out big
   pipeline run --source demo --usage demo/usage --warehouse demo.duckdb`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "messages", Value: 2000, Usage: "make about `NUMBER` messages"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` that the history is made from: the same one makes the same history"},
			&cli.PathFlag{Name: "out", Usage: "`DIR` to make; must be missing or empty"},
			&cli.BoolFlag{Name: "no-cases", Usage: "leave out the deliberately odd rows"},
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
	if c.Int("messages") <= 0 {
		return &pipelines.UsageError{Message: "--messages must be at least 1"}
	}
	user := filepath.Join(out, "User")
	plan := storetest.New(storetest.Options{Seed: c.Uint64("seed"), Messages: c.Int("messages"), NoCases: c.Bool("no-cases"), WAL: c.Bool("wal")})
	if err := plan.Write(user); err != nil {
		return fmt.Errorf("write the demo: %w", err)
	}
	usage := filepath.Join(out, "usage")
	if err := plan.WriteUsage(usage); err != nil {
		return fmt.Errorf("write the demo's usage: %w", err)
	}
	fmt.Fprintf(c.App.Writer, "A synthetic Cursor directory is in %s, what Cursor counted in %s\nLoad it: pipeline run --source %s --usage %s --warehouse %s\n", user, usage,
		term.ShellQuote(out), term.ShellQuote(usage), term.ShellQuote(strings.TrimRight(out, "/")+".duckdb"))
	return nil
}
