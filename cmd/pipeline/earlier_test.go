package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load/reader"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// earlier is a warehouse that a program of an earlier version has made of the first two states of earlierStore. The store is in its last state.
type earlier struct {
	*cliTest
	version int
	copy    string // where a migration keeps it
	before  string // what its tables held
}

// newEarlier makes the warehouse out of its declaration.
func newEarlier(t *testing.T, user string, version int) *earlier {
	t.Helper()
	e := &earlier{cliTest: newCLITest(t), version: version}
	e.user, e.copy = user, fmt.Sprintf("%s.schema-%d", e.warehouse, version)
	readDeclaration(t, version).build(t, e.warehouse)
	e.before = e.tables(e.warehouse)
	return e
}

// tables are the number of rows and a hash of each table that a file has.
func (e *earlier) tables(file string) (all string) {
	e.t.Helper()
	names, err := reader.Query(e.t.Context(), file, "SELECT if(schema_name = 'main', '', schema_name || '.') || table_name FROM duckdb_tables() WHERE NOT temporary ORDER BY ALL")
	e.must(err)
	var parts []string
	for _, row := range names.Rows {
		parts = append(parts, digest(reader.Text(row[0]), reader.Text(row[0])))
	}
	answer, err := reader.Query(e.t.Context(), file, strings.Join(parts, " UNION ALL ")+" ORDER BY 1")
	e.must(err)
	for _, row := range answer.Rows {
		all += fmt.Sprintln(row...)
	}
	return all
}

// run loads the store under the name that it had for the earlier version.
func (e *earlier) run(code int, args ...string) (printed, said string) {
	e.t.Helper()
	return e.does(code, append([]string{"run", "--source", "old=" + e.user, "--warehouse", e.warehouse}, args...)...)
}

// held is what two warehouses of the same store have in common.
type held struct{ rows, columns, objects [][]string }

// holds asks for the rows that the store still holds, without what says when and by which load (a first load has no others), and for how tables,
// views and macros are made.
func (e *earlier) holds() held {
	e.t.Helper()
	var parts []string
	for _, t := range schema.Tables() {
		if slices.Contains(ofRuns, t.Name) || t.Name == "_known_rows" || t.Name == "_raw_parts" { // which versions that are gone are in, too
			continue
		}
		var columns []string
		where := ""
		for _, c := range t.Columns {
			switch c.Name {
			case "first_seen_at", "last_seen_at", "changed_at", "load_id", "user_dir", "host":
			case "deleted_at":
				where = " WHERE deleted_at IS NULL"
			default:
				columns = append(columns, fmt.Sprintf("%q", c.Name))
			}
		}
		parts = append(parts, fmt.Sprintf("SELECT '%s', CAST(to_json(t) AS VARCHAR) FROM (SELECT %s FROM %s%s) t", t.Name, strings.Join(columns, ", "), t.Name, where))
	}
	return held{
		rows:    e.ask(strings.Join(parts, " UNION ALL ") + " ORDER BY ALL"),
		columns: e.ask(`SELECT table_name, column_name, column_index, data_type, is_nullable, comment FROM duckdb_columns() WHERE NOT internal ORDER BY ALL`),
		// The engine changes the places of the names that EXCLUDE lists: the words of a text are compared.
		objects: e.ask(`SELECT table_name, '', comment FROM duckdb_tables() UNION ALL SELECT view_name, array_to_string(list_sort(string_split_regex(sql, '[\s,()]+')), ' '), comment FROM duckdb_views() WHERE NOT internal
			UNION ALL SELECT function_name, array_to_string(list_sort(string_split_regex(macro_definition, '[\s,()]+')), ' '), comment FROM duckdb_functions() WHERE NOT internal ORDER BY ALL`),
	}
}

// TestEarlierVersions: a run brings a warehouse of an earlier version up to date. What the store still holds is then as a first load of today has it,
// what it no longer holds is as it was, and everything that reads a warehouse works on it.
func TestEarlierVersions(t *testing.T) {
	t.Parallel()
	store := readEarlierStore(t)
	fresh := &earlier{cliTest: newCLITest(t)}
	store.write(t, fresh.user, store.states())
	fresh.run(0, "--quiet")
	want := fresh.holds()
	first := 1
	if testing.Short() { // make test-all takes all of them
		first = schema.Version - 1
	}
	for version := first; version < schema.Version; version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			e := newEarlier(t, fresh.user, version)
			release := func() {}
			switch version {
			case 1:
				e.isForeseen()
				e.refusesReaders()
			case 2:
				release = hold(t, e.warehouse)
			}
			e.migrates(want)
			release()
			e.keepsDeleted()
			e.isQuiet()
			if version == 1 {
				e.answers()
				e.rebuilds(want)
				e.refusesNewer()
			}
		})
	}
}

