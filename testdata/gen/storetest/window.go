package storetest

// window is a conversation's context window, as composers have it since their headers have times.
type window struct {
	limit int64
	parts []windowPart
}

type windowPart struct {
	id, label string
	tokens    int64
}

func (w *window) used() (n int64) {
	for _, p := range w.parts {
		n += p.tokens
	}
	return n
}

// window is nil where the conversation's format knows none, or nothing was said yet. One in six is nearly full.
func (c *conversation) window() *window {
	if c.told != nil {
		return c.told.window
	}
	if c.style < 1 || c.form != "rows" || c.override || c.orphan || len(c.msgs) == 0 {
		return nil
	}
	r := newRNG(c.seed, 4)
	w := &window{limit: 200_000, parts: []windowPart{
		{"system_prompt", "System prompt", r.ms(2500, 4200)}, {"tools", "Tool definitions", r.ms(6000, 14_000)},
		{"rules", "Rules", r.ms(0, 3000)},
	}}
	if r.chance(0.3) {
		w.parts = append(w.parts, windowPart{"mcp", "MCP servers", r.ms(1000, 22_000)})
	}
	said := r.ms(2000, 110_000)
	if r.chance(0.17) {
		said = w.limit*r.ms(82, 99)/100 - w.used()
	}
	w.parts = append(w.parts, windowPart{"conversation", "Conversation", said})
	return w
}

func (c *conversation) writeWindow(o *object) {
	w := c.window()
	if w == nil {
		return
	}
	var categories []string
	for _, p := range w.parts {
		var part object
		part.str("id", p.id)
		part.str("label", p.label)
		part.int("estimatedTokens", p.tokens)
		categories = append(categories, part.String())
	}
	var breakdown object
	breakdown.int("totalUsedTokens", w.used())
	breakdown.int("maxTokens", w.limit)
	breakdown.raw("categories", list(categories))
	o.int("contextTokensUsed", w.used())
	o.int("contextTokenLimit", w.limit)
	o.raw("promptTokenBreakdown", breakdown.String())
}
