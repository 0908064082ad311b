package report

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"pipeline/load/reader"
)

// A fact is a table that the page carries, one row for each day, project and what else it is of. page/derive.js sums it
// up for any period and project, as the charts' queries do. Its query is queries/facts_<name>.sql, with the latest day
// first.
type fact struct {
	name    string
	columns []factColumn // beside day
	// its part of the room, with that of the others: days that do not fit are left out, the oldest first
	weight int
}

type factColumn struct {
	name string
	kind factKind
}

// A factKind says how the values of a column are written.
type factKind int

const (
	ofNumbers       factKind = iota
	ofProjects               // an index of payload.Projects
	ofNames                  // an index of payload.Names[column]; null stays
	ofLists                  // a list of such, with the names of another column
	ofConversations          // an index of payload.Conversations
)

func numbers(names ...string) (out []factColumn) {
	for _, n := range names {
		out = append(out, factColumn{n, ofNumbers})
	}
	return out
}

// factsOf are the tables that pages carry, those that need most room last. They share what a page of a megabyte has
// left.
func factsOf() []fact {
	project := factColumn{"project_uri", ofProjects}
	named := func(name string, rest ...string) []factColumn {
		return append([]factColumn{project, {name, ofNames}}, numbers(rest...)...)
	}
	plain := func(rest ...string) []factColumn { return append([]factColumn{project}, numbers(rest...)...) }
	return []fact{
		{"activity", plain("active_ms", "day_active_ms", "prompts", "messages", "real_times", "conversations",
			"repeats"), 40},
		{"sessions", plain("sessions"), 8},
		{"hours", plain("hour", "prompts", "messages"), 45},
		{"tools", named("tool", "calls", "outcome_known", "failed"), 45},
		{"models", named("model", "answers"), 12},
		{"edits", named("model", "edits", "decided", "accepted", "lines_added", "lines_removed"), 15},
		{"files", named("file", "edits", "lines_known", "lines_added", "lines_removed"), 40},
		{"funnel", plain("prompts", "replied", "called_tools", "proposed_edits", "decided_edits", "accepted_edits",
			"committed", "commits_known"), 15},
		{"cost", plain("input_tokens", "output_tokens", "messages", "messages_tokens_known", "cost_cents", "cost_known",
			"conversations"), 20},
		{"billed", named("model", "events", "with_cost", "with_conversation", "input_tokens", "cache_read_tokens",
			"output_tokens", "cost_cents", "charged_cents", "estimated_turns", "estimated_with_cost",
			"estimated_cost_cents"), 50},
		{"conversations",
			append([]factColumn{project, {"conversation_id", ofConversations}, {"tools", ofLists}, {"models", ofLists},
				{"billed_models", ofLists}}, numbers("messages")...), 100},
		{"context", append([]factColumn{project, {"conversation_id", ofConversations}, {"model", ofNames}},
			numbers("share", "tokens_used", "token_limit", "conversations")...), 25},
	}
}

// namesOf says whose names a column of lists has.
var namesOf = map[string]string{"tools": "tool", "models": "model", "billed_models": "model"}

// A payload is what the page computes with, as page/facts.js reads it.
type payload struct {
	From    string `json:"from"`  // the period that the page shows first
	To      string `json:"to"`    // its last day, and that of every other period
	First   string `json:"first"` // first day that the page knows of; "": none
	Limited bool   `json:"limited"`
	// of the SQL in the page, to be replaced by that of another choice
	Condition string              `json:"condition"`
	Messages  int64               `json:"messages"`
	Chosen    string              `json:"chosen"` // projects that were asked for
	Projects  []project           `json:"projects"`
	Names     map[string][]string `json:"names"`
	// id, name, index of the project, minute of the start (as if in UTC), 1 for a subagent
	Conversations [][]any              `json:"conversations"`
	Facts         map[string]factTable `json:"facts"`

	nameAt         map[string]map[string]int
	conversationAt map[[2]string]int
}

// A factTable has its values by column. A day is the number of days before that of the row before; the first is counted
// from 1970.
type factTable struct {
	Begins  string         `json:"begins"` // the first day that is in the page
	Days    []int          `json:"days"`
	Columns map[string]any `json:"columns"` // a list, or the one value that all rows have
}

// payload is what the page has to know of the choice that it shows first.
func (a *asker) payload(chosen period, zone string) *payload {
	p := &payload{From: chosen.from.Format(time.DateOnly), To: chosen.to.Format(time.DateOnly), First: a.first,
		Limited: a.Since != nil, Condition: chosen.condition() + a.projects(), Messages: a.messages, Chosen: a.Projects,
		Projects: a.names.list, Names: map[string][]string{}, Conversations: [][]any{}, Facts: map[string]factTable{},
		nameAt: map[string]map[string]int{}, conversationAt: map[[2]string]int{}}
	if a.Redact != nil {
		p.Condition = a.Redact(p.Condition)
	}
	return p
}

