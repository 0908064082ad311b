package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
	"pipeline/load/outpath"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// This file binds names (flags, environment) to what they stand for.

func warehouseFlag() cli.Flag {
	return &cli.PathFlag{Name: "warehouse", Aliases: []string{"w"}, EnvVars: []string{"PIPELINE_WAREHOUSE"},
		Usage: "the DuckDB `FILE`", DefaultText: "warehouse.duckdb in your data directory"}
}

func sourceFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "source", Aliases: []string{"s"}, EnvVars: []string{"PIPELINE_SOURCE"},
		Usage: "`[NAME=]PATH` of a Cursor user directory, a folder above it, a storage folder, or one SQLite file; repeatable", DefaultText: "every Cursor found here"}
}

func userDataDirFlag() cli.Flag {
	return &cli.PathFlag{Name: "user-data-dir", EnvVars: []string{"CURSOR_USER_DATA_DIR"},
		Usage: "the `DIR` that Cursor was started with by its option of the same name"}
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print the result as JSON"}
}

// flagOf reads a flag's text.
func flagOf[T any](c *cli.Context, name string, parse func(string) (T, error)) (T, error) {
	v, err := parse(c.String(name))
	if err != nil {
		return v, &pipelines.UsageError{Message: "--" + name + " " + err.Error()}
	}
	return v, nil
}

func memoryFlag() cli.Flag {
	return &cli.StringFlag{Name: "memory", EnvVars: []string{"PIPELINE_MEMORY"}, Usage: "take about `SIZE` of memory, at least 256MB", Value: file.Defaults()["memory"]}
}

// memoryOf reads --memory.
func memoryOf(c *cli.Context) (int64, error) { return flagOf(c, "memory", file.ParseMemory) }

// warehousePath is the warehouse of a command: the flag, the environment, or the user's data directory.
func warehousePath(c *cli.Context) (string, error) {
	path := c.Path("warehouse")
	if path == "" {
		path = defaultWarehouse()
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if err := outpath.Warehouse(path); err != nil {
		return path, err
	}
	return path, places.CheckWarehouse(path)
}

func defaultWarehouse() string { return filepath.Join(xdg.DataHome, "pipeline", "warehouse.duckdb") }

// existingWarehouse is warehousePath for commands that read.
func existingWarehouse(c *cli.Context) (string, error) {
	path, err := warehousePath(c)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return "", &exitError{exitSource, errors.New("there is no warehouse at " + path + " yet: run 'pipeline run' first, or name another with --warehouse")}
	}
	return path, nil
}

// env is the machine to look for Cursor on. PIPELINE_ROOT puts another root in front of every place: tests and mounted disks.
func env(c *cli.Context) extract.Env {
	e := extract.HostEnv(c.Path("user-data-dir"))
	e.Root = os.Getenv("PIPELINE_ROOT")
	return e
}

// namedSources are those that the flags name. An empty variable is none.
func namedSources(c *cli.Context) []string {
	return slices.DeleteFunc(c.StringSlice("source"), func(s string) bool { return s == "" })
}

// sources are the sources that the flags name, or every Cursor found here.
func sources(c *cli.Context) (found []extract.Source, looked []string, err error) {
	named := namedSources(c)
	if len(named) == 0 {
		return extract.Discover(env(c))
	}
	for _, arg := range named {
		s, err := extract.Resolve(arg, env(c))
		if err != nil {
			return nil, nil, err
		}
		found = append(found, s...)
	}
	if err := extract.CheckDistinct(found); err != nil {
		return nil, nil, &pipelines.UsageError{Message: err.Error()}
	}
	return found, named, nil
}

// noSource says where was looked and what to do.
func noSource(c *cli.Context, looked []string) error {
	return &exitError{exitSource, errors.New("no Cursor store was found. Looked in:\n  " + strings.Join(looked, "\n  ") + seenUnread(c) +
		"\nIf Cursor keeps its data elsewhere, name the folder: pipeline run --source PATH (the 'User' folder, or the state.vscdb itself)." +
		"\nTo try the tool without Cursor: pipeline demo --out demo && pipeline run --source demo --warehouse demo.duckdb")}
}

// unreadHere is what is seen beside the sources that are found by themselves, and is not read.
func unreadHere(c *cli.Context) []extract.Unread {
	if len(namedSources(c)) > 0 {
		return nil
	}
	return extract.FindUnread(env(c))
}

// unreadWords tells what there is in one folder.
func unreadWords(u extract.Unread) string {
	var parts []string
	if u.Chats > 0 {
		parts = append(parts, term.Plural(int64(u.Chats), "chat")+" of the command line")
	}
	if u.Transcripts > 0 {
		parts = append(parts, term.Plural(int64(u.Transcripts), "transcript")+" of agents")
	}
	return strings.Join(parts, ", ") + " in " + term.Printable(u.Dir)
}

// seenUnread tells where no store was found what there is instead; "" for nothing.
func seenUnread(c *cli.Context) (text string) {
	for _, u := range unreadHere(c) {
		text += "\nSeen, and not read by this version: " + unreadWords(u)
	}
	return text
}

// defaultOptions are what every run on this machine shares. One that is to write nothing makes no id for a machine that has none.
func defaultOptions(writes bool) pipelines.Options {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return pipelines.Options{ToolVersion: version, Host: host, MachineID: machineID(host, writes), Phase: phaseMarker(os.Getenv("PIPELINE_PHASE_FILE"))}
}

// phaseMarker keeps the present phase of a run in a file, so that whoever kills the run knows where it was. Each word takes the place of the
// one before by a single write of the same length: the file never holds half a word.
func phaseMarker(file string) func(phase string) {
	if file == "" {
		return nil
	}
	return func(phase string) {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return // a load does not fail for its marker
		}
		_, _ = f.WriteAt(fmt.Appendf(nil, "%-8s\n", phase), 0)
		_ = f.Close()
	}
}

// machineID identifies this machine: the operating system's own id where it has a file for it, else one that is made once and kept in the
// data directory (a host's name changes with the network), else the host's name.
func machineID(host string, make bool) string {
	for _, file := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		if b, err := os.ReadFile(file); err == nil && len(strings.TrimSpace(string(b))) > 0 {
			return strings.TrimSpace(string(b))
		}
	}
	file := filepath.Join(xdg.DataHome, "pipeline", "machine-id")
	if b, err := os.ReadFile(file); err == nil && len(b) > 0 {
		return strings.TrimSpace(string(b))
	}
	if !make {
		return host
	}
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return host
	}
	text := hex.EncodeToString(id[:])
	if errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text+"\n"), 0o600)) != nil {
		return host
	}
	return text
}
