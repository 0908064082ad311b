package report

import (
	"fmt"
	"math"
	"time"
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
	value  float64
	known  bool
	why    string  // why it is unknown
	of     string  // "612 of 776"; "" if it is always known
	things string  // "calls with a known outcome"
	aside  string  // what else there is to say of it
	share  float64 // the known share of the period's rows; 0: all are known
	basis  float64 // of how many rows a share is; else 0
}

// A span says what part of a period has records.
type span struct {
	days  float64 // with a message
	begin string  // why its first part has none; "" if the records reach back far enough
}

// headline declares a figure.
type headline struct {
	label string
	of    func(q *question) measured
	write func(v float64) string
	rate  bool // a share: its change is given in points
}

func headlines(now *question) []headline {
	comma := func(v float64) string { return count(int64(v)) }
	list := []headline{
		{label: "Active time", of: sum("messages with a time of their own", "real_times", "messages",
			"no message records its own time", "active_ms"),
			write: func(v float64) string { return duration(int64(v)) }},
		{label: "Prompts", of: prompts, write: comma},
		{label: "Sessions", of: counted("sessions"), write: comma},
		{label: "Tool calls that failed", of: rate("calls with a known outcome", "failed", "outcome_known", "calls",
			"no outcome of a tool call is recorded"), write: percent, rate: true},
		{label: "Edits accepted", of: rate("edits with a decision", "accepted", "decided", "edits",
			"no decision on an edit is recorded"), write: percent, rate: true},
		{label: "Tokens", of: sum("messages with token counts", "tokens_known", "answers", "no message records tokens",
			"input_tokens", "output_tokens"), write: short},
	}
	switch {
	case now.sum("billed_with_cost") > 0:
		list[5] = headline{label: "Cost counted",
			of: sum("events with a cost", "billed_with_cost", "billed_events", "no event has a cost",
				"billed_cents"),
			write: dollars}
	case now.sum("tokens_known") == 0 && now.sum("cost_known") > 0:
		list[5] = headline{label: "Cost", of: sum("conversations with a cost", "cost_known", "conversations",
			"no conversation records a cost", "cost_cents"), write: dollars}
	}
	return list
}

// counted returns the figure that is the sum of a column. It is known if the period has messages: then no row means 0.
func counted(column string) func(q *question) measured {
	return func(q *question) measured {
		return measured{value: q.sum(column), known: q.sum("messages") > 0 || q.sum(column) > 0, why: "no messages"}
	}
}

// prompts are counted once each: a fork repeats those of the conversation that it came from.
func prompts(q *question) measured {
	m := counted("prompts")(q)
	if n := q.sum("repeats"); n > 0 {
		m.aside = "each once: " + count(int64(n)) + " repeated in forks or other tries"
	}
	return m
}

// sum returns the figure that is the sum of columns which only some rows record. The column known counts these rows,
// all counts every row. things is what is counted, why the text if no row records it.
func sum(things, known, all, why string, columns ...string) func(q *question) measured {
	return func(q *question) measured {
		m := measured{why: why, of: of(q, known, all), things: things, known: q.sum(known) > 0,
			share: q.sum(known) / math.Max(q.sum(all), 1)}
		for _, c := range columns {
			m.value += q.sum(c)
		}
		return m
	}
}

// rate returns the figure that is the share of part in known: of rows that record an outcome, those with this one.
// things, all and why are those of sum.
func rate(things, part, known, all, why string) func(q *question) measured {
	return func(q *question) measured {
		n := q.sum(known)
		return measured{value: q.sum(part) / math.Max(n, 1), known: n > 0, why: why, of: of(q, known, all),
			things: things, share: n / math.Max(q.sum(all), 1), basis: n}
	}
}

func of(q *question, known, all string) string {
	return count(int64(q.sum(known))) + " of " + count(int64(q.sum(all)))
}

// figures are those of a period. Each is compared with the period before, unless that is nil.
func figures(now, before *question, begin string) (out []figure) {
	for _, h := range headlines(now) {
		m := h.of(now)
		f := figure{Label: h.label, Value: notRecorded, Note: m.why}
		if m.known {
			f.Value, f.Note = h.write(m.value), m.aside
			if before != nil {
				f.Change = change(h, m, h.of(before), span{days: now.sum("days")}, span{before.sum("days"), begin})
			}
			if m.of != "" {
				f.Note = "from " + m.of + " " + m.things
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
		return "on " + plural(int64(before.days), "day") + " with messages, here on " + count(int64(now.days))
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
		return "before: " + was.why
	case reason != "":
		return fmt.Sprintf("%s before, but %s: not comparable", before, reason)
	case h.write(v) == before:
		return "as before"
	case was.value == 0, v >= 3*was.value && was.value < 5 && !h.rate:
		return "up from " + before
	}
	way := "up"
	if v < was.value {
		way = "down"
	}
	switch {
	case h.rate:
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
