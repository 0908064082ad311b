package pipelines_test

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"pipeline/load/engine"
	"pipeline/pipelines"
)

// TestViewsOfOtherVersion: a warehouse that another version made has all views of this one after a run, also one that
// finds nothing new.
func TestViewsOfOtherVersion(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	r := l.run(baseUserDir())
	const views = `SELECT count(*) FROM duckdb_views() WHERE schema_name || '.' || view_name IN ('report.tools', 'answers.tool_failures') AND sql LIKE '%tool_calls%'`
	same(t, "the views", [][]string{{"2"}}, l.ask(views))
	rows := l.dump(allTables()...)
	db, err := sql.Open("duckdb", l.warehouse())
	must(t, err)
	_, err = db.Exec(
		`DROP VIEW report.tools; CREATE OR REPLACE VIEW answers.tool_failures AS SELECT 1 AS calls; UPDATE internal._meta SET value = 'other' WHERE key = 'views_and_macros'`)
	must(t, errors.Join(err, db.Close()))
	same(t, "the views of the other version", [][]string{{"0"}}, l.ask(views))
	same(t, "what the run says", pipelines.ConversationCount{Unchanged: r.Conversations.New}, l.run(nil).Conversations)
	same(t, "the views after the run", [][]string{{"2"}}, l.ask(views))
	same(t, "the tables", rows, l.dump(allTables()...))
}

// TestRebuildKeepsOwnTables: runs and rebuilds keep the tables that a person has in a warehouse. A rebuild that cannot
// is refused, unless it is told to go on.
func TestRebuildKeepsOwnTables(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	l.run(baseUserDir())
	db, err := sql.Open("duckdb", l.warehouse())
	must(t, err)
	_, err = db.Exec(
		`CREATE TABLE labels AS SELECT 'alpha' AS conversation_id, 'good' AS label; CREATE SCHEMA mine; CREATE TABLE mine.messages AS SELECT 1 AS a`)
	must(t, errors.Join(err, db.Close()))
	l.run(nil, func(o *pipelines.Options) { o.Full = true })
	_, err = pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: l.warehouse(), ToolVersion: "test"}, false)
	must(t, err)
	same(t, "the tables", [][]string{{"good", "1"}}, l.ask(`SELECT label, a FROM labels, mine.messages`))
	db, err = sql.Open("duckdb", l.warehouse())
	must(t, err)
	_, err = db.Exec(`DROP VIEW answers.tool_usage; CREATE TABLE answers.tool_usage AS SELECT 1 AS a`)
	must(t, errors.Join(err, db.Close()))
	_, err = pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: l.warehouse(), ToolVersion: "test"}, false)
	if _, usage := errors.AsType[*pipelines.UsageError](err); !usage {
		t.Errorf("a rebuild got %v", err)
	} else {
		says(t, err, "answers.tool_usage", "--force")
	}
	_, err = pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: l.warehouse(), ToolVersion: "test",
		Warn: func(string, ...any) {}}, true)
	must(t, err)
}

// TestOwnNamesInTheWay: an index that forbids what a load writes (rows that differ: equal ones stay where they are),
// and a table that has the name of a view, are a person's: the run says what to do, changes nothing, and the next one
// goes well when they are out of the way.
func TestOwnNamesInTheWay(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	l.run(baseUserDir())
	const rows = `SELECT conversation_id, message_id, text FROM messages ORDER BY ALL`
	before := l.ask(rows)
	for _, c := range [][3]string{
		{`UPDATE messages SET text = 'mine'; CREATE UNIQUE INDEX mine ON messages (source_id, conversation_id, message_id)`, "DROP INDEX", `DROP INDEX mine`},
		{`DROP VIEW answers.tool_usage; CREATE TABLE answers.tool_usage AS SELECT 1 AS a`, "RENAME TO",
			`ALTER TABLE answers.tool_usage RENAME TO my_tool_usage`},
	} {
		db, err := sql.Open("duckdb", l.warehouse())
		must(t, err)
		_, err = db.Exec(c[0])
		must(t, errors.Join(err, db.Close()))
		_, err = pipelines.Run(t.Context(), l.options(func(o *pipelines.Options) { o.Full = true }))
		if err == nil || !strings.Contains(engine.Remedy(err), c[1]) {
			t.Errorf("%s: a run got %v", c[0], err)
		}
		db, err = sql.Open("duckdb", l.warehouse())
		must(t, err)
		_, err = db.Exec(c[2])
		must(t, errors.Join(err, db.Close()))
		l.run(nil, func(o *pipelines.Options) { o.Full = true })
	}
	same(t, "the rows", before, l.ask(rows))
}
