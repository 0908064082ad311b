package pipelines_test

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/load/engine"
	"pipeline/load/objects"
	"pipeline/load/push"
	"pipeline/load/redact"
	"pipeline/sql/schema"
	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

// needs skips a test whose engine is not there.
func needs(t *testing.T, name string) {
	t.Helper()
	if name == "spark" && !night.On() {
		t.Skip("Spark takes minutes: make endurance asks it")
	}
	module := map[string]string{"clickhouse": "chdb", "spark": "pyspark", "duckdb": "duckdb"}[name]
	if err := exec.Command("python3", "-c", "import "+module).Run(); err != nil {
		t.Skipf("python3 has no %s: pip install it to read the store with %s", module, name)
	}
	if _, err := exec.LookPath("java"); err != nil && name == "spark" {
		t.Skip("there is no java, which Spark needs")
	}
}

// inEngine runs statements in another engine, and then queries, by their names. It returns the folder with the rows of
// each, NAME.parquet. state is where the engine keeps its tables; "": nowhere.
func inEngine(t *testing.T, name, setup string, queries map[string]string, state string) string {
	t.Helper()
	needs(t, name)
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "setup.sql"), []byte(setup), 0o600))
	must(t, os.Mkdir(filepath.Join(dir, "queries"), 0o700))
	for name, query := range queries {
		must(t, os.WriteFile(filepath.Join(dir, "queries", name+".sql"), []byte(query), 0o600))
	}
	arguments := []string{filepath.Join("..", "testdata", "lake", "engines.py"), name, filepath.Join(dir, "setup.sql"),
		filepath.Join(dir, "queries"), filepath.Join(dir, "out")}
	if state != "" {
		arguments = append(arguments, state)
	}
	if out, err := exec.CommandContext(t.Context(), "python3", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
	return filepath.Join(dir, "out")
}

// team is three machines that push into one store, night by night, and what readers must find there.
type team struct {
	t       *testing.T
	dir     string     // of the store
	place   push.Place // where engines find it
	conn    *sql.Conn
	a, b, c *teammate
}

// teammate is a machine with what it has let out.
type teammate struct {
	*fixture
	id     string
	level  string
	old    bool              // its program is of a time when messages had no error_code
	hidden string            // a condition: rows that must not be read
	inText map[string]string // what texts must read as where they are redacted
}

// gained is a column that a program of today writes, and that of a machine did not in its first nights.
const gained = "error_code"

// newTeam has two machines with the same few conversations, and one with a store of every kind of rows.
func newTeam(t *testing.T) *team {
	t.Helper()
	db, conn, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "want.duckdb"), false)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(); _ = db.Close() })
	mate := func() *teammate {
		return &teammate{fixture: newFixture(t), level: push.Full, hidden: "false",
			inText: map[string]string{"/home/mira": "~", "/Users/mira": "~", "/c:/Users/Mira": "~",
				"/c%3A/Users/Mira": "~", `c:\Users\Mira`: "~", `\home\mira`: "~"}}
	}
	m := &team{t: t, dir: t.TempDir(), conn: conn, a: mate(), b: mate(), c: mate()}
	m.place = push.Place{Target: m.dir}
	// it would take an object that age wrote again for the one of the same second that it has read
	m.exec("SET enable_external_file_cache = false")
	must(t, storetest.New(storetest.Options{Seed: 3, Messages: 150}).Write(m.c.user))
	// nobody has a value of the column before the third night
	m.c.exec(`DELETE FROM cursorDiskKV WHERE CAST(value AS TEXT) LIKE '%errorDetails%'`)
	return m
}

func (m *team) store() objects.Store {
	m.t.Helper()
	store, err := objects.Open(m.place.Target, m.place.Endpoint, "")
	must(m.t, err)
	return store
}

func (m *team) exec(statement string) {
	m.t.Helper()
	_, err := m.conn.ExecContext(m.t.Context(), statement)
	must(m.t, err)
}

// push runs a machine's user directory (nil: what is there), pushes, and notes what must be read of the machine from
// then on: its warehouse.
func (m *team) push(mate *teammate, w *userDir, change ...func(*push.Options)) {
	m.t.Helper()
	mate.run(w)
	o := mate.pushOptions(m.store())
	policy, err := push.ReadPolicy(m.t.Context(), o.Store)
	must(m.t, err)
	if o.Level, err = policy.Level(""); policy.MinLevel == "" {
		o.Level = push.Full
	}
	must(m.t, err)
	o.Target, o.Redact = m.dir, func(text, _ string) string { return redact.Text(text) }
	for _, f := range change {
		f(&o)
	}
	r := mate.fixture.push(o)
	mate.id, mate.level = r.Machine, o.Level
	if mate.old && r.Seq > 0 {
		m.age(mate, r.PushID)
	}
	m.exec("ATTACH " + engine.Literal(mate.warehouse()) + " AS w (READ_ONLY)")
	defer m.exec("DETACH w")
	for _, table := range schema.Tables() {
		if table.IsShared() {
			from := fmt.Sprintf("FROM w.%s WHERE NOT coalesce(%s, false)", table.Name, mate.hides(table))
			m.exec(fmt.Sprintf("CREATE TABLE IF NOT EXISTS want.%[1]s AS SELECT %[2]s %[3]s LIMIT 0; DELETE FROM "+
				"want.%[1]s WHERE machine_id = '%[4]s'; INSERT INTO want.%[1]s SELECT %[2]s %[3]s",
				table.Name, strings.Join(mate.columns(table), ", "), from, mate.id))
		}
	}
}

