package transform

import (
	"cmp"
	"slices"
	"strconv"

	"pipeline/sql/schema"
	"pipeline/transform/graph"
	"pipeline/transform/jsondoc"
)

// This file joins the messages of the agent's graph with the editor's bubbles (docs/formats.md, Bubbles and the graph).
// Bubbles say which messages there are, and their order. A message that only the graph has gets its place between them.

// arrange puts the messages in their order, with those that only the graph has, and returns how many headers have no
// message.
func (a *assembly) arrange() (order []*pendingMessage, missing int64) {
	order, missing = a.listMessages()
	order, supplied := a.mergeGraph(order)
	return order, max(0, missing-supplied)
}

// mergeGraph returns the order of a conversation's messages with those that only the graph has, and how many headers
// these are the messages of.
func (a *assembly) mergeGraph(order []*pendingMessage) (merged []*pendingMessage, supplied int64) {
	items := a.graphItems()
	if len(items) == 0 {
		return order, 0
	}
	if !a.isOrdered {
		return a.inGraphOrder(items, order)
	}
	a.pairItems(items, order, listedEnd(order))
	supplied = a.fillHeaders(items, order)
	n := a.census.of(origins[inGraph])
	rest := newUnpaired(items, order)
	// messages of the graph, by the bubble that they come after; nil: before all
	after := map[*pendingMessage][]*pendingMessage{}
	placed := placedTurns(items)
	var last, before *pendingMessage // the bubble that the next one comes after; that of the turn's beginning
	for i := range items {
		item := &items[i]
		if i == 0 || item.turn != items[i-1].turn {
			last = before
		}
		switch s := item.message; {
		case s == nil && item.header != nil && item.header.isPlaceholder:
			last, before = item.header.before, item.header.before
		case s == nil && item.isUsers():
			last = rest.until(last, item)
			before = last
		case s == nil:
		case !item.away:
			last, before = s, s
		case !placed[item.turn]:
			last = s
		}
		if item.message == nil {
			after[last] = append(after[last], a.addFromGraph(item))
			continue
		}
		item.fill(item.message)
		n.Duplicates++
	}
	merged = append(merged, after[nil]...)
	for _, s := range order {
		merged = append(append(merged, s), after[s]...)
	}
	listAsNeighbours(merged)
	return merged, supplied
}

// unpaired are the bubbles of an order that the graph does not have.
type unpaired struct {
	order  []*pendingMessage
	at     map[*pendingMessage]int
	paired map[*pendingMessage]bool
}

func newUnpaired(items []graphItem, order []*pendingMessage) *unpaired {
	u := &unpaired{order: order, at: make(map[*pendingMessage]int, len(order)), paired: map[*pendingMessage]bool{}}
	for i, s := range order {
		u.at[s] = i
	}
	for i := range items {
		u.paired[items[i].message] = true
	}
	return u
}

// until is the last of those behind a bubble that were written before a prompt: the end of the turn before it. It is
// the bubble if there are none; nil stands before all.
func (u *unpaired) until(last *pendingMessage, prompt *graphItem) *pendingMessage {
	next := 0
	if last != nil {
		next = u.at[last] + 1
	}
	for ; next < len(u.order); next++ {
		s := u.order[next]
		if u.paired[s] || s.own == nil || !prompt.isAfter(*s.own) || !s.listed && (last == nil || last.listed) {
			break
		}
		last = s
	}
	return last
}

// placedTurns are the turns of which a bubble is where the graph has it.
func placedTurns(items []graphItem) map[*graph.Turn]bool {
	placed := map[*graph.Turn]bool{}
	for i := range items {
		if items[i].message != nil && !items[i].away {
			placed[items[i].turn] = true
		}
	}
	return placed
}

