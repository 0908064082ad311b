package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	dbsql "database/sql"
	"fmt"
	"net/url"
	"strings"

	"pipeline/cmd/pipeline/internal/chat"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// These are the addresses of resources.
const (
	schemaURI       = "pipeline://schema"
	answersURI      = "pipeline://answers"
	tableURI        = schemaURI + "/"
	conversationURI = "pipeline://conversation/"
)

// resources are what clients can attach to a conversation.
var resources = []resource{
	{schemaURI, "schema", "Tables and views", "All tables, views and macros of the warehouse, each with what it has."},
	{answersURI, "answers", "Questions with an answer",
		"The questions that the warehouse has a view for, to SELECT from with query."},
	{tableURI + "{table}", "table", "Columns of a table or view",
		"The columns of a table or a view, each with its type and meaning."},
	{conversationURI + "{id}", "conversation", "A conversation",
		"A conversation as Markdown, by its id or the beginning of its id."},
}

// read returns the text of a resource.
func (s *server) read(ctx context.Context, uri string) (string, error) {
	return ask(ctx, s, func(ctx context.Context, q *question) (string, error) {
		switch {
		case uri == schemaURI:
			return q.schema(ctx)
		case uri == answersURI:
			return answers(), nil
		case strings.HasPrefix(uri, tableURI):
			return q.table(ctx, unescaped(strings.TrimPrefix(uri, tableURI)))
		case strings.HasPrefix(uri, conversationURI):
			return q.transcript(ctx, unescaped(strings.TrimPrefix(uri, conversationURI)))
		}
		return "", errNotFound
	})
}

func unescaped(part string) string {
	if text, err := url.PathUnescape(part); err == nil {
		return text
	}
	return part
}

// schema lists the tables and views for people, as they are in the warehouse, and the macros.
func (q *question) schema(ctx context.Context) (string, error) {
	var b strings.Builder
	b.WriteString("# Tables and views\n\n| name | what it has |\n| --- | --- |\n")
	err := sqlrows.Each(ctx, q.Conn(), `SELECT object, coalesce(comment, '') FROM (
			SELECT schema_name, table_name AS name, comment, 0 AS kind FROM duckdb_tables() WHERE NOT internal AND schema_name <> 'internal'
			UNION ALL SELECT schema_name, view_name, comment, 1 FROM duckdb_views() WHERE NOT internal),
			LATERAL (SELECT if(schema_name = 'main', '', schema_name || '.') || name AS object)
		ORDER BY kind, schema_name <> 'main', object`, func(rows *dbsql.Rows) error {
		var name, comment string
		err := rows.Scan(&name, &comment)
		fmt.Fprintf(&b, "| %s | %s |\n", name, inCell(comment))
		return err
	})
	b.WriteString("\n# Macros\n\n")
	for _, f := range sql.Macros() {
		fmt.Fprintf(&b, "- %s: %s\n", f.Name, strings.Join(strings.Fields(f.Doc), " "))
	}
	return b.String(), err
}

func inCell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// answers lists the questions that have a view, each with its short form: few columns, and a row for each thing.
func answers() string {
	var b strings.Builder
	b.WriteString("# Questions that have a view\n\nA short form has few columns, in hours, US dollars and percent, " +
		"and no ids; the other view has every column.\n\n")
	shorts := map[string]string{}
	for _, f := range sql.Shorts() {
		shorts[f.Detail()] = ", in short " + f.Object()
	}
	for _, f := range sql.Answers() {
		fmt.Fprintf(&b, "- %s%s: %s\n", f.Object(), shorts[f.Name], f.Question())
	}
	return b.String()
}

