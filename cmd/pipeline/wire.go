package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/adrg/xdg"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/reader"
	"pipeline/load/tool/outpath"
	"pipeline/load/warehouse"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
	"pipeline/sql/schema"
)

// This file has the flags that most commands share.

func warehouseFlag() cli.Flag { return settingFlag("warehouse") }

func sourceFlag() cli.Flag { return settingFlag("sources") }

func userDataDirFlag() cli.Flag { return settingFlag("user-data-dir") }

func memoryFlag() cli.Flag { return settingFlag("memory") }

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print the result as JSON"}
}

// warehousePath returns the warehouse of a command without other settings: from the flag, the environment, or the
// default in the user's data directory.
func warehousePath(c *cli.Context) (string, error) {
	return fitWarehouse(cmp.Or(c.Path("warehouse"), defaultWarehouse()))
}

// fitWarehouse makes a warehouse's path absolute, and refuses a path where no warehouse may be. Of a link it is what
// the link leads to: the raw layer lies beside that.
func fitWarehouse(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if err := outpath.File(path); err != nil {
		return path, err // it names what was given, not what a link leads to
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return path, usage("%s is a link that leads nowhere: name the warehouse itself with --warehouse", path)
		}
		path = real
	}
	if err := outpath.Warehouse(path); err != nil {
		return path, err
	}
	name := engine.Catalog(path)
	if slices.ContainsFunc(schema.Schemas(), func(schema string) bool { return strings.EqualFold(schema, name) }) {
		return path, usage("a warehouse cannot be called %s: it has a schema %s of its own, and a query could mean "+
			"either. Name another file with --warehouse", filepath.Base(path), strings.ToLower(name))
	}
	return path, places.CheckWarehouse(path)
}

func defaultWarehouse() string { return filepath.Join(xdg.DataHome, "pipeline", "warehouse.duckdb") }

// existingWarehouse is warehousePath for commands that only read.
func existingWarehouse(c *cli.Context) (string, error) {
	path, err := warehousePath(c)
	if err != nil {
		return "", err
	}
	return path, isThere(path)
}

// isThere returns an error if the warehouse does not exist.
func isThere(path string) error {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return &exitError{exitSource, errors.New("there is no warehouse at " + path +
			" yet: run 'pipeline run' first, or name another with --warehouse")}
	}
	return nil
}

// timezoneFlag is the flag of commands that cut days, or read or print times.
func timezoneFlag() cli.Flag {
	f := settingFlag("timezone").(*cli.StringFlag)
	f.Action = func(c *cli.Context, name string) error { return useZone(c.Context, name) }
	return f
}

// useZone makes a zone that of the program: that in which every day is cut, and every time is read and printed. "" is
// the zone that it has: that of TZ, else the machine's. Only names that the engine knows, too, are taken.
func useZone(ctx context.Context, name string) (err error) {
	if name == "" {
		return nil
	}
	known, err := engine.Zones(ctx)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(name)
	if err != nil || !slices.Contains(known, name) {
		return usage("there is no time zone %q; the nearest names are: %s", name,
			strings.Join(pipelines.Nearest(name, known), ", "))
	}
	time.Local = zone
	return nil
}

// What follows declares the flags with which commands choose conversations and messages of the warehouse.

func projectFlag() cli.Flag {
	return &cli.StringFlag{Name: "project", Usage: "only conversations of `PROJECT`: its URI, path or name, or a glob"}
}

// timeFlags choose what is of a time.
func timeFlags(what string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "since", Usage: "only " + what + " at or after `TIME`: 7d, 36h, yesterday, 2026-03-01, " +
			"RFC 3339"},
		&cli.StringFlag{Name: "until", Usage: "only " + what + " before `TIME`"},
	}
}

// filterFlags choose conversations.
func filterFlags() []cli.Flag {
	return append([]cli.Flag{
		projectFlag(),
		&cli.StringFlag{Name: "since", Usage: "only conversations with activity at or after `TIME`: 7d, 36h, " +
			"yesterday, 2026-03-01, RFC 3339"},
		&cli.StringFlag{Name: "until", Usage: "only conversations whose last activity is before `TIME`"},
	}, ofMessageFlags()...)
}

// messageFilterFlags choose messages.
func messageFilterFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{projectFlag()}, timeFlags("messages"), ofMessageFlags())
}

func ofMessageFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "role", Usage: "only with a message of `ROLE`: " + strings.Join(messageRoles(), ", ")},
		&cli.StringFlag{Name: "tool", Usage: "only with a call of `TOOL`, by its stable name or the stored one"},
		&cli.StringFlag{Name: "kind", Usage: "only with a message of `KIND`: " + strings.Join(messageKinds(), ", ")},
	}
}