// TestOldNames: a warehouse that had views in schema main keeps their names for one version, for queries that people have; a new warehouse has only today's.
func TestOldNames(t *testing.T) {
	t.Parallel()
	user := earlierUser(t)
	e := newEarlier(t, user, 6)
	e.must(execDuckDB(e.warehouse, `CREATE VIEW tool_usage AS SELECT 1 AS calls; CREATE VIEW report_hours AS SELECT 1 AS hour; CREATE VIEW mine AS SELECT 7 AS seven`))
	e.run(0)
	e.run(0, "--full")
	for old, today := range map[string]string{"main.tool_usage": "answers.tool_usage", "main.report_hours": "report.hours"} {
		e.same(old, e.ask("SELECT column_name, column_type FROM (DESCRIBE "+today+")"), e.ask("SELECT column_name, column_type FROM (DESCRIBE "+old+")"))
		e.same(old, e.ask("FROM "+today+" ORDER BY ALL"), e.ask("FROM "+old+" ORDER BY ALL"))
	}
	e.same("the views in main", [][]string{{"mine", ""}, {"report_hours", "Old name of report.hours, kept for one version."}, {"tool_usage", "Old name of answers.tool_usage, kept for one version."}},
		e.ask(`SELECT view_name, coalesce(comment, '') FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal AND (comment LIKE 'Old name%' OR comment IS NULL) ORDER BY ALL`))
}

// refusesReaders: before a run, whatever reads tables says what to do.
func (e *earlier) refusesReaders() {
	e.t.Helper()
	for _, args := range [][]string{{"status"}, {"show", "alpha"}, {"answers", "tool_failures"}, {"report", "-o", filepath.Join(e.dir, "r.html")}, {"check"}, {"check", "--deep"},
		{"search", "question"}, {"export", "conversations", "--format", "markdown", "--out", filepath.Join(e.dir, "chats")}, {"export", "parquet", filepath.Join(e.dir, "early")},
		{"prune", "--apply"}, {"prune", "--retention", "1d", "--apply"}} {
		_, said := e.does(exitFailed, append(slices.Clone(args), "--warehouse", e.warehouse)...)
		if want := fmt.Sprintf("has schema version %d, this tool reads %d: 'pipeline run' brings it up to date", e.version, schema.Version); !strings.Contains(said, want) {
			e.t.Errorf("%v says %q, want %q", args, said, want)
		}
	}
	if out, _ := e.does(0, "sql", "--warehouse", e.warehouse, "--format", "csv", "SELECT value FROM _meta WHERE key = 'schema_version'"); !strings.Contains(out, fmt.Sprint(e.version)) {
		e.t.Errorf("one's own query gets %q", out)
	}
}

// isForeseen: a dry run and doctor say what a run would do, and change nothing.
func (e *earlier) isForeseen() {
	e.t.Helper()
	bytes := e.sum(e.warehouse)
	out, said := e.run(0, "--dry-run")
	if want := fmt.Sprintf("a run would first bring the warehouse from schema version %d to %d, and keep a copy of the old one in %s", e.version, schema.Version, e.copy); !strings.Contains(said, want) {
		e.t.Errorf("a dry run says %q, want %q", said, want)
	}
	if want := "0 new, 0 changed, 1 deleted, 0 unchanged, 3 read again"; !strings.Contains(out, want) { // alpha, delta, and what is left of lost; gamma is gone
		e.t.Errorf("a dry run foresees %s, want %s", out, want)
	}
	out, _ = e.does(0, "doctor", "--source", "old="+e.user, "--warehouse", e.warehouse)
	if want := fmt.Sprintf("Its schema version is %d: the next run brings it to %d", e.version, schema.Version); !strings.Contains(out, want) {
		e.t.Errorf("doctor prints %s, want %s", out, want)
	}
	if e.sum(e.warehouse) != bytes {
		e.t.Error("the warehouse was changed")
	}
	if _, err := os.Stat(e.copy); err == nil {
		e.t.Error("a copy was made")
	}
}

