package schema

import (
	"slices"
	"sync"
)

// This file lists the tables, and the rows that are made of a conversation.

// Tables lists every table, in the order in which people read them.
func Tables() []Table { return slices.Clone(tables()) }

// tables are all tables. They are made once, as a run asks for them often.
var tables = sync.OnceValue(func() []Table {
	return []Table{
		NewTable[Source]("sources", "A Cursor user directory; with app git: the repositories of a machine; with app "+
			"ai-tracking: Cursor's records of who wrote which code; with app plans: a folder of plans; with app "+
			"usage: a folder of files with usage.", BySource, OfNobody),
		NewTable[Workspace]("workspaces", "A folder of workspaceStorage, with or without a store.", BySource),
		NewTable[ProjectAlias]("project_aliases",
			"An old name of a project, and the one that answers and the report use for it.", BySource),
		NewTable[Conversation]("conversations", "A composer conversation, or an old chat tab.", ByConversation, Live),
		NewTable[ConversationSource]("conversation_sources",
			"A place where a source has a conversation; the rows of other tables are from one of them, the primary.",
			ByConversation),
		NewTable[Message]("messages", "A message of a conversation: a bubble of text, thinking, or a tool call; or a "+
			"step of the agent's graph.", ByConversation, OwnMonth, Live),
		NewTable[ToolCall]("tool_calls", "A real tool call; placeholders without a name and a number are not counted.",
			ByConversation, MessageMonth, Live),
		NewTable[Attachment]("attachments", "Something attached to a message, or to the conversation (message_id "+
			"NULL).", ByConversation),
		NewTable[Checkpoint]("checkpoints", "A saved file state.", ByConversation),
		NewTable[CodeEdit]("code_edits", "A proposed code change and whether it was accepted.", ByConversation),
		NewTable[CodeDiff]("code_diffs", "A stored difference of a code block.", ByConversation),
		NewTable[ModelUsage]("model_usage", "Cost per conversation and model, where an old store has it.",
			ByConversation),
		NewTable[ContextPart]("context_parts",
			"How many tokens a part of the prompt takes in a conversation's context window.", ByConversation),
		NewTable[DailyEditStats]("daily_edit_stats",
			"Cursor's own counts of the lines suggested and accepted on a day.", BySource, OfNobody),
		NewTable[Prompt]("prompts", "A legacy prompt or generation.", BySource),
		NewTable[ConversationCopy]("conversation_copies",
			"A source's row of a conversation that several sources have, of which the primary alone is counted; or of "+
				"a cloud agent that a composer shows.", ByModel),
		NewTable[Session]("sessions", "Consecutive conversations of a project. Sessions are made per source: a "+
			"project whose counted chats lie in two sources has sessions in each.", ByModel),
		NewTable[ActivityPeriod]("activity_periods", "Consecutive messages of a project.", ByModel),
		NewTable[Repository]("repositories", "A project's folder in a git repository, also one that the repository "+
			"has left.", ByConversation),
		NewTable[Commit]("commits", "A commit of a project's repository.", ByConversation),
		NewTable[CommitFile]("commit_files", "A file that a commit changed, compared with its first parent.",
			ByConversation),
		NewTable[ScoredCommit]("scored_commits", "Cursor's figures of who wrote a commit's lines.", ByConversation),
		NewTable[CodeHash]("ai_code_hashes", "A piece of code that Cursor wrote, by its hash.", ByConversation),
		NewTable[ConversationNote]("conversation_notes",
			"Cursor's own summary of a conversation, of any source; it may be all that is left of it.", ByConversation),
		NewTable[Plan]("plans", "A plan that Cursor's agent keeps as a file.", ByConversation),
		NewTable[PlanTodo]("plan_todos", "A task of a plan.", ByConversation),
		NewTable[UsageRecord]("usage_records",
			"What a file that was handed over says of an event that Cursor has counted.", ByConversation),
		NewTable[UsageEvent]("usage_events", "An event that Cursor has counted, once, and the turn that it belongs to.",
			ByModel),
		NewTable[ModelPrice]("model_prices", "A price of the list that estimates are made with; empty while nothing "+
			"is estimated.", ByModel, OfNobody),
		NewTable[TurnEstimate]("turn_estimates",
			"What a turn may have taken of which no event is known (pipeline run --estimate).", ByModel),
		NewTable[ConversationCommit]("conversation_commits",
			"A commit, and a conversation that was active in the window before it.", ByModel),
		NewTable[Load]("loads", "A run of the pipeline.", ByLoad, OfRun),
		NewTable[LoadStore]("load_stores", "A store in a run.", ByLoad, Private, OfRun),
		NewTable[KeyFamily]("key_families", "A key pattern of a store in a run.", ByLoad, Private, OfRun),
		NewTable[LoadElement]("load_elements",
			"A list in the documents that a run read: how many elements it had, and what became of them.", ByLoad,
			OfRun),
		NewTable[UnknownField]("unknown_fields",
			"A field of loaded documents that this version does not know: it is new in Cursor.", BySource, OfNobody),
		NewTable[Quarantine]("quarantine", "A raw row that could not be used, and why.", ByConversation, Private),
		NewTable[RawFile]("raw_files", "A file of the raw layer.", ByLoad, Private),
		NewTable[Owner]("_owners",
			"What the warehouse remembers of each owner of rows, mostly a conversation, to see whether it changed.",
			Internal),
		NewTable[KnownStore]("_known_stores", "What the warehouse remembers of each store's file.", Internal),
		NewTable[KnownDocument]("_known_documents", "Shared rows of each store as they were last read.", Internal),
		NewTable[KnownRow]("_known_rows", "The row versions in the raw layer, without their values.", Internal),
		NewTable[RawPart]("_raw_parts", "What each load wrote into the files of the raw layer.", Internal),
		NewTable[AgentPrompt]("_agent_prompts",
			"The messages that are marked as written by a parent's agent, as they are the first of a subagent.",
			Internal),
		NewTable[SubagentClaim]("_subagent_claims",
			"What the stores say about which conversation is whose subagent, or whose best-of-N copy.", Internal),
		NewTable[MissingHeader]("_missing_headers",
			"The entries of header lists whose message no row of the conversation has: another conversation may have "+
				"it.", Internal),
		NewTable[McpServer]("_mcp_servers", "The MCP servers that conversations and settings name.", Internal),
		NewTable[Change]("_changes", "What each load has changed: a row for each place that rows left or came to. "+
			"Whoever keeps something outside of the warehouse asks it what is stale.", Internal),
		NewTable[LiveConversation]("_live_conversations",
			"The conversations of the view live_conversations, as the latest load left them.", Internal),
		NewTable[Meta]("_meta", "Settings of the warehouse itself.", Internal),
	}
})

