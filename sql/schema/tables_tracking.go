package schema

// ScoredCommit is what Cursor says about who wrote a commit's lines.
type ScoredCommit struct {
	SourceID             string   `col:"source_id,key,id" doc:"Source of app ai-tracking: the file in which Cursor records this."`
	CommitHash           string   `col:"commit_hash,key,id" doc:"The commit's hash, as Cursor recorded it." ref:"the commit_hash of commits, in any source"`
	Branch               string   `col:"branch,key" doc:"Branch on which it was scored; '' where none is recorded."`
	ReadAs               string   `col:"read_as,scope" doc:"Name of the group of rows that loads replace together: (ai-tracking/scored_commits/N)."`
	ScoredAt             *Millis  `col:"scored_at" doc:"When Cursor scored it."`
	CommittedAt          *Millis  `col:"committed_at" doc:"When the commit was made."`
	Message              *string  `col:"message" doc:"The commit's message."`
	LinesAdded           *int64   `col:"lines_added" doc:"Lines that the commit added."`
	LinesRemoved         *int64   `col:"lines_removed" doc:"Lines that the commit removed."`
	TabLinesAdded        *int64   `col:"tab_lines_added" doc:"Of the added lines, those that Tab completed."`
	TabLinesRemoved      *int64   `col:"tab_lines_removed" doc:"Of the removed lines, those that Tab removed."`
	ComposerLinesAdded   *int64   `col:"composer_lines_added" doc:"Of the added lines, those that a conversation wrote."`
	ComposerLinesRemoved *int64   `col:"composer_lines_removed" doc:"Of the removed lines, those that a conversation removed."`
	HumanLinesAdded      *int64   `col:"human_lines_added" doc:"Of the added lines, those that a person wrote."`
	HumanLinesRemoved    *int64   `col:"human_lines_removed" doc:"Of the removed lines, those that a person removed."`
	BlankLinesAdded      *int64   `col:"blank_lines_added" doc:"Of the added lines, blank ones; they are in no other figure."`
	BlankLinesRemoved    *int64   `col:"blank_lines_removed" doc:"Of the removed lines, blank ones."`
	AIPercentV1          *float64 `col:"ai_percent_v1" doc:"Cursor's own share of AI, 0 to 100, by its first rule."`
	AIPercentV2          *float64 `col:"ai_percent_v2" doc:"Cursor's own share of AI, 0 to 100, by its second rule."`
	DeletedAt            *Millis  `col:"deleted_at" doc:"Start of the load that found the row gone."`
}

// CodeHash is a piece of code that Cursor wrote, by its hash: what it looks for in commits.
type CodeHash struct {
	SourceID       string  `col:"source_id,key,id" doc:"Source of app ai-tracking."`
	CodeHash       string  `col:"code_hash,key,id" doc:"Cursor's hash of the code."`
	ReadAs         string  `col:"read_as,scope" doc:"Name of the group of rows that loads replace together: (ai-tracking/ai_code_hashes/N)."`
	Origin         *string `col:"origin,word" doc:"Tool that wrote it, as stored: composer, tab."`
	FileName       *string `col:"file_name" doc:"File that it was written into."`
	FileExtension  *string `col:"file_extension,word" doc:"Extension of that file."`
	ConversationID *string `col:"conversation_id,id" doc:"Conversation that wrote it." ref:"the conversation_id of conversations, in any source"`
	RequestID      *string `col:"request_id,id" doc:"Request that wrote it, as in messages."`
	Model          *string `col:"model,word" doc:"Model that wrote it; default is auto."`
	WrittenAt      *Millis `col:"written_at" doc:"When it was written, else when the row was made."`
	DeletedAt      *Millis `col:"deleted_at" doc:"Start of the load that found the row gone: Cursor forgets old ones."`
}

// ConversationNote is Cursor's own summary of a conversation.
type ConversationNote struct {
	SourceID       string  `col:"source_id,key,id" doc:"Source of app ai-tracking; the conversation is one of another source."`
	ConversationID string  `col:"conversation_id,key,id" doc:"Conversation that it is about; no other table need have it." ref:"the conversation_id of conversations, in any source"`
	ReadAs         string  `col:"read_as,scope" doc:"Name of the group of rows that loads replace together: (ai-tracking/conversation_summaries/0)."`
	Title          *string `col:"title" doc:"Title of the conversation."`
	TLDR           *string `col:"tldr" doc:"The shortest summary."`
	Overview       *string `col:"overview" doc:"The longer summary."`
	Bullets        JSON    `col:"bullets" doc:"The summary's points: what Cursor stores as JSON; any other text is a JSON string."`
	Model          *string `col:"model,word" doc:"Model that Cursor names with it; default is auto."`
	Mode           *string `col:"mode,word" doc:"Mode that Cursor names with it, in lower case."`
	UpdatedAt      *Millis `col:"updated_at" doc:"When Cursor wrote it last."`
	DeletedAt      *Millis `col:"deleted_at" doc:"Start of the load that found the row gone."`
}
