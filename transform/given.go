package transform

import (
	"slices"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// This file joins what was given with messages and conversations.

// attachContexts joins each messageRequestContext to a message: by the message's id, else by its request's id (the
// sources disagree on what the second id in the key is: docs/formats.md, Message contexts). If there is no such
// message, it belongs to the conversation.
func (a *assembly) attachContexts(order []*pendingMessage) error {
	if len(a.contexts) == 0 {
		return nil
	}
	byRequest := map[string]*pendingMessage{}
	for _, s := range order {
		if r := s.names().request; r != "" && byRequest[r] == nil {
			byRequest[r] = s
		}
	}
	var later []contextRow
	for _, c := range a.contexts {
		a.census.document(extract.FamilyContext).Rows++
		a.census.of(censusKey{extract.FamilyContext, listAttachments}).Rows += int64(c.count)
		s := a.pending[c.id]
		if s == nil {
			s = byRequest[c.id]
		}
		inFile := c.count > len(c.attachments)
		// emitAll makes the message's own rows later; these get the numbers after them
		waits := s != nil && s.body == nil
		if waits {
			c.message, c.ordinal = s, s.attach(c.count)
		}
		if inFile && waits {
			later = append(later, c)
			continue
		}
		if inFile {
			var err error
			if c.attachments, err = getRows(a.spill, attachmentPacking, c.aside); err != nil {
				return err
			}
		}
		switch {
		case s == nil:
			a.rows.Attachments = append(a.rows.Attachments, c.attachments...)
		case waits:
			a.rows.Attachments = append(a.rows.Attachments, a.numbered(c.attachments, s, c.ordinal)...)
		default:
			s.body.attachments = append(s.body.attachments, c.attachments...)
		}
	}
	a.contexts = later // the others' documents are large
	return nil
}

// numbered sets what attachments have from their message, and their ordinals from the given one on.
func (a *assembly) numbered(rows []schema.Attachment, s *pendingMessage, ordinal int64) []schema.Attachment {
	for i := range rows {
		att := &rows[i]
		att.SourceID, att.ConversationID, att.MessageID, att.Ordinal = a.n.SourceID, a.conv.ID, &s.id, ordinal+int64(i)
	}
	return rows
}

// conversationAttachments numbers the attachments of the conversation itself: those of its context, then those of
// contexts that name no message.
func (a *assembly) conversationAttachments() {
	loose := a.rows.Attachments
	a.rows.Attachments = nil
	var own []schema.Attachment
	if a.head.Exists() {
		own = attachments(a.head, nil)
		own = attachments(a.head.Get("context").Unquoted().Object(), own)
	} else if a.copy != nil {
		own = attachments(a.copyHead.Get("context").Unquoted().Object(), nil)
	}
	a.ofDocument(a.head.Exists(), listAttachments).Rows += int64(len(own))
	var ordinal int64
	for _, att := range slices.Concat(own, loose) {
		if att.MessageID == nil {
			att.SourceID, att.ConversationID, att.Ordinal = a.n.SourceID, a.conv.ID, ordinal
			ordinal++
		}
		a.rows.Attachments = append(a.rows.Attachments, att)
	}
}
