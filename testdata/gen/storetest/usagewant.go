package storetest

import (
	"fmt"
	"time"
)

// UsageEventWant is what one event of the files of WriteUsage is, and what can be said of it.
type UsageEventWant struct {
	File         string
	Line         int
	At           int64  // milliseconds
	Conversation string // conversation that caused it; "" for one that no store has
	Message      string // its prompt
	Named        string // conversation that the file names; "" for none
	Failed       bool   // it failed, and cost nothing
	// Join says how a reader that knows all times can find the turn: id (the file names the conversation or the
	// request), time (it is the only conversation that worked with the model at that time), or none.
	Join string
	Cost int64 // hundredths of a cent; none: the file does not say
}

// none is a cost that is not recorded.
const none = -1

// UsageEvents are all events of the files of WriteUsage.
func (p *Plan) UsageEvents() []UsageEventWant { return p.usage().events }

// UsageSums are what was counted, each request once, by day and model: events, tokens (fresh, written to the cache,
// read from it, output) and the cost in millionths of a dollar. A turn that a hook tells is one event, else each
// request is one; costs are from the page, else from the export.
func (p *Plan) UsageSums() map[string]string {
	all := map[string][6]int64{}
	for _, t := range p.usage().turns {
		for i, q := range t.requests {
			if q.kind.failed || !t.hook && !t.inPage && !t.inExport {
				continue
			}
			at, events, cost := q.at, int64(1), int64(0)
			if t.hook {
				at, events = t.end, 0
			}
			if t.hook && i == t.lastCounted() {
				events = 1
			}
			switch {
			case t.inPage:
				cost = q.worth
			case t.inExport && q.kind.paid:
				cost = q.cents() * 100
			}
			key := time.UnixMilli(at).UTC().Format("2006-01-02") + " " + t.model
			sum := all[key]
			for i, n := range []int64{events, q.fresh, q.write, q.read, q.output, 100 * cost} {
				sum[i] += n
			}
			all[key] = sum
		}
	}
	out := map[string]string{}
	for key, sum := range all {
		out[key] = fmt.Sprintf("%d %d %d %d %d %d", sum[0], sum[1], sum[2], sum[3], sum[4], sum[5])
	}
	return out
}

// lastCounted is the place of the last request that counts.
func (t *usageTurn) lastCounted() (last int) {
	for i, q := range t.requests {
		if !q.kind.failed {
			last = i
		}
	}
	return last
}

// want is what the event is in a file.
func (e usageEvent) want(turns []*usageTurn, file string, line int) UsageEventWant {
	w := e.t.want(e.q.at, file, line)
	w.Failed = e.q.kind.failed
	if file == usagePage && e.t.named {
		w.Named = e.t.chat
	}
	w.join(e.t, turns)
	switch {
	case file == usagePage && e.q.tokens:
		w.Cost = e.q.worth
	case file == usageExport && e.q.kind.paid:
		w.Cost = e.q.cents() * 100
	}
	return w
}

// want is what a file says of a turn at a time, before it is known how it says whose it is.
func (t *usageTurn) want(at int64, file string, line int) UsageEventWant {
	w := UsageEventWant{File: file, Line: line, At: at, Cost: none}
	if t.c != nil {
		w.Conversation, w.Message = t.c.id, t.prompt.id
	}
	return w
}

// join says how a reader can find the turn.
func (w *UsageEventWant) join(t *usageTurn, turns []*usageTurn) {
	w.Join = "none"
	if w.Named != "" {
		w.Join = "id"
		return
	}
	for _, o := range turns {
		if o.c != nil && o.model == t.model && w.At >= o.from && w.At <= o.until {
			if o.c != t.c {
				w.Join = "none"
				return
			}
			w.Join = "time"
		}
	}
}