func (m *team) count(from string) (n int) {
	m.t.Helper()
	must(m.t, m.conn.QueryRowContext(m.t.Context(), "SELECT count(*) FROM "+from).Scan(&n))
	return n
}

// age makes of a push's messages what a program of a time without the column would have written. Such a program is not
// at hand: the object is written again without it, before anybody reads it. Its warehouse has no value there.
func (m *team) age(mate *teammate, pushID string) {
	m.t.Helper()
	object := filepath.Join(m.dir, push.Root, "machine="+mate.id, "push="+pushID, "messages.parquet")
	if _, err := os.Stat(object); os.IsNotExist(err) {
		return
	}
	same(m.t, "values of "+gained, [][]string{{"0"}}, mate.ask("SELECT count("+gained+") FROM messages"))
	m.exec(fmt.Sprintf("COPY (SELECT * EXCLUDE (%s) FROM read_parquet(%s, hive_partitioning = false)) TO %s (FORMAT "+
		"parquet)", gained, engine.Literal(object), engine.Literal(object+".old")))
	must(m.t, os.Rename(object+".old", object))
}

// columns are a table's values as they must be read of the machine.
func (mate *teammate) columns(table schema.Table) []string {
	out := []string{engine.Literal(mate.id) + " AS machine_id"}
	for _, c := range table.Columns {
		value := engine.Identifier(c.Name)
		if c.Type == "JSON" {
			value = "CAST(" + value + " AS VARCHAR)"
		}
		if mate.level == push.Redacted && (c.Type == "JSON" || c.Type == "VARCHAR") {
			for text, instead := range mate.inText {
				value = fmt.Sprintf("replace(%s, %s, %s)", value, engine.Literal(text), engine.Literal(instead))
			}
		}
		out = append(out, value+" AS "+engine.Identifier(c.Name))
	}
	return out
}

// hides is the condition on a table's rows that must not be read: hidden, of the columns that the table has.
func (mate *teammate) hides(table schema.Table) string {
	var any []string
	for _, condition := range strings.Split(mate.hidden, " OR ") {
		if name, _, _ := strings.Cut(condition, " "); name == "false" || table.Has(name) {
			any = append(any, condition)
		}
	}
	if any == nil {
		return "false"
	}
	return strings.Join(any, " OR ")
}

// reads compares each table's rows with what must be read, in both directions. from says where a table's rows are.
func (m *team) reads(what string, from func(table string) string) {
	m.t.Helper()
	for _, table := range schema.Tables() {
		if !table.IsShared() {
			continue
		}
		columns := []string{"machine_id"}
		for _, c := range table.Columns {
			name := engine.Identifier(c.Name)
			columns = append(columns, "CAST("+name+" AS "+strings.Replace(c.Type, "JSON", "VARCHAR", 1)+") AS "+name)
		}
		want := "want." + table.Name
		// a reader may lack a column that has no value yet
		have := fmt.Sprintf("(FROM %s UNION ALL BY NAME SELECT * FROM %s WHERE false)", from(table.Name), want)
		for _, way := range [][2]string{{have, want}, {want, have}} {
			var n int64
			var first sql.NullString
			list := strings.Join(columns, ", ")
			must(m.t, m.conn.QueryRowContext(m.t.Context(),
				fmt.Sprintf("SELECT count(*), any_value(CAST(to_json(r) AS VARCHAR)) FROM (SELECT %s FROM %s EXCEPT "+
					"ALL SELECT %s FROM %s) r", list, way[0], list, way[1])).Scan(&n, &first))
			if n > 0 {
				m.t.Errorf("%s: %d rows are in %s and not in %s: %.400s", what, n, way[0], way[1], first.String)
			}
		}
	}
}

// readsByDuckDB makes the views anew, as a reader does in the morning, and compares.
func (m *team) readsByDuckDB(what string) {
	m.t.Helper()
	views, err := push.Views("duckdb", m.place)
	must(m.t, err)
	m.exec(views)
	m.reads(what, func(table string) string { return "temp." + table })
}

// readsFrom compares what is in files: a pattern with the table's name.
func (m *team) readsFrom(what, files string) {
	m.t.Helper()
	m.reads(what, func(table string) string {
		return "read_parquet(" + engine.Literal(fmt.Sprintf(files, table)) + ", hive_partitioning = false)"
	})
}

// allOf are queries for all rows of each shared table, whose name has something before it.
func allOf(before string) map[string]string {
	queries := map[string]string{}
	for _, table := range schema.Tables() {
		if table.IsShared() {
			queries[table.Name] = "SELECT * FROM " + before + table.Name
		}
	}
	return queries
}

