package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"pipeline/extract"
	"pipeline/load/engine"
	"pipeline/sql/schema"
	"pipeline/transform"
	"pipeline/transform/prices"
)

// version is set by the linker: -X main.version=...
var version = "dev"

// The linker sets these (-X main.commit=...) for a build without version control, in which the toolchain cannot know
// them.
var commit, commitDate string

// A build describes this program.
type build struct {
	Version    string `json:"version"`
	Commit     string `json:"commit"`      // "" if unknown
	CommitDate string `json:"commit_date"` // RFC 3339, UTC; "" if unknown
	Modified   bool   `json:"modified"`    // files were changed after that commit
	Go         string `json:"go"`
	DuckDB     string `json:"duckdb"`
	SQLite     string `json:"sqlite"`
	// version of the tables in the the warehouses that this program writes
	SchemaVersion    int    `json:"warehouse_schema"`
	TransformVersion int    `json:"transform_version"` // if it changes, every conversation is read again
	Platform         string `json:"platform"`
}

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version, and what the program is made of",
		Description: `Prints the version, the commit that it was built from, the engines in it, and the versions of what it writes. No warehouse is needed.
'pipeline --version' prints the version alone.

Examples:
   pipeline version
   pipeline version --json | jq -r .commit`,
		Flags: []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) (err error) {
			b := thisBuild()
			if b.DuckDB, err = engine.Version(c.Context); err != nil {
				return err
			}
			if b.SQLite, err = extract.SQLiteVersion(c.Context); err != nil {
				return err
			}
			return printed(c, b, b.print)
		},
	}
}

// thisBuild returns the data of this program. What the linker set overrides what the toolchain found.
func thisBuild() build {
	b := build{Version: version, Go: runtime.Version(), SchemaVersion: schema.Version,
		TransformVersion: transform.Version, Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.time":
				b.CommitDate = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	b.Commit, b.CommitDate = cmp.Or(commit, b.Commit), cmp.Or(commitDate, b.CommitDate)
	return b
}

func (b build) print(w io.Writer) {
	revision := cmp.Or(b.Commit, "not recorded")
	if b.CommitDate != "" {
		revision += ", " + b.CommitDate
	}
	if b.Modified {
		revision += ", with changes"
	}
	fmt.Fprintf(w, "pipeline   %s\ncommit     %s\nGo         %s\nDuckDB     %s\nSQLite     %s\n"+
		"schema     %d\ntransform  %d\nplatform   %s\n",
		b.Version, revision, b.Go, b.DuckDB, b.SQLite, b.SchemaVersion, b.TransformVersion, b.Platform)
}

func pricesCommand() *cli.Command {
	return &cli.Command{
		Name:  "prices",
		Usage: "print the price list that estimates are made with",
		Description: `Prints the program's list as CSV: US dollars for a million tokens, by model, and the day from which on a price is valid. A model without a line of its own has that of the
longest name that it begins with, up to a hyphen. To use other prices, change a copy and name it with --prices. Which list a warehouse has is in its table model_prices.

Examples:
   pipeline prices > prices.csv
   pipeline run --prices prices.csv`,
		Action: func(c *cli.Context) error {
			_, err := c.App.Writer.Write(prices.Own())
			return err
		},
	}
}
