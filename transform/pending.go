package transform

import (
	"cmp"

	"pipeline/sql/schema"
)

// pendingMessage is a message while the order of its conversation is found. A conversation may have hundreds of
// thousands of messages. So a pending message is small, and the message's rows may be set aside.
type pendingMessage struct {
	id      string
	body    *body         // nil: it is set aside, or dropped as nobody needs it
	aside   place         // where it is then
	named   *pendingNames // nil: the message names nothing
	times   *headerTimes  // times in its header; nil: none
	own     *schema.Millis
	called  *schema.Millis
	timing  *schema.Millis
	created *schema.Millis // the message's time, from bestTime
	source  *string        // the source of that time
	role    string
	at      int64 // position
	turn    int64

	ownRole, hasStored, storedIsID bool
	ownIsStart                     bool // own is startedAtMs
	used, listed                   bool
	hasText, hasThinking           bool
	simulated                      bool // no person wrote it
	kickoff                        bool // an agent wrote it, to start a subagent
	from                           origin
	graph                          *graphTimes // times in the agent's graph; nil: none
	// hashes of what a message says and thinks, of one whose body is set aside
	text, thought uint64
}

// pendingNames are ids and other values that few messages have.
type pendingNames struct {
	stored, request, checkpoint, after, codeblock string
	filePath, summary                             *string
	// number of attachments so far, of a message whose body is set aside
	attached int
	// ids of its tool calls, of a message whose body is set aside
	calls []string
	// what the agent's graph has of it, of a message whose body is set aside
	inGraph []*graphItem
}

// newPendingMessage takes from a body what is needed to find its position.
func newPendingMessage(b *body) *pendingMessage {
	s := &pendingMessage{id: b.id, body: b, own: b.own, called: b.called, timing: b.timing, role: b.message.Role,
		ownRole: b.ownRole, hasStored: b.hasStored, storedIsID: b.hasStored && b.stored == b.id,
		hasText: b.message.Text != nil && !isBlank(*b.message.Text), hasThinking: b.message.Thinking != nil,
		simulated: b.message.IsSimulated, kickoff: b.isKickoff, ownIsStart: b.wrote == nil}
	n := pendingNames{request: deref(b.message.RequestID), checkpoint: deref(b.message.CheckpointID), after: b.after,
		codeblock: b.codeblock, summary: b.message.Summary}
	if !s.storedIsID {
		n.stored = b.stored
	}
	if n.codeblock != "" && len(b.calls) > 0 {
		n.filePath = b.calls[0].FilePath
	}
	if !n.empty() {
		s.named = &n
	}
	return s
}

// noNames is what most messages name. It stays empty.
var noNames pendingNames

// names returns the values that the message names, to be read.
func (s *pendingMessage) names() *pendingNames {
	if s.named == nil {
		return &noNames
	}
	return s.named
}

// empty reports whether a message that has just been read names nothing.
func (n *pendingNames) empty() bool {
	return n.stored == "" && n.request == "" && n.checkpoint == "" && n.after == "" && n.codeblock == "" &&
		n.filePath == nil && n.summary == nil
}

// callIDs are the ids of the message's tool calls.
func (s *pendingMessage) callIDs() (ids []string) {
	if s.body == nil {
		return s.names().calls
	}
	for i := range s.body.calls {
		if id := s.body.calls[i].ToolCallID; id != nil {
			ids = append(ids, *id)
		}
	}
	return ids
}

// callCount is how many tool calls a message has whose body is there.
func (s *pendingMessage) callCount() int64 {
	if s.body == nil {
		return int64(len(s.names().calls))
	}
	return int64(len(s.body.calls))
}

// stored returns the id inside the body.
func (s *pendingMessage) stored() string {
	if s.storedIsID {
		return s.id
	}
	return s.names().stored
}

// setAside moves the message's rows from memory to the spill file, until its position is known.
func (s *pendingMessage) setAside(to *spillFile) {
	s.aside = to.put(s.body)
	if attached, calls := len(s.body.attachments), s.callIDs(); attached > 0 || len(calls) > 0 {
		if s.named == nil {
			s.named = &pendingNames{}
		}
		s.named.attached, s.named.calls = attached, calls
	}
	s.text, s.thought = sumOf(deref(s.body.message.Text)), sumOf(deref(s.body.message.Thinking))
	s.body = nil
}

// simulate notes that no person wrote the message.
func (s *pendingMessage) simulate() { s.simulated, s.role, s.ownRole = true, "user", true }

// attach counts attachments that are not in the message's own row, and returns the ordinal of the first.
func (s *pendingMessage) attach(n int) (ordinal int64) {
	if s.named == nil {
		s.named = &pendingNames{}
	}
	s.named.attached += n
	return int64(s.named.attached - n)
}

// fillBody sets the fields of a body that depend on the message's position.
func (s *pendingMessage) fillBody(b *body) {
	m := &b.message
	m.Position, m.IsListed, m.Turn = &s.at, s.listed, &s.turn
	m.Role, m.CreatedAt, m.CreatedAtSource = s.role, s.created, s.source
	m.IsSimulated, m.Kind = s.simulated, b.kind()
	if b.times = s.times; s.times != nil {
		m.TurnDurationMs = cmp.Or(s.times.turn, m.TurnDurationMs)
	}
}