// nights plays five nights: texts change, messages and whole conversations go, a machine is silent, one withdraws a
// conversation, another's program learns of a column, the policy becomes stricter, a project is denied. after is called
// after each.
func (m *team) nights(after func(night int)) {
	secret := "AKIA" + "Z7Q2LKMNB4HX6TWD"
	m.a.inText[secret] = "[redacted:aws-access-token]"
	a := baseUserDir().with(keyA1, strings.Replace(bubbleA1, "First question",
		"My key is "+secret+", in /home/mira/notes", 1))
	b := baseUserDir().with(keyB2, strings.Replace(bubbleB2, "Reply", "The reply of b", 1), "composerData:delta",
		`{"_v":13,"composerId":"delta","name":"Delta","createdAt":1760007300000,"workspaceIdentifier":{"id":"ws2"}}`,
		"bubbleId:delta:d1",
		`{"_v":2,"type":1,"bubbleId":"d1","text":"Do not tell","createdAt":"2025-10-09T10:55:20Z"}`).
		withFolder("ws2", folder{json: `{"folder":"file:///src/nightingale"}`})
	m.a.old = true
	m.push(m.a, a)
	m.push(m.b, b)
	m.push(m.c, nil)
	after(1)

	m.push(m.a,
		a.with(keyA2, `{"_v":2,"type":2,"bubbleId":"a2","text":"Another answer","createdAt":"2025-10-09T08:55:20Z"}`).
			without(keyA3))
	m.push(m.b, b.without(keyBeta, keyB1, keyB2))
	m.c.exec(
		`DELETE FROM cursorDiskKV WHERE key IN (SELECT key FROM cursorDiskKV WHERE key LIKE 'bubbleId:%' ORDER BY key LIMIT 5)`)
	m.push(m.c, nil)
	after(2)

	m.a.old = false
	a = a.with(keyA2,
		`{"_v":2,"type":2,"bubbleId":"a2","text":"No answer","createdAt":"2025-10-09T08:55:20Z","errorDetails":{"error":"ERROR_TIMEOUT"}}`)
	m.push(m.a, a)
	m.b.hidden = "conversation_id = 'alpha'"
	m.push(m.b, b.without(keyBeta, keyB1, keyB2), func(o *push.Options) { o.Withdraw = []string{"alpha"} })
	after(3) // the third one is silent

	must(m.t, os.WriteFile(filepath.Join(m.dir, push.Root, "policy.json"), []byte(`{"min_level":"redacted"}`), 0o600))
	m.push(m.a, a)
	m.c.exec(
		`DELETE FROM cursorDiskKV WHERE key IN (SELECT key FROM cursorDiskKV WHERE key LIKE 'composerData:%' ORDER BY key LIMIT 3)`)
	m.push(m.c, nil)
	after(4) // the second one is silent, and what it has told at level full stays

	m.push(m.a, a.without(keyBeta, keyB1, keyB2))
	m.b.hidden = "conversation_id = 'alpha' OR conversation_id = 'delta' OR workspace_id = 'ws2' OR store = " +
		"'workspace/ws2' OR project_uri = 'file:///src/nightingale'"
	m.push(m.b, b, func(o *push.Options) { o.Deny = func(p push.Project) bool { return p.Name == "nightingale" } })
	m.push(m.c, nil)
	after(5)
}

// TestTeam: after each of five nights the current rows of all tables are what the three warehouses let out, by the
// views of DuckDB and in ClickHouse's tables. After the last one the other engines find the same, by their views and in
// the tables that they write.
func TestTeam(t *testing.T) {
	long(t)
	t.Parallel()
	m := newTeam(t)
	keeper := &keeper{m, t.TempDir()}
	m.nights(func(night int) {
		m.readsByDuckDB(fmt.Sprint("night ", night))
		m.in(t, fmt.Sprint("clickhouse keeps night ", night), func() { keeper.night(night) })
	})
	m.in(t, "clickhouse", func() {
		views, err := push.Views("clickhouse", m.place)
		must(m.t, err)
		m.readsFrom("ClickHouse", inEngine(m.t, "clickhouse", views, allOf(""), "")+"/%s.parquet")
	})
	for _, name := range []string{"duckdb", "spark"} {
		m.in(t, name, func() {
			folder := m.t.TempDir()
			tables, err := push.Tables(name, folder, m.place) // it makes the views, and writes what they show
			must(m.t, err)
			inEngine(m.t, name, tables, nil, "")
			m.readsFrom(name, folder+"/%s/*.parquet")
			same(m.t, "units", m.count("temp._units"),
				m.count("read_parquet("+engine.Literal(folder+"/units/*.parquet")+")"))
		})
	}
	m.in(t, "clickhouse erases", keeper.erase)
}

// in runs a part of the test that needs an engine: where it is missing, the part is skipped.
func (m *team) in(t *testing.T, name string, part func()) {
	t.Run(name, func(t *testing.T) {
		whole := m.t
		defer func() { m.t = whole }()
		m.t = t
		part()
	})
}
