package main

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"
	"github.com/xhit/go-str2duration/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/push"
	"pipeline/load/reader"
)

func statusCommand() *cli.Command {
	return &cli.Command{
		Name:  "status",
		Usage: "say how fresh the warehouse is, and what the last runs did",
		Description: `The last good load is the last that read every store whole and passed its checks; its age counts from its start. Runs that failed, were
killed, or are under way left no load: the log of runs beside the warehouse tells of them, even while the warehouse cannot be opened.
Messages count for the day of their own time, in your time zone; - is a day that no good load covers.

Examples:
   pipeline status
   pipeline status --max-age 26h || notify-send "the nightly load is late"
   pipeline status --json | jq .last_good.started_at

Exit codes: 0 all well, 3 there is no warehouse, 5 the last good load is older than --max-age (or there is none), 75 a run is under way.`,
		Flags: []cli.Flag{
			warehouseFlag(), timezoneFlag(),
			&cli.StringFlag{Name: "max-age", Usage: "exit 5 when the last good load is older than `DURATION`: 26h, 2d"},
			&cli.IntFlag{Name: "runs", Value: 7, Usage: "list this `NUMBER` of the last runs"},
			jsonFlag(),
		},
		Action: statusAction,
	}
}

// reportedStatus is the JSON output of status. If the warehouse cannot be opened it has only the log of runs.
type reportedStatus struct {
	Warehouse string `json:"warehouse"`
	*reader.Status
	AgeSeconds *int64       `json:"age_seconds"`      // age of the last good load
	Stale      bool         `json:"stale"`            // older than --max-age
	Trend      []dayTrend   `json:"trend,omitempty"`  // one entry for each of the last days, today last
	Runs       []loggedRun  `json:"runs"`             // from the log of runs, the latest first
	Failing    []failingRow `json:"failing"`          // pipelines whose last run failed
	Pushes     []push.Last  `json:"pushes,omitempty"` // by their stores, the latest first
}

func statusAction(c *cli.Context) error {
	var limit time.Duration
	if text := c.String("max-age"); text != "" || c.IsSet("max-age") {
		var err error
		if limit, err = str2duration.ParseDuration(text); err != nil || limit <= 0 {
			return usage("--max-age %q is not a duration; write 26h, 2d or 90m", text)
		}
	}
	if c.Int("runs") < 0 {
		return usage("--runs %d: list none or more", c.Int("runs"))
	}
	path, err := warehousePath(c)
	if err != nil {
		return err
	}
	logged, err := readRuns(path)
	if err != nil {
		fmt.Fprintln(c.App.ErrWriter, "warning: "+term.PrintableLines(err.Error()))
	}
	pushes, err := push.Lasts(path)
	if err != nil {
		fmt.Fprintln(c.App.ErrWriter, "warning: "+term.PrintableLines(err.Error()))
	}
	now := time.Now()
	s, late, err := askStatus(c, path, now, limit)
	if c.Bool("json") {
		out := reportedStatus{Warehouse: path, Status: s, Stale: late != "", Runs: logged.last(c.Int("runs")),
			Failing: logged.failing(), Pushes: pushes}
		if s != nil {
			out.Trend = trendOf(s, now)
		}
		if s != nil && s.LastGood != nil {
			seconds := int64(now.Sub(s.LastGood.StartedAt).Seconds())
			out.AgeSeconds = &seconds
		}
		if printed := term.PrintJSON(c.App.Writer, out); printed != nil {
			return printed
		}
	} else {
		printStatus(c.App.Writer, s, logged, pushes, now, c.Int("runs"))
	}
	if err == nil && late != "" {
		err = &exitError{exitStale, fmt.Errorf("stale: %s; 'pipeline doctor' says what keeps a run from working", late)}
	}
	return err
}

// askStatus reads the status of the warehouse, and says if it is older than allowed. It returns an error if there is no
// status.
func askStatus(c *cli.Context, path string, now time.Time, limit time.Duration) (s *reader.Status, late string,
	err error) {
	if _, err = existingWarehouse(c); err != nil {
		return nil, "", err
	}
	if s, err = reader.ReadStatus(c.Context, path, max(c.Int("runs"), 1), trendDays(now)...); err != nil {
		return nil, "", err
	}
	if limit > 0 {
		late = lateness(s.LastGood, now, limit, c.String("max-age"))
	}
	return s, late, nil
}

// lateness says by how much a warehouse is older than allowed; "" if it is not.
func lateness(good *reader.LoadSummary, now time.Time, limit time.Duration, text string) string {
	switch {
	case good == nil:
		return "no load was whole and passed its checks yet"
	case now.Sub(good.StartedAt) > limit:
		return fmt.Sprintf("the last good load began %s, --max-age is %s",
			humanize.RelTime(good.StartedAt, now, "ago", "from now"), text)
	}
	return ""
}
