package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// The names of the two key-value tables of a store.
const (
	ItemTable = "ItemTable"
	DiskKV    = "cursorDiskKV"
)

// Row is one row of a store, as SQLite holds it. A string becomes TEXT, a []byte a BLOB, nil a NULL, in
// the key as in the value. An empty Table means cursorDiskKV.
type Row struct {
	Table string
	Key   any
	Value any
}

// StoreOptions say how a store file is made. The zero value is what a closed Cursor without WAL leaves: both
// tables with `UNIQUE ON CONFLICT REPLACE`, rollback journal, user_version 1, nothing beside the file.
type StoreOptions struct {
	PrimaryKey  bool // `[key] TEXT PRIMARY KEY` instead of `key TEXT UNIQUE ON CONFLICT REPLACE`
	NoDiskKV    bool // no table cursorDiskKV, as in old workspace stores
	NoItemTable bool // no table ItemTable
	UserVersion int  // PRAGMA user_version; 0 means 1, as VS Code writes it
	PageSize    int  // PRAGMA page_size; 0 means SQLite's default, 4096

	// WAL leaves the file in WAL mode with its -wal beside it (and no -shm): the tables are in the main
	// file, the rows only in the -wal. With WALRows the rows of WriteStore are in the main file too and
	// WALRows alone are in the -wal. Without WAL the two lists are written one after the other.
	WAL     bool
	WALRows []Row

	// HeaderColumns, where not nil, makes the table composerHeaders with these columns, the first being its
	// primary key, and HeaderRows fill it (a missing column is NULL).
	HeaderColumns []string
	HeaderRows    []map[string]any

	// Exec are further statements, run last in the main file: unknown tables, pragmas, deletions.
	Exec []string
}

// HeaderColumns9 are the columns of composerHeaders in Cursor 3.15, HeaderColumns10 those since 3.19.
var (
	HeaderColumns9 = []string{"composerId", "workspaceId", "createdAt", "lastUpdatedAt", "isArchived",
		"isSubagent", "recency", "checkpointAt", "value"}
	HeaderColumns10 = []string{"composerId", "workspaceId", "createdAt", "lastUpdatedAt", "isArchived",
		"isSubagent", "recency", "checkpointAt", "subagentTypeName", "value"}
)

// WriteStore makes the SQLite file path with these rows, and its folder. A file that is there is replaced,
// with what lies beside it.
func WriteStore(path string, rows []Row, o StoreOptions) error {
	wal := slices.Values(o.WALRows)
	if o.WAL && len(o.WALRows) == 0 {
		return writeStore(path, nothing, slices.Values(rows), o)
	}
	return writeStore(path, slices.Values(rows), wal, o)
}

func nothing(func(Row) bool) {}

// writeStore is WriteStore for rows that need not be in memory together: main for the main file, wal for
// the -wal (without o.WAL for the main file too, after the others).
func writeStore(path string, main, wal iter.Seq[Row], o StoreOptions) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	for _, end := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if !o.WAL {
		return withStore(path, func(s *store) error { return s.fill(o, main, wal) })
	}
	// A close of the last connection copies the -wal into the main file and removes it. So the store is
	// made under another name, and both files are copied while it is still open.
	making := path + ".making"
	defer func() {
		for _, end := range []string{"", "-wal", "-shm"} {
			os.Remove(making + end)
		}
	}()
	return withStore(making, func(s *store) error {
		if err := s.fill(o, main); err != nil {
			return err
		}
		if err := s.exec("PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0"); err != nil {
			return err
		}
		if err := s.insert(wal); err != nil {
			return err
		}
		return errors.Join(copyFile(making, path), copyFile(making+"-wal", path+"-wal"))
	})
}

// store is an open store file: one connection, as pragmas belong to connections.
type store struct {
	ctx  context.Context
	conn *sql.Conn
}

