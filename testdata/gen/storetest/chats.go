package storetest

import "math"

// An era is a time in Cursor's history, as its stores show it.
type era struct {
	v       string // _v as JSON
	form    string
	local   bool // in a workspace store
	style   int  // of headers
	link    string
	modern  bool    // names of tools since 2.x
	v1      bool    // tool calls in the composer's capabilities
	own     float64 // share of messages with a time of their own
	ownForm func(int64) stamp
	head    float64 // share of headers with createdAt
	model   float64 // share of assistant messages with a model
	modelIn string
	tokens  float64 // share of assistant messages with token counts that are not zero
	stubs   bool    // placeholders of tool calls
	cost    bool
}

// eras in order of time.
var eras = []era{
	{form: "chat_tab", local: true, link: "workspace_list", model: 0.5, modelIn: "modelType"},
	{form: "inline", local: true, link: "workspace_list", own: 0.5, ownForm: number, model: 0.3, modelIn: "model",
		tokens: 0.5},
	{form: "inline", link: "workspace_list", own: 0.7, ownForm: number, model: 0.3, modelIn: "modelName", tokens: 0.5},
	{v: "1", form: "inline", link: "workspace_list", v1: true, own: 0.3, ownForm: iso, tokens: 0.4},
	{v: "1", form: "map", link: "workspace_list", own: 0.5, ownForm: iso, tokens: 0.3},
	{v: "3", form: "rows", link: "workspace_list", tokens: 0.2, model: 0.02},
	{v: "6", form: "rows", link: "pane", own: 0.15, ownForm: number, tokens: 0.1, model: 0.05, stubs: true},
	{v: "10", form: "rows", link: "workspace_list", own: 0.15, ownForm: iso, tokens: 0.05, model: 0.1, stubs: true,
		cost: true},
	{v: "13", form: "rows", link: "headers_item", modern: true, own: 0.63, ownForm: iso, tokens: 0.01, model: 0.1,
		stubs: true},
	{v: "16", form: "rows", style: 1, link: "composer", modern: true, own: 0.73, ownForm: iso, head: 0.8, tokens: 0.002,
		model: 0.05, stubs: true},
	{v: `"16"`, form: "rows", style: 1, link: "headers_item", modern: true, own: 0.73, ownForm: iso, head: 0.5,
		model: 0.05, stubs: true},
	{v: "17", form: "rows", style: 2, link: "headers_table", modern: true, own: 0.6, ownForm: iso, head: 0.9,
		model: 0.05, stubs: true},
	{v: "18", form: "rows", style: 3, link: "headers_table", modern: true, own: 0.4, ownForm: iso, head: 0.6,
		model: 0.05, stubs: true},
}

// slots are the eras of 24 conversations; more conversations repeat each slot in its place.
var slots = []int{0, 0, 1, 1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 11, 11, 12, 12, 12}

// planChats plans the bulk: conversations of every era with the distributions of real stores.
func (p *Plan) planChats() {
	n := max(len(slots), p.o.Messages*75/37000)
	sizes := p.chatSizes(n)
	last := map[string]*conversation{} // the latest chat of a project
	inEra := map[int]int{}
	for i := range n {
		slot := i * len(slots) / n
		e := &eras[slots[slot]]
		k := inEra[slots[slot]]
		inEra[slots[slot]]++
		c := &conversation{id: p.r.uuid(), v: e.v, form: e.form, style: e.style, seed: p.r.Uint64(), link: e.link,
			title:  p.r.pick(titles),
			status: p.r.pick([]string{"completed", "completed", "completed", "none", "aborted"})}
		w := p.workspaces[(i/2)%len(p.workspaces)]
		if p.chats != nil && e.modern && k%4 == 2 && len(p.chats[len(p.chats)-1].msgs) > 5 &&
			p.chats[len(p.chats)-1].parent == nil {
			p.planSubagent(c, e, p.chats[len(p.chats)-1], sizes[i])
			p.chats = append(p.chats, c)
			continue
		}
		if e.modern && k%7 == 6 { // a window without a folder
			c.link = ""
		} else {
			c.project = w
		}
		start := base + int64(slot)*28*day + int64(k)*3*day + p.r.ms(0, 6*3600*1000)
		if before := last[w.want]; before != nil && c.project != nil {
			start = p.startAfter(i, before, start)
		}
		p.planChat(c, e, sizes[i], start)
		if e.local {
			c.store, w.plain = w, true
		}
		p.chats = append(p.chats, c)
		if c.project != nil {
			last[w.want] = c
		}
	}
}

