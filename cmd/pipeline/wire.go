package main

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

func warehouseFlag() cli.Flag { return settingFlag("warehouse") }

func sourceFlag() cli.Flag { return settingFlag("sources") }

func userDataDirFlag() cli.Flag { return settingFlag("user-data-dir") }

func memoryFlag() cli.Flag { return settingFlag("memory") }

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print the result as JSON"}
}

// warehousePath is the warehouse of a command that has no other setting: the flag, the environment, or the user's data directory.
func warehousePath(c *cli.Context) (string, error) {
	return fitWarehouse(cmp.Or(c.Path("warehouse"), defaultWarehouse()))
}

// fitWarehouse is a warehouse's path, absolute, if a warehouse may be there.
func fitWarehouse(path string) (string, error) {
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
	return path, isThere(path)
}

// isThere refuses a warehouse that is not there.
func isThere(path string) error {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return &exitError{exitSource, errors.New("there is no warehouse at " + path + " yet: run 'pipeline run' first, or name another with --warehouse")}
	}
	return nil
}

// env is the machine to look for Cursor on. PIPELINE_ROOT puts another root in front of every place: tests and mounted disks.
func env(run *file.Run) extract.Env {
	e := extract.HostEnv(run.UserDataDir)
	e.Root = os.Getenv("PIPELINE_ROOT")
	return e
}

// sources are the sources that a run names, or every Cursor found here.
func sources(run *file.Run) (found []extract.Source, looked []string, err error) {
	if len(run.Sources) == 0 {
		return extract.Discover(env(run))
	}
	for _, arg := range run.Sources {
		s, err := extract.Resolve(arg, env(run))
		if err != nil {
			return nil, nil, err
		}
		found = append(found, s...)
	}
	if err := extract.CheckDistinct(found); err != nil {
		return nil, nil, &pipelines.UsageError{Message: err.Error()}
	}
	return found, run.Sources, nil
}

// noSource says where was looked and what to do.
func noSource(run *file.Run, looked []string) error {
	return &exitError{exitSource, errors.New("no Cursor store was found. Looked in:\n  " + strings.Join(looked, "\n  ") + seenUnread(run) +
		"\nIf Cursor keeps its data elsewhere, name the folder: pipeline run --source PATH (the 'User' folder, or the state.vscdb itself)." +
		"\nTo try the tool without Cursor: pipeline demo --out demo && pipeline run --source demo --warehouse demo.duckdb")}
}

// unreadHere is what is seen beside the sources that are found by themselves, and is not read.
func unreadHere(run *file.Run) []extract.Unread {
	if len(run.Sources) > 0 {
		return nil
	}
	return extract.FindUnread(env(run))
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
func seenUnread(run *file.Run) (text string) {
	for _, u := range unreadHere(run) {
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
