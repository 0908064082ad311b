package transform

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"pipeline/sql/schema"
	"pipeline/transform/graph"
	"pipeline/transform/jsondoc"
)

// This file has what is known of a conversation's messages until their order is found: their rows, what names them, and
// what the agent's graph has of them.

// body is one message from a row, a map entry or an inline element, before its position is known.
type body struct {
	id                  string // the message's id, from the key
	stored              string // the bubbleId in the body: headers may use this id
	hasStored           bool
	ownRole             bool // the body has a type; if it has none, the header's type counts
	message             schema.Message
	calls               []schema.ToolCall
	attachments         []schema.Attachment
	own                 *schema.Millis // the body's own time
	wrote               *schema.Millis // when it was written, as far as it says so: of an answer the end
	started, finished   *schema.Millis // its own startedAtMs and completedAtMs
	timing              *schema.Millis
	called              *schema.Millis // when its first tool call started, as the call records it
	times               *headerFacts   // times in its header; nil: none
	after               string         // afterCheckpointId
	placeholders, given int            // objects that are no tool calls; attachments of the message itself
	older               bool           // its tool calls are those of the time before toolFormerData
	codeblock           string         // additionalData.codeblockId of the body's tool call
	servers             []string       // MCP servers that it offered to the model
	isPlaceholder       bool           // it holds the place of a step of the graph that was not shown yet
	isKickoff           bool           // an agent wrote it, to start a subagent
	isNotice            bool           // Cursor wrote it, when a task in the background ended
}

// headerFacts are the times of a header, and what its grouping says of the message.
type headerFacts struct {
	created        *schema.Millis // createdAt, startedAtMs or timestamp
	started        *schema.Millis
	finished       *schema.Millis
	turn, thinking *int64 // how long the turn and the thought took, in ms
	added, removed *int64 // lines of an edit
	isThought      bool   // its capabilityType says so
}

// header is one entry of a conversation's list of messages.
type header struct {
	id        []byte          // a slice of the conversation's document
	role      string          // the role that its type stands for
	simulated bool            // no person wrote the message
	times     *headerFacts    // nil if it has none
	message   *pendingMessage // its message; nil: the conversation has none
	place     int64           // of one whose message is not found: how many listed messages are before it
	before    *pendingMessage // of one whose message is not found: the listed message before it; nil for none

	isPlaceholder bool // its row only holds the place of a message of the graph
}

// isUsers reports whether it names a message of the user's.
func (h *header) isUsers() bool { return h.role == "user" }

// size is roughly how much memory the body's rows take.
func (b *body) size() int64 {
	n := 800 + len(deref(b.message.Text)) + len(deref(b.message.Thinking)) + len(b.message.Extra)
	for i := range b.calls {
		n += 400 + len(b.calls[i].Params) + len(b.calls[i].Result) + len(deref(b.calls[i].RawArgs))
	}
	return int64(n) + sizeOf(b.attachments)
}

// kind is the kind of a message, once it is put together. A place that knows more than the texts has set it in the row:
// it is a summary, an error, a command, or a thought whose words were not kept.
func (b *body) kind() string {
	said := b.message.Kind
	switch {
	case len(b.calls) > 0:
		return kindCall
	case said == kindCompaction || said == kindError || said == kindShell:
		return said
	case b.message.Text != nil && !isBlank(*b.message.Text):
		return kindText
	case b.message.Thinking != nil || said == kindThinking:
		return kindThinking
	}
	return kindEmpty
}

// Kinds of messages.
const (
	kindCall       = "tool_call"
	kindCompaction = "compaction"
	kindError      = "error"
	kindShell      = "shell"
	kindText       = "text"
	kindThinking   = "thinking"
	kindEmpty      = "empty"
)

