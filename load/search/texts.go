package search

import (
	"context"
	"crypto/sha256"
	dbsql "database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"
	"time"

	"pipeline/load/engine"
	"pipeline/load/textindex"
	"pipeline/load/tool/sqlrows"
)

// This file reads messages for the search index.

// searchPart is the messages that are read at a time: those of some conversations, or some of those of a large one.
// Their rows are close together in the table.
type searchPart struct {
	conversations   []string
	messages, calls rowRange
	part, parts     int64
}

// rowRange is the first and the last row of a range in a table. A query by row numbers needs no scan.
type rowRange struct{ first, last int64 }

func (r *rowRange) add(o rowRange) { r.first, r.last = min(r.first, o.first), max(r.last, o.last) }

// closeRows is how many rows of other conversations may be between those of a part.
const closeRows = 2048

// fewChanged is how many conversations a query names: it reads the texts of no other then.
const fewChanged = 1000

// parts divides the changed conversations into parts of a size that memory can hold.
func (s *Search) parts(ctx context.Context, changed map[textindex.Owner]string) (out []searchPart, messages int64,
	err error) {
	size, only := int64(searchBatch), "true"
	if len(changed) <= fewChanged {
		var ids []string
		for o := range changed {
			ids = append(ids, o.ID)
		}
		only = among(ids)
	}
	err = sqlrows.Each(ctx, s.reader.Conn(), fmt.Sprintf(`WITH said AS (
			SELECT source_id, conversation_id, count(*) AS rows, min(rowid) AS first, max(rowid) AS last,
				sum(least(coalesce(strlen(text), 0), %[1]d) + least(coalesce(strlen(thinking), 0), %[1]d)) AS bytes FROM messages WHERE %[3]s GROUP BY ALL),
		called AS (
			SELECT source_id, conversation_id, min(rowid) AS first, max(rowid) AS last,
				sum(least(coalesce(strlen(CAST(params AS VARCHAR)), 0), %[1]d) + least(coalesce(strlen(CAST(result AS VARCHAR)), 0), %[1]d)) AS bytes FROM tool_calls WHERE %[3]s GROUP BY ALL)
		SELECT m.source_id, m.conversation_id, m.rows, TRY_CAST(m.bytes + coalesce(c.bytes, 0) AS BIGINT), m.first, m.last, coalesce(c.first, %[2]d), coalesce(c.last, -1)
		FROM said m LEFT JOIN called c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
		ORDER BY m.first`, searchedLength, math.MaxInt64, only), func(rows *dbsql.Rows) error {
		var o textindex.Owner
		var count, bytes int64
		p := searchPart{parts: 1}
		if err := rows.Scan(&o.SourceID, &o.ID, &count, &bytes, &p.messages.first, &p.messages.last, &p.calls.first,
			&p.calls.last); err != nil {
			return err
		}
		if _, wanted := changed[o]; !wanted {
			return nil
		}
		messages += count
		bytes += 500 * count
		p.conversations = []string{o.ID}
		if last := len(out) - 1; size+bytes <= searchBatch && p.messages.first <= out[last].messages.last+closeRows {
			out[last].conversations = append(out[last].conversations, o.ID)
			out[last].messages.add(p.messages)
			out[last].calls.add(p.calls)
			size += bytes
			return nil
		}
		p.parts = (bytes + searchBatch - 1) / searchBatch
		for p.part = range p.parts {
			out = append(out, p)
		}
		if size = bytes; p.parts > 1 {
			size = searchBatch // nothing is added to it
		}
		return nil
	})
	return out, messages, err
}

// among is a condition for the rows of some conversations. A scan asks it before it reads other columns, which it does
// not with IN.
func among(conversations []string) string {
	return "list_contains([" + engine.Literals(conversations) + "]::VARCHAR[], conversation_id)"
}

// rows returns a query for the rows of the part.
func (p searchPart) rows(table string, rows rowRange) string {
	return fmt.Sprintf("FROM "+table+" WHERE rowid BETWEEN %d AND %d AND %s AND hash(message_id) %% %d = %d",
		rows.first, rows.last, among(p.conversations), p.parts, p.part)
}