// table lists the columns of a table or a view. A name without a schema is that of the first schema that has it.
func (q *question) table(ctx context.Context, name string) (string, error) {
	var b strings.Builder
	columns := 0
	in, of, ok := strings.Cut(name, ".")
	if !ok {
		in, of = q.schemaOf(ctx, name), name
	}
	fmt.Fprintf(&b, "# %s\n\n| column | type | meaning |\n| --- | --- | --- |\n", name)
	err := sqlrows.Each(ctx, q.Conn(), `SELECT column_name, data_type, coalesce(comment, '') FROM duckdb_columns()
		WHERE NOT internal AND table_name = $1 AND schema_name = $2 ORDER BY column_index`,
		func(rows *dbsql.Rows) error {
			var column, kind, comment string
			err := rows.Scan(&column, &kind, &comment)
			fmt.Fprintf(&b, "| %s | %s | %s |\n", column, kind, inCell(comment))
			columns++
			return err
		}, of, in)
	if err == nil && columns == 0 {
		return "", errNotFound
	}
	return b.String(), err
}

// schemaOf returns the first schema that has a table or a view of that name; main if none has.
func (q *question) schemaOf(ctx context.Context, name string) string {
	for _, in := range schema.Schemas() {
		var there bool
		if err := q.Conn().QueryRowContext(ctx,
			`SELECT EXISTS (FROM duckdb_columns() WHERE NOT internal AND table_name = $1 AND schema_name = $2)`, name,
			in).Scan(&there); err == nil && there {
			return in
		}
	}
	return schema.Main
}

// transcript is a conversation as Markdown, as much as an answer may have.
func (q *question) transcript(ctx context.Context, id string) (string, error) {
	key, err := q.conversation(ctx, id)
	if err != nil {
		return "", err
	}
	rows, err := q.Conversation(ctx, key)
	if err != nil {
		return "", err
	}
	if !q.Full {
		rows.Redact(func(text, _ string) string { return q.clean(text) })
	}
	out := &bounded{}
	if err := chat.WriteMarkdown(ctx, out, chat.Choose(rows, false), false); err != nil && !out.full() {
		return "", err
	}
	text := strings.ToValidUTF8(out.String(), "")
	if short := cut(text, answerLimit, 0); short != text {
		text = short + "\n\nlist_messages and get_message have the rest.\n"
	}
	return "> These are " + records + ".\n\n" + text, nil
}

// bounded takes what is written until it has enough.
type bounded struct{ bytes.Buffer }

func (b *bounded) full() bool { return b.Len() > 4*answerLimit }

func (b *bounded) Write(p []byte) (int, error) {
	if b.full() {
		return 0, errEnough
	}
	return b.Buffer.Write(p)
}

// prompts are the questions that people can choose in a client.
func (s *server) prompts() []prompt {
	all := []prompt{
		{"standup", "What did I work on?", "What I did since yesterday, by project.", "since",
			"since when: yesterday unless given; 3d, 2026-03-01", false, func(since string) string {
				return fmt.Sprintf("What did I work on since %s? List my conversations with activity since %[1]q "+
					"(list_conversations), look at the last messages of those whose title does not tell "+
					"(list_messages), and sum up in a few lines for each project: what was done, what is open, what "+
					"failed.", cmp.Or(since, "yesterday"))
			}},
		{"what_did_i_decide", "What did I decide?", "What was decided about a topic, when and why.", "topic",
			"what the decision was about", true, func(topic string) string {
				return fmt.Sprintf("What did I decide about %q, when, and why? Search my history (search), read "+
					"around "+
					"the best hits (list_messages, get_message), and answer with the decision, its date, the reasons "+
					"that were given, and the ids of the conversations. Say so if the history does not tell.", topic)
			}},
	}
	if s.isNarrow() { // the next one asks in SQL
		return all
	}
	return append(all, prompt{name: "failing_tools", title: "Which tools fail?",
		about: "Which tools failed in the last 30 days, and of what.", text: func(string) string {
			return "Which tools of my editor's agent failed in the last 30 days? Count calls, failures and known " +
				"outcomes " +
				"by tool (query on live_tool_calls), group the error messages of the worst three by what they have " +
				"in common, and say what could be done about each."
		}})
}
