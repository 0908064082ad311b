package schema

// Source is a Cursor user directory.
type Source struct {
	SourceID    string `col:"source_id,key,id" doc:"12 hex digits of sha256(machine id, canonical user directory), or the NAME of --source NAME=DIR."`
	UserDir     string `col:"user_dir" doc:"The user directory (or the file) as it was first seen, canonical; git for the repositories of a machine."`
	Host        string `col:"host" doc:"Name of the machine that the load ran on."`
	OS          string `col:"os,word" doc:"Operating system that the directory belongs to: linux, darwin, windows."`
	App         string `col:"app,word" doc:"Application that wrote it: Cursor, Cursor Nightly, Cursor - Insiders, cursor-server, file; git for the repositories of a machine; ai-tracking for Cursor's records of who wrote which code; plans for a folder of plans; usage for a folder of files with usage."`
	FirstSeenAt Millis `col:"first_seen_at" doc:"Start of the first load that saw it."`
	LastSeenAt  Millis `col:"last_seen_at" doc:"Start of the last load that wrote rows; one that found nothing new changes no row (load_stores has every run)."`
}

// Workspace is a folder of workspaceStorage.
type Workspace struct {
	SourceID    string  `col:"source_id,key,id" doc:"Source the folder is in."`
	WorkspaceID string  `col:"workspace_id,key,id" doc:"Name of the folder in workspaceStorage."`
	URI         *string `col:"uri" doc:"Folder or .code-workspace URI as stored in workspace.json."`
	Kind        *string `col:"kind,word" doc:"local, wsl, ssh, dev_container, attached_container, tunnel, codespaces, virtual (vscode-vfs, memfs), multi_root or empty_window; NULL where workspace.json cannot be read, and for a URI of any other kind."`
	ProjectURI  *string `col:"project_uri,project" doc:"Identity of the project: percent-decoded, drive letter lower case, no trailing slash, remote authority kept."`
	Project     *string `col:"project,project" doc:"Last segment of project_uri, for people; may repeat."`
	ProjectPath *string `col:"project_path,project" doc:"Path of the project on the machine that holds it."`
}

