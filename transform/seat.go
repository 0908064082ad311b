package transform

import (
	"cmp"
	"strings"

	"pipeline/sql/schema"
)

// seat is a message while the order of its conversation is found. A conversation may have hundreds of thousands of
// messages. So a seat is small, and the message's rows may be dropped and read a second time.
type seat struct {
	id      string
	body    *body        // nil: dropped
	named   *seatNames   // nil: the message names nothing
	times   *headerTimes // times in its header; nil: none
	own     *schema.Millis
	called  *schema.Millis
	timing  *schema.Millis
	created *schema.Millis // the message's time, from bestTime
	source  *string        // the source of that time
	role    string
	at      int64 // position
	turn    int64

	ownRole, hasStored, storedIsID bool
	hasRow                         bool // the message has a row in the store: its body can be read again
	used, listed                   bool
	from                           origin
}

// seatNames are ids and other values that few messages have.
type seatNames struct {
	stored, request, checkpoint, after, codeblock string
	filePath, summary                             *string
	attached                                      int // number of attachments so far, of a message whose body was dropped
}

// newSeat takes from a body what is needed to find its position.
func newSeat(b *body, hasRow bool) *seat {
	s := &seat{id: b.id, body: b, own: b.own, called: b.called, timing: b.timing, role: b.message.Role, ownRole: b.ownRole, hasStored: b.hasStored,
		storedIsID: b.hasStored && b.stored == b.id, hasRow: hasRow}
	n := seatNames{request: deref(b.message.RequestID), checkpoint: deref(b.message.CheckpointID), after: b.after, codeblock: b.codeblock, summary: b.message.Summary}
	if !s.storedIsID {
		n.stored = b.stored
	}
	if n.codeblock != "" && len(b.calls) > 0 {
		n.filePath = b.calls[0].FilePath
	}
	if n != (seatNames{}) {
		s.named = &n
	}
	return s
}

// names returns the values that the message names; most messages name none.
func (s *seat) names() *seatNames {
	if s.named == nil {
		return &seatNames{}
	}
	return s.named
}

// stored returns the id inside the body.
func (s *seat) stored() string {
	if s.storedIsID {
		return s.id
	}
	return s.names().stored
}

// dropBody removes the message's rows from memory. They are read again when its position is known.
func (s *seat) dropBody() {
	if !s.hasRow || s.body == nil {
		return
	}
	s.id = strings.Clone(s.id) // a copy: the id is a slice of the row's key
	if attached := len(s.body.attachments); attached > 0 {
		if s.named == nil {
			s.named = &seatNames{}
		}
		s.named.attached = attached
	}
	s.body = nil
}

// nextAttachment returns the ordinal of an attachment that is not in the message's own row.
func (s *seat) nextAttachment() int64 {
	if s.named == nil {
		s.named = &seatNames{}
	}
	s.named.attached++
	return int64(s.named.attached - 1)
}

// fillBody sets the fields of a body that depend on the message's position.
func (s *seat) fillBody(b *body) {
	m := &b.message
	m.Position, m.IsListed, m.Turn = &s.at, s.listed, &s.turn
	m.Role, m.CreatedAt, m.CreatedAtSource = s.role, s.created, s.source
	if b.times = s.times; s.times != nil {
		m.TurnDurationMs = cmp.Or(s.times.turn, m.TurnDurationMs)
	}
}
