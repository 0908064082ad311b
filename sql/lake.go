package sql

import (
	"embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"pipeline/sql/schema"
)

// The views and answers over the rows of many machines, which pushes bring together (package push). What one gives is what the machines' own warehouses give, one
// below the other, with machine_id as the first column. lake/translate.py writes a file for each view and engine; settings.sql is what an engine has to be told before.
//
//go:embed lake/*/*.sql
var lake embed.FS

// OverMachines is SQL that makes the views and answers over the rows of many machines, in the SQL of an engine. It needs what push.Views makes before it. A comment says which there are not.
func OverMachines(engine string) (string, error) {
	settings, err := lake.ReadFile(path.Join("lake", engine, "settings.sql"))
	if err != nil {
		return "", fmt.Errorf("there are no answers for %q", engine)
	}
	out := "-- The views and answers of a warehouse, over all machines: each gives what every machine's own warehouse gives. Times are UTC.\n"
	unshared := Unshared()
	for _, f := range slices.Concat(Views(), Answers()) {
		if missing := unshared[f.Name]; missing != nil {
			out += fmt.Sprintf("-- Not here: %s, which reads what no machine sends: %s.\n", f.Name, strings.Join(missing, ", "))
		}
	}
	out += string(settings)
	for _, f := range slices.Concat(Views(), Answers()) {
		if unshared[f.Name] != nil {
			continue
		}
		text, err := lake.ReadFile(lakeFile(engine, f))
		if err != nil {
			return "", err
		}
		out += string(text)
	}
	return out, nil
}

func lakeFile(engine string, f File) string { return path.Join("lake", engine, f.Name+".sql") }

var (
	lineComment = regexp.MustCompile(`--[^\n]*`)
	// reads matches what a query reads, and IS DISTINCT FROM, which reads nothing.
	reads = regexp.MustCompile(`\b(DISTINCT FROM|FROM|JOIN)\s+(?:main\.|answers\.)?((?:internal\.)?[a-z_]+)\b`)
	// named matches the name that a query in WITH has.
	named = regexp.MustCompile(`\b([a-z_]+)(?:\([a-z_, ]*\))?\s+AS\s+(?:MATERIALIZED\s+)?\(`)
)

// Unshared says of each view and answer that no lake can have, which tables it reads, itself or through another view, that machines do not send (schema.Table.IsShared).
func Unshared() map[string][]string {
	there, missing := map[string]bool{}, map[string][]string{}
	for _, t := range schema.Tables() {
		there[t.Object()] = t.IsShared()
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

// Reads returns the names of the tables and views that a view reads itself, each once: those of internal tables with their schema.
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
