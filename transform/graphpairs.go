package transform

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"
	"strings"
)

// This file pairs messages of the agent's graph with bubbles: by ids, by what they say and when, by their order (docs/formats.md, Bubbles and the graph).

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
	free := saying(seats, paired)
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

// saying returns the bubbles that are not paired, by what they say.
func saying(seats []*seat, paired map[pairing]bool) map[said][]*seat {
	free := map[said][]*seat{}
	for _, s := range seats {
		for _, of := range []sort{aPrompt, anAnswer, aThought} {
			if s.is(of) && !paired[pairing{s, of}] {
				words := said{of, s.sum(of)}
				free[words] = append(free[words], s)
			}
		}
	}
	return free
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

// A sort is a kind of message: those of a sort pair with each other.
type sort int

const (
	aCall sort = iota // a tool call or a command: only its id pairs it
	aPrompt
	aNotice // a prompt of the program
	anAnswer
	aThought
)

func sortOf(i *graphItem) sort {
	switch {
	case i.call != nil || i.step == nil && i.turn.User == nil:
		return aCall
	case i.step == nil && i.turn.User.Simulated:
		return aNotice
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
	case aPrompt, aNotice:
		return s.role == "user"
	case anAnswer:
		return s.role != "user" && s.hasText
	case aThought:
		return s.role != "user" && s.hasThinking
	}
	return false
}

// knowByTime finds the bubbles that say the same at the same time. Words like "Done." are said again and again: of several bubbles the one of the nearest time is meant.
func knowByTime(items []graphItem, seats, known []*seat) {
	taken := map[pairing]bool{}
	for i, s := range known {
		if s != nil {
			taken[pairing{s, sortOf(&items[i]).ofWords()}] = true
		}
	}
	free := saying(seats, taken)
	for i := range items {
		of := sortOf(&items[i]).ofWords()
		if known[i] != nil || of == aCall || !items[i].isTimed() {
			continue
		}
		nearest := int64(writtenWithin + 1)
		for _, s := range free[said{of, items[i].sum()}] {
			if s.own == nil {
				continue
			}
			if apart := items[i].timeTo(s); apart < nearest && !taken[pairing{s, of}] && items[i].isOf(s) {
				known[i], nearest = s, apart
			}
		}
		if known[i] != nil {
			taken[pairing{known[i], of}] = true
		}
	}
}

// ofWords is the sort of prompts for those of the program, too: one place may not know that it was the program.
func (of sort) ofWords() sort {
	if of == aNotice {
		return aPrompt
	}
	return of
}

// pairing is a bubble that has been paired with a message of a sort.
type pairing struct {
	seat *seat
	as   sort
}

// pairByOrder pairs the messages between two that ids have paired. The last bubble is that of the next such pair: it may have an answer or a thought beside its call.
// Prompts pair if they say the same. Answers and thoughts also pair by their order where there are as many of them here as there and their times agree: a bubble may have
// another form of a text than the graph.
func pairByOrder(items []graphItem, seats []*seat, paired map[pairing]bool) {
	pairPrompts(items, seats, paired)
	for _, of := range []sort{anAnswer, aThought} {
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

// pairPrompts pairs prompts that say the same, whoever is said to have written them.
func pairPrompts(items []graphItem, seats []*seat, paired map[pairing]bool) {
	var mine []*graphItem
	for i := range items {
		if of := sortOf(&items[i]); items[i].seat == nil && (of == aPrompt || of == aNotice) {
			mine = append(mine, &items[i])
		}
	}
	var theirs []*seat
	for _, s := range seats {
		if s.role == "user" && !paired[pairing{s, aPrompt}] && !paired[pairing{s, aNotice}] {
			theirs = append(theirs, s)
		}
	}
	for _, x := range inOrder(sameTexts(mine, theirs, aPrompt)) {
		s := theirs[x.seat]
		mine[x.item].seat = s
		paired[pairing{s, aPrompt}], paired[pairing{s, aNotice}] = true, true
	}
}

// manyTimes is how often a text may occur in a stretch of a conversation for each place to be tried.
const manyTimes = 16

// pairTexts pairs messages with bubbles of their sort: as many as can be with the same text, and between these the others in their order, if there are as many.
func pairTexts(mine []*graphItem, theirs []*seat, of sort) {
	if len(mine) == 0 || len(theirs) == 0 {
		return
	}
	from := anchor{-1, -1}
	for _, x := range append(inOrder(sameTexts(mine, theirs, of)), anchor{len(mine), len(theirs)}) {
		if x.item-from.item == x.seat-from.seat && !haveLost(mine, from.item, x.item) {
			for k := 1; from.item+k < x.item; k++ {
				if i, s := mine[from.item+k], theirs[from.seat+k]; s.own != nil && i.isTimed() && i.isOf(s) {
					i.seat = s
				}
			}
		}
		if x.item < len(mine) {
			mine[x.item].seat = theirs[x.seat]
		}
		from = x
	}
}

// haveLost reports whether a step that the graph has lost may be among the messages between two.
func haveLost(mine []*graphItem, after, before int) bool {
	for k := after + 1; k < before; k++ {
		of := mine[k].turn
		first, last := -1, math.MaxInt
		if after >= 0 && mine[after].turn == of {
			first = mine[after].step.Index
		}
		if before < len(mine) && mine[before].turn == of {
			last = mine[before].step.Index
		}
		if slices.ContainsFunc(of.Lost, func(i int) bool { return first < i && i < last }) {
			return true
		}
	}
	return false
}

// sameTexts returns the pairs of messages and bubbles that say the same.
func sameTexts(mine []*graphItem, theirs []*seat, of sort) (same []anchor) {
	if len(mine) == 0 || len(theirs) == 0 {
		return nil
	}
	saying := map[uint64][]int{} // bubbles, by the hash of their text
	for j, s := range theirs {
		sum := s.sum(of)
		saying[sum] = append(saying[sum], j)
	}
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
	return same
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