// Conversation is a composer, or an old chat tab.
type Conversation struct {
	SourceID              string   `col:"source_id,key,id" doc:"Source the conversation is in."`
	ConversationID        string   `col:"conversation_id,key,id" doc:"The composer's id (from the row's key), or the chat tab's."`
	Title                 *string  `col:"title" doc:"Title that Cursor shows."`
	DisplayTitle          *string  `col:"display_title" doc:"title if it is not blank, else the first line that is not blank of the first user message with text (by position: listed messages first), cut at 80 characters; NULL where there is neither."`
	Subtitle              *string  `col:"subtitle" doc:"Line below the title, often the files touched."`
	ProjectURI            *string  `col:"project_uri,project" doc:"Project it belongs to; NULL where no store names one."`
	Project               *string  `col:"project,project" doc:"Last segment of project_uri, for people; may repeat."`
	ProjectPath           *string  `col:"project_path,project" doc:"Path of the project on the machine that holds it."`
	WorkspaceID           *string  `col:"workspace_id,id" doc:"workspaceStorage folder that names it."`
	ProjectSource         *string  `col:"project_source,word" doc:"Where the project was found: headers_table, composer, headers_item, pane, workspace_list, message (its messages name a folder), glass (the projects of the sidebar), repo (a repository that Cursor tracks for it), cli_meta (the folder in which the command line was started), graph (the agent's graph names a folder), slug (the name of the folder of its chat or its transcript is made of the path of a known project, or of the folder that .workspace-trusted or worker.log names there), parent, kept (no place names it any more: it is the last that was known). Of a git worktree (worktree_path) repo comes before all others."`
	KeptFrom              JSON     `col:"kept_from" doc:"Where values are from that stay when no place has them any more, by column: project of a kept project, as in project_source; title, mode and git_branch list, where the heads of lists alone gave them. NULL for none."`
	Mode                  *string  `col:"mode,word" doc:"agent, chat, edit, plan, debug, background; another number as its digits."`
	Status                *string  `col:"status,word" doc:"Status as stored (none, generating, completed, aborted), or orphaned: messages whose conversation row is gone or unusable."`
	Model                 *string  `col:"model,word" doc:"Model chosen for the conversation; auto where Cursor chose."`
	MaxMode               *bool    `col:"max_mode" doc:"Whether max mode was on."`
	ThinkingLevel         *string  `col:"thinking_level,word" doc:"Thinking level of the model configuration, else the effort in the parameters of its model."`
	IsAgentic             *bool    `col:"is_agentic" doc:"Whether the agent was on."`
	IsArchived            *bool    `col:"is_archived" doc:"Whether it was archived."`
	IsDraft               *bool    `col:"is_draft" doc:"Whether it is a draft."`
	IsSubagent            bool     `col:"is_subagent" doc:"Whether another conversation started it as a subagent."`
	ParentConversationID  *string  `col:"parent_conversation_id,id" doc:"Conversation that started this subagent." ref:"with source_id the key of conversations"`
	SubagentType          *string  `col:"subagent_type" doc:"Type of a subagent, such as explore; NULL where the store does not name it."`
	SubagentToolCallID    *string  `col:"subagent_tool_call_id,id" doc:"Tool call of the parent that started this subagent (tool_calls.tool_call_id)."`
	ForkedFrom            *string  `col:"forked_from,id" doc:"Conversation that this one is a fork of: the one that started first of those that have its first repeated message (messages.is_repeat); NULL for one that is no fork." ref:"with source_id the key of conversations"`
	BestOfParentID        *string  `col:"best_of_parent_id,id" doc:"Conversation whose prompt this one also answers, as one of several tries (best-of-N); NULL for one that is no such copy." ref:"with source_id the key of conversations"`
	Format                string   `col:"format,word" doc:"How the store held it: rows, map, inline, chat_tab; graph: the agent's graph alone; transcript: what the agent wrote down, where no store has it or its store says nothing."`
	StoreKind             *string  `col:"store_kind,word" doc:"Kind of the store that its rows are from: composer (the editor's global store), workspace (a workspace's store), cli_store, acp_store (stores of the command line), transcript (no store has it, or its store says nothing), cloud (a copy of a cloud agent in the editor's global store). NULL where it is not known."`
	Completeness          *string  `col:"completeness,word" doc:"complete; in_progress (the agent was at work); partial (a part is missing or cannot be read: messages that a header names, or nodes of the graph); lossy (a transcript lacks models, tokens, most times and results); unreadable. NULL where it is not known."`
	RootBlob              *string  `col:"root_blob,id" doc:"Name of the root of the agent's graph, 64 hex digits; NULL for a conversation without a graph."`
	StartedTimeZone       *string  `col:"started_time_zone" doc:"Time zone in which the conversation was started, such as Europe/Berlin."`
	PlanPaths             JSON     `col:"plan_paths" doc:"Paths of the plans that the agent's graph names, or Cursor's registry of plans, sorted (table plans); NULL for none."`
	FormatVersion         *string  `col:"format_version,word" doc:"_v of the conversation document as stored; NULL where absent."`
	CreatedAt             *Millis  `col:"created_at" doc:"When it was created."`
	UpdatedAt             *Millis  `col:"updated_at" doc:"Latest of the store's own update times."`
	LastActivityAt        *Millis  `col:"last_activity_at" doc:"Latest of created_at, updated_at and the real message times."`
	FirstMessageAt        *Millis  `col:"first_message_at" doc:"Earliest real message time."`
	LastMessageAt         *Millis  `col:"last_message_at" doc:"Latest real message time."`
	MessageCount          int64    `col:"message_count" doc:"Live messages."`
	UserMessageCount      int64    `col:"user_message_count" doc:"Live messages of role user, without those that the program wrote (messages.is_simulated)."`
	AssistantMessageCount int64    `col:"assistant_message_count" doc:"Live messages of role assistant."`
	ToolCallCount         int64    `col:"tool_call_count" doc:"Live tool calls, placeholders not counted."`
	HeaderCount           int64    `col:"header_count" doc:"Messages that the conversation's header list names (each once)."`
	MissingMessageCount   int64    `col:"missing_message_count" doc:"Headers whose message the store does not have."`
	UnlistedMessageCount  int64    `col:"unlisted_message_count" doc:"Live messages that no header names: abandoned branches and the like."`
	InputTokens           *int64   `col:"input_tokens" doc:"Sum over the messages that record it; NULL when none does."`
	OutputTokens          *int64   `col:"output_tokens" doc:"Sum over the messages that record it; NULL when none does."`
	CostCents             *float64 `col:"cost_cents" doc:"Cost in US cents where an old store recorded it (usageData)."`
	ContextTokensUsed     *int64   `col:"context_tokens_used" doc:"Tokens in the context window at the last turn."`
	ContextTokenLimit     *int64   `col:"context_token_limit" doc:"Size of the context window."`
	LinesAdded            *int64   `col:"lines_added" doc:"Lines added, by the store's own total."`
	LinesRemoved          *int64   `col:"lines_removed" doc:"Lines removed, by the store's own total."`
	FilesChanged          *int64   `col:"files_changed" doc:"Files changed, by the store's own total."`
	GitBranch             *string  `col:"git_branch" doc:"The active branch, else the last of branches, else the branch it was committed to, else the branch it was created on."`
	Branches              JSON     `col:"branches" doc:"The branches that it was active on, as stored; NULL when empty."`
	IsWorktree            *bool    `col:"is_worktree" doc:"Whether it works in a git worktree of its own."`
	WorktreePath          *string  `col:"worktree_path" doc:"Path of the git worktree in which it works; project_uri is then the repository, where a store names it."`
	AgentBackend          *string  `col:"agent_backend,word" doc:"What ran the agent, such as cursor-agent."`
	DraftText             *string  `col:"draft_text" doc:"Text in the input box that was not sent."`
	Summary               *string  `col:"summary" doc:"Latest summary that the store holds."`
	SessionID             *string  `col:"session_id,id" doc:"Session it belongs to; a subagent and a best-of-N copy have their parent's."`
	FirstSeenAt           Millis   `col:"first_seen_at" doc:"Start of the first load that saw it."`
	ChangedAt             Millis   `col:"changed_at" doc:"Start of the load that last found it changed."`
	DeletedAt             *Millis  `col:"deleted_at" doc:"Start of the load that found it gone from the store."`
}

