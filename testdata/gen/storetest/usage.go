package storetest

import (
	"cmp"
	"slices"
	"strings"
)

// This file plans what Cursor counted of the latest conversations. No store has it: it is in files that a user saves
// (usagefiles.go).

// A usageTurn is an answer that Cursor counted, in one request or in several.
type usageTurn struct {
	c                *conversation // nil: no store has it
	prompt           *message
	chat             string // conversation as the dashboard names it
	request          string
	model            string
	from, until      int64 // from its prompt to a minute after its last message
	end              int64 // when its last request ended
	requests         []usageRequest
	hook             bool // a hook told of it
	noStop           bool // but not of its end
	aborted          bool // the user ended it
	named            bool // the page names its conversation
	inExport, inPage bool // files that have it
}

// A usageRequest is one request as it was counted.
type usageRequest struct {
	at                         int64 // when it ended
	kind                       usageKind
	tokens                     bool
	fresh, write, read, output int64
	worth                      int64 // hundredths of a cent
}

// A usageKind is how a request is paid.
type usageKind struct {
	csv, api     string
	failed, paid bool
}

var (
	usageIncluded = usageKind{csv: "Included", api: "USAGE_EVENT_KIND_INCLUDED_IN_PRO"}
	usageOnDemand = usageKind{csv: "On-Demand", api: "USAGE_EVENT_KIND_USAGE_BASED", paid: true}
	usageErrored  = usageKind{csv: "Errored, No Charge", api: "USAGE_EVENT_KIND_ERRORED_NOT_CHARGED", failed: true}
	usageAborted  = usageKind{csv: "Aborted, Not Charged", api: "USAGE_EVENT_KIND_ABORTED_NOT_CHARGED", failed: true}
)

// usageTurns are all turns that Cursor counted of the chats of the latest formats, where stores record next to no
// tokens, by their end. The dashboard names conversations from a quarter of them on, hooks are logged from two fifths
// on. The page of the API begins before the names, and the export ends before the page.
func (p *Plan) usageTurns() []*usageTurn {
	r := newRNG(p.o.Seed, 23)
	var turns []*usageTurn
	for _, c := range p.chats {
		if (c.style >= 1 || p.isYear) && c.form == "rows" && !c.override && !c.orphan && c.model != nil &&
			!strings.HasPrefix(c.id, "ca5e") {
			turns = append(turns, c.usageTurns(r, p.isYear)...)
		}
	}
	byEnd := func(a, b *usageTurn) int {
		return cmp.Or(cmp.Compare(a.end, b.end), strings.Compare(a.request, b.request))
	}
	slices.SortFunc(turns, byEnd)
	for i, t := range turns {
		t.hook = i >= len(turns)*2/5 && t.c.parent == nil && !t.aborted && !t.failed() && r.chance(0.85)
	}
	lost, beside := 0.12, 0.3
	if p.isYear {
		lost, beside = 0.015, 0.01
	}
	turns = append(turns, lostTurns(r, turns, lost, beside)...)
	slices.SortFunc(turns, byEnd)
	for i, t := range turns {
		t.inExport, t.inPage, t.named = i < len(turns)*8/9, i >= len(turns)/6 || p.isYear, i >= len(turns)/4
	}
	return turns
}

// usageTurns are the turns of a conversation: a prompt with all up to the next one.
func (c *conversation) usageTurns(r rng, year bool) (turns []*usageTurn) {
	filled := r.ms(12_000, 25_000) // tokens that the conversation has by now
	for i := c.copied; i < len(c.msgs); {
		from := i
		i = c.nextPrompt(i)
		t := &usageTurn{c: c, prompt: c.msgs[from], chat: c.id, request: c.msgs[from].request,
			model: c.usageModel(c.msgs[from:i])}
		t.from, _ = earliest(c.msgs[from:i])
		t.until = c.msgs[i-1].finish + 60_000
		before := int64(0) // when the next turn began
		if i < len(c.msgs) {
			before, _ = earliest(c.msgs[i:c.nextPrompt(i)])
		}
		rates, known := modelRates[t.model]
		if !year || !known {
			rates = sonnetRates
		}
		filled = t.count(r, c.msgs[from:i], before, filled, rates, year)
		if t.aborted = c.status == "aborted" && i == len(c.msgs); t.aborted {
			t.requests[len(t.requests)-1].fail(usageAborted)
		}
		t.noStop = r.chance(0.1)
		turns = append(turns, t)
	}
	return turns
}

// nextPrompt is the place of the first prompt behind a message.
func (c *conversation) nextPrompt(i int) int {
	for i++; i < len(c.msgs) && c.msgs[i].role != "user"; i++ {
	}
	return i
}

