package mcpserver

import (
	"context"
	"fmt"
	"strings"
)

// This file lets agents ask in SQL.

type queryInput struct {
	SQL    string `json:"sql" jsonschema:"one SELECT in DuckDB's SQL"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many rows, 100 unless given"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the answer before"`
}

func runQuery(ctx context.Context, q *question, in queryInput) (*page, error) {
	cursor := in.Cursor
	in.Cursor = ""
	p, err := q.newPage("query", in, cursor, or(in.Limit, 100))
	if err != nil {
		return nil, err
	}
	return p, p.fill(ctx, in.SQL)
}

// A relation is a table or a view, with those of its columns that most questions are about.
type relation struct{ name, columns, about string }

// relations are those that the description of query names. A test asks for each column.
var relations = []relation{
	{"live_conversations", "source_id, conversation_id, display_title, project, mode, model, created_at, " +
		"last_activity_at, message_count, user_message_count, tool_call_count, lines_added, lines_removed, " +
		"is_subagent, session_id", "a row for each conversation"},
	{"live_messages", "source_id, conversation_id, message_id, position, turn, role, kind, text, thinking, model, " +
		"created_at, input_tokens, output_tokens, error", "a row for each message"},
	{"live_tool_calls", "source_id, conversation_id, message_id, tool, tool_kind, mcp_server, user_decision, " +
		"is_error, error, exit_code, command, file_path, params, result, started_at, duration_ms",
		"a row for each tool call; is_error is NULL for what the user rejected or cancelled; what a command printed " +
			"as it failed is in result, its error is NULL"},
	{"timeline", "source_id, conversation_id, title, project, position, created_at, role, kind, text, tool, command, " +
		"file_path, is_error", "messages with their conversation and first tool call: no join needed"},
	{"turns", "conversation_id, message_id, asked_at, project, title, text, model, waited_ms, outcome, error, " +
		"tool_calls, failed_calls, files_changed, worth_cents, charged_cents",
		"a row for each prompt that a person typed, with what came of it: ask it about prompts"},
	{"all_usage", "conversation_id, project, model, occurred_at, kind, output_tokens, cost_cents, estimated_cost_cents",
		"what was used and billed, a row for each event or estimated turn; costs in US cents"},
	{"commits", "source_id, repository_id, commit_hash, author_name, authored_at, committed_at, subject, " +
		"lines_added, lines_removed", "commits of the projects' repositories"},
	{"commit_prompts", "commit_hash, subject, made_at, conversation_id, project, title, relevance, shared_files, " +
		"prompt_at, prompt", "which conversations and prompts led to which commit"},
	{"live_sessions", "session_id, project, started_at, ended_at, duration_ms, conversation_count, message_count",
		"consecutive conversations of a project"},
	{"active_time_per_day", "day, project, active_ms, prompts, messages, day_active_ms", "time of work"},
	{"model_mix_per_week", "week, model, answers, share, share_before", "which models answered"},
	{"tool_usage", "tool, tool_kind, mode, model, calls, conversations, share", "which tools are used"},
	{"tool_failures", "tool, format_version, calls, outcome_known, failed, failure_rate, last_error",
		"which tools fail; a tool has a row for each version of Cursor's format: add them up"},
	{"slow_tools", "tool, calls, duration_known, p50_ms, p95_ms, slowest_conversation_id", "which tools are slow"},
	{"shell_commands", "program, calls, failed, failure_rate, rejected, example_command", "which commands were run"},
	{"mcp_usage", "mcp_server, mcp_tool, calls, failed, failure_rate, last_error", "which MCP servers were used"},
	{"edit_acceptance", "model, file_type, project, edits, accepted, rejected, acceptance_rate",
		"which edits were accepted"},
	{"file_churn", "project, file, edits, conversations, days, churn_rate, last_edit_at",
		"which files are edited again and again"},
	{"cost_by_model", "model, cost_cents, requests, cents_per_request", "costs that stores recorded"},
	{"billed_by_day", "day, project, model, cost_cents, output_tokens, estimated_cost_cents", "what was billed"},
	{"billed_by_project", "project, conversations, cost_cents, charged_cents, estimated_cost_cents", "what was billed"},
	{"abandoned_work", "project, conversation_id, title, reason, idle_since, prompts", "what was begun and not ended"},
	{"todo_progress", "project, conversation_id, title, items, completed, cancelled, open, last_activity_at",
		"todo lists of conversations; open items are not done yet"},
	{"reprompt_loops", "project, conversation_id, title, prompts, first_prompt, last_prompt, failed_calls",
		"prompts that were repeated"},
}

// queryAbout describes query.
func queryAbout() string {
	var b strings.Builder
	b.WriteString("Answers one SELECT in DuckDB's SQL, read-only: for what is to be counted, added up, compared or " +
		"listed by a condition. Tables and views, with their most used columns:\n")
	for _, r := range relations {
		fmt.Fprintf(&b, "%s(%s): %s\n", r.name, r.columns, r.about)
	}
	b.WriteString(
		`The others: SELECT schema_name, view_name, comment FROM duckdb_views() WHERE NOT internal. All columns: SELECT column_name, data_type, comment FROM duckdb_columns() WHERE table_name = '...'.
Conversations are joined by source_id and conversation_id. Times are TIMESTAMPTZ: date_trunc('day', created_at), now() - INTERVAL 30 DAY. Select few columns, and ORDER BY for pages that follow each other.`)
	return b.String()
}
