package textindex

import (
	"context"

	"pipeline/load/tool/sqlrows"
)

// mostSpelt is the largest number of words by which a prefix is replaced. For a prefix, FTS5 merges the positions of
// all its words in memory before it looks at the first, and does so twice. For single words, it reads only the
// positions that it needs.
const mostSpelt = 50

// spellOut replaces each prefix of a query by the words of the index that begin with it, if they are few.
func (x *Index) spellOut(ctx context.Context, q Query) (Query, error) {
	out := Query{Groups: make([][]Phrase, len(q.Groups))}
	var err error
	for i, group := range q.Groups {
		if out.Groups[i], err = x.allSpelt(ctx, group); err != nil {
			return q, err
		}
	}
	out.Excluded, err = x.allSpelt(ctx, q.Excluded)
	return out, err
}

func (x *Index) allSpelt(ctx context.Context, phrases []Phrase) (out []Phrase, err error) {
	for _, p := range phrases {
		spelt, err := x.spelt(ctx, p)
		if err != nil {
			return nil, err
		}
		out = append(out, spelt...)
	}
	return out, nil
}

// spelt returns the phrases that replace a phrase. A text has one of them if and only if it has the given phrase.
func (x *Index) spelt(ctx context.Context, p Phrase) (out []Phrase, err error) {
	if !p.Prefix || len(p.Words) != 1 {
		return []Phrase{p}, nil
	}
	if _, err := x.db.ExecContext(ctx,
		`CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row)`); err != nil {
		return nil, err
	}
	const last = "\U0010ffff" // after every word that begins with what is before it
	words, err := sqlrows.All[string](ctx, x.db,
		`SELECT term FROM temp.vocabulary WHERE term >= ? AND term < ? LIMIT ?`, p.Words[0], p.Words[0]+last, mostSpelt+1)
	if len(words) == 0 || len(words) > mostSpelt {
		return []Phrase{p}, err
	}
	for _, word := range words {
		out = append(out, Phrase{Words: []string{word}})
	}
	return out, err
}
