package transform

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"pipeline/sql/schema"
)

// This file joins the messages of the agent's graph with the editor's bubbles (docs/formats.md, Bubbles and the graph). Bubbles say which messages there are, and their
// order. A message that only the graph has gets its place between them.

// mergeGraph returns the order of a conversation's messages with those that only the graph has, and how many headers these are the messages of.
func (a *assembly) mergeGraph(order []*seat) (merged []*seat, supplied int64) {
	items := a.graphItems()
	if len(items) == 0 {
		return order, 0
	}
	listed := len(order)
	if len(a.headers) > 0 || len(a.inline) > 0 {
		listed = listedEnd(order)
	}
	a.pairItems(items, order, listed)
	n := a.census.of(origins[inGraph])
	after := map[*seat][]*seat{} // messages of the graph, by the bubble that they come after; nil: before all
	var last *seat
	for i := range items {
		if s := items[i].seat; s != nil {
			items[i].fill(s)
			if !items[i].away {
				last = s
			}
			n.Duplicates++
			continue
		}
		for base, k := items[i].id, 2; a.seats[items[i].id] != nil; k++ {
			items[i].id = base + "~" + strconv.Itoa(k)
		}
		s := items[i].newSeat()
		s.used, s.listed = true, true
		a.seats[s.id] = s
		a.allCalls += int64(len(s.body.calls))
		a.mcpNamed(s.body)
		after[last] = append(after[last], s)
	}
	merged = append(merged, after[nil]...)
	for _, s := range order {
		merged = append(append(merged, s), after[s]...)
	}
	return merged, a.supplied(order[:listed], after)
}

// supplied is how many headers without a row the graph has the messages of: between two messages that are there, as many of a role as it has there.
func (a *assembly) supplied(listed []*seat, after map[*seat][]*seat) (n int64) {
	there := map[string]*seat{}
	for _, s := range listed {
		there[s.id] = s
		if stored := s.stored(); there[stored] == nil {
			there[stored] = s
		}
	}
	var last *seat
	lacks := map[string]int{}
	end := func() {
		for _, s := range after[last] {
			if lacks[s.role] > 0 {
				lacks[s.role]--
				n++
			}
		}
		clear(lacks)
	}
	for _, h := range a.headers {
		if s := there[string(h.id)]; s != nil {
			end()
			last = s
			continue
		}
		lacks[h.role]++
	}
	end()
	return n
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
	requests, calls := map[string]*seat{}, map[string]*seat{}
	for i, s := range order {
		at[s] = i
		if r := s.names().request; s.role == "user" && r != "" && requests[r] == nil {
			requests[r] = s
		}
		for _, id := range s.callIDs() {
			if i < listed || calls[id] == nil {
				calls[id] = s
			}
		}
	}
	var anchors []anchor
	known := make([]*seat, len(items))
	for i := range items {
		known[i] = items[i].knownSeat(a.seats, requests, calls)
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
}

// anchor pairs a message of the graph with a bubble, by their positions.
type anchor struct{ item, seat int }

// knownSeat is the bubble of a message that ids tell.
func (i *graphItem) knownSeat(seats map[string]*seat, requests, calls map[string]*seat) *seat {
	switch {
	case i.call != nil:
		return calls[i.call.ID]
	case i.step != nil || i.turn.User == nil:
		return nil
	}
	if s := seats[i.turn.User.ID]; s != nil && s.role == "user" {
		return s
	}
	if i.turn.User.Simulated || i.turn.RequestID == "" {
		return nil
	}
	return requests[i.turn.RequestID]
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

// A sort is a kind of message: those of a sort pair with each other.
type sort int

const (
	aCall sort = iota // a tool call or a command: only its id pairs it
	aPrompt
	anAnswer
	aThought
)

func sortOf(i *graphItem) sort {
	switch {
	case i.call != nil || i.step == nil && (i.turn.User == nil || i.turn.User.Simulated):
		return aCall
	case i.step == nil:
		return aPrompt
	case i.step.Kind == "thinking":
		return aThought
	}
	return anAnswer
}

// is reports whether a bubble has something of a sort. One bubble may have an answer, a thought and a call.
func (s *seat) is(of sort) bool {
	switch of {
	case aPrompt:
		return s.role == "user"
	case anAnswer:
		return s.role != "user" && s.hasText
	case aThought:
		return s.role != "user" && s.hasThinking
	}
	return false
}

// pairing is a bubble that has been paired with a message of a sort.
type pairing struct {
	seat *seat
	as   sort
}

// pairByOrder pairs the messages between two that ids have paired. The last bubble is that of the next such pair: it may have an answer or a thought beside its call.
func pairByOrder(items []graphItem, seats []*seat, paired map[pairing]bool) {
	for _, of := range []sort{aPrompt, anAnswer, aThought} {
		var mine []*graphItem
		for i := range items {
			if items[i].seat == nil && sortOf(&items[i]) == of {
				mine = append(mine, &items[i])
			}
		}
		var theirs []*seat
		for _, s := range seats {
			if s.is(of) && !paired[pairing{s, of}] {
				theirs = append(theirs, s)
			}
		}
		pairTexts(mine, theirs, of)
		for _, i := range mine {
			if i.seat != nil {
				paired[pairing{i.seat, of}] = true
			}
		}
	}
}

// manyTimes is how often a text may occur in a stretch of a conversation for each place to be tried.
const manyTimes = 16

// pairTexts pairs messages with bubbles of their sort: as many as can be with the same text, and between these the others in their order.
func pairTexts(mine []*graphItem, theirs []*seat, of sort) {
	if len(mine) == 0 || len(theirs) == 0 {
		return
	}
	saying := map[uint64][]int{} // bubbles, by the hash of their text
	for j, s := range theirs {
		sum := s.sum(of)
		saying[sum] = append(saying[sum], j)
	}
	var same []anchor
	said := map[uint64]int{} // how often a text was said so far
	for i := range mine {
		sum := mine[i].sum()
		places, n := saying[sum], said[sum]
		if said[sum]++; len(places) > manyTimes { // each with each would be too many: the n-th time pairs with the n-th
			places = places[min(n, len(places)):min(n+1, len(places))]
		}
		for _, j := range slices.Backward(places) { // backward: no two of them are in order
			same = append(same, anchor{i, j})
		}
	}
	from := anchor{-1, -1}
	for _, x := range append(inOrder(same), anchor{len(mine), len(theirs)}) {
		for k := 1; from.item+k < x.item && from.seat+k < x.seat; k++ {
			mine[from.item+k].seat = theirs[from.seat+k]
		}
		if x.item < len(mine) {
			mine[x.item].seat = theirs[x.seat]
		}
		from = x
	}
}

// sum is a hash of what a message says.
func (i *graphItem) sum() uint64 {
	if i.step == nil {
		return sumOf(clean(i.turn.User.Text))
	}
	return sumOf(clean(i.step.Text))
}

// sum is a hash of what a bubble says or thinks.
func (s *seat) sum(of sort) uint64 {
	switch {
	case s.body == nil && of == aThought:
		return s.thought
	case s.body == nil:
		return s.text
	case of == aThought:
		return sumOf(deref(s.body.message.Thinking))
	}
	return sumOf(deref(s.body.message.Text))
}

// seed is that of all hashes of texts: they are compared with each other, and not kept.
var seed = maphash.MakeSeed()

// sumOf is a hash of a text without the space around it.
func sumOf(text string) uint64 { return maphash.String(seed, strings.TrimSpace(text)) }

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
		s.simulated = i.turn.User.Simulated
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
	case i.turn.User != nil:
		m.IsSimulated = ptr(i.turn.User.Simulated)
	}
}
