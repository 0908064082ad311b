package report

import (
	"context"
	"fmt"
	"time"

	"pipeline/load/reader"
)

// A card is a chart in the form that the page's template takes. As JSON it is what the scripts of the page know of a
// chart: its declaration, and the rows that it shows first. The table's cells hold the texts; in rows a text column
// only says whether there is a text.
type card struct {
	chart
	SQL    string        `json:"-"`
	Known  []string      `json:"-"` // sentences
	Absent string        `json:"-"` // why nothing is drawn; "" if something is drawn
	Cut    string        `json:"-"` // says which rows were left out
	Cells  [][]string    `json:"-"`
	Shown  []shownColumn `json:"columns"`
	Rows   [][]any       `json:"rows"`
	From   string        `json:"from"` // first day that is drawn
	To     string        `json:"to"`
}

// A shownColumn is a column of the table in the page.
type shownColumn struct {
	column
	Class string `json:"class"` // of its cells
}

// makeCard runs a chart's query and makes the card of its rows.
func (a *asker) makeCard(ctx context.Context, c chart, p period) (*card, error) {
	q, err := a.ask(ctx, c.Name, p)
	if err != nil {
		return nil, err
	}
	out := &card{chart: c, SQL: q.SQL, Rows: [][]any{}, From: p.from.Format(time.DateOnly),
		To: p.to.Format(time.DateOnly)}
	if q.sum(c.Measure) == 0 {
		out.Absent = a.absent(c, p)
	}
	for _, k := range c.Known {
		if s := k.sentence(q); s != "" {
			out.Known = append(out.Known, s)
		}
	}
	if since := a.countedSince(p); c.Counted && since != "" {
		out.Known = append(out.Known, since)
	}
	if out.Absent != "" && c.Absent != out.Absent {
		out.Known = nil // Absent gives the reason
	}
	if total := len(q.rows); total > c.Max {
		out.Cut = fmt.Sprintf("The %s %s of %s are shown; the query has all.", count(int64(c.Max)), c.First,
			count(int64(total)))
		q.rows = q.rows[:c.Max]
		out.From = c.begins(q, out.From)
	}
	for _, col := range c.Columns {
		out.Shown = append(out.Shown, shownColumn{col, col.class()})
	}
	for i := range q.rows {
		cells, raw := []string{}, []any{}
		for _, col := range out.Shown {
			v := a.value(q, i, col.column)
			cells, raw = append(cells, col.cell(v)), append(raw, col.raw(v))
		}
		out.Cells, out.Rows = append(out.Cells, cells), append(out.Rows, raw)
	}
	return out, nil
}

// countedSince says since when Cursor's count is known; "" if it is known from the period's first day on, or never.
func (a *asker) countedSince(p period) string {
	first, err := time.Parse(time.DateOnly, a.events)
	if err != nil || !first.After(p.from) {
		return ""
	}
	return "Events are known from " + first.Format("2 January 2006") + " on."
}

// value is a cell's value. A project has the page's label, a conversation its name, its id the line that shows it.
func (a *asker) value(q *question, row int, c column) any {
	v := q.value(row, c.Name)
	switch {
	case c.Name == "project":
		return a.names.label(q.value(row, "project_uri"))
	case c.Unit == unitTitle:
		return conversationName(v, q.value(row, "started"))
	case c.Unit == unitShow && v != nil:
		return a.Show + reader.Text(v)
	}
	return v
}

// begins returns the first day to draw if rows were cut: days before it would look empty. A week may be cut in part.
func (c chart) begins(q *question, from string) string {
	last, err := time.Parse(time.DateOnly, cutTo(q.value(len(q.rows)-1, c.Begins), len(time.DateOnly)))
	switch {
	case c.Begins == "" || err != nil:
		return from
	case c.Begins == "week":
		last = last.AddDate(0, 0, 7)
	}
	return last.Format(time.DateOnly)
}

// raw converts a value for drawing.
func (c column) raw(v any) any {
	switch {
	case v == nil:
		return nil
	case c.Unit == unitTime || c.Unit == unitDay:
		return c.cell(v)
	case c.Unit == unitText || c.Unit == unitTitle:
		return ""
	}
	return v
}

// absent says why a chart has nothing to draw.
func (a *asker) absent(c chart, p period) string {
	switch {
	case c.Always:
		return c.Absent
	case a.messages == 0 && a.ProjectURIs == nil:
		return "The warehouse holds no messages yet: pipeline run loads them."
	case a.inPeriod == 0:
		return "No message is recorded from " + p.words() + a.ofProjects() + "."
	}
	return c.Absent
}

// sentence says how complete the data is; "" if there is no data.
func (k known) sentence(q *question) string {
	of, n := int64(q.sum(k.Of)), int64(q.sum(k.Known))
	if of == 0 {
		return ""
	}
	share, then := "", ""
	if k.Then != "" {
		then = "; " + k.Then
	}
	if n == 0 && k.Unless != "" {
		then = "; " + k.Unless
	}
	if n < of {
		share = " (" + percent(float64(n)/float64(of)) + ")"
	}
	return fmt.Sprintf("%s %s of %s %s%s%s.", k.Says, count(n), count(of), k.Things, share, then)
}
