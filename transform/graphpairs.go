package transform

import (
	"cmp"
	"math"
	"slices"

	"pipeline/transform/graph"
)

// said is what a message of a sort says, as a hash.
type said struct {
	of  sort
	sum uint64
}

// This file pairs messages of the agent's graph with bubbles: by ids, by what they say and when, by their order
// (docs/formats.md, Bubbles and the graph).

// pairItems finds the bubble of each message of the graph. Ids say it for tool calls and prompts; between two of these,
// texts and thoughts pair in their order. The first bubbles of an order are listed: only these can say where a message
// of the graph belongs.
func (a *assembly) pairItems(items []graphItem, order []*pendingMessage, listed int) {
	at := make(map[*pendingMessage]int, len(order))
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
		items[x.item].message = order[x.message]
		paired[pairing{order[x.message], sortOf(&items[x.item])}] = true
	}
	for i, s := range known {
		if p := (pairing{s, sortOf(&items[i])}); s != nil && items[i].message == nil && !paired[p] {
			items[i].message, items[i].away, paired[p] = s, true, true
		}
	}
	from := anchor{-1, -1}
	for _, x := range append(anchors, anchor{len(items), listed}) {
		pairByOrder(items[from.item+1:x.item], order[from.message+1:min(x.message+1, listed)], paired)
		from = x
	}
	pairAnywhere(items, order, paired)
}

// known finds the bubbles of messages that ids tell, or words and times. The first bubbles of an order are listed.
func (a *assembly) known(items []graphItem, order []*pendingMessage, listed int) []*pendingMessage {
	requests, calls := map[request]*pendingMessage{}, map[string]*pendingMessage{}
	for i, s := range order {
		if r := (request{s.names().request, s.simulated}); s.role == "user" && r.id != "" && requests[r] == nil {
			requests[r] = s
		}
		for _, id := range s.callKeys() {
			if i < listed || calls[id] == nil {
				calls[id] = s
			}
		}
	}
	for _, s := range order { // the graph need not say that Cursor wrote it
		if r := (request{s.names().request, false}); s.notice && r.id != "" && requests[r] == nil {
			requests[r] = s
		}
	}
	known := make([]*pendingMessage, len(items))
	for i := range items {
		known[i] = items[i].knownMessage(a.pending, requests, calls)
	}
	knowByTime(items, order, known)
	return known
}

// pairByIDs pairs messages with the bubbles that ids tell, wherever these are.
func (a *assembly) pairByIDs(items []graphItem, bubbles []*pendingMessage, paired map[pairing]bool) {
	for i, s := range a.known(items, bubbles, len(bubbles)) {
		if p := (pairing{s, sortOf(&items[i])}); s != nil && !paired[p] {
			items[i].message, paired[p] = s, true
		}
	}
}

// pairAnywhere pairs messages that are left with bubbles wherever these are, if text and time or request are the same.
// What an edited prompt left behind has other times.
func pairAnywhere(items []graphItem, pending []*pendingMessage, paired map[pairing]bool) {
	free := saying(pending, paired)
	for i := range items {
		of := sortOf(&items[i]).ofWords()
		if items[i].message != nil || of == aCall {
			continue
		}
		same := said{of, items[i].sum()}
		if at := slices.IndexFunc(free[same], items[i].isOf); at >= 0 {
			items[i].message, items[i].away = free[same][at], true
			paired[pairing{items[i].message, of}] = true
			free[same] = slices.Delete(free[same], at, at+1)
		}
	}
}

