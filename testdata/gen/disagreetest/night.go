package disagreetest

// Night lets some time pass: some chats grow, rows come back or go, calls end, lists are emptied. It tells whether
// anything changed.
func (g *Group) Night() bool {
	changed := false
	for _, c := range g.Chats {
		if c.Shape.List == "long" || !c.r.chance(40) {
			continue
		}
		for range c.r.between(1, 2) {
			changes := []func(*Chat) bool{(*Chat).grow, (*Chat).regain, (*Chat).lose, (*Chat).settle, (*Chat).settle,
				(*Chat).relist, (*Chat).heal, (*Chat).behead}
			changed = changes[c.r.IntN(len(changes))](c) || changed
		}
	}
	return changed
}

// grow adds a turn.
func (c *Chat) grow() bool {
	if !c.readable() {
		return false
	}
	from := len(c.said)
	c.turn(false)
	c.place(from)
	return true
}

// regain brings rows back that were lost: a backup was put in their place.
func (c *Chat) regain() (changed bool) {
	for _, m := range c.said {
		if !m.row && !m.inside && !m.holder && !m.bad && m.bubbles() && (m.header || m.branch) && c.r.chance(60) {
			m.row, changed = true, true
		}
	}
	return changed
}

// lose takes rows away.
func (c *Chat) lose() (changed bool) {
	for _, m := range c.said {
		if m.row && c.r.chance(20) {
			m.row, changed = false, true
		}
	}
	return changed
}

// settle ends calls that had not ended.
func (c *Chat) settle() (changed bool) {
	for _, m := range c.said {
		k := m.call
		if k == nil {
			continue
		}
		if k.row.status == "loading" || k.row.status == "pending" {
			k.row.status, k.row.result, changed = c.r.pick("completed", "error", "cancelled"), "none", true
		}
		if k.node == "pending" {
			k.node, changed = c.r.pick("ok", "error"), true
		}
		if k.binary == "pending" {
			k.binary, changed = "ok", true
		}
	}
	return changed
}

// relist changes the list of headers.
func (c *Chat) relist() bool {
	if !c.readable() || c.Shape.Form == "array" || c.Shape.Form == "rows and array" {
		return false
	}
	switch c.Shape.List {
	case "whole":
		c.Shape.List = c.r.pick("empty", "absent", "trimmed")
	case "trimmed", "empty", "absent", "gone":
		c.Shape.List, c.trimmed = "whole", 0
	default:
		return false
	}
	c.trim()
	return true
}

// heal brings back what the graph lacked.
func (c *Chat) heal() bool {
	if c.Shape.Damage == "" && c.Shape.Late == 0 {
		return false
	}
	c.Shape.Damage, c.Shape.Late = "", 0
	c.trim()
	return true
}

// behead deletes the document.
func (c *Chat) behead() bool {
	if c.Shape.Head != "whole" || c.Shape.Form != "rows" || c.Shape.Group != "alone" || !c.r.chance(30) {
		return false
	}
	c.Shape.Head, c.headless = c.r.pick("null", "none"), true
	if c.Shape.Graph != "pointer" {
		c.Shape.Graph = "none"
	}
	c.trim()
	return true
}
