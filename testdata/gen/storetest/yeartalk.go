package storetest

import (
	"slices"
	"strings"
)

// A yearTalk is a conversation of the year while it is planned: what is said, one message after the other, each some
// time after the one before.
type yearTalk struct {
	y       *Year
	c       *conversation
	p       *yearProject
	t       *topic
	e       *yearEra
	r       rng
	at      int64
	asked   string   // what its first prompt asks; "" for a text of its purpose
	prompt  *message // of the turn
	added   int64
	removed int64
	edited  []string // files whose edits were kept
	broken  int      // how many more runs of the tests fail
}

// text is one of the texts for a purpose, about the topic.
func (k *yearTalk) text(purpose string) string {
	return k.t.filled(k.p, k.r.pick(yearTexts[purpose]))
}

// add adds a message that is written some milliseconds after the one before.
func (k *yearTalk) add(role, typ, text string, after int64) *message {
	m := &message{id: k.r.uuid(), seed: k.r.Uint64(), role: role, typ: typ, text: text, tokens: true}
	k.at += after
	m.finish = k.at
	if len(k.c.msgs) == 0 || k.r.chance(k.e.own) {
		m.own = iso(k.at)
	}
	if k.e.style > 0 {
		m.head = iso(k.at)
	}
	if k.e.style == 3 && role == "assistant" {
		m.start = k.at - min(after, 9000)
	}
	if role == "assistant" && k.r.chance(k.e.model) {
		m.model = k.c.model
	}
	k.c.msgs = append(k.c.msgs, m)
	return m
}

// ask begins a turn. All but the first come after the developer has read and tried what the one before brought.
func (k *yearTalk) ask(text string) *message {
	after := int64(0)
	if len(k.c.msgs) > 0 {
		k.endTurn()
		after = k.r.ms(3*60_000, 27*60_000)
		if k.r.chance(0.05) {
			after = k.r.ms(31, 75) * 60_000
		}
	}
	m := k.add("user", "1", text, after)
	m.request, m.own = k.r.uuid(), iso(k.at)
	m.of = k.y.root + "/" + k.p.name + "@" + k.t.file
	if k.r.chance(0.45) {
		m.attach = []attachment{{"fileSelections", 1, "context"}}
	}
	if k.r.chance(0.1) {
		m.attach = append(m.attach, []attachment{{"cursorRules", 1, "context"}, {"terminalSelections", 1, "context"},
			{"lints", 1, ""}, {"gitDiffs", 1, ""}}[k.r.IntN(4)])
	}
	k.prompt = m
	return m
}

// endTurn notes how long the turn took and what it needed.
func (k *yearTalk) endTurn() {
	last := k.c.msgs[len(k.c.msgs)-1]
	k.prompt.took = max(last.finish-k.prompt.finish, 1000)
	if last.role == "assistant" && k.e.tokens > 0 && k.r.chance(k.e.tokens) {
		last.in, last.out = k.r.ms(9_000, 24_000)+int64(len(k.c.msgs))*k.r.ms(700, 1600), k.r.ms(200, 3800)
	}
}

func (k *yearTalk) think() {
	m := k.add("assistant", "2", "", k.r.ms(5_000, 75_000))
	m.thinking = k.text("think")
	if k.r.chance(0.4) {
		m.thinking += " " + k.text("think")
	}
	m.thinkMS = ptr(k.r.ms(900, 14_000))
}

func (k *yearTalk) say(text string) *message {
	return k.add("assistant", "2", text, k.r.ms(10_000, 110_000))
}

// begin plans what a conversation is before anything is said.
func (y *Year) begin(r rng, p *yearProject, t *topic, title string, at int64) *yearTalk {
	e := eraOf(at)
	c := &conversation{id: r.uuid(), v: e.v, form: "rows", style: e.style, seed: r.Uint64(), link: e.link, project: p.w,
		mode: "agent", status: "completed", created: number(at), told: &told{}}
	c.title = title
	c.model = ptr(modelAt(r, at))
	if strings.Contains(*c.model, "opus") && r.chance(0.12) {
		c.max = true
	}
	return &yearTalk{y: y, c: c, p: p, t: t, e: e, r: r, at: at}
}

// finish plans what a conversation says of itself at its end.
func (k *yearTalk) finish() {
	c, r := k.c, k.r
	k.endTurn()
	c.msgs[len(c.msgs)-1].own = iso(k.at)
	switch x := r.IntN(100); {
	case x < 6:
		c.status = "aborted"
	case x < 10:
		c.status = "none"
	}
	c.updated = number(k.at)
	if k.e.modern {
		c.checkpoint = k.at + 1500
	}
	if k.e.link == "headers_table" {
		c.tableTime = c.checkpoint
	}
	c.archived = r.chance(0.06)
	if k.e.style >= 2 {
		c.told.lines = &lineTotals{k.added, k.removed}
	}
	if k.e.style >= 1 {
		c.told.window = k.window()
	}
	if k.e.cost && *c.model != "default" {
		turns := int64(0)
		for _, m := range c.msgs {
			if m.role == "user" {
				turns++
			}
		}
		c.usage = []usage{{*c.model, turns * r.ms(4, 8), turns}}
	}
	if n := len(c.msgs) / 9; n > 0 {
		k.checkpoints(n)
	}
}

// checkpoints keeps the files as they were before the first n prompts.
func (k *yearTalk) checkpoints(n int) {
	for _, m := range k.c.msgs {
		if m.role != "user" || n == 0 || len(k.edited) == 0 {
			continue
		}
		n--
		cp := checkpoint{id: k.r.uuid(), seed: k.r.Uint64(), files: 1, size: k.r.between(300, 2400),
			of: k.y.root + "/" + k.p.name + "/" + k.edited[0]}
		k.c.checkpoints = append(k.c.checkpoints, cp)
		m.checkpoint = cp.id
	}
}

// window is the context that the conversation has filled.
func (k *yearTalk) window() *window {
	r := k.r
	w := &window{limit: 200_000, parts: []windowPart{{"system_prompt", "System prompt", r.ms(2500, 4200)},
		{"tools", "Tool definitions", r.ms(7000, 13_000)}, {"rules", "Rules", r.ms(400, 2600)}}}
	if k.c.max {
		w.limit = 1_000_000
	}
	if r.chance(0.5) {
		w.parts = append(w.parts, windowPart{"mcp", "MCP servers", r.ms(2000, 16_000)})
	}
	said := int64(len(k.c.msgs)) * r.ms(1200, 4200)
	w.parts = append(w.parts, windowPart{"conversation", "Conversation", min(said, w.limit*95/100-w.used())})
	return w
}

// todoList plans a list of tasks; the first are done.
func (k *yearTalk) todoList() {
	items := []string{"read {file}", "change {symbol}", "test {test}", "update {other}", "add a line to the changelog"}
	n := k.r.between(3, len(items))
	done := n
	if k.r.chance(0.35) {
		done = k.r.between(1, n-1)
	}
	for i, text := range items[:n] {
		status := "completed"
		if i == done {
			status = "in_progress"
		} else if i > done {
			status = "pending"
		}
		k.c.told.todos = append(k.c.told.todos, todo{itoa(i + 1), k.t.filled(k.p, text), status})
	}
}

// keep notes that an edit of a file was kept.
func (k *yearTalk) keep(file string) {
	if !slices.Contains(k.edited, file) {
		k.edited = append(k.edited, file)
	}
}
