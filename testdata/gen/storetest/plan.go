package storetest

import (
	"strconv"
	"time"
)

// Options say what user directory to plan.
type Options struct {
	Seed       uint64
	Messages   int  // how many messages, about; 0 means 600
	PrimaryKey bool // tables declared with a PRIMARY KEY instead of UNIQUE ON CONFLICT REPLACE
	// the global store in WAL mode, with rows that are in its -wal only; else closed cleanly with a rollback journal
	WAL     bool
	NoCases bool    // without the named corner cases
	Plant   Planter // changes every text as it is written; Want and Cases then say what is not there
	// how much conversations differ in size (the deviation of its logarithm); 0 means 0.7. With 2.5, one has most of
	// the messages
	Skew float64
}

// A Plan is a Cursor user directory that is not written yet. Every fact is decided. Only bodies that no figure depends
// on (file texts, tool outputs) are made up during writing, from seeds in the plan.
type Plan struct {
	o          Options
	r          rng
	chats      []*conversation // those of the global store and of the workspace stores
	workspaces []*workspace
	items      []Row            // the global ItemTable, beside the heads
	extra      []Row            // further rows of the global cursorDiskKV
	tombstones []map[string]any // rows of composerHeaders without a conversation
	bodies     []body           // rows of the families that only the raw layer keeps
	days       int              // rows of daily statistics
	bad        map[string]int   // rows that cannot be used, by the reason for it
	nulls      map[string]int   // rows that hold nothing, by family
	refused    int              // keys that must never be read
	unknown    int              // keys of no known family
	cases      []Case
	isYear     bool // it is a year of a developer
}

// A conversation is a composer or a chat tab, as the store has it and as the warehouse must have it.
type conversation struct {
	id     string
	v      string // _v as JSON, "" for none
	form   string // rows, map, inline, tabs (inside composerData) or chat_tab
	style  int    // of its headers: 0 ids only, 1 with createdAt, 2 with grouping, 3 with startedAtMs
	seed   uint64
	filler int        // bytes of file text in the composer
	store  *workspace // the workspace store that it lives in, nil for the global store

	title      string
	titleIn    string // where the title is: "" in the conversation, head in the head that links it
	status     string
	mode       string
	model      *string // modelConfig.modelName as stored
	modelList  bool    // the model is in modelConfig.selectedModels instead
	max        bool    // modelConfig.maxMode
	created    stamp
	updated    stamp // lastUpdatedAt, lastSendTime of a tab
	checkpoint int64 // conversationCheckpointLastUpdatedAt, ms, 0 for none
	tableTime  int64 // lastUpdatedAt of its row in composerHeaders, ms, 0 for none
	draft      bool
	archived   bool

	link    string     // how the project is found, in the words of project_source
	project *workspace // the folder that the link names

	parent     *conversation
	parentBy   string        // info (subagentInfo), table (isSubagent), list (subagentComposerIds of the parent), call
	subagent   bool          // it says that it is one, but nothing says whose
	bestOf     *conversation // whose prompt it answers, too, as one of several tries
	typeColumn string        // subagentTypeName in its row in composerHeaders
	bare       bool          // its row in composerHeaders has no identifier in the value
	noID       bool          // it is in a list of a workspace without an id; id is the one that the warehouse makes

	orphan   bool // bubbles whose composer is gone
	value    any  // with override: the composer's value as it is
	override bool // value is used; a composer that is gone has neither

	msgs          []*message // the listed in their order, and the unlisted in any
	stale         []*message // older copies of messages that a row has, in the map or the inline array
	missing       []string   // ids that headers name and that have no body
	checkpoints   []checkpoint
	contexts      []requestContext
	edits         []edit
	diffs         []diff
	usage         []usage
	usageInFields bool         // usageData is among fields
	attach        []attachment // things given with the conversation
	fields        []string     // further fields, name and JSON in turn
	// so many messages at its beginning are copies of another conversation's, which was counted
	copied int
	told   *told // what it says of itself; nil: what its seed gives
}

// told is what a conversation says of itself: its context window, its list of todos, its lines.
type told struct {
	window *window
	todos  []todo
	lines  *lineTotals
}