// texts yields the messages of a part.
func (s *Search) texts(ctx context.Context, p searchPart,
	changed map[textindex.Owner]string) iter.Seq2[*textindex.Text, error] {
	return func(yield func(*textindex.Text, error) bool) {
		calls, err := s.calls(ctx, p.rows("tool_calls", p.calls))
		if err != nil {
			yield(nil, err)
			return
		}
		stopped := errors.New("enough")
		err = sqlrows.Each(ctx, s.reader.Conn(),
			fmt.Sprintf(
				`SELECT m.source_id, m.conversation_id, m.message_id, epoch_ms(m.created_at), m.position, m.role, m.kind,
				m.deleted_at IS NOT NULL OR c.deleted_at IS NOT NULL OR c.status IS NOT DISTINCT FROM 'orphaned', c.display_title, c.project, coalesce(c.project_uri, ''),
				coalesce(left(m.text, %[1]d), ''), CASE WHEN m.position = 0 THEN coalesce(c.display_title, '') ELSE '' END, coalesce(left(m.thinking, %[1]d), '')
			FROM (%[2]s) m JOIN all_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
			ORDER BY m.created_at`, searchedLength, p.rows("messages", p.messages)), func(rows *dbsql.Rows) error {
				t, err := textOf(rows, calls)
				if err != nil {
					return err
				}
				if _, wanted := changed[t.Owner]; wanted && !yield(t, nil) { // else of the same name in another source
					return stopped
				}
				return nil
			})
		if err != nil && !errors.Is(err, stopped) {
			yield(nil, err)
		}
	}
}

// textOf returns a message in the form that the index takes.
func textOf(rows *dbsql.Rows, calls map[messageKey]messageCalls) (*textindex.Text, error) {
	var t textindex.Text
	var m HitMessage
	var at *int64
	var project string
	if err := rows.Scan(&t.Owner.SourceID, &t.Owner.ID, &t.ID, &at, &m.Position, &m.Role, &m.Kind, &m.Deleted, &m.Title,
		&m.Project, &project, &t.Fields[0], &t.Fields[1], &t.Fields[2]); err != nil {
		return nil, err
	}
	if at != nil {
		created := time.UnixMilli(*at).UTC().Format(hitTime)
		t.At, m.Created = *at, &created
	}
	c, called := calls[messageKey{t.Owner, t.ID}]
	if called {
		m.Tool, t.Fields[3], t.Fields[4] = &c.tool, c.params, c.result
	}
	note, err := json.Marshal(m)
	t.Note = string(note)
	t.Facets = append(c.facets, roleFacet+m.Role, kindFacet+m.Kind, projectFacet(project))
	if m.Deleted {
		t.Facets = append(t.Facets, goneFacet)
	}
	return &t, err
}

type messageKey struct {
	owner textindex.Owner
	id    string
}

// messageCalls are the tool calls of a message, put together.
type messageCalls struct {
	tool           string // of the first
	params, result string
	facets         []string
}

// calls returns the tool calls that a query selects, by message.
func (s *Search) calls(ctx context.Context, from string) (map[messageKey]messageCalls, error) {
	out := map[messageKey]messageCalls{}
	err := sqlrows.Each(ctx, s.reader.Conn(),
		fmt.Sprintf(`SELECT source_id, conversation_id, message_id, coalesce(tool, ''), coalesce(name, ''),
			coalesce(left(CAST(params AS VARCHAR), %[1]d), ''), coalesce(left(CAST(result AS VARCHAR), %[1]d), '')
		FROM (%[2]s) ORDER BY source_id, conversation_id, message_id, call_index`, searchedLength,
			from), func(rows *dbsql.Rows) error {
			var key messageKey
			var tool, name, params, result string
			if err := rows.Scan(&key.owner.SourceID, &key.owner.ID, &key.id, &tool, &name, &params,
				&result); err != nil {
				return err
			}
			c := out[key]
			if c.tool == "" {
				c.tool = tool
			}
			c.params, c.result = addLeaves(c.params, params), addLeaves(c.result, result)
			c.facets = append(c.facets, toolFacet+facetName(tool), toolFacet+facetName(name))
			out[key] = c
			return nil
		})
	return out, err
}

func addLeaves(before, document string) string {
	if before == "" {
		return textindex.Leaves(document)
	}
	return before + "\n" + textindex.Leaves(document)
}

// These are the facets by which messages can be filtered.
const (
	goneFacet = "gone" // Cursor no longer has it. Few are: a mark of all others would have to be read in each search
	roleFacet = "role:"
	kindFacet = "kind:"
	toolFacet = "tool:" // a call's stable name, or the stored one
)

func projectFacet(uri string) string {
	sum := sha256.Sum256([]byte(uri))
	return "project:" + hex.EncodeToString(sum[:8])
}

// facetName returns a name as one word.
func facetName(name string) string { return strings.Join(strings.Fields(strings.ToLower(name)), "_") }
