package schema

// UsageRecord is what one file says of an event that Cursor has counted. Several files may say the same: see UsageEvent.
type UsageRecord struct {
	SourceID         string   `col:"source_id,key" doc:"Source of app usage: the folder that the file is in."`
	File             string   `col:"file,key" doc:"Name of the file."`
	EventID          string   `col:"event_id,key" doc:"Event; the same in every file of its origin that has it."`
	ReadAs           string   `col:"read_as,scope" doc:"Name under which loads know the file: (usage/FILE)."`
	Line             int64    `col:"line" doc:"Where it begins in the file, from 1."`
	Origin           string   `col:"origin" doc:"What the file is: hook (a log of hooks), api (JSON of the dashboard or of the Admin API), csv (an export of the dashboard), stream (output of the command line)."`
	OccurredAt       *Millis  `col:"occurred_at" doc:"When it was counted: at the end of the request."`
	Model            *string  `col:"model" doc:"Model as recorded."`
	Kind             *string  `col:"kind" doc:"Kind as recorded: Included, On-Demand; USAGE_EVENT_KIND_..; the status of a hook's stop; the subtype of a stream's result."`
	ConversationID   *string  `col:"conversation_id" doc:"Conversation as recorded."`
	RequestID        *string  `col:"request_id" doc:"Request as recorded: a hook's generation."`
	CloudAgentID     *string  `col:"cloud_agent_id" doc:"Cloud agent as recorded."`
	FreshInputTokens *int64   `col:"fresh_input_tokens" doc:"Input that is neither read from the cache nor written to it."`
	CacheWriteTokens *int64   `col:"cache_write_tokens" doc:"Input that was written to the cache."`
	CacheReadTokens  *int64   `col:"cache_read_tokens" doc:"Input that was read from the cache."`
	OutputTokens     *int64   `col:"output_tokens" doc:"Output."`
	CostCents        *float64 `col:"cost_cents,signed" doc:"What it is worth, whether it is paid or included."`
	ChargedCents     *float64 `col:"charged_cents,signed" doc:"What was charged, as recorded."`
	IsHeadless       *bool    `col:"is_headless" doc:"Whether it was asked without an editor."`
	MaxMode          *bool    `col:"max_mode" doc:"Whether it was asked in max mode."`
	IsCounted        bool     `col:"is_counted" doc:"false for an event that failed and cost nothing."`
	DeletedAt        *Millis  `col:"deleted_at" doc:"Start of the load that found that the file no longer says it."`
}

// UsageEvent is an event that Cursor has counted.
type UsageEvent struct {
	EventID          string   `col:"event_id,key" doc:"The event, however many files have it."`
	SourceID         *string  `col:"source_id" doc:"Source of the conversation that it belongs to; NULL: it is not known."`
	ConversationID   *string  `col:"conversation_id" doc:"Conversation that it belongs to; NULL: it is not known. One that is recorded and in no store stays."`
	MessageID        *string  `col:"message_id" doc:"Prompt that was answered; NULL: it is not known."`
	RequestID        *string  `col:"request_id" doc:"Request as recorded."`
	OccurredAt       *Millis  `col:"occurred_at" doc:"When it was counted: at the end of the request. NULL for hooks and streams that do not say."`
	Model            *string  `col:"model" doc:"Model as recorded."`
	Kind             *string  `col:"kind" doc:"Kind as recorded (table usage_records)."`
	FreshInputTokens *int64   `col:"fresh_input_tokens" doc:"Input that is neither read from the cache nor written to it; NULL: not recorded."`
	CacheWriteTokens *int64   `col:"cache_write_tokens" doc:"Input that was written to the cache; NULL: not recorded."`
	CacheReadTokens  *int64   `col:"cache_read_tokens" doc:"Input that was read from the cache; NULL: not recorded."`
	OutputTokens     *int64   `col:"output_tokens" doc:"Output; NULL: not recorded."`
	CostCents        *float64 `col:"cost_cents,signed" doc:"What it is worth, whether it is paid or included; NULL: not recorded."`
	ChargedCents     *float64 `col:"charged_cents,signed" doc:"What was charged, as recorded; NULL: not recorded."`
	IsHeadless       *bool    `col:"is_headless" doc:"Whether it was asked without an editor; NULL: not recorded."`
	MaxMode          *bool    `col:"max_mode" doc:"Whether it was asked in max mode; NULL: not recorded."`
	IsCounted        bool     `col:"is_counted" doc:"Whether sums have it: false for an event that failed and cost nothing, and for one of a turn of which a better origin tells (hook and stream before api before csv)."`
	Origin           string   `col:"origin" doc:"hook, stream, api or csv (table usage_records)."`
	JoinMethod       string   `col:"join_method" doc:"How its conversation is known: id (it names the conversation, the request or the cloud agent), time (one conversation alone had a turn with that model at that time), none."`
	File             string   `col:"file" doc:"File that it was read from."`
	LoadID           int64    `col:"load_id" doc:"First load that read it."`
}
