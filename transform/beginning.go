package transform

import (
	"bytes"
	"cmp"
	"slices"
)

// When Cursor opens a chat it keeps the last 1,000 headers, from a prompt on, and writes that list back. The rows of the beginning stay, and no header names them
// (docs/formats.md, Lists that lost their beginning). A prompt that the user edited leaves such rows behind, too: a branch. This file tells one from the other.

// keptHeaders is how many headers Cursor keeps at most.
const keptHeaders = 1000

// earlyTurn is a prompt that no header names, with what follows it until the next one.
type earlyTurn struct {
	prompt *seat // nil: its row is not there
	rows   []*seat
	at     int // place of the turn in the graph; -1: it is not there
}

// lostBeginning returns the messages that a list of headers has lost, in their order. rest are those that no header names, by time.
func (a *assembly) lostBeginning(listed, rest []*seat) (lost []*seat) {
	turns := turnsBefore(listed, rest)
	if len(turns) == 0 {
		return nil
	}
	if g := a.agent.graph; g != nil && len(g.Turns) > 0 {
		turns = a.inGraph(turns, listed)
	} else {
		turns = a.trimmed(turns, listed)
	}
	requests := map[string]*earlyTurn{}
	for i := range turns {
		for _, s := range turns[i].rows {
			if r := s.names().request; r != "" && requests[r] == nil {
				requests[r] = &turns[i]
			}
		}
	}
	for _, s := range rest { // a row without a time goes with its request
		if t := requests[s.names().request]; s.own == nil && t != nil {
			t.rows = append(t.rows, s)
		}
	}
	for i := range turns {
		lost = append(lost, turns[i].rows...)
	}
	return lost
}

// turnsBefore returns the turns of the rows that are older than every listed one. What an agent said to a subagent lies beside the chat, and begins no turn of it.
func turnsBefore(listed, rest []*seat) (turns []earlyTurn) {
	first := slices.MinFunc(listed, func(a, b *seat) int { return compareTimes(a.own, b.own) }).own
	if first == nil {
		return nil
	}
	byRequest := map[string]int{}
	for i, s := range rest {
		if s.own == nil || *s.own >= *first {
			break
		}
		request := s.names().request
		at, known := byRequest[request]
		switch {
		case s.role == "user" && (!s.kickoff || i == 0):
			turns = append(turns, earlyTurn{prompt: s, at: -1})
			at = len(turns) - 1
		case s.kickoff:
			continue
		case request != "" && known:
		case len(turns) == 0:
			turns = append(turns, earlyTurn{at: -1})
			fallthrough
		default:
			at = len(turns) - 1
		}
		if request != "" && !known {
			byRequest[request] = at
		}
		turns[at].rows = append(turns[at].rows, s)
	}
	return turns
}

// inGraph returns the turns that the graph has, in its order: a branch that an edited prompt left is not in it.
func (a *assembly) inGraph(turns []earlyTurn, listed []*seat) []earlyTurn {
	ids, requests, texts := map[string]int{}, map[string]int{}, map[uint64][]int{}
	for i := range a.agent.graph.Turns {
		t := &a.agent.graph.Turns[i]
		if t.RequestID != "" {
			requests[t.RequestID] = i
		}
		if t.User != nil {
			ids[t.User.ID] = i
			sum := sumOf(clean(t.User.Text))
			texts[sum] = append(texts[sum], i)
		}
	}
	place := func(s *seat) int {
		if i, ok := ids[s.id]; ok && s.id != "" {
			return i
		}
		if i, ok := requests[s.names().request]; ok {
			return i
		}
		return -1
	}
	taken, end := map[int]bool{}, len(a.agent.graph.Turns)
	for _, s := range listed {
		if s.role == "user" {
			if i := place(s); i >= 0 {
				end = min(end, i)
			}
		}
	}
	for i := range turns {
		t := &turns[i]
		if t.prompt != nil {
			t.at = place(t.prompt)
		} else if i, ok := requests[t.rows[0].names().request]; ok {
			t.at = i
		}
		taken[t.at] = true
	}
	for i := range slices.Backward(turns) { // of two prompts with one text the later one is in the graph
		t := &turns[i]
		if t.at >= 0 || t.prompt == nil {
			continue
		}
		for _, at := range slices.Backward(texts[t.prompt.sum(aPrompt)]) {
			if at < end && !taken[at] {
				t.at, taken[at] = at, true
				break
			}
		}
	}
	turns = slices.DeleteFunc(turns, func(t earlyTurn) bool { return t.at < 0 })
	slices.SortStableFunc(turns, func(x, y earlyTurn) int { return cmp.Compare(x.at, y.at) })
	return turns
}

// trimmed returns the turns that a list has lost because it was as long as Cursor keeps it: it begins with a prompt, and with the turn before it would be too long. Of two
// prompts from one checkpoint, or with one text, the earlier one was edited.
func (a *assembly) trimmed(turns []earlyTurn, listed []*seat) []earlyTurn {
	begins := len(a.headers) > 0 && a.headers[0].role == "user"
	if s := listed[0]; len(a.headers) > 0 && (bytes.Equal(a.headers[0].id, []byte(s.id)) || bytes.Equal(a.headers[0].id, []byte(s.stored()))) {
		begins = s.role == "user"
	}
	if !begins || len(a.headers)+len(turns[len(turns)-1].rows) <= keptHeaders {
		return nil
	}
	checkpoints, texts := map[string]bool{}, map[uint64]bool{}
	for _, s := range listed {
		if c := s.names().checkpoint; s.role == "user" && c != "" {
			checkpoints[c] = true
		}
	}
	var kept []earlyTurn
	for _, t := range slices.Backward(turns) {
		if s := t.prompt; s != nil {
			c, sum := s.names().checkpoint, s.sum(aPrompt)
			if c != "" && checkpoints[c] || s.hasText && texts[sum] {
				continue
			}
			checkpoints[c], texts[sum] = true, true
		}
		kept = append(kept, t)
	}
	slices.Reverse(kept)
	return kept
}
