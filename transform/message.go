package transform

import (
	"cmp"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
	"pipeline/transform/prompt"
)

// readHeadBodies adds the messages inside the conversation document. A message that has a row of its own is not
// replaced.
func (a *assembly) readHeadBodies() {
	for member := range a.head.Get("conversationMap").Unquoted().Members {
		if o := member.Unquoted().Object(); o.Exists() {
			a.format = formatMap
			a.add(string(member.Name()), o, inMap)
		} else {
			a.setMessageAside(member, inMap, member.Name())
		}
	}
	elements := a.head.Get("conversation").Unquoted().Array()
	inTabs := len(elements) // where the elements of tabs begin
	for _, tab := range a.head.Get("tabs").Unquoted().Array() {
		elements = append(elements, tab.Object().Get("bubbles").Unquoted().Array()...)
	}
	if a.addInline(elements, func(i int) origin {
		if i < inTabs {
			return inArray
		}
		return inTab
	}) {
		a.format = formatInline
	}
}

// addInline adds the elements of an inline array, in order, and reports whether there are any.
// from says where an element is.
func (a *assembly) addInline(elements []jsondoc.Value, from func(int) origin) bool {
	var objects []jsondoc.Value
	var places []origin
	for i, element := range elements {
		if o := element.Unquoted().Object(); o.Exists() {
			objects, places = append(objects, o), append(places, from(i))
		} else {
			a.setMessageAside(element, from(i), fmtInt(int64(i)))
		}
	}
	for i, id := range inlineIDs(objects) {
		a.add(id, objects[i], places[i])
		a.inline = append(a.inline, id)
	}
	return len(objects) > 0
}

// add adds a message that has no row of its own.
func (a *assembly) add(id string, o jsondoc.Value, from origin) {
	if a.pending[id] != nil {
		a.census.of(origins[from]).Duplicates++
		return
	}
	a.census.seeMessage(o)
	a.fields.look(extract.FamilyBubble, o)
	a.place(id, o)
	b := readBody(id, o, a.v1[id])
	if a.skip(b, from) {
		return
	}
	a.pending[id] = newPendingMessage(b)
	a.pending[id].from = from
	a.allCalls += int64(len(b.calls))
	a.mcpNamed(b)
}

// skip counts a placeholder, which is no message, and reports whether a body is one. The graph has the step that it
// stands for.
func (a *assembly) skip(b *body, from origin) bool {
	if b.isPlaceholder {
		a.placeholders[b.id] = true
		a.census.of(origins[from]).Skipped++
		a.census.of(censusKey{extract.FamilyBubble, listCalls}).Skipped += int64(b.placeholders)
	}
	return b.isPlaceholder
}

// readBody turns a bubble's JSON object into rows. v1 is the message's older tool call, nil if there is none.
func readBody(id string, o jsondoc.Value, v1 jsondoc.Value) *body {
	b := &body{id: id}
	stored := o.Get("bubbleId")
	b.stored, b.hasStored = stored.Text(), stored.Exists()
	m := &b.message
	m.MessageID = id
	m.Role, b.ownRole = role(o.Get("type"))
	m.Text = messageText(o)
	if m.Role != "assistant" && m.Text != nil {
		b.isNotice = prompt.IsNotice(*m.Text)
		m.Text = text(prompt.Unwrap(*m.Text))
	}
	m.Thinking = thinkingText(o)
	m.ThinkingDurationMs = cmp.Or(o.Get("thinkingDurationMs").Count(), o.Get("thinking").Get("durationMs").Count())
	m.TurnDurationMs = o.Get("turnDurationMs").Count()
	m.Model = messageModel(o)
	m.Mode = mode(o.First("unifiedMode", "unified_mode"))
	m.RequestID = o.Get("requestId").Str()
	m.UsageID = o.Get("usageUuid").Str()
	m.ContextSessionID = o.Get("contextSessionId").Str()
	readTokens(m, o.Get("tokenCount"), o.Get("usage"))
	m.ContextTokensUsed = contextTokens(o)
	m.IsAgentic = o.Get("isAgentic").Boolean()
	m.Summary = summaryText(o.First("cachedConversationSummary", "conversationSummary"))
	m.CheckpointID = o.Get("checkpointId").Str()
	b.after = o.Get("afterCheckpointId").Text()
	b.wrote, b.started, b.finished = cmp.Or(timeOf(o.Get("createdAt")), timeOf(o.Get("timestamp"))),
		timeOf(o.Get("startedAtMs")), timeOf(o.Get("completedAtMs"))
	b.own = cmp.Or(b.wrote, b.started)
	b.timing = sentAt(o.Get("timingInfo"))
	b.readCalls(o.Get("toolFormerData"), v1)
	if m.Text == nil && m.Thinking == nil && len(b.calls) == 0 {
		m.Text = codeText(o.Get("codeBlocks"))
	}
	offer := (m.Text != nil || m.Thinking != nil || len(b.calls) > 0) && isOffer(o.Get("errorDetails"))
	if m.Extra = extra(o, "toolResults", "codeBlocks", "serviceStatusUpdate"); offer {
		m.Extra = extra(o, "toolResults", "codeBlocks", "serviceStatusUpdate", "errorDetails")
	} else {
		m.ErrorCode, m.Error = messageError(o.Get("errorDetails"))
	}
	b.servers = descriptors(o.Get("mcpDescriptors"))
	b.attachments = attachments(o, nil)
	if context := o.Get("context").Unquoted(); !jsondoc.IsEmpty(context) {
		b.attachments = attachments(context.Object(), b.attachments)
	}
	b.given = len(b.attachments)
	b.readFlags(o, offer)
	return b
}