// sum tells whether a file is changed.
func (e *earlier) sum(file string) string {
	e.t.Helper()
	b, err := os.ReadFile(file)
	e.must(err)
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

// migrates: a run does what it says, and everything that the store holds is as a first load has it.
func (e *earlier) migrates(want held) {
	e.t.Helper()
	out, said := e.run(0, "--parquet", filepath.Join(e.dir, "parquet"))
	if want := fmt.Sprintf("brought the warehouse from schema version %d to %d; a copy of the old one is in %s", e.version, schema.Version, e.copy); !strings.Contains(said, want) {
		e.t.Errorf("the run says %q, want %q", said, want)
	}
	rows := 4 // beta and its two messages, and one of alpha
	if e.version >= 6 {
		rows++ // the place of beta
	}
	if want := fmt.Sprintf("filled from its raw layer first, also in %d rows that this run does not read again", rows); !strings.Contains(said, want) {
		e.t.Errorf("the run says %q, want %q", said, want)
	}
	if want := "0 new, 0 changed, 1 deleted, 3 unchanged"; !strings.Contains(out, want) {
		e.t.Errorf("the run prints %s, want %s", out, want)
	}
	if info, err := os.Stat(e.copy); err != nil || info.Mode().Perm() != 0o600 {
		e.t.Errorf("the copy: %v, %v", info, err)
	}
	e.same("the copy", e.before, e.tables(e.copy))
	e.same("what the warehouse holds", want, e.holds())
	e.same("the sizes of kept versions", [][]string{}, append([][]string{}, e.ask(`SELECT key, value_bytes, is_mark FROM internal._known_rows WHERE (value_bytes > 0) = is_mark`)...))
	e.same("the size of a message", [][]string{{fmt.Sprint(len(`{"_v":2,"bubbleId":"b1","text":"Second question"}`))}},
		e.ask(`SELECT value_bytes FROM internal._known_rows WHERE key = 'bubbleId:beta:b1' AND NOT is_mark`))
}

// keepsDeleted: what the second load found gone is as it was; what only this one finds gone is marked. New columns are filled in both, from the raw layer.
func (e *earlier) keepsDeleted() {
	e.t.Helper()
	e.same("deleted messages", [][]string{
		{"a4", "Deleted between the loads", "2", "9000"}, {"b1", "Second question", "2", "NULL"},
		{"b2", "Reply", "2", "45000"}, {"g1", "Two hours later", "3", "NULL"},
	}, e.ask(`SELECT message_id, text, load_id, turn_duration_ms FROM messages JOIN loads ON started_at = deleted_at ORDER BY message_id`))
	e.same("deleted conversations", [][]string{{"beta", "2"}, {"gamma", "3"}},
		e.ask(`SELECT conversation_id, load_id FROM conversations JOIN loads ON started_at = deleted_at ORDER BY 1`))
	e.same("when they were first seen", [][]string{{"1"}}, e.ask(`SELECT DISTINCT load_id FROM conversations JOIN loads ON started_at = first_seen_at`))
}

// TestMigrationKeepsWhatRawLacks: where the raw layer does not hold all of an earlier warehouse, or is not used, a run leaves the rows that it does not read
// as they are, but for what follows from other columns of them, and says why. A rebuild refuses.
func TestMigrationKeepsWhatRawLacks(t *testing.T) {
	t.Parallel()
	user := earlierUser(t)
	const added = `INSERT INTO messages BY NAME SELECT * REPLACE ('by hand' AS message_id, 'Said here alone' AS text) FROM messages WHERE message_id = 'a4';
		INSERT INTO tool_calls BY NAME SELECT t.* REPLACE ('a4' AS message_id, 'call ' || n.nth AS tool_call_id, NULL AS position, m.deleted_at AS deleted_at, n.nth AS call_index, n.status AS status, n.result AS result, true AS is_error)
		FROM tool_calls t, messages m, (VALUES (0, 'completed', '{"rejected":true}'), (1, 'completed', '{"exitCode":2}'), (2, 'cancelled', '{}'), (3, 'success', '{"exitCodeV2":0}')) n(nth, status, result)
		WHERE t.message_id = 'a3' AND m.message_id = 'a4'`
	for name, test := range map[string]struct {
		args []string
		said string
	}{
		"rows more":         {nil, "the raw layer lacks what the warehouse holds (messages: 1, tool_calls: 4)"},
		"without raw layer": {[]string{"--no-raw"}, "this run does not use it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEarlier(t, user, 2)
			e.must(execDuckDB(e.warehouse, added))
			_, said := e.run(0, test.args...)
			if !strings.Contains(said, "It stays empty in 9 other rows, as these cannot be filled from the raw layer: "+test.said) {
				t.Errorf("the run says %q, want %q", said, test.said)
			}
			e.same("deleted messages", [][]string{{"a4", "NULL"}, {"b1", "NULL"}, {"b2", "NULL"}, {"by hand", "NULL"}, {"g1", "NULL"}},
				e.ask(`SELECT message_id, turn_duration_ms FROM messages WHERE deleted_at IS NOT NULL ORDER BY 1`))
			e.same("outcomes of deleted calls", [][]string{{"0", "NULL", "rejected", "NULL"}, {"1", "true", "NULL", "2"}, {"2", "NULL", "NULL", "NULL"}, {"3", "false", "NULL", "0"}},
				e.ask(`SELECT call_index, is_error, user_decision, exit_code FROM tool_calls WHERE message_id = 'a4' ORDER BY 1`))
			e.same("titles", [][]string{{"beta", "Beta, deleted between the loads"}}, e.ask(`SELECT conversation_id, display_title FROM conversations WHERE conversation_id = 'beta'`))
			if test.args == nil {
				if _, said := e.does(exitUsage, "rebuild", "--warehouse", e.warehouse); !strings.Contains(said, "use --force") {
					t.Errorf("rebuild says %q", said)
				}
			}
			e.run(0)
		})
	}
}

