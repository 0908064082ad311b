package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/push"
	"pipeline/load/reader"
)

// printStatus prints the status; s is nil if the warehouse cannot be opened.
func printStatus(w io.Writer, s *reader.Status, logged loggedRuns, pushes []push.Last, now time.Time, runs int) {
	if s == nil {
		logged.print(w, nil, now)
		return
	}
	when := func(t time.Time) string { return term.Moment(t, now) }
	fmt.Fprintf(w, "warehouse    %s, %s\n", term.Printable(s.Warehouse), humanize.Bytes(uint64(s.Bytes)))
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
		good = fmt.Sprintf("push %d, level %s, %s, %s", p.Seq, p.Level, term.Plural(int64(p.Units), "unit"),
			when(*p.At))
	}
	if p.Failed == nil {
		fmt.Fprintf(w, "push         to %s: %s\n", term.Printable(p.Target), good)
		return
	}
	fmt.Fprintf(w, "push         to %s failed %s: %s\n             the last good one: %s\n", term.Printable(p.Target),
		when(*p.Failed), term.Printable(p.Error), good)
}
