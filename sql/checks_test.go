package sql

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"pipeline/sql/schema"
)

// breaks holds for each check statements that break a sound warehouse (testdata/models/views) in the ways that it must
// find. keys_unique, no_empty_texts and no_negative_figures are broken column by column below.
var breaks = map[string][]string{
	"activity_period_figures": {
		"DELETE FROM activity_periods",
		"UPDATE activity_periods SET message_count = message_count + 1",
		"UPDATE activity_periods SET user_message_count = 0",
		"INSERT INTO activity_periods SELECT 'x', source_id, 'file:///none', project, started_at, ended_at, 0, 1, 1, " +
			"1, 0 FROM activity_periods LIMIT 1",
		"INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, copies) VALUES " +
			"('s1', 'c2', 's2', false, 2)",
	},
	"activity_periods_apart": {
		"UPDATE activity_periods SET ended_at = started_at - INTERVAL 1 SECOND",
		"INSERT INTO activity_periods SELECT 'x', source_id, project_uri, project, ended_at + INTERVAL 30 MINUTE, " +
			"ended_at + INTERVAL 30 MINUTE, 0, 1, 1, 1, 0 FROM activity_periods LIMIT 1",
	},
	"allowed_values": {
		"UPDATE conversations SET format = 'row'",
		"UPDATE conversations SET project_source = 'guess'",
		"UPDATE messages SET role = 'ai'",
		"UPDATE messages SET kind = 'image'",
		"UPDATE messages SET created_at_source = 'guess'",
		"UPDATE tool_calls SET tool_kind = 'write'",
		"UPDATE attachments SET kind = 'x'",
		"INSERT INTO workspaces (workspace_id, kind) VALUES ('w', 'cloud')",
		"INSERT INTO prompts (source_id, workspace_id, prompt_id, kind) VALUES ('s1', '', 'p', 'x')",
		"UPDATE loads SET status = 'good'",
		"UPDATE loads SET mode = 'some'",
		"INSERT INTO key_families VALUES (1, 's1', 'global', 'bubbleId', 1, 0, 1, 'kept')",
		"INSERT INTO quarantine (source_id, store, value_hash, load_id, family, reason, value_type, value_bytes) " +
			"VALUES ('s1', 'global', 'h', 1, 'f', 'odd', 'text', 1)",
		"UPDATE _subagent_claims SET rank = 6",
		"INSERT INTO usage_events (event_id, is_counted, origin, join_method, file, load_id) VALUES ('e', true, " +
			"'csv', 'guess', 'f', 1)",
		"INSERT INTO usage_events (event_id, is_counted, origin, join_method, kind, file, load_id) VALUES ('e', " +
			"true, 'csv', 'none', 'Included', 'f', 1)",
		"INSERT INTO commit_files (repository_id, commit_hash, path, status) VALUES ('r', 'h', 'p', 'M')",
	},
	"attachment_ordinals": {
		"UPDATE attachments SET ordinal = 2 WHERE ordinal = 1",
		"UPDATE attachments SET ordinal = 1 WHERE message_id IS NULL",
	},
	"attachments_have_message": {"UPDATE attachments SET message_id = 'none' WHERE message_id = 'm0'"},
	"commit_links": {
		"INSERT INTO conversation_commits SELECT source_id, conversation_id, 'r', 'none', 's1', created_at, NULL, 0, " +
			"0, 0, NULL FROM conversations LIMIT 1",
		"INSERT INTO repositories (repository_id, project_uri) VALUES ('r', 'file:///a'); INSERT INTO commits " +
			"(repository_id, commit_hash) VALUES ('r', 'h'); INSERT INTO conversation_commits VALUES ('s1', 'none', " +
			"'r', 'h', 's1', '2025-03-10 09:00:00+00', NULL, 0, 0, 0, NULL)",
		"INSERT INTO commits (repository_id, commit_hash, files_changed) VALUES ('r', 'h', 2); INSERT INTO " +
			"conversation_commits SELECT source_id, conversation_id, 'r', 'h', 's1', created_at, NULL, 1, 2, 0, 0.5 " +
			"FROM conversations WHERE created_at IS NOT NULL LIMIT 1",
		"INSERT INTO commits (repository_id, commit_hash, files_changed) VALUES ('r', 'h', 2)",
	},
	"load_elements": {
		"INSERT INTO load_elements VALUES (1, 's1', '', 'composerData', 'conversation', 3, 2, 0, 0, 0)",
		"INSERT INTO load_elements VALUES (2, 's1', 'global', 'aiService.prompts', '[]', 3, 4, 0, 0, 0)",
	},
	"conversation_copies": {
		"INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, copies) VALUES " +
			"('s1', 'c1', 's1', true, 1)",
		"INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, copies) VALUES " +
			"('s1', 'c1', 's1', true, 2), ('s2', 'c1', 's1', false, 2)",
		uuidInTwo,
		uuidInTwo + "INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, " +
			"copies) SELECT source_id, conversation_id, 's1', source_id = 's1', 3 FROM conversations WHERE " +
			"conversation_id LIKE '9e11e2aa%'",
		uuidInTwo + "INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, " +
			"copies) SELECT source_id, conversation_id, 's1', true, 2 FROM conversations WHERE conversation_id LIKE " +
			"'9e11e2aa%'",
		uuidInTwo + "INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, " +
			"copies) SELECT source_id, conversation_id, source_id, true, 1 FROM conversations WHERE conversation_id " +
			"LIKE '9e11e2aa%'",
		uuidInTwo + "INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, " +
			"copies) SELECT source_id, conversation_id, 's3', false, 2 FROM conversations WHERE conversation_id LIKE " +
			"'9e11e2aa%'",
		uuidInTwo + "INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, " +
			"copies) SELECT source_id, conversation_id, 's1', source_id = 's1', 2 FROM conversations WHERE " +
			"conversation_id LIKE '9e11e2aa%';UPDATE conversations SET deleted_at = created_at WHERE source_id = 's1'",
		"INSERT INTO conversation_copies VALUES ('s1', 'c1', 's1', false, 1, 'c2')", // no cloud agent
		"UPDATE conversations SET store_kind = 'cloud' WHERE conversation_id = 'c1'; INSERT INTO conversation_copies " +
			"VALUES ('s1', 'c1', 's1', true, 1, 'c2')",
		"UPDATE conversations SET store_kind = 'cloud' WHERE conversation_id = 'c1'; INSERT INTO conversation_copies " +
			"VALUES ('s1', 'c1', 's1', false, 1, 'none')",
		"INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, copies) VALUES " +
			"('s1', 'none', 's1', true, 2), ('s2', 'none', 's1', false, 2)",
	},
	"conversation_figures": {
		"UPDATE conversations SET message_count = message_count + 1 WHERE conversation_id = 'c3 empty'",
		"UPDATE conversations SET user_message_count = 0",
		"UPDATE conversations SET assistant_message_count = 0",
		"UPDATE conversations SET tool_call_count = 9",
		"UPDATE conversations SET unlisted_message_count = 0",
		"UPDATE conversations SET first_message_at = NULL",
		"UPDATE conversations SET last_message_at = created_at WHERE source_id = 's1' AND conversation_id = 'c1'",
		"UPDATE conversations SET last_activity_at = created_at WHERE source_id = 's1' AND conversation_id = 'c1'",
		"UPDATE conversations SET input_tokens = 11 WHERE input_tokens = 10",
		"UPDATE conversations SET output_tokens = 0 WHERE conversation_id = 'c2'",
	},
	"conversation_projects": {
		"UPDATE conversations SET project_source = NULL",
		"UPDATE conversations SET project = 'web' WHERE conversation_id = 'c2'",
		"UPDATE conversations SET project_source = 'parent' WHERE conversation_id = 'c1'",
	},
	"conversations_are_known":   {"DELETE FROM _owners WHERE id = 'c2'"},
	"conversations_have_source": {"DELETE FROM sources WHERE source_id = 's2'"},
	"deleted_rows_have_no_position": {
		"UPDATE messages SET position = 8 WHERE message_id = 'm8 deleted'",
		"UPDATE tool_calls SET position = 8 WHERE message_id = 'm8 deleted'",
	},
	"json_valid": {
		"ALTER TABLE messages ALTER extra TYPE VARCHAR; UPDATE messages SET extra = '{' WHERE message_id = 'm1'",
		"ALTER TABLE tool_calls ALTER params TYPE VARCHAR; UPDATE tool_calls SET params = '{\"a\":}' WHERE params IS " +
			"NOT NULL",
		"ALTER TABLE tool_calls ALTER result TYPE VARCHAR; UPDATE tool_calls SET result = 'plain text' WHERE " +
			"call_index = 1",
		"ALTER TABLE attachments ALTER detail TYPE VARCHAR; UPDATE attachments SET detail = ''",
		"ALTER TABLE checkpoints ALTER files TYPE VARCHAR; UPDATE checkpoints SET files = '[1,'",
		"ALTER TABLE conversation_notes ALTER bullets TYPE VARCHAR; INSERT INTO conversation_notes (conversation_id, " +
			"bullets) VALUES ('c1', 'plain text')",
	},
	"load_ids_consecutive": {"UPDATE loads SET load_id = 3 WHERE load_id = 2"},
	"message_kinds": {
		"UPDATE messages SET kind = 'text' WHERE message_id = 'm2'",
		"UPDATE messages SET kind = 'tool_call' WHERE message_id = 'm3'",
		"UPDATE messages SET text = NULL WHERE message_id = 'm3'",
	},
	"message_positions": {
		"UPDATE messages SET position = NULL WHERE message_id = 'm3'",
		"UPDATE messages SET position = 2 WHERE message_id = 'm3'",
		"UPDATE messages SET position = position + 1 WHERE conversation_id = 'c2'",
		"UPDATE messages SET position = 8 WHERE message_id = 'm3'",
		"UPDATE messages SET is_listed = false WHERE message_id = 'm3'",
	},
	"message_time_sources": {
		"UPDATE messages SET created_at_source = NULL WHERE message_id = 'm3'",
		"UPDATE messages SET created_at = NULL WHERE message_id = 'm3'",
	},
	"message_tokens": {"UPDATE messages SET input_tokens = 0, output_tokens = 0 WHERE message_id = 'm3'"},
	"message_turns": {
		"UPDATE messages SET turn = 2 WHERE message_id = 'm3'",
		"UPDATE messages SET turn = NULL WHERE message_id = 'm3'",
	},
	"messages_have_conversation": {
		"DELETE FROM conversations WHERE conversation_id = 'c2'",
		"UPDATE messages SET source_id = 's2' WHERE conversation_id = 'c2'",
	},
	"forks": {
		"UPDATE conversations SET forked_from = 'c2' WHERE conversation_id = 'c1'",
		"UPDATE messages SET is_repeat = true WHERE message_id = 'm3'",
		"UPDATE messages SET is_repeat = true WHERE message_id = 'm3'; UPDATE conversations SET forked_from = 'none' " +
			"WHERE conversation_id = 'c1'",
		"UPDATE messages SET is_repeat = true WHERE message_id = 'm3'; UPDATE conversations SET forked_from = 'c1' " +
			"WHERE conversation_id = 'c1'",
		"UPDATE messages SET is_repeat = true WHERE message_id = 'm3'; UPDATE conversations SET forked_from = 'c2', " +
			"best_of_parent_id = 'c2' WHERE conversation_id = 'c1'",
		"UPDATE conversations SET best_of_parent_id = 'c1' WHERE conversation_id = 'c1'",
		"UPDATE conversations SET best_of_parent_id = 'c1' WHERE conversation_id = 'sub'",
	},
	"session_figures": {
		"UPDATE sessions SET conversation_count = conversation_count + 1",
		"UPDATE sessions SET message_count = 0",
		"UPDATE sessions SET user_message_count = 0",
		"UPDATE sessions SET tool_call_count = 7",
		"UPDATE sessions SET started_at = started_at - INTERVAL 1 SECOND",
		"UPDATE sessions SET ended_at = ended_at + INTERVAL 1 SECOND",
		"UPDATE conversations SET session_id = NULL WHERE conversation_id = 'c2'",
	},
	"session_membership": {
		"UPDATE conversations SET session_id = NULL WHERE conversation_id = 'c2'",
		"UPDATE conversations SET session_id = 'none' WHERE conversation_id = 'c2'",
		"UPDATE conversations SET session_id = (SELECT min(session_id) FROM sessions) WHERE conversation_id = 'orphan'",
		"UPDATE conversations SET session_id = (SELECT min(session_id) FROM sessions) WHERE conversation_id = " +
			"'deleted'",
		"UPDATE conversations SET missing_message_count = 0, message_count = 0 WHERE conversation_id = 'c2'",
		"UPDATE conversations SET project_uri = 'file:///b' WHERE conversation_id = 'c2'",
		"INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, copies) VALUES " +
			"('s1', 'c2', 's2', false, 2)",
	},
	"subagents": {
		"UPDATE conversations SET is_subagent = true WHERE conversation_id = 'c2'",
		"UPDATE conversations SET is_subagent = false, parent_conversation_id = NULL",
		"UPDATE conversations SET parent_conversation_id = 'c1' WHERE conversation_id = 'c2'",
		"UPDATE conversations SET parent_conversation_id = 'sub' WHERE conversation_id = 'sub'",
	},
	"times_plausible": {
		"UPDATE conversations SET updated_at = '2014-12-31 23:59:59.999+00'",
		"UPDATE conversations SET created_at = '2100-01-01 00:00:00+00'",
		"UPDATE messages SET created_at = '2014-12-31 23:59:59.999+00' WHERE message_id = 'm3'",
		"UPDATE messages SET created_at = '2100-01-01 00:00:00+00' WHERE message_id = 'm3'",
		"UPDATE tool_calls SET started_at = '2100-01-01 00:00:00+00'",
		"UPDATE code_edits SET created_at = '1970-01-01 00:00:00+00'",
		"INSERT INTO prompts (source_id, workspace_id, prompt_id, kind, created_at) VALUES ('s1', '', 'p', 'prompt', " +
			"'1970-01-01 00:00:00+00')",
		"UPDATE sessions SET started_at = '1970-01-01 00:00:00+00'",
		"UPDATE activity_periods SET ended_at = '2100-01-01 00:00:00+00'",
		"INSERT INTO commits (repository_id, commit_hash, authored_at) VALUES ('r', 'h', '1970-01-01 00:00:00+00')",
		"INSERT INTO usage_records (event_id, occurred_at) VALUES ('e', '2100-01-01 00:00:00+00')",
		"INSERT INTO plans (plan_id, updated_at) VALUES ('p', '1970-01-01 00:00:00+00')",
		"INSERT INTO conversation_notes (conversation_id, updated_at) VALUES ('c1', '1970-01-01 00:00:00+00')",
	},
	"tool_call_outcomes": {
		"UPDATE tool_calls SET is_error = NULL WHERE status = 'completed'",
		"UPDATE tool_calls SET is_error = false WHERE status = 'loading'",
		"UPDATE tool_calls SET error = 'no such file' WHERE status = 'completed'",
		"UPDATE tool_calls SET outcome = 'pending', is_error = NULL WHERE status = 'completed'",
		"UPDATE tool_calls SET user_decision = 'rejected' WHERE status = 'completed'",
		"UPDATE tool_calls SET outcome = 'error' WHERE status = 'completed'",
	},
	"tool_call_numbers": {
		"UPDATE tool_calls SET call_index = call_index + 1 WHERE message_id = 'm2'",
		"UPDATE tool_calls SET call_index = 2 WHERE message_id = 'm2' AND call_index = 1",
	},
	"tool_calls_have_message": {
		"UPDATE tool_calls SET position = 3 WHERE message_id = 'm2'",
		"UPDATE tool_calls SET position = NULL WHERE message_id = 'm2'",
		"DELETE FROM messages WHERE message_id = 'm2'",
		"UPDATE messages SET deleted_at = created_at WHERE message_id = 'm2'",
	},
}