// Message is one turn of a conversation: a bubble.
type Message struct {
	SourceID           string  `col:"source_id,key,id" doc:"Source of the conversation."`
	ConversationID     string  `col:"conversation_id,key,id" doc:"Conversation the message belongs to."`
	MessageID          string  `col:"message_id,key,distinct,id" doc:"The bubble's id, from its key; #index for an inline message without one; a repeated id gets ~2. Of a message that only the agent's graph has: the prompt's id; <prompt's id>/<step>; turn<n> for a command that the user ran."`
	Position           *int64  `col:"position" doc:"Position among the live messages, from 0 without holes; NULL once deleted."`
	IsListed           bool    `col:"is_listed" doc:"Whether the conversation's header list (or inline array) names it, or did until Cursor cut the list's beginning. Where no header names any message, all are listed."`
	Turn               *int64  `col:"turn" doc:"Number of user messages up to and including this one; those that the program wrote (is_simulated) do not count."`
	Role               string  `col:"role,word" doc:"user, assistant or unknown."`
	Kind               string  `col:"kind,word" doc:"tool_call, compaction (Cursor summarized the conversation), error, text, thinking, shell (a command that the user ran; extra has its output) or empty; the first that applies."`
	Text               *string `col:"text,distinct" doc:"Text, byte for byte (U+0000 stored as U+2400); NULL when there is none."`
	Thinking           *string `col:"thinking,distinct" doc:"Thinking text."`
	ThinkingDurationMs *int64  `col:"thinking_duration_ms" doc:"Time spent thinking; a negative stored value is NULL."`
	TurnDurationMs     *int64  `col:"turn_duration_ms" doc:"Time that the turn took, from the message's header, else from the message; NULL where neither records it."`
	Model              *string `col:"model,word" doc:"Model that answered; auto where Cursor chose; NULL where the store does not say."`
	Mode               *string `col:"mode,word" doc:"Mode of the turn: chat, agent, plan; another number as its digits."`
	RequestID          *string `col:"request_id,id" doc:"Request that the turn belongs to; forks keep it."`
	IsRepeat           bool    `col:"is_repeat" doc:"Whether a conversation that started earlier has its request, or the message itself (the same bubble or tool call with the same time and text), too: a fork begins with copies. A message without a request of its own has that of its turn (those that no header lists apart). In subagents and best-of-N copies only the message itself counts."`
	UsageID            *string `col:"usage_id,id" doc:"usageUuid of the turn."`
	ContextSessionID   *string `col:"context_session_id,id" doc:"Context session of the turn."`
	CreatedAt          *Millis `col:"created_at" doc:"Best known time; see created_at_source."`
	CreatedAtSource    *string `col:"created_at_source,word" doc:"message, header, tool (its tool call), timing, graph (the agent's graph), tag (a tag in the prompt, exact to a minute): recorded times; previous, conversation (inherited)."`
	Origin             *string `col:"origin,word" doc:"Where the message was read: bubble (the editor's rows), graph (the agent's graph), transcript. NULL where it is not known."`
	IsSimulated        bool    `col:"is_simulated" doc:"Whether the program wrote this message of role user, and no person: a notice, the button Build, what an agent told its subagent. False where nothing says so."`
	InputTokens        *int64  `col:"input_tokens" doc:"Input tokens; NULL where not recorded (both zero or absent)."`
	OutputTokens       *int64  `col:"output_tokens" doc:"Output tokens; NULL where not recorded."`
	CacheReadTokens    *int64  `col:"cache_read_tokens" doc:"Tokens read from the cache; NULL where not recorded."`
	CacheWriteTokens   *int64  `col:"cache_write_tokens" doc:"Tokens written to the cache; NULL where not recorded."`
	ContextTokensUsed  *int64  `col:"context_tokens_used" doc:"Tokens in the context window when the message was made."`
	IsAgentic          *bool   `col:"is_agentic" doc:"Whether the agent was on."`
	ErrorCode          *string `col:"error_code,word" doc:"Code of an error that ended the turn."`
	Error              *string `col:"error" doc:"Message of an error that ended the turn."`
	Summary            *string `col:"summary" doc:"Summary of the conversation so far that is stored with this message."`
	CheckpointID       *string `col:"checkpoint_id,distinct,id" doc:"Checkpoint that the message starts from."`
	Extra              JSON    `col:"extra" doc:"toolResults, codeBlocks and what Cursor itself said beside the message (serviceStatusUpdate, an offer in errorDetails), as stored; NULL when empty."`
	DeletedAt          *Millis `col:"deleted_at" doc:"Start of the load that found it gone from the store."`
}

