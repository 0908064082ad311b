package pipelines_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	checks "pipeline/load/figures"
	"pipeline/load/reader"
	"pipeline/pipelines"
	psql "pipeline/sql"
	"pipeline/testdata/gen/disagreetest"
	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

// disagreeing is a store of chats whose places disagree, and the warehouse of it.
type disagreeing struct {
	*fixture
	groups []*disagreetest.Group
	rows   map[*disagreetest.Group][]storetest.Row
	odd    bool
	loads  int
	failed int // loads that would exit with 4
	faults []fault
	when   string
	shapes map[string]string // of the chats, now
	said   string            // what was said in the groups of a small store, at each load
}

// fault is something in the warehouse that is not as it must be.
type fault struct {
	kind   string
	chat   string // its conversation_id; "" for something of the whole store
	detail string // in which load, and what
	shape  string // of the chat at that time
}

// TestDisagreeingChats: whatever the places of a chat say, each run succeeds, all checks hold, no message is there
// twice and none is lost. Each chat is what its seed makes of it: DISAGREE_SEED=n runs one alone, and prints its rows.
// DISAGREE_CHATS=n runs so many, DISAGREE_FIRST=n begins at a seed, DISAGREE_EXAMPLES=n prints more examples of each
// fault.
func TestDisagreeingChats(t *testing.T) {
	long(t)
	t.Parallel()
	seeds, each := 2000, 500
	if night.On() {
		seeds, each = 10_000, 1000
	}
	if n, err := strconv.Atoi(os.Getenv("DISAGREE_CHATS")); err == nil {
		seeds = n
	}
	first := seeds * (night.Number() % 100) // below those of named shapes
	if n, err := strconv.Atoi(os.Getenv("DISAGREE_FIRST")); err == nil {
		first = n
	}
	if n, err := strconv.Atoi(os.Getenv("DISAGREE_SEED")); err == nil {
		first, seeds, each = n, 1, 1
	}
	end := first + seeds
	var r faultReport
	for from := first; from < end; from += each {
		d := &disagreeing{fixture: newFixture(t), odd: each > 1 && from/each%2 == 1}
		for seed := from; seed < min(from+each, end); seed++ {
			d.groups = append(d.groups, disagreetest.Any(uint64(seed)))
		}
		d.nights()
		must(t, os.RemoveAll(d.dir))
		r.add(d)
		t.Logf("seeds %d to %d: %d faults in %d loads, %d of which failed", from, min(from+each, end)-1,
			len(d.faults), d.loads, d.failed)
	}
	r.print(t)
}

// TestDisagreeingShapes is TestDisagreeingChats for each shape that has a name, by itself.
func TestDisagreeingShapes(t *testing.T) {
	t.Parallel()
	d, named := &disagreeing{fixture: newFixture(t)}, map[string][]*disagreetest.Group{}
	each := 8
	if testing.Short() {
		each = 1
	}
	for _, name := range disagreetest.Names() {
		for n := range each {
			g := disagreetest.Named(name, n)
			d.groups, named[name] = append(d.groups, g), append(named[name], g)
		}
	}
	d.nights()
	for _, name := range disagreetest.Names() {
		t.Run(name, func(t *testing.T) {
			of := &disagreeing{groups: named[name], loads: d.loads, failed: d.failed} // the loads of all shapes
			for _, f := range d.faults {
				if slices.ContainsFunc(of.groups, func(g *disagreetest.Group) bool { return g.Has(f.chat) }) {
					of.faults = append(of.faults, f)
				}
			}
			var r faultReport
			r.add(of)
			r.print(t)
		})
	}
}

// nights loads the store, lets time pass, and loads it again twice, the last time in full.
func (d *disagreeing) nights() {
	d.t.Helper()
	d.write()
	d.is("first load: ")
	d.load()
	had := d.keys()
	d.judge(nil)
	before := d.digests()
	changed := d.night()
	d.is("second load: ")
	d.load()
	d.judge(had)
	after := d.digests()
	for _, g := range d.groups {
		for _, c := range g.Chats {
			if !changed[g] && before[c.ID] != after[c.ID] {
				d.fault("an unchanged chat changed", c.ID, "")
			}
		}
	}
	d.when = "full load: "
	d.load(full)
	for id, digest := range d.digests() {
		if digest != after[id] {
			d.fault("a full load makes other rows", id, "")
		}
	}
}

// is notes what is loaded next.
func (d *disagreeing) is(when string) {
	d.when, d.shapes = when, map[string]string{}
	for _, g := range d.groups {
		for _, c := range g.Chats {
			d.shapes[c.ID] = c.Shape.String()
		}
		if len(d.groups) == 1 {
			d.said += fmt.Sprint(when, "\n", g)
		}
	}
}

func (d *disagreeing) fault(kind, chat, detail string) {
	d.faults = append(d.faults, fault{kind, chat, d.when + detail, d.shapes[chat]})
}

func (d *disagreeing) store() string { return filepath.Join(d.user, "globalStorage", "state.vscdb") }