// uuidInTwo gives a conversation that two sources have an id with a UUID.
const uuidInTwo = "UPDATE conversations SET conversation_id = '9e11e2aa-b63c-4143-8b84-c8f8ffdea6c9' WHERE " +
	"conversation_id = 'c1';"

// soundWarehouse returns a warehouse in which every check passes.
func soundWarehouse(t *testing.T) *warehouse {
	t.Helper()
	w := newWarehouse(t)
	w.exec(t, readFile(t, "../testdata/models/views/given.sql"))
	w.everythingChanged(t)
	w.runModels(t)
	return w
}

func TestChecksPassOnSoundWarehouse(t *testing.T) {
	t.Parallel()
	w := soundWarehouse(t)
	for _, f := range Checks() {
		if got := w.rows(t, f.SQL); len(got) > 0 {
			t.Errorf("check %s finds in a sound warehouse:\n%s", f.Name, strings.Join(got, "\n"))
		}
	}
}

func TestChecksFindWhatIsBroken(t *testing.T) {
	t.Parallel()
	w := soundWarehouse(t)
	byColumn := map[string]bool{"keys_unique": true, "no_empty_texts": true, "no_negative_figures": true}
	for _, f := range Checks() {
		if len(breaks[f.Name]) == 0 && !byColumn[f.Name] {
			t.Errorf("check %s: no statement breaks it", f.Name)
		}
		for _, statement := range breaks[f.Name] {
			on := w
			if strings.HasPrefix(statement, "ALTER") {
				on = soundWarehouse(t) // a column's type is not changed and its rows updated in one transaction
			} else {
				w.exec(t, "BEGIN")
			}
			on.exec(t, statement)
			if got := on.rows(t, f.SQL); len(got) == 0 {
				t.Errorf("check %s does not see: %s", f.Name, statement)
			}
			if on == w {
				w.exec(t, "ROLLBACK")
			}
		}
	}
	for name := range breaks {
		checkNamed(t, name)
	}
}