// saying returns the bubbles that are not paired, by what they say.
func saying(pending []*pendingMessage, paired map[pairing]bool) map[said][]*pendingMessage {
	free := map[said][]*pendingMessage{}
	for _, s := range pending {
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
type anchor struct{ item, message int }

// request is the request of a prompt: that of a person, and that of the program.
type request struct {
	id        string
	simulated bool
}

// knownMessage is the bubble of a message that ids tell.
func (i *graphItem) knownMessage(pending map[string]*pendingMessage, requests map[request]*pendingMessage,
	calls map[string]*pendingMessage) *pendingMessage {
	switch {
	case i.call != nil:
		return calls[graph.CallKey(i.call.ID)]
	case i.step != nil || i.turn.User == nil:
		return nil
	}
	if s := pending[i.turn.User.ID]; s != nil && s.role == "user" {
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
		n, _ := slices.BinarySearchFunc(ends, p.message,
			func(e, pendingMessage int) int { return cmp.Compare(pairs[e].message, pendingMessage) })
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
func (s *pendingMessage) is(of sort) bool {
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

// knowByTime finds the bubbles that say the same at the same time. Words like "Done." are said again and again: of
// several bubbles the one of the nearest time is meant.
func knowByTime(items []graphItem, pending, known []*pendingMessage) {
	taken := map[pairing]bool{}
	for i, s := range known {
		if s != nil {
			taken[pairing{s, sortOf(&items[i]).ofWords()}] = true
		}
	}
	free := saying(pending, taken)
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
	message *pendingMessage
	as      sort
}

// pairByOrder pairs the messages between two that ids have paired. The last bubble is that of the next such pair: it
// may have an answer or a thought beside its call. Prompts pair if they say the same. Answers and thoughts also pair by
// their order where there are as many of them here as there and their times agree: a bubble may have another form of a
// text than the graph.
func pairByOrder(items []graphItem, pending []*pendingMessage, paired map[pairing]bool) {
	pairPrompts(items, pending, paired)
	for _, of := range []sort{anAnswer, aThought} {
		var mine []*graphItem
		for i := range items {
			if items[i].message == nil && sortOf(&items[i]) == of {
				mine = append(mine, &items[i])
			}
		}
		var theirs []*pendingMessage
		for _, s := range pending {
			if s.is(of) && !paired[pairing{s, of}] {
				theirs = append(theirs, s)
			}
		}
		pairTexts(mine, theirs, of)
		for _, i := range mine {
			if i.message != nil {
				paired[pairing{i.message, of}] = true
			}
		}
	}
}

// pairPrompts pairs prompts that say the same, whoever is said to have written them.
func pairPrompts(items []graphItem, pending []*pendingMessage, paired map[pairing]bool) {
	var mine []*graphItem
	for i := range items {
		if of := sortOf(&items[i]); items[i].message == nil && (of == aPrompt || of == aNotice) {
			mine = append(mine, &items[i])
		}
	}
	var theirs []*pendingMessage
	for _, s := range pending {
		if s.role == "user" && !paired[pairing{s, aPrompt}] && !paired[pairing{s, aNotice}] {
			theirs = append(theirs, s)
		}
	}
	for _, x := range inOrder(sameTexts(mine, theirs, aPrompt)) {
		s := theirs[x.message]
		mine[x.item].message = s
		paired[pairing{s, aPrompt}], paired[pairing{s, aNotice}] = true, true
	}
}

// manyTimes is how often a text may occur in a stretch of a conversation for each place to be tried.
const manyTimes = 16

// pairTexts pairs messages with bubbles of their sort: as many as can be with the same text, and between these the
// others in their order, if there are as many.
func pairTexts(mine []*graphItem, theirs []*pendingMessage, of sort) {
	if len(mine) == 0 || len(theirs) == 0 {
		return
	}
	from := anchor{-1, -1}
	for _, x := range append(inOrder(sameTexts(mine, theirs, of)), anchor{len(mine), len(theirs)}) {
		if x.item-from.item == x.message-from.message && !haveLost(mine, from.item, x.item) {
			for k := 1; from.item+k < x.item; k++ {
				if i, s := mine[from.item+k], theirs[from.message+k]; s.own != nil && i.isTimed() && i.isOf(s) {
					i.message = s
				}
			}
		}
		if x.item < len(mine) {
			mine[x.item].message = theirs[x.message]
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
func sameTexts(mine []*graphItem, theirs []*pendingMessage, of sort) (same []anchor) {
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
func (s *pendingMessage) sum(of sort) uint64 {
	switch {
	case s.body == nil && of == aThought:
		return s.aside.thought
	case s.body == nil:
		return s.aside.text
	case of == aThought:
		return sumOf(deref(s.body.message.Thinking))
	}
	return sumOf(deref(s.body.message.Text))
}
