package textindex

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// Narrow says which texts are looked at.
type Narrow struct {
	Since, Until *int64     // milliseconds: from, and before; texts of unknown time are in neither
	Facets       [][]string // of each group a text has one
	Without      []string   // facets that a text has none of
	Fields       []string   // names of the fields to look into; none: all
}

// A Hit is a text that was found.
type Hit struct {
	Owner Owner
	ID    string
	Score float64 // the larger the better; comparable within one search
}

// Found is what a search found, the best first.
type Found struct {
	Hits    []Hit
	Matches int64 // texts that match and were weighed
	More    bool  // older ones match too, and were not
}

// rankedAtMost is how many texts are weighed, the newest that match: about 5 microseconds each. Of words that stand everywhere, weighing all would
// take long and tell little.
const rankedAtMost = 5_000

// Find looks for texts that match a query.
func (x *Index) Find(ctx context.Context, q Query, narrow Narrow, limit int) (found Found, err error) {
	s := x.search(q, narrow)
	newest := s.query("words.rowid AS id", fmt.Sprintf("ORDER BY words.rowid DESC LIMIT %d", rankedAtMost+1))
	var oldest sql.NullInt64
	err = s.db.QueryRowContext(ctx, `SELECT count(*), min(id) FROM (`+newest+`)`, s.args...).Scan(&found.Matches, &oldest)
	if err != nil {
		return found, x.failed(err)
	}
	if found.Matches > rankedAtMost {
		found.Matches, found.More = rankedAtMost, true
		s.where("words.rowid > ?", oldest.Int64)
	}
	found.Hits, err = s.best(ctx, limit)
	return found, x.failed(err)
}

func (x *Index) failed(err error) error {
	if err != nil {
		return fmt.Errorf("search %s: %w", x.path, err)
	}
	return nil
}

// search is a query and its conditions.
type search struct {
	db         *sql.DB
	from       string
	conditions []string
	args       []any
}

func (x *Index) search(q Query, narrow Narrow) *search {
	fields := narrow.Fields
	if len(fields) == 0 {
		fields = x.fields
	}
	expression := "(" + q.expression(fields) + ")"
	for _, group := range narrow.Facets {
		expression += " AND (facets : (" + anyName(group) + "))"
	}
	if len(narrow.Without) > 0 {
		expression = "(" + expression + ") NOT (facets : (" + anyName(narrow.Without) + "))"
	}
	s := &search{db: x.db, from: "words"}
	s.where("words MATCH ?", expression)
	if narrow.Since != nil || narrow.Until != nil {
		s.from = "words JOIN texts t ON t.id = words.rowid"
		s.where("t.at > ?", 0)
	}
	if narrow.Since != nil {
		s.where("words.rowid >= ?", firstID(*narrow.Since)) // what is older has a smaller id; what has not may still be older
		s.where("t.at >= ?", *narrow.Since)
	}
	if narrow.Until != nil {
		s.where("t.at < ?", *narrow.Until)
		s.where("words.rowid <= ? + (SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'late')", firstID(*narrow.Until))
	}
	return s
}

func anyName(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quoted(name)
	}
	return strings.Join(out, " OR ")
}

func (s *search) where(condition string, arg any) {
	s.conditions, s.args = append(s.conditions, condition), append(s.args, arg)
}

func (s *search) query(what, rest string) string {
	return "SELECT " + what + " FROM " + s.from + " WHERE " + strings.Join(s.conditions, " AND ") + " " + rest
}

// best weighs what matches by BM25: rare words count more than common ones, short texts more than long ones, and of equal texts the newer is first.
func (s *search) best(ctx context.Context, limit int) (out []Hit, err error) {
	ranked := s.query("words.rowid AS id, bm25(words, 4, 2, 2, 1, 0) AS score", fmt.Sprintf("ORDER BY score, words.rowid DESC LIMIT %d", limit))
	rows, err := s.db.QueryContext(ctx, `SELECT o.source_id, o.owner_id, t.text_id, -r.score FROM (`+ranked+`) r
		JOIN texts t ON t.id = r.id JOIN owners o ON o.id = t.owner ORDER BY r.score, r.id DESC`, s.args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var h Hit
		if err := rows.Scan(&h.Owner.SourceID, &h.Owner.ID, &h.ID, &h.Score); err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, rows.Err()
}
