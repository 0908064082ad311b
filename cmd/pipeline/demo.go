package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/demo"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/tool/outpath"
)

func demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "write an invented history to try the program on",
		Description: `Writes an invented year of one developer: conversations of the editor and of the command line about six projects, the agent's plans,
and the projects' git repositories. Beside them, folder usage has what Cursor counted: an export of its dashboard, a page of its API, a log of hooks.

Examples:
   pipeline demo --out demo
   pipeline run --source demo --git --usage demo/usage --warehouse demo.duckdb`,
		Flags:  []cli.Flag{&cli.PathFlag{Name: "out", Usage: "`DIR` to make; must be missing or empty"}},
		Action: demoAction,
	}
}

func demoAction(c *cli.Context) error {
	out := c.Path("out")
	if out == "" {
		return usage("name the folder to make: pipeline demo --out demo")
	}
	if err := outpath.Folder(out); err != nil {
		return err
	}
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		return usage("%s is not empty; name another folder, or remove it first", out)
	}
	if err := demo.Write(c.Context, out); err != nil {
		return fmt.Errorf("write the demo: %w", err)
	}
	usage := filepath.Join(out, demo.Usage)
	fmt.Fprintf(term.Fitted(c.App.Writer), "A synthetic year is in %s: a Cursor directory, a folder .cursor, and six "+
		"projects with their commits; what Cursor counted is in %s\n", out, usage)
	fmt.Fprintf(c.App.Writer, "Load it: pipeline run --source %s --git --usage %s --warehouse %s\n",
		term.ShellQuote(out), term.ShellQuote(usage), term.ShellQuote(strings.TrimRight(out, "/")+".duckdb"))
	return nil
}
