package reader

// Hold sets the most messages of a conversation that are held.
func (r *Reader) Hold(messages int) { r.held = messages }
