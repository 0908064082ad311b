package textindex

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// Update removes the texts of some owners, adds those of others, and stores the state, all in one transaction. gone are
// the owners whose texts are removed. changed maps the owners whose texts are replaced to their signatures; it must
// have the owner of every new text.
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
		for o := range changed {
			if err := u.remove(ctx, o); err != nil {
				return err
			}
		}
		owners := map[Owner]int64{}
		for o, signature := range changed {
			result, err := tx.ExecContext(ctx, `INSERT INTO owners (source_id, owner_id, signature) VALUES (?, ?, ?)`,
				o.SourceID, o.ID, signature)
			if err == nil {
				owners[o], err = result.LastInsertId()
			}
			if err != nil {
				return err
			}
		}
		for text, err := range texts {
			if err != nil {
				return err
			}
			if err := u.add(ctx, owners[text.Owner], text); err != nil {
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
	tx    *sql.Tx
	text  *sql.Stmt
	words *sql.Stmt
	pages *pages
	next  map[int64]int64 // by second, the id to try
	late  int64           // the largest distance of a text's id from firstID
}

func newUpdate(ctx context.Context, tx *sql.Tx, fields []string) (*update, error) {
	u := &update{tx: tx, next: map[int64]int64{}}
	var err error
	if u.text, err = tx.PrepareContext(ctx,
		`INSERT OR IGNORE INTO texts (id, owner, text_id, at, page, place) VALUES (?, ?, ?, ?, ?, ?)`); err != nil {
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

// add adds a text, with the next free id of its time.
func (u *update) add(ctx context.Context, owner int64, t *Text) error {
	page, place, err := u.pages.add(ctx, owner, t)
	if err != nil {
		return err
	}
	first := firstID(t.At)
	id := max(u.next[first], first)
	for {
		result, err := u.text.ExecContext(ctx, id, owner, t.ID, t.At, page, place)
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
	for key, value := range map[string]string{"state": state, "stamp": "", "late": strconv.FormatInt(u.late, 10)} {
		if _, err := u.tx.ExecContext(ctx, `INSERT OR REPLACE INTO settings VALUES (?, ?)`, key, value); err != nil {
			return err
		}
	}
	return errors.Join(u.text.Close(), u.words.Close(), u.pages.close())
}
