package warehouse

import "strings"

// texts holds many small texts in a few large pieces of memory: each by itself would keep alive the piece that it was
// read into, among much that is garbage.
type texts struct {
	piece strings.Builder
	seen  map[string]*string
}

const pieceBytes = 64 << 10

// add returns a copy of a text.
func (t *texts) add(text string) string {
	if t.piece.Cap()-t.piece.Len() < len(text) {
		t.piece = strings.Builder{}
		t.piece.Grow(max(pieceBytes, len(text)))
	}
	t.piece.WriteString(text)
	return t.piece.String()[t.piece.Len()-len(text):]
}

// share returns a copy of a text that is the same for all equal ones.
func (t *texts) share(text string) *string {
	if t.seen == nil {
		t.seen = map[string]*string{}
	}
	if t.seen[text] == nil {
		copied := t.add(text)
		t.seen[copied] = &copied
	}
	return t.seen[text]
}
