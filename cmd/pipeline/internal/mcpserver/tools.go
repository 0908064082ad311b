package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/reader"
	"pipeline/load/search"
)

// addTools adds the tools. Those of a narrowed server cannot ask in SQL, which nothing narrows.
func (s *server) addTools(p protocol) {
	addTool(p, s, tool[listInput]{"list_conversations", "List conversations", 100, 20, listConversations,
		`Lists conversations, the latest activity first: id, title, times (created_at, last_activity_at), mode, message_count, project.
Use it to find conversations by title, project or time. For what was said in them use search; to count them use query.`})
	addTool(p, s, tool[conversationInput]{"get_conversation", "About a conversation", 0, 1, getConversation,
		`One row about a conversation: its project, times, models, counts of messages and tool calls, the files it edited and read (JSON lists), commits that followed it, tokens, cost in US cents, summary.
It has no messages: list_messages has them.`})
	addTool(p, s, tool[messagesInput]{"list_messages", "List messages", rowLimit, 50, listMessages,
		`Lists the messages of a conversation in order: who spoke (role), kind (text, thinking, tool_call, error ...), the text (of a tool call: the tool and its command or file), whether a tool call failed (is_error).
For the prompts alone pass role user; for the outcome read the last ones with after. Long texts are cut: get_message has the whole.`})
	addTool(p, s, tool[messageInput]{"get_message", "Read a message", 0, rowLimit, getMessage,
		`The whole of one message, in pieces: its text, its thinking, its errors, and of each of its tool calls the tool, the parameters, the result and the error. Pass next_offset of the answer as offset for the next piece.`})
	addTool(p, s, tool[searchInput]{"search", "Search messages", searchLimit, searchLimit, searchMessages,
		`Finds messages by words, anywhere: in what users and models said, in thinking, and in parameters and results of tool calls. All words must be in a message; case and accents do not matter.
A word is found as it is written; word* finds words with that beginning (retr* finds retry and retries); "two words" finds them in a row; -word leaves messages out; this OR that finds either.
The snippet shows the place. Use role user to find what the user asked for, role assistant for what was decided or done. Then read around a hit with list_messages and its position as after.`})
	if !s.isNarrow() {
		addTool(p, s, tool[queryInput]{"query", "Ask in SQL", rowLimit, 100, runQuery, queryAbout()})
	}
}

type listInput struct {
	Query   string `json:"query,omitempty" jsonschema:"words that are in the title or the project's name, in any case"`
	Project string `json:"project,omitempty" jsonschema:"only of this project: its name, path or URI, or a glob such as shop-*"`
	Since   string `json:"since,omitempty" jsonschema:"only with activity since then: 7d, 36h, yesterday, 2026-03-01, or RFC 3339"`
	Until   string `json:"until,omitempty" jsonschema:"only with activity before then; with since, only with activity in between"`
	paged
}

func listConversations(ctx context.Context, p *page, in listInput) error {
	f, err := p.filter(ctx, in.Project, in.Since, in.Until)
	if err != nil {
		return err
	}
	conditions := []string{p.seen(), "c.deleted_at IS NULL", "c.status IS DISTINCT FROM 'orphaned'",
		"(c.message_count > 0 OR c.missing_message_count > 0)"}
	if f.ProjectURIs != nil {
		conditions = append(conditions, "c.project_uri IN ("+literals(f.ProjectURIs)+")")
	}
	if f.Since != nil || f.Until != nil {
		conditions = append(conditions, activeWithin(f))
	}
	for _, word := range strings.Fields(in.Query) {
		conditions = append(conditions, "contains(lower(concat_ws(' ', c.display_title, c.project)), lower("+
			engine.Literal(word)+"))")
	}
	return p.fill(ctx,
		`SELECT c.conversation_id, c.display_title AS title, c.created_at, c.last_activity_at, c.mode, c.message_count, c.project
		FROM all_conversations c WHERE `+strings.Join(conditions, " AND ")+`
		ORDER BY c.last_activity_at DESC NULLS LAST, c.source_id, c.conversation_id`)
}

// activeWithin is the condition that there was activity in a conversation, whose alias is c, in the time of a filter:
// its last, or a message. One that went on later was worked on in that time, too.
func activeWithin(f reader.Filter) string {
	between := func(column string) string {
		all := []string{}
		if f.Since != nil {
			all = append(all, fmt.Sprintf("epoch_ms(%s) >= %d", column, *f.Since))
		}
		if f.Until != nil {
			all = append(all, fmt.Sprintf("epoch_ms(%s) < %d", column, *f.Until))
		}
		return strings.Join(all, " AND ")
	}
	return "(" + between("c.last_activity_at") +
		" OR EXISTS (FROM messages m WHERE m.source_id = c.source_id AND m.conversation_id = c.conversation_id AND " +
		"m.deleted_at IS NULL AND " + between("m.created_at") + "))"
}

