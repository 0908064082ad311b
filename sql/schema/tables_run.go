package schema

// ConversationCopy is a source's row of a conversation that several sources have.
type ConversationCopy struct {
	SourceID              string  `col:"source_id,key,id" doc:"Source that has a row of the conversation."`
	ConversationID        string  `col:"conversation_id,key,id" doc:"Conversation: an id that holds a UUID or was made from a hash, or one below a parent that is in this table."`
	PrimarySourceID       string  `col:"primary_source_id,id" doc:"Source of the primary: live first, then the latest activity, the most messages, the source first seen earliest, the smaller source_id." ref:"the key of sources"`
	IsPrimary             bool    `col:"is_primary" doc:"This row is the primary: live views, sessions, periods and answers leave out the others."`
	Copies                int64   `col:"copies" doc:"Sources that have a row of the conversation, whatever became of it there."`
	PrimaryConversationID *string `col:"primary_conversation_id,id" doc:"Of a cloud agent that a composer shows: the composer, which has its turns and is counted for it; NULL for every other copy." ref:"with primary_source_id the key of conversations"`
}

// Session is a run of consecutive conversations of a project.
type Session struct {
	SessionID         string  `col:"session_id,key,id" doc:"16 hex digits of sha256(source_id, project_uri, start of its first conversation in ms)."`
	SourceID          string  `col:"source_id,id" doc:"Source of its conversations."`
	ProjectURI        *string `col:"project_uri,project" doc:"Project; NULL: conversations without one."`
	Project           *string `col:"project,project" doc:"Last segment of project_uri, for people."`
	StartedAt         Millis  `col:"started_at" doc:"Start of its first conversation."`
	EndedAt           Millis  `col:"ended_at" doc:"Latest real message time of its conversations, else their latest start. Sessions may overlap."`
	DurationMs        int64   `col:"duration_ms" doc:"From started_at to ended_at; for hours of work see activity_periods."`
	ConversationCount int64   `col:"conversation_count" doc:"Conversations, subagents apart."`
	MessageCount      int64   `col:"message_count" doc:"Live messages of these conversations."`
	UserMessageCount  int64   `col:"user_message_count" doc:"Live messages of role user."`
	ToolCallCount     int64   `col:"tool_call_count" doc:"Live tool calls."`
}

// ActivityPeriod is a run of consecutive messages of a project.
type ActivityPeriod struct {
	PeriodID          string  `col:"period_id,key,id" doc:"16 hex digits of sha256(source_id, project_uri, first message time in ms)."`
	SourceID          string  `col:"source_id,id" doc:"Source of its messages."`
	ProjectURI        *string `col:"project_uri,project" doc:"Project; NULL: conversations without one."`
	Project           *string `col:"project,project" doc:"Last segment of project_uri, for people."`
	StartedAt         Millis  `col:"started_at" doc:"First real message time."`
	EndedAt           Millis  `col:"ended_at" doc:"Last real message time."`
	DurationMs        int64   `col:"duration_ms" doc:"From started_at to ended_at."`
	ConversationCount int64   `col:"conversation_count" doc:"Conversations with a message in it, subagents included."`
	MessageCount      int64   `col:"message_count" doc:"Live messages with a recorded time."`
	UserMessageCount  int64   `col:"user_message_count" doc:"Of these, role user."`
	ToolCallCount     int64   `col:"tool_call_count" doc:"Live tool calls of these messages."`
}

// Load is a run.
type Load struct {
	LoadID                 int64   `col:"load_id,key" doc:"The last load's plus 1."`
	StartedAt              Millis  `col:"started_at" doc:"Start of the run."`
	FinishedAt             *Millis `col:"finished_at" doc:"End of the run, just before its commit."`
	Status                 string  `col:"status,word" doc:"ok, partial (a store could not be read whole) or check_failed."`
	Mode                   string  `col:"mode,word" doc:"first, incremental, since, full or rebuild."`
	ToolVersion            string  `col:"tool_version,word" doc:"Version of the tool."`
	SchemaVersion          int64   `col:"schema_version" doc:"Version of these tables."`
	ConversationsNew       int64   `col:"conversations_new" doc:"Conversations seen for the first time."`
	ConversationsChanged   int64   `col:"conversations_changed" doc:"Conversations whose rows or facts changed."`
	ConversationsDeleted   int64   `col:"conversations_deleted" doc:"Conversations that were found gone."`
	ConversationsUnchanged int64   `col:"conversations_unchanged" doc:"Conversations left as they were."`
	MessagesLoaded         int64   `col:"messages_loaded" doc:"Messages written."`
	Quarantined            int64   `col:"quarantined" doc:"Quarantine rows that this load added or opened again."`
}

