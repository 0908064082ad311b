package report

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"pipeline/cmd/pipeline/internal/csp"
	"pipeline/load/reader"
)

//go:embed page/*.html page/*.css page/*.js echarts/echarts.min.js echarts/LICENSES
var parts embed.FS

// A page is the data for page/page.html.
type page struct {
	Title, Period, PeriodFrom, Compared, Zone, Projects, Made, Version, Undated string

	Titles     bool
	Fresh      []string // sentences
	Figures    []figure
	FiguresSQL string
	Sections   []section
	Payload    *payload

	Policy   string
	Style    template.CSS
	Library  template.JS
	Script   template.JS
	Licences string
}

// A section is a heading with rows of cards.
type section struct {
	Title  string
	Folded bool // it is opened by a click
	Rows   []cards
}

// cards are one row of the page: one wide card, or several in two columns.
type cards []*card

// add puts a card under the heading that it begins, else under the last one.
func (p *page) add(c *card) {
	if c.Section != "" {
		p.Sections = append(p.Sections, section{Title: c.Section, Folded: c.Section == qualitySection})
	}
	rows := &p.Sections[len(p.Sections)-1].Rows
	if last := len(*rows) - 1; last >= 0 && !c.Wide && !(*rows)[last][0].Wide {
		(*rows)[last] = append((*rows)[last], c)
		return
	}
	*rows = append(*rows, cards{c})
}

// Columns are the left and the right column, in the order of the charts. They are not left to the style sheet: a card
// must stay in its column when its table is opened.
func (c cards) Columns() []cards {
	half := (len(c) + 1) / 2
	if half == len(c) {
		return []cards{c}
	}
	return []cards{c[:half], c[half:]}
}

// scripts are the parts of the page's script, in order.
var scripts = []string{"page/numbers.js", "page/facts.js", "page/derive.js", "page/figures.js", "page/draw.js",
	"page/charts.js", "page/drill.js", "page/page.js"}