// or is a number, or what is meant without one.
func or(given, otherwise int) int {
	if given > 0 {
		return given
	}
	return otherwise
}

// fill answers with the rows of a query.
func (p *page) fill(ctx context.Context, query string) error {
	asked, err := p.Ask(ctx, query)
	if err != nil {
		return err
	}
	if len(asked.Columns) > columnLimit {
		return fmt.Errorf("the result has %d columns: select at most %d", len(asked.Columns), columnLimit)
	}
	for _, c := range asked.Columns {
		p.Columns = append(p.Columns, p.text(c.Name, 0, 200))
	}
	return asked.Cells(ctx, p.offset, p.rows+1, readLimit, p.add)
}

type conversationInput struct {
	ID string `json:"id" jsonschema:"conversation_id; its beginning is enough if no other begins like it"`
}

func getConversation(ctx context.Context, p *page, in conversationInput) error {
	key, err := p.conversation(ctx, in.ID)
	if err != nil {
		return err
	}
	return p.fill(ctx, fmt.Sprintf(aboutConversation, engine.Literal(key.SourceID), engine.Literal(key.ConversationID)))
}

// aboutConversation asks for the row of a conversation. Its files are at most 60 of each kind.
const aboutConversation = `WITH k AS (SELECT %[1]s AS source_id, %[2]s AS conversation_id),
	t AS (SELECT t.* FROM tool_calls t SEMI JOIN k ON k.source_id = t.source_id AND k.conversation_id = t.conversation_id WHERE t.deleted_at IS NULL),
	m AS (SELECT m.* FROM messages m SEMI JOIN k ON k.source_id = m.source_id AND k.conversation_id = m.conversation_id WHERE m.deleted_at IS NULL)
SELECT c.conversation_id, c.display_title AS title, c.project, c.project_path, c.git_branch, c.created_at, c.last_activity_at, c.mode, c.status, c.message_count, c.user_message_count AS prompts,
	(SELECT list(DISTINCT model ORDER BY model) FROM (SELECT model FROM m UNION ALL SELECT c.model) WHERE model IS NOT NULL) AS models,
	c.tool_call_count, (SELECT count(*) FROM t WHERE is_error) AS failed_tool_calls,
	(SELECT list(DISTINCT file_path ORDER BY file_path)[:60] FROM t WHERE tool_kind = 'edit' AND file_path IS NOT NULL) AS files_edited,
	(SELECT list(DISTINCT file_path ORDER BY file_path)[:60] FROM t WHERE tool_kind <> 'edit' AND file_path IS NOT NULL) AS files_read,
	c.lines_added, c.lines_removed,
	(SELECT list(DISTINCT left(h.commit_hash, 10) || ' ' || coalesce(g.subject, ''))[:20] FROM conversation_commits h SEMI JOIN k ON k.source_id = h.source_id AND k.conversation_id = h.conversation_id
		LEFT JOIN commits g ON g.source_id = h.commit_source_id AND g.repository_id = h.repository_id AND g.commit_hash = h.commit_hash WHERE h.shared_files > 0) AS commits,
	c.input_tokens, c.output_tokens, (SELECT sum(u.cost_cents) FROM all_usage u SEMI JOIN k ON k.source_id = u.source_id AND k.conversation_id = u.conversation_id) AS used_cents, c.cost_cents AS recorded_cents,
	c.parent_conversation_id, c.summary, c.source_id, c.deleted_at
FROM all_conversations c SEMI JOIN k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id`

type messagesInput struct {
	ConversationID string `json:"conversation_id" jsonschema:"id of the conversation, or its beginning"`
	Role           string `json:"role,omitempty" jsonschema:"only messages of this role"`
	Kind           string `json:"kind,omitempty" jsonschema:"only messages of this kind: text, thinking, tool_call, error, shell, compaction"`
	After          *int   `json:"after,omitempty" jsonschema:"only messages behind this position; 0 is the first"`
	paged
}

