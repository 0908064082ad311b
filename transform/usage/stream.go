package usage

// This file reads what the command line prints for programs: a JSON object, or one on each line, of which the last is
// the result.

// Fields of a result's usage.
var usageFields = map[string]bool{"inputTokens": true, "outputTokens": true, "cacheReadTokens": true,
	"cacheWriteTokens": true}

// session is what the lines before a result say of its session.
type session struct {
	model string // of the first line, as people read it: "Composer 2.5"
	at    *int64 // the last time
}

// stream reads a line. A result has no time and no model: both are of lines before it, if those were kept.
func (r *reader) stream(kind string, f fields, line int) {
	r.is(Stream)
	v := &values{get: f.text}
	id := v.text("session_id")
	s := r.sessions[id]
	if ms, ok := moment(f.text("timestamp_ms")); ok {
		s.at = &ms
	}
	if model := v.text("model"); model != "" {
		s.model = model
	}
	r.sessions[id] = s
	if kind != "result" {
		return
	}
	tokens := object(f["usage"])
	t := &values{get: tokens.text}
	e := Event{
		Origin: Stream, Line: line, OccurredAt: s.at, Model: s.model, Kind: v.text("subtype"), ConversationID: id,
		RequestID: v.text("request_id"),
		// The counts are disjoint: an input of 74 beside 12,664 that were read from the cache [satelle].
		FreshInputTokens: t.count("inputTokens"), CacheWriteTokens: t.count("cacheWriteTokens"),
		CacheReadTokens: t.count("cacheReadTokens"), OutputTokens: t.count("outputTokens"), IsCounted: true,
	}
	headless := true
	e.IsHeadless = &headless
	r.unknownFields("usage", tokens, usageFields)
	r.refused(t, line)
	switch {
	case e.FreshInputTokens == nil && e.CacheWriteTokens == nil && e.CacheReadTokens == nil && e.OutputTokens == nil:
	case e.RequestID == "":
		r.add(e)
	default:
		r.addTurn(e, 1)
	}
}
