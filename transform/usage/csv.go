package usage

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"unicode"
)

// This file reads exports of the dashboard. Their generations differ in the number, names and order of the columns
// ([csv readers]). So a column is found by its name.

// Columns that are read, as folded names of the latest generation that has them.
const (
	colDate       = "date"
	colModel      = "model"
	colKind       = "kind"
	colMaxMode    = "max mode"
	colCloud      = "cloud agent id"
	colWrite      = "input (w/ cache write)"  // tokens that were written to the cache
	colFresh      = "input (w/o cache write)" // fresh input
	colInput      = "input tokens"            // the same, where no column says so in full
	colRead       = "cache read"
	colOutput     = "output tokens"
	colTotal      = "total tokens"
	colCost       = "cost"
	colCharged    = "cost to you"
	colUser       = "user"          // an address: only its hash is kept
	colAutomation = "automation id" // never read
	colRequests   = "requests"      // a weight of plans that count requests: never read
)

var knownColumns = map[string]bool{
	colDate: true, colModel: true, colKind: true, colMaxMode: true, colCloud: true, colWrite: true, colFresh: true,
	colRead: true, colOutput: true, colTotal: true, colCost: true, colCharged: true, colUser: true, colAutomation: true,
	colRequests: true, colInput: true,
}

// synonyms are the names that other generations, and the programs that write their exports anew, give to these columns:
// as plainName has them.
var synonyms = map[string]string{
	"timestamp": colDate, "date utc": colDate,
	"maxmode": colMaxMode, "max": colMaxMode,
	"input w cache write": colWrite, "input with cache write": colWrite, "input tokens w cache write": colWrite,
	"cache write": colWrite, "cache write tokens": colWrite,
	"input wo cache write": colFresh, "input w o cache write": colFresh, "input without cache write": colFresh,
	"input tokens wo cache write": colFresh,
	"cache read tokens":           colRead,
	"output":                      colOutput,
	"tokens":                      colTotal, "total": colTotal,
	"cost usd": colCost, "api cost": colCost,
	"cost to you usd": colCharged,
	"user email":      colUser, "email": colUser,
	"request cost": colRequests, "requests cost": colRequests,
}

// plainName are the words of a name in small letters: of "Cost ($)", cost_to_you and inputTokens. The o of "w/o" is no
// word of its own.
func plainName(name string) string {
	var words strings.Builder
	small := false
	for _, c := range strings.ReplaceAll(name, "/", "") {
		if small && unicode.IsUpper(c) {
			words.WriteByte(' ')
		}
		small = unicode.IsLower(c)
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			c = ' '
		}
		words.WriteRune(unicode.ToLower(c))
	}
	return strings.Join(strings.Fields(words.String()), " ")
}

// folded is the name of a column without what does not tell it from others.
func folded(name string) string {
	name = plainName(name)
	if column, ok := synonyms[name]; ok {
		return column
	}
	return name
}

// isHeader reports whether a row names columns: a date, a model, and something that is counted or paid.
func isHeader(row []string) bool {
	has := map[string]bool{}
	for _, name := range row {
		has[folded(name)] = true
	}
	return has[colDate] && has[colModel] && (has[colOutput] || has[colTotal] || has[colFresh] || has[colInput] ||
		has[colCost] || has[colRequests])
}

// separators are what may stand between the fields of a row: programs for tables write the others where a comma stands
// before decimals.
var separators = []rune{',', ';', '\t'}

// separator finds what separates the fields, if a text begins with a row that names columns. A line before it may say
// sep=; (for a spreadsheet) or #TYPE (from PowerShell).
func separator(text []byte) (comma rune, ok bool) {
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	if bytes.HasPrefix(bytes.ToLower(bytes.Trim(line, `"`)), []byte("sep=")) || bytes.HasPrefix(line, []byte("#TYPE")) {
		line, _, _ = bytes.Cut(bytes.TrimLeft(rest, " \r\n"), []byte("\n"))
	}
	i := slices.IndexFunc(separators, func(comma rune) bool {
		rows := csv.NewReader(bytes.NewReader(line))
		rows.Comma = comma
		row, err := rows.Read()
		return err == nil && isHeader(row)
	})
	if i < 0 {
		return 0, false
	}
	return separators[i], true
}

// maxRowLines is how many lines a row may have: texts in quotes may have line ends [csv readers].
const maxRowLines = 20

