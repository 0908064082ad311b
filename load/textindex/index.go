// Package textindex keeps a full-text index in a file of its own, and finds texts by their words.
//
// It knows words, and SQLite's FTS5, in which it keeps them. It must never know where the texts come from, nor what a
// chat is: it treats owners, texts and facets as mere names.
package textindex

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the index is a SQLite file

	"pipeline/load/tool/sqlrows"
)

// format is the version of the file. A file of another version is made anew.
const format = 5

// An Owner owns texts.
type Owner struct{ SourceID, ID string }

// A Text is an entry of the index.
type Text struct {
	Owner  Owner
	ID     string   // unique within the owner
	At     int64    // milliseconds since 1970; 0 where it is not known
	Facets []string // names by which a search can be narrowed, without spaces
	Note   string   // the caller's own data, which a hit returns
	Fields Fields   // a hit in an earlier one is worth more
}

// Fields are the texts of an entry, or the names of the fields.
type Fields = [5]string

// An Index is an open index file.
type Index struct {
	path   string
	db     *sql.DB
	fields []string
}

// errOther says that the file has another format.
var errOther = errors.New("the index is of another version")

// Open opens the index at a path, or makes one. It makes a file anew if it is not an index, is damaged, or is of
// another version: the caller can add all texts again.
func Open(ctx context.Context, path string, fields Fields) (*Index, error) {
	x := &Index{path: path, fields: fields[:]}
	err := x.open(ctx)
	if err == nil || ctx.Err() != nil || !replaceable(err) {
		return x, err
	}
	return x, errors.Join(x.Remove(), x.open(ctx))
}

// replaceable reports whether an error means that the file can never be used.
func replaceable(err error) bool {
	return errors.Is(err, errOther) || strings.Contains(err.Error(), "not a database") ||
		strings.Contains(err.Error(), "malformed")
}

// Remove closes the index and removes its file.
func (x *Index) Remove() error {
	err := x.Close()
	for _, end := range []string{"", "-journal"} {
		if e := os.Remove(x.path + end); e != nil && !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, fmt.Errorf("remove the search index: %w", e))
		}
	}
	return err
}

// Close closes the file.
func (x *Index) Close() error {
	if x.db == nil {
		return nil
	}
	db := x.db
	x.db = nil
	return db.Close()
}

func (x *Index) open(ctx context.Context) (err error) {
	file, err := os.OpenFile(x.path, os.O_CREATE|os.O_RDWR, 0o600) // the engine would make it readable for all
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return fmt.Errorf("open the search index: %w", err)
	}
	uri := (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(x.path)}).String()
	if x.db, err = sql.Open("sqlite",
		uri+"?_pragma=busy_timeout(10000)&_pragma=cache_size(-16000)&_pragma=temp_store(memory)"); err != nil {
		return fmt.Errorf("open the search index %s: %w", x.path, err)
	}
	x.db.SetMaxOpenConns(1)
	var version, tables int
	err = errors.Join(x.db.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version),
		x.db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables))
	switch {
	case err != nil:
	case tables == 0:
		err = x.make(ctx)
	case version != format:
		err = errOther
	}
	if err != nil {
		return errors.Join(fmt.Errorf("open the search index %s: %w", x.path, err), x.Close())
	}
	return nil
}

// make makes the tables. The full-text index has the positions of words, and the pages have the texts. The index's
// tokenizer does not split our words.
func (x *Index) make(ctx context.Context) error {
	return x.inTransaction(ctx, func(tx *sql.Tx) error {
		for _, statement := range []string{
			`CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID`,
			`CREATE TABLE owners (id INTEGER PRIMARY KEY, source_id TEXT, owner_id TEXT, signature TEXT, UNIQUE (source_id, owner_id))`,
			`CREATE TABLE texts (id INTEGER PRIMARY KEY, owner INTEGER, text_id TEXT, at INTEGER, page INTEGER, place INTEGER, sum INTEGER)`,
			`CREATE INDEX texts_of_owner ON texts (owner)`,
			`CREATE TABLE pages (id INTEGER PRIMARY KEY, owner INTEGER, texts BLOB)`,
			`CREATE INDEX pages_of_owner ON pages (owner)`,
			`CREATE VIRTUAL TABLE words USING fts5(` + strings.Join(x.fields, ", ") +
				`, facets, content='', contentless_delete=1,
				tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* S* P* C*'")`,
			// of a million bytes, it would spend its time merging
			`INSERT INTO words (words, rank) VALUES ('hashsize', 16000000)`,
			fmt.Sprintf(`PRAGMA user_version = %d`, format),
		} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}

func (x *Index) inTransaction(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// State returns the state that the last Update was given. The caller decides by it whether the index is up to date.
func (x *Index) State(ctx context.Context) (string, error) { return x.setting(ctx, "state") }

// Stamp returns the stamp that the last SetStamp was given, or "" after an Update.
func (x *Index) Stamp(ctx context.Context) (string, error) { return x.setting(ctx, "stamp") }

// SetStamp stores a stamp for a state. By a stamp, the caller can tell that the index is up to date without asking for
// the state. If another update has changed the state, SetStamp does nothing.
func (x *Index) SetStamp(ctx context.Context, state, stamp string) error {
	_, err := x.db.ExecContext(ctx,
		`INSERT OR REPLACE INTO settings SELECT 'stamp', ? FROM settings WHERE key = 'state' AND value = ?`, stamp,
		state)
	if err != nil {
		return fmt.Errorf("write to the search index %s: %w", x.path, err)
	}
	return nil
}

func (x *Index) setting(ctx context.Context, key string) (string, error) {
	var value sql.NullString
	err := x.db.QueryRowContext(ctx, `SELECT max(value) FROM settings WHERE key = ?`, key).Scan(&value)
	return value.String, err
}

// Signatures returns the signature of each owner, as Update was given it.
func (x *Index) Signatures(ctx context.Context) (map[Owner]string, error) {
	return sqlrows.Map[Owner, string](ctx, x.db, `SELECT source_id, owner_id, signature FROM owners`)
}

// Texts returns the number of texts in the index.
func (x *Index) Texts(ctx context.Context) (n int64, err error) {
	err = x.db.QueryRowContext(ctx, `SELECT count(*) FROM texts`).Scan(&n)
	return n, err
}