// messageRoles and messageKinds are the values of the columns role and kind in the table messages.
func messageRoles() []string { return []string{"user", "assistant", "unknown"} }
func messageKinds() []string { return []string{"text", "thinking", "tool_call", "error", "empty"} }

// knowsProjects can list the projects of a warehouse.
type knowsProjects interface {
	Projects(context.Context) ([]load.Project, error)
}

// filterOf reads filterFlags. It needs the warehouse to find projects.
func filterOf(c *cli.Context, warehouse string, w knowsProjects) (f reader.Filter, err error) {
	if f.ProjectURIs, err = projectOf(c, w); err != nil {
		return f, err
	}
	if f.Since, err = timeOf(c, warehouse, "since"); err != nil {
		return f, err
	}
	if f.Until, err = timeOf(c, warehouse, "until"); err != nil {
		return f, err
	}
	if f.Since != nil && f.Until != nil && *f.Since >= *f.Until {
		return f, usage("--since must be before --until")
	}
	f.Role, f.Kind, f.Tool = c.String("role"), c.String("kind"), c.String("tool")
	for name, known := range map[string][]string{"role": messageRoles(), "kind": messageKinds()} {
		if given := c.String(name); given != "" && !slices.Contains(known, given) {
			return f, usage("there is no %s %q: write %s", name, given, strings.Join(known, ", "))
		}
	}
	return f, nil
}

// projectOf returns the projects that --project selects, by the same rules as in 'pipeline run'; nil without the flag.
func projectOf(c *cli.Context, w knowsProjects) ([]string, error) {
	wanted := c.String("project")
	if wanted == "" {
		return nil, nil
	}
	projects, err := w.Projects(c.Context)
	if err != nil {
		return nil, err
	}
	return pipelines.ProjectsNamed(wanted, projects)
}

// timeOf parses a flag with a time; nil without it.
func timeOf(c *cli.Context, warehouse, name string) (*schema.Millis, error) {
	text := c.String(name)
	if text == "" && c.IsSet(name) {
		return nil, usage("--%s needs a time: 7d, yesterday, 2026-03-01", name)
	}
	return timeAt(c.Context, warehouse, name, text)
}

// timeAt parses the text of a flag as a time; nil without a text.
func timeAt(ctx context.Context, path, flag, text string) (*schema.Millis, error) {
	if text == "" {
		return nil, nil
	}
	last, err := warehouse.LastGood(ctx, path, text == "last-run")
	if err != nil {
		return nil, err
	}
	t, err := file.ParseTime(text, time.Now(), last)
	if err != nil {
		return nil, usage("--%s: %s", flag, err)
	}
	ms := schema.Millis(t.UnixMilli())
	return &ms, nil
}

// askColumns is the usual width of a terminal.
const askColumns = 80

// lineFor is a command for a warehouse, to paste, printed after the given number of columns. If the terminal would wrap
// it, the path is on a line of its own.
func lineFor(command, warehouse string, behind int) string {
	line := inLine(command, warehouse)
	if line == command || behind+utf8.RuneCountInString(line) <= askColumns || runtime.GOOS == "windows" {
		return line
	}
	return command + " \\\n" + strings.Repeat(" ", behind) + strings.TrimPrefix(line, command+" ")
}

// inLine is a command for a warehouse, to paste, within a line.
func inLine(command, warehouse string) string {
	if warehouse == defaultWarehouse() {
		return command
	}
	return command + " --warehouse " + shortest(warehouse)
}

// askIDs is the command that lists the ids of the conversations in the warehouse that the command line names.
func askIDs(c *cli.Context) string {
	path, err := warehousePath(c)
	if err != nil { // the command without help refuses it
		path = defaultWarehouse()
	}
	return inLine(`pipeline sql "FROM list_conversations()"`, path)
}

// shortest is the shortest form of a path for a shell: absolute, relative to the present folder, or relative to the
// home folder.
func shortest(path string) string {
	best := term.ShellQuote(path)
	below := func(dir string, err error, prefix string) {
		rel, relErr := filepath.Rel(dir, path)
		if err != nil || relErr != nil || !filepath.IsLocal(rel) || strings.HasPrefix(rel, "-") {
			return
		}
		if named := prefix + term.ShellQuote(rel); len(named) < len(best) {
			best = named
		}
	}
	here, err := os.Getwd()
	below(here, err, "")
	if runtime.GOOS != "windows" {
		home, err := os.UserHomeDir()
		below(home, err, "~/")
	}
	return best
}

// warehouseArg is the flag to add to a line that can be pasted; "" for the default warehouse.
func warehouseArg(path string) string {
	if path == defaultWarehouse() {
		return ""
	}
	return "--warehouse " + term.ShellQuote(path) + " "
}

// showCommandLine is the line that shows a conversation of a warehouse, up to its id.
func showCommandLine(warehouse string) string { return "pipeline show " + warehouseArg(warehouse) }