// RawLayer is the schema of the Parquet files of the raw layer, which are no table of the warehouse.
func RawLayer() Table {
	return NewTable[RawRow]("raw layer", "One version of a row of a store, in "+
		"<warehouse>.raw/<source_id>/<load_id>-<n>.parquet; a larger n holds later versions. "+
		"00000000-<first>-<last>.parquet holds all files of the source from one n to another, in their order.",
		Internal)
}

// Rows is a batch of rows for several tables, made from one conversation or a part of one.
type Rows struct {
	Conversations  []Conversation
	Sources        []ConversationSource
	Messages       []Message
	ToolCalls      []ToolCall
	Attachments    []Attachment
	Checkpoints    []Checkpoint
	CodeEdits      []CodeEdit
	CodeDiffs      []CodeDiff
	ModelUsage     []ModelUsage
	ContextParts   []ContextPart
	Quarantine     []Quarantine
	UnknownFields  []UnknownField // in the documents of these rows; load ids are not set
	Elements       []LoadElement  // of the documents of these rows; the load's id is not set
	SubagentClaims []SubagentClaim
	MissingHeaders []MissingHeader
	AgentPrompts   []AgentPrompt
	McpServers     []McpServer
	Repositories   []Repository
	Commits        []Commit
	CommitFiles    []CommitFile
	ScoredCommits  []ScoredCommit
	CodeHashes     []CodeHash
	Notes          []ConversationNote
	Plans          []Plan
	PlanTodos      []PlanTodo
	UsageRecords   []UsageRecord
}
