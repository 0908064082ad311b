package schema

// UsageRecord is what one file says of an event that Cursor has counted. Several files may say the same: see
// UsageEvent.
type UsageRecord struct {
	SourceID         string   `col:"source_id,key,id" doc:"Source of app usage: the folder that the file is in."`
	File             string   `col:"file,key" doc:"Name of the file."`
	EventID          string   `col:"event_id,key,id" doc:"Event; the same in every file of its origin that has it."`
	ReadAs           string   `col:"read_as,scope" doc:"Name under which loads know the file: (usage/FILE)."`
	Line             int64    `col:"line" doc:"Where it begins in the file, from 1."`
	Origin           string   `col:"origin,word" doc:"What the file is: hook (a log of hooks), api (JSON of the dashboard or of the Admin API), csv (an export of the dashboard), stream (output of the command line)."`
	OccurredAt       *Millis  `col:"occurred_at" doc:"When it was counted: at the end of the request."`
	Model            *string  `col:"model,word" doc:"Model as recorded."`
	Kind             *string  `col:"kind,word" doc:"Kind as recorded: Included, On-Demand; USAGE_EVENT_KIND_..; the status of a hook's stop; the subtype of a stream's result."`
	ConversationID   *string  `col:"conversation_id,id" doc:"Conversation as recorded." ref:"the conversation_id of conversations, in any source"`
	RequestID        *string  `col:"request_id,id" doc:"Request as recorded: a hook's generation."`
	CloudAgentID     *string  `col:"cloud_agent_id,id" doc:"Cloud agent as recorded."`
	Person           *string  `col:"person,id" doc:"Who asked: a hash of the user's name or address, with a key that never leaves the warehouse."`
	FreshInputTokens *int64   `col:"fresh_input_tokens" doc:"Input that is neither read from the cache nor written to it."`
	CacheWriteTokens *int64   `col:"cache_write_tokens" doc:"Input that was written to the cache."`
	CacheReadTokens  *int64   `col:"cache_read_tokens" doc:"Input that was read from the cache."`
	OutputTokens     *int64   `col:"output_tokens" doc:"Output."`
	TotalTokens      *int64   `col:"total_tokens" doc:"All tokens, as recorded: early exports have no other count."`
	CostCents        *float64 `col:"cost_cents,signed" doc:"What it is worth, whether it is paid or included."`
	ChargedCents     *float64 `col:"charged_cents,signed" doc:"What was charged, as recorded."`
	IsHeadless       *bool    `col:"is_headless" doc:"Whether it was asked without an editor."`
	MaxMode          *bool    `col:"max_mode" doc:"Whether it was asked in max mode."`
	IsCounted        bool     `col:"is_counted" doc:"false for an event that failed and cost nothing."`
	WrittenAt        *Millis  `col:"written_at" doc:"When the file was written, of an export or a page."`
	DeletedAt        *Millis  `col:"deleted_at" doc:"Start of the load that found that the file no longer says it."`
}

// UsageEvent is an event that Cursor has counted.
type UsageEvent struct {
	EventID          string   `col:"event_id,key,id" doc:"The event, however many files have it."`
	SourceID         *string  `col:"source_id,id" doc:"Source of the conversation that it belongs to; NULL: it is not known."`
	ConversationID   *string  `col:"conversation_id,id" doc:"Conversation that it belongs to; NULL: it is not known. One that is recorded and in no store stays."`
	MessageID        *string  `col:"message_id,id" doc:"Prompt that was answered; NULL: it is not known."`
	RequestID        *string  `col:"request_id,id" doc:"Request as recorded."`
	OccurredAt       *Millis  `col:"occurred_at" doc:"When it was counted: at the end of the request. NULL for hooks and streams that do not say."`
	Model            *string  `col:"model,word" doc:"Model as recorded."`
	Kind             *string  `col:"kind,word" doc:"How it is paid, in one word whatever the file: included, on_demand, errored, free; unknown where no file says so in words that are known."`
	KindRaw          *string  `col:"kind_raw,word" doc:"What that was made of, as recorded (kind of usage_records); NULL: not recorded."`
	Person           *string  `col:"person,id" doc:"Who asked: a hash of the user's name or address, with a key that never leaves the warehouse; NULL: not recorded."`
	FreshInputTokens *int64   `col:"fresh_input_tokens" doc:"Input that is neither read from the cache nor written to it; NULL: not recorded."`
	CacheWriteTokens *int64   `col:"cache_write_tokens" doc:"Input that was written to the cache; NULL: not recorded."`
	CacheReadTokens  *int64   `col:"cache_read_tokens" doc:"Input that was read from the cache; NULL: not recorded."`
	OutputTokens     *int64   `col:"output_tokens" doc:"Output; NULL: not recorded."`
	TotalTokens      *int64   `col:"total_tokens" doc:"All tokens, as recorded: early exports have no other count; NULL: not recorded."`
	CostCents        *float64 `col:"cost_cents,signed" doc:"What it is worth, whether it is paid or included; NULL: not recorded."`
	ChargedCents     *float64 `col:"charged_cents,signed" doc:"What was charged, as recorded; NULL: not recorded."`
	IsHeadless       *bool    `col:"is_headless" doc:"Whether it was asked without an editor; NULL: not recorded."`
	MaxMode          *bool    `col:"max_mode" doc:"Whether it was asked in max mode; NULL: not recorded."`
	IsCounted        bool     `col:"is_counted" doc:"Whether sums have it: false for an event that failed and cost nothing, and for one of a turn of which a better origin tells (hook and stream before api before csv)."`
	Origin           string   `col:"origin,word" doc:"hook, stream, api or csv (table usage_records)."`
	JoinMethod       string   `col:"join_method,word" doc:"How its conversation is known: id (it names the conversation, the request or the cloud agent), time (one conversation alone had a turn with that model at that time), none."`
	File             string   `col:"file" doc:"File that it was read from."`
	LoadID           int64    `col:"load_id" doc:"First load that read it."`
}