// write makes the store.
func (d *disagreeing) write() {
	d.t.Helper()
	d.rows = map[*disagreetest.Group][]storetest.Row{}
	var rows []storetest.Row
	var heads []map[string]any
	for _, g := range d.groups {
		d.rows[g] = g.Rows()
		rows, heads = append(rows, d.rows[g]...), append(heads, g.Heads()...)
	}
	if d.odd {
		rows = append(rows, disagreetest.Oddities()...)
	}
	must(d.t, storetest.WriteStore(d.store(), rows,
		storetest.StoreOptions{HeaderColumns: storetest.HeaderColumns10, HeaderRows: heads}))
}

// night changes the store in place, and returns the groups that it changed.
func (d *disagreeing) night() map[*disagreetest.Group]bool {
	d.t.Helper()
	db, err := sql.Open("sqlite", "file:"+d.store())
	must(d.t, err)
	defer func() { must(d.t, db.Close()) }()
	tx, err := db.Begin()
	must(d.t, err)
	changed := map[*disagreetest.Group]bool{}
	for _, g := range d.groups {
		if !g.Night() {
			continue
		}
		changed[g] = true
		was := map[any]any{}
		for _, row := range d.rows[g] {
			was[row.Key] = row.Value
		}
		d.rows[g] = g.Rows()
		for _, row := range d.rows[g] {
			if old, ok := was[row.Key]; !ok || fmt.Sprint(old) != fmt.Sprint(row.Value) {
				_, err := tx.Exec(replaceRowSQL, row.Key, row.Value)
				must(d.t, err)
			}
			delete(was, row.Key)
		}
		for key := range was {
			if strings.HasPrefix(key.(string), "agentKv:blob:") {
				continue // other chats may have it, too
			}
			_, err := tx.Exec(`DELETE FROM cursorDiskKV WHERE key = ?`, key)
			must(d.t, err)
		}
		for _, head := range g.Heads() {
			_, err := tx.Exec(
				`UPDATE composerHeaders SET lastUpdatedAt = ?, recency = ?, value = ? WHERE composerId = ?`,
				head["lastUpdatedAt"], head["recency"], head["value"], head["composerId"])
			must(d.t, err)
		}
	}
	must(d.t, tx.Commit())
	return changed
}

// load runs the program over the store, and notes each check that fails.
func (d *disagreeing) load(change ...func(*pipelines.Options)) {
	d.t.Helper()
	r := mustRun(d.t, d.options(change...))
	d.loads++
	if len(r.Failures) > 0 {
		d.failed++
		f := r.Failures[0]
		d.fault("exit 4", "", fmt.Sprintf("check %s failed in %d rows: %s", f.Check, f.Rows, f.First))
	}
	failures, err := checks.Check(context.Background(), d.warehouse(), func(int, int) {})
	must(d.t, err)
	for _, f := range failures {
		for _, check := range psql.Checks() {
			if check.Name == f.Check {
				d.failing(check)
			}
		}
	}
}

var ownID = regexp.MustCompile(`d15a[0-9a-f]{4}-0000-4000-8000-\d{12}`)

// failing notes which chats fail a check.
func (d *disagreeing) failing(check psql.File) {
	d.t.Helper()
	query := strings.TrimSuffix(strings.TrimSpace(check.SQL), ";")
	for _, row := range d.cells("SELECT row_key, problem FROM (\n" + query + "\n)") {
		d.fault("check "+check.Name, ownID.FindString(row[0]), row[0]+": "+row[1])
	}
}

// cells are the rows of a query as text.
func (d *disagreeing) cells(query string) [][]string {
	d.t.Helper()
	w, err := reader.Open(context.Background(), d.warehouse())
	must(d.t, err)
	defer func() { must(d.t, w.Close()) }()
	answer, err := w.Query(context.Background(), query)
	if err != nil {
		d.t.Fatalf("%v\n%s", err, query)
	}
	out := make([][]string, len(answer.Rows))
	for i, row := range answer.Rows {
		for _, v := range row {
			cell := "NULL"
			if v != nil {
				cell = reader.Text(v)
			}
			out[i] = append(out[i], cell)
		}
	}
	return out
}

// digests are the rows of each chat in one value. The session of a chat may be another one since others grew.
func (d *disagreeing) digests() map[string]string {
	d.t.Helper()
	out := map[string]string{}
	for _, row := range d.cells(
		`SELECT conversation_id, md5(string_agg(CAST(r AS VARCHAR), chr(10) ORDER BY CAST(r AS VARCHAR))) FROM (
		SELECT conversation_id, m AS r FROM (SELECT conversation_id, CAST(m AS VARCHAR) AS m FROM messages m)
		UNION ALL SELECT conversation_id, CAST(c AS VARCHAR) FROM tool_calls c
		UNION ALL SELECT conversation_id, CAST(c AS VARCHAR) FROM (SELECT * EXCLUDE (changed_at, session_id) FROM conversations) c) GROUP BY 1`) {
		out[row[0]] = row[1]
	}
	return out
}