// ConversationSource is a place where a source has a conversation.
type ConversationSource struct {
	SourceID       string  `col:"source_id,key,id" doc:"Source that has it."`
	ConversationID string  `col:"conversation_id,key,id" doc:"Conversation that is there."`
	StoreKind      string  `col:"store_kind,key,word" doc:"Kind of the store: composer, workspace, cli_store, acp_store, transcript, cloud (a copy of a cloud agent)."`
	Path           string  `col:"path,key" doc:"Path of the store, below the source's user_dir; of a cloud agent the key of its row in the global store, as the document of a composer that shows it names it, or as it is there."`
	IsPrimary      bool    `col:"is_primary" doc:"Whether the rows of the conversation are from this place."`
	MessageCount   *int64  `col:"message_count" doc:"Messages that were read there; NULL for a place that was not read."`
	ToolCallCount  *int64  `col:"tool_call_count" doc:"Tool calls that were read there; NULL for a place that was not read."`
	RootBlob       *string `col:"root_blob,id" doc:"Name of the root of the agent's graph there."`
	ProjectPath    *string `col:"project_path,project" doc:"Folder of the project that the file .workspace-trusted, or worker.log, names, for a place whose folder is named after it; NULL for none."`
	DeletedAt      *Millis `col:"deleted_at" doc:"Start of the load that found it gone."`
}

