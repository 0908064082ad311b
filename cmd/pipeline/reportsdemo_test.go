package main

import (
	"fmt"
	"testing"

	"pipeline/sql"
)

// ownPrompts counts the prompts that people wrote, from the figures that each conversation carries.
const ownPrompts = "SELECT sum(user_message_count) - (SELECT count(*) FROM messages WHERE is_repeat AND role = " +
	"'user') FROM list WHERE NOT is_subagent AND best_of_parent_id IS NULL"

// reportSums are sums over views of the report page, and the same counted from the tables in another way: mostly from
// the figures that each conversation carries. None is 0 or NULL in the invented history.
//
// A prompt counts once: not in a best-of-N copy, and not where a fork repeats it. The tokens of repeated messages and
// the cost that a fork has from the conversation that it came from count once, too.
var reportSums = [][2]string{
	{"SELECT sum(calls) FROM report.tools", "SELECT sum(tool_call_count) FROM list"},
	{"SELECT sum(failed) FROM report.tools", "SELECT count(*) FROM tool_calls WHERE is_error AND position IS NOT " +
		"NULL AND (source_id, conversation_id) IN (SELECT (source_id, conversation_id) FROM list)"},
	{"SELECT sum(answers) FROM report.models", "SELECT sum(assistant_message_count) FROM list"},
	{"SELECT sum(answers) FROM report.models WHERE model IS NOT NULL",
		"SELECT sum(known) FROM coverage WHERE measure = 'message_model'"},
	{"SELECT sum(messages) FROM report.hours", "SELECT sum(message_count) FROM list"},
	{"SELECT sum(messages) FROM report.hours WHERE hour IS NOT NULL",
		"SELECT sum(known) FROM coverage WHERE measure = 'message_time'"},
	{"SELECT sum(prompts) FROM report.hours", ownPrompts},
	{"SELECT sum(messages) FROM report.activity", "SELECT sum(message_count) FROM list"},
	{"SELECT sum(prompts) FROM report.activity", ownPrompts},
	{"SELECT sum(real_times) FROM report.activity", "SELECT sum(known) FROM coverage WHERE measure = 'message_time'"},
	{"SELECT sum(conversations) FROM report.activity",
		"SELECT count(*) FROM list WHERE NOT is_subagent AND best_of_parent_id IS NULL AND message_count + " +
			"missing_message_count > 0"},
	{"SELECT count(*) FROM report.sessions", "SELECT count(*) FROM sessions"},
	{"SELECT sum(messages) FROM report.sessions",
		"SELECT sum(message_count) FROM list WHERE session_id IS NOT NULL AND NOT is_subagent AND best_of_parent_id " +
			"IS NULL"},
	{"SELECT sum(decided) FROM report.edits",
		"SELECT count(*) FROM code_edit_outcomes WHERE is_accepted OR NOT is_accepted"},
	{"SELECT sum(accepted) + sum(rejected) FROM report.edits", "SELECT sum(decided) FROM report.edits"},
	{"SELECT sum(edits) FROM report.files", "SELECT count(file) FROM code_edit_outcomes WHERE coalesce(is_accepted, " +
		"true)"},
	{"SELECT sum(messages) FROM report.conversations", "SELECT sum(message_count) FROM list"},
	{"SELECT count(DISTINCT (source_id, conversation_id)) FROM report.conversations",
		"SELECT count(*) FROM list WHERE message_count + missing_message_count > 0"},
	{"SELECT count(DISTINCT (source_id, conversation_id)) FROM report.conversations WHERE list_contains(tools, " +
		"'edit_file')", "SELECT count(DISTINCT (source_id, conversation_id)) FROM main.live_tool_calls WHERE tool = " +
		"'edit_file'"},
	{"SELECT count(*) FROM report.context", "SELECT count(*) FROM list WHERE message_count + missing_message_count > " +
		"0"},
	{"SELECT count(tokens_used) FROM report.context",
		"SELECT sum(known) FROM coverage WHERE measure = 'conversation_context'"},
	{"SELECT sum(prompts) FROM report.funnel", ownPrompts},
	{"SELECT sum(input_tokens) FROM report.cost",
		"SELECT sum(input_tokens) - (SELECT sum(input_tokens) FROM messages WHERE is_repeat) FROM list"},
	{"SELECT sum(output_tokens) FROM report.cost",
		"SELECT sum(output_tokens) - (SELECT sum(output_tokens) FROM messages WHERE is_repeat) FROM list"},
	{"SELECT sum(tokens_known) FROM report.cost",
		"SELECT sum(known) FROM coverage WHERE measure = 'conversation_tokens'"},
	{"SELECT sum(cost_known) FROM report.cost",
		"SELECT sum(known) - (SELECT count(DISTINCT conversation_id) FROM live_model_usage WHERE is_repeat) FROM " +
			"coverage WHERE measure = 'conversation_cost'"},
	{"SELECT sum(cost_cents) FROM report.cost",
		"SELECT sum(cost_cents) - (SELECT sum(cost_cents) FROM live_model_usage WHERE is_repeat) FROM list"},
	{"SELECT sum(conversations) FROM report.cost",
		"SELECT count(*) FROM list WHERE message_count + missing_message_count > 0"},
	{"SELECT live FROM report.tables WHERE table_name = 'messages'", "SELECT sum(message_count) FROM list"},
	{"SELECT live FROM report.tables WHERE table_name = 'tool_calls'", "SELECT sum(tool_call_count) FROM list"},
	{"SELECT live FROM report.tables WHERE table_name = 'conversations'", "SELECT count(*) FROM list"},
	{"SELECT orphaned FROM report.tables WHERE table_name = 'conversations'",
		"SELECT count(*) FROM conversations WHERE status = 'orphaned'"},
	{"SELECT sum(live + coalesce(deleted, 0) + coalesce(orphaned, 0)) FROM report.tables",
		"SELECT sum(estimated_size) FROM duckdb_tables() WHERE table_name IN (SELECT table_name FROM report.tables)"},
	{"SELECT sum(open) FROM report.quarantine", "SELECT sum(quarantined) FROM loads"},
	{"SELECT count(*) FROM report.loads", "SELECT max(load_id) FROM loads"},
	{"SELECT epoch_ms(newest_message_at) FROM report.freshness",
		"SELECT max(epoch_ms(created_at)) FROM live_messages WHERE created_at_source IN ('message', 'header', " +
			"'tool', 'timing')"},
}

