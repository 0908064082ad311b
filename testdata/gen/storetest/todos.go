package storetest

// A todo is an item of the list that a conversation keeps of its plan.
type todo struct{ id, content, status string }

// todos is the list of one conversation in two of those that know their context window: the first items are done, one
// may be under way or given up, the rest wait. Its first item has the id that todos given with messages have.
func (c *conversation) todos() []todo {
	if c.told != nil {
		return c.told.todos
	}
	if c.window() == nil {
		return nil
	}
	r := newRNG(c.seed, 30)
	if r.chance(0.5) {
		return nil
	}
	items := make([]todo, r.between(3, 7))
	done := r.between(1, len(items))
	for i := range items {
		status := "pending"
		switch {
		case i < done:
			status = "completed"
		case i == done:
			status = r.pick([]string{"in_progress", "cancelled", "pending"})
		}
		items[i] = todo{itoa(i + 1),
			r.fill(r.pick([]string{"read {f}", "change {s}", "write a test of {s}", "update {f}"})), status}
	}
	return items
}

func (c *conversation) writeTodos(o *object) {
	var items []string
	for _, t := range c.todos() {
		var item object
		item.str("id", t.id)
		item.str("content", t.content)
		item.str("status", t.status)
		item.raw("dependencies", "[]")
		items = append(items, item.String())
	}
	if len(items) > 0 {
		o.raw("todos", list(items))
	}
}
