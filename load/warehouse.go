package load

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/gofrs/flock"

	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/filelock"
	"pipeline/load/outpath"
	"pipeline/load/rawlog"
	"pipeline/load/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// warehouse is a DuckDB file under a lock. A first load is built in a new file beside the path and renamed; so is one while a reader
// holds the file, in a copy of it: the reader keeps the old data.
type warehouse struct {
	path string // where it is in the end
	file string // where it is written now: path, or the new file
	lock *flock.Flock
	db   *dbsql.DB
	conn *dbsql.Conn
	load *transaction // the latest load

	migration *Migration // what was done when it was opened; nil: nothing

	catalog   string // the engine's name for the file
	first     bool
	templated bool // the file was made out of the template: its views, macros and comments are those of this version
	logLost   bool // the log of the file whose place this one takes goes with that file
	anew      bool // the file is put in place by Place, not by a commit
}

// Open opens the warehouse of that path for a load, or begins a new one. It gives ErrBusy when another run or writer holds it.
func Open(ctx context.Context, path string) (Warehouse, error) {
	return open(ctx, path, false)
}

// OpenAnew begins a new warehouse, which takes the place of the one at that path when Place is called, and not before.
func OpenAnew(ctx context.Context, path string) (Rebuild, error) {
	return open(ctx, path, true)
}

func open(ctx context.Context, path string, anew bool) (_ *warehouse, err error) {
	if err := outpath.Warehouse(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the warehouse's folder: %w", err)
	}
	w := &warehouse{path: path, file: path, anew: anew, lock: filelock.New(path + ".lock")}
	held, err := w.lock.TryLock()
	if err != nil {
		return nil, engine.WithRemedy(fmt.Errorf("lock the warehouse %s: %w", path, err))
	}
	if !held {
		return nil, fmt.Errorf("%w: another run holds %s.lock; wait for it to end and run again", engine.ErrBusy, path)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Close())
		}
	}()
	if err := w.sweep(); err != nil {
		return nil, err
	}
	_, err = os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && anew:
		if w.logLost, err = engine.FoldReplaced(ctx, path); err != nil {
			return nil, err
		}
		w.first = true
		w.file = newFile(path, "")
	case err != nil:
		return nil, fmt.Errorf("look at the warehouse: %w", err)
	}
	if w.first {
		return w, w.create(ctx)
	}
	if err := w.connect(ctx); err != nil {
		return nil, err
	}
	return w, w.bringUpToDate(ctx)
}

// connect opens the file. One that another program holds is copied, and the copy is opened.
func (w *warehouse) connect(ctx context.Context) (err error) {
	w.db, w.conn, err = engine.Open(ctx, w.file, false)
	if errors.Is(err, engine.ErrBusy) && w.file == w.path {
		w.file = newFile(w.path, "")
		if copied := copyHeld(w.path, w.file); copied != nil {
			if !errors.Is(copied, engine.ErrBusy) { // nobody has to wait for the other program then
				return copied
			}
			return errors.Join(err, copied)
		}
		w.db, w.conn, err = engine.Open(ctx, w.file, false)
	}
	if err != nil {
		return err
	}
	if err := w.conn.QueryRowContext(ctx, `SELECT current_database()`).Scan(&w.catalog); err != nil {
		return err
	}
	_, err = w.conn.ExecContext(ctx, engine.OneThread) // a large load gets more before it is merged
	return err
}

// errClosed: a commit puts the file in place and closes it, so that every load opens it anew.
var errClosed = errors.New("the warehouse is closed: open it again for another load")

// sweep removes what a killed first load left: only the holder of the lock gets here.
func (w *warehouse) sweep() error {
	for _, path := range slices.Compact([]string{w.path, followed(w.path)}) {
		for _, name := range NewFiles(path) {
			if err := os.RemoveAll(name); err != nil {
				return fmt.Errorf("remove what an interrupted run left: %w", err)
			}
		}
	}
	return rawlog.Sweep(rawlog.Dir(w.path))
}

// followed is the file that a path leads to, where links are on the way.
func followed(path string) string {
	if file, err := filepath.EvalSymlinks(path); err == nil {
		return file
	}
	return path
}

// State reads what earlier loads left.
func (w *warehouse) State(ctx context.Context) (*State, error) {
	s := newState(w.first)
	s.Migration = w.migration
	if w.first {
		return s, nil
	}
	if w.conn == nil {
		return nil, errClosed
	}
	return s, readState(ctx, w.conn, s)
}

// Projects asks the conversations, also those that are deleted.
func (w *warehouse) Projects(ctx context.Context) (out []Project, err error) {
	if w.first {
		return nil, nil
	}
	if w.conn == nil {
		return nil, errClosed
	}
	err = sqlrows.Each(ctx, w.conn, `SELECT project_uri, max(project_path), epoch_ms(min(least(created_at, first_message_at, updated_at))) FROM conversations
		WHERE project_uri IS NOT NULL AND project_path IS NOT NULL GROUP BY project_uri ORDER BY project_uri`, func(rows *dbsql.Rows) error {
		var p Project
		var first dbsql.NullInt64
		err := rows.Scan(&p.URI, &p.Path, &first)
		if first.Valid {
			t := schema.Millis(first.Int64)
			p.FirstAt = &t
		}
		out = append(out, p)
		return err
	})
	return out, err
}