// LoadStore is a store in a run.
type LoadStore struct {
	LoadID         int64   `col:"load_id,key" doc:"The run."`
	SourceID       string  `col:"source_id,key,id" doc:"Source of the store."`
	Store          string  `col:"store,key,word" doc:"global, workspace/<workspace_id>, or git/<repository_id>."`
	Path           string  `col:"path" doc:"File that was read."`
	JournalMode    *string `col:"journal_mode" doc:"Journal mode of the file: wal or delete; NULL for a repository."`
	SnapshotMethod *string `col:"snapshot_method" doc:"in_place, wal, clone or copy; git for a repository; NULL where it could not be read."`
	Bytes          *int64  `col:"bytes" doc:"Size of the database and its -wal; NULL for a repository, and after a rebuild without the warehouse before it."`
	RowsSeen       int64   `col:"rows_seen" doc:"Rows whose key was seen."`
	RowsRead       int64   `col:"rows_read" doc:"Rows whose value was read."`
	RowsChanged    int64   `col:"rows_changed" doc:"Rows of conversations that were new or changed."`
	IsComplete     bool    `col:"is_complete" doc:"False where the store could not be read whole; nothing is marked deleted then."`
}

// KeyFamily is a key pattern in a run.
type KeyFamily struct {
	LoadID    int64  `col:"load_id,key" doc:"The run."`
	SourceID  string `col:"source_id,key,id" doc:"Source of the store."`
	Store     string `col:"store,key,word" doc:"global, or workspace/<workspace_id>."`
	Family    string `col:"family,key,word" doc:"Key pattern, such as bubbleId. For an unknown key its name and the kinds of ids in it, such as brandNew:<uuid>; (bare) after a name: it reads like a known family and is none, as it has another form or is in the other table; * stands for what may be data. (unknown): keys without a name, and those of more than 100 unknown patterns in a store."`
	Rows      int64  `col:"rows" doc:"Rows with a key of this pattern."`
	NullRows  int64  `col:"null_rows" doc:"Of these, rows without content: NULL, which Cursor writes to delete a row, or its empty array (a single byte 0)."`
	BytesRead int64  `col:"bytes_read" doc:"Bytes of values read."`
	Handling  string `col:"handling" doc:"loaded, linked (read where a conversation leads to it), raw_only, refused (secrets, never read) or unknown."`
}

// LoadElement counts the elements of a list in the documents that a load read, and what became of them.
type LoadElement struct {
	LoadID      int64  `col:"load_id,key" doc:"The run."`
	SourceID    string `col:"source_id,key,id" doc:"Source of the documents."`
	Store       string `col:"store,key,empty,word" doc:"Store whose shared rows are counted; '' for the documents of conversations."`
	Family      string `col:"family,key,word" doc:"Key pattern of the documents; lists inside messages, wherever the message is, count as bubbleId. messages: what was written to that table; (shared): the load read the shared rows of that store."`
	List        string `col:"list,key,word" doc:"Where the list is in the documents; '' for the documents themselves."`
	Seen        int64  `col:"seen" doc:"Elements that hold something, counted when the documents were parsed; check load_elements: the sum of the columns after it."`
	Rows        int64  `col:"rows" doc:"Of these, elements that became a row, or a part of one."`
	Quarantined int64  `col:"quarantined" doc:"Elements that could not be used; see table quarantine."`
	Duplicates  int64  `col:"duplicates" doc:"Elements that another element replaces: the same message in a better place, the same code block, a second row of a day."`
	Skipped     int64  `col:"skipped" doc:"Elements left out for a reason that docs/formats.md names, such as placeholders of tool calls."`
}

// ElementType is the value_type of a Quarantine row that is about an element of a list, and not about a whole row.
const ElementType = "element"