// value returns an SQL literal of a type.
func value(columnType string) string {
	switch columnType {
	case "BIGINT", "DOUBLE":
		return "1"
	case "BOOLEAN":
		return "false"
	case "TIMESTAMPTZ":
		return "'2025-03-10 09:00:00+00'"
	case "DATE":
		return "'2025-03-10'"
	case "JSON":
		return "'{}'"
	case "BLOB":
		return "'x'::BLOB"
	}
	return "'x'"
}

// insert returns a statement that inserts a row with some value in every column, and the given literal in one.
func insert(table schema.Table, column, literal string) string {
	var values []string
	for _, c := range table.Columns {
		v := value(c.Type)
		if c.Name == column {
			v = literal
		}
		values = append(values, v)
	}
	return fmt.Sprintf("INSERT INTO %s VALUES (%s)", table.Name, strings.Join(values, ", "))
}

// TestKeysUnique writes rows that differ in one column each: in a column of the key, then in any other.
func TestKeysUnique(t *testing.T) {
	t.Parallel()
	check := checkNamed(t, "keys_unique").SQL
	other := map[string]string{"VARCHAR": "'y'", "BIGINT": "2", "DATE": "'2025-03-11'",
		"TIMESTAMPTZ": "'2025-03-11 09:00:00+00'", "JSON": "'[]'", "BLOB": "'y'::BLOB", "BOOLEAN": "true",
		"DOUBLE": "2"}
	for _, inKey := range []bool{true, false} {
		w := newWarehouse(t)
		var want []string
		for _, table := range schema.Tables() {
			w.exec(t, insert(table, "", ""))
			rows := 1
			for _, c := range table.Columns {
				if c.Key == inKey {
					w.exec(t, insert(table, c.Name, other[c.Type]))
					rows++
				}
			}
			if !inKey && rows > 1 {
				want = append(want, fmt.Sprintf("%s: %d rows", table.Name, rows))
			}
		}
		w.suspects(t, w.rows(t, TablesWithRows()), want)
		got := w.rows(t, "SELECT table_name || ': ' || problem FROM ("+
			strings.TrimSuffix(strings.TrimSpace(check), ";")+") ORDER BY ALL")
		slices.Sort(want)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("rows that differ in columns of the key: %v (-want +got)\n%s", inKey, diff)
		}
	}
}

