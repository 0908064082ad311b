package reader

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// This file asks an answer of a part of a warehouse: of a period, of some projects, or both. Beside the warehouse it
// makes a database in memory with the same names, in which a view for each table gives the rows of that part
// (narrowtables.go), and the answer and the views that it reads are as they are in a warehouse. So the answer is what
// it would be if the warehouse held nothing else.

// NarrowedView is the view to ask of a reader that OpenNarrowed has opened.
const NarrowedView = "narrowed_answer"

// A NotNarrowedError says that an answer has no narrower one, and why.
type NotNarrowedError struct{ Answer, Table, Why string }

func (e *NotNarrowedError) Error() string {
	return fmt.Sprintf("%s cannot be narrowed: it reads %s, %s", e.Answer, e.Table, e.Why)
}

// LeftOut says how many rows of a table a narrowed answer leaves out because it is not known when they were.
type LeftOut struct {
	Table string
	Rows  int64
}

// narrowing is an answer that is narrowed.
type narrowing struct {
	Filter
	views  []sql.File // to make, in this order; the answer is the last
	tables []string   // that these read
}

// IsNarrow reports whether a filter narrows an answer.
func (f Filter) IsNarrow() bool { return f.ProjectURIs != nil || f.Since != nil || f.Until != nil }

// Narrowable returns a NotNarrowedError if an answer cannot be narrowed: it reads what has no time, or no project.
func Narrowable(answer sql.File, f Filter) error {
	_, err := narrowed(answer, f)
	return err
}

// narrowed finds what an answer reads.
func narrowed(answer sql.File, f Filter) (*narrowing, error) {
	all := slices.Concat(sql.Views(), sql.Answers(), sql.Shorts())
	wanted, n := map[string]bool{answer.Name: true}, &narrowing{Filter: f}
	for _, view := range slices.Backward(all) { // a view reads earlier ones
		if !wanted[view.Name] {
			continue
		}
		n.views = append(n.views, view)
		for _, name := range view.Reads() {
			wanted[name] = true
		}
	}
	slices.Reverse(n.views)
	for _, view := range n.views {
		delete(wanted, view.Name)
	}
	n.tables = slices.Sorted(maps.Keys(wanted))
	for _, name := range n.tables {
		rule := ruleOf(name)
		switch {
		case rule.why != "":
			return nil, &NotNarrowedError{answer.Detail(), name, rule.why}
		case rule.noProject && f.ProjectURIs != nil:
			return nil, &NotNarrowedError{answer.Detail(), name, "whose rows belong to no project"}
		}
	}
	return n, nil
}

// OpenNarrowed opens a warehouse to ask NarrowedView: an answer as it would be if the warehouse held only what a filter
// selects by its projects and times. left says what is not in it because it has no time. The engine may also write the
// files in writable.
func OpenNarrowed(ctx context.Context, path string, answer sql.File, f Filter, writable ...string) (_ *Reader,
	left []LeftOut, err error) {
	n, err := narrowed(answer, f)
	if err != nil {
		return nil, nil, err
	}
	db, conn, err := engine.OpenOver(ctx, path, overName)
	if err != nil {
		return nil, nil, err
	}
	if err := n.make(ctx, conn, path, answer); err != nil {
		return nil, nil, errors.Join(err, conn.Close(), db.Close())
	}
	if left, err = n.leftOut(ctx, conn); err != nil {
		return nil, nil, errors.Join(err, conn.Close(), db.Close())
	}
	r, err := confinedReader(ctx, db, conn, engine.Sandbox(localZone()), writable)
	return r, left, err
}

// NewestBefore is the day of the latest activity in the whole warehouse behind a reader of OpenNarrowed, if it is
// before a time; else "".
func (r *Reader) NewestBefore(ctx context.Context, since schema.Millis) (day string, err error) {
	err = r.conn.QueryRowContext(ctx, `SELECT max(last_activity_at)::DATE::VARCHAR
		FROM `+overMain+`.live_conversations HAVING max(last_activity_at) < `+instant(&since)).Scan(&day)
	if errors.Is(err, dbsql.ErrNoRows) {
		err = nil
	}
	return day, err
}

// overName is the name of the warehouse where it is attached, and overMain its schema main.
const (
	overName = "whole"
	overMain = overName + ".main"
)