// TestReportsOnDemo: every part of the report has something to show of the invented history, and what it shows is what
// the tables hold.
func TestReportsOnDemo(t *testing.T) {
	long(t)
	warehouse := openWarehouse(t, demoWarehouse(t))
	one := func(query string) string {
		t.Helper()
		got, err := warehouse.Query(t.Context(), query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return fmt.Sprint(got.Rows)
	}
	for _, report := range sql.Reports() {
		if one("SELECT count(*) FROM "+report.Object()) == "[[0]]" {
			t.Errorf("%s has no row", report.Object())
		}
	}
	const list = "WITH list AS (FROM conversations WHERE deleted_at IS NULL AND coalesce(status, '') <> 'orphaned') " +
		"SELECT CAST((%s) AS BIGINT)"
	for _, s := range reportSums {
		if got, want := one(fmt.Sprintf(list, s[0])),
			one(fmt.Sprintf(list, s[1])); got != want || got == "[[0]]" || got == "[[<nil>]]" {
			t.Errorf("%s: %s\n%s: %s", s[0], got, s[1], want)
		}
	}
	for query, want := range map[string]string{
		// Each step of the chain is a part of the one before it; nothing is said of commits where no repository was
		// read.
		`SELECT count(*) FROM report.funnel WHERE replied > prompts OR called_tools > replied OR proposed_edits > called_tools OR decided_edits > proposed_edits
			OR accepted_edits > decided_edits`: "[[0]]",
		`SELECT sum(proposed_edits) > 0, sum(decided_edits) > 0, count(committed), CAST(sum(commits_known) AS BIGINT)
			FROM report.funnel`: "[[true true 0 0]]",
		`SELECT count(*) FROM report.hours
			WHERE hour NOT BETWEEN 0 AND 23 OR (hour IS NULL) <> (weekday IS NULL) OR weekday <> isodow(day)`: "[[0]]",
	} {
		if got := one(query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}