// SharedRows is the family of a LoadElement that counts nothing: it says that a load read the shared rows of a store.
const SharedRows = "(shared)"

// IsMessageList reports whether the elements of a list are messages.
func IsMessageList(family, list string) bool {
	switch list {
	case "":
		return family == "bubbleId"
	case "turns": // of the agent's graph
		return family == "agentKv:blob"
	case "lines":
		return family == "transcript.file"
	case "conversationMap", "conversation", "tabs[].bubbles", "allComposers[].conversation":
		return true
	}
	return false
}

// UnknownField is a field of loaded documents that no reader knows.
type UnknownField struct {
	SourceID    string `col:"source_id,key,id" doc:"Source of the documents."`
	Family      string `col:"family,key,word" doc:"Key pattern of the documents; messages inside other documents count as bubbleId."`
	Path        string `col:"path,key" doc:"$.a, $.a.b or $.a[].b, two levels at most. $.message.number: a field in the agent's graph. $.* and $.a.*: names that may be data, and those beyond the first 100 of a family."`
	Type        string `col:"type,word" doc:"Types of its values in the last load that read any: array, boolean, number, object, string; null if it has no other; protobuf for a field of a node in the agent's graph."`
	Rows        int64  `col:"rows" doc:"Documents that held it in the last load that read any; for names that are counted together an upper bound."`
	FirstLoadID int64  `col:"first_load_id" doc:"First load that read a document with it."`
	LastLoadID  int64  `col:"last_load_id" doc:"Last load that read a document with it."`
}

// MaxUnknownFields is how many unknown fields of a family are told apart. The others are counted together, with * for
// their name.
const MaxUnknownFields = 100

// Quarantine is a raw row that could not be used.
type Quarantine struct {
	SourceID       string  `col:"source_id,key,id" doc:"Source of the row."`
	Store          string  `col:"store,key,word" doc:"global, workspace/<workspace_id>, or git/<repository_id>."`
	Key            *string `col:"key,key,empty" doc:"Key of the row; NULL where the key itself is NULL."`
	ValueHash      string  `col:"value_hash,key" doc:"32 hex digits of sha256 of the value (of key, rowid and length where it was never read; for a second equal element of a list with its number)."`
	LoadID         int64   `col:"load_id" doc:"Load that found it."`
	ConversationID *string `col:"conversation_id,scope,empty,id" doc:"Conversation that the row's key names; '' for key-value rows that belong to none; NULL for rows of other tables."`
	Family         string  `col:"family,word" doc:"Key pattern."`
	Reason         string  `col:"reason" doc:"page_corrupt, bad_key, too_large, empty, not_utf8, too_deep, bad_json, not_object, or no_id: an element of a list that has no id and no messages."`
	ValueType      string  `col:"value_type" doc:"SQLite type of the value: text, blob, integer, real; unreadable where it lies on a damaged page; element for an element of a list in the row, which is usable otherwise."`
	ValueBytes     int64   `col:"value_bytes" doc:"Size of the value."`
	Head           *string `col:"head,empty" doc:"First 200 bytes; what is not UTF-8 is replaced, key material is masked."`
	ResolvedLoadID *int64  `col:"resolved_load_id" doc:"Load that found it usable or gone; NULL: still unusable."`
}

// RawFile is a file of the raw layer.
type RawFile struct {
	Path   string `col:"path,key" doc:"Path below the raw folder."`
	LoadID int64  `col:"load_id" doc:"Load that wrote it; 0: pipeline prune merged the files of several loads, see _raw_parts."`
	Rows   int64  `col:"rows" doc:"Row versions in it."`
	Bytes  int64  `col:"bytes" doc:"Size of the file."`
	SHA256 string `col:"sha256" doc:"Hash of the file."`
}

