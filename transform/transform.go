// Package transform turns raw conversations of every era of Cursor's format into the warehouse's rows.
//
// It is pure: no clock, no I/O, no SQL; the same rows in give the same rows out, in any order and on any number of
// workers. A document is read by what it holds, never by the store or version it came from: one store holds every era
// at once (docs/formats.md, Eras). What cannot be used becomes a quarantine row and spoils nothing else.
package transform

import (
	"iter"
	"time"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// Version changes whenever the same documents would give other rows. Every conversation is then loaded again.
const Version = 7

// defaultBudget is how many bytes of a conversation's rows are held in memory until their order is known. If there are
// more, all are set aside.
const defaultBudget = 64 << 20

// Normalizer turns the conversations of one source into rows. It is safe for concurrent use.
type Normalizer struct {
	SourceID string
	Shared   *Shared
	Budget   int64 // bytes of rows of one conversation held at a time; 0: 64 MiB

	// what the warehouse knows of a conversation, nil for nothing; may be nil
	Last      func(id string) *schema.Conversation
	Worktrees string // folder in which Cursor makes worktrees, if it is not the usual one

	// Aside makes the place for the rows of a conversation that exceed the budget. If it is nil, they are packed in
	// memory.
	Aside func() (Aside, error)
}

// Normalize yields the rows of a conversation in one batch, or in several if it is large. The conversation's own row is
// in the first batch, and the messages come in their order. Times that only a load knows (first_seen_at, changed_at)
// stay zero. It fails only if the parts cannot be read, or if rows cannot be set aside (AsideError).
func (n *Normalizer) Normalize(conv *extract.Conversation) iter.Seq2[*schema.Rows, error] {
	return func(yield func(*schema.Rows, error) bool) {
		a := newAssembly(n, conv)
		defer a.memory.GiveBack()
		a.fields = &fieldCounts{}
		a.fields.look(extract.FamilyComposer, a.head)
		a.census = &census{}
		a.censusHead()
		a.spill = n.newSpillFile()
		defer a.spill.close()
		if err := a.readParts(); err != nil {
			yield(nil, err)
			return
		}
		a.addCopies()
		order, err := a.finish()
		if err != nil {
			yield(nil, err)
			return
		}
		a.emitAll(order, yield)
	}
}

// CopiedFingerprint is the fingerprint of a conversation that has no rows of its own.
const CopiedFingerprint = "copied"

// Conversation makes the raw conversation for an id that only shared rows hold: a copy in a workspace's store, or
// nothing but a head in a list.
func (n *Normalizer) Conversation(id string) *extract.Conversation {
	f := n.Shared.Of(id)
	out := &extract.Conversation{Store: f.Store(), ID: id, Fingerprint: CopiedFingerprint,
		Parts: func(func(*extract.Document, error) bool) {}}
	if len(f.copies) == 0 {
		out.Store, out.Fingerprint = f.headStore(), ListedFingerprint
	}
	return out
}

// LastActivity is the latest of a conversation's creation, update and real message times; nil if none is recorded. If
// the conversation's own document has a time of at least enough, the messages are not read.
func (n *Normalizer) LastActivity(conv *extract.Conversation, enough *schema.Millis) (*schema.Millis, error) {
	a := newAssembly(n, conv)
	defer a.memory.GiveBack()
	row, _ := a.conversation()
	last := latestOf(row.CreatedAt, row.UpdatedAt)
	if enough != nil && last != nil && *last >= *enough {
		return last, nil
	}
	if err := a.readParts(); err != nil {
		return nil, err
	}
	a.addCopies()
	order, _ := a.arrange()
	a.graphFacts(&row)
	last = latestOf(last, row.CreatedAt, row.UpdatedAt)
	setPositions(order, &row)
	for _, s := range order {
		if schema.IsRealTime(s.source) {
			last = latestOf(last, s.created)
		}
	}
	return last, nil
}

func parseDate(s string) (time.Time, error) { return time.Parse("2006-01-02", s) }

// Project finds the project of a conversation: its URI, path and name, each "" if unknown. It reads the messages only
// if nothing else names one. It does not include a project that a subagent inherits from its parent.
func (n *Normalizer) Project(conv *extract.Conversation) (uri, path, name string) {
	a := newAssembly(n, conv)
	defer a.memory.GiveBack()
	row, _ := a.conversation()
	if row.ProjectURI == nil {
		var order []*pendingMessage
		if a.readParts() == nil {
			a.addCopies()
			order, _ = a.arrange()
			a.graphFacts(&row)
		}
		a.laterProject(&row, order)
	}
	a.worktree(&row)
	a.keepProject(&row)
	return deref(row.ProjectURI), deref(row.ProjectPath), deref(row.Project)
}
