package main

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/load/outpath"
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