// earliest is the first time of messages, as it was or as a store has it, and whether a store has the times of the
// first and of the last.
func earliest(ms []*message) (at int64, known bool) {
	at = ms[0].finish
	for _, m := range ms {
		if t, _ := m.real(); t != 0 {
			at = min(at, t)
		}
	}
	first, _ := ms[0].real()
	last, _ := ms[len(ms)-1].real()
	return at, first != 0 && last != 0 && !ms[0].unlisted && !ms[len(ms)-1].unlisted
}

// usageModel is the model that answered, as the messages of the turn have it, else the conversation.
func (c *conversation) usageModel(ms []*message) string {
	for _, m := range ms {
		if m.model != nil {
			return cmp.Or(*m.model, "default")
		}
	}
	return cmp.Or(*c.model, "default")
}

// count makes the requests of a turn. The last one ends after the last message, mostly at once, always before the next
// prompt and within a minute. It returns what the conversation has by then.
func (t *usageTurn) count(r rng, ms []*message, before, filled int64, rates [4]int64, long bool) int64 {
	last := ms[len(ms)-1].finish
	if real, _ := ms[len(ms)-1].real(); real != 0 {
		last = min(last, real)
	}
	t.end = last + r.ms(200, 5000)
	if r.chance(0.15) {
		t.end = last + r.ms(5000, 59_000)
	}
	if before != 0 {
		t.end = min(t.end, before-1)
	}
	kind := usageIncluded
	if r.chance(0.35) {
		kind = usageOnDemand
	}
	for _, i := range requestEnds(r, len(ms)) {
		at := t.end
		if i < len(ms)-1 {
			at = ms[i].finish
		}
		read := filled * r.ms(55, 97) / 100
		q := usageRequest{at: at, kind: kind, tokens: true, read: read, write: r.ms(800, 9000),
			fresh: max(filled-read, 40), output: r.ms(60, 4200)}
		if long { // each call of a tool reads the cache again
			q.read, q.write, q.output = q.read*int64(1+len(ms)/2), q.write*2, q.output*2
		}
		q.worth = q.worthOf(rates)
		filled = min(filled+q.write+q.output, 180_000)
		if ms[i].err || r.chance(0.03) {
			q.fail(usageErrored)
		}
		t.requests = append(t.requests, q)
	}
	return filled
}

// requestEnds are the messages after which the requests of a turn end: its last one, and now and then some before.
func requestEnds(r rng, n int) []int {
	ends := []int{n - 1}
	for n > 4 && len(ends) < 3 && r.chance(0.3) {
		if i := r.between(1, n-2); !slices.Contains(ends, i) {
			ends = append(ends, i)
		}
	}
	slices.Sort(ends)
	return ends
}

// fail makes the request one that failed and cost nothing. Cursor records no tokens of it.
func (q *usageRequest) fail(k usageKind) {
	*q = usageRequest{at: q.at, kind: k}
}

// failed: nothing of the turn counts.
func (t *usageTurn) failed() bool {
	return !slices.ContainsFunc(t.requests, func(q usageRequest) bool { return !q.kind.failed })
}

// lostTurns are turns of chats that were deleted, and of another machine. Some were in the minutes of a turn that
// stores have, with its model: of that turn a hook tells, as nothing else could say that they are not of it.
func lostTurns(r rng, known []*usageTurn, lost, beside float64) (turns []*usageTurn) {
	for i, k := range known {
		within := k.told() && r.chance(beside)
		if !within && !r.chance(lost) {
			continue
		}
		at := k.end + 600_000 + r.ms(0, 3_600_000)
		if within {
			at = k.end - r.ms(100, 900)
		}
		t := &usageTurn{chat: r.uuid(), request: r.uuid(), model: k.model}
		t.count(r, []*message{{finish: at - 100}}, at, r.ms(9000, 90_000), sonnetRates, false)
		elsewhere := slices.ContainsFunc(known, func(o *usageTurn) bool {
			return o.model == t.model && t.end >= o.from && t.end <= o.until && !(within && o.c == k.c)
		})
		if elsewhere || within && t.failed() { // an event without tokens could not be told from one of the turn
			continue
		}
		t.hook = !t.failed() && i >= len(known)*2/5 && r.chance(0.5) // no hook of this machine tells of the other
		turns = append(turns, t)
	}
	return turns
}

// told: a hook tells all of the turn, and the store has its times.
func (t *usageTurn) told() bool {
	if !t.hook || len(t.requests) != 1 {
		return false
	}
	_, known := earliest(t.c.turnOf(t.prompt))
	return known && t.end-t.from > 2000
}

// turnOf are the messages of the turn of a prompt.
func (c *conversation) turnOf(prompt *message) []*message {
	i := slices.Index(c.msgs, prompt)
	return c.msgs[i:c.nextPrompt(i)]
}
