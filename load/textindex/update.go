package textindex

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"pipeline/load/tool/sqlrows"
)

// Update removes the texts of some owners, brings those of others up to date, and stores the state, all in one
// transaction. gone are the owners whose texts are removed. changed maps the others to their signatures; texts yields
// all that these have now. A text that is as it was stays: to take a text in costs far more than to compare it.
func (x *Index) Update(ctx context.Context, state string, gone []Owner, changed map[Owner]string,
	texts iter.Seq2[*Text, error]) error {
	err := x.inTransaction(ctx, func(tx *sql.Tx) error {
		u, err := newUpdate(ctx, tx, x.fields)
		if err != nil {
			return err
		}
		for _, o := range gone {
			if err := u.remove(ctx, o); err != nil {
				return err
			}
		}
		for o, signature := range changed {
			if err := u.expect(ctx, o, signature); err != nil {
				return err
			}
		}
		for text, err := range texts {
			if err != nil {
				return err
			}
			if err := u.put(ctx, u.owners[text.Owner], text); err != nil {
				return err
			}
		}
		return u.finish(ctx, state)
	})
	if err != nil {
		return fmt.Errorf("bring the search index %s up to date: %w", x.path, err)
	}
	return nil
}

// secondIDs is how many texts of one second have ids in the order of time. Further texts take ids of later seconds.
const secondIDs = 16

// firstID returns the smallest id that a text of a time can have. Ids follow time, so that a search by ids finds the
// newest texts first.
func firstID(at int64) int64 { return max(at, 0) / 1000 * secondIDs }

// update is a running Update.
type update struct {
	tx     *sql.Tx
	text   *sql.Stmt
	words  *sql.Stmt
	pages  *pages
	owners map[Owner]*owner // those that have changed
	next   map[int64]int64  // by second, the id to try
	late   int64            // the largest distance of a text's id from firstID
}

// owner is an owner whose texts are brought up to date.
type owner struct {
	id      int64
	had     map[uint64]stored // its texts that did not come yet, by the sums of their ids
	dropped bool              // some are gone
}

// stored is a text in the index.
type stored struct {
	id  int64
	sum uint64
}

func newUpdate(ctx context.Context, tx *sql.Tx, fields []string) (*update, error) {
	u := &update{tx: tx, owners: map[Owner]*owner{}, next: map[int64]int64{}}
	var err error
	if u.text, err = tx.PrepareContext(ctx,
		`INSERT OR IGNORE INTO texts (id, owner, text_id, at, page, place, sum) VALUES (?, ?, ?, ?, ?, ?, ?)`); err != nil {
		return nil, err
	}
	if u.words, err = tx.PrepareContext(ctx, `INSERT INTO words (rowid, `+strings.Join(fields, ", ")+
		`, facets) VALUES (?`+strings.Repeat(", ?", len(fields)+1)+`)`); err != nil {
		return nil, err
	}
	if u.pages, err = newPages(ctx, tx); err != nil {
		return nil, err
	}
	var late sql.NullString
	if err := tx.QueryRowContext(ctx, `SELECT max(value) FROM settings WHERE key = 'late'`).Scan(&late); err != nil ||
		!late.Valid {
		return u, err
	}
	u.late, err = strconv.ParseInt(late.String, 10, 64)
	return u, err
}

func (u *update) remove(ctx context.Context, o Owner) error {
	for _, statement := range []string{
		`DELETE FROM words WHERE rowid IN (SELECT t.id FROM texts t JOIN owners o ON o.id = t.owner WHERE o.source_id = ? AND o.owner_id = ?)`,
		`DELETE FROM pages WHERE owner IN (SELECT id FROM owners WHERE source_id = ? AND owner_id = ?)`,
		`DELETE FROM texts WHERE owner IN (SELECT id FROM owners WHERE source_id = ? AND owner_id = ?)`,
		`DELETE FROM owners WHERE source_id = ? AND owner_id = ?`,
	} {
		if _, err := u.tx.ExecContext(ctx, statement, o.SourceID, o.ID); err != nil {
			return err
		}
	}
	return nil
}

