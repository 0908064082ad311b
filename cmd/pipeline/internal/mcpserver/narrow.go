package mcpserver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/reader"
	"pipeline/load/tool/sqlrows"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
	"pipeline/sql/schema"
)

// This file finds what a question is about, among what may be seen.

// projects are the URIs of the projects that a name or a glob selects, of those that may be seen.
func (q *question) projects(ctx context.Context, wanted string) ([]string, error) {
	all, err := q.Projects(ctx)
	if err != nil {
		return nil, err
	}
	if q.uris != nil {
		all = slices.DeleteFunc(all, func(p load.Project) bool { return !slices.Contains(q.uris, p.URI) })
	}
	uris, err := pipelines.ProjectsNamed(wanted, all)
	if err != nil && q.Project != "" && q.uris == nil { // the names of what may not be seen are not told
		return nil, pipelines.NoProject(wanted, nil)
	}
	return uris, err
}

// within returns the URIs of the projects that a question is about; nil: all.
func (q *question) within(ctx context.Context, project string) ([]string, error) {
	if project == "" {
		return q.uris, nil
	}
	return q.projects(ctx, project)
}

// timeOf parses a time of a question; nil without a text.
func timeOf(name, text string) (*schema.Millis, error) {
	if text == "" {
		return nil, nil
	}
	t, err := file.ParseTime(text, time.Now(), nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	ms := schema.Millis(t.UnixMilli())
	return &ms, nil
}

// filter reads what list_conversations and search have in common.
func (q *question) filter(ctx context.Context, project, since, until string) (f reader.Filter, err error) {
	if f.ProjectURIs, err = q.within(ctx, project); err != nil {
		return f, err
	}
	if f.Since, err = timeOf("since", since); err != nil {
		return f, err
	}
	if f.Until, err = timeOf("until", until); err != nil {
		return f, err
	}
	if f.Since != nil && f.Until != nil && *f.Since >= *f.Until {
		return f, errors.New("since must be before until")
	}
	return f, nil
}

// seen is the condition that a conversation, whose alias is c, may be seen, whatever became of it.
func (q *question) seen() string {
	all := []string{"true"}
	if q.uris != nil {
		all = append(all, "c.project_uri IN ("+literals(q.uris)+")")
	}
	if q.Source != "" {
		all = append(all, "c.source_id = "+engine.Literal(q.Source))
	} else {
		all = append(all, "NOT EXISTS (FROM conversation_copies k WHERE k.source_id = c.source_id AND "+
			"k.conversation_id = c.conversation_id AND NOT k.is_primary)")
	}
	return strings.Join(all, " AND ")
}

func literals(texts []string) string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = engine.Literal(text)
	}
	return strings.Join(out, ", ")
}

// leastID is how many characters of an id are enough to look for it.
const leastID = 4

// candidatesShown is how many conversations an error names.
const candidatesShown = 5

// An unknownID says why an id names no conversation.
type unknownID string

func (e unknownID) Error() string { return string(e) }

// conversation finds the one that an id, or the beginning of an id, names.
func (q *question) conversation(ctx context.Context, id string) (load.RowKey, error) {
	id = strings.TrimSpace(id)
	if len(id) < leastID {
		return load.RowKey{}, unknownID(fmt.Sprintf(
			"%q is too short for an id: give at least %d characters; list_conversations and "+
				"search have ids", id, leastID))
	}
	type candidate struct {
		key   load.RowKey
		title *string
	}
	for _, condition := range []string{"c.conversation_id = ?", "starts_with(c.conversation_id, ?)"} {
		var found []candidate
		err := sqlrows.Each(ctx, q.Conn(),
			`SELECT c.source_id, c.conversation_id, c.display_title FROM all_conversations c WHERE `+condition+` AND `+
				q.seen()+`
			ORDER BY c.last_activity_at DESC NULLS LAST, c.source_id, c.conversation_id LIMIT 20`,
			func(rows *sql.Rows) error {
				var c candidate
				err := rows.Scan(&c.key.SourceID, &c.key.ConversationID, &c.title)
				found = append(found, c)
				return err
			}, id)
		switch {
		case err != nil:
			return load.RowKey{}, err
		case len(found) == 1:
			return found[0].key, nil
		case len(found) > 1:
			text := fmt.Sprintf("%s is the beginning of %d ids or more; give more of it:", id, len(found))
			for _, c := range found[:min(candidatesShown, len(found))] {
				title := ""
				if c.title != nil {
					title = *c.title
				}
				text += fmt.Sprintf(" %s (%s);", c.key.ConversationID, cut(q.clean(title), 60, 0))
			}
			return load.RowKey{}, unknownID(strings.TrimSuffix(text, ";"))
		}
	}
	return load.RowKey{}, unknownID(fmt.Sprintf("no conversation has the id %s: list_conversations and search have ids",
		id))
}

