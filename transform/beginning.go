package transform

import (
	"bytes"
	"math"
	"slices"

	"pipeline/sql/schema"
	"pipeline/transform/graph"
)

// When Cursor opens a chat it keeps the last 1,000 headers, from a prompt on, and writes that list back. The rows of
// the beginning stay, and no header names them (docs/formats.md, Lists that lost their beginning). A prompt that the
// user edited leaves such rows behind, too: a branch. This file tells one from the other.

// keptHeaders is how many headers Cursor keeps at most.
const keptHeaders = 1000

// unlistedTurn is a prompt that no header names, with what follows it until the next one.
type unlistedTurn struct {
	prompt *pendingMessage // nil: its row is not there
	rows   []*pendingMessage
	at     int // place of the turn in the graph; -1: it is not there
}

// lostBeginning returns the messages that a list of headers has lost, in their order. rest are those that no header
// names, by time.
func (a *assembly) lostBeginning(listed, rest []*pendingMessage) (lost []*pendingMessage) {
	var g *graphTurns
	if c := a.agent.graph; c != nil && len(c.Turns) > 0 {
		g = newGraphTurns(c)
	}
	turns := turnsBefore(listed, rest, g)
	switch {
	case len(turns) == 0:
		return nil
	case g != nil:
		turns = g.kept(turns, g.firstListed(listed, a.headers))
	default:
		turns = a.trimmed(turns, listed)
	}
	requests, taken := map[string]*unlistedTurn{}, map[*pendingMessage]bool{}
	for i := range turns {
		for _, s := range turns[i].rows {
			taken[s] = true
			if r := s.names().request; r != "" && requests[r] == nil {
				requests[r] = &turns[i]
			}
		}
	}
	for _, s := range rest { // a row without a time goes with its request
		if t := requests[s.names().request]; s.own == nil && t != nil && !taken[s] {
			t.rows = append(t.rows, s)
		}
	}
	for i := range turns {
		lost = append(lost, turns[i].rows...)
	}
	return lost
}