// TestMigrationOfFewerMessages: messages and calls that this version does not make any more are no gap in the raw layer: those that say nothing, and those that say what others do.
func TestMigrationOfFewerMessages(t *testing.T) {
	t.Parallel()
	user := earlierUser(t)
	e := newEarlier(t, user, 2)
	e.must(execDuckDB(e.warehouse, `INSERT INTO messages BY NAME SELECT * REPLACE ('placeholder' AS message_id, ' ' AS text) FROM messages WHERE message_id = 'a4';
		INSERT INTO messages BY NAME SELECT * REPLACE ('graph:again' AS message_id) FROM messages WHERE message_id = 'a4';
		INSERT INTO tool_calls BY NAME SELECT t.* REPLACE ('placeholder' AS message_id, NULL AS tool_call_id, NULL AS params, NULL AS result, NULL AS position, m.deleted_at AS deleted_at)
		FROM tool_calls t, messages m WHERE t.message_id = 'a3' AND m.message_id = 'a4';
		INSERT INTO tool_calls BY NAME SELECT t.* REPLACE ('graph:again' AS message_id, NULL AS position, m.deleted_at AS deleted_at)
		FROM tool_calls t, messages m WHERE t.message_id = 'a3' AND m.message_id = 'a4'`))
	if _, said := e.run(0); strings.Contains(said, "stays empty") {
		t.Errorf("the run says %q", said)
	}
	e.keepsDeleted()
	e.isQuiet()
}

// TestMigrationOfOtherSources: what is new is filled in rows of a source that the migrating run does not read, too, and in a run over some conversations. What a
// user has made in the file stays, and so does what runs have noted.
func TestMigrationOfOtherSources(t *testing.T) {
	t.Parallel()
	store := readEarlierStore(t)
	user := filepath.Join(t.TempDir(), "User")
	store.write(t, user, 2) // as the last load saw it: nothing but beta and a message of alpha is gone
	for name, args := range map[string][]string{
		"another source":     {"--source", "new=" + filepath.Join(t.TempDir(), "other")},
		"some conversations": {"--source", "old=" + user, "--since", "2030-01-01"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEarlier(t, user, 5)
			if name == "another source" {
				store.write(t, strings.TrimPrefix(args[1], "new="), 1)
			}
			e.must(execDuckDB(e.warehouse, `CREATE VIEW mine AS SELECT count(*) AS n FROM messages; CREATE MACRO my_sum(a, b := 2) AS a + b; CREATE TABLE notes AS SELECT 'mine' AS note;
				INSERT INTO loads SELECT * REPLACE (3 AS load_id) FROM loads WHERE load_id = 2`))
			e.does(0, append([]string{"run", "--warehouse", e.warehouse}, args...)...)
			e.same("turns of messages", [][]string{{"a2", "61000"}, {"a4", "9000"}, {"b2", "45000"}},
				e.ask(`SELECT message_id, turn_duration_ms FROM messages WHERE source_id = 'old' AND turn_duration_ms IS NOT NULL ORDER BY ALL`))
			e.same("titles", [][]string{{"alpha", "Alpha"}, {"beta", "Beta, deleted between the loads"}, {"delta", "Delta, a subagent"}, {"gamma", "Gamma, deleted after the loads"}},
				e.ask(`SELECT conversation_id, display_title FROM conversations WHERE source_id = 'old' AND display_title IS NOT NULL ORDER BY ALL`))
			e.same("what is the user's", [][]string{{"true", "42", "mine"}}, e.ask(`SELECT n > 8, my_sum(40), note FROM mine, notes`))
			e.same("loads", [][]string{{"1"}, {"2"}, {"3"}, {"4"}}, e.ask(`SELECT load_id FROM loads ORDER BY ALL`))
			e.same("by whom", [][]string{{"0"}}, e.ask(`SELECT count(*) FROM loads WHERE mode = 'rebuild'`))
			e.does(0, append([]string{"run", "--warehouse", e.warehouse}, args...)...)
			e.does(0, "check", "--warehouse", e.warehouse)
		})
	}
}