// What follows reads one message in pieces.

// pieceLimit is how many characters of a message an answer has at most.
const pieceLimit = 20_000

type messageInput struct {
	ConversationID string `json:"conversation_id" jsonschema:"id of the conversation, or its beginning"`
	MessageID      string `json:"message_id" jsonschema:"id of the message, whole"`
	Offset         int    `json:"offset,omitempty" jsonschema:"where to begin, in characters: next_offset of the answer before"`
	Length         int    `json:"length,omitempty" jsonschema:"how many characters, 20000 unless given"`
}

// partsOf asks for the texts of a message that are in a range of characters, as though they followed each other: those
// of the message, then those of its tool calls. Around the range it reads some more of each, so that secrets that lie
// across its ends are found.
const partsOf = `WITH m AS (SELECT * FROM messages WHERE source_id = $1 AND conversation_id = $2 AND message_id = $3),
	t AS (SELECT *, ' of ' || coalesce(tool, name, 'tool call') AS called FROM tool_calls WHERE source_id = $1 AND conversation_id = $2 AND message_id = $3),
	parts AS (
		SELECT -1 AS call_index, 0 AS step, 'text' AS part, text AS content FROM m
		UNION ALL SELECT -1, 1, 'thinking', thinking FROM m
		UNION ALL SELECT -1, 2, 'error', coalesce(error, error_code) FROM m
		UNION ALL SELECT -1, 3, 'summary', summary FROM m
		UNION ALL SELECT call_index, 0, 'params' || called, coalesce(CAST(params AS VARCHAR), raw_args, '') FROM t
		UNION ALL SELECT call_index, 1, 'result' || called, CASE WHEN json_type(result) = 'VARCHAR' THEN result ->> '$' ELSE CAST(result AS VARCHAR) END FROM t
		UNION ALL SELECT call_index, 2, 'error' || called, error FROM t),
	places AS (
		SELECT call_index, step, part, content, length(content) AS chars, sum(length(content)) OVER (ORDER BY call_index, step ROWS UNBOUNDED PRECEDING) AS ends,
			sum(length(content)) OVER () AS whole
		FROM parts WHERE content <> '')
SELECT part, CAST(ends - chars AS BIGINT) AS starts, chars, CAST(whole AS BIGINT) AS whole, greatest(0, CAST($4 - (ends - chars) - $6 AS BIGINT)) AS skipped,
	content[CAST(greatest(0, $4 - (ends - chars) - $6) AS BIGINT) + 1 : CAST($5 - (ends - chars) + $6 AS BIGINT)] AS content
FROM places WHERE ends > $4 AND ends - chars < $5 ORDER BY call_index, step`

// partsAround is how many characters beside a range are read with it.
const partsAround = 32_000

// A part is a text of a message, as far as it was read.
type part struct {
	name          string
	starts, chars int64 // where it is among all texts of the message, and how long it is, in characters
	whole         int64 // how long all of them are
	skipped       int64 // how many of its characters are before content
	content       string
}