// expect prepares for the texts of an owner.
func (u *update) expect(ctx context.Context, o Owner, signature string) error {
	to := &owner{had: map[uint64]stored{}}
	u.owners[o] = to
	err := u.tx.QueryRowContext(ctx, `INSERT INTO owners (source_id, owner_id, signature) VALUES (?, ?, ?)
		ON CONFLICT DO UPDATE SET signature = excluded.signature RETURNING id`, o.SourceID, o.ID, signature).Scan(&to.id)
	if err != nil {
		return err
	}
	var twice []int64
	err = sqlrows.Each(ctx, u.tx, `SELECT id, text_id, sum FROM texts WHERE owner = ?`, func(rows *sql.Rows) error {
		var text stored
		var id string
		var sum int64
		err := rows.Scan(&text.id, &id, &sum)
		text.sum = uint64(sum)
		of := xxh3.HashString(id)
		if _, had := to.had[of]; had { // two ids have the same sum, by chance
			twice = append(twice, text.id)
			return err
		}
		to.had[of] = text
		return err
	}, to.id)
	for _, id := range twice {
		err = cmp.Or(err, u.drop(ctx, to, id))
	}
	return err
}

// put takes a text in, unless the index has it.
func (u *update) put(ctx context.Context, to *owner, t *Text) error {
	id, sum := xxh3.HashString(t.ID), sumOf(t)
	if had, ok := to.had[id]; ok {
		if delete(to.had, id); had.sum == sum {
			return nil
		}
		if err := u.drop(ctx, to, had.id); err != nil {
			return err
		}
	}
	return u.add(ctx, to.id, t, sum)
}

// sumOf is a hash of all that the index has of a text.
func sumOf(t *Text) uint64 {
	h := xxh3.New()
	for _, parts := range [][]string{{t.ID, strconv.FormatInt(t.At, 10), t.Note}, t.Fields[:], t.Facets} {
		for _, part := range parts {
			_, _ = h.WriteString(strconv.Itoa(len(part)) + ":")
			_, _ = h.WriteString(part)
		}
	}
	return h.Sum64()
}

// drop removes one text of an owner.
func (u *update) drop(ctx context.Context, of *owner, id int64) error {
	of.dropped = true
	_, err := u.tx.ExecContext(ctx, `DELETE FROM words WHERE rowid = ?1; DELETE FROM texts WHERE id = ?1`, id)
	return err
}

// tidy removes what an owner had and has no longer, and its pages without a text.
func (u *update) tidy(ctx context.Context, o *owner) error {
	for _, text := range o.had {
		if err := u.drop(ctx, o, text.id); err != nil {
			return err
		}
	}
	if !o.dropped {
		return nil
	}
	_, err := u.tx.ExecContext(ctx, `DELETE FROM pages WHERE owner = ?1 AND id NOT IN
		(SELECT page FROM texts WHERE owner = ?1)`, o.id)
	return err
}

// add adds a text, with the next free id of its time.
func (u *update) add(ctx context.Context, owner int64, t *Text, sum uint64) error {
	page, place, err := u.pages.add(ctx, owner, t)
	if err != nil {
		return err
	}
	first := firstID(t.At)
	id := max(u.next[first], first)
	for {
		result, err := u.text.ExecContext(ctx, id, owner, t.ID, t.At, page, place, int64(sum))
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n > 0 {
			if err != nil {
				return err
			}
			break
		}
		id++
	}
	u.next[first] = id + 1
	u.late = max(u.late, id-first)
	args := []any{id}
	for _, f := range t.Fields {
		args = append(args, spaced(f))
	}
	_, err = u.words.ExecContext(ctx, append(args, marked(t.Facets))...)
	return err
}

// marked returns facets as the index stores them.
func marked(facets []string) string {
	if len(facets) == 0 {
		return ""
	}
	return facetMark + strings.Join(facets, " "+facetMark)
}

func (u *update) finish(ctx context.Context, state string) error {
	if err := u.pages.flush(ctx); err != nil {
		return err
	}
	for _, o := range u.owners {
		if err := u.tidy(ctx, o); err != nil {
			return err
		}
	}
	for key, value := range map[string]string{"state": state, "stamp": "", "late": strconv.FormatInt(u.late, 10)} {
		if _, err := u.tx.ExecContext(ctx, `INSERT OR REPLACE INTO settings VALUES (?, ?)`, key, value); err != nil {
			return err
		}
	}
	return errors.Join(u.text.Close(), u.words.Close(), u.pages.close())
}