// write fills the template. The security policy allows only the page's own style and scripts, by their hashes. So the
// page makes no request, and no text of the warehouse can become a script.
func (p *page) write(w io.Writer) error {
	text, script := map[string]string{}, ""
	for _, name := range append([]string{"page/page.html", "page/style.css", "echarts/echarts.min.js",
		"echarts/LICENSES"}, scripts...) {
		b, err := parts.ReadFile(name)
		if err != nil {
			return err
		}
		text[name] = string(b)
	}
	for _, name := range scripts {
		script += text[name]
	}
	style, library := text["page/style.css"], text["echarts/echarts.min.js"]
	p.Style, p.Library, p.Script, p.Licences = template.CSS(style), template.JS(library), template.JS(script),
		text["echarts/LICENSES"]
	p.Policy = strings.Join([]string{"default-src 'none'",
		"script-src " + csp.Source(library) + " " + csp.Source(script),
		"style-src " + csp.Source(style), "base-uri 'none'", "form-action 'none'"}, "; ")
	t, err := template.New("page").Parse(text["page/page.html"])
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// largest is how many bytes a page may have.
const largest = 1 << 20

// room returns how many bytes of the page are left for facts. It holds a twentieth back: the size of a fact counts its
// values, and not the JSON around them.
func (p *page) room() (int, error) {
	var written bytes.Buffer
	err := p.write(&written)
	return (largest - written.Len()) * 19 / 20, err
}

// A fact is a table that the page carries, one row for each day, project and what else it is of. page/derive.js sums it
// up for any period and project, as the charts' queries do. Its query, queries/facts_<name>.sql, says which columns it
// has, and has the latest day first.
type fact struct {
	name   string
	weight int // its part of the room, with that of the others: days that do not fit are left out, the oldest first
}

// facts are the tables that pages carry, those that need most room last. They share what a page of a megabyte has left.
var facts = []fact{{"activity", 40}, {"sessions", 8}, {"hours", 45}, {"tools", 45}, {"models", 12}, {"edits", 15},
	{"files", 40}, {"funnel", 15}, {"cost", 20}, {"billed", 50}, {"conversations", 100}, {"context", 25}}

// A factKind says how the values of a column are written.
type factKind int

const (
	ofNumbers       factKind = iota
	ofProjects               // an index of payload.Projects
	ofNames                  // an index of payload.Names; null stays
	ofLists                  // a list of such
	ofConversations          // an index of payload.Conversations
	notCarried               // the day, which stands apart, and what payload.Conversations says
)

// factColumns are the columns of facts that have no numbers; names says whose names a column of such has.
var factColumns = map[string]struct {
	kind  factKind
	names string
}{
	"project_uri": {kind: ofProjects}, "conversation_id": {kind: ofConversations}, "tool": {ofNames, "tool"},
	"model": {ofNames, "model"}, "file": {ofNames, "file"}, "tools": {ofLists, "tool"}, "models": {ofLists, "model"},
	"billed_models": {ofLists, "model"}, "day": {kind: notCarried}, "source_id": {kind: notCarried},
	"title": {kind: notCarried}, "started": {kind: notCarried}, "is_subagent": {kind: notCarried},
}

// A payload is what the page computes with, as page/facts.js reads it.
type payload struct {
	From    string `json:"from"`  // the period that the page shows first
	To      string `json:"to"`    // its last day, and that of every other period
	First   string `json:"first"` // first day that the page knows of; "": none
	UpTo    string `json:"up_to"` // words for that day
	Limited bool   `json:"limited"`
	// of the SQL in the page, to be replaced by that of another choice
	Condition string              `json:"condition"`
	Messages  int64               `json:"messages"`
	Chosen    string              `json:"chosen"` // projects that were asked for
	Show      string              `json:"show"`   // as in Options
	Chats     string              `json:"chats"`
	Headlines []headline          `json:"headlines"`
	Spending  []headline          `json:"spending"`
	Charged   headline            `json:"charged"`
	Events    string              `json:"events"` // first day of which Cursor's count is known; "": none
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
func (a *asker) payload(chosen period, upTo, zone string) *payload {
	p := &payload{From: chosen.from.Format(time.DateOnly), To: chosen.to.Format(time.DateOnly), First: a.first,
		UpTo: upTo, Limited: a.Since != nil, Condition: chosen.condition() + a.projects(), Messages: a.messages,
		Chosen: a.Projects, Show: a.Show, Chats: a.Chats, Headlines: headlines, Spending: spending, Charged: charged,
		Events: a.events, Projects: a.names.list, Names: map[string][]string{}, Conversations: [][]any{},
		Facts: map[string]factTable{}, nameAt: map[string]map[string]int{}, conversationAt: map[[2]string]int{}}
	if a.Redact != nil {
		p.Condition = a.Redact(p.Condition)
	}
	return p
}

// carry asks for all facts of a period, as many as there is room for.
func (a *asker) carry(ctx context.Context, p *payload, all period, room int) error {
	weights := 0
	for _, f := range facts {
		weights += f.weight
	}
	for _, f := range facts {
		q, err := a.ask(ctx, "facts_"+f.name, all)
		if err != nil {
			return err
		}
		used := 0
		if p.Facts[f.name], used, err = p.table(a, q, all.from, max(room, 0)*f.weight/weights); err != nil {
			return fmt.Errorf("the facts of %s: %w", f.name, err)
		}
		room, weights = room-used, weights-f.weight // what it did not need is for the others
	}
	return nil
}

// table writes the rows of a fact, from the latest day on, as far as there is room for whole days.
func (p *payload) table(a *asker, q *question, first time.Time, room int) (t factTable, used int, err error) {
	t = factTable{Begins: first.Format(time.DateOnly), Days: []int{}, Columns: map[string]any{}}
	carried := slices.DeleteFunc(slices.Clone(q.columns), func(name string) bool {
		return factColumns[name].kind == notCarried
	})
	columns := make([][]any, len(carried))
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
		for n, name := range carried {
			v, size := p.value(a, q, i, name)
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
	for n, name := range carried {
		t.Columns[name] = packed(columns[n][:len(t.Days)])
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
func (p *payload) value(a *asker, q *question, row int, column string) (v any, size int) {
	v = q.value(row, column)
	switch c := factColumns[column]; c.kind {
	case ofNumbers:
		n, known := number(v)
		if v = nil; known {
			v = n
		}
	case ofProjects:
		v = a.names.index(v)
	case ofNames:
		v, size = p.name(c.names, v)
	case ofLists:
		indexes := []any{}
		for _, name := range list(v) {
			at, added := p.name(c.names, name)
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
func (p *payload) name(of string, v any) (index any, size int) {
	if v == nil {
		return nil, 0
	}
	text := reader.Text(v)
	if p.nameAt[of] == nil {
		p.nameAt[of] = map[string]int{}
	}
	at, known := p.nameAt[of][text]
	if !known {
		at, size = len(p.Names[of]), written(text)
		p.nameAt[of][text], p.Names[of] = at, append(p.Names[of], text)
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
