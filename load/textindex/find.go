package textindex

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pipeline/load/tool/sqlrows"
)

// Narrow restricts a search to some texts and fields.
type Narrow struct {
	Since, Until *int64     // milliseconds: from, and before; texts of unknown time are in neither
	Facets       [][]string // of each group a text has one
	Without      []string   // facets that a text has none of
	Fields       []string   // names of the fields to look into; none: all
	Source       string     // the source of a text's owner; "": any
}

// A Hit is a text that matches.
type Hit struct {
	Owner Owner
	ID    string
	Score float64 // the larger the better; comparable within one search

	page, place int64 // where its text is
}

// Found is the result of a search. The best hit comes first.
type Found struct {
	Hits    []Hit
	Matches int64 // texts that match and were weighed
	More    bool  // older ones match too, and were not
}

// rankedAtMost is how many matching texts are ranked, the newest ones. Each takes about 5 microseconds. For words that
// are in nearly all texts, to rank all would take long and be of little use.
const rankedAtMost = 5_000

// Few is the number of texts below which words that only begin like those of a query are found, too.
const Few = 10

// A Shower is called with a hit, its note and its fields.
type Shower func(hit Hit, note string, fields Fields) error

// Find returns the texts that match a query. Those with its words in the first fields come first, then those with the
// words anywhere; before others, those with the words close together. While there are few, words may be the beginnings
// of words (Query.Loose). It calls show, if it is not nil, for each hit, in any order.
func (x *Index) Find(ctx context.Context, q Query, narrow Narrow, limit int, show Shower) (found Found, err error) {
	loose, isLoose := q.Loose()
	if q, err = x.spellOut(ctx, q); err == nil && isLoose {
		loose, err = x.spellOut(ctx, loose)
	}
	if err != nil {
		return found, x.failed(err)
	}
	// another process may bring the index up to date meanwhile
	tx, err := x.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return found, x.failed(err)
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	r := ranking{x: x, tx: tx, narrow: narrow, seen: map[int64]bool{}}
	first := slices.DeleteFunc(slices.Clone(x.fields[:FirstFields]), func(field string) bool {
		return len(narrow.Fields) > 0 && !slices.Contains(narrow.Fields, field)
	})
	type step struct {
		query  Query
		loose  bool
		fields []string
	}
	steps := []step{{q, false, first}, {loose, true, first}, {q, false, narrow.Fields}, {loose, true, narrow.Fields}}
	switch len(first) {
	case 0:
		steps = steps[2:]
	case len(narrow.Fields): // no others are wanted
		steps = steps[:2]
	}
	for _, step := range steps {
		if step.loose && (!isLoose || len(r.ranked) >= min(limit, Few)) {
			continue
		}
		if err := r.add(ctx, limit, step.query.close(step.fields), step.query.expression(step.fields)); err != nil {
			return found, x.failed(err)
		}
	}
	found.Matches, found.More = int64(len(r.ranked)), r.more
	found.Hits, err = r.hits(ctx, r.ranked[:min(limit, len(r.ranked))])
	if err == nil && show != nil {
		err = read(ctx, tx, found.Hits, show)
	}
	return found, x.failed(err)
}

// A ranking puts texts into the order in which they are shown.
type ranking struct {
	x      *Index
	tx     *sql.Tx
	narrow Narrow

	ranked []weight
	seen   map[int64]bool
	more   bool // older texts match, too
}

// FirstFields is how many of the fields are looked into first.
const FirstFields = 3

// add adds the newest texts that match expressions and are not there yet, those of the first expression first; of one
// expression the best ones first, and of equal ones the newer. Once there are limit texts the others are only counted:
// their scores are not worked out, and the last expression has the texts of those before it, too.
func (r *ranking) add(ctx context.Context, limit int, expressions ...string) error {
	for i, expression := range expressions {
		counted := len(r.ranked) >= limit
		if expression == "" || counted && i < len(expressions)-1 {
			continue
		}
		score := "bm25(words, 4, 4, 2, 2, 1, 0)"
		if counted {
			score = "0.0"
		}
		weighed, err := r.x.search(r.tx, expression, r.narrow).weighed(ctx, score)
		if err != nil {
			return err
		}
		if len(weighed) > rankedAtMost {
			weighed, r.more = weighed[:rankedAtMost], true
		}
		weighed = slices.DeleteFunc(weighed, func(w weight) bool { return r.seen[w.id] })
		for _, w := range weighed {
			r.seen[w.id] = true
		}
		slices.SortStableFunc(weighed, func(a, b weight) int { return cmp.Compare(a.score, b.score) })
		r.ranked = append(r.ranked, weighed...)
	}
	return nil
}