// withStore opens the file for writing, lets f work on it and closes it.
func withStore(path string, f func(*store) error) (err error) {
	db, err := sql.Open("sqlite", fileURI(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	// Test data needs no protection against a power cut, and syncing costs most of the time.
	s := &store{ctx, conn}
	if err := s.exec("PRAGMA synchronous = OFF", "PRAGMA cache_size = -65536"); err != nil {
		return err
	}
	return f(s)
}

// fileURI is the path as SQLite's URI form, in which ?, # and % are no longer special.
func fileURI(path string) string {
	p := filepath.ToSlash(path)
	if len(p) > 1 && p[1] == ':' { // a Windows drive
		p = "/" + p
	}
	return "file:" + (&url.URL{Path: p}).EscapedPath()
}

func (s *store) exec(statements ...string) error {
	for _, q := range statements {
		if _, err := s.conn.ExecContext(s.ctx, q); err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
	}
	return nil
}

// fill makes the tables and puts the rows into them.
func (s *store) fill(o StoreOptions, rows ...iter.Seq[Row]) error {
	key := "key TEXT UNIQUE ON CONFLICT REPLACE"
	if o.PrimaryKey {
		key = "[key] TEXT PRIMARY KEY"
	}
	if o.PageSize > 0 {
		if err := s.exec(fmt.Sprintf("PRAGMA page_size = %d", o.PageSize)); err != nil {
			return err
		}
	}
	ddl := []string{fmt.Sprintf("PRAGMA user_version = %d", max(o.UserVersion, 1))}
	if !o.NoItemTable {
		ddl = append(ddl, "CREATE TABLE ItemTable ("+key+", value BLOB)")
	}
	if !o.NoDiskKV {
		ddl = append(ddl, "CREATE TABLE cursorDiskKV ("+key+", value BLOB)")
	}
	if err := s.exec(ddl...); err != nil {
		return err
	}
	if o.HeaderColumns != nil {
		if err := s.headers(o.HeaderColumns, o.HeaderRows); err != nil {
			return err
		}
	}
	for _, some := range rows {
		if err := s.insert(some); err != nil {
			return err
		}
	}
	return s.exec(o.Exec...)
}

// insert writes the rows in one transaction.
func (s *store) insert(rows iter.Seq[Row]) (err error) {
	tx, err := s.conn.BeginTx(s.ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	prepared := map[string]*sql.Stmt{}
	for r := range rows {
		table := r.Table
		if table == "" {
			table = DiskKV
		}
		st := prepared[table]
		if st == nil {
			st, err = tx.PrepareContext(s.ctx, "INSERT OR REPLACE INTO "+quote(table)+" (key, value) VALUES (?, ?)")
			if err != nil {
				return err
			}
			defer st.Close()
			prepared[table] = st
		}
		if _, err := st.ExecContext(s.ctx, r.Key, r.Value); err != nil {
			return fmt.Errorf("insert %v: %w", r.Key, err)
		}
	}
	return tx.Commit()
}

// headers makes the table composerHeaders. Only names known to hold text are declared TEXT.
func (s *store) headers(columns []string, rows []map[string]any) error {
	text := map[string]bool{"composerId": true, "workspaceId": true, "subagentTypeName": true, "value": true}
	var defs, names []string
	has := map[string]bool{}
	for i, c := range columns {
		def, kind := quote(c), " INTEGER"
		if text[c] {
			kind = " TEXT"
		}
		if def += kind; i == 0 {
			def += " PRIMARY KEY"
		}
		defs, names, has[c] = append(defs, def), append(names, quote(c)), true
	}
	ddl := []string{"CREATE TABLE composerHeaders (" + strings.Join(defs, ", ") + ")"}
	if has["workspaceId"] && has["isSubagent"] && has["isArchived"] && has["recency"] {
		ddl = append(ddl, "CREATE INDEX idx_composerHeaders_0 ON composerHeaders (workspaceId, isSubagent, "+
			"isArchived, recency)",
			"CREATE INDEX idx_composerHeaders_1 ON composerHeaders (recency, composerId)")
	}
	if err := s.exec(ddl...); err != nil {
		return err
	}
	insert := "INSERT OR REPLACE INTO composerHeaders (" + strings.Join(names, ", ") + ") VALUES (?" +
		strings.Repeat(", ?", len(columns)-1) + ")"
	for _, r := range rows {
		values := make([]any, len(columns))
		for i, c := range columns {
			values[i] = r[c]
		}
		if _, err := s.conn.ExecContext(s.ctx, insert, values...); err != nil {
			return fmt.Errorf("composerHeaders: %w", err)
		}
	}
	return nil
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
