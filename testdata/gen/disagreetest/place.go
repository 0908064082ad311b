package disagreetest

import "strings"

// place decides which places have which messages. It begins with the message of a number: those before it stay where
// they are.
func (c *Chat) place(from int) {
	s := c.Shape
	for _, m := range c.said[from:] {
		c.placeBubble(m)
		m.header = m.bubbles() && !m.branch && !m.ghost
		if s.Graph != "none" && m.bubbles() && m.noded() && m.kind != "sealed" && !m.user && c.r.chance(5) {
			m.row, m.inside, m.header, m.holder, m.bad = false, false, false, false, false // no bubble was ever made
		}
		if m.mark == "header" && (!c.readable() || s.List == "absent") || m.mark == "graph" && !c.graph() {
			m.mark = "bubble"
		}
		if m.mark == "spawn" && !m.ghost && m.n > 0 &&
			(s.List == "long" && !c.graph() || s.Damage == "turns" || s.Late > 0) {
			m.mark = "bubble" // nothing says whether such a prompt lies beside the chat or in its lost beginning
		}
		m.nodeID = m.id
		if m.user && m.n%3 == 2 {
			m.nodeID = strings.Replace(m.id, "-4000-", "-4fff-", 1) // the graph has another id; the request is the same
		}
		if m.row && s.ByStored && c.r.chance(30) {
			m.stored = strings.Replace(m.id, "-4000-", "-4aaa-", 1)
		}
	}
	c.trim()
}

// placeBubble decides where the bubble of a message is.
func (c *Chat) placeBubble(m *message) {
	r, s := c.r, c.Shape
	if !m.bubbles() {
		return
	}
	// what follows an edited prompt that is gone too could be anybody's
	kept := !r.chance(s.Lost) || m.branch && m.user && s.List == "trimmed"
	switch s.Form {
	case "rows":
		m.row = kept
	case "map", "array":
		m.inside = kept && !m.branch
		m.row = kept && m.branch
	default:
		m.row = kept && r.chance(70)
		m.inside = !m.branch && r.chance(60)
	}
	switch {
	case m.row && !m.inside && s.Holders && !m.user && m.noded() && m.kind != "sealed" && r.chance(30):
		m.row, m.holder = false, true
	case m.row && !m.inside && s.Bad && r.chance(10):
		m.row, m.bad = false, true
	}
	if s.Form == "map" && m.inside && r.chance(10) && c.readable() {
		m.header = false
	}
}

// trim decides with which turn a trimmed list begins, and what the graph lacks at its end.
func (c *Chat) trim() {
	if c.trimmed == 0 && c.Shape.List == "trimmed" && c.turns > 1 {
		c.trimmed = c.r.between(1, c.turns-1)
	}
	for c.Shape.List == "trimmed" && c.trimmed > 0 && c.trimmed < c.turns && c.first(c.trimmed).kind == "shell" {
		c.trimmed++ // a list begins with a message of the user's
	}
	if c.Shape.List == "long" {
		listed := 0
		for t := c.turns - 1; t >= 0; t-- {
			n := 0
			for _, m := range c.said {
				if m.turn == t && m.bubbles() && !m.branch && !m.ghost {
					n++
				}
			}
			if listed+n > 1000 {
				break
			}
			c.trimmed, listed = t, listed+n
		}
	}
	for _, m := range c.said {
		if c.graph() && m.noded() {
			m.node = m.turn < c.turns-c.Shape.Late
		}
	}
}

// first is the first message of a turn that is no branch.
func (c *Chat) first(turn int) *message {
	for _, m := range c.said {
		if m.turn == turn && !m.branch && !m.ghost {
			return m
		}
	}
	return nil
}

// named are the messages that the list of headers names, in its order. A nil stands for a header that names nothing.
func (c *Chat) named() (list []*message) {
	if !c.readable() {
		return nil
	}
	switch c.Shape.List {
	case "absent", "empty":
		return nil
	case "gone":
		return []*message{nil, nil}
	}
	r := newRandom(c.seed, uint64(100+c.part))
	for _, m := range c.said {
		if !m.header || m.turn < c.trimmed || c.Shape.List == "holes" && r.chance(30) {
			continue
		}
		list = append(list, m)
		if c.Shape.GoneHeaders && r.chance(20) {
			list = append(list, nil)
		}
	}
	if c.Shape.List == "shuffled" {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list
}

// inDocument tells whether the document's own map or array has a message.
func (c *Chat) inDocument(m *message) bool { return m.inside && c.readable() }

// has tells whether the editor has the message itself.
func (c *Chat) has(m *message) bool { return m.row || c.inDocument(m) }

// inGraph tells whether the graph has the message, and its blob is there.
func (c *Chat) inGraph(m *message) bool { return m.node && !m.lost }