// rowEnd is where the row ends that a text begins with: behind the first line end that is not in quotes. It reports
// false if a quote has no end.
func (r *reader) rowEnd(text []byte) (end, lines int, ok bool) {
	quoted := false
	for lines < maxRowLines && end < len(text) && end <= r.limits.Line {
		size := bytes.IndexByte(text[end:], '\n') + 1
		if size == 0 {
			size = len(text) - end
		}
		quoted = quoted != (bytes.Count(text[end:end+size], []byte{'"'})%2 == 1)
		end += size
		lines++
		if !quoted {
			return end, lines, end <= r.limits.Line
		}
	}
	return 0, 0, false
}

// csv reads rows. A row that cannot be read costs no other: the next line is read as if a row began with it.
func (r *reader) csv(text []byte, comma rune) {
	r.is(CSV)
	t := &table{comma: comma}
	for n := 1; len(text) > 0 && !r.full; {
		end, lines, ok := r.rowEnd(text)
		switch {
		case !ok:
			r.csvBad(text, n)
		case len(bytes.TrimSpace(text[:end])) > 0: // a line of spaces is a row to encoding/csv
			ok = r.csvRow(t, text[:end], n)
		}
		if !ok && lines != 1 { // a quote that has no end, or not where it should be
			end, lines = bytes.IndexByte(text, '\n')+1, 1
			if end == 0 {
				return
			}
		}
		text, n = text[end:], n+lines
	}
}

// table is an export that is being read.
type table struct {
	comma   rune
	columns map[string]int // by folded name
	width   int            // of the header
}

// csvRow reads a row, which must be all of a text: encoding/csv has the same rules, and one opinion more. It reports
// false if it is no row, or none that can be read.
func (r *reader) csvRow(t *table, text []byte, n int) bool {
	rows := csv.NewReader(bytes.NewReader(text))
	rows.Comma = t.comma
	row, err := rows.Read()
	switch {
	case err != nil || int(rows.InputOffset()) != len(text):
		r.problem(badLine, n, "")
		return false
	case isHeader(row):
		t.columns, t.width = r.header(row), len(row)
		return true
	case t.columns == nil: // a line that says how the rows are separated
		return true
	}
	return r.csvEvent(t, row, n)
}

// csvBad names a line that no row begins with.
func (r *reader) csvBad(text []byte, n int) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if len(line) > r.limits.Line {
		r.problem(tooLarge, n, "")
		return
	}
	r.problem(badLine, n, "")
}

// header finds columns by name; of two with the same name the first counts. Files that were put together have several
// headers.
func (r *reader) header(row []string) map[string]int {
	columns := map[string]int{}
	for i, name := range row {
		name = folded(name)
		switch _, twice := columns[name]; {
		case name == "" || twice:
		case knownColumns[name]:
			columns[name] = i
		default:
			columns[name] = i
			r.unknown("column", strings.TrimSpace(row[i]))
		}
	}
	if i, ok := columns[colInput]; ok {
		if _, told := columns[colFresh]; !told {
			columns[colFresh] = i
		}
	}
	return columns
}

// csvEvent reads an event. A row that has fewer fields than there are columns is damaged, and none of its numbers is
// certain.
func (r *reader) csvEvent(t *table, row []string, n int) bool {
	if strings.TrimSpace(strings.Join(row, "")) == "" {
		return true
	}
	if len(row) < t.width || strings.TrimSpace(strings.Join(row[t.width:], "")) != "" {
		r.problem(badLine, n, "")
		return false
	}
	v := &values{get: func(name string) string {
		if i, ok := t.columns[name]; ok {
			return row[i]
		}
		return ""
	}, separator: t.comma}
	e := Event{
		Origin: CSV, Line: n, OccurredAt: v.time(colDate), Model: v.text(colModel), Kind: v.text(colKind),
		CloudAgentID: v.text(colCloud), Person: r.person(v.text(colUser)), FreshInputTokens: v.count(colFresh),
		CacheWriteTokens: v.count(colWrite), CacheReadTokens: v.count(colRead), OutputTokens: v.count(colOutput),
		TotalTokens: v.count(colTotal), CostCents: v.cents(colCost, true), ChargedCents: v.cents(colCharged, true),
		MaxMode: v.flag(colMaxMode),
	}
	r.refused(v, n)
	if e.OccurredAt == nil {
		return false
	}
	if sum := sumOf(e.FreshInputTokens, e.CacheWriteTokens, e.CacheReadTokens, e.OutputTokens); sum != nil &&
		e.TotalTokens != nil && *sum != *e.TotalTokens {
		r.problem(totalDiffers, n, colTotal)
	}
	e.IsCounted = counted(e)
	r.add(e)
	return true
}

// sumOf is a sum; nil if a part of it is not recorded.
func sumOf(parts ...*int64) *int64 {
	var sum int64
	for _, p := range parts {
		if p == nil {
			return nil
		}
		sum += *p
	}
	return &sum
}