// suspects wants the suspects among some tables to be those with which the findings of a check begin.
func (w *warehouse) suspects(t *testing.T, among, findings []string) {
	t.Helper()
	tables := map[string]bool{}
	for _, name := range among {
		tables[name] = true
	}
	var want []string
	for _, finding := range findings {
		name, _, _ := strings.Cut(finding, ":")
		want = append(want, name)
	}
	got := w.rows(t, "SELECT DISTINCT table_name FROM ("+Suspects(tables)+") ORDER BY ALL")
	slices.Sort(want)
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("suspects (-want +got)\n%s", diff)
	}
}

// columnCheck writes for each column that is meant one row with the bad value and one with the good one, and wants the
// bad ones found.
func columnCheck(t *testing.T, check, bad, good string, meant func(schema.Table, schema.Column) bool) {
	t.Helper()
	w := newWarehouse(t)
	var want []string
	for _, table := range schema.Tables() {
		for _, c := range table.Columns {
			if meant(table, c) {
				w.exec(t, "BEGIN; DELETE FROM "+table.Name+";"+insert(table, c.Name, good))
				w.suspects(t, []string{table.Name}, nil)
				w.exec(t, "ROLLBACK; BEGIN; DELETE FROM "+table.Name+";"+insert(table, c.Name, bad))
				w.suspects(t, []string{table.Name}, []string{table.Name + ": " + c.Name})
				w.exec(t, "ROLLBACK")
				w.exec(t, insert(table, c.Name, bad)+";"+insert(table, c.Name, good))
				want = append(want, table.Name+": "+c.Name)
			}
		}
	}
	slices.Sort(want)
	got := w.rows(t, "SELECT table_name || ': ' || split_part(problem, ': ', 2) FROM ("+
		strings.TrimSuffix(strings.TrimSpace(checkNamed(t, check).SQL), ";")+") ORDER BY ALL")
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", check, diff)
	}
}

