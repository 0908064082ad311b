package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/load/engine"
	"pipeline/pipelines"
)

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
