package graph

import "encoding/json"

// Conversation is what a root and the blobs below it say (the message ConversationStateStructure). Times are
// milliseconds since 1970, UTC. A pointer is nil, and a text is empty, where nothing is recorded. Every text is valid
// UTF-8: other bytes have become U+FFFD. Numbers in brackets are those of the root's fields.
type Conversation struct {
	Root Hash // SHA-256 of the root's bytes
	// complete; in_progress: the agent was at work; partial: something could not be read; unreadable: nothing could be
	// read
	Completeness string

	Turns     []Turn     // what the user sees, in order [8]
	Pending   []ToolCall // calls that were running and are in no turn [4]
	Summaries []string   // of what compactions put aside [11, 13]

	Workspaces   []string          // URIs of folders, percent-encoded as stored; the first is the workspace [9]
	Mode         string            // agent, ask, plan, debug, triage, project; another number as its digits [10]
	UsedTokens   *int64            // tokens in the context window [5.1]
	MaxTokens    *int64            // size of the context window [5.2]
	ContextParts []ContextPart     // what the window was filled with [5.3]
	Summary      string            // summary that the user asked for [6]
	Branches     []Branch          // branches of repositories that Cursor tracks [21]
	PlanPaths    map[string]string // paths of plans by their ids [20]
	StartedAt    *int64            // start of the conversation, not of a turn [26]
	TimeZone     string            // time zone of the start, such as Europe/Berlin [27]
	Cloud        *CloudState       // of the cloud agent that it is of; nil: it is of none
	Subagents    []string          // ids of subagents with a graph of their own [16, 31], and of those that ran [30]

	Problems []Problem // what could not be read; one for a blob and a reason
	// how often a field was seen that no reader knows: message.number, or message.number/wire type for a known field of
	// another type
	UnknownFields map[string]int64

	hasMessages bool // a message of what the model saw was read [1, 11, 13]
}

// Turn is a prompt with what followed, or a command that the user ran (ConversationTurnStructure).
type Turn struct {
	Index       int    // position in the root's list; -1 for a turn that is made from prompt messages
	RequestID   string // id of the request, which a bubble has as requestId [agent turn 3]
	User        *UserMessage
	Steps       []Step
	Lost        []int         // positions of the steps that could not be read
	Shell       *ShellCommand // a command that the user ran; then User and Steps are empty
	Model       string        // modelName of the last prompt message of this request, or turn, that has one
	RoutedModel string        // name of the model that was picked for "Auto" [agent turn 7]
	// guessed: the root's turn timing at the same position, if there is one for each turn [14]
	DurationMS *int64
}

// UserMessage is a prompt (UserMessage).
type UserMessage struct {
	ID          string
	Text        string // long texts are in a blob of their own [18]
	Simulated   bool   // written by the program, not by a person [5]
	Mode        string // like Conversation.Mode [4]
	StartedAt   *int64 // [25]
	CompletedAt *int64 // [26]
	TaggedAt    *int64 // time in the tag <timestamp> of the prompt message of this request: exact to a minute
	Attachments []Attachment
}

// Attachment is something that the user gave with a prompt (SelectedContext).
type Attachment struct {
	// image, file, code, terminal, folder, link, rule, command, doc, ui_element, console_log, commit, diff, chat,
	// pull_request, subagent, video, browser, document, skill
	Kind string
	Path string // path, URL, or id
	Name string // name, title, or media type of an image
	Text string // its content, if it is recorded in the message itself
}

// Step is one thing that the agent did (ConversationStep).
type Step struct {
	Index       int    // position in the turn's list; steps that could not be read are left out
	Kind        string // assistant, thinking, tool; sealed: reasoning that is kept encrypted, without a text
	Text        string // of assistant and thinking
	Call        *ToolCall
	StartedAt   *int64
	CompletedAt *int64 // often missing on the last step of a turn that has ended
	DurationMS  *int64 // of thinking
}

// ToolCall is a call of a tool (ToolCall), joined with the prompt messages that have its id.
type ToolCall struct {
	ID         string          // field 57, else a field of the arguments, else guessed from the order of calls
	Name       string          // name that the model called, such as Read: from a prompt message
	Tool       string          // name of the variant, such as read; its number for one that is not known
	Variant    int             // field number of the variant; 0 if the call is known from a prompt message only
	Args       json.RawMessage // arguments: those of the prompt message, else VariantArgs
	Result     json.RawMessage // result: that of the prompt message, else VariantResult
	ModelsArgs bool            // Args are those of the prompt message
	// an object of the arguments' fields; keys are names, or numbers where names are not known
	VariantArgs   json.RawMessage
	VariantResult json.RawMessage // the same of the result
	// success, error, rejected, denied: by the field that the result has, else by what the prompt message says of it
	// for Cursor itself; "" without a result, and if it has several
	Outcome      string
	IsError      *bool  // isError of the prompt message with the result
	Error        string // error of a truncated call, or what the prompt message says for Cursor itself
	ExitCode     *int64 // of a shell command that ended
	TookMS       *int64 // as its result states it, of a shell command or a task
	LinesAdded   *int64 // of an edit
	LinesRemoved *int64 // of an edit
	AgentID      string // subagent that a task started
	Model        string // modelName of the prompt message with the call
	StartedAt    *int64 // [59]
	CompletedAt  *int64 // [60]
	Pending      bool   // it was running when the root was written [root 4]
}

// ShellCommand is a command that the user typed (ShellConversationTurnStructure).
type ShellCommand struct {
	Command, Stdout, Stderr string
	ExitCode                *int64 // nil if the output is missing
}

// ContextPart is a part of the context window (ConversationTokenDetails 3.3).
type ContextPart struct {
	ID, Label string
	Tokens    *int64 // estimated
}

// Branch is the branch of a repository.
type Branch struct{ Repository, Name string }

// Problem is something that could not be read.
type Problem struct {
	// Reason is bad_root or bad_node (not what this node must be), blob_missing, hash_mismatch (the bytes are not those
	// that the name says), sealed (the store is encrypted; then this is named once, and not for each blob), too_large
	// or too_deep (beyond a limit).
	Reason string
	Node   string // what the blob should be: root, turn, user_message, step and so on
	Blob   Hash   // the blob, or the one that it is in
}