func (x *Index) failed(err error) error {
	if err != nil {
		return fmt.Errorf("search %s: %w", x.path, err)
	}
	return nil
}

// search is an expression of FTS5 and its conditions.
type search struct {
	tx         *sql.Tx
	from       string
	conditions []string
	args       []any
}

func (x *Index) search(tx *sql.Tx, expression string, narrow Narrow) *search {
	expression = "(" + expression + ")"
	for _, group := range narrow.Facets {
		expression += " AND (" + anyFacet(group) + ")"
	}
	if len(narrow.Without) > 0 {
		expression = "(" + expression + ") NOT (" + anyFacet(narrow.Without) + ")"
	}
	s := &search{tx: tx, from: "words"}
	s.where("words MATCH ?", expression)
	if narrow.Since != nil || narrow.Until != nil {
		s.from = "words JOIN texts t ON t.id = words.rowid"
		s.where("t.at > ?", 0)
	}
	if narrow.Since != nil {
		// what is older has a smaller id; what has not may still be older
		s.where("words.rowid >= ?", firstID(*narrow.Since))
		s.where("t.at >= ?", *narrow.Since)
	}
	if narrow.Until != nil {
		s.where("t.at < ?", *narrow.Until)
		s.where("words.rowid <= ? + (SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'late')",
			firstID(*narrow.Until))
	}
	if narrow.Source != "" {
		s.from = "words JOIN texts t ON t.id = words.rowid"
		s.where("t.owner IN (SELECT id FROM owners WHERE source_id = ?)", narrow.Source)
	}
	return s
}

// facetMark begins each facet in the index. No word and no prefix in a query begins with it. So a query for facets
// needs no restriction to their column, which would take longer than the rest of a search for a common word.
const facetMark = ":"

func anyFacet(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quoted(facetMark + name)
	}
	return strings.Join(out, " OR ")
}

func (s *search) where(condition string, arg any) {
	s.conditions, s.args = append(s.conditions, condition), append(s.args, arg)
}

// weight is the score of a text for a query. A smaller score is better.
type weight struct {
	id    int64
	score float64
}

// weighed returns the newest matching texts with their scores, which an expression works out, the newest first. It
// returns at most one more than are ranked. By BM25, rare words count more than common ones, and short texts more than
// long ones.
func (s *search) weighed(ctx context.Context, score string) ([]weight, error) {
	return sqlrows.All[weight](ctx, s.tx,
		fmt.Sprintf("SELECT words.rowid, %s FROM %s WHERE %s ORDER BY words.rowid DESC LIMIT %d", score,
			s.from, strings.Join(s.conditions, " AND "), rankedAtMost+1), s.args...)
}

// hits reads the owners, ids and places of texts.
func (r *ranking) hits(ctx context.Context, weighed []weight) ([]Hit, error) {
	out := make([]Hit, len(weighed))
	text, err := r.tx.PrepareContext(ctx,
		`SELECT o.source_id, o.owner_id, t.text_id, t.page, t.place FROM texts t JOIN owners o ON o.id = t.owner WHERE t.id = ?`)
	if err != nil {
		return nil, err
	}
	for i, w := range weighed {
		h := &out[i]
		h.Score = -w.score
		if err := text.QueryRowContext(ctx, w.id).
			Scan(&h.Owner.SourceID, &h.Owner.ID, &h.ID, &h.page, &h.place); err != nil {
			return nil, errors.Join(err, text.Close())
		}
	}
	return out, text.Close()
}
