package reader

// Hold sets the most messages of a conversation that are held.
func (r *Reader) Hold(messages int) { r.held = messages }

// HasRule reports whether it is known how a table is narrowed.
func HasRule(table string) bool {
	_, ok := narrowedTables[table]
	return ok
}