// contextTokens is the size of the context when a prompt was sent, else as it was estimated before that.
func contextTokens(o jsondoc.Value) *int64 {
	n := o.Get("promptDryRunInfo").Unquoted().Get("fullConversationTokenCount").Get("numTokens").Count()
	if deref(n) == 0 {
		n = nil
	}
	return cmp.Or(o.Get("contextWindowStatusAtCreation").First("tokensUsed").Count(), n)
}

// sentAt is the time in a message's timingInfo. clientStartTime may count from the start of the window instead: then it
// is no time.
func sentAt(timing jsondoc.Value) *schema.Millis {
	for _, name := range []string{"clientStartTime", "clientRpcSendTime", "clientSettleTime", "clientEndTime"} {
		if t := timeOf(timing.Get(name)); t != nil {
			return t
		}
	}
	return nil
}

// readFlags reads what a message says it is: who wrote it, and whether its words are a thought or a summary
// (docs/formats.md, Kinds, and Prompts of the program).
func (b *body) readFlags(o jsondoc.Value, offer bool) {
	m := &b.message
	b.isKickoff = o.Get("subagentSpawnTaskToolCallId").Text() != ""
	if b.isKickoff || b.isNotice || o.Get("isSimulatedMsg").IsTrue() || o.Get("isPlanExecution").IsTrue() {
		m.IsSimulated, m.Role, b.ownRole = true, "user", true
	}
	switch {
	case o.Get("isThought").IsTrue() && m.Text != nil:
		m.Thinking, m.Text = joined(m.Thinking, m.Text), nil
	case o.Get("isSummarization").IsTrue(), o.Get("isSummary").IsTrue():
		m.Summary, m.Text = joined(m.Summary, m.Text), nil
		m.Kind = kindCompaction
	}
	switch capability := deref(o.Get("capabilityType").Integer()); {
	case capability == compaction:
		m.Kind = kindCompaction
	case m.Kind != "":
	case !offer && !jsondoc.IsEmpty(o.Get("errorDetails")):
		m.Kind = kindError
	case capability == thought, !jsondoc.IsEmpty(o.Get("redactedThinking")),
		!jsondoc.IsEmpty(o.Get("thinking").Get("redactedThinking")):
		m.Kind = kindThinking
	}
	b.isPlaceholder = o.Get("isPlaceholder").IsTrue() && b.kind() == kindEmpty && b.given == 0
}

// joined puts a text behind another that does not have it.
func joined(a, b *string) *string {
	if a == nil || b == nil || strings.Contains(*a, *b) {
		return cmp.Or(a, b)
	}
	return ptr(*a + "\n\n" + *b)
}

func (b *body) readCalls(stored, v1 jsondoc.Value) {
	data := stored.Unquoted()
	if !data.IsObject() && !data.IsArray() {
		if !jsondoc.IsEmpty(data) {
			b.placeholders++
		}
		data, b.older = v1.Unquoted(), true
	}
	elements := []jsondoc.Value{data}
	if data.IsArray() {
		elements = data.Array()
	}
	for _, element := range elements {
		o := element.Unquoted().Object()
		call, ok := toolCall(o)
		if !ok {
			if !b.older && !jsondoc.IsEmpty(element.Unquoted()) {
				b.placeholders++
			}
			continue
		}
		call.MessageID, call.CallIndex = b.id, int64(len(b.calls))
		b.called = cmp.Or(b.called, call.StartedAt)
		b.calls = append(b.calls, call)
		if b.codeblock == "" {
			b.codeblock = o.Get("additionalData").Unquoted().Get("codeblockId").Text()
		}
	}
}

// The capabilityType of a message that says that Cursor summarized the conversation, and of one that is a thought
// (docs/formats.md, Kinds).
const (
	compaction = 22
	thought    = 30
)

// messageText returns the first non-empty member that held the text in some era (docs/formats.md, Role, mode and text).
func messageText(o jsondoc.Value) *string {
	for _, name := range []string{"text", "rawText", "content", "message"} {
		if s := spokenText(o.Get(name)); s != nil {
			return s
		}
	}
	if s := spokenText(o.Get("delegate").Get("a")); s != nil {
		return s
	}
	if s := cmp.Or(plainText(o.Get("richText")), plainText(o.Get("initText"))); s != "" {
		return &s
	}
	return nil
}

