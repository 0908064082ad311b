package storetest

import "strings"

// planMessage plans a message of an era, all but its times.
func (p *Plan) planMessage(c *conversation, e *era, user bool) *message {
	r := p.r
	m := &message{id: r.uuid(), seed: r.Uint64()}
	if user {
		m.role, m.typ = "user", "1"
		p.planPrompt(m, e)
	} else {
		m.role, m.typ = "assistant", "2"
		p.planAnswer(m, e)
	}
	if e.form == "chat_tab" {
		m.typ = map[string]string{"user": `"user"`, "assistant": `"ai"`}[m.role]
		if m.role == "assistant" && m.text != "" {
			m.textIn = "rawText"
		}
	}
	return m
}

// planPrompt plans what a user writes and attaches.
func (p *Plan) planPrompt(m *message, e *era) {
	r := p.r
	m.text = r.prose(prompts, r.between(1, 4))
	if r.chance(0.05) {
		m.text += "\n\n```\n" + r.code(r.between(300, 6000)) + "```"
	}
	m.request = r.uuid()
	if r.chance(0.6) {
		m.attach = append(m.attach, attachment{"fileSelections", r.between(1, 3), "context"})
	}
	for _, a := range []attachment{{"selections", 1, "context"}, {"folderSelections", 1, "context"},
		{"terminalSelections", 1, "context"}, {"selectedDocs", 1, "context"}, {"cursorRules", 2, "context"},
		{"selectedCommits", 1, "context"}, {"notepads", 1, "context"}, {"quotes", 1, "context"},
		{"selectedPullRequests", 1, "context"}, {"selectedImages", 1, "context"}, {"images", 1, ""},
		{"attachedCodeChunks", 2, ""}, {"codebaseContextChunks", 3, ""}, {"gitDiffs", 1, ""}, {"commits", 1, ""},
		{"pullRequests", 1, ""}, {"externalLinks", 1, ""}, {"lints", 2, ""}, {"attachedFolders", 1, ""},
		{"docsReferences", 1, ""}, {"approximateLintErrors", 2, ""}} {
		if r.chance(0.08) {
			m.attach = append(m.attach, a)
		}
	}
}

// planAnswer plans what a model writes, thinks and calls.
func (p *Plan) planAnswer(m *message, e *era) {
	r := p.r
	switch x := r.IntN(1000); {
	case x < 410: // 39 % of all messages
		specs := oldTools
		if e.modern {
			specs = newTools
		}
		m.tool = r.call(specs, e.modern)
		m.tool.v1 = e.v1
		if m.tool.kind == "shell" && r.chance(0.002) {
			m.tool.size = 1 << 20
		}
		if r.chance(0.12) {
			m.text = r.prose(answers, 1)
		}
		if m.tool.want == "todo_write" {
			m.attach = append(m.attach, attachment{"todos", r.between(1, 4), ""})
		}
	case x < 690:
		m.thinking = r.prose(thoughts, r.between(1, 7))
		if r.chance(0.7) {
			m.thinkMS = ptr(r.ms(200, 40_000))
		}
		if e.stubs && r.chance(0.6) {
			m.stub = true
		}
	case x < 985:
		m.text = r.prose(answers, r.between(1, 8))
		if r.chance(0.15) {
			m.text += "\n\n```go\n" + r.code(r.between(200, 4000)) + "```"
		}
		if e.stubs && r.chance(0.42) {
			m.stub = true
		}
		if r.chance(0.02) {
			m.attach = append(m.attach, attachment{"webReferences", r.between(1, 3), ""})
		}
	case x < 992:
		m.err = true
	}
	if r.chance(e.model) {
		m.model, m.modelIn = ptr(r.pick(models)), e.modelIn
		if r.chance(0.1) {
			m.model = ptr("")
		}
	}
	m.tokens = e.form != "chat_tab"
	if r.chance(e.tokens) {
		m.in, m.out = r.ms(500, 90_000), r.ms(0, 4000)
	}
}

// planTimes gives the message the marks that its era leaves of the time t. The last message of a chat always
// has one, as chats that follow are set by it.
func (p *Plan) planTimes(m *message, e *era, t int64, last bool) {
	r := p.r
	m.finish = t // what really happened; headers of style 3 write it
	if r.chance(e.own) || last && e.ownForm != nil {
		if m.own = e.ownForm(t); e.form == "inline" && !e.v1 {
			m.own, m.timestamp = stamp{}, m.own
		}
	}
	if r.chance(e.head) {
		m.head = iso(t)
	}
	if r.chance(0.034) || last && m.head.ms == 0 && m.own.ms == 0 && m.timestamp.ms == 0 && e.form != "chat_tab" {
		m.timing = float(t)
	}
	if e.style == 3 && r.chance(0.58) {
		m.start = t - r.ms(20, 9000)
	}
}

// written is when the message was written, whatever the store says.
func (m *message) written() int64 { return m.finish }

// ownTime is the message's own time, 0 for none.
func (m *message) ownTime() int64 {
	if m.own.ms != 0 {
		return m.own.ms
	}
	return m.timestamp.ms
}

// real is the time that the store says of the message itself, and where it says it. The headers' times count
// only for a message that a header names.
func (m *message) real() (ms int64, source string) {
	if t := m.ownTime(); t != 0 {
		return t, "message"
	}
	if !m.unlisted {
		if m.head.ms != 0 {
			return m.head.ms, "header"
		}
		if m.start != 0 {
			return m.start, "header"
		}
	}
	if m.called != 0 {
		return m.called, "tool"
	}
	if m.timing.ms != 0 {
		return m.timing.ms, "timing"
	}
	return 0, ""
}

// end is the latest real time of the conversation's messages, else its own latest time.
func (c *conversation) end() int64 {
	var end int64
	for _, m := range c.msgs {
		if t, _ := m.real(); t > end {
			end = t
		}
	}
	if end == 0 {
		end = max(c.created.ms, c.updated.ms)
	}
	return end
}

// wantText is what the warehouse must have in text; "" for NULL.
func (m *message) wantText() string { return stored(m.text) }

// kind is what messages.kind must be.
func (m *message) kind() string {
	switch {
	case m.tool != nil:
		return "tool_call"
	case m.summarized:
		return "compaction"
	case m.err:
		return "error"
	case strings.TrimSpace(m.text) != "":
		return "text"
	case m.thinking != "":
		return "thinking"
	}
	return "empty"
}

// auto is the rule for names of models (docs/formats.md, Models); "" for NULL.
func auto(model *string) string {
	switch {
	case model == nil:
		return ""
	case *model == "" || *model == "default":
		return "auto"
	}
	return *model
}