func TestNoEmptyTexts(t *testing.T) {
	t.Parallel()
	columnCheck(t, "no_empty_texts", "''", "NULL", func(table schema.Table, c schema.Column) bool {
		// a quarantined value may be empty, and so may its key; the raw layer is as it is
		return c.Type == "VARCHAR" && c.Nullable && table.Name != "quarantine" && table.Name != "_known_rows"
	})
}

func TestNoNegativeFigures(t *testing.T) {
	t.Parallel()
	// numbers that are no figures: a tool's number, a program's exit code, lines in a file as the store has them,
	// SQLite's rowids, places
	exempt := map[string]bool{"tool_calls.tool_number": true, "tool_calls.exit_code": true,
		"commits.author_utc_offset": true, "attachments.start_line": true, "attachments.end_line": true,
		"_known_stores.max_rowid": true, "_known_documents.ordinal": true, "_known_rows.row_id": true,
		"_known_rows.seq": true}
	columnCheck(t, "no_negative_figures", "-1", "0", func(table schema.Table, c schema.Column) bool {
		return c.Type == "BIGINT" && !exempt[table.Name+"."+c.Name]
	})
}

// TestPartsOfChecks puts the parts of checks together again: without tables nothing is left, with all tables all of the
// check.
func TestPartsOfChecks(t *testing.T) {
	t.Parallel()
	all := map[string]bool{}
	for _, table := range schema.Tables() {
		all[table.Name] = true
	}
	var names []string
	for _, f := range Checks() {
		if f.Parts == nil {
			continue
		}
		names = append(names, f.Name)
		if whole := strings.TrimSuffix(withoutComment(f.SQL), ";"); f.Over(all) != whole || f.Over(nil) != "" {
			t.Errorf("check %s over every table:\n%s\nover none:\n%s", f.Name, f.Over(all), f.Over(nil))
		}
		for _, p := range f.Parts {
			if n := strings.Count(p.SQL, "FROM "); !all[p.Table] || n != strings.Count(p.SQL, "FROM "+p.Table) ||
				strings.Contains(p.SQL, "JOIN") {
				t.Errorf("check %s: the part for %s reads another table, too:\n%s", f.Name, p.Table, p.SQL)
			}
		}
	}
	if want := []string{"allowed_values", "keys_unique", "no_empty_texts", "no_negative_figures",
		"times_plausible"}; !slices.Equal(names, want) {
		t.Errorf("checks with parts %v, want %v", names, want)
	}
}

