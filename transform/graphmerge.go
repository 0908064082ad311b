package transform

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"pipeline/sql/schema"
	"pipeline/transform/graph"
)

// This file joins the messages of the agent's graph with the editor's bubbles (docs/formats.md, Bubbles and the graph). Bubbles say which messages there are, and their
// order. A message that only the graph has gets its place between them.

// mergeGraph returns the order of a conversation's messages with those that only the graph has, and how many headers these are the messages of.
func (a *assembly) mergeGraph(order []*seat) (merged []*seat, supplied int64) {
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
	after := map[*seat][]*seat{} // messages of the graph, by the bubble that they come after; nil: before all
	placed := placedTurns(items)
	var last, before *seat // the bubble that the next one comes after; that of the turn's beginning
	for i := range items {
		item := &items[i]
		if i == 0 || item.turn != items[i-1].turn {
			last = before
		}
		switch s := item.seat; {
		case s == nil && item.header != nil && item.header.isPlaceholder:
			last, before = item.header.before, item.header.before
			fallthrough
		case s == nil:
			after[last] = append(after[last], a.addFromGraph(item))
			continue
		case !item.away:
			last, before = s, s
		case !placed[item.turn]:
			last = s
		}
		item.fill(item.seat)
		n.Duplicates++
	}
	merged = append(merged, after[nil]...)
	for _, s := range order {
		merged = append(append(merged, s), after[s]...)
	}
	listAsNeighbours(merged)
	return merged, supplied
}

// placedTurns are the turns of which a bubble is where the graph has it.
func placedTurns(items []graphItem) map[*graph.Turn]bool {
	placed := map[*graph.Turn]bool{}
	for i := range items {
		if items[i].seat != nil && !items[i].away {
			placed[items[i].turn] = true
		}
	}
	return placed
}