// listAsNeighbours lists a message of the graph as the one before it is, and those before all bubbles as the first
// bubble.
func listAsNeighbours(merged []*pendingMessage) {
	first := max(0, slices.IndexFunc(merged, func(s *pendingMessage) bool { return s.from != inGraph }))
	for i := range first {
		merged[i].listed = merged[first].listed
	}
	for i := first + 1; i < len(merged); i++ {
		if merged[i].from == inGraph {
			merged[i].listed = merged[i-1].listed
		}
	}
}

// addFromGraph makes a message of what no bubble has.
func (a *assembly) addFromGraph(item *graphItem) *pendingMessage {
	for base, k := item.id, 2; a.pending[item.id] != nil; k++ {
		item.id = base + "~" + strconv.Itoa(k)
	}
	s := item.newPendingMessage()
	s.used, s.listed = true, true
	if s.role == "user" && item.header != nil && item.header.simulated {
		s.simulate()
	}
	a.pending[s.id] = s
	a.allCalls += int64(len(s.body.calls))
	a.mcpNamed(s.body)
	return s
}

// inGraphOrder returns the messages in the order of the graph, as nothing else says what it is. Bubbles that the graph
// does not have go between them by their time.
func (a *assembly) inGraphOrder(items []graphItem, bubbles []*pendingMessage) (order []*pendingMessage,
	supplied int64) {
	paired := map[pairing]bool{}
	a.pairByIDs(items, bubbles, paired)
	pairAnywhere(items, bubbles, paired)
	supplied = a.fillHeaders(items, nil)
	n, placed := a.census.of(origins[inGraph]), map[*pendingMessage]bool{}
	for i := range items {
		s := items[i].message
		if s == nil {
			s = a.addFromGraph(&items[i])
		} else {
			items[i].fill(s)
			n.Duplicates++
		}
		if !placed[s] {
			placed[s] = true
			order = append(order, s)
		}
	}
	at := 0
	for _, s := range bubbles { // by their time
		if placed[s] {
			continue
		}
		for s.own != nil && at < len(order) && (order[at].when() == nil || *order[at].when() <= *s.own) {
			at++
		}
		if s.own == nil {
			at = len(order)
		}
		order = slices.Insert(order, at, s)
		at++
	}
	return order, supplied
}

// when is the message's own time, else that of the graph.
func (s *pendingMessage) when() *schema.Millis {
	if s.own == nil && s.graph != nil {
		return cmp.Or(s.graph.started, s.graph.tagged)
	}
	return s.own
}

// listedEnd is how many messages of an order are listed: they come first.
func listedEnd(order []*pendingMessage) int {
	if i := slices.IndexFunc(order, func(s *pendingMessage) bool { return !s.listed }); i >= 0 {
		return i
	}
	return len(order)
}

// fill completes a bubble's message with what the graph has of it.
func (i *graphItem) fill(s *pendingMessage) {
	times := &graphTimes{}
	switch {
	case i.call != nil:
		times.started = plausibleTime(i.call.StartedAt)
	case i.step != nil:
		times.started = plausibleTime(i.step.StartedAt)
	case i.turn.User != nil:
		times.started, times.tagged = plausibleTime(i.turn.User.StartedAt), plausibleTime(i.turn.User.TaggedAt)
		if i.turn.User.Simulated {
			s.simulate()
		}
	}
	if *times != (graphTimes{}) {
		s.graph = times
	}
	if s.body != nil {
		i.fillMessage(&s.body.message)
		return
	}
	s.aside.inGraph = append(s.aside.inGraph, i)
}

// fillMessage completes the row of a bubble's message.
func (i *graphItem) fillMessage(m *schema.Message) {
	switch {
	case i.call != nil:
		m.Model = cmp.Or(m.Model, modelOf(i.call.Model))
	case i.step != nil:
		m.Model = cmp.Or(m.Model, answered(i.turn))
		if i.step.Kind == "thinking" {
			m.ThinkingDurationMs = cmp.Or(m.ThinkingDurationMs, jsondoc.Countable(i.step.DurationMS))
		}
	}
}
