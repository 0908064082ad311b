package pipelines_test

import (
	"database/sql"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pipeline/load/engine"
	"pipeline/load/push"
	sqlfiles "pipeline/sql"
)

// answering is a store with the pushes of several machines, and what the answers of their warehouses say, one below the
// other.
type answering struct {
	t        *testing.T
	dir      string
	conn     *sql.Conn
	machines []string // their ids
}

func newAnswering(t *testing.T) *answering {
	t.Helper()
	db, conn, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "want.duckdb"), false)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(); _ = db.Close() })
	a := &answering{t: t, dir: t.TempDir(), conn: conn}
	a.exec("SET TimeZone = 'UTC'")
	// an answer over views over hundreds of files takes more than the program gives itself
	a.exec("SET memory_limit = '2GB'")
	return a
}

func (a *answering) exec(statement string) {
	a.t.Helper()
	if _, err := a.conn.ExecContext(a.t.Context(), statement); err != nil {
		a.t.Fatalf("%v\n%.300s", err, statement)
	}
}

// overMachines are the views and answers that a lake can have.
func overMachines() (names []string) {
	unshared := sqlfiles.Unshared()
	for _, f := range slices.Concat(sqlfiles.Views(), sqlfiles.Answers()) {
		if unshared[f.Name] == nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// machine pushes a warehouse, and notes what it answers itself.
func (a *answering) machine(l *fixture) {
	a.t.Helper()
	r := l.push(l.pushOptions(storeIn(a.t, a.dir)))
	a.machines = append(a.machines, r.Machine)
	a.exec("ATTACH " + engine.Literal(l.warehouse()) + " AS w (READ_ONLY)")
	for _, name := range overMachines() {
		a.exec(searchedIn("w"))
		a.exec(fmt.Sprintf("CREATE OR REPLACE TEMP TABLE _own AS SELECT %s AS machine_id, * FROM %s",
			engine.Literal(r.Machine), name))
		a.exec(fmt.Sprintf("USE want; CREATE SCHEMA IF NOT EXISTS own; CREATE TABLE IF NOT EXISTS own.%[1]s AS FROM "+
			"_own LIMIT 0; INSERT INTO own.%[1]s FROM _own", name))
	}
	a.exec("DETACH w")
}

// compare compares what an answer says of a machine with what the machine says.
func (a *answering) compare(machine, name string) {
	a.t.Helper()
	own, have := fmt.Sprintf("(SELECT * EXCLUDE (machine_id) FROM want.own.%s WHERE machine_id = %s)", name,
		engine.Literal(machine)), name
	names, types := a.columns(own)
	if got, _ := a.columns(have); !slices.Equal(got, names) {
		a.t.Errorf("%s has the columns %v, not %v", name, got, names)
		return
	}
	var list, order []string
	for i, column := range names {
		value := fmt.Sprintf("CAST(%s AS %s)", engine.Identifier(column), types[i])
		list = append(list, fmt.Sprintf("replace(CAST(%s AS VARCHAR), '@%s', '')", value, machine))
		if types[i] != "DOUBLE" { // these come last: they may differ a little
			order = append(order, strconv.Itoa(i+1))
		}
	}
	for i := range names {
		if types[i] == "DOUBLE" {
			order = append(order, fmt.Sprintf("CAST(#%d AS DOUBLE)", i+1))
		}
	}
	rows := func(from string) [][]string {
		return a.rows(fmt.Sprintf("SELECT %s FROM %s ORDER BY %s", strings.Join(list, ", "), from,
			strings.Join(order, ", ")))
	}
	want, got := rows(own), rows(have)
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || !slices.EqualFunc(want[i], got[i], sameCell) {
			a.t.Errorf("%s: %d rows, of the machine %d. The first that differs has\n%v\nof the machine\n%v", name,
				len(got), len(want), labelled(names, got, i), labelled(names, want, i))
			return
		}
	}
}

// labelled is a row with the names of its columns.
func labelled(names []string, rows [][]string, i int) (out []string) {
	if i < len(rows) {
		for j, value := range rows[i] {
			out = append(out, names[j]+": "+value)
		}
	}
	return out
}

// sameCell reports whether values are the same, numbers but for the last digits: their sums are made in another order.
func sameCell(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return a == b || err1 == nil && err2 == nil && strings.Contains(a+b, ".") &&
		math.Abs(x-y) <= 1e-9*math.Max(math.Abs(x), math.Abs(y))
}

func (a *answering) columns(from string) (names, types []string) {
	a.t.Helper()
	for _, row := range a.rows("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM " + from + ")") {
		names, types = append(names, row[0]), append(types, strings.ReplaceAll(row[1], "JSON", "VARCHAR"))
	}
	return names, types
}

func (a *answering) rows(query string) (out [][]string) {
	a.t.Helper()
	rows, err := a.conn.QueryContext(a.t.Context(), query)
	if err != nil {
		a.t.Fatalf("%v\n%s", err, query)
	}
	defer func() { must(a.t, rows.Close()) }()
	names, err := rows.Columns()
	must(a.t, err)
	for rows.Next() {
		cells, to := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range cells {
			to[i] = &cells[i]
		}
		must(a.t, rows.Scan(to...))
		row := make([]string, len(cells))
		for i, cell := range cells {
			if row[i] = cell.String; !cell.Valid {
				row[i] = "NULL"
			}
		}
		out = append(out, row)
	}
	must(a.t, rows.Err())
	return out
}

// TestAnswersOverMachines: each answer over the rows of several machines is, for the rows of one of them, what its
// warehouse answers. The machines are one with every kind of source, some with the histories of the answers' and the
// models' tests, and one on which nobody has talked.
func TestAnswersOverMachines(t *testing.T) {
	long(t)
	t.Parallel()
	a, all := newAnswering(t), worlds(t)
	l := newLeakFixture(t, 5)
	l.load()
	a.machine(l.trackingFixture.fixture)
	third := len(all) / 3
	for _, part := range [][]world{all[:2*third], all[third:], {onlySource}} { // what two machines have must stay apart
		l := newFixture(t)
		l.run(baseUserDir())
		l.hold(part)
		a.machine(l)
	}
	for _, name := range overMachines() {
		if some := a.rows("SELECT EXISTS (FROM want.own." + name + ")"); some[0][0] != "true" {
			t.Errorf("no machine has a row of %s", name)
		}
	}
	views, err := push.Views(push.DuckDB, push.Place{Target: a.dir, Schema: sqlfiles.Machines})
	must(t, err)
	a.exec("ATTACH ':memory:' AS team; USE team")
	a.exec(views + sqlfiles.OverMachines())
	for _, machine := range a.machines {
		a.exec("SET VARIABLE machine = " + engine.Literal(machine))
		for _, name := range overMachines() {
			a.compare(machine, name)
		}
	}
	a.exec("RESET VARIABLE machine")
	for _, name := range []string{"live_conversations", "live_messages", "live_tool_calls"} {
		same(t, name+" of all machines", a.rows("SELECT count(*) FROM want.own."+name),
			a.rows("SELECT count(*) FROM "+name))
	}
}
