package usage

import (
	"encoding/json"
	"strings"

	"pipeline/transform/jsondoc"
)

// This file reads payloads of hooks, in what a program has written that Cursor started, and in Cursor's own log.

// Fields of the hooks that have tokens. Those that are false are known and not read: what was said, folders, and
// people.
var hookFields = map[string]bool{
	"conversation_id": true, "session_id": true, "generation_id": true, "model": true, "hook_event_name": true,
	"status": true, "input_tokens": true, "output_tokens": true, "cache_read_tokens": true, "cache_write_tokens": true,
	"cursor_version": false, "workspace_roots": false, "user_email": false, "transcript_path": false,
	"loop_count": false, "text": false, "cwd": false, "model_id": false, "model_params": false, "duration_ms": false,
	"duration": false, "composer_mode": false, "is_background_agent": false, "timestamp": true, "ts": true,
	"time": true, "at": true, "logged_at": true, "received_at": true, "started_at": true, "event": false,
}

// Ways in which programs name the time at which a hook was called; the payload has none [satelle] [oh-my-cursor].
var hookTimes = []string{"timestamp", "ts", "time", "at", "logged_at", "received_at", "started_at"}

// Members in which programs keep the payload: as an object, or as its text [oh-my-cursor]. What is in the others is the
// payload if it says so: programs have other things there, too [hook loggers].
var (
	wrappers    = []string{"payload", "stdin", "stdin_preview"}
	maybeAround = []string{"event", "hook", "hook_input", "input", "data", "raw"}
)

// context is what is known of a payload from what is around it.
type context struct {
	event string // name of the hook; "" for none
	at    *int64
	depth int // wrappers around it
}

// around reads what is before the payload on its line. A time without a date is none.
func around(tabs []string) (c context) {
	for _, s := range tabs {
		switch ms, ok := moment(s); {
		case ok:
			c.at = &ms
		case strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz") == "":
			c.event = s
		}
	}
	return c
}

// isHook reports whether an object is a payload, or has one.
func (r *reader) isHook(f fields, c context) bool {
	return c.event != "" || c.depth > 0 || f.has("hook_event_name") || f.has("generation_id") || payloadOf(f) != nil
}

// payloadOf is the payload that an object has, nil for none: a string, if it is a text.
func payloadOf(f fields) json.RawMessage {
	for _, name := range wrappers {
		if f.has(name) {
			return f[name]
		}
	}
	if f.has("output_tokens") { // it is the payload
		return nil
	}
	for _, name := range maybeAround {
		if object(f[name]).has("hook_event_name") {
			return f[name]
		}
	}
	return nil
}

// hook reads a payload, or what is around one.
func (r *reader) hook(f fields, line int, c context) {
	r.is(Hook)
	if c.at == nil {
		c.at = hookTime(f)
	}
	if name := f.text("hook_event_name"); name != "" {
		c.event = name
	}
	payload := payloadOf(f)
	if payload == nil {
		r.payload(f, line, c)
		return
	}
	var text string
	if json.Unmarshal(payload, &text) == nil {
		payload = json.RawMessage(text)
	}
	c.depth++
	switch inner := object(payload); {
	case c.event != "" && !hasTokens(c.event): // it is of no use, and its payload may be cut off
	case inner == nil:
		r.problem(badLine, line, "")
	case c.depth > 3 || jsondoc.Depth(payload) > r.limits.Depth:
		r.problem(tooDeep, line, "")
	default:
		r.hook(inner, line, c)
	}
}

func hookTime(f fields) *int64 {
	for _, name := range hookTimes {
		if ms, ok := moment(f.text(name)); ok {
			return &ms
		}
	}
	return nil
}

// hasTokens reports whether a hook has tokens: the end of a turn, and an answer, which repeats them [satelle].
func hasTokens(event string) bool { return event == "stop" || event == "afterAgentResponse" }

// payload reads a payload. Logs without the hook's name are those of one hook: only a stop has a status.
func (r *reader) payload(f fields, line int, c context) {
	v := &values{get: f.text}
	status := v.text("status")
	switch {
	case c.event != "":
	case status != "" || f.has("loop_count"):
		c.event = "stop"
	default:
		c.event = "afterAgentResponse"
	}
	if !hasTokens(c.event) {
		return
	}
	r.unknownFields(Hook, f, hookFields)
	e := Event{
		Origin: Hook, Line: line, OccurredAt: c.at, Model: v.text("model"), Kind: status,
		ConversationID: v.text("conversation_id"), RequestID: withoutSuffix(v.text("generation_id")),
		OutputTokens: v.count("output_tokens"), IsCounted: true,
	}
	e.split(v.count("input_tokens"), v.count("cache_read_tokens"), v.count("cache_write_tokens"))
	if e.ConversationID == "" {
		e.ConversationID = v.text("session_id")
	}
	r.refused(v, line)
	switch {
	case e.FreshInputTokens == nil && e.CacheReadTokens == nil && e.CacheWriteTokens == nil && e.OutputTokens == nil:
		// Cursor has them since about the middle of 2026 [satelle]
	case e.RequestID == "":
		r.add(e)
	case c.event == "stop":
		r.addTurn(r.named(e), 2)
	default:
		r.answers[e.ConversationID] = e
		r.addTurn(e, 1)
	}
}

// named is the end of a turn with the id of its turn. Cursor may give it that of the next one, of which nothing is said
// so far: then it has the model and the counts of the answer before it [hook logs].
func (r *reader) named(e Event) Event {
	answer := r.answers[e.ConversationID]
	_, known := r.turns[Hook+"\x00"+e.RequestID]
	if !known && answer.Model == e.Model && answer.counts() == e.counts() && e.OutputTokens != nil &&
		*e.OutputTokens > 0 {
		e.RequestID = answer.RequestID
	}
	return e
}

// split sets the parts of an input that includes what was read from the cache and written to it: 25,758 with 16,563
// that were read [satelle]. If the parts are larger than the whole, or not recorded, the whole is kept and the split is
// not known.
func (e *Event) split(input, read, write *int64) {
	e.FreshInputTokens = input
	if input == nil {
		e.CacheReadTokens, e.CacheWriteTokens = read, write
		return
	}
	fresh := *input
	for _, part := range []*int64{read, write} {
		if part != nil {
			fresh -= *part
		}
	}
	if fresh >= 0 {
		e.FreshInputTokens, e.CacheReadTokens, e.CacheWriteTokens = &fresh, read, write
	}
}

// withoutSuffix cuts -N-xxxx off an id: Cursor puts the number of the model's call behind the turn's id [satelle].
func withoutSuffix(id string) string {
	const uuid = 36
	if len(id) <= uuid || id[uuid] != '-' || strings.Count(id[:uuid], "-") != 4 {
		return id
	}
	number, rest, ok := strings.Cut(id[uuid+1:], "-")
	if !ok || number == "" || rest == "" || strings.Trim(number, "0123456789") != "" || strings.Contains(rest, "-") {
		return id
	}
	return strings.Clone(id[:uuid])
}