// isQuiet: the next run has nothing to do, as everything is known by this version.
func (e *earlier) isQuiet() {
	e.t.Helper()
	out, said := e.run(0)
	if want := "0 new, 0 changed, 0 deleted, 3 unchanged"; !strings.Contains(out, want) || amiss(said) != "" {
		e.t.Errorf("the second run prints %s and says %q, want %s", out, said, want)
	}
	e.same("what is known by another version", [][]string(nil), e.ask(fmt.Sprintf(`SELECT * FROM internal._known_conversations WHERE transform_version <> %d AND conversation_id NOT IN ('(shared)', '(kept:agentKv:artifact)')`, transform.Version)))
}

// answers: what asks the warehouse gets an answer.
func (e *earlier) answers() {
	e.t.Helper()
	for _, asked := range []struct {
		args []string
		want string
	}{
		{[]string{"status"}, "load 4"},
		{[]string{"show", "alpha", "--no-pager"}, "An answer"},
		{[]string{"search", "second", "question", "--deleted"}, "beta"},
		{[]string{"history", "bubbleId:alpha:a4"}, "gone"},
		{[]string{"answers", "context_breakdown"}, "System prompt"},
		{[]string{"sql", "--format", "csv", "SELECT turn_duration_ms FROM live_messages WHERE message_id = 'a2'"}, "61000"},
		{[]string{"check", "--deep", "--source", "old=" + e.user, "--parquet", filepath.Join(e.dir, "parquet")}, "all is well"},
		{[]string{"doctor", "--source", "old=" + e.user}, fmt.Sprintf("schema version %d", schema.Version)},
	} {
		if out, _ := e.does(0, append(asked.args, "--warehouse", e.warehouse)...); !strings.Contains(out, asked.want) {
			e.t.Errorf("%v prints %s, want %s", asked.args, out, asked.want)
		}
	}
}

// rebuilds: out of the raw layer, whose first files are of the earlier version, comes the same, and new columns are filled of what is deleted too.
func (e *earlier) rebuilds(want held) {
	e.t.Helper()
	e.does(0, "rebuild", "--warehouse", e.warehouse)
	e.same("what the warehouse that was made anew holds", want, e.holds())
	e.same("turns of deleted messages", [][]string{{"a4", "9000"}, {"b2", "45000"}},
		e.ask(`SELECT message_id, turn_duration_ms FROM messages WHERE deleted_at IS NOT NULL AND turn_duration_ms IS NOT NULL ORDER BY ALL`))
}

// refusesNewer: a warehouse of a later version is left alone.
func (e *earlier) refusesNewer() {
	e.t.Helper()
	e.must(execDuckDB(e.warehouse, fmt.Sprintf(`UPDATE internal._meta SET value = '%d' WHERE key = 'schema_version'`, schema.Version+1)))
	bytes := e.sum(e.warehouse)
	for _, args := range [][]string{{"run", "--source", "old=" + e.user}, {"run", "--dry-run", "--source", "old=" + e.user}, {"status"}, {"check", "--deep"}} {
		_, said := e.does(exitFailed, append(slices.Clone(args), "--warehouse", e.warehouse)...)
		if want := fmt.Sprintf("has schema version %d, this tool knows %d: use the version of the tool that wrote it", schema.Version+1, schema.Version); !strings.Contains(said, want) {
			e.t.Errorf("%v says %q, want %q", args, said, want)
		}
	}
	if e.sum(e.warehouse) != bytes {
		e.t.Error("a warehouse of a later version was changed")
	}
}
