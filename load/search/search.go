// Package search finds messages by their words. The index is a file beside the warehouse. It may be removed at any
// time, and is brought up to date from the warehouse's committed rows.
//
// It must never know how rows come into the warehouse, nor how hits are printed.
package search

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"pipeline/load"
	"pipeline/load/reader"
	"pipeline/load/textindex"
	"pipeline/sql/schema"
)

// Options say which messages and fields are searched.
type Options struct {
	reader.Filter          // of messages: Since and Until are about their own time
	In            []string // fields to look into, see Fields; none: all
	Deleted       bool     // also what Cursor no longer has
	SourceID      string   // only messages of this source; "": of any
	Limit         int

	Redact func(text string) string // what is to be done to a text before a part of it is shown; nil: nothing
}

// Found is the result of a search. The best hit comes first.
type Found struct {
	Matches int64 `json:"matches"` // messages that match; where there are more, those that were weighed
	More    bool  `json:"more"`    // older ones match too, and were not weighed
	Hits    []Hit `json:"hits"`
}

// Hit is a message that was found.
type Hit struct {
	SourceID       string `json:"source_id"`
	ConversationID string `json:"conversation_id"`
	MessageID      string `json:"message_id"`
	HitMessage
	FoundIn string            `json:"found_in"` // one of Fields
	Snippet textindex.Snippet `json:"snippet"`
	Score   float64           `json:"score"`
}

// HitMessage has the columns of a message that are shown with its words. The index stores them as the JSON that is
// printed.
type HitMessage struct {
	Position *int64  `json:"position"`
	Title    *string `json:"title"`
	Project  *string `json:"project"`
	Role     string  `json:"role"`
	Kind     string  `json:"kind"`
	Tool     *string `json:"tool"`
	Created  *string `json:"created_at"` // UTC, to the second
	Deleted  bool    `json:"deleted"`
}

// hitTime is the format of HitMessage.Created.
const hitTime = "2006-01-02T15:04:05Z"

// CreatedAt returns the message's time, or nil if it is not known.
func (m HitMessage) CreatedAt() *schema.Millis {
	if m.Created == nil {
		return nil
	}
	t, err := time.Parse(hitTime, *m.Created)
	if err != nil {
		return nil
	}
	ms := schema.Millis(t.UnixMilli())
	return &ms
}

// ErrNoWords says that a query has no words to find.
var ErrNoWords = textindex.ErrNoWords

// Unstarred returns the first word of a query that a star may be added to, see textindex.Unstarred.
func Unstarred(text string) string { return textindex.Unstarred(text) }

// Find returns the messages that match a query (see textindex.Parse).
func (s *Search) Find(ctx context.Context, text string, o Options) (out Found, err error) {
	query, err := textindex.Parse(text)
	if err != nil {
		return out, err
	}
	narrow := textindex.Narrow{Since: (*int64)(o.Since), Until: (*int64)(o.Until), Fields: o.In, Source: o.SourceID}
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
	shown := map[textindex.Hit]Hit{}
	loose, _ := query.Loose()
	found, err := s.index.Find(ctx, query, narrow,
		o.Limit, func(hit textindex.Hit, note string, fields textindex.Fields) error {
			h := Hit{SourceID: hit.Owner.SourceID, ConversationID: hit.Owner.ID, MessageID: hit.ID, Score: hit.Score}
			if err := json.Unmarshal([]byte(note), &h.HitMessage); err != nil {
				return fmt.Errorf("read the note of message %s in the search index: %w", hit.ID, err)
			}
			found := query
			if !query.Matches(o.searched(fields)...) {
				found = loose
			}
			h.FoundIn, h.Snippet = o.bestSnippet(found, fields)
			shown[hit] = h
			return nil
		})
	out = Found{Matches: found.Matches, More: found.More, Hits: []Hit{}}
	if err != nil {
		return out, err
	}
	for _, hit := range found.Hits {
		out.Hits = append(out.Hits, shown[hit])
	}
	return out, nil
}

// Projects returns the projects of the warehouse.
func (s *Search) Projects(ctx context.Context) ([]load.Project, error) {
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	return s.reader.Projects(ctx)
}

// snippetLength is about how many bytes of a message are shown.
const snippetLength = 200

// bestSnippet returns a snippet of the field with the most different words of the query. If several fields have as
// many, it is the first.
func (o Options) bestSnippet(query textindex.Query, fields textindex.Fields) (field string, best textindex.Snippet) {
	most, text := 0, ""
	for i, name := range Fields() {
		if len(o.In) > 0 && !slices.Contains(o.In, name) {
			continue
		}
		s, ok := query.Snippet(fields[i], snippetLength)
		if n := s.Different; ok && n > most {
			field, best, most, text = name, s, n, fields[i]
		}
	}
	best.Text = strings.Clone(best.Text) // not the whole field with it
	if o.Redact != nil && most > 0 {
		best = o.redacted(query, text, best)
	}
	return field, best
}

// redactedAround is how many bytes before and behind a snippet are redacted with it: a secret that begins before the
// snippet is known by its beginning.
const redactedAround = 32 << 10

// redacted returns a snippet of a text that is redacted first. If none of the words are left, it is the beginning of
// what is left around them.
func (o Options) redacted(query textindex.Query, text string, found textindex.Snippet) textindex.Snippet {
	at := strings.Index(text, found.Text)
	from, to := max(0, at-redactedAround), min(len(text), at+len(found.Text)+redactedAround)
	part := o.Redact(strings.ToValidUTF8(text[from:to], ""))
	s, ok := query.Snippet(part, snippetLength)
	if !ok {
		s = textindex.Snippet{Text: beginning(part), After: len(part) > snippetLength}
	}
	s.Text = strings.Clone(s.Text)
	s.Before, s.After = s.Before || from > 0, s.After || to < len(text)
	return s
}

// beginning is the beginning of a text, of at most snippetLength bytes.
func beginning(text string) string {
	if len(text) > snippetLength {
		text = strings.ToValidUTF8(text[:snippetLength], "")
	}
	return text
}
