package sql

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pipeline/sql/schema"
)

// Machines is the schema in which OverMachines finds the rows of all machines, each table with a column machine_id.
const Machines = "machines"

// OverMachines is SQL for DuckDB that makes the views and answers of a warehouse over the rows of many machines. They
// are the very views of a warehouse: only the tables below them are views, over schema Machines. There each id has the
// id of its machine behind it, so that nothing of one machine is joined with anything of another. The variable machine,
// if it is set, says whose rows count. A comment says which views there are not.
func OverMachines() string {
	var b strings.Builder
	b.WriteString(
		`-- The views and answers of a warehouse, over all machines together. Ids end with @ and the id of their machine.
-- SET VARIABLE machine = '...' leaves the rows of one machine. Times are UTC.
`)
	unshared := Unshared()
	all := slices.Concat(Views(), Answers())
	for _, f := range all {
		if missing := unshared[f.Name]; missing != nil {
			fmt.Fprintf(&b, "-- Not here: %s, which reads what machines do not send, or not together: %s.\n", f.Name,
				strings.Join(missing, ", "))
		}
	}
	b.WriteString("SET TimeZone = 'UTC';\n" + schema.SchemasDDL())
	for _, t := range schema.Tables() {
		if isTogether(t) {
			b.WriteString(togetherView(t))
		}
	}
	for _, f := range all {
		if unshared[f.Name] == nil {
			b.WriteString(f.SQL + "\n")
		}
	}
	b.WriteString("SET search_path = 'main,answers';\n")
	return b.String()
}

// isTogether reports whether the rows of a table mean something beside those of other machines. Loads are counted on
// each.
func isTogether(t schema.Table) bool { return t.IsShared() && !t.Is(schema.OfRun) }

// togetherView is a table's view. It has each column, also if no machine has sent it yet.
func togetherView(t schema.Table) string {
	var columns, none []string
	for _, c := range t.Columns {
		name := fmt.Sprintf("%q", c.Name)
		value := fmt.Sprintf("CAST(%s AS %s)", name, c.Type)
		if c.Type == "VARCHAR" && c.Discloses == schema.Figures { // an id
			value = name + " || '@' || machine_id"
		}
		columns = append(columns, value+" AS "+name)
		none = append(none, fmt.Sprintf("CAST(NULL AS %s) AS %s", strings.ReplaceAll(c.Type, "JSON", "VARCHAR"), name))
	}
	return fmt.Sprintf(`CREATE OR REPLACE VIEW main.%[1]q AS
SELECT %[2]s
FROM (FROM %[3]s.%[1]q UNION ALL BY NAME SELECT %[4]s WHERE false)
WHERE machine_id = coalesce(getvariable('machine'), machine_id);
`, t.Name, strings.Join(columns, ", "), Machines, strings.Join(none, ", "))
}

var (
	lineComment = regexp.MustCompile(`--[^\n]*`)
	// reads matches what a query reads, and IS DISTINCT FROM, which reads nothing.
	reads = regexp.MustCompile(`\b(DISTINCT FROM|FROM|JOIN)\s+(?:main\.|answers\.)?((?:internal\.)?[a-z_]+)\b`)
	// named matches the name that a query in WITH has.
	named = regexp.MustCompile(`\b([a-z_]+)(?:\([a-z_, ]*\))?\s+AS\s+(?:MATERIALIZED\s+)?\(`)
)

// Unshared says of each view and answer that there cannot be over many machines, which tables it reads, itself or
// through another view, that machines do not send (schema.Table.IsShared) or number for themselves.
func Unshared() map[string][]string {
	there, missing := map[string]bool{}, map[string][]string{}
	for _, t := range schema.Tables() {
		there[t.Object()] = isTogether(t)
	}
	for _, f := range slices.Concat(Views(), Answers()) {
		var lacks []string
		for _, name := range f.Reads() {
			switch {
			case there[name]:
			case missing[name] != nil:
				lacks = append(lacks, missing[name]...)
			default:
				lacks = append(lacks, name)
			}
		}
		slices.Sort(lacks)
		if lacks = slices.Compact(lacks); lacks != nil {
			missing[f.Name] = lacks
		} else {
			there[f.Name] = true
		}
	}
	return missing
}

// Reads returns the names of the tables and views that a view reads itself, each once: those of internal tables with
// their schema.
func (f File) Reads() (names []string) {
	query, _, _ := strings.Cut(f.SQL, "COMMENT ON VIEW")
	text := lineComment.ReplaceAllString(query, "")
	own := map[string]bool{}
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		own[m[1]] = true
	}
	for _, m := range reads.FindAllStringSubmatch(text, -1) {
		if m[1] != "DISTINCT FROM" && !own[m[2]] && !slices.Contains(names, m[2]) {
			names = append(names, m[2])
		}
	}
	return names
}