// setTimes sets when a call started and how long it took: by the message's header, else by the message, else as the
// call records it. Else the call ended when its message was written (docs/formats.md, Times of a call). Of an edit that
// records no lines, the header may have them.
func (b *body) setTimes(call *schema.ToolCall) {
	t := deref(b.times)
	started, finished := cmp.Or(t.started, b.started), cmp.Or(t.finished, b.finished)
	call.StartedAt = cmp.Or(started, call.StartedAt)
	call.DurationMs = cmp.Or(between(started, finished), call.DurationMs,
		between(call.StartedAt, cmp.Or(finished, b.wrote)))
	if len(b.calls) == 1 && call.ToolKind == "edit" {
		call.LinesAdded, call.LinesRemoved = cmp.Or(call.LinesAdded, t.added), cmp.Or(call.LinesRemoved, t.removed)
	}
}

// between is the duration between two times, in ms; nil if it is not known.
func between(start, end *schema.Millis) *int64 {
	if start == nil || end == nil {
		return nil
	}
	return jsondoc.Countable(ptr(int64(*end - *start)))
}

func isBlank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }) < 0
}

// sizeOf is roughly how much memory attachments take.
func sizeOf(rows []schema.Attachment) (n int64) {
	for i := range rows {
		n += 150 + int64(len(rows[i].Detail))
	}
	return n
}

// checkpointSize is roughly how much memory a checkpoint takes.
func checkpointSize(c *schema.Checkpoint) int64 { return 100 + int64(len(c.Files)) }

// pendingMessage is a message while the order of its conversation is found. A conversation may have hundreds of
// thousands of messages. So a pending message is small, and the message's rows may be set aside.
type pendingMessage struct {
	id      string
	body    *body         // nil: it is set aside
	aside   *asideBody    // what is known of it then; nil: it is not set aside
	named   *pendingNames // nil: the message names nothing
	times   *headerFacts  // times in its header; nil: none
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
	notice                         bool // Cursor wrote it, when a task in the background ended
	from                           origin
	graph                          *graphTimes // times in the agent's graph; nil: none
}

// asideBody is what is needed of a body while it is set aside.
type asideBody struct {
	place                      // where it is; nowhere if nobody will ask for it
	text, thought uint64       // hashes of what the message says and thinks
	attached      int          // number of attachments so far
	calls         []string     // ids of its tool calls
	inGraph       []*graphItem // what the agent's graph has of it
}

// pendingNames are ids and other values that few messages have.
type pendingNames struct {
	stored, request, checkpoint, after, codeblock string
	filePath, summary                             *string
}

// newPendingMessage takes from a body what is needed to find its position.
func newPendingMessage(b *body) *pendingMessage {
	s := &pendingMessage{id: b.id, body: b, own: b.own, called: b.called, timing: b.timing, role: b.message.Role,
		ownRole: b.ownRole, hasStored: b.hasStored, storedIsID: b.hasStored && b.stored == b.id,
		hasText: b.message.Text != nil && !isBlank(*b.message.Text), hasThinking: b.message.Thinking != nil,
		simulated: b.message.IsSimulated, kickoff: b.isKickoff, notice: b.isNotice, ownIsStart: b.wrote == nil}
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
		return s.aside.calls
	}
	for i := range s.body.calls {
		if id := s.body.calls[i].ToolCallID; id != nil {
			ids = append(ids, *id)
		}
	}
	return ids
}

// callKeys are its tool calls' ids as a graph's are compared with them.
func (s *pendingMessage) callKeys() (keys []string) {
	for _, id := range s.callIDs() {
		keys = append(keys, graph.CallKey(id))
	}
	return keys
}