// A message is one bubble.
type message struct {
	id        string // what the warehouse must call it
	body      string // bubbleId in the body as JSON, "" for the id
	headerID  string // how its header names it, "" for the id
	emptyID   bool   // the header names it by an empty id
	noID      bool   // the body has no id at all
	twice     bool   // a second header names it
	unlisted  bool   // no header names it
	elsewhere bool   // its body is not where the form of the conversation has it: in a row, or a case writes it
	inCopy    bool   // only a workspace copy of the conversation has it
	late      bool   // its row is in the tail of the plan
	encoding  string // of the row's value: "" text, blob, hex, hexblob

	typ      string // type in the body, JSON, "" for none
	headType string // type in the header, JSON, "" for the body's
	role     string

	own       stamp // createdAt
	timestamp stamp // timestamp, of older bubbles
	head      stamp // createdAt of the header
	start     int64 // startedAtMs of the header, 0 for none
	finish    int64 // when it was written; completedAtMs of the header, where there is a startedAtMs
	timing    stamp // timingInfo.clientStartTime
	called    int64 // startedAtMs of its tool call, 0 for none
	turnMS    int64 // turnDurationMs of the body, 0 for none
	took      int64 // turnDurationMs of the header of a user's message, 0 for what the seed gives

	text       string
	textIn     string // the field that has it, "" for text
	thinking   string
	thinkStyle string // "" for an object with a signature, text for a plain string
	thinkMS    *int64
	tool       *tool
	stub       bool   // toolFormerData without name and number
	stubJSON   string // how it looks, "" for the usual one
	err        bool   // errorDetails
	ownError   bool   // errorDetails is among fields
	summarized bool   // it says that Cursor summarized the conversation
	model      *string
	modelIn    string // the field that has it, "" for modelInfo
	tokens     bool   // tokenCount is there
	in, out    int64
	request    string
	attach     []attachment
	of         string // the folder and the file that these are of, with @ between them; "" for any
	checkpoint string
	seed       uint64
	fields     []string // further fields, name and JSON in turn
}

// An attachment is a field that holds n attached things.
type attachment struct {
	field string
	n     int
	in    string // "" the bubble itself, context its context
}

// A requestContext is a row messageRequestContext.
type requestContext struct {
	id     string
	msg    *message // nil: it joins no message
	attach []attachment
	size   int
	seed   uint64
}

type checkpoint struct {
	id    string
	files int
	size  int
	seed  uint64
	null  bool
	of    string // the URI of the file that it is of; "" for any
}

// An edit is a proposed code change: an entry of codeBlockData, a row of fates, or both.
type edit struct {
	id     string
	uri    string
	msg    string
	block  bool // it is in codeBlockData
	inList bool // codeBlockData has a list for the file, and the entry no id
	answer bool // a response to a suggestion, which names no block
	status string
	fates  []fate
	at     int64
}

type fate struct {
	fate           string
	added, removed int
}

type diff struct {
	id    string
	bare  bool // the key does not name the conversation
	size  int
	seed  uint64
	hunks int
}

type usage struct {
	model         string
	cents, amount int64
}

// A body is a row that the warehouse has no table for.
type body struct {
	key  string
	kind string // text, json, proto
	size int
	seed uint64
}

// A stamp is a time as a store writes it, and what it means: 0 for no time at all.
type stamp struct {
	json string // "" for a field that is not there
	ms   int64
}

const day = int64(24 * 60 * 60 * 1000)

// gap is the pause, in milliseconds, that ends a session.
const gap = int64(30 * 60 * 1000)

// base is the time of the first chat, 2024-10-01 08:00 UTC.
var base = time.Date(2024, 10, 1, 8, 0, 0, 0, time.UTC).UnixMilli()

func isoText(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }

func iso(ms int64) stamp       { return stamp{`"` + isoText(ms) + `"`, ms} }
func number(ms int64) stamp    { return stamp{strconv.FormatInt(ms, 10), ms} }
func digits(ms int64) stamp    { return stamp{`"` + strconv.FormatInt(ms, 10) + `"`, ms} }
func float(ms int64) stamp     { return stamp{strconv.FormatInt(ms, 10) + ".25", ms} }
func noTime(json string) stamp { return stamp{json, 0} }

// New plans a user directory. It writes nothing.
func New(o Options) *Plan {
	if o.Messages <= 0 {
		o.Messages = 600
	}
	if o.Skew == 0 {
		o.Skew = 0.7
	}
	p := &Plan{o: o, r: newRNG(o.Seed, 0), bad: map[string]int{}, nulls: map[string]int{}}
	p.planWorkspaces()
	p.planChats()
	p.planFamilies()
	p.planTail()
	p.planItems()
	if !o.NoCases {
		p.planCases(caseTable)
	}
	p.planHeadersItem()
	return p
}

// Cases are the named corner cases of this plan; none with Options.NoCases.
func (p *Plan) Cases() []Case { return p.cases }

// listed are the messages that headers or places name, in order.
func (c *conversation) listed() []*message {
	var ms []*message
	for _, m := range c.msgs {
		if !m.unlisted {
			ms = append(ms, m)
		}
	}
	return ms
}

func ptr[T any](v T) *T { return &v }
