package storetest

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// A Case is a named corner case of a plan.
type Case struct {
	Name          string
	Store         string // the store that has it: global, or workspace:<id>
	StoreSQL      string // counts it there
	StoreCount    int
	WarehouseSQL  string // a query on the warehouse that gives one value
	WarehouseWant string // that value as text; NULL is "NULL"
}

// caseTable lists all of them. The name of a case decides its ids, its time and what is random in it: a new one changes
// no other.
var caseTable = joinCases(valueCases, versionCases(), shapeCases, messageCases, subagentCases, projectCases, storeCases,
	loopCases, emptyCases, headCases, callCases, titleCases, forkCases, rareCases, agentCases)

// A namedCase is a case by its name. One that says where the store shows it is about the answer in a talk: plan changes
// it (the builder's c and m). One that does not plans everything, and expects by itself.
type namedCase struct {
	name string
	// a condition that holds for the row of the answer, or for that of the conversation
	bubble, composer string
	// a column of the answer, of the conversation or of its tool call, and its value
	message, conversation, call string
	want                        string
	plan                        func(*caseBuilder)
}

func joinCases(tables ...[]namedCase) []namedCase {
	var all []namedCase
	for _, t := range tables {
		all = append(all, t...)
	}
	return all
}

// caseBase is the time of the first case, 2026-01-05 00:00 UTC. The others begin within the 85 days after it, at an
// even hour.
const (
	caseBase  = int64(1767571200000)
	caseHours = 1024 // pairs of them
)

// caseNumber is the number of a case: a hash of its name.
func caseNumber(name string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // it takes everything
	return int(h.Sum32() >> 16)
}

func (p *Plan) planCases(table []namedCase) {
	names := map[int]string{}
	for _, k := range table {
		number := caseNumber(k.name)
		if other := names[number]; other != "" {
			panic("storetest: cases " + other + " and " + k.name + " have the same number: rename one")
		}
		names[number] = k.name
		b := &caseBuilder{p: p, name: k.name, number: number, at: caseBase + int64(number%caseHours)*2*3600_000}
		n := len(p.cases)
		b.plan(k)
		if len(p.cases) != n+1 {
			panic("storetest: case " + k.name + " expects nothing, or too much")
		}
	}
}

// A caseBuilder plans one case.
type caseBuilder struct {
	p      *Plan
	name   string
	number int
	at     int64 // its time
	ids    int
	c      *conversation // of a case about an answer
	m      *message      // the answer
}

// plan plans the case.
func (b *caseBuilder) plan(k namedCase) {
	if k.bubble == "" && k.composer == "" {
		k.plan(b)
		return
	}
	b.c, b.m = b.talk()
	if k.plan != nil {
		k.plan(b)
	}
	stored, warehouse := composer(b.c, k.composer), ofMessage(b.c, b.m, k.message)
	if k.bubble != "" {
		stored = bubble(b.c, b.m, k.bubble)
	}
	switch {
	case k.conversation != "":
		warehouse = ofConversation(b.c, k.conversation)
	case k.call != "":
		warehouse = ofTool(b.c, k.call)
	}
	b.expect(stored, 1, warehouse, k.want)
}

// id is the next id of the case.
func (b *caseBuilder) id() string {
	b.ids++
	return fmt.Sprintf("ca5e%04x-0000-4000-8000-%012d", b.number, b.ids)
}

// chat adds a conversation in format rows with no messages and no project.
func (b *caseBuilder) chat() *conversation {
	c := &conversation{id: b.id(), v: "13", form: "rows", seed: uint64(b.number), title: "Case " + b.name,
		status: "completed", mode: "agent", created: number(b.at)}
	b.p.chats = append(b.p.chats, c)
	return c
}

// ask and reply add a message of the user and of the model, a minute after the one before.
func (b *caseBuilder) ask(c *conversation, text string) *message { return b.say(c, "user", "1", text) }

func (b *caseBuilder) reply(c *conversation, text string) *message {
	return b.say(c, "assistant", "2", text)
}

func (b *caseBuilder) say(c *conversation, role, typ, text string) *message {
	m := &message{id: b.id(), role: role, typ: typ, text: text, seed: uint64(b.number*1000 + b.ids), tokens: true}
	m.finish = b.at + int64(len(c.msgs)+1)*60_000
	m.own = iso(m.finish)
	c.msgs = append(c.msgs, m)
	return m
}

// talk adds a conversation with a question, and an answer for the case to change.
func (b *caseBuilder) talk() (*conversation, *message) {
	c := b.chat()
	b.ask(c, "What about "+b.name+"?")
	return c, b.reply(c, "This is "+b.name+".")
}

// call makes m a call of the tool.
func (b *caseBuilder) call(m *message, s toolSpec) *tool {
	m.tool = newRNG(uint64(b.number), 9).callOf(s)
	m.text = ""
	return m.tool
}

// row adds a row that belongs to no planned message or conversation.
func (b *caseBuilder) row(key, value any) { b.p.extra = append(b.p.extra, Row{Key: key, Value: value}) }

// folder adds a workspace of the case's own.
func (b *caseBuilder) folder(uri, want, name, kind string) *workspace {
	return b.p.folder(fmt.Sprintf("ca5e%028d", b.number*10+b.more()), uri, want, name, kind)
}

func (b *caseBuilder) more() int {
	b.ids++
	return b.ids % 10
}

func (b *caseBuilder) expect(storeSQL string, count int, warehouseSQL, want string) {
	b.expectIn("global", storeSQL, count, warehouseSQL, want)
}

func (b *caseBuilder) expectIn(store, storeSQL string, count int, warehouseSQL, want string) {
	b.p.cases = append(b.p.cases, Case{b.name, store, storeSQL, count, warehouseSQL, want})
}

// keyed counts the rows of a key for which a condition holds.
func keyed(key, condition string) string {
	return "SELECT count(*) FROM cursorDiskKV WHERE key = " + sqlText(key) + " AND " + condition
}

// bubble counts the row of a message for which a condition holds.
func bubble(c *conversation, m *message, condition string) string {
	return keyed("bubbleId:"+c.id+":"+m.id, condition)
}

// inReview is the condition that the review of a bubble's call has a text in a field.
func inReview(field, text string) string {
	return "json_extract(value, '$.toolFormerData.additionalData.reviewData." + field + "') = " + sqlText(text)
}

// composer counts the row of a conversation for which a condition holds.
func composer(c *conversation, condition string) string {
	return keyed("composerData:"+c.id, condition)
}

// ofMessage, ofConversation and ofTool return a query for one column in the warehouse.
func ofMessage(c *conversation, m *message, column string) string {
	return "SELECT " + column + " FROM messages WHERE conversation_id = " + sqlText(c.id) + " AND message_id = " +
		sqlText(m.id)
}

func ofConversation(c *conversation, column string) string {
	return "SELECT " + column + " FROM conversations WHERE conversation_id = " + sqlText(c.id)
}

func ofTool(c *conversation, column string) string {
	return "SELECT " + column + " FROM tool_calls WHERE conversation_id = " + sqlText(c.id)
}

// sqlText is a text literal of SQLite and DuckDB; newlines are spelled out, so that a case fits on a line.
func sqlText(s string) string {
	s = "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if chr := "' || chr(10) || '"; strings.Contains(s, "\n") {
		s = strings.ReplaceAll(s, "\n", chr)
	}
	return s
}
