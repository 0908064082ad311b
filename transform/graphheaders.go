package transform

import "slices"

// This file finds which messages of the agent's graph are those of headers without a row (docs/formats.md, Bubbles and
// the graph).

// headerGap is what lies between two headers whose messages are in the graph, too.
type headerGap struct {
	headers []*header // those without a message, of what the user or the agent said
	from    int       // the first message of the graph that may be of the gap
	first   bool      // before all others: the list may have lost its beginning
	closed  bool      // behind a prompt that the graph does not have: what follows is of no turn there
}

// fillHeaders returns how many headers without a row the graph has the messages of: between two headers whose messages
// are in both, as many of a role as only the graph has there. A placeholder's header holds the place of its message.
func (a *assembly) fillHeaders(items []graphItem, order []*pendingMessage) (supplied int64) {
	// messages of the graph that a bubble has, in their places
	first, last := map[*pendingMessage]int{}, map[*pendingMessage]int{}
	for i := range items {
		if s := items[i].message; s != nil && !items[i].away {
			if _, ok := first[s]; !ok {
				first[s] = i
			}
			last[s] = i
		}
	}
	prompts := map[string]int{} // messages of the graph that no bubble has, by their ids
	for i := range items {
		if items[i].message == nil && items[i].isUsers() {
			prompts[items[i].id] = i
		}
	}
	for i := range a.headers {
		if at, ok := prompts[string(a.headers[i].id)]; ok && a.headers[i].message == nil {
			items[at].header = &a.headers[i]
		}
	}
	before := beforeHeaders(a.headers, order)
	gap := headerGap{first: true}
	for i := range a.headers {
		h := &a.headers[i]
		at, isPlaced := first[h.message]
		if h.message == nil {
			h.before = before
			at, isPlaced = prompts[string(h.id)]
		}
		switch {
		case isPlaced && at >= gap.from && h.message == nil:
			supplied += gap.fill(items[:at]) + 1
			gap = headerGap{from: at + 1}
		case isPlaced && at >= gap.from:
			supplied += gap.fill(items[:at])
			gap = headerGap{from: last[h.message] + 1}
		case isPlaced && h.message == nil: // out of order
			supplied++
		case h.message == nil:
			gap.take(h)
		case h.message.role == "user" && !isPlaced:
			gap.closed = true
		}
		if h.message != nil {
			before = h.message
		}
	}
	return supplied + gap.fill(items)
}

// beforeHeaders is the message that comes before those that headers name; nil for none.
func beforeHeaders(headers []header, order []*pendingMessage) *pendingMessage {
	if i := slices.IndexFunc(headers, func(h header) bool { return h.message != nil }); i >= 0 {
		if at := slices.Index(order, headers[i].message); at > 0 {
			return order[at-1]
		}
	}
	return nil
}

// take adds a header without a message.
func (g *headerGap) take(h *header) {
	g.closed = g.closed && !h.isUsers()
	if !g.closed && (h.isUsers() || h.role == "assistant") {
		g.headers = append(g.headers, h)
	}
}

// fill finds the messages of a gap's headers, and returns how many there are. items end with the gap. Where there are
// as many prompts here as there, each turn has its own.
func (g *headerGap) fill(items []graphItem) (found int64) {
	var free []*graphItem
	for i := min(g.from, len(items)); i < len(items); i++ {
		if items[i].message == nil && items[i].header == nil {
			free = append(free, &items[i])
		}
	}
	here, there := turnsOf(g.headers, (*header).isUsers), turnsOf(free, (*graphItem).isUsers)
	if lost := len(there) - len(here); g.first && lost > 0 && len(here) > 1 { // turns that the list has lost
		there = there[lost:]
		there[0] = nil
	}
	if len(here) != len(there) {
		found = int64(min(len(here), len(there)) - 1)
		here[0] = slices.DeleteFunc(slices.Concat(here...), (*header).isUsers)
		there[0] = slices.DeleteFunc(slices.Concat(there...), (*graphItem).isUsers)
		return found + fillSteps(here[0], there[0], g.first)
	}
	for i := range here {
		if i > 0 {
			there[i][0].header = here[i][0]
			here[i], there[i] = here[i][1:], there[i][1:]
			found++
		}
		found += fillSteps(here[i], there[i], g.first && i == 0)
	}
	return found
}

// turnsOf divides a list before each of the user's: the first part has none.
func turnsOf[T any](list []T, isUsers func(T) bool) (turns [][]T) {
	from := 0
	for i, of := range list {
		if isUsers(of) {
			turns = append(turns, list[from:i])
			from = i
		}
	}
	return append(turns, list[from:])
}

// fillSteps pairs headers of what the agent did with messages in their order, and returns how many. A list that may
// have lost its beginning has the last messages. A placeholder tells of a step that was; of the other headers those at
// the end have none.
func fillSteps(headers []*header, steps []*graphItem, last bool) int64 {
	if last {
		steps = steps[max(0, len(steps)-len(headers)):]
	}
	headers = slices.Clone(headers)
	for len(headers) > len(steps) {
		i := len(headers) - 1
		for i > 0 && headers[i].isPlaceholder {
			i--
		}
		headers = slices.Delete(headers, i, i+1)
	}
	for i, h := range headers {
		steps[i].header = h
	}
	return int64(len(headers))
}
