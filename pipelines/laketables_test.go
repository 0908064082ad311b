package pipelines_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pipeline/load/engine"
	"pipeline/load/push"
)

// keeper keeps the rows of a team in tables of ClickHouse, by the statements that are printed.
type keeper struct {
	*team
	dir string // of the engine's state, and of what readers found last
}

func (k *keeper) state() string { return filepath.Join(k.dir, "state") }
func (k *keeper) found() string { return filepath.Join(k.dir, "found") }

func (k *keeper) statements() string {
	k.t.Helper()
	text, err := push.Tables("clickhouse", "cursor", k.place)
	must(k.t, err)
	return text
}

// run runs statements. It returns the folder with what readers find then, and in _kept how many rows each table keeps.
func (k *keeper) run(statements string) string {
	k.t.Helper()
	queries, kept := allOf("cursor."), []string{}
	for name := range queries {
		kept = append(kept, "SELECT '"+name+"' AS name, count() AS n FROM cursor._rows_"+name)
	}
	queries["_kept"] = strings.Join(kept, " UNION ALL ")
	return inEngine(k.t, "clickhouse", statements, queries, k.state())
}

// load runs statements and compares what readers find then.
func (k *keeper) load(what, statements string) {
	k.t.Helper()
	out := k.run(statements)
	k.readsFrom(what, out+"/%s.parquet")
	must(k.t, os.RemoveAll(k.found()))
	must(k.t, os.Rename(out, k.found()))
}

// kept is how many rows of a table are kept, by a folder of run.
func (k *keeper) kept(folder, table string) (n int) {
	k.t.Helper()
	must(k.t, k.conn.QueryRowContext(k.t.Context(),
		"SELECT n FROM read_parquet("+engine.Literal(filepath.Join(folder, "_kept.parquet"))+") WHERE name = "+
			engine.Literal(table)).Scan(&n))
	return n
}

// night loads what was pushed in a night, and does what may go wrong.
func (k *keeper) night(night int) {
	needs(k.t, "clickhouse")
	load := k.statements()
	switch night {
	case 1: // the statements of an older program, which knows no error_code
		k.load("night 1", withoutGained(load))
	case 2:
		k.killed(withoutGained(load))
		k.load("night 2, after a load that was killed", withoutGained(load))
	case 5: // what was loaded is not read again: so it may be damaged
		k.damage()
		k.load("night 5", load)
		k.load("night 5, loaded twice", load)
		k.onlyCurrent()
	default:
		k.load(fmt.Sprint("night ", night), load)
	}
}

func withoutGained(statements string) string {
	return regexp.MustCompile("(?m)^ *ADD COLUMN IF NOT EXISTS `"+gained+"`.*\n").ReplaceAllString(statements, "")
}

// killed kills the engine when all rows are loaded and the units are not. Readers find what they found before.
func (k *keeper) killed(statements string) {
	k.t.Helper()
	last := strings.LastIndex(statements, "CREATE OR REPLACE TABLE `cursor`._units")
	dir := k.t.TempDir()
	reached := filepath.Join(dir, "reached.csv")
	must(k.t, os.WriteFile(filepath.Join(dir, "setup.sql"),
		[]byte(statements[:last]+"INSERT INTO FUNCTION file("+engine.Literal(reached)+
			", 'CSV', 'n Int64') SELECT 1;\nSELECT sleepEachRow(1) FROM numbers(100) SETTINGS max_block_size = 1;\n"),
		0o600))
	cmd := exec.CommandContext(k.t.Context(), "python3", filepath.Join("..", "testdata", "lake", "engines.py"),
		"clickhouse", filepath.Join(dir, "setup.sql"), dir, filepath.Join(dir, "out"), k.state())
	must(k.t, cmd.Start())
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(reached); err == nil {
			break
		}
		if time.Now().After(deadline) {
			k.t.Fatal("the load does not come to its end")
		}
	}
	must(k.t, cmd.Process.Kill())
	_ = cmd.Wait()
	found := k.run("")
	if before, after := k.kept(k.found(), "messages"), k.kept(found, "messages"); after <= before {
		k.t.Errorf("%d rows of messages after the kill, %d before: nothing was loaded", after, before)
	}
	for table := range allOf("") {
		was, is := engine.Literal(filepath.Join(k.found(), table+".parquet")),
			engine.Literal(filepath.Join(found, table+".parquet"))
		same(k.t, "changed rows of "+table+" after a load that was killed", 0,
			k.count(fmt.Sprintf("((FROM %[1]s EXCEPT ALL FROM %[2]s) UNION ALL (FROM %[2]s EXCEPT ALL FROM %[1]s))",
				was, is)))
	}
}

// damage makes the objects of each machine's first push unreadable.
func (k *keeper) damage() {
	k.t.Helper()
	objects, err := filepath.Glob(filepath.Join(k.team.dir, push.Root, "machine=*", "push=0000000001-*", "*.parquet"))
	must(k.t, err)
	if len(objects) == 0 {
		k.t.Fatalf("%d objects", len(objects))
	}
	for _, object := range objects {
		must(k.t, os.Rename(object, object+".kept"))
		must(k.t, os.WriteFile(object, []byte("no rows at all"), 0o600))
		k.t.Cleanup(func() { must(k.t, os.Rename(object+".kept", object)) })
	}
}

// onlyCurrent looks for rows that nobody reads any more.
func (k *keeper) onlyCurrent() {
	k.t.Helper()
	for table := range allOf("") {
		same(k.t, "rows kept of "+table, k.count("want."+table), k.kept(k.found(), table))
	}
}

// erase removes a machine from the store: after the next load nobody reads its rows, and after one more they are gone.
func (k *keeper) erase() {
	needs(k.t, "clickhouse")
	o := k.a.pushOptions(k.store())
	o.Target = k.team.dir
	_, err := push.Erase(k.t.Context(), o)
	must(k.t, err)
	for table := range allOf("") {
		k.exec(fmt.Sprintf("DELETE FROM want.%s WHERE machine_id = %s", table, engine.Literal(k.a.id)))
	}
	k.load("a machine is erased", k.statements())
	k.load("a machine is erased, loaded twice", k.statements())
	k.onlyCurrent()
	k.load("everything is loaded again", "TRUNCATE TABLE cursor._units;\n"+k.statements())
	k.onlyCurrent()
}

// TestTablesStop: DuckDB's command line goes on after an error. A folder in which a table could not be written has no
// units.
func TestTablesStop(t *testing.T) {
	long(t)
	t.Parallel()
	cli, err := exec.LookPath("duckdb")
	if err != nil {
		t.Skip("there is no duckdb command line")
	}
	l, dir := newFixture(t), t.TempDir()
	l.run(baseUserDir())
	l.push(l.pushOptions(storeIn(t, dir)))
	for _, taken := range []bool{true, false} {
		folder := t.TempDir()
		if taken {
			must(t, os.Mkdir(filepath.Join(folder, "messages"), 0o700))
			must(t, os.WriteFile(filepath.Join(folder, "messages", "data_0.parquet"), nil, 0o600))
		}
		tables, err := push.Tables("duckdb", folder, push.Place{Target: dir})
		must(t, err)
		cmd := exec.CommandContext(t.Context(), cli)
		cmd.Stdin = strings.NewReader(tables)
		out, err := cmd.CombinedOutput()
		units, _ := filepath.Glob(filepath.Join(folder, "units", "*.parquet"))
		if taken != (err != nil) || taken != (len(units) == 0) {
			t.Errorf("a table cannot be written: %v; units: %v, %v: %s", taken, units, err, out)
		}
	}
}