// LastGood is the start of the last load that was whole and passed its checks; nil if there is none, or if it is not wanted.
func LastGood(ctx context.Context, path string, wanted bool) (*time.Time, error) {
	if !wanted {
		return nil, nil
	}
	s, err := ReadState(ctx, path)
	if err != nil || s.LastGood == nil {
		return nil, err
	}
	t := time.UnixMilli(int64(*s.LastGood))
	return &t, nil
}

// ReadState reads the state of a warehouse without locking or changing it; a missing file is an empty state.
func ReadState(ctx context.Context, path string) (_ *State, err error) {
	s := newState(true)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	db, conn, err := engine.Open(ctx, path, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	s.First = false
	version, err := catalog.Version(ctx, conn, path)
	if err != nil {
		return nil, err
	}
	if old, err := catalog.Outdated(ctx, conn, path, version); err != nil {
		return nil, err
	} else if old {
		s.Migration = &Migration{From: version, To: schema.Version, Copy: catalog.CopyOf(path, version)}
	}
	s.Rows = map[RowKey]RowState{}
	if err := sqlrows.Each(ctx, conn, sql.Statement("reading/conversation_states"), func(rows *dbsql.Rows) error {
		var key RowKey
		var state RowState
		err := rows.Scan(&key.SourceID, &key.ConversationID, &state.Deleted, &state.Orphaned, &state.NeverHeaded)
		s.Rows[key] = state
		return err
	}); err != nil {
		return nil, err
	}
	if err := readState(ctx, conn, s); err != nil {
		return nil, err
	}
	if s.Migration != nil {
		s.dueAgain()
	}
	return s, nil
}

func newState(first bool) *State {
	return &State{First: first, Known: map[ConversationKey]schema.KnownConversation{}, Stores: map[StoreKey]schema.KnownStore{}, Meta: map[string]string{}}
}

func readState(ctx context.Context, conn *dbsql.Conn, s *State) error {
	if err := conn.QueryRowContext(ctx, `SELECT load_id, status FROM loads ORDER BY load_id DESC LIMIT 1`).Scan(&s.LastLoadID, &s.LastStatus); err != nil {
		return err
	}
	if err := sqlrows.Each(ctx, conn, `SELECT key, value FROM _meta`, func(rows *dbsql.Rows) error {
		var key, value string
		err := rows.Scan(&key, &value)
		s.Meta[key] = value
		return err
	}); err != nil {
		return err
	}
	if s.Migration == nil || s.Rows == nil { // of a dry run, tables of an earlier version may not say whose rows they are
		if err := readQuarantined(ctx, conn, s); err != nil {
			return err
		}
	}
	var good dbsql.NullInt64
	if err := conn.QueryRowContext(ctx, `SELECT arg_max(epoch_ms(started_at), load_id) FROM loads WHERE status = 'ok'`).Scan(&good); err != nil {
		return err
	}
	if good.Valid {
		t := schema.Millis(good.Int64)
		s.LastGood = &t
	}
	var err error
	if s.GapMs, err = strconv.ParseInt(s.Meta[metaGap], 10, 64); err != nil {
		return fmt.Errorf("_meta.%s: %w", metaGap, err)
	}
	if window, ok := s.Meta[metaWindow]; ok || s.Migration == nil { // the first versions knew of none
		if s.WindowMs, err = strconv.ParseInt(window, 10, 64); err != nil {
			return fmt.Errorf("_meta.%s: %w", metaWindow, err)
		}
	}
	if err := sqlrows.Each(ctx, conn, `SELECT source_id, store, identity, max_rowid FROM _known_stores`, func(rows *dbsql.Rows) error {
		var r schema.KnownStore
		err := rows.Scan(&r.SourceID, &r.Store, &r.Identity, &r.MaxRowID)
		s.Stores[StoreKey{r.SourceID, r.Store}] = r
		return err
	}); err != nil {
		return err
	}
	if err := sqlrows.Each(ctx, conn, `SELECT source_id, user_dir, host, os, app, epoch_ms(first_seen_at), epoch_ms(last_seen_at) FROM sources ORDER BY source_id`, func(rows *dbsql.Rows) error {
		var r schema.Source
		err := rows.Scan(&r.SourceID, &r.UserDir, &r.Host, &r.OS, &r.App, &r.FirstSeenAt, &r.LastSeenAt)
		s.Sources = append(s.Sources, r)
		return err
	}); err != nil {
		return err
	}
	return sqlrows.Each(ctx, conn, `SELECT source_id, store, conversation_id, workspace_id, fingerprint, content_hash, transform_version, load_id FROM _known_conversations`, func(rows *dbsql.Rows) error {
		var r schema.KnownConversation
		err := rows.Scan(&r.SourceID, &r.Store, &r.ConversationID, &r.WorkspaceID, &r.Fingerprint, &r.ContentHash, &r.TransformVersion, &r.LoadID)
		s.Known[ConversationKey{r.SourceID, r.Store, r.ConversationID}] = r
		return err
	})
}

// Scratch is the path of a file that goes with the warehouse's new one.
func (w *warehouse) Scratch() string { return newFile(w.path, "-raw") }

func (w *warehouse) closeEngine() error {
	if w.db == nil {
		return nil
	}
	db, conn := w.db, w.conn
	w.db, w.conn = nil, nil
	if engine.IsInvalidated(conn) {
		return nil
	}
	return errors.Join(conn.Close(), db.Close())
}

// Close lets go of the warehouse. A new file that did not get its place is removed.
func (w *warehouse) Close() error {
	err := w.closeEngine()
	if w.file != w.path {
		err = errors.Join(err, w.sweep())
	}
	return errors.Join(err, w.lock.Unlock())
}
