package transform

import (
	"hash/maphash"
	"slices"
	"strings"
)

// This file pairs messages of the agent's graph with bubbles by what they say, where no id does (docs/formats.md, Bubbles and the graph).

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
	saying := map[said][]*seat{}
	for _, s := range seats {
		for _, of := range []sort{aPrompt, anAnswer, aThought} {
			if s.own != nil && s.is(of) && !taken[pairing{s, of}] {
				saying[said{of, s.sum(of)}] = append(saying[said{of, s.sum(of)}], s)
			}
		}
	}
	for i := range items {
		of := sortOf(&items[i]).ofWords()
		if known[i] != nil || of == aCall || !items[i].isTimed() {
			continue
		}
		nearest := int64(writtenWithin + 1)
		for _, s := range saying[said{of, items[i].sum()}] {
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
		if x.item-from.item == x.seat-from.seat { // none of them is lost in between
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