// carry asks for all facts of a period, as many as there is room for.
func (a *asker) carry(ctx context.Context, p *payload, all period, room int) error {
	weights := 0
	for _, f := range factsOf() {
		weights += f.weight
	}
	for _, f := range factsOf() {
		q, err := a.ask(ctx, "facts_"+f.name, all)
		if err != nil {
			return err
		}
		used := 0
		if p.Facts[f.name], used, err = p.table(a, f, q, all.from, max(room, 0)*f.weight/weights); err != nil {
			return fmt.Errorf("the facts of %s: %w", f.name, err)
		}
		room, weights = room-used, weights-f.weight // what it did not need is for the others
	}
	return nil
}

// table writes the rows of a fact, from the latest day on, as far as there is room for whole days.
func (p *payload) table(a *asker, f fact, q *question, first time.Time, room int) (t factTable, used int, err error) {
	t = factTable{Begins: first.Format(time.DateOnly), Days: []int{}, Columns: map[string]any{}}
	columns := make([][]any, len(f.columns))
	last, begun := 0, 0 // begun is the first row of the day
	for i := range q.rows {
		date, err := time.Parse(time.DateOnly, cutTo(q.value(i, "day"), len(time.DateOnly)))
		if err != nil {
			return t, used, err
		}
		number := int(date.Unix() / 86400)
		if number != last {
			begun = i
		}
		for n, c := range f.columns {
			v, size := p.value(a, q, i, c)
			columns[n], used = append(columns[n], v), used+size
		}
		step := number
		if i > 0 {
			step = last - number
		}
		t.Days, last, used = append(t.Days, step), number, used+len(fmt.Sprint(step))+1
		if used > room {
			t.Days = t.Days[:begun]
			t.Begins = date.AddDate(0, 0, 1).Format(time.DateOnly)
			break
		}
	}
	for n, c := range f.columns {
		t.Columns[c.name] = packed(columns[n][:len(t.Days)])
	}
	return t, used, nil
}

// packed is the list of a column, or its one value if it has no other. A list is no such value.
func packed(list []any) any {
	for _, v := range list {
		if _, isList := v.([]any); isList || v != list[0] {
			return list
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// value is what stands in the page for a value, and how many bytes it takes.
func (p *payload) value(a *asker, q *question, row int, c factColumn) (v any, size int) {
	v = q.value(row, c.name)
	switch c.kind {
	case ofNumbers:
		n, known := number(v)
		if v = nil; known {
			v = n
		}
	case ofProjects:
		v = a.names.index(v)
	case ofNames:
		v, size = p.name(c.name, v)
	case ofLists:
		indexes := []any{}
		for _, name := range list(v) {
			at, added := p.name(namesOf[c.name], name)
			indexes, size = append(indexes, at), size+added
		}
		v = indexes
	case ofConversations:
		v, size = p.conversation(a, q, row)
	}
	written, _ := json.Marshal(v)
	return v, size + len(written) + 1
}

// name is the index of a name, and how many bytes it takes because it is new.
func (p *payload) name(column string, v any) (index any, size int) {
	if v == nil {
		return nil, 0
	}
	text := reader.Text(v)
	if p.nameAt[column] == nil {
		p.nameAt[column] = map[string]int{}
	}
	at, known := p.nameAt[column][text]
	if !known {
		at, size = len(p.Names[column]), written(text)
		p.nameAt[column][text], p.Names[column] = at, append(p.Names[column], text)
	}
	return at, size
}

// conversation is the index of a row's conversation, and how many bytes it takes because it is new.
func (p *payload) conversation(a *asker, q *question, row int) (index any, size int) {
	if q.value(row, "conversation_id") == nil {
		return nil, 0
	}
	key := [2]string{q.text(row, "source_id"), q.text(row, "conversation_id")}
	at, known := p.conversationAt[key]
	if !known {
		started := q.value(row, "started")
		var minute any
		if t, err := time.Parse("2006-01-02 15:04", cutTo(started, len("2006-01-02 15:04"))); err == nil {
			minute = t.Unix() / 60
		}
		subagent := 0
		if is, _ := q.value(row, "is_subagent").(bool); is {
			subagent = 1
		}
		c := []any{key[1], conversationName(q.value(row, "title"), started), a.names.index(q.value(row, "project_uri")),
			minute, subagent}
		at, size = len(p.Conversations), written(c)
		p.conversationAt[key], p.Conversations = at, append(p.Conversations, c)
	}
	return at, size
}

// written is how many bytes a value takes in the page, where < and > are escaped.
func written(v any) int {
	b, _ := json.Marshal(v)
	return len(b) + 1
}

// list is the list of texts that a column of such has.
func list(v any) (out []any) {
	switch v := v.(type) {
	case []any:
		return v
	case []string:
		for _, text := range v {
			out = append(out, text)
		}
	case string:
		_ = json.Unmarshal([]byte(v), &out)
	}
	return out
}