// codeText is the text of a message that says nothing but code: its blocks, in fences where the language is known.
func codeText(blocks jsondoc.Value) *string {
	var parts []string
	for _, block := range blocks.Unquoted().Array() {
		o := block.Unquoted().Object()
		content := o.Get("content").Text()
		if isBlank(content) {
			continue
		}
		if language := o.First("languageId", "language").Text(); language != "" {
			content = "```" + language + "\n" + content + "\n```"
		}
		parts = append(parts, content)
	}
	if len(parts) == 0 {
		return nil
	}
	return ptr(strings.Join(parts, "\n\n"))
}

// thinkingText returns thinking, as a string or an object, else the blocks of allThinkingBlocks.
func thinkingText(o jsondoc.Value) *string {
	thinking := o.Get("thinking")
	if s := thinking.Str(); s != nil {
		return s
	}
	if s := thinking.Get("text").Str(); s != nil {
		return s
	}
	var parts []string
	for _, block := range o.Get("allThinkingBlocks").Array() {
		block = block.Unquoted()
		if s := block.Str(); s != nil {
			parts = append(parts, *s)
		} else if s := block.First("text", "thinking").Str(); s != nil {
			parts = append(parts, *s)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return ptr(strings.Join(parts, "\n\n"))
}

// messageModel returns the model that answered. It is NULL if none is recorded, and never the conversation's model.
func messageModel(o jsondoc.Value) *string {
	for _, v := range []jsondoc.Value{o.Get("modelInfo").Get("modelName"), o.Get("modelName"), o.Get("modelType"),
		o.Get("model")} {
		if name := modelName(v); name != nil {
			return name
		}
	}
	return nil
}

// readTokens reads what a message took. Input and output are NULL if both are zero or missing: Cursor stopped filling
// them in February 2026 (docs/formats.md, Tokens). Tokens of the cache are NULL if all four are. Then the next of the
// places counts.
func readTokens(m *schema.Message, v jsondoc.Value, more ...jsondoc.Value) {
	m.InputTokens, m.OutputTokens = v.First("inputTokens", "input_tokens").Count(),
		v.First("outputTokens", "output_tokens").Count()
	m.CacheReadTokens, m.CacheWriteTokens = v.First("cacheReadTokens", "cache_read_tokens").Count(),
		v.First("cacheWriteTokens", "cache_write_tokens").Count()
	if deref(m.InputTokens) == 0 && deref(m.OutputTokens) == 0 {
		m.InputTokens, m.OutputTokens = nil, nil
		if deref(m.CacheReadTokens) == 0 && deref(m.CacheWriteTokens) == 0 {
			m.CacheReadTokens, m.CacheWriteTokens = nil, nil
			if len(more) > 0 {
				readTokens(m, more[0], more[1:]...)
			}
		}
	}
}

// isOffer reports whether errorDetails are what Cursor shows below a turn that has ended, without the sign of an error
// (docs/formats.md, Errors of a message).
func isOffer(v jsondoc.Value) bool {
	details := v.Unquoted().Get("error").Unquoted().Get("details").Unquoted()
	return details.Get("additionalInfo").Get("hideIcon").IsTrue()
}

// errorDepth is how many errors may be nested in another, or encoded as JSON in a string.
const errorDepth = 4

// messageError reads errorDetails: a text, or an object whose error is a code, or holds a code and details of its own,
// or another error (docs/formats.md, Errors of a message).
func messageError(v jsondoc.Value) (code, message *string) {
	v = v.Unquoted()
	if v.IsString() {
		return nil, v.Str()
	}
	inner := v.Get("error")
	for range errorDepth {
		inner = inner.Unquoted()
		if nested := inner.Get("error").Unquoted(); nested.IsObject() {
			inner = nested
		}
	}
	if inner.IsObject() {
		code = inner.First("error", "code", "name").Scalar()
		details := inner.Get("details").Unquoted()
		title, detail := details.Get("title").Str(), details.Get("detail").Str()
		if title != nil && detail != nil {
			title = ptr(*title + ": " + *detail)
		}
		message = cmp.Or(title, detail)
	} else {
		code = inner.Scalar()
	}
	if code == nil {
		code = v.First("code", "errorCode").Scalar()
	}
	if message == nil {
		message = v.Get("message").Str()
	}
	if message == nil {
		details := v.Get("errorDetails").Unquoted()
		if message = details.Str(); message == nil {
			message = details.First("message", "detail", "title").Str()
		}
	}
	return code, message
}

// extra returns members as they are stored.
func extra(o jsondoc.Value, names ...string) schema.JSON {
	out := []byte{'{'}
	for _, name := range names {
		part := o.Get(name)
		if jsondoc.IsEmpty(part.Unquoted()) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, `"`+name+`":`...), part.Clean()...)
	}
	if len(out) == 1 {
		return nil
	}
	return append(out, '}')
}
