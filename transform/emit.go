package transform

import (
	"errors"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file hands over the rows of a conversation, once the order of its messages is known.

// emit completes a message's rows with their position and conversation, and appends them.
func (a *assembly) emit(rows *schema.Rows, s *pendingMessage, b *body) {
	source, id := a.n.SourceID, a.conv.ID
	s.fillBody(b)
	a.count(s, b)
	b.message.SourceID, b.message.ConversationID = source, id
	if b.message.Origin == nil {
		b.message.Origin = ptr(originBubble)
	}
	rows.Messages = append(rows.Messages, b.message)
	for i, call := range b.calls {
		call.SourceID, call.ConversationID, call.Position = source, id, b.message.Position
		a.fillCall(&call, s.from)
		b.setTimes(&call)
		b.calls[i] = call
		rows.ToolCalls = append(rows.ToolCalls, call)
	}
	for i, att := range b.attachments {
		att.SourceID, att.ConversationID, att.MessageID, att.Ordinal = source, id, &s.id, int64(i)
		rows.Attachments = append(rows.Attachments, att)
	}
}

// completeCheckpoint sets what a checkpoint's row has from its conversation.
func (a *assembly) completeCheckpoint(c *schema.Checkpoint) {
	c.SourceID, c.ConversationID = a.n.SourceID, a.conv.ID
	c.MessageID = a.checkpointOf[c.CheckpointID]
	a.census.document(extract.FamilyCheckpoint).Rows++
}

// batchBytes is how many bytes of rows of a large conversation are handed over at a time.
const batchBytes = 1 << 20

// batches hands over rows: in one batch, or in several if they were set aside.
type batches struct {
	rows    *schema.Rows // the batch that is filled
	size    int64        // of its rows, roughly
	several bool
	yield   func(*schema.Rows, error) bool
}

// errEnough says that nobody wants more rows.
var errEnough = errors.New("no more rows are wanted")

// add counts rows that were added to the batch, and hands it over when it is full.
func (b *batches) add(size int64) error {
	if b.size += size; !b.several || b.size <= batchBytes {
		return nil
	}
	if !b.yield(b.rows, nil) {
		return errEnough
	}
	// as many, about
	b.rows, b.size = &schema.Rows{Messages: make([]schema.Message, 0, len(b.rows.Messages)),
		ToolCalls: make([]schema.ToolCall, 0, len(b.rows.ToolCalls))}, 0
	return nil
}

// emitAll completes the rows of all messages, in their order, and yields them with all other rows.
func (a *assembly) emitAll(order []*pendingMessage, yield func(*schema.Rows, error) bool) {
	first := a.rows
	a.rows, a.headers, a.head = schema.Rows{}, nil, jsondoc.Value{} // a large conversation's are large
	if !a.large {
		first.Messages, first.ToolCalls = make([]schema.Message, 0, len(order)), make([]schema.ToolCall, 0, a.allCalls)
	}
	to := &batches{rows: &first, several: a.large, yield: yield}
	switch err := a.emitTo(to, order); {
	case err == nil:
		a.countUnnamed()
		to.rows.Elements = a.census.rows(a.n.SourceID)
		yield(to.rows, nil)
	case err != errEnough:
		yield(nil, err)
	}
}

// emitTo adds the rows of messages to batches, and all others that were set aside.
func (a *assembly) emitTo(to *batches, order []*pendingMessage) error {
	for _, s := range order {
		b, err := a.bodyOf(s)
		if err != nil {
			return err
		}
		a.emit(to.rows, s, b)
		if err := to.add(b.size()); err != nil {
			return err
		}
	}
	for i := range a.contexts {
		c := &a.contexts[i]
		rows, err := getRows(a.spill, attachmentPacking, c.aside)
		if err != nil {
			return err
		}
		to.rows.Attachments = append(to.rows.Attachments, a.numbered(rows, c.message, c.ordinal)...)
		if err := to.add(sizeOf(rows)); err != nil {
			return err
		}
	}
	for _, at := range a.checkpoints {
		rows, err := getRows(a.spill, checkpointPacking, at)
		if err != nil {
			return err
		}
		for i := range rows {
			a.completeCheckpoint(&rows[i])
			to.rows.Checkpoints = append(to.rows.Checkpoints, rows[i])
			if err := to.add(checkpointSize(&rows[i])); err != nil {
				return err
			}
		}
	}
	return nil
}

// bodyOf returns a message's rows as they were read, and as the graph completes them.
func (a *assembly) bodyOf(s *pendingMessage) (*body, error) {
	if s.body != nil {
		return s.body, nil
	}
	b, err := a.spill.get(s.aside.place)
	if err == nil {
		for _, i := range s.aside.inGraph {
			i.fillMessage(&b.message)
		}
	}
	return b, err
}

// count counts a message and what is in it on the way out.
func (a *assembly) count(s *pendingMessage, b *body) {
	if a.census == nil {
		return
	}
	a.census.of(origins[s.from]).Rows++
	if s.from == inGraph || s.from == inTranscript { // what is in it was no element of a document
		return
	}
	if n := min(b.given, len(b.attachments)); n > 0 {
		a.census.of(censusKey{extract.FamilyBubble, listAttachments}).Rows += int64(n)
	}
	if older := a.v1[s.id].Unquoted(); !jsondoc.IsEmpty(older) {
		switch n := a.ofDocument(a.hasHead, listOlderCalls); {
		case !b.older:
			n.Duplicates++
		case len(b.calls) > 0:
			n.Rows++
		default:
			n.Skipped++
		}
	}
	if !b.older && len(b.calls) > 0 || b.placeholders > 0 {
		n := a.census.of(censusKey{extract.FamilyBubble, listCalls})
		n.Skipped += int64(b.placeholders)
		if !b.older {
			n.Rows += int64(len(b.calls))
		}
	}
}

// countUnnamed counts older tool calls of messages that the store does not have.
func (a *assembly) countUnnamed() {
	for id, call := range a.v1 {
		if a.pending[id] == nil && !jsondoc.IsEmpty(call.Unquoted()) {
			a.ofDocument(a.hasHead, listOlderCalls).Skipped++
		}
	}
}
