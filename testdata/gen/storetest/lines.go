package storetest

// lineTotals are the lines that a conversation changed, as Cursor adds them up.
type lineTotals struct{ added, removed int64 }

// lines is nil where the conversation's format knows no totals, or nothing was said yet.
func (c *conversation) lines() *lineTotals {
	if c.told != nil {
		return c.told.lines
	}
	if c.style < 2 || c.form != "rows" || c.override || c.orphan || len(c.msgs) == 0 {
		return nil
	}
	r := newRNG(c.seed, 20)
	return &lineTotals{r.ms(0, 900), r.ms(0, 400)}
}

func (c *conversation) writeLines(o *object) {
	if t := c.lines(); t != nil {
		o.int("totalLinesAdded", t.added)
		o.int("totalLinesRemoved", t.removed)
	}
}
