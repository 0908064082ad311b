package storetest

import (
	"fmt"
	"slices"
	"strconv"
)

// A Query is a figure that the warehouse must give: the rows of a SELECT on it, in any order (Rows are
// sorted, and so must be what they are compared with). NULL is "NULL", flags are true and false.
type Query struct {
	Name string
	SQL  string
	Rows [][]string
}

// Queries are all figures as queries on the warehouse, for one that holds this directory and no other.
func (w Want) Queries() []Query {
	var qs []Query
	add := func(name, sql string, rows [][]string) {
		slices.SortFunc(rows, slices.Compare)
		qs = append(qs, Query{name, sql, rows})
	}
	w.conversationQueries(add)
	w.messageQueries(add)
	w.toolQueries(add)
	w.periodQueries(add)
	w.familyQueries(add)
	return qs
}

type adder func(name, sql string, rows [][]string)

// row is a row of a result: numbers and flags as they print, NULL for what text and ms stand for.
func row(cells ...any) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		if out[i] = fmt.Sprint(c); out[i] == "" {
			out[i] = "NULL"
		}
	}
	return out
}

// ms is a time, "" (that is NULL) for none.
func ms(t int64) string {
	if t == 0 {
		return ""
	}
	return strconv.FormatInt(t, 10)
}

