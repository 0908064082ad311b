package pipelines_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pipeline/load/engine"
	sqlfiles "pipeline/sql"
	"pipeline/sql/schema"
)

// A world is the history that a case of an answer or of a model stands on: given.sql in a folder of testdata/answers
// and testdata/models.
type world struct{ name, given string }

// onlySource is a machine on which nobody has talked yet.
var onlySource = world{"only", "INSERT INTO sources (source_id) VALUES ('s')"}

func worlds(t *testing.T) (all []world) {
	t.Helper()
	for _, of := range []string{"answers", "models"} {
		paths, err := filepath.Glob("../testdata/" + of + "/*/given.sql")
		if err != nil || len(paths) == 0 {
			t.Fatalf("no histories of %s: %v", of, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			must(t, err)
			all = append(all, world{of + "/" + filepath.Base(filepath.Dir(path)), string(text)})
		}
	}
	return all
}

// idsOfWorlds are the columns by which rows of one world would be taken for those of another.
var idsOfWorlds = []string{"source_id", "primary_source_id", "commit_source_id", "conversation_id",
	"primary_conversation_id", "parent_conversation_id", "best_of_parent_id", "forked_from", "subagent_id",
	"repository_id", "commit_hash", "event_id", "project_uri", "alias_of"}

// filled matches a table that a world has rows of.
var filled = regexp.MustCompile(`INSERT INTO ([a-z_]+)`)

// hold replaces the rows of a warehouse by those of worlds, side by side: their ids get the world's name, so that none
// of them is another's copy.
func (l *fixture) hold(all []world) {
	l.t.Helper()
	db, conn, err := engine.Open(l.t.Context(), l.warehouse(), false)
	must(l.t, err)
	defer func() { _ = conn.Close(); _ = db.Close() }()
	exec := func(statement string) {
		l.t.Helper()
		if _, err := conn.ExecContext(l.t.Context(), statement); err != nil {
			l.t.Fatalf("%v\n%.300s", err, statement)
		}
	}
	defaults, err := os.ReadFile("../testdata/models/defaults.sql")
	must(l.t, err)
	var home string
	must(l.t, conn.QueryRowContext(l.t.Context(), "SELECT current_catalog()").Scan(&home))
	tables := map[string]schema.Table{}
	for _, table := range schema.Tables() {
		if table.Name != "_meta" { // it says which machine this is
			tables[table.Name] = table
			exec("DELETE FROM " + table.Object())
		}
	}
	for _, w := range all {
		exec("ATTACH ':memory:' AS world; USE world; " + schema.SchemasDDL() + searchedIn("world"))
		exec(tablesOf(w, string(defaults)) + w.given)
		exec(searchedIn(home))
		done := map[string]bool{}
		for _, m := range filled.FindAllStringSubmatch(w.given, -1) {
			if table, ok := tables[m[1]]; ok && !done[m[1]] {
				exec(copyOfWorld(w.name, table))
				done[m[1]] = true
			}
		}
		exec("DETACH world")
	}
	// as the loader fills it
	exec("UPDATE conversations SET display_title = title WHERE display_title IS NULL")
	// of worlds at the same time it would be open whose the time is
	exec("UPDATE conversations SET project = NULL WHERE project_uri IS NULL AND project IS NOT NULL")
	runModels(l.t, conn)
}

// searchedIn looks up names without a schema in the schemas of a database.
func searchedIn(database string) string {
	var names []string
	for _, name := range schema.Schemas() {
		names = append(names, engine.Identifier(database)+"."+name)
	}
	return "SET search_path = " + engine.Literal(strings.Join(names, ","))
}

// tablesOf makes the tables that a world names, with their defaults.
func tablesOf(w world, defaults string) (statements string) {
	for _, table := range schema.Tables() {
		if strings.Contains(w.given, table.Name) {
			create, _, _ := strings.Cut(table.DDL(), "COMMENT ON")
			statements += create
			for _, line := range strings.Split(defaults, "\n") {
				if strings.HasPrefix(line, "ALTER TABLE "+table.Name+" ") {
					statements += line
				}
			}
		}
	}
	return statements
}

// copyOfWorld copies a table's rows out of a world.
func copyOfWorld(name string, table schema.Table) string {
	var replace []string
	for _, id := range idsOfWorlds {
		if table.Has(id) {
			replace = append(replace, fmt.Sprintf("CASE WHEN %[1]s <> '' THEN %[2]s || %[1]s ELSE %[1]s END AS %[1]s",
				id, engine.Literal(name+"/")))
		}
	}
	star := "*"
	if len(replace) > 0 {
		star += " REPLACE (" + strings.Join(replace, ", ") + ")"
	}
	return fmt.Sprintf("INSERT INTO %[1]s BY NAME SELECT %[2]s FROM world.%[1]s", table.Object(), star)
}

// runModels runs the models as a load does of which every conversation is new.
func runModels(t *testing.T, conn *sql.Conn) {
	t.Helper()
	statements := []string{`CREATE TEMP TABLE _changed AS SELECT source_id, conversation_id FROM conversations`,
		`CREATE TEMP TABLE _changed_groups AS SELECT DISTINCT source_id, project_uri FROM conversations`,
		`CREATE TEMP TABLE _recalled(table_name VARCHAR, conversation_id VARCHAR)`,
		`CREATE TEMP TABLE _copied(source_id VARCHAR, conversation_id VARCHAR, message_id VARCHAR, copy_of VARCHAR)`,
		`CREATE OR REPLACE TEMP MACRO count_tokens(words) AS len(string_split(words, ' '))`,
		`SET VARIABLE load_id = 7::BIGINT`, "BEGIN"}
	exec := func(statement string) {
		if _, err := conn.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%v\n%.300s", err, statement)
		}
	}
	for _, statement := range statements {
		exec(statement)
	}
	for _, f := range sqlfiles.Models() {
		some := true
		if f.Needs != "" {
			must(t, conn.QueryRowContext(t.Context(), "SELECT EXISTS (FROM "+f.Needs+")").Scan(&some))
		}
		if some {
			exec(f.SQL)
		}
	}
	exec("COMMIT")
}
