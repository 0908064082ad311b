package report

import (
	"context"
	"embed"
	"fmt"
	"path"
	"strings"
	"time"

	"pipeline/load/reader"
)

//go:embed queries/*.sql
var queries embed.FS

// A chart declares one card of the page: its query, its text, how it is drawn, and how complete its data is. Its query
// is queries/<Name>.sql. A chart of a period also has a function of page/derive.js, which computes the same rows from
// the facts that the page carries, for other periods and projects.
type chart struct {
	Name    string   `json:"-"` // name of its query and of its element in the page
	Title   string   `json:"title"`
	Shows   string   `json:"-"`     // one sentence that describes the drawing
	Draw    string   `json:"draw"`  // function of page/charts.js that draws it; "": the card has only its table
	Columns []column `json:"-"`     // columns of its table and its tooltips, in the query's order
	Hints   hints    `json:"hints"` // for the drawing function

	Measure string  `json:"measure"` // the column that is drawn: nothing is drawn without a value above zero in it
	Absent  string  `json:"absent"`  // text if there is nothing to draw although the period has messages
	Known   []known `json:"known"`   // sentences under the title about how complete the data is

	// what a bar stands for, whose conversations page/drill.js lists: project, week, day, tool ...
	Drill string `json:"drill"`

	Max     int    `json:"max"`     // maximum number of rows in the page
	First   string `json:"first"`   // description of these rows: "most edited files"
	Begins  string `json:"begins"`  // of the latest rows: the column whose last row is the first that is drawn
	Counted bool   `json:"counted"` // it shows what Cursor counted, and says since when that is known
	Always  bool   `json:"always"`  // it shows the whole warehouse, independent of period and projects
	Wide    bool   `json:"-"`       // it takes the full width of the page
	Section string `json:"-"`       // heading of the section that it begins
}

// hints tell a function of page/charts.js which columns to use, by name.
type hints map[string]any

// A column of a chart's query.
type column struct {
	Name   string `json:"name"`
	Label  string `json:"label"` // its heading
	Unit   unit   `json:"unit"`
	Nobody string `json:"nobody"` // text for NULL; "": not recorded
	Long   bool   `json:"-"`      // names and paths, which may wrap
}

// of is a column of values of the unit.
func (u unit) of(name, label string) column { return column{Name: name, Label: label, Unit: u} }

// A known makes the sentence about how many rows have the data of a chart, from the sums of two columns.
type known struct {
	Says   string `json:"says"`   // "Tokens are known for"
	Known  string `json:"known"`  // column
	Of     string `json:"of"`     // column
	Things string `json:"things"` // "messages"
	Then   string `json:"then"`   // what follows from it
	Unless string `json:"unless"` // what to do if no row has the data
}

// A question is a query with its answer.
type question struct {
	SQL     string
	columns []string
	rows    [][]any
	at      map[string]int // index of each column by name
}

// Marks in the queries that are replaced by the selection. Unchanged, the files can be run by hand over everything.
const (
	markPeriod   = "true /* the period and the projects */"
	markProjects = "true /* the projects */"
	markLastDay  = "current_date /* the last day */"
	markTitle    = "NULL /* title */"
)

// ask runs queries/<name>.sql for a period.
func (a *asker) ask(ctx context.Context, name string, p period) (*question, error) {
	text, err := queries.ReadFile(path.Join("queries", name+".sql"))
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	choice := []string{markPeriod, p.condition() + a.projects(), markProjects, "true" + a.projects(), markLastDay,
		"DATE '" + p.to.Format(time.DateOnly) + "'"}
	if !a.NoTitles {
		choice = append(choice, markTitle, "title")
	}
	query := strings.NewReplacer(choice...).Replace(string(text))
	answer, err := a.reader.Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("the query of %s: %w", name, err)
	}
	q := &question{SQL: strings.TrimSpace(query), columns: answer.Columns, rows: answer.Rows, at: map[string]int{}}
	for i, c := range answer.Columns {
		q.at[c] = i
	}
	if a.Redact != nil {
		q.redact(a.Redact)
	}
	return q, nil
}

// keys are columns that say which row is which. They are shown nowhere: names.go makes labels of URIs.
var keys = map[string]bool{"project_uri": true, "source_id": true, "conversation_id": true}

// redact takes secrets out of the texts of an answer, and out of the query, which may name projects.
func (q *question) redact(change func(text string) string) {
	q.SQL = change(q.SQL)
	for name, i := range q.at {
		for _, row := range q.rows {
			switch v := row[i].(type) {
			case string:
				if !keys[name] {
					row[i] = change(v)
				}
			case []any:
				for n, text := range list(v) {
					v[n] = change(reader.Text(text))
				}
			}
		}
	}
}

// projects is the SQL condition that selects the projects; "" for all.
func (a *asker) projects() string {
	if a.ProjectURIs == nil {
		return ""
	}
	quoted := []string{}
	for _, uri := range a.ProjectURIs {
		quoted = append(quoted, "'"+strings.ReplaceAll(uri, "'", "''")+"'")
	}
	return " AND project_uri IN (" + strings.Join(quoted, ", ") + ")"
}

// value returns a cell; nil if the answer has no such row or column.
func (q *question) value(row int, name string) any {
	at, ok := q.at[name]
	if !ok || row >= len(q.rows) {
		return nil
	}
	return q.rows[row][at]
}

// sum adds up a column, without rows that do not record it.
func (q *question) sum(name string) (total float64) {
	for i := range q.rows {
		if n, ok := number(q.value(i, name)); ok {
			total += n
		}
	}
	return total
}

func (q *question) text(row int, name string) string {
	if v := q.value(row, name); v != nil {
		return reader.Text(v)
	}
	return ""
}

// number converts a value to a number that can be added.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case int32:
		return float64(v), true
	case float64:
		return v, true
	case fmt.Stringer:
		var n float64
		_, err := fmt.Sscan(v.String(), &n)
		return n, err == nil
	}
	return 0, false
}

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
