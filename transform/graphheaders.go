package transform

import "slices"

// This file finds which messages of the agent's graph are those of headers without a row (docs/formats.md, Bubbles and the graph).

// headerGap is what lies between two headers whose messages are in the graph, too.
type headerGap struct {
	users, others []*header // headers without a message, by the role of what they name
	from          int       // the first message of the graph that may be of the gap
	first         bool      // before all others: the list may have lost its beginning
	closed        bool      // behind a prompt that the graph does not have: what follows is of no turn there
}

// fillHeaders returns how many headers without a row the graph has the messages of: between two headers whose messages are in both, as many of a role as only the graph
// has there. A placeholder's header holds the place of its message.
func (a *assembly) fillHeaders(items []graphItem, order []*seat) (supplied int64) {
	first, last := map[*seat]int{}, map[*seat]int{} // messages of the graph that a bubble has, in their places
	for i := range items {
		if s := items[i].seat; s != nil && !items[i].away {
			if _, ok := first[s]; !ok {
				first[s] = i
			}
			last[s] = i
		}
	}
	prompts := map[string]int{} // messages of the graph that no bubble has, by their ids
	for i := range items {
		if items[i].seat == nil && items[i].isUsers() {
			prompts[items[i].id] = i
		}
	}
	before := beforeHeaders(a.headers, order)
	gap := headerGap{first: true}
	for i := range a.headers {
		h := &a.headers[i]
		at, isPlaced := first[h.seat]
		if h.seat == nil {
			h.before = before
			at, isPlaced = prompts[string(h.id)]
		}
		switch {
		case isPlaced && at >= gap.from && h.seat == nil:
			supplied += gap.fill(items[:at]) + 1
			items[at].header, gap = h, headerGap{from: at + 1}
		case isPlaced && at >= gap.from:
			supplied += gap.fill(items[:at])
			gap = headerGap{from: last[h.seat] + 1}
		case h.seat == nil:
			gap.take(h)
		case h.seat.role == "user" && !isPlaced:
			gap.closed = true
		}
		if h.seat != nil {
			before = h.seat
		}
	}
	return supplied + gap.fill(items)
}

// beforeHeaders is the message that comes before those that headers name; nil for none.
func beforeHeaders(headers []header, order []*seat) *seat {
	if i := slices.IndexFunc(headers, func(h header) bool { return h.seat != nil }); i >= 0 {
		if at := slices.Index(order, headers[i].seat); at > 0 {
			return order[at-1]
		}
	}
	return nil
}

// take adds a header without a message.
func (g *headerGap) take(h *header) {
	switch {
	case h.role == "user":
		g.users, g.closed = append(g.users, h), false
	case g.closed:
	case h.role == "assistant":
		g.others = append(g.others, h)
	}
}

// fill finds the messages of a gap's headers, and returns how many there are. items end with the gap.
func (g *headerGap) fill(items []graphItem) int64 {
	var users, others []*graphItem
	for i := min(g.from, len(items)); i < len(items); i++ {
		switch item := &items[i]; {
		case item.seat != nil:
		case item.isUsers():
			users = append(users, item)
		default:
			others = append(others, item)
		}
	}
	if g.first {
		users, others = users[max(0, len(users)-len(g.users)):], others[max(0, len(others)-len(g.others)):]
	}
	found := min(len(users), len(g.users)) + min(len(others), len(g.others))
	if len(users) == len(g.users) {
		for i, h := range g.users {
			users[i].header = h
		}
	}
	for len(g.others) > len(others) { // a placeholder tells of a step that was
		i := len(g.others) - 1
		for i > 0 && g.others[i].isPlaceholder {
			i--
		}
		g.others = slices.Delete(g.others, i, i+1)
	}
	for i, h := range g.others {
		others[i].header = h
	}
	return int64(found)
}