// startAfter sets a chat in time relative to the one before it in the same project, so that each side of
// the session gap occurs: at the gap, one millisecond past it, inside, overlapping, days later.
func (p *Plan) startAfter(i int, c *conversation, otherwise int64) int64 {
	end := c.end()
	switch i % 6 {
	case 0:
		return end + gap
	case 1:
		return end + gap + 1
	case 2:
		return end + p.r.ms(60_000, 20*60_000)
	case 3:
		return end - p.r.ms(1, 5*60_000)
	case 4:
		return end + p.r.ms(2*3600_000, 9*3600_000)
	}
	return max(otherwise, end+day)
}

// chatSizes shares the messages out: a few long chats and many short ones; the formats before rows get 4 %.
func (p *Plan) chatSizes(n int) []int {
	weight := make([]float64, n)
	var rows, others float64
	for i := range n {
		weight[i] = math.Exp(p.r.NormFloat64() * p.o.Skew)
		if eras[slots[i*len(slots)/n]].form == "rows" {
			rows += weight[i]
		} else {
			others += weight[i]
		}
	}
	sizes := make([]int, n)
	for i := range n {
		share, of := 0.96, rows
		if eras[slots[i*len(slots)/n]].form != "rows" {
			share, of = 0.04, others
		}
		sizes[i] = max(3, int(float64(p.o.Messages)*share*weight[i]/of+0.5))
	}
	return sizes
}

// planChat fills a conversation with n messages from start on.
func (p *Plan) planChat(c *conversation, e *era, n int, start int64) {
	c.created = number(start)
	t := start
	for i := range n {
		m := p.planMessage(c, e, i == 0 || p.r.chance(0.053))
		switch x := p.r.IntN(400); {
		case i == 0:
		case x == 0:
			t += gap // still the same period of activity
		case x == 1:
			t += gap + 1 // not any more
		case x < 4:
			t += p.r.ms(1, 30) * 3600_000
		case m.role == "user":
			t += p.r.ms(8_000, 20*60_000)
		default:
			t += p.r.ms(300, 40_000)
		}
		p.planTimes(m, e, t, i == n-1)
		c.msgs = append(c.msgs, m)
	}
	c.planHead(p, e, t)
	if e.form == "rows" {
		p.dropHeaders(c)
	}
}

// planHead plans what the conversation says about itself; t is when it ends.
func (c *conversation) planHead(p *Plan, e *era, t int64) {
	if e.form == "chat_tab" {
		c.created, c.updated, c.status = stamp{}, number(t), ""
		return
	}
	c.mode = p.r.pick([]string{"agent", "agent", "agent", "chat", "edit"})
	if e.modern {
		c.mode = p.r.pick([]string{"agent", "agent", "agent", "agent", "chat", "plan"})
		c.model = ptr(p.r.pick(models))
		c.checkpoint = t + 1500
	}
	switch {
	case c.link == "headers_table":
		c.tableTime = c.checkpoint
		if p.r.chance(0.3) {
			c.titleIn = "head"
		}
	case p.r.chance(0.5):
		c.updated = number(c.created.ms + 1000) // it often stays at the first message
	}
	if e.modern && p.r.chance(0.1) {
		c.archived = true
	}
	if p.r.chance(0.5) {
		c.attach = []attachment{{"fileSelections", 1, "context"}, {"cursorRules", p.r.between(0, 2), "context"}}
	}
	if e.cost {
		c.usage = []usage{{"claude-3.5-sonnet", p.r.ms(4, 400), p.r.ms(1, 90)}, {"gpt-4o", p.r.ms(1, 40), p.r.ms(1, 9)}}
	}
}

// dropHeaders makes the list of headers as incomplete as it is in real stores.
func (p *Plan) dropHeaders(c *conversation) {
	for i, m := range c.msgs {
		if i > 0 && i < len(c.msgs)-1 && p.r.chance(0.03) {
			m.unlisted = true
		}
	}
	for range len(c.msgs) / 100 {
		c.missing = append(c.missing, p.r.uuid())
	}
}

// planSubagent fills c as a chat that a task call of parent started. It ends before the parent does.
func (p *Plan) planSubagent(c *conversation, e *era, parent *conversation, n int) {
	n = max(2, n)
	start := parent.msgs[0].written()
	for _, m := range parent.msgs {
		if m.tool != nil && !m.tool.v1 && m.role == "assistant" {
			t := p.r.callOf(taskTool)
			t.subagent = c.id
			m.tool = t
			break
		}
	}
	step := (parent.end() - start) / int64(n+2)
	c.parent, c.parentBy, c.link = parent, "info", "parent"
	for i := range n {
		m := p.planMessage(c, e, i == 0)
		p.planTimes(m, e, start+step*int64(i+1), false)
		c.msgs = append(c.msgs, m)
	}
	c.created = number(start + step/2)
	c.planHead(p, e, start+step*int64(n))
	c.titleIn, c.tableTime = "", 0
}