// Owner is what the warehouse remembers of an owner of rows, mostly a conversation, in order to see that it changed.
type Owner struct {
	SourceID         string    `col:"source_id,key,id" doc:"Source of the rows."`
	Store            string    `col:"store,key,word" doc:"Store that holds the rows."`
	Kind             OwnerKind `col:"kind,key,word" doc:"conversation; loose: rows of no conversation; shared: rows that all conversations of the store share; shared_tables: the rows of tables that are made from all shared rows of the source; family: rows that no table is built from and that are kept."`
	ID               string    `col:"id,key,scope,id" doc:"The conversation, the group of loose rows ('' for the only one of a store), or the family; '' for other kinds."`
	WorkspaceID      string    `col:"workspace_id,id" doc:"Workspace that its document names, '' for none; its workspace.json may change on its own."`
	RowsHash         string    `col:"rows_hash" doc:"Hash of the keys and rowids of its rows; '' if nothing can be said without reading their values."`
	SizesHash        string    `col:"sizes_hash" doc:"Hash of the sizes of its values."`
	FactsHash        string    `col:"facts_hash" doc:"Hash of what shared rows say of it."`
	ContentHash      string    `col:"content_hash" doc:"Hash of the keys and values of its rows, independent of their order; '' if a value could not be read."`
	IsCopied         bool      `col:"is_copied" doc:"A conversation without rows of its own, of which a workspace has a copy."`
	IsListed         bool      `col:"is_listed" doc:"A conversation of which there is nothing but its head in a list."`
	IsElsewhere      bool      `col:"is_elsewhere" doc:"A conversation of which this source has a transcript, and an editor of the same home the rows."`
	IsEmptied        bool      `col:"is_emptied" doc:"Cursor has emptied every row of the conversation."`
	IsLost           bool      `col:"is_lost" doc:"The conversation's own store is gone, and its transcript is there: it stays as it was."`
	IsGone           bool      `col:"is_gone" doc:"A family that has no rows any more."`
	IsUnsure         bool      `col:"is_unsure" doc:"The raw layer may lack something of it that earlier loads have seen: the next load that reads it compares every row."`
	UsesEarlier      bool      `col:"uses_earlier" doc:"A shared row cannot be used, and an earlier version is used instead."`
	TransformVersion int64     `col:"transform_version" doc:"Version of the code that made its rows."`
	LoadID           int64     `col:"load_id" doc:"Load that wrote it."`
}

// Key is the key of the owner.
func (o Owner) Key() OwnerKey { return OwnerKey{o.SourceID, o.Store, o.Kind, o.ID} }

// Change is a place of which a load has changed rows: a table, or a month of one. Places are kept for 400 days.
type Change struct {
	LoadID         int64   `col:"load_id,key" doc:"Load that changed it."`
	Table          string  `col:"table_name,key,word" doc:"The table."`
	Month          *string `col:"month,key,word" doc:"Of a table that is published by month: the month, in UTC, that rows left or came to."`
	SourceID       *string `col:"source_id,key,id" doc:"Of a table that is published by month: source of the rows."`
	ConversationID *string `col:"conversation_id,key,id" doc:"Of a table that is published by month: conversation of the rows."`
}

// LiveConversation is a conversation that Cursor has now.
type LiveConversation struct {
	SourceID       string `col:"source_id,key,id" doc:"Source of the conversation."`
	ConversationID string `col:"conversation_id,key,id" doc:"The conversation."`
}

// KnownStore is what the warehouse remembers of a store's file, to see that another was put in its place.
type KnownStore struct {
	SourceID         string  `col:"source_id,key,id" doc:"Source of the store."`
	Store            string  `col:"store,key,word" doc:"The store."`
	Identity         string  `col:"identity" doc:"Device and inode of the file, and a hash of its table definitions; '' for a damaged one."`
	IsSalvaged       bool    `col:"is_salvaged" doc:"It was damaged, and what could be read of it was."`
	MaxRowID         int64   `col:"max_rowid,signed" doc:"Largest rowid of its key-value rows."`
	State            string  `col:"state" doc:"State of the file when all of it was read; '' where nothing can be said of it."`
	ToolVersion      string  `col:"tool_version" doc:"Of a store that holds shared rows alone: the version of the tool that read it in that state; another one may read other rows. Else ''."`
	ComparedAt       *Millis `col:"compared_at" doc:"When every value in it was last compared; NULL: never."`
	TransformVersion int64   `col:"transform_version" doc:"Version of the code that read all of it; 0: none has."`
}

