package report

import (
	"context"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"pipeline/load/reader"
)

//go:embed queries/*.sql
var queries embed.FS

// A chart declares one card of the page: its query, its text, how it is drawn, and how complete its data is. Its query
// is queries/<Name>.sql.
type chart struct {
	Name    string // name of its query and of its element in the page
	Title   string
	Shows   string   // one sentence that describes the drawing
	Draw    string   // function of page/charts.js that draws it; "": the card has only its table
	Columns []column // columns of its table and its tooltips, in the query's order
	Hints   hints    // for the drawing function

	Measure string  // the column that is drawn: without a value above zero in it there is nothing to draw
	Absent  string  // text if there is nothing to draw although the period has messages
	Known   []known // sentences under the title about how complete the data is

	Max     int    // maximum number of rows in the page
	First   string // description of these rows: "most edited files"
	Begins  string // if only the latest rows are in the page: the column whose last row is the first that is drawn
	Always  bool   // it shows the whole warehouse, independent of period and projects
	Wide    bool   // it takes the full width of the page
	Section string // heading of the section that it begins
}

// hints tell a function of page/charts.js which columns to use, by name.
type hints map[string]any

// A column of a chart's query.
type column struct {
	Name   string
	Label  string // its heading
	Unit   unit
	Hidden bool   // used for Known, not shown
	Text   bool   // user text: in the page only with --with-text
	Nobody string // text for NULL; "": not recorded
	Long   bool   // names and paths, which may wrap
}

// A known makes the sentence about how many rows have the data of a chart, from the sums of two columns.
type known struct {
	Says   string // "Tokens are known for"
	Known  string // column
	Of     string // column
	Things string // "messages"
	Then   string // what follows from it
	Unless string // what to do if no row has the data
}

// A question is a query with its answer.
type question struct {
	SQL  string
	rows [][]any
	at   map[string]int // index of each column by name
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
	choice := []string{markPeriod, p.condition() + a.projects(), markProjects, "true" + a.projects(), markLastDay, "DATE '" + p.to.Format(time.DateOnly) + "'"}
	if a.WithText {
		choice = append(choice, markTitle, "title")
	}
	query := strings.NewReplacer(choice...).Replace(string(text))
	answer, err := a.reader.Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("the query of %s: %w", name, err)
	}
	q := &question{SQL: strings.TrimSpace(query), rows: answer.Rows, at: map[string]int{}}
	for i, c := range answer.Columns {
		q.at[c] = i
	}
	if a.Redact != nil {
		q.redact(a.Redact)
	}
	return q, nil
}

// redact takes secrets out of the texts of an answer, and out of the query, which may name projects.
func (q *question) redact(change func(text string) string) {
	q.SQL = change(q.SQL)
	for _, row := range q.rows {
		for i, v := range row {
			if text, ok := v.(string); ok {
				row[i] = change(text)
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

// A card is a chart in the form that the page's template takes.
type card struct {
	chart
	SQL    string
	Known  []string // sentences
	Absent string   // why nothing is drawn; "" if something is drawn
	Cut    string   // says which rows were left out
	Shown  []column
	Cells  [][]string
	Data   *drawing // nil: nothing is drawn
}

// drawing is the data for page/charts.js. The table's cells hold the texts; here a text column only says whether there
// is a text.
type drawing struct {
	Draw    string   `json:"draw"`
	Columns []string `json:"columns"`
	Units   []unit   `json:"units"`
	Rows    [][]any  `json:"rows"`
	Hints   hints    `json:"hints"`
	From    string   `json:"from"` // first day of the period
	To      string   `json:"to"`
}

// card runs a chart's query and prepares the card.
func (a *asker) card(ctx context.Context, c chart, p period) (*card, error) {
	q, err := a.ask(ctx, c.Name, p)
	if err != nil {
		return nil, err
	}
	out := &card{chart: c, SQL: q.SQL}
	if q.sum(c.Measure) == 0 {
		out.Absent = a.absent(c, p)
	}
	for _, k := range c.Known {
		if s := k.sentence(q); s != "" {
			out.Known = append(out.Known, s)
		}
	}
	if out.Absent != "" && c.Absent != out.Absent {
		out.Known = nil // Absent gives the reason
	}
	from := p.from.Format(time.DateOnly)
	if total := len(q.rows); total > c.Max {
		out.Cut = fmt.Sprintf("The %s %s of %s are shown; the query has all.", count(int64(c.Max)), c.First, count(int64(total)))
		q.rows = q.rows[:c.Max]
		from = c.begins(q, from)
	}
	out.Shown = slices.DeleteFunc(slices.Clone(c.Columns), func(col column) bool { return col.Hidden || col.Text && !a.WithText })
	data := &drawing{Draw: c.Draw, Hints: c.Hints, From: from, To: p.to.Format(time.DateOnly), Rows: [][]any{}}
	for _, col := range out.Shown {
		data.Columns, data.Units = append(data.Columns, col.Name), append(data.Units, col.Unit)
	}
	for i := range q.rows {
		cells, raw := []string{}, []any{}
		for _, col := range out.Shown {
			v := q.value(i, col.Name)
			cells = append(cells, col.cell(v))
			raw = append(raw, col.raw(v))
		}
		out.Cells, data.Rows = append(out.Cells, cells), append(data.Rows, raw)
	}
	if c.Draw != "" && out.Absent == "" {
		out.Data = data
	}
	return out, nil
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
	case c.Unit == unitText:
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