// ModelPrice is a line of the price list that estimates are made with. Prices are US dollars for a million tokens.
type ModelPrice struct {
	Model         string   `col:"model,key,word" doc:"Model as Cursor records it; it also stands for names that go on with a hyphen, where the list has no longer one."`
	ValidFrom     *Date    `col:"valid_from,key" doc:"Day from which on the price is valid; NULL: it always was."`
	InputUsd      *float64 `col:"input_usd" doc:"Price of a million tokens of input, in US dollars; NULL: not known."`
	CacheWriteUsd *float64 `col:"cache_write_usd" doc:"Price of a million tokens written to the cache, in US dollars; NULL: not known."`
	CacheReadUsd  *float64 `col:"cache_read_usd" doc:"Price of a million tokens read from the cache, in US dollars; NULL: not known."`
	OutputUsd     *float64 `col:"output_usd" doc:"Price of a million tokens of output, in US dollars; NULL: not known."`
	Origin        *string  `col:"origin,word" doc:"Where the price was published."`
}

// TurnEstimate is what a turn may have taken of which no event is known.
type TurnEstimate struct {
	SourceID       string   `col:"source_id,key,id" doc:"Source of the conversation."`
	ConversationID string   `col:"conversation_id,key,id" doc:"Conversation of the turn."`
	MessageID      string   `col:"message_id,key,id" doc:"Prompt that began the turn."`
	OccurredAt     *Millis  `col:"occurred_at" doc:"Best known time of the turn's last message."`
	Model          *string  `col:"model,word" doc:"Model of the turn's first answer that names one, else of the conversation."`
	InputTokens    *int64   `col:"input_tokens" doc:"Estimated input. By method recorded the sum of what the turn's messages record. By method counted the tokens of the prompt, of the results of the turn's tool calls, and of all earlier texts, calls and results of the conversation since its last compaction, at most what its context window holds: as though the turn was one request, without the system prompt, rules and attached files. A turn with tool calls makes several requests, so this is mostly less than Cursor counts."`
	OutputTokens   *int64   `col:"output_tokens" doc:"Estimated output. By method recorded the sum of what the turn's messages record; by method counted the tokens of its answers, its thinking and the arguments of its tool calls."`
	Method         string   `col:"method,word" doc:"recorded (the store has tokens of the turn) or counted (the stored texts, with the encoding o200k_base whatever the model)."`
	PriceModel     *string  `col:"price_model,word" doc:"Line of model_prices that it was priced with: the model's own, else that of the longest name that the model's begins with; NULL: there is none."`
	PriceFrom      *Date    `col:"price_from" doc:"Day from which on that price is valid; NULL: it always was, or there is none."`
	CostCents      *float64 `col:"cost_cents" doc:"Estimated cost in US cents: input_tokens at the price of input, as though nothing was read from the cache, which costs a tenth of that, and output_tokens at that of output: it may be more or less than what Cursor bills. NULL where a figure is not known. Never part of a recorded figure."`
	LoadID         int64    `col:"load_id" doc:"Load that counted its tokens."`
}