func getMessage(ctx context.Context, p *page, in messageInput) error {
	key, err := p.conversation(ctx, in.ConversationID)
	if err != nil {
		return err
	}
	var head [4]reader.Cell
	row := p.Conn().
		QueryRowContext(ctx,
			`SELECT role, kind, coalesce(model, ''), epoch_ms(created_at) FROM messages WHERE source_id = ? AND conversation_id = ? AND message_id = ?`, key.SourceID, key.ConversationID, in.MessageID)
	var role, kind, model string
	var at *int64
	if err := row.Scan(&role, &kind, &model, &at); errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("conversation %s has no message %s: list_messages and search have ids",
			key.ConversationID, in.MessageID)
	} else if err != nil {
		return err
	}
	head = [4]reader.Cell{{Value: role}, {Value: kind}, {Value: model}}
	if at != nil {
		head[3].Value = time.UnixMilli(*at)
	}
	from, to := int64(in.Offset), int64(in.Offset+or(in.Length, pieceLimit))
	p.Columns = []string{"role", "kind", "model", "created_at", "part", "offset", "text", "next_offset"}
	err = p.parts(ctx, key, in.MessageID, from, to, func(x part) bool { return p.piece(head[:], x, from, to) })
	if len(p.Rows) == 0 {
		p.note = append(p.note, "the message has no text from there on")
	}
	return err
}

// errEnough ends a reading.
var errEnough = errors.New("enough")

// parts reads the texts of a message in a range, until take returns false.
func (q *question) parts(ctx context.Context, key load.RowKey, message string, from, to int64,
	take func(part) bool) error {
	err := sqlrows.Each(ctx, q.Conn(), partsOf, func(rows *sql.Rows) error {
		var x part
		if err := rows.Scan(&x.name, &x.starts, &x.chars, &x.whole, &x.skipped, &x.content); err != nil {
			return err
		}
		if !take(x) {
			return errEnough
		}
		return nil
	}, key.SourceID, key.ConversationID, message, from, to, int64(partsAround))
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// piece adds what a range of the message's characters has of a part, as far as there is room. It returns whether all of
// it was added.
func (p *page) piece(head []reader.Cell, x part, from, to int64) bool {
	begin, end := max(from-x.starts, 0), min(to-x.starts, x.chars) // in the part
	first := offsetOf(x.content, begin-x.skipped)
	last := first + room(x.content[first:], end-begin, p.room-len(x.name)-300)
	taken := int64(utf8.RuneCountInString(x.content[first:last]))
	text := x.content[first:last]
	if !p.Full {
		text = p.people.Part(x.content, first, last)
	}
	next := reader.Cell{}
	if at := x.starts + begin + taken; at < x.whole && (at >= to || begin+taken < x.chars) {
		next.Value = at
		p.Truncated = true
		p.note = append(p.note, fmt.Sprintf("for more pass offset %d", next.Value))
	}
	row := append(slices.Clone(head), reader.Cell{Value: x.name}, reader.Cell{Value: x.starts + begin})
	cells := append(p.cells(row, cellLimit), text, next.Value)
	p.room -= size(cells)
	p.Rows = append(p.Rows, cells)
	return next.Value == nil
}

// offsetOf is the byte at which a character of a text begins.
func offsetOf(text string, character int64) int {
	n := int64(0)
	for i := range text {
		if n == character {
			return i
		}
		n++
	}
	return len(text)
}

// room is how many bytes of a text have at most so many characters, and take no more than so many as JSON.
func room(text string, characters int64, asJSON int) int {
	for i, r := range text {
		switch {
		case r == '"' || r == '\\' || r == '\n' || r == '\r' || r == '\t':
			asJSON -= 2
		case r < 0x20 || r == '<' || r == '>' || r == '&' || r == 0x2028 || r == 0x2029:
			asJSON -= 6
		default:
			asJSON--
		}
		if characters--; characters < 0 || asJSON < 0 {
			return i
		}
	}
	return len(text)
}
