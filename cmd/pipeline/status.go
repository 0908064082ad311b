package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"
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

// A dayTrend is what was written on a day.
type dayTrend struct {
	Day      string `json:"day"`      // in the local time zone
	Messages *int64 `json:"messages"` // by the messages' own times; null if no good load has covered the day
	SoFar    bool   `json:"so_far"`   // no good load has covered the whole day
}

const trendWeek = 7

// trendDays are the beginnings of the days of two weeks, and the end of today.
func trendDays(now time.Time) (out []time.Time) {
	for i := -2*trendWeek + 1; i <= 1; i++ {
		out = append(out, time.Date(now.Year(), now.Month(), now.Day()+i, 0, 0, 0, 0, now.Location()))
	}
	return out
}

func trendOf(s *reader.Status, now time.Time) (out []dayTrend) {
	bounds := trendDays(now)
	for i, n := range s.Days {
		d := dayTrend{Day: bounds[i].Format(time.DateOnly),
			SoFar: s.LastGood == nil || s.LastGood.StartedAt.Before(bounds[i+1])}
		if n > 0 || s.LastGood != nil && s.LastGood.StartedAt.After(bounds[i]) {
			d.Messages = &n
		}
		out = append(out, d)
	}
	return out
}

func printTrend(w io.Writer, days []dayTrend) {
	if len(days) < 2*trendWeek {
		return
	}
	all, unseen := int64(0), 0
	var cells []string
	for _, d := range days {
		if d.Messages == nil {
			unseen++
			cells = append(cells, "-")
			continue
		}
		all += *d.Messages
		cells = append(cells, strconv.FormatInt(*d.Messages, 10))
	}
	switch {
	case all > 0:
		fmt.Fprintf(w, "messages     a day to today: %s; the 7 days before: %s\n", strings.Join(cells[trendWeek:], " "),
			strings.Join(cells[:trendWeek], " "))
	case unseen == 0:
		fmt.Fprintf(w, "messages     none in the last %d days\n", len(days))
	default:
		fmt.Fprintf(w, "messages     none in the last %d days, of which %d no good load has seen\n", len(days), unseen)
	}
}

// printStatus prints the status; s is nil if the warehouse cannot be opened.
func printStatus(w io.Writer, s *reader.Status, logged loggedRuns, pushes []push.Last, now time.Time, runs int) {
	if s == nil {
		logged.print(w, nil, now)
		return
	}
	when := func(t time.Time) string { return term.Moment(t, now) }
	fmt.Fprintf(w, "warehouse    %s, %s\n", term.Printable(s.Warehouse), term.Size(s.Bytes))
	if s.LastGood == nil {
		fmt.Fprintln(w, "last good    none yet")
	} else {
		fmt.Fprintf(w, "last good    load %d, %s\n", s.LastGood.LoadID, when(s.LastGood.StartedAt))
	}
	if last := s.Recent[0]; s.LastGood == nil || last.LoadID != s.LastGood.LoadID {
		name := "last run "
		if logged.tellsMore(&last) {
			name = "last load"
		}
		fmt.Fprintf(w, "%s    load %d, %s, %s%s\n", name, last.LoadID, strings.ReplaceAll(last.Status, "_", " "),
			when(last.StartedAt), unread(last))
	}
	logged.print(w, &s.Recent[0], now)
	t := s.Totals
	fmt.Fprintf(w, "holds        %s\n", holdings(t))
	if line := t.Copies.Line(); line != "" {
		fmt.Fprintf(w, "copies       %s\n", line)
	}
	if u := t.Usage; u.Events > 0 {
		newest := "of no known time"
		if u.Newest != nil {
			newest = "the newest " + when(*u.Newest)
		}
		fmt.Fprintf(w, "usage        %s, %s\n", term.Plural(u.Events, "event"), newest)
	}
	if n := t.Usage.Estimated; n > 0 {
		fmt.Fprintf(w, "estimates    of %s without usage, %s with a price\n", term.Plural(n, "turn"),
			humanize.Comma(t.Usage.Priced))
	}
	for _, p := range pushes {
		printLastPush(w, p, when)
	}
	printTrend(w, trendOf(s, now))
	if len(t.Quarantine) > 0 {
		fmt.Fprintf(w, "quarantined  %s\n", reasons(t.Quarantine))
	}
	if runs > 0 {
		fmt.Fprintln(w)
		printRuns(w, s.Recent, now)
	}
}

// unread says what to do about stores that a load could not read.
func unread(l reader.LoadSummary) string {
	if l.UnreadStores == 0 {
		return ""
	}
	return fmt.Sprintf("; %d of %s could not be read: see 'pipeline doctor'", l.UnreadStores,
		term.Plural(l.Stores, "store"))
}

// printRuns lists loads, in a table that fits a usual terminal: without columns that have what is usual for all of
// them, and without a year that is this one.
func printRuns(w io.Writer, runs []reader.LoadSummary, now time.Time) {
	moment := "01-02 15:04"
	if slices.ContainsFunc(runs, func(l reader.LoadSummary) bool {
		return l.StartedAt.Local().Year() != now.Local().Year()
	}) {
		moment = "2006-01-02 15:04"
	}
	header := table.Row{"load", "started", "took", "status", "mode", "new", "changed", "messages", "deleted", "unread"}
	var rows []table.Row
	for _, l := range runs {
		took := "unknown"
		if l.FinishedAt != nil {
			took = fmt.Sprintf("%.1f s", l.FinishedAt.Sub(l.StartedAt).Seconds())
		}
		changed := humanize.Comma(l.Changed)
		if l.Mode == "full" { // all were read again, whether they had changed or not
			changed = "-"
		}
		rows = append(rows, table.Row{l.LoadID, l.StartedAt.Local().Format(moment), took, l.Status, l.Mode,
			humanize.Comma(l.New), changed, humanize.Comma(l.Messages), humanize.Comma(l.Deleted),
			humanize.Comma(l.UnreadStores)})
	}
	for _, column := range []struct {
		at    int
		usual string
	}{{9, "0"}, {8, "0"}, {4, "incremental"}} {
		if !slices.ContainsFunc(rows, func(row table.Row) bool { return row[column.at] != column.usual }) {
			header = slices.Delete(header, column.at, column.at+1)
			for i := range rows {
				rows[i] = slices.Delete(rows[i], column.at, column.at+1)
			}
		}
	}
	term.PlainTable(w, header, rows, "load", "took", "new", "changed", "messages", "deleted", "unread")
}

// printLastPush prints what is known of the pushes to a store.
func printLastPush(w io.Writer, p push.Last, when func(time.Time) string) {
	good := "none has ended well yet"
	if p.At != nil {
		good = fmt.Sprintf("push %d, level %s, %s, %s", p.Seq, p.Level, term.Plural(p.Units, "unit"), when(*p.At))
	}
	if p.Failed == nil {
		fmt.Fprintf(w, "push         to %s: %s\n", term.Printable(p.Target), good)
		return
	}
	fmt.Fprintf(w, "push         to %s failed %s: %s\n             the last good one: %s\n", term.Printable(p.Target),
		when(*p.Failed), term.Printable(p.Error), good)
}
