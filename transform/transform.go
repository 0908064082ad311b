// Package transform turns raw conversations of every era of Cursor's format into the warehouse's rows.
//
// It is pure: no clock, no I/O, no SQL; the same rows in give the same rows out, in any order and on any number of
// workers. A document is read by what it holds, never by the store or version it came from: one store holds every era
// at once (docs/formats.md, Eras). What cannot be used becomes a quarantine row and spoils nothing else.
package transform

import (
	"cmp"
	"iter"
	"slices"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// Version changes whenever the same documents would give other rows. Every conversation is then loaded again.
const Version = 10

// Normalizer turns the conversations of one source into rows. It is safe for concurrent use.
type Normalizer struct {
	SourceID string
	Shared   *Shared
	Budget   int64 // bytes of rows of one conversation held at a time; 0: 64 MiB

	// what the warehouse knows of a conversation, nil for nothing; may be nil
	Last      func(id string) *schema.Lasting
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
		a.spill = newSpillFile(n.Aside)
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

// censusHead counts the conversation's own document, and what workspace stores hold of it. Documents that could not be
// used are in quarantine by now.
func (a *assembly) censusHead() {
	head := a.census.of(censusKey{extract.FamilyComposer, ""})
	if a.conv.Head != nil && !a.conv.Head.HoldsNothing() {
		head.Seen++
		if !a.head.Exists() {
			head.Quarantined++
		}
	}
	if a.head.Exists() {
		a.census.seeHead(a.head)
	}
	a.census.seeCopies(a.facts, a.copy, a.copyHead, a.head.Exists())
}

func newAssembly(n *Normalizer, conv *extract.Conversation) *assembly {
	a := &assembly{n: n, conv: conv, facts: n.Shared.Of(conv.ID), pending: map[string]*pendingMessage{},
		format: formatRows, owner: conv.ID, servers: map[string]bool{}, placeholders: map[string]bool{},
		folders: map[string]string{}, agent: agent{nodes: map[string]*extract.Document{}}}
	if conv.Loose {
		a.facts = &Facts{}
		a.owner = schema.OwnerKey{Store: conv.Store, Kind: schema.KindLoose, ID: conv.ID}.Name()
	}
	if a.copy = a.facts.bestCopy(); a.copy != nil {
		a.copyHead = a.copy.head()
	}
	for _, d := range conv.Unusable {
		if why := a.whyUnusable(d); why != "" {
			a.quarantine(d, why)
		}
	}
	a.readHead()
	a.memory = jsondoc.Borrow()
	return a
}

// readHead reads the conversation's own document, which is kept. What is unquoted from it is not.
func (a *assembly) readHead() {
	if a.conv.Head == nil || a.conv.Head.HoldsNothing() {
		return
	}
	head, why := a.object(a.conv.Head)
	if why != "" {
		a.quarantine(a.conv.Head, why)
		return
	}
	defer a.noteRoot()
	if a.conv.Head.Family == extract.FamilyCLIMeta {
		a.agent.about = head
		return
	}
	a.head, a.hasHead, a.headers = head, true, readHeaders(head)
}

// readParts reads every document once. A document that holds nothing counts as deleted; package extract counts it.
func (a *assembly) readParts() error {
	a.head.Forget("fullConversationHeadersOnly") // of a long conversation, the list is large
	if a.v1 = olderCalls(a.head); a.v1 == nil {
		a.v1 = olderCalls(a.copyHead)
	}
	for d, err := range a.conv.Parts {
		if err != nil {
			return err
		}
		if a.takeForGraph(d) || d.HoldsNothing() {
			continue
		}
		a.census.document(d.Family).Seen++
		o, why := a.object(d)
		if why != "" {
			a.quarantine(d, why)
			a.census.document(d.Family).Quarantined++
			continue
		}
		a.census.see(d.Family, o)
		a.fields.look(d.Family, o)
		if read := families[d.Family].read; read != nil {
			read(a, d.ID, o)
		}
	}
	if err := a.spill.failure(); err != nil {
		return err
	}
	a.readHeadBodies()
	if err := a.readGraph(); err != nil {
		return err
	}
	a.readTranscripts()
	return nil
}

// addCopies adds messages from a workspace's copy of the conversation: all of them if the global store has no
// conversation document, else the missing ones.
func (a *assembly) addCopies() {
	c := a.copy
	if c == nil {
		return
	}
	if !a.head.Exists() {
		a.format = c.format
	}
	a.addInline(a.copyHead.First("conversation", "bubbles").Unquoted().Array(), func(int) origin { return c.origin() })
}

// finish puts the messages in order and makes all rows but theirs.
func (a *assembly) finish() (order []*pendingMessage, err error) {
	a.rows.UnknownFields, a.rows.McpServers, a.rows.Sources = a.fields.rows(a.n.SourceID), a.mcpRows(),
		a.agent.said.places
	row, exists := a.conversation()
	order, missing := a.arrange()
	if !exists && len(order) == 0 && a.isListed() { // nothing of it is left but its head
		row, exists = a.listedRow(), true
	}
	a.graphFacts(&row)
	a.planPaths(&row)
	a.markAgentPrompt(order)
	setPositions(order, &row)
	a.laterProject(&row, order)
	a.worktree(&row)
	a.keepProject(&row)
	if err := a.attachContexts(order); err != nil {
		return nil, err
	}
	names := a.namesOf(order)
	a.edits(names)
	a.conversationAttachments()
	a.checkpointOf = names.checkpoints
	for i := range a.rows.Checkpoints {
		a.completeCheckpoint(&a.rows.Checkpoints[i])
	}
	for i := range a.rows.CodeDiffs {
		d := &a.rows.CodeDiffs[i]
		d.SourceID, d.KeyedBy = a.n.SourceID, a.owner
		a.census.document(extract.FamilyDiff).Rows++
		if !a.conv.Loose {
			d.ConversationID = ptr(a.conv.ID)
		}
	}
	for i := range a.rows.UsageRecords {
		a.rows.UsageRecords[i].WrittenAt = a.usageWritten
	}
	if !exists {
		if len(order) == 0 {
			return nil, nil
		}
		a.claims(jsondoc.Value{})
	}
	if len(order) == 0 && a.format != formatChatTab {
		a.format = formatRows
	}
	a.rows.MissingHeaders = a.missingHeaders()
	row.HeaderCount, row.MissingMessageCount, row.Format = int64(len(a.headers)), missing, a.format
	a.complete(&row)
	a.keepValues(&row)
	if row.Summary == nil {
		row.Summary = names.summary
	}
	if row.DisplayTitle, err = a.displayTitle(&row, order); err != nil {
		return nil, err
	}
	a.rows.Conversations = append(a.rows.Conversations, row)
	if a.head.Exists() {
		a.census.of(censusKey{extract.FamilyComposer, ""}).Rows++
	}
	return order, nil
}

// conversation makes the conversation's row. exists is false if no document of it is left: the row is used only if
// messages exist, and then as an orphan's.
func (a *assembly) conversation() (row schema.Conversation, exists bool) {
	id, source := a.conv.ID, a.n.SourceID
	c := a.copy
	switch {
	case a.head.Exists():
		row = a.n.Shared.conversationRow(source, id, a.head, a.facts)
		a.n.Shared.project(a.facts, a.head).apply(&row)
		a.claims(a.head)
		var merged, nameless int64
		n := a.census.of(censusKey{extract.FamilyComposer, listUsage})
		a.rows.ModelUsage, row.CostCents, merged = modelUsage(source, id, a.head, func(model []byte, v jsondoc.Value) {
			a.setAside(a.conv.Head, v, n, []byte(listUsage), model)
		})
		n.Rows, n.Duplicates = int64(len(a.rows.ModelUsage)), merged
		a.rows.ContextParts, merged, nameless = contextParts(source, id, a.head)
		n = a.census.of(censusKey{extract.FamilyComposer, listContext})
		n.Rows, n.Duplicates, n.Skipped = int64(len(a.rows.ContextParts)), merged, nameless
		return row, true
	case a.agent.about.Exists(), a.agent.cloud != nil, a.agent.said.own != nil:
		return a.agentRow(), true
	case c != nil:
		row = a.n.Shared.conversationRow(source, id, a.copyHead, a.facts)
		if c.format == formatChatTab {
			row.Title, row.CreatedAt, row.UpdatedAt = a.copyHead.Get("chatTitle").Str(), nil,
				timeOf(a.copyHead.Get("lastSendTime"))
		}
		a.n.Shared.projectOfWorkspace(c.workspace).apply(&row)
		a.claims(a.copyHead)
		return row, true
	}
	if a.conv.IsListed {
		return a.listedRow(), true
	}
	row = a.n.Shared.orphan(source, id, a.facts)
	row.SubagentToolCallID = cmp.Or(row.SubagentToolCallID, taskCall(id))
	if a.isUndocumentedTask() {
		row.Status = nil
		a.claims(jsondoc.Value{})
	}
	return row, false
}

// isUndocumentedTask reports whether the conversation is a subagent of early 2026 of which no document was ever seen,
// be it one that is deleted or cannot be used: its parent's call has it (docs/formats.md, Subagents).
func (a *assembly) isUndocumentedTask() bool {
	last, from := a.last()
	return taskCall(a.conv.ID) != nil && a.conv.Head == nil &&
		!slices.ContainsFunc(a.conv.Unusable, isComposer) &&
		(last == nil || !last.HasDocument && (last.Title == nil || from.Title == fromLists))
}

func isComposer(d *extract.Document) bool { return d.Family == extract.FamilyComposer }

// Conversation makes the raw conversation for an id that only shared rows hold: a copy in a workspace's store, or
// nothing but a head in a list.
func (n *Normalizer) Conversation(id string) *extract.Conversation {
	f := n.Shared.Of(id)
	out := &extract.Conversation{Store: f.Store(), ID: id, IsCopied: true, Fingerprint: extract.HashDocuments(nil),
		Parts: func(func(*extract.Document, error) bool) {}}
	if len(f.copies) == 0 {
		out.Store, out.IsCopied, out.IsListed = f.headStore(), false, true
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