// listAsNeighbours lists a message of the graph as the one before it is, and those before all bubbles as the first bubble.
func listAsNeighbours(merged []*seat) {
	first := max(0, slices.IndexFunc(merged, func(s *seat) bool { return s.from != inGraph }))
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
func (a *assembly) addFromGraph(item *graphItem) *seat {
	for base, k := item.id, 2; a.seats[item.id] != nil; k++ {
		item.id = base + "~" + strconv.Itoa(k)
	}
	s := item.newSeat()
	s.used, s.listed = true, true
	if s.role == "user" && (item.header != nil && item.header.simulated || slices.ContainsFunc(a.headers, func(h header) bool { return h.simulated && string(h.id) == s.id })) {
		s.simulate()
	}
	a.seats[s.id] = s
	a.allCalls += int64(len(s.body.calls))
	a.mcpNamed(s.body)
	return s
}

// inGraphOrder returns the messages in the order of the graph, as nothing else says what it is. Bubbles that the graph does not have go between them by their time.
func (a *assembly) inGraphOrder(items []graphItem, bubbles []*seat) (order []*seat, supplied int64) {
	paired := map[pairing]bool{}
	a.pairByIDs(items, bubbles, paired)
	pairAnywhere(items, bubbles, paired)
	n, placed := a.census.of(origins[inGraph]), map[*seat]bool{}
	for i := range items {
		s := items[i].seat
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
	return order, a.fillHeaders(items, nil)
}

// when is the message's own time, else that of the graph.
func (s *seat) when() *schema.Millis {
	if s.own == nil && s.graph != nil {
		return cmp.Or(s.graph.started, s.graph.tagged)
	}
	return s.own
}

// listedEnd is how many messages of an order are listed: they come first.
func listedEnd(order []*seat) int {
	if i := slices.IndexFunc(order, func(s *seat) bool { return !s.listed }); i >= 0 {
		return i
	}
	return len(order)
}

// pairItems finds the bubble of each message of the graph. Ids say it for tool calls and prompts; between two of these, texts and thoughts pair in their order. The
// first bubbles of an order are listed: only these can say where a message of the graph belongs.
func (a *assembly) pairItems(items []graphItem, order []*seat, listed int) {
	at := make(map[*seat]int, len(order))
	for i, s := range order {
		at[s] = i
	}
	var anchors []anchor
	known := a.known(items, order, listed)
	for i := range items {
		if place := at[known[i]]; known[i] != nil && place < listed {
			anchors = append(anchors, anchor{i, place})
		}
	}
	anchors = inOrder(anchors)
	paired := map[pairing]bool{}
	for _, x := range anchors {
		items[x.item].seat = order[x.seat]
		paired[pairing{order[x.seat], sortOf(&items[x.item])}] = true
	}
	for i, s := range known {
		if p := (pairing{s, sortOf(&items[i])}); s != nil && items[i].seat == nil && !paired[p] {
			items[i].seat, items[i].away, paired[p] = s, true, true
		}
	}
	from := anchor{-1, -1}
	for _, x := range append(anchors, anchor{len(items), listed}) {
		pairByOrder(items[from.item+1:x.item], order[from.seat+1:min(x.seat+1, listed)], paired)
		from = x
	}
	pairAnywhere(items, order, paired)
}

// known finds the bubbles of messages that ids tell, or words and times. The first bubbles of an order are listed.
func (a *assembly) known(items []graphItem, order []*seat, listed int) []*seat {
	requests, calls := map[request]*seat{}, map[string]*seat{}
	for i, s := range order {
		if r := (request{s.names().request, s.simulated}); s.role == "user" && r.id != "" && requests[r] == nil {
			requests[r] = s
		}
		for _, id := range s.callIDs() {
			if i < listed || calls[id] == nil {
				calls[id] = s
			}
		}
	}
	known := make([]*seat, len(items))
	for i := range items {
		known[i] = items[i].knownSeat(a.seats, requests, calls)
	}
	knowByTime(items, order, known)
	return known
}

// pairByIDs pairs messages with the bubbles that ids tell, wherever these are.
func (a *assembly) pairByIDs(items []graphItem, bubbles []*seat, paired map[pairing]bool) {
	for i, s := range a.known(items, bubbles, len(bubbles)) {
		if p := (pairing{s, sortOf(&items[i])}); s != nil && !paired[p] {
			items[i].seat, paired[p] = s, true
		}
	}
}

// pairAnywhere pairs messages that are left with bubbles wherever these are, if text and time or request are the same. What an edited prompt left behind has other times.
func pairAnywhere(items []graphItem, seats []*seat, paired map[pairing]bool) {
	free := map[said][]*seat{}
	for _, s := range seats {
		for _, of := range []sort{aPrompt, anAnswer, aThought} {
			if p := (pairing{s, of}); s.is(of) && !paired[p] {
				free[said{of, s.sum(of)}] = append(free[said{of, s.sum(of)}], s)
			}
		}
	}
	for i := range items {
		of := sortOf(&items[i]).ofWords()
		if items[i].seat != nil || of == aCall {
			continue
		}
		same := said{of, items[i].sum()}
		if at := slices.IndexFunc(free[same], items[i].isOf); at >= 0 {
			items[i].seat, items[i].away = free[same][at], true
			paired[pairing{items[i].seat, of}] = true
			free[same] = slices.Delete(free[same], at, at+1)
		}
	}
}

// said is what a message of a sort says, as a hash.
type said struct {
	of  sort
	sum uint64
}

// writtenWithin is how far apart, in milliseconds, the times of one message may be in a bubble and in the graph.
const writtenWithin = 2000

// times are when the message began and ended, as far as the graph has it.
func (i *graphItem) times() []*int64 {
	switch {
	case i.step != nil:
		return []*int64{i.step.StartedAt, i.step.CompletedAt}
	case i.turn.User != nil:
		return []*int64{i.turn.User.StartedAt, i.turn.User.CompletedAt}
	}
	return nil
}

// isTimed reports whether the graph has a time of the message.
func (i *graphItem) isTimed() bool {
	return slices.ContainsFunc(i.times(), func(t *int64) bool { return plausibleTime(t) != nil })
}

// isOf reports whether a bubble may be of the same time as the message: of the same request, or with a time near that of the graph, or without any.
func (i *graphItem) isOf(s *seat) bool {
	if r := s.names().request; r != "" && i.turn != nil && i.turn.RequestID != "" {
		return r == i.turn.RequestID
	}
	return s.own == nil || i.timeTo(s) <= writtenWithin
}

// timeTo is how many milliseconds lie between the times of a message here and there, as far as the graph has one.
func (i *graphItem) timeTo(s *seat) int64 {
	least := int64(math.MaxInt64)
	for _, t := range i.times() {
		if at := plausibleTime(t); at != nil {
			least = min(least, int64(max(*at-*s.own, *s.own-*at)))
		}
	}
	return least
}

// anchor pairs a message of the graph with a bubble, by their positions.
type anchor struct{ item, seat int }

// request is the request of a prompt: that of a person, and that of the program.
type request struct {
	id        string
	simulated bool
}

// knownSeat is the bubble of a message that ids tell.
func (i *graphItem) knownSeat(seats map[string]*seat, requests map[request]*seat, calls map[string]*seat) *seat {
	switch {
	case i.call != nil:
		return calls[i.call.ID]
	case i.step != nil || i.turn.User == nil:
		return nil
	}
	if s := seats[i.turn.User.ID]; s != nil && s.role == "user" {
		return s
	}
	if i.turn.RequestID == "" {
		return nil
	}
	return requests[request{i.turn.RequestID, i.turn.User.Simulated}]
}

// inOrder returns the longest part of some pairs in which the bubbles come in the order of the graph.
func inOrder(pairs []anchor) []anchor {
	best, before := make([]int, len(pairs)), make([]int, len(pairs))
	var ends []int // the pair with which the best part of each length ends
	for i, p := range pairs {
		n, _ := slices.BinarySearchFunc(ends, p.seat, func(e, seat int) int { return cmp.Compare(pairs[e].seat, seat) })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		best[i] = n
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	out := make([]anchor, len(ends))
	for i, n := -1, len(ends)-1; n >= 0; n-- {
		if i < 0 {
			i = ends[n]
		}
		out[n] = pairs[i]
		i = before[i]
	}
	return out
}

// fill completes a bubble's message with what the graph has of it.
func (i *graphItem) fill(s *seat) {
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
	if s.named == nil {
		s.named = &seatNames{}
	}
	s.named.inGraph = append(s.named.inGraph, i)
}

// fillMessage completes the row of a bubble's message.
func (i *graphItem) fillMessage(m *schema.Message) {
	switch {
	case i.call != nil:
		m.Model = cmp.Or(m.Model, modelOf(i.call.Model))
	case i.step != nil:
		m.Model = cmp.Or(m.Model, answered(i.turn))
		if i.step.Kind == "thinking" {
			m.ThinkingDurationMs = cmp.Or(m.ThinkingDurationMs, countable(i.step.DurationMS))
		}
	}
}