// ToolCall is a real tool call: one with a name or a tool number.
type ToolCall struct {
	SourceID       string  `col:"source_id,key,id" doc:"Source of the conversation."`
	ConversationID string  `col:"conversation_id,key,id" doc:"Conversation of the message."`
	MessageID      string  `col:"message_id,key,distinct,id" doc:"Message that made the call."`
	CallIndex      int64   `col:"call_index,key" doc:"Position among the message's calls, from 0."`
	ToolCallID     *string `col:"tool_call_id,distinct,id" doc:"Id that the model gave; may hold a newline."`
	Position       *int64  `col:"position" doc:"Position of the message; NULL once deleted."`
	ToolNumber     *int64  `col:"tool_number,signed" doc:"Cursor's stable tool number."`
	Tool           *string `col:"tool,word" doc:"Stable name: by the tool number, else the stored name without _v2."`
	ToolKind       string  `col:"tool_kind,word" doc:"read, search, edit, shell, web, mcp, plan, task or other."`
	Name           *string `col:"name" doc:"Name as stored; renamed between versions."`
	McpServer      *string `col:"mcp_server" doc:"MCP server that offers the tool; see mcp_server_source."`
	McpTool        *string `col:"mcp_tool" doc:"Name of the tool on its server: as the parameters say, else what follows the server in the name; NULL for what is no tool of a server."`
	ServerSource   *string `col:"mcp_server_source,word" doc:"Where mcp_server comes from: params (the call says it), known (the name begins with a server that other calls, messages or settings name; the longest), name (the first part of the name, a guess)."`
	Status         *string `col:"status,word" doc:"completed, error, cancelled, loading, pending, success, as stored; of a call in the agent's graph success, error, rejected, denied or pending."`
	UserDecision   *string `col:"user_decision,word" doc:"accepted or rejected, by the stored decision, the result, or the choice in a review; else as stored."`
	Outcome        *string `col:"outcome,word" doc:"How the call ended, by all places that have it, the first that applies: rejected (by the user), cancelled (or denied), aborted, error (a state, an error, or an exit code other than 0), ok, pending (no place says how it ended); NULL where nothing is recorded."`
	IsError        *bool   `col:"is_error" doc:"By outcome: true for error, false for ok, else NULL. For a rate, count only non-NULL rows."`
	ExitCode       *int64  `col:"exit_code,signed" doc:"Exit code of a shell command, from its result; NULL where it is not recorded."`
	Params         JSON    `col:"params,distinct" doc:"Parameters; text that is no JSON is stored as a JSON string."`
	RawArgs        *string `col:"raw_args,distinct" doc:"Arguments as the model wrote them."`
	Result         JSON    `col:"result,distinct" doc:"Result; text that is no JSON is stored as a JSON string. The agent's graph gives it whole where the editor's row has a shorter one, or none."`
	ResultOrigin   *string `col:"result_origin,word" doc:"Where the result was read: bubble (the editor's row), graph (the agent's graph), transcript; NULL without a result."`
	AdditionalData JSON    `col:"additional_data" doc:"What else Cursor keeps of the call (a review, a difference of lines, why it was blocked), as stored; NULL when empty."`
	SubagentID     *string `col:"subagent_id,id" doc:"Conversation of the subagent that the call started; of a transcript the child that begins with the prompt of the call." ref:"with source_id the key of conversations"`
	Error          *string `col:"error" doc:"Error message."`
	StartedAt      *Millis `col:"started_at" doc:"Start, from the message's header, else from the call itself, else from the agent's graph; NULL where none records it."`
	DurationMs     *int64  `col:"duration_ms" doc:"Duration, from the message's header, else as the result states it, else from the start to the message's time, else from the agent's graph; NULL where these are not recorded."`
	FilePath       *string `col:"file_path" doc:"File that the call is about, from its parameters, else from raw_args."`
	Command        *string `col:"command" doc:"Shell command, from its parameters, else from raw_args."`
	LinesAdded     *int64  `col:"lines_added" doc:"Lines added by an edit, where recorded."`
	LinesRemoved   *int64  `col:"lines_removed" doc:"Lines removed by an edit, where recorded."`
	ResultBytes    *int64  `col:"result_bytes" doc:"Size of the result as stored; NULL without a result."`
	DeletedAt      *Millis `col:"deleted_at" doc:"Start of the load that found it gone from the store."`
}

