package main

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/load/engine"
	"pipeline/load/tool/outpath"
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