// known is n where it is known.
func known(ok bool, n int64) string {
	if !ok {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// counts are the rows of SELECT x, count(*) GROUP BY x.
func counts[T any](of []T, by func(T) []string) [][]string {
	n := map[string]int{}
	keys := map[string][]string{}
	for _, v := range of {
		cells := by(v)
		k := fmt.Sprintf("%q", cells)
		n[k]++
		keys[k] = cells
	}
	rows := make([][]string, 0, len(n))
	for k, cells := range keys {
		rows = append(rows, append(slices.Clone(cells), strconv.Itoa(n[k])))
	}
	return rows
}

// table are the rows of SELECT key, number, without the zeros.
func table(m map[string]int) [][]string {
	var rows [][]string
	for k, n := range m {
		if n != 0 {
			rows = append(rows, row(k, n))
		}
	}
	return rows
}

func (w Want) conversationQueries(add adder) {
	var facts, numbers, times, texts, sessions [][]string
	for _, c := range w.Conversations {
		facts = append(facts, row(c.ID, c.Title, c.DisplayTitle, c.Project, c.ProjectURI, c.ProjectSource, c.Format,
			c.Status, c.Mode, c.Model, c.Subagent, c.Parent, c.ForkedFrom, c.BestOf))
		numbers = append(numbers, row(c.ID, c.Messages, c.User, c.Assistant, c.ToolCalls, c.Missing, c.Unlisted,
			known(c.HasTokens, c.Input), known(c.HasTokens, c.Output)))
		times = append(times, row(c.ID, ms(c.Created), ms(c.Updated), ms(c.First), ms(c.Last), ms(c.LastActivity)))
		if c.Messages > 0 {
			texts = append(texts, row(c.ID, c.TextHash))
		}
		sessions = append(sessions, row(c.ID, ms(c.SessionStart)))
	}
	add("conversations",
		`SELECT conversation_id, title, display_title, project, project_uri, project_source, format, status, mode, model,
coalesce(is_subagent, false), parent_conversation_id, forked_from, best_of_parent_id FROM conversations WHERE deleted_at IS NULL`, facts)
	add("conversation counts",
		`SELECT conversation_id, message_count, user_message_count, assistant_message_count, tool_call_count,
missing_message_count, unlisted_message_count, input_tokens, output_tokens FROM conversations WHERE deleted_at IS NULL`,
		numbers)
	add("conversation times",
		`SELECT conversation_id, epoch_ms(created_at), epoch_ms(updated_at), epoch_ms(first_message_at),
epoch_ms(last_message_at), epoch_ms(last_activity_at) FROM conversations WHERE deleted_at IS NULL`, times)
	add("conversation texts",
		`SELECT conversation_id, sha256(string_agg(coalesce(text, '') || chr(31), '' ORDER BY position))
FROM messages WHERE deleted_at IS NULL GROUP BY conversation_id`, texts)
	add("conversation sessions",
		`SELECT c.conversation_id, epoch_ms(s.started_at) FROM conversations c LEFT JOIN sessions s USING (session_id)
WHERE c.deleted_at IS NULL`, sessions)
	add("conversations by format",
		`SELECT format, count(*) FROM conversations WHERE deleted_at IS NULL GROUP BY format`,
		counts(w.Conversations, func(c ConversationWant) []string { return row(c.Format) }))
	add("conversations by project and source",
		`SELECT project_uri, project_source, count(*) FROM conversations WHERE deleted_at IS NULL
GROUP BY project_uri, project_source`,
		counts(w.Conversations, func(c ConversationWant) []string { return row(c.ProjectURI, c.ProjectSource) }))
}

func (w Want) messageQueries(add adder) {
	var rows, marks [][]string
	var withThinking, thinkingBytes, withMS, durations, withTokens, input, output, withTurn, turns int64
	for _, m := range w.Messages {
		rows = append(rows, row(m.Conversation, m.ID, m.Position, m.Turn, m.Listed, m.Role, m.Kind, m.Repeat))
		marks = append(marks, row(m.Conversation, m.ID, m.CreatedSource, ms(m.Created), m.Model))
		if m.Thinking != "" {
			withThinking++
			thinkingBytes += int64(len(m.Thinking))
		}
		if m.ThinkingMS != nil {
			withMS++
			durations += *m.ThinkingMS
		}
		if m.TurnMS != 0 {
			withTurn++
			turns += m.TurnMS
		}
		if m.HasTokens {
			withTokens++
			input += m.Input
			output += m.Output
		}
	}
	add("messages",
		`SELECT conversation_id, message_id, position, turn, is_listed, role, kind, is_repeat FROM messages WHERE deleted_at IS NULL`, rows)
	add("message times and models",
		`SELECT conversation_id, message_id, created_at_source, epoch_ms(created_at), model FROM messages
WHERE deleted_at IS NULL`, marks)
	by := func(column string, f func(MessageWant) []string) {
		add("messages by "+column, `SELECT `+column+`, count(*) FROM messages WHERE deleted_at IS NULL GROUP BY `+
			column, counts(w.Messages, f))
	}
	by("role", func(m MessageWant) []string { return row(m.Role) })
	by("kind", func(m MessageWant) []string { return row(m.Kind) })
	by("is_listed", func(m MessageWant) []string { return row(m.Listed) })
	by("model", func(m MessageWant) []string { return row(m.Model) })
	by("created_at_source", func(m MessageWant) []string { return row(m.CreatedSource) })
	add("thinking",
		`SELECT count(thinking), CAST(coalesce(sum(strlen(thinking)), 0) AS BIGINT), count(thinking_duration_ms),
CAST(coalesce(sum(thinking_duration_ms), 0) AS BIGINT) FROM messages WHERE deleted_at IS NULL`,
		[][]string{row(withThinking, thinkingBytes, withMS, durations)})
	add("turn durations",
		`SELECT count(turn_duration_ms), CAST(coalesce(sum(turn_duration_ms), 0) AS BIGINT) FROM messages WHERE deleted_at IS NULL`, [][]string{row(withTurn, turns)})
	add("tokens", `SELECT count(input_tokens), count(output_tokens), CAST(coalesce(sum(input_tokens), 0) AS BIGINT),
CAST(coalesce(sum(output_tokens), 0) AS BIGINT) FROM messages WHERE deleted_at IS NULL`,
		[][]string{row(withTokens, withTokens, input, output)})
}

func (w Want) toolQueries(add adder) {
	var rows [][]string
	for _, t := range w.ToolCalls {
		rows = append(rows, row(t.Conversation, t.Message, t.CallID, t.number(), t.Tool, t.Kind, t.Name, t.Status,
			t.IsError, t.Decision, t.ExitCode, t.Server, t.ServerTool))
	}
	add("tool calls",
		`SELECT conversation_id, message_id, tool_call_id, tool_number, tool, tool_kind, name, status, is_error, user_decision, exit_code,
mcp_server, mcp_tool FROM tool_calls WHERE deleted_at IS NULL`, rows)
	by := func(column string, f func(ToolCallWant) []string) {
		add("tool calls by "+column, `SELECT `+column+`, count(*) FROM tool_calls WHERE deleted_at IS NULL GROUP BY `+
			column, counts(w.ToolCalls, f))
	}
	by("tool", func(t ToolCallWant) []string { return row(t.Tool) })
	by("tool_number", func(t ToolCallWant) []string { return row(t.number()) })
	by("name", func(t ToolCallWant) []string { return row(t.Name) })
	by("status", func(t ToolCallWant) []string { return row(t.Status) })
	by("tool_kind", func(t ToolCallWant) []string { return row(t.Kind) })
}

func (t ToolCallWant) number() string { return ms(int64(t.Number)) }

func (w Want) periodQueries(add adder) {
	var sessions, periods [][]string
	for _, s := range w.Sessions {
		sessions = append(sessions, row(s.ProjectURI, s.Start, s.End, s.Conversations))
	}
	for _, p := range w.Periods {
		periods = append(periods, row(p.ProjectURI, p.Start, p.End, p.Messages))
	}
	add("sessions",
		`SELECT s.project_uri, epoch_ms(s.started_at), epoch_ms(s.ended_at), (SELECT count(*) FROM conversations c
WHERE c.session_id = s.session_id AND NOT coalesce(c.is_subagent, false) AND c.best_of_parent_id IS NULL AND c.deleted_at IS NULL) FROM sessions s`, sessions)
	add("activity periods",
		`SELECT project_uri, epoch_ms(started_at), epoch_ms(ended_at), message_count FROM activity_periods`, periods)
}

func (w Want) familyQueries(add adder) {
	add("quarantine by reason",
		`SELECT reason, count(*) FROM quarantine WHERE resolved_load_id IS NULL GROUP BY reason`, table(w.Quarantine))
	add("null rows by family",
		`SELECT regexp_extract(family, '^[A-Za-z]+'), CAST(sum(null_rows) AS BIGINT) FROM key_families
WHERE load_id = (SELECT max(load_id) FROM key_families) GROUP BY 1 HAVING sum(null_rows) > 0`, table(w.NullRows))
	add("attachments by kind", `SELECT kind, count(*) FROM attachments GROUP BY kind`, table(w.Attachments))
	add("attachments without a message", `SELECT count(*) FROM attachments WHERE message_id IS NULL`,
		[][]string{row(w.Loose)})
	add("checkpoints",
		`SELECT count(*), CAST(coalesce(sum(file_count), 0) AS BIGINT) FROM checkpoints WHERE deleted_at IS NULL`,
		[][]string{row(w.Checkpoints, w.Files)})
	var edits, usage [][]string
	for _, e := range w.Edits {
		edits = append(edits, row(e.ID, e.Conversation, e.Status, e.Accepted, known(e.HasLines, int64(e.Added)),
			known(e.HasLines, int64(e.Removed))))
	}
	add("code edits",
		`SELECT edit_id, conversation_id, status, is_accepted, lines_added, lines_removed FROM code_edits WHERE deleted_at IS NULL`, edits)
	add("code edits by is_accepted",
		`SELECT is_accepted, count(*) FROM code_edits WHERE deleted_at IS NULL GROUP BY is_accepted`,
		counts(w.Edits, func(e EditWant) []string { return row(e.Accepted) }))
	add("code diffs", `SELECT count(*), count(conversation_id) FROM code_diffs WHERE deleted_at IS NULL`,
		[][]string{row(w.Diffs, w.Diffs-w.BareDiffs)})
	for _, u := range w.Usage {
		usage = append(usage, row(u.Conversation, u.Model, u.Cents, u.Requests))
	}
	add("model usage",
		`SELECT conversation_id, model, CAST(cost_cents AS BIGINT), requests FROM model_usage WHERE deleted_at IS NULL`,
		usage)
	var parts [][]string
	for _, x := range w.Parts {
		parts = append(parts, row(x.Conversation, x.Part, x.Tokens))
	}
	add("context parts", `SELECT conversation_id, part, tokens FROM context_parts WHERE deleted_at IS NULL`, parts)
	add("line totals",
		`SELECT count(*), CAST(coalesce(sum(lines_added), 0) AS BIGINT), CAST(coalesce(sum(lines_removed), 0) AS BIGINT)
FROM conversations WHERE lines_added IS NOT NULL AND deleted_at IS NULL`,
		[][]string{row(w.LineTotals, w.LinesAdded, w.LinesRemoved)})
	add("context windows",
		`SELECT count(*), CAST(coalesce(sum(context_tokens_used), 0) AS BIGINT), CAST(coalesce(sum(context_token_limit), 0) AS BIGINT)
FROM conversations WHERE context_tokens_used IS NOT NULL AND deleted_at IS NULL`,
		[][]string{row(w.Windows, w.WindowTokens, w.WindowLimits)})
	add("daily edit stats", `SELECT count(*) FROM daily_edit_stats`, [][]string{row(w.Days)})
	add("prompts by kind", `SELECT kind, count(*) FROM prompts WHERE deleted_at IS NULL GROUP BY kind`,
		table(w.Prompts))
	add("workspaces by kind", `SELECT kind, count(*) FROM workspaces GROUP BY kind`, table(w.Workspaces))
	w.elementQueries(add)
	add("unknown fields", `SELECT family, path FROM unknown_fields`, nil) // a plan has no field that nobody knows
	add("refused and unknown rows", `SELECT CAST(coalesce(sum(rows) FILTER (WHERE handling = 'refused'), 0) AS BIGINT),
CAST(coalesce(sum(rows) FILTER (WHERE handling = 'unknown'), 0) AS BIGINT) FROM key_families WHERE load_id = (SELECT max(load_id) FROM key_families)`,
		[][]string{row(w.Refused, w.Unknown)})
}