func listMessages(ctx context.Context, p *page, in messagesInput) error {
	key, err := p.conversation(ctx, in.ConversationID)
	if err != nil {
		return err
	}
	conditions := []string{"m.source_id = " + engine.Literal(key.SourceID),
		"m.conversation_id = " + engine.Literal(key.ConversationID),
		"(m.deleted_at IS NULL OR m.deleted_at = c.deleted_at)"}
	if in.Role != "" {
		conditions = append(conditions, "m.role = "+engine.Literal(in.Role))
	}
	if in.Kind != "" {
		conditions = append(conditions, "m.kind = "+engine.Literal(in.Kind))
	}
	if in.After != nil {
		conditions = append(conditions, fmt.Sprintf("m.position > %d", *in.After))
	}
	return p.fill(ctx, `SELECT m.message_id, m.position, m.role, m.kind, m.created_at,
			CASE WHEN trim(m.text, chr(32) || chr(9) || chr(10) || chr(13)) <> '' THEN m.text
				WHEN t.message_id IS NOT NULL THEN concat_ws(' ', coalesce(t.tool, t.name), coalesce(t.command, t.file_path))
				WHEN m.kind = 'error' THEN coalesce(m.error, m.error_code)
				ELSE coalesce(m.thinking, m.text) END AS text,
			coalesce(t.tool, t.name) AS tool, t.is_error
		FROM messages m
		JOIN conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
		LEFT JOIN tool_calls t ON t.source_id = m.source_id AND t.conversation_id = m.conversation_id AND t.message_id = m.message_id AND t.call_index = 0
		WHERE `+strings.Join(conditions, " AND ")+`
		ORDER BY m.position NULLS LAST, m.created_at NULLS LAST, m.message_id`)
}

type searchInput struct {
	Words   string `json:"words" jsonschema:"the words to find; all must be in one message"`
	Role    string `json:"role,omitempty" jsonschema:"only messages of this role"`
	Project string `json:"project,omitempty" jsonschema:"only of this project: its name, path or URI, or a glob"`
	Since   string `json:"since,omitempty" jsonschema:"only messages since then: 7d, 36h, yesterday, 2026-03-01, or RFC 3339"`
	Until   string `json:"until,omitempty" jsonschema:"only messages before then"`
	In      string `json:"in,omitempty" jsonschema:"look only into this part of messages; all unless given"`
	Limit   int    `json:"limit,omitempty" jsonschema:"how many messages, 10 unless given, at most 50"`
}

// searchLimit is how many messages a search shows at most.
const searchLimit = 50

func searchMessages(ctx context.Context, p *page, in searchInput) error {
	o := search.Options{SourceID: p.Source, Limit: min(or(in.Limit, 10), searchLimit)}
	var err error
	if o.Filter, err = p.filter(ctx, in.Project, in.Since, in.Until); err != nil {
		return err
	}
	o.Role = in.Role
	if in.In != "" {
		o.In = []string{in.In}
	}
	if !p.Full {
		o.Redact = p.clean
	}
	if err := p.close(); err != nil { // the search opens the warehouse by itself
		return err
	}
	found, how, err := search.Soon(ctx, p.Warehouse, in.Words, o)
	if err != nil {
		return err
	}
	p.Columns = []string{"message_id", "conversation_id", "position", "title", "project", "created_at", "role", "tool",
		"found_in", "snippet"}
	for _, h := range found.Hits {
		row := []reader.Cell{{Value: h.MessageID}, {Value: h.ConversationID}, number(h.Position), cell(h.Title),
			cell(h.Project), cell(h.Created), {Value: h.Role}, cell(h.Tool), {Value: h.FoundIn}, {Value: snippet(h)}}
		if more, err := p.add(row); err != nil || !more {
			p.NextCursor = ""
			break
		}
	}
	p.Truncated = found.More || int64(len(p.Rows)) < found.Matches
	p.note = append(p.note, how, matches(found, len(p.Rows)))
	return nil
}

// matches says how many messages match.
func matches(found search.Found, shown int) string {
	switch {
	case found.More:
		return fmt.Sprintf("%d shown, more match: add words, a project or a time", shown)
	case int64(shown) < found.Matches:
		return fmt.Sprintf("%d of %d shown: raise limit, or add words", shown, found.Matches)
	case found.Matches == 0:
		return "nothing found: try fewer words, or word* for words with that beginning"
	}
	return fmt.Sprintf("all %d shown", found.Matches)
}

func cell[T any](v *T) reader.Cell {
	if v == nil {
		return reader.Cell{}
	}
	return reader.Cell{Value: *v}
}

func number(v *int64) reader.Cell { return cell(v) }

// snippet is the part of a message that was found, with marks where more is.
func snippet(h search.Hit) string {
	text := h.Snippet.Text
	if h.Snippet.Before {
		text = "… " + text
	}
	if h.Snippet.After {
		text += " …"
	}
	return text
}

type queryInput struct {
	SQL string `json:"sql" jsonschema:"one SELECT in DuckDB's SQL"`
	paged
}

func runQuery(ctx context.Context, p *page, in queryInput) error {
	return p.fill(ctx, in.SQL)
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