// Attachment is a thing given with a message, or with the conversation.
type Attachment struct {
	SourceID       string  `col:"source_id,key,id" doc:"Source of the conversation."`
	ConversationID string  `col:"conversation_id,key,id" doc:"Conversation it belongs to."`
	MessageID      *string `col:"message_id,key,id" doc:"Message it was attached to; NULL: to the conversation itself."`
	Ordinal        int64   `col:"ordinal,key" doc:"Position among the attachments of the message (or conversation), from 0."`
	Kind           string  `col:"kind,word" doc:"file, current_file, folder, selection, code_chunk, doc, rule, commit, pull_request, image, link, terminal, git_diff, notepad, quote, lint or todo; other for what is none of these, such as an earlier chat, a command or a picked element of a page."`
	Path           *string `col:"path" doc:"Path for people."`
	URI            *string `col:"uri" doc:"URI as stored."`
	StartLine      *int64  `col:"start_line,signed" doc:"First line."`
	EndLine        *int64  `col:"end_line,signed" doc:"Last line."`
	Detail         JSON    `col:"detail" doc:"The element as stored."`
}

// Checkpoint is a saved file state.
type Checkpoint struct {
	SourceID       string  `col:"source_id,key,id" doc:"Source of the conversation."`
	ConversationID string  `col:"conversation_id,key,id" doc:"Conversation of the checkpoint."`
	CheckpointID   string  `col:"checkpoint_id,key,distinct,id" doc:"The checkpoint's id, from its key."`
	MessageID      *string `col:"message_id,distinct,id" doc:"First message that names the checkpoint."`
	FileCount      int64   `col:"file_count" doc:"Files it holds."`
	Files          JSON    `col:"files,distinct" doc:"The files and their differences, as stored."`
	DeletedAt      *Millis `col:"deleted_at" doc:"Start of the load that found it gone from the store."`
}

// CodeEdit is a proposed code change.
type CodeEdit struct {
	SourceID       string  `col:"source_id,key,id" doc:"Source of the conversation."`
	EditID         string  `col:"edit_id,key" doc:"The code block's id, else <conversation_id>:<uri>#<index>; for a response that names no block <conversation_id>:response#<index>."`
	ConversationID string  `col:"conversation_id,key,id" doc:"Conversation that proposed it; a forked chat repeats the ids of its origin."`
	MessageID      *string `col:"message_id,id" doc:"Message that proposed it."`
	Path           *string `col:"path" doc:"File that it changes."`
	Language       *string `col:"language,word" doc:"Language id of the file."`
	Status         *string `col:"status,word" doc:"Status in the code block; NULL where only accept/reject records exist; response and a number, whose meaning is not known, for a user's response that names no block."`
	IsAccepted     *bool   `col:"is_accepted" doc:"All hunks accepted: true; all rejected: false; mixed or unknown: NULL."`
	LinesAdded     *int64  `col:"lines_added" doc:"Lines that its hunks add."`
	LinesRemoved   *int64  `col:"lines_removed" doc:"Lines that its hunks remove."`
	CreatedAt      *Millis `col:"created_at" doc:"When it was proposed."`
	DiffID         *string `col:"diff_id,id" doc:"codeBlockDiff row that it names." ref:"with source_id the diff_id of code_diffs"`
	DeletedAt      *Millis `col:"deleted_at" doc:"Start of the load that found it gone from the store."`
}