// TestFiles looks at the files themselves.
func TestFiles(t *testing.T) {
	t.Parallel()
	w := newWarehouse(t)
	for folder, list := range map[string][]File{"models": Models(), "views": Views(), "macros": Macros(),
		"checks": Checks()} {
		if len(list) == 0 {
			t.Errorf("no %s", folder)
		}
		for _, f := range list {
			if f.Doc == "" || !strings.HasPrefix(f.SQL, "--") {
				t.Errorf("%s/%s begins with no comment", folder, f.Name)
			}
			if n := strings.Count(f.SQL, "\n"); n > 400 && f.Name != "no_empty_texts" {
				// made from the declaration, a line or two for each column
				t.Errorf("%s/%s has %d lines", folder, f.Name, n)
			}
			// make_timestamptz, date_trunc and the like over TIMESTAMPTZ come from ICU and follow the reader's
			// TimeZone.
			for _, word := range []string{"make_timestamptz", "date_trunc", "date_part", "AT TIME ZONE", "strftime",
				"current_timestamp", "now()", "INTERVAL"} {
				if strings.Contains(strings.ToLower(f.SQL), strings.ToLower(word)) {
					t.Errorf("%s/%s uses %s: it follows the time zone, or needs ICU", folder, f.Name, word)
				}
			}
		}
	}
	for _, f := range Checks() {
		if got := w.rows(t, "SELECT column_name, column_type FROM (DESCRIBE "+
			strings.TrimSuffix(strings.TrimSpace(f.SQL), ";")+")"); strings.Join(got, ", ") != "table_name | VARCHAR, "+
			"row_key | VARCHAR, problem | VARCHAR" {
			t.Errorf("check %s has the columns %v", f.Name, got)
		}
	}
	for _, f := range Views() {
		for _, c := range w.rows(t, "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = '"+f.Name+
			"' AND data_type IN ('HUGEINT', 'INTERVAL')") {
			t.Errorf("view %s: %s: Parquet has no such type", f.Name, c)
		}
	}
	// A parameter of a column's name would silently be the column.
	if got := w.rows(t,
		`SELECT function_name, p FROM (SELECT function_name, unnest(parameters) AS p FROM duckdb_functions() WHERE function_type = 'table_macro' AND NOT internal)
		WHERE p IN (SELECT column_name FROM duckdb_columns() WHERE NOT internal)`); len(got) > 0 {
		t.Errorf("macro parameters with the name of a column: %v", got)
	}
	if got := w.rows(t, "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'table_macro' "+
		"AND NOT internal"); len(got) != len(Macros()) {
		t.Errorf("macros %v, files %d", got, len(Macros()))
	}
}

// TestGoldenQueries runs the first queries of docs/sql.md: over what the data dictionary promises, on any warehouse.
func TestGoldenQueries(t *testing.T) {
	t.Parallel()
	w := soundWarehouse(t)
	queries := strings.Split(strings.TrimSpace(readFile(t, "../testdata/golden/queries.sql")), ";\n")
	names := 0
	for _, q := range queries {
		names += strings.Count(q, "-- name: ")
		if _, err := w.conn.ExecContext(context.Background(), q); err != nil {
			t.Errorf("%v\n%s", err, q)
		}
	}
	if names != 10 || len(queries) != 10 {
		t.Errorf("%d queries, %d names: want 10", len(queries), names)
	}
}