// make fills the database in memory.
func (n *narrowing) make(ctx context.Context, conn *dbsql.Conn, path string, answer sql.File) error {
	if _, err := conn.ExecContext(ctx, "USE "+overName); err != nil {
		return err
	}
	if err := engine.SearchSchemas(ctx, conn); err != nil {
		return err
	}
	if err := catalog.Check(ctx, conn, path); err != nil {
		return err
	}
	statements := append([]string{"USE memory", schema.SchemasDDL(), "CREATE SCHEMA part"}, n.choosingStatements()...)
	for _, table := range slices.Concat([]string{"messages"}, n.tables) { // of messages others are narrowed
		rows := "FROM " + overName + "." + table // an internal table, with its schema
		if !strings.Contains(table, ".") {
			rows = n.query(table, ruleOf(table).query)
			table = "main." + table
		}
		statements = append(statements, "CREATE OR REPLACE VIEW "+table+" AS "+rows)
	}
	for _, view := range n.views {
		create, _, _ := strings.Cut(view.SQL, "COMMENT ON ")
		statements = append(statements, create)
	}
	for _, s := range append(statements, n.shown(answer)) {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("narrow %s: %w", answer.Detail(), engine.WithRemedy(err))
		}
	}
	return nil
}

// choosingStatements returns the statements that choose the conversations of the narrowed warehouse (schema part).
// Table known has those of the projects, table conversations those of them that were active in the period. View times
// has the times by which activity is judged.
func (n *narrowing) choosingStatements() []string {
	active := "true"
	if n.Since != nil || n.Until != nil {
		active =
			`(c.source_id, c.conversation_id) IN (SELECT source_id, conversation_id FROM part.times t WHERE $WITHIN{t.at})
			OR (c.source_id, c.conversation_id) NOT IN (SELECT source_id, conversation_id FROM part.times) AND $WITHIN{` + conversationAt + `}`
	}
	return []string{
		n.query("",
			`CREATE TABLE part.known AS SELECT source_id, conversation_id FROM $W.all_conversations c WHERE $OF{c.project_uri IN ($URIS)}`),
		n.query("", `CREATE VIEW part.times AS
			SELECT source_id, conversation_id, created_at AS at FROM $W.messages WHERE created_at IS NOT NULL
			UNION ALL SELECT source_id, conversation_id, occurred_at FROM $W.usage_events WHERE is_counted AND source_id IS NOT NULL AND conversation_id IS NOT NULL AND occurred_at IS NOT NULL
			UNION ALL SELECT source_id, conversation_id, occurred_at FROM $W.turn_estimates WHERE occurred_at IS NOT NULL`),
		n.query("", `CREATE TABLE part.conversations AS SELECT c.source_id, c.conversation_id FROM $W.conversations c
			SEMI JOIN part.known k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id WHERE `+
			active),
	}
}

// shown is the view that is asked. In an answer by week, something that began before the period has a row of its own
// week, which is no week of the period.
func (n *narrowing) shown(answer sql.File) string {
	query := "FROM " + answer.Object()
	if byWeek(answer) {
		query += " WHERE " + n.overlaps("week", 7)
	}
	return "CREATE VIEW main." + NarrowedView + " AS " + query
}

// byWeek reports whether an answer has a row for each week.
func byWeek(answer sql.File) bool {
	return strings.HasSuffix(answer.Detail(), "_per_week")
}

// leftOut counts the rows of the projects that have no time, of the tables that the answer reads.
func (n *narrowing) leftOut(ctx context.Context, conn *dbsql.Conn) (left []LeftOut, err error) {
	if n.Since == nil && n.Until == nil {
		return nil, nil
	}
	for _, table := range n.tables {
		query := ruleOf(table).timeless
		if query == "" {
			continue
		}
		var rows int64
		if err := conn.QueryRowContext(ctx, n.query(table, "SELECT count(*) "+query)).Scan(&rows); err != nil {
			return nil, errors.Join(fmt.Errorf("count what has no time in %s", table), err)
		}
		if rows > 0 {
			left = append(left, LeftOut{table, rows})
		}
	}
	return left, nil
}

// instant is a time in SQL.
func instant(at *schema.Millis) string {
	return "TIMESTAMPTZ " + engine.Literal(time.UnixMilli(int64(*at)).UTC().Format("2006-01-02 15:04:05.000+00"))
}

// within is the condition that a time is in the period; a time that is not known is not.
func (n *narrowing) within(at string) string {
	var c condition
	if n.Since != nil {
		c.and(at + " >= " + instant(n.Since))
	}
	if n.Until != nil {
		c.and(at + " < " + instant(n.Until))
	}
	return "(" + c.sql() + ")"
}

// overlaps is the condition that so many days from a date on have a part in the period.
func (n *narrowing) overlaps(date string, days int64) string {
	var c condition
	first := "epoch_ms(CAST(" + date + " AS TIMESTAMP))"
	if n.Since != nil {
		c.and(fmt.Sprintf("%s > %d", first, int64(*n.Since)-days*int64(24*time.Hour/time.Millisecond)))
	}
	if n.Until != nil {
		c.and(fmt.Sprintf("%s < %d", first, int64(*n.Until)))
	}
	return "(" + c.sql() + ")"
}
