// Package graphtest makes graphs of Cursor's agent for tests (docs/formats.md, The agent's graph).
//
// A Chat is a plain description of a conversation. Build writes its blobs, and Want says, in lines of text, what a
// reader must find in them. Both follow from the description alone: this package imports nothing of this module, so
// that it and the decoder cannot share a mistake. Cases are named shapes, sound and damaged ones; Random makes a
// description from a seed.
package graphtest

// Chat describes a conversation. Times are milliseconds since 1970. What is empty or 0 is not written.
type Chat struct {
	Turns      []Turn
	Mode       int // 1 agent, 2 ask, 3 plan and so on, up to 6
	Used, Max  int64
	Parts      []Part
	Workspaces []string
	StartedAt  int64
	TimeZone   string
	Todos      []Todo
	Summary    string
	Plan       string
	Branches   [][2]string // repository, branch
	PlanPaths  [][2]string // id, path
	Timings    [][2]int64  // duration, time
	Pending    []string    // texts of root field 4, as they are
	Subagents  []Subagent
	Runs       []Run

	Archived   int    // the messages of so many turns are in archives; they stay turns
	OldArchive bool   // the archive is in the older field of the root
	Summarized string // the summary of the archive
	LostTurns  int    // so many turns at the beginning are not in the root, only in the messages
	NoTurns    bool   // the root names no turns, as that of an early store
	NoMessages bool   // the root names no messages
	OpenAI     bool   // messages have the other form
	InParts    bool   // parts of messages name the model; else messages do
	Twice      bool   // the root names each message twice
	Unknown    bool   // nodes have fields that nobody knows

	want []string // lines that Want adds: problems, and what tests know
}

// Part is a part of the context window.
type Part struct {
	ID, Label     string
	Tokens, Chars int64
}

// Todo is a task. States are 1 pending, 2 in progress, 3 completed, 4 cancelled.
type Todo struct {
	ID, Text string
	State    int
	At       int64
}

// Run is a run of a subagent by a tool call. States are 1 running, 2 backgrounded, 3 success, 4 error, 5 aborted.
type Run struct {
	Call, Subagent, Title string
	State                 int
	EndedAt               int64
}

// Subagent is an agent with a graph of its own.
type Subagent struct {
	ID, Custom, Model, Cloud string
	CreatedAt                int64
	AsBlob                   bool // the root names a blob with it; else it is in the root
	Chat                     Chat
}

// Turn is a prompt with what followed, or a command.
type Turn struct {
	Request, Routed, Model string
	User                   User
	Steps                  []Step
	Shell                  *Shell
}

// User is a prompt.
type User struct {
	ID, Text  string
	InBlob    bool // the text is in a blob of its own
	Simulated bool
	Notice    bool // its message says that a task in the background ended; the prompt's node does not say who wrote it
	At        int64
	Tag       string // text of the tag <timestamp> in the message
	TagAt     int64  // the time that it means
	Files     []string
}

// Shell is a command that the user typed.
type Shell struct {
	Command, Out, Err string
	Exit              int64
}

// Step is one thing that the agent did.
type Step struct {
	// assistant, thinking, sealed, tool; beside: an answer beside an empty thought; bad: a blob that is no step
	Kind      string
	Text      string // of a sealed step: what its message has in place of a text; of a bad one: its bytes
	From, To  int64
	Duration  int64 // of thinking
	Call      *Call
	Truncated int // so many truncated steps lead to this one
}

// Call is a tool call.
type Call struct {
	ID, Name     string // the name is in the message only
	IDIn         string // call, args, or none: then only the message has it
	SaidID       string // how the message spells it, "" for the same
	Tool         Tool
	Args, Result string // JSON, as the message has it
	IsError      bool   // of the message
	Told         Told   // of the message
	Unsaid       bool   // no message has it
	NoResult     bool   // it has not ended
}

// Told is what a message with a result has for Cursor itself, beside the text that the model gets.
type Told struct {
	Kind       string // success, failure, error, rejected, permissionDenied; "" for none
	Exit, Took int64
}

// Tool is a call's variant: its number, its messages, and what a reader must find in them.
type Tool struct {
	Number       int
	Name         string
	Args, Result []byte
	Outcome      string
	WantArgs     string // JSON; keys are the names of fields
	WantResult   string
	Exit         *int64
	Added        *int64
	Removed      *int64
	Agent        string
	Took         int64  // as the result states it, in ms
	Blob         []byte // a blob that the result names
}