// CodeDiff is a codeBlockDiff row.
type CodeDiff struct {
	SourceID       string  `col:"source_id,key,id" doc:"Source of the row."`
	DiffID         string  `col:"diff_id,key,id" doc:"The diff's id: the last segment of its key."`
	ConversationID *string `col:"conversation_id,id" doc:"Conversation of the diff; NULL where the key has none and no edit names it."`
	KeyedBy        string  `col:"keyed_by,key,scope" doc:"Conversation in the row's own key; for a key without one '', or (workspace/ID) in a workspace's store."`
	Hunks          *int64  `col:"hunks" doc:"Hunks of the new model's diff."`
	LinesAdded     *int64  `col:"lines_added" doc:"Lines that the hunks add."`
	LinesRemoved   *int64  `col:"lines_removed" doc:"Lines that the hunks remove."`
	DeletedAt      *Millis `col:"deleted_at" doc:"Start of the load that found it gone from the store."`
}

// ModelUsage is the cost per conversation and model, where an old store has it.
type ModelUsage struct {
	SourceID       string   `col:"source_id,key,id" doc:"Source of the conversation."`
	ConversationID string   `col:"conversation_id,key,id" doc:"Conversation that cost it."`
	Model          string   `col:"model,key,word" doc:"Model as stored; auto where Cursor chose."`
	CostCents      *float64 `col:"cost_cents" doc:"Cost in US cents."`
	Requests       *int64   `col:"requests" doc:"Requests counted."`
	DeletedAt      *Millis  `col:"deleted_at" doc:"Start of the load that found it gone from the store."`
}

// ContextPart is what a part of the prompt takes of a conversation's context window.
type ContextPart struct {
	SourceID       string  `col:"source_id,key,id" doc:"Source of the conversation."`
	ConversationID string  `col:"conversation_id,key,id" doc:"Conversation whose context it is in."`
	Part           string  `col:"part,key" doc:"Id of the part as stored (system prompt, tools, rules, skills, MCP servers, the conversation itself), else its label."`
	Label          *string `col:"label" doc:"What Cursor calls it."`
	Tokens         *int64  `col:"tokens" doc:"Tokens, as Cursor estimated them at the last turn."`
	DeletedAt      *Millis `col:"deleted_at" doc:"Start of the load that found it gone from the store."`
}

// DailyEditStats is Cursor's own count of a day.
type DailyEditStats struct {
	SourceID               string `col:"source_id,key,id" doc:"Source that counted."`
	Date                   Date   `col:"date,key" doc:"Day, by Cursor's own rule."`
	TabSuggestedLines      *int64 `col:"tab_suggested_lines" doc:"Lines that Tab suggested."`
	TabAcceptedLines       *int64 `col:"tab_accepted_lines" doc:"Lines of Tab that were accepted."`
	ComposerSuggestedLines *int64 `col:"composer_suggested_lines" doc:"Lines that the composer suggested."`
	ComposerAcceptedLines  *int64 `col:"composer_accepted_lines" doc:"Lines of the composer that were accepted."`
}

// Prompt is a legacy prompt or generation (aiService.*).
type Prompt struct {
	SourceID    string  `col:"source_id,key,id" doc:"Source that holds it."`
	WorkspaceID string  `col:"workspace_id,key,id" doc:"Workspace that holds it; '' for the global store."`
	PromptID    string  `col:"prompt_id,key,id" doc:"generationUUID, else a hash of the text and its n-th repetition."`
	Kind        string  `col:"kind,word" doc:"prompt or generation."`
	Text        *string `col:"text" doc:"Text of the prompt, or description of the generation."`
	CommandType *string `col:"command_type,word" doc:"commandType of a prompt, a number whose meaning is not known; type of a generation, such as composer or cmdk."`
	CreatedAt   *Millis `col:"created_at" doc:"Time, where recorded (generations)."`
	DeletedAt   *Millis `col:"deleted_at" doc:"Start of the load that found it gone from the store."`
}
