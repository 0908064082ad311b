package transform

import (
	"cmp"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/graph"
	"pipeline/transform/jsondoc"
	"pipeline/transform/transcript"
)

// defaultBudget is how many bytes of a conversation's rows are held in memory until their order is known. If there are
// more, all are set aside.
const defaultBudget = 64 << 20

// assembly builds the rows of one conversation. Documents come in key order; rows go out in the conversation's order.
type assembly struct {
	n       *Normalizer
	conv    *extract.Conversation
	owner   string // the conversation's id, or the name of a group of loose rows
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

// keptFrom reads or makes the column kept_from.
type keptFrom struct {
	Project string `json:"project,omitempty"`
	Title   string `json:"title,omitempty"`
	Mode    string `json:"mode,omitempty"`
	Branch  string `json:"git_branch,omitempty"`
}

// fate is one codeBlockPartialInlineDiffFates row: whether each hunk of a code block was accepted.
type fate struct {
	id                 string // id of the code block
	accepted, rejected int
	other              int
	added, removed     *int64 // lines; nil if no hunk lists any
}

// agent is what a conversation's rows have of the agent's graph, and what its transcripts say.
type agent struct {
	nodes  map[string]*extract.Document // by their names
	roots  []*extract.Document          // rows in which the graph may begin, without the head
	about  jsondoc.Value                // the row that describes a chat of the command line
	file   jsondoc.Value                // the file beside its store
	copies []string                     // paths of other stores of the same chat

	badRoot bool // what should be the root of the graph or name it does not
	// folder that the command line trusts, and after which the conversation's folder is named; "" for none
	trusted string
	graph   *graph.Conversation        // nil: there is none
	cloud   *cloudAgent                // that the graph is of; nil: it is of none
	calls   map[string]*graph.ToolCall // by id
	said    spoken                     // what its transcripts say
}

// spoken is what the transcripts of a conversation say.
type spoken struct {
	files  []*extract.Document
	own    *transcript.Transcript // of which the conversation's rows are made; nil: of none
	parent string                 // conversation whose agent started this one
	places []schema.ConversationSource
}

// cloudAgent is what is known of the cloud agent that a graph is of.
type cloudAgent struct {
	*graph.CloudState
	at *schema.Millis // time of the state
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
	q.ConversationID = ptr(a.owner)
	a.rows.Quarantine = append(a.rows.Quarantine, q)
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
		a.spillBody(s)
	} else {
		a.grow(b.size())
	}
}

// spillBody sets the rows of a message aside. The map held the key of which the message's id was a part.
func (a *assembly) spillBody(s *pendingMessage) {
	s.setAside(a.spill)
	a.pending[s.id] = s
}

// grow counts bytes of rows in memory. Once they exceed the budget, the rows of all messages are set aside, and all
// rows that may be large and come later.
func (a *assembly) grow(bytes int64) {
	if a.held += bytes; a.held > cmp.Or(a.n.Budget, defaultBudget) {
		a.large = true
		for _, s := range a.pending {
			a.spillBody(s)
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

// setAside puts an element of a list in a document of the conversation into quarantine that is none: it is no object.
// place says where in the document it is.
func (a *assembly) setAside(d *extract.Document, element jsondoc.Value, count *schema.LoadElement, place ...[]byte) {
	if jsondoc.IsEmpty(element.Unquoted()) {
		return
	}
	// a workspace's row holds several conversations
	row := elementRow(a.n.SourceID, d, element, append(place, []byte(a.owner))...)
	row.ConversationID = ptr(a.owner)
	a.rows.Quarantine = append(a.rows.Quarantine, row)
	count.Quarantined++
}

// setMessageAside is setAside for an element of a list of messages.
func (a *assembly) setMessageAside(element jsondoc.Value, from origin, place []byte) {
	d := a.conv.Head
	if from == inCopy || from == inChatTab {
		d = a.copy.doc
	}
	a.setAside(d, element, a.census.of(origins[from]), []byte(origins[from].list), place)
}

// ofDocument names a list in the conversation's own document, else in the workspace's copy that is read.
func (a *assembly) ofDocument(own bool, list string) *schema.LoadElement {
	if !own && a.copy != nil {
		return a.census.of(censusKey{origins[a.copy.origin()].family, list})
	}
	return a.census.of(censusKey{extract.FamilyComposer, list})
}