// callCount is how many tool calls a message has whose body is there.
func (s *pendingMessage) callCount() int64 {
	if s.body == nil {
		return int64(len(s.aside.calls))
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

// setAside moves the message's rows from memory to the spill file, until its position is known. The id is copied, as
// it is a part of a key, which would be held with it.
func (s *pendingMessage) setAside(to *spillFile) {
	b := s.body
	s.aside = &asideBody{to.put(b), sumOf(deref(b.message.Text)), sumOf(deref(b.message.Thinking)),
		len(b.attachments), s.callIDs(), nil}
	s.id, s.body = strings.Clone(s.id), nil
}

// simulate notes that no person wrote the message.
func (s *pendingMessage) simulate() { s.simulated, s.role, s.ownRole = true, "user", true }

// attach counts attachments that are not in the row of a message that is set aside, and returns the ordinal of the
// first.
func (s *pendingMessage) attach(n int) (ordinal int64) {
	s.aside.attached += n
	return int64(s.aside.attached - n)
}

// fillBody sets the fields of a body that depend on the message's position.
func (s *pendingMessage) fillBody(b *body) {
	m := &b.message
	m.Position, m.IsListed, m.Turn = &s.at, s.listed, &s.turn
	m.Role, m.CreatedAt, m.CreatedAtSource = s.role, s.created, s.source
	m.IsSimulated, m.Kind = s.simulated, b.kind()
	if b.times = s.times; s.times != nil {
		m.TurnDurationMs = cmp.Or(s.times.turn, m.TurnDurationMs)
		if m.Thinking != nil || s.times.isThought { // any other message may have a 0 there
			m.ThinkingDurationMs = cmp.Or(m.ThinkingDurationMs, s.times.thinking)
		}
		if s.times.isThought && m.Kind == kindEmpty {
			m.Kind = kindThinking
		}
	}
}

// graphTimes are times of a message in the graph.
type graphTimes struct {
	started *schema.Millis
	tagged  *schema.Millis // of a tag in the prompt, exact to a minute
}

// graphItem is a message of the graph: a prompt, a step, or a command that the user ran.
type graphItem struct {
	id      string
	turn    *graph.Turn
	step    *graph.Step     // nil for a prompt and for a command
	call    *graph.ToolCall // of a step, or pending
	message *pendingMessage // of the bubble that has it; nil: none has it
	away    bool            // the bubble is not where the graph has it: unlisted, or in another order

	header *header // that names it, as far as can be told; nil: none
}

// isUsers reports whether it is what the user wrote or ran.
func (i *graphItem) isUsers() bool { return i.step == nil && i.call == nil }

// writtenWithin is how far apart, in milliseconds, the times of one message may be in a bubble and in the graph.
const writtenWithin = 2000

// times are when the message began and ended, as far as the graph has it.
func (i *graphItem) times() []*int64 {
	switch {
	case i.step != nil:
		return []*int64{i.step.StartedAt, i.step.CompletedAt}
	case i.turn.User != nil:
		return []*int64{i.turn.User.StartedAt, i.turn.User.CompletedAt}
	}
	return nil
}

// isTimed reports whether the graph has a time of the message.
func (i *graphItem) isTimed() bool {
	return slices.ContainsFunc(i.times(), func(t *int64) bool { return plausibleTime(t) != nil })
}

// isAfter reports whether the message began after a time, as far as the graph says.
func (i *graphItem) isAfter(ms schema.Millis) bool {
	for _, t := range i.times() {
		if at := plausibleTime(t); at != nil {
			return *at > ms
		}
	}
	return false
}

// isOf reports whether a bubble may be of the same time as the message: of the same request, or with a time near that
// of the graph, or without any.
func (i *graphItem) isOf(s *pendingMessage) bool {
	if r := s.names().request; r != "" && i.turn != nil && i.turn.RequestID != "" {
		return r == i.turn.RequestID
	}
	return s.own == nil || i.timeTo(s) <= writtenWithin
}

// timeTo is how many milliseconds lie between the times of a message here and there, as far as the graph has one.
func (i *graphItem) timeTo(s *pendingMessage) int64 {
	least := int64(math.MaxInt64)
	for _, t := range i.times() {
		if at := plausibleTime(t); at != nil {
			least = min(least, int64(max(*at-*s.own, *s.own-*at)))
		}
	}
	return least
}