// KnownDocument is a shared row of a store as it was last read: what it says of conversations stays while the store
// cannot be read.
type KnownDocument struct {
	SourceID string `col:"source_id,key,id" doc:"Source of the store."`
	Store    string `col:"store,key,word" doc:"Store that holds the row."`
	Table    string `col:"table_name,key" doc:"ItemTable or composerHeaders; file for a workspace.json."`
	Ordinal  int64  `col:"ordinal,key,signed" doc:"Position among the store's shared rows."`
	Key      string `col:"key" doc:"Key of the row."`
	Family   string `col:"family,word" doc:"Key pattern."`
	Type     string `col:"value_type" doc:"SQLite type of the value."`
	Value    Blob   `col:"value" doc:"The value as stored, key material masked."`
}

// AgentPrompt is a message that a parent's agent wrote to a subagent, where nothing says so of the message itself.
type AgentPrompt struct {
	SourceID       string `col:"source_id,key,id" doc:"Source of the subagent."`
	ConversationID string `col:"conversation_id,key,id" doc:"The subagent."`
	MessageID      string `col:"message_id,id" doc:"The message that was marked (messages.is_simulated)."`
}

// SubagentClaim is one statement of a store that another conversation started this one, as a subagent or as a best-of-N
// copy.
type SubagentClaim struct {
	SourceID             string  `col:"source_id,key,id" doc:"Source of the conversation."`
	ConversationID       string  `col:"conversation_id,key,id" doc:"The subagent, or the copy."`
	ClaimedBy            string  `col:"claimed_by,key,scope" doc:"Conversation whose documents make the claim: the conversation itself, or the parent."`
	Rank                 int64   `col:"rank,key" doc:"A subagent: 0 subagentInfo, 1 header table or the id, 2 named by a parent; the lowest wins. A best-of-N copy: 3 marked as one (it may name its parent), 4 named by a parent that is marked as such, 5 named by another."`
	ParentConversationID *string `col:"parent_conversation_id,id" doc:"Parent, where the claim names one." ref:"with source_id the key of conversations"`
}

// MissingHeader is an entry of a conversation's header list whose message no row of the conversation has. It says when
// the message was made.
type MissingHeader struct {
	SourceID       string `col:"source_id,key,id" doc:"Source of the conversation."`
	ConversationID string `col:"conversation_id,key,scope,id" doc:"Conversation whose list it is."`
	MessageID      string `col:"message_id,key,id" doc:"The bubble's id."`
	Place          int64  `col:"place" doc:"How many messages of the conversation, of those with rows of their own, come before it."`
	Ordinal        int64  `col:"ordinal" doc:"Its place in the list, from 0."`
	Role           string `col:"role,word" doc:"Role that its type stands for."`
	CreatedAt      Millis `col:"created_at" doc:"Time that it has."`
}

// ProjectAlias is another name of a project: the one that it had before.
type ProjectAlias struct {
	ProjectURI     string  `col:"project_uri,key,project" doc:"The old project_uri, as the tables have it."`
	AliasOf        string  `col:"alias_of" doc:"The project_uri that took its place."`
	AliasProject   *string `col:"alias_project" doc:"Name of alias_of."`
	AliasPath      *string `col:"alias_path" doc:"Path of alias_of."`
	Origin         string  `col:"origin,word" doc:"renamed (a load saw that a workspace has another folder) or flag (--alias)."`
	FirstLoadID    int64   `col:"first_load_id" doc:"Load that added it."`
	NewProjectURI  *string `col:"new_project_uri" doc:"The project_uri that answers and the report use: the end of the chain of aliases."`
	NewProject     *string `col:"new_project" doc:"Name of new_project_uri."`
	NewProjectPath *string `col:"new_project_path" doc:"Path of new_project_uri."`
}

// McpServer is one statement of a store that an MCP server exists.
type McpServer struct {
	SourceID       string `col:"source_id,key,id" doc:"Source of the store."`
	ConversationID string `col:"conversation_id,key,empty,id" doc:"Conversation that names it; '' for the settings."`
	Server         string `col:"server,key" doc:"Name of the server."`
	IsGone         bool   `col:"is_gone" doc:"Whether it is no longer named there."`
}

// Meta is a setting of the warehouse itself.
type Meta struct {
	Key   string `col:"key,key" doc:"Name: warehouse_version, session_gap_ms, commit_window_ms, machine_id and others."`
	Value string `col:"value" doc:"Value as text."`
}