// turnsBefore returns the turns of the rows that are older than every listed one. Of prompts without a time the graph
// may have the request. What an agent said to a subagent lies beside the chat, and begins no turn of it, unless it is
// the subagent's own: at its beginning, or in its graph.
func turnsBefore(listed, rest []*pendingMessage, g *graphTurns) (turns []unlistedTurn) {
	first := slices.MinFunc(listed, func(a, b *pendingMessage) int { return compareTimes(a.own, b.own) }).own
	if first == nil && g == nil {
		return nil // nothing says what is older
	}
	for _, s := range rest {
		if s.own == nil && s.role == "user" && g.hasRequest(s) {
			turns = append(turns, unlistedTurn{prompt: s, rows: []*pendingMessage{s}, at: -1})
		}
	}
	untimed := len(turns)
	byRequest := map[string]int{}
	for i, s := range rest {
		if s.own == nil || first != nil && *s.own >= *first {
			break
		}
		request := s.names().request
		at, known := byRequest[request]
		switch {
		case s.role == "user" && (!s.kickoff || i == 0 || g.has(s)):
			turns = append(turns, unlistedTurn{prompt: s, at: -1})
			at = len(turns) - 1
		case s.kickoff:
			continue
		case request != "" && known:
		case len(turns) == untimed:
			turns = append(turns, unlistedTurn{at: -1})
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

// kept returns the turns that the graph has, in its order: a branch that an edited prompt left is not in it. A row that
// the graph has by itself belongs to its turn there, whatever prompt stands before it: that of its own turn may be
// lost. end is the first turn that the list has.
func (g *graphTurns) kept(turns []unlistedTurn, end int) (kept []unlistedTurn) {
	taken := map[int]bool{}
	for i := range turns {
		if t := &turns[i]; t.prompt != nil {
			if at, ok := g.byID(t.prompt); ok {
				t.at, taken[at] = at, true
			}
		}
	}
	for i := range slices.Backward(turns) { // of two prompts with one text the later one is in the graph
		t := &turns[i]
		if t.at >= 0 || t.prompt == nil {
			continue
		}
		for _, at := range slices.Backward(g.texts[said{aPrompt, t.prompt.sum(aPrompt)}]) {
			if at.turn < end && !taken[at.turn] {
				t.at, taken[at.turn] = at.turn, true
				break
			}
		}
	}
	rows := map[int][]*pendingMessage{}
	for _, t := range turns {
		for i, at := range g.places(&t) {
			if at >= 0 && at < end {
				rows[at] = append(rows[at], t.rows[i])
			}
		}
	}
	for at := range end {
		if len(rows[at]) > 0 {
			kept = append(kept, unlistedTurn{rows: rows[at], at: at})
		}
	}
	return kept
}

// firstListed is the first turn of which a header names the prompt, also one without a row; how many turns there are if
// no header names one.
func (g *graphTurns) firstListed(listed []*pendingMessage, headers []header) int {
	first := len(g.spans)
	for _, s := range listed {
		if at, ok := g.byID(s); s.role == "user" && ok {
			first = min(first, at)
		}
	}
	for i := range headers {
		if at, ok := g.ids[string(headers[i].id)]; ok {
			first = min(first, at)
		}
	}
	return first
}

// graphTurns finds the turn of the graph to which a bubble belongs.
type graphTurns struct {
	ids, requests, calls map[string]int
	texts                map[said][]graphPlace
	spans                []span
}

// graphPlace is where the graph has a text: in a step, or in the prompt of a turn.
type graphPlace struct {
	turn int
	step *graph.Step // nil for a prompt
}

func newGraphTurns(c *graph.Conversation) *graphTurns {
	g := &graphTurns{ids: map[string]int{}, requests: map[string]int{}, calls: map[string]int{},
		texts: map[said][]graphPlace{}}
	for i := range c.Turns {
		t := &c.Turns[i]
		g.spans = append(g.spans, spanOf(t))
		if t.RequestID != "" {
			g.requests[t.RequestID] = i
		}
		if t.User != nil {
			if t.User.ID != "" {
				g.ids[t.User.ID] = i
			}
			text := said{aPrompt, sumOf(clean(t.User.Text))}
			g.texts[text] = append(g.texts[text], graphPlace{i, nil})
		}
		for j := range t.Steps {
			s := &t.Steps[j]
			item := graphItem{turn: t, step: s, call: s.Call}
			if s.Call != nil {
				g.calls[graph.CallKey(s.Call.ID)] = i
			} else if s.Text != "" {
				text := said{sortOf(&item), item.sum()}
				g.texts[text] = append(g.texts[text], graphPlace{i, s})
			}
		}
	}
	return g
}

// places are the turns of the rows of a turn; -1 for a row that is in none. A row that the graph does not have by
// itself is in the turn at whose time it was written, else in the one that has begun since the row before it, else in
// that of the row before it. A prompt that is not in the graph is an edited one, with what followed it.
func (g *graphTurns) places(t *unlistedTurn) []int {
	all := make([]int, len(t.rows))
	for i, s := range t.rows {
		if all[i] = t.at; s == t.prompt {
			continue
		}
		var since schema.Millis
		if i > 0 {
			all[i], since = all[i-1], deref(t.rows[i-1].own)
		}
		if own, ok := g.of(s); ok {
			all[i] = own
		} else if at := g.during(s); at >= 0 {
			all[i] = at
		} else if at := g.begunBefore(s); at >= 0 && g.spans[at].from > since {
			all[i] = at
		}
	}
	return all
}

// during is the turn at whose time a bubble was written; -1 for none.
func (g *graphTurns) during(s *pendingMessage) int {
	return slices.IndexFunc(g.spans, func(x span) bool { return s.own != nil && x.from <= *s.own && *s.own <= x.to })
}

// begunBefore is the last turn that had begun when a bubble was written; -1 for none.
func (g *graphTurns) begunBefore(s *pendingMessage) (turn int) {
	turn = -1
	for i, x := range g.spans {
		if s.own != nil && x.from <= *s.own {
			turn = i
		}
	}
	return turn
}

// span is from when to when a turn of the graph went on, as far as its times say.
type span struct{ from, to schema.Millis }

// spanOf is that of a turn; from is after to if it has no time.
func spanOf(t *graph.Turn) span {
	x := span{math.MaxInt64, math.MinInt64}
	see := func(times ...*int64) {
		for _, ms := range times {
			if at := plausibleTime(ms); at != nil {
				x.from, x.to = min(x.from, *at), max(x.to, *at)
			}
		}
	}
	if t.User != nil {
		see(t.User.StartedAt, t.User.CompletedAt)
	}
	for i := range t.Steps {
		see(t.Steps[i].StartedAt, t.Steps[i].CompletedAt)
	}
	return x
}

// has reports whether a graph has a bubble by its id. There may be no graph.
func (g *graphTurns) has(s *pendingMessage) bool {
	if g == nil {
		return false
	}
	_, ok := g.byID(s)
	return ok
}

// hasRequest reports whether a graph has a prompt by its request. There may be no graph.
func (g *graphTurns) hasRequest(s *pendingMessage) bool {
	if g == nil {
		return false
	}
	_, ok := g.requests[s.names().request]
	return ok
}

// byID is the turn that has a bubble's id or request.
func (g *graphTurns) byID(s *pendingMessage) (turn int, ok bool) {
	if turn, ok = g.ids[s.id]; ok {
		return turn, true
	}
	turn, ok = g.requests[s.names().request]
	return turn, ok
}

// of is the turn that has a bubble: its request, its call, or its words at its time.
func (g *graphTurns) of(s *pendingMessage) (turn int, ok bool) {
	if turn, ok = g.byID(s); ok {
		return turn, true
	}
	for _, id := range s.callKeys() {
		if turn, ok = g.calls[id]; ok && id != "" {
			return turn, true
		}
	}
	for _, of := range []sort{anAnswer, aThought} {
		if !s.is(of) {
			continue
		}
		for _, at := range g.texts[said{of, s.sum(of)}] {
			if item := (graphItem{turn: &graph.Turn{}, step: at.step}); item.isOf(s) {
				return at.turn, true
			}
		}
	}
	return 0, false
}

// trimmed returns the turns that a list has lost because it was as long as Cursor keeps it: it begins with a prompt,
// and with the turn before it would be too long. Of two prompts from one checkpoint, or with one text, the earlier one
// was edited.
func (a *assembly) trimmed(turns []unlistedTurn, listed []*pendingMessage) []unlistedTurn {
	begins := len(a.headers) > 0 && a.headers[0].role == "user"
	if s := listed[0]; len(a.headers) > 0 && (bytes.Equal(a.headers[0].id, []byte(s.id)) ||
		bytes.Equal(a.headers[0].id, []byte(s.stored()))) {
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
	var kept []unlistedTurn
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
