package load

import (
	"context"
	dbsql "database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pipeline/load/textindex"
	"pipeline/sql/schema"
)

// SearchOptions say what is looked into.
type SearchOptions struct {
	Filter           // of messages: Since and Until are about their own time
	In      []string // fields to look into, see SearchFields; none: all
	Deleted bool     // also what Cursor no longer has
	Limit   int
}

// SearchFound is what was found, the best first.
type SearchFound struct {
	Matches int64       `json:"matches"` // messages that match; where there are more, those that were weighed
	More    bool        `json:"more"`    // older ones match too, and were not weighed
	Hits    []SearchHit `json:"hits"`
}

// SearchHit is a message that was found.
type SearchHit struct {
	SourceID       string            `json:"source_id"`
	ConversationID string            `json:"conversation_id"`
	MessageID      string            `json:"message_id"`
	Position       *int64            `json:"position"`
	Title          *string           `json:"title"`
	Project        *string           `json:"project"`
	Role           string            `json:"role"`
	Kind           string            `json:"kind"`
	Tool           *string           `json:"tool"`
	CreatedAt      *schema.Millis    `json:"-"`
	Created        *string           `json:"created_at"` // UTC
	Deleted        bool              `json:"deleted"`
	FoundIn        string            `json:"found_in"` // text, thinking, params, result
	Snippet        textindex.Snippet `json:"snippet"`
	Score          float64           `json:"score"`
}

// ErrNoWords is a query that names nothing to look for.
var ErrNoWords = textindex.ErrNoWords

// Find looks for the messages that match a query (see textindex.Parse).
func (s *Search) Find(ctx context.Context, text string, o SearchOptions) (out SearchFound, err error) {
	query, err := textindex.Parse(text)
	if err != nil {
		return out, err
	}
	narrow := textindex.Narrow{Since: (*int64)(o.Since), Until: (*int64)(o.Until), Fields: o.In}
	if !o.Deleted {
		narrow.Without = []string{goneFacet}
	}
	for prefix, value := range map[string]string{roleFacet: o.Role, kindFacet: o.Kind, toolFacet: o.Tool} {
		if value != "" {
			narrow.Facets = append(narrow.Facets, []string{prefix + facetName(value)})
		}
	}
	if o.ProjectURIs != nil {
		var projects []string
		for _, uri := range o.ProjectURIs {
			projects = append(projects, projectFacet(uri))
		}
		narrow.Facets = append(narrow.Facets, projects)
	}
	found, err := s.index.Find(ctx, query, narrow, o.Limit)
	if err != nil {
		return out, err
	}
	out.Matches, out.More = found.Matches, found.More
	out.Hits = []SearchHit{}
	for some := range slices.Chunk(found.Hits, hitsAtOnce) {
		hits, err := s.hits(ctx, query, some, o.In)
		if err != nil {
			return out, err
		}
		out.Hits = append(out.Hits, hits...)
	}
	return out, nil
}

// hitsAtOnce is how many messages are read at a time.
const hitsAtOnce = 500

// Reader is the warehouse that is searched.
func (s *Search) Reader() *Reader { return s.reader }

// hits reads the messages that were found, and shows where.
func (s *Search) hits(ctx context.Context, query textindex.Query, found []textindex.Hit, in []string) ([]SearchHit, error) {
	calls := map[messageKey]messageCalls{}
	from, err := s.at(ctx, "tool_calls", found)
	if err == nil {
		calls, err = s.calls(ctx, from)
	}
	if err != nil {
		return nil, err
	}
	if from, err = s.at(ctx, "messages", found); err != nil {
		return nil, err
	}
	read := map[messageKey]SearchHit{}
	err = each(ctx, s.reader.conn, fmt.Sprintf(`SELECT m.source_id, m.conversation_id, m.message_id, m.position, c.title, c.project, m.role, m.kind,
			epoch_ms(m.created_at), m.deleted_at IS NOT NULL OR c.deleted_at IS NOT NULL OR c.status IS NOT DISTINCT FROM 'orphaned',
			strftime(m.created_at, '%%Y-%%m-%%dT%%H:%%M:%%SZ'), coalesce(left(m.text, %[1]d), ''), coalesce(left(m.thinking, %[1]d), '')
		FROM (%[2]s) m JOIN conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id`, searchedLength, from), func(rows *dbsql.Rows) error {
		var h SearchHit
		var fields [4]string
		err := rows.Scan(&h.SourceID, &h.ConversationID, &h.MessageID, &h.Position, &h.Title, &h.Project, &h.Role, &h.Kind, &h.CreatedAt, &h.Deleted, &h.Created, &fields[0], &fields[1])
		if err != nil {
			return err
		}
		key := messageKey{textindex.Owner{SourceID: h.SourceID, ID: h.ConversationID}, h.MessageID}
		if c, called := calls[key]; called {
			h.Tool, fields[2], fields[3] = &c.tool, c.params, c.result
		}
		h.FoundIn, h.Snippet = bestSnippet(query, fields, in)
		read[key] = h
		return nil
	})
	out := make([]SearchHit, 0, len(found))
	for _, f := range found {
		if h, ok := read[messageKey{f.Owner, f.ID}]; ok {
			h.Score = f.Score
			out = append(out, h)
		}
	}
	return out, err
}

// at is a query for the rows of what was found, by their places in the table, a few of them one by one: asked for by their keys, or for several
// places at once, the engine would read the texts of others too.
func (s *Search) at(ctx context.Context, table string, found []textindex.Hit) (query string, err error) {
	wanted := map[messageKey]bool{}
	var conversations, messages []string
	for _, h := range found {
		wanted[messageKey{h.Owner, h.ID}] = true
		conversations, messages = append(conversations, h.Owner.ID), append(messages, h.ID)
	}
	var places []string
	err = each(ctx, s.reader.conn, fmt.Sprintf("SELECT source_id, conversation_id, message_id, rowid FROM %s WHERE conversation_id IN (%s) AND message_id IN (%s)",
		table, literals(conversations), literals(messages)), func(rows *dbsql.Rows) error {
		var key messageKey
		var rowid int64
		err := rows.Scan(&key.owner.SourceID, &key.owner.ID, &key.id, &rowid)
		if wanted[key] {
			places = append(places, strconv.FormatInt(rowid, 10))
		}
		return err
	})
	switch from := "FROM " + table + " WHERE rowid "; {
	case len(places) == 0:
		return "FROM " + table + " WHERE false", err
	case len(places) > fewPlaces:
		return from + "IN (" + strings.Join(places, ", ") + ")", err
	default:
		return from + "= " + strings.Join(places, " UNION ALL "+from+"= "), err
	}
}

// fewPlaces is up to how many rows are asked for one by one.
const fewPlaces = 50

// snippetLength is about how many bytes of a message are shown.
const snippetLength = 200

// bestSnippet shows the field that holds most of what was looked for; of equal ones the first.
func bestSnippet(query textindex.Query, fields [4]string, in []string) (field string, best textindex.Snippet) {
	most := 0
	for i, name := range SearchFields() {
		if len(in) > 0 && !slices.Contains(in, name) {
			continue
		}
		s, ok := query.Snippet(fields[i], snippetLength)
		if n := s.Different; ok && n > most {
			field, best, most = name, s, n
		}
	}
	return field, best
}
