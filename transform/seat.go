package transform

import (
	"strings"

	"pipeline/sql/schema"
)

// seat is a message as the order of its conversation needs it. A conversation may have hundreds of thousands: a seat holds little, and the
// message's rows may be let go and read a second time.
type seat struct {
	id      string
	body    *body        // nil: let go
	named   *seatNames   // nil: none
	times   *headerTimes // that its header states; nil: none
	own     *schema.Millis
	timing  *schema.Millis
	created *schema.Millis // what the conversation's order made of the times
	source  *string        // where that is from
	role    string
	at      int64 // its position
	turn    int64

	ownRole, hasStored, storedIsID bool
	hasRow                         bool // in the store: the body can be read again
	used, listed                   bool
}

// seatNames are what few messages name.
type seatNames struct {
	stored, request, checkpoint, after, codeblock string
	filePath, summary                             *string
	attached                                      int // attachments so far, of a message whose rows were let go
}

// newSeat takes what places a message from its body.
func newSeat(b *body, hasRow bool) *seat {
	s := &seat{id: b.id, body: b, own: b.own, timing: b.timing, role: b.message.Role, ownRole: b.ownRole, hasStored: b.hasStored,
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

// names are what the message names; of most it is nothing.
func (s *seat) names() *seatNames {
	if s.named == nil {
		return &seatNames{}
	}
	return s.named
}

// stored is the id that the body states.
func (s *seat) stored() string {
	if s.storedIsID {
		return s.id
	}
	return s.names().stored
}

// letGo forgets the message's rows: they are read again when its place is known.
func (s *seat) letGo() {
	if !s.hasRow || s.body == nil {
		return
	}
	s.id = strings.Clone(s.id) // a part of the key of its row
	if attached := len(s.body.attachments); attached > 0 {
		if s.named == nil {
			s.named = &seatNames{}
		}
		s.named.attached = attached
	}
	s.body = nil
}

// nextAttachment numbers an attachment that is not among those of the message's own row.
func (s *seat) nextAttachment() int64 {
	if s.named == nil {
		s.named = &seatNames{}
	}
	s.named.attached++
	return int64(s.named.attached - 1)
}

// settleBody gives a body the place of its message.
func (s *seat) settleBody(b *body) {
	m := &b.message
	m.Position, m.IsListed, m.Turn = &s.at, s.listed, &s.turn
	m.Role, m.CreatedAt, m.CreatedAtSource = s.role, s.created, s.source
	if t := s.times; t != nil {
		m.TurnDurationMs, b.started = t.turn, t.started
		if t.started != nil && t.finished != nil && *t.finished >= *t.started {
			b.duration = countable(ptr(int64(*t.finished - *t.started)))
		}
	}
}
