package report

import (
	"fmt"
	"math"
	"slices"
	"time"

	"pipeline/cmd/pipeline/internal/term"
)

// A figure is a number at the top of the page.
type figure struct {
	Label  string
	Value  string // with its unit; "—" if unknown
	Note   string // for how many rows it is known, or why it is not
	Change string // comparison with the period before, in words
}

// measured is a figure of one period, and how complete its data is.
type measured struct {
	value float64
	known bool
	of    string  // "612 of 776"; "" if it is always known
	share float64 // the known share of the period's rows; 0: all are known
	basis float64 // of how many rows a share is; else 0
}

// A span says what part of a period has records.
type span struct {
	days  float64 // with a message
	begin string  // why its first part has none; "" if the records reach back far enough
}

// A headline declares a figure, for this file and for page/figures.js. Its columns are those of queries/figures.sql.
type headline struct {
	Label   string   `json:"label"`
	Unit    unit     `json:"unit"`    // a change of a share is given in points
	Fact    string   `json:"fact"`    // that the page makes it of
	Columns []string `json:"columns"` // what is added up; for a share the part, of what is known
	Known   string   `json:"known"`   // counts the rows that record it; "": all do, and if there are messages no row is 0
	All     string   `json:"all"`     // counts every row
	Things  string   `json:"things"`  // what these are
	Why     string   `json:"why"`     // why it is unknown
	Repeats string   `json:"repeats"` // counts what is left out, as something else repeats it; "": nothing is
}

// headlines are on every page, and one of spending after them: the first that is recorded, else the tokens. What was
// charged stands beside what was counted.
var headlines = []headline{
	{Label: "Active time", Unit: unitMillis, Fact: "activity", Columns: []string{"active_ms"}, Known: "real_times",
		All: "messages", Things: "messages with a time of their own", Why: "no message records its own time"},
	{Label: "Prompts", Unit: unitCount, Fact: "activity", Columns: []string{"prompts"}, Why: "no messages",
		Repeats: "repeats"}, // a fork has those of the conversation that it came from
	{Label: "Sessions", Unit: unitCount, Fact: "sessions", Columns: []string{"sessions"}, Why: "no messages"},
	{Label: "Tool calls that failed", Unit: unitShare, Fact: "tools", Columns: []string{"failed"},
		Known: "outcome_known", All: "calls", Things: "calls with a known outcome",
		Why: "no tool call is known to have succeeded or failed"},
	{Label: "Edits accepted", Unit: unitShare, Fact: "edits", Columns: []string{"accepted"}, Known: "decided",
		All: "edits", Things: "edits with a decision", Why: "no decision on an edit is recorded"},
}

var spending = []headline{
	{Label: "Worth, as counted", Unit: unitCents, Fact: "billed", Columns: []string{"billed_cents"},
		Known: "billed_with_cost", All: "billed_events", Things: "events with a cost", Why: "no event has a cost"},
	{Label: "Tokens", Unit: unitShort, Fact: "cost", Columns: []string{"input_tokens", "output_tokens"},
		Known: "tokens_known", All: "answers", Things: "messages with token counts", Why: "no message records tokens"},
	{Label: "Cost", Unit: unitCents, Fact: "cost", Columns: []string{"cost_cents"}, Known: "cost_known",
		All: "conversations", Things: "conversations with a cost", Why: "no conversation records a cost"},
}

var charged = headline{Label: "Charged", Unit: unitCents, Fact: "billed", Columns: []string{"charged_cents"},
	Known: "billed_with_charge", All: "billed_events", Things: "events with a charge", Why: "no event has a charge"}

// shownHeadlines are those of a period.
func shownHeadlines(now *question) []headline {
	at := slices.IndexFunc(spending, func(h headline) bool { return now.sum(h.Known) > 0 })
	if at < 0 {
		at = 1
	}
	shown := append(slices.Clone(headlines), spending[at])
	if at == 0 {
		shown = append(shown, charged)
	}
	return shown
}

// measure makes the figure.
func (h headline) measure(q *question) (m measured) {
	for _, c := range h.Columns {
		m.value += q.sum(c)
	}
	if h.Known == "" {
		m.known = q.sum("messages") > 0 || m.value > 0
		return m
	}
	known, all := q.sum(h.Known), q.sum(h.All)
	m.known, m.of, m.share = known > 0, count(int64(known))+" of "+count(int64(all)), known/math.Max(all, 1)
	if h.Unit == unitShare {
		m.value, m.basis = m.value/math.Max(known, 1), known
	}
	return m
}

func (h headline) write(v float64) string { return column{Unit: h.Unit}.cell(v) }

// figures are those of a period. Each is compared with the period before, unless that is nil.
func figures(now, before *question, begin string) (out []figure) {
	for _, h := range shownHeadlines(now) {
		m := h.measure(now)
		f := figure{Label: h.Label, Value: notRecorded, Note: h.Why}
		if m.known {
			f.Value, f.Note = h.write(m.value), ""
			if before != nil {
				f.Change = change(h, m, h.measure(before), span{days: now.sum("days")}, span{before.sum("days"), begin})
			}
			if n := now.sum(h.Repeats); n > 0 {
				f.Note = "each once: " + count(int64(n)) + " repeated in forks or other tries"
			}
			if m.of != "" {
				f.Note = "from " + m.of + " " + h.Things
			}
		}
		out = append(out, f)
	}
	return out
}

// tooFew is the number of known rows below which a share tells nothing.
const tooFew = 20

// incomparable says why two periods cannot be compared; "" if they can. A growth that is only one of the records is
// none.
func incomparable(m, was measured, now, before span) string {
	low, high := math.Min(now.days, before.days), math.Max(now.days, before.days)
	switch {
	case before.begin != "":
		return before.begin
	case math.Max(m.share, was.share) > 2*math.Min(m.share, was.share):
		return "from " + was.of
	case was.basis > 0 && was.basis < tooFew:
		return "from " + was.of
	case high >= 4*low && high > 0:
		return "on " + term.Plural(int64(before.days), "day") + " with messages, here on " + count(int64(now.days))
	}
	return ""
}

// change describes a difference. If nothing was recorded before, that is not zero; and what is recorded of very
// different parts of two periods is not compared.
func change(h headline, m, was measured, now, former span) string {
	v, before := m.value, h.write(was.value)
	reason := incomparable(m, was, now, former)
	switch {
	case !was.known:
		return "before: " + h.Why
	case reason != "":
		return fmt.Sprintf("%s before, but %s: not comparable", before, reason)
	case h.write(v) == before:
		return "as before"
	case was.value == 0, v >= 3*was.value && was.value < 5 && h.Unit != unitShare:
		return "up from " + before
	}
	way := "up"
	if v < was.value {
		way = "down"
	}
	switch {
	case h.Unit == unitShare:
		return fmt.Sprintf("%s %.1f points from %s", way, math.Round(math.Abs(v-was.value)*1000)/10, before)
	case v >= 3*was.value:
		return fmt.Sprintf("%.0f times the %s before", math.Round(v/was.value), before)
	}
	return fmt.Sprintf("%s %s from %s", way, percent(math.Abs(v-was.value)/was.value), before)
}

// begin says why a period has no records of its first part; "" if it has.
func begin(before period, first string) string {
	day, err := time.Parse(time.DateOnly, first)
	if err != nil || !day.After(before.from) {
		return ""
	}
	return "the records begin on " + day.Format("2 January 2006")
}
