package transform

import (
	"cmp"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// assembly builds the rows of one conversation. Documents come in key order; rows go out in the conversation's order.
type assembly struct {
	n       *Normalizer
	conv    *extract.Conversation
	facts   *Facts
	head    jsondoc.Value // none for an orphan, and for a conversation that only workspace stores hold
	hasHead bool
	rows    schema.Rows

	copy     *copied // the copy in a workspace's store that is read, nil for none
	copyHead jsondoc.Value

	pending   map[string]*pendingMessage
	headers   []header
	inline    []string // ids of inline elements, in order
	isOrdered bool     // a header or an array names a message
	v1        map[string]jsondoc.Value
	memory    *jsondoc.Documents // of each document in turn; nil for the head, which is kept
	format    string
	held      int64      // approximate bytes of the rows in memory
	allCalls  int64      // number of tool calls of all messages
	large     bool       // rows are in the spill file: they exceeded the budget
	spill     *spillFile // nil: rows that exceed the budget are dropped, as only facts are wanted
	fates     []fate
	fields    *fieldCounts // nil: unknown fields are not counted
	contexts  []contextRow

	checkpoints  []place            // of those that are set aside
	checkpointOf map[string]*string // ids of messages, by the checkpoint that they name

	folders map[string]string // folders that messages name, by the message's id
	folder  string            // the last of them

	placeholders map[string]bool // ids of bubbles that only hold the place of a message of the graph

	listed  bool            // only lists name it
	kept    keptFrom        // where its lasting values are from
	census  *census         // nil: elements are not counted
	servers map[string]bool // MCP servers that messages name
	agent   agent           // what the agent's graph has, and its transcripts

	usageWritten *schema.Millis // when the file of usage was written
}

// contextRow is a messageRequestContext. Its message is found once all messages are known.
type contextRow struct {
	id          string
	attachments []schema.Attachment // nil: they are set aside
	count       int
	aside       place
	message     *pendingMessage // its message, of a context that is still set aside
	ordinal     int64           // of the first attachment
}

func newAssembly(n *Normalizer, conv *extract.Conversation) *assembly {
	a := &assembly{n: n, conv: conv, facts: n.Shared.Of(conv.ID), pending: map[string]*pendingMessage{},
		format: formatRows}
	if conv.Loose {
		a.facts = &Facts{}
	}
	if a.copy = a.facts.bestCopy(); a.copy != nil {
		a.copyHead = a.copy.head()
		a.v1 = olderCalls(a.copyHead)
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
	if calls := olderCalls(head); calls != nil {
		a.v1 = calls
	}
}

// object parses a document that must be an object. The result is valid until the next call; why is the reason if the
// document cannot be used.
func (a *assembly) object(d *extract.Document) (o jsondoc.Value, why string) {
	if d.Problem != "" {
		return jsondoc.Value{}, d.Problem
	}
	a.memory.Reset()
	o, err := a.memory.ParseObject(d.Value)
	if err != nil {
		return jsondoc.Value{}, err.Error()
	}
	return o, ""
}

func (a *assembly) quarantine(d *extract.Document, reason string) {
	q := quarantineRow(a.n.SourceID, d, reason)
	q.ConversationID = ptr(a.conv.ID)
	a.rows.Quarantine = append(a.rows.Quarantine, q)
}

// readParts reads every document once. A document that holds nothing counts as deleted; package extract counts it.
func (a *assembly) readParts() error {
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
	a.readTranscripts()
	return a.readGraph()
}

// hold adds a message. Once the conversation exceeds the budget, the rows of all messages are set aside.
func (a *assembly) hold(b *body) {
	a.allCalls += int64(len(b.calls))
	if was := a.pending[b.id]; was != nil {
		a.allCalls -= was.callCount()
		a.census.document(extract.FamilyBubble).Duplicates++
	}
	s := newPendingMessage(b)
	a.pending[b.id] = s
	a.mcpNamed(b)
	if a.large {
		s.setAside(a.spill)
	} else {
		a.grow(b.size())
	}
}

// grow counts bytes of rows in memory. Once they exceed the budget, the rows of all messages are set aside, and all
// rows that may be large and come later.
func (a *assembly) grow(bytes int64) {
	if a.held += bytes; a.held > cmp.Or(a.n.Budget, defaultBudget) {
		a.large = true
		for _, s := range a.pending {
			s.setAside(a.spill)
		}
	}
}

// holdContext adds the attachments of a messageRequestContext.
func (a *assembly) holdContext(id string, rows []schema.Attachment) {
	c := contextRow{id: id, count: len(rows)}
	if a.large {
		c.aside = putRows(a.spill, attachmentPacking, rows)
	} else {
		c.attachments = rows
		a.grow(sizeOf(rows))
	}
	a.contexts = append(a.contexts, c)
}

// holdCheckpoint adds a checkpoint.
func (a *assembly) holdCheckpoint(c schema.Checkpoint) {
	if a.large {
		a.checkpoints = append(a.checkpoints, putRows(a.spill, checkpointPacking, []schema.Checkpoint{c}))
		return
	}
	a.rows.Checkpoints = append(a.rows.Checkpoints, c)
	a.grow(checkpointSize(&c))
}

// readHeadBodies adds the messages inside the conversation document. A message that has a row of its own is not
// replaced.
func (a *assembly) readHeadBodies() {
	for member := range a.head.Get("conversationMap").Unquoted().Members {
		if o := member.Unquoted().Object(); o.Exists() {
			a.format = formatMap
			a.add(string(member.Name()), o, inMap)
		} else {
			a.setMessageAside(member, inMap, member.Name())
		}
	}
	elements := a.head.Get("conversation").Unquoted().Array()
	inTabs := len(elements) // where the elements of tabs begin
	for _, tab := range a.head.Get("tabs").Unquoted().Array() {
		elements = append(elements, tab.Object().Get("bubbles").Unquoted().Array()...)
	}
	if a.addInline(elements, func(i int) origin {
		if i < inTabs {
			return inArray
		}
		return inTab
	}) {
		a.format = formatInline
	}
}

// addInline adds the elements of an inline array, in order, and reports whether there are any.
// from says where an element is.
func (a *assembly) addInline(elements []jsondoc.Value, from func(int) origin) bool {
	var objects []jsondoc.Value
	var places []origin
	for i, element := range elements {
		if o := element.Unquoted().Object(); o.Exists() {
			objects, places = append(objects, o), append(places, from(i))
		} else {
			a.setMessageAside(element, from(i), fmtInt(int64(i)))
		}
	}
	for i, id := range inlineIDs(objects) {
		a.add(id, objects[i], places[i])
		a.inline = append(a.inline, id)
	}
	return len(objects) > 0
}

// add adds a message that has no row of its own.
func (a *assembly) add(id string, o jsondoc.Value, from origin) {
	if a.pending[id] != nil {
		a.census.of(origins[from]).Duplicates++
		return
	}
	a.census.seeMessage(o)
	a.fields.look(extract.FamilyBubble, o)
	a.place(id, o)
	b := readBody(id, o, a.v1[id])
	if a.skip(b, from) {
		return
	}
	a.pending[id] = newPendingMessage(b)
	a.pending[id].from = from
	a.allCalls += int64(len(b.calls))
	a.mcpNamed(b)
}

// skip counts a placeholder, which is no message, and reports whether a body is one. The graph has the step that it
// stands for.
func (a *assembly) skip(b *body, from origin) bool {
	if b.isPlaceholder {
		if a.placeholders == nil {
			a.placeholders = map[string]bool{}
		}
		a.placeholders[b.id] = true
		a.census.of(origins[from]).Skipped++
		a.census.of(censusKey{extract.FamilyBubble, listCalls}).Skipped += int64(b.placeholders)
	}
	return b.isPlaceholder
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
		d.SourceID, d.KeyedBy = a.n.SourceID, a.conv.ID
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
		a.rows.SubagentClaims = claims(a.n.SourceID, a.conv.ID, jsondoc.Value{}, a.facts)
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
		ref := a.n.Shared.project(a.facts, a.head)
		ref.apply(&row)
		a.rows.SubagentClaims = claims(source, id, a.head, a.facts)
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
		ref := a.n.Shared.projectOfWorkspace(c.workspace)
		ref.apply(&row)
		a.rows.SubagentClaims = claims(source, id, a.copyHead, a.facts)
		return row, true
	}
	if a.conv.Fingerprint == ListedFingerprint {
		return a.listedRow(), true
	}
	return a.n.Shared.orphan(source, id, a.facts), false
}
