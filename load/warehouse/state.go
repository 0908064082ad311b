package warehouse

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"pipeline/load"
	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/session"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// This file reads the state that earlier loads left.

// State returns the state that earlier loads left.
func (w *Warehouse) State(ctx context.Context) (*load.State, error) {
	s := newState(w.first)
	s.Migration = w.migration
	if w.first {
		return s, nil
	}
	if w.s.Conn == nil {
		return nil, session.ErrClosed
	}
	return s, readState(ctx, w.s.Conn, s)
}

// LastGood returns the start of the last load that was complete and passed its checks. It returns nil if there is none,
// or if it is not wanted.
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

// ReadState reads the state of a warehouse without locking or changing it. If the file is missing, the state is empty.
func ReadState(ctx context.Context, path string) (*load.State, error) {
	return readStateOf(ctx, path, catalog.Outdated)
}

// ReadAnyState is ReadState of a warehouse whose tables may be those of another version. Then the state has what people
// gave, and the settings, but nothing of stores and owners.
func ReadAnyState(ctx context.Context, path string) (*load.State, error) {
	return readStateOf(ctx, path, func(context.Context, *dbsql.Conn, string) (bool, error) { return false, nil })
}

func readStateOf(ctx context.Context, path string,
	outdated func(context.Context, *dbsql.Conn, string) (bool, error)) (_ *load.State, err error) {
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
	if old, err := outdated(ctx, conn, path); err != nil {
		return nil, err
	} else if old {
		s.Migration = &load.Migration{CopyPath: catalog.CopyOf(path)}
	}
	if s.Rows, err = sqlrows.Map[load.RowKey, load.RowState](ctx, conn,
		sql.Statement("reading/conversation_states")); err != nil {
		return nil, err
	}
	if err := readState(ctx, conn, s); err != nil {
		return nil, err
	}
	if s.Migration != nil {
		dueAgain(s)
	}
	return s, nil
}

func newState(first bool) *load.State {
	return &load.State{First: first, Known: map[schema.OwnerKey]schema.Owner{},
		Stores: map[load.StoreKey]schema.KnownStore{}, Meta: map[string]string{}}
}

func readState(ctx context.Context, conn *dbsql.Conn, s *load.State) (err error) {
	if err := conn.QueryRowContext(ctx, `SELECT load_id, status FROM loads ORDER BY load_id DESC LIMIT 1`).
		Scan(&s.LastLoadID, &s.LastStatus); err != nil {
		return err
	}
	if s.Meta, err = sqlrows.Map[string, string](ctx, conn, `SELECT key, value FROM _meta`); err != nil {
		return err
	}
	if s.Migration == nil || s.Rows == nil { // of a dry run, tables may be missing
		if err := errors.Join(readQuarantined(ctx, conn, s), readAliases(ctx, conn, s),
			readPrices(ctx, conn, s)); err != nil {
			return err
		}
	}
	if s.Meta[catalog.VersionKey] != strconv.Itoa(schema.Version) {
		return nil // what it remembers of stores and owners may be in other tables
	}
	if err := conn.QueryRowContext(ctx, `SELECT arg_max(epoch_ms(started_at), load_id) FROM loads WHERE status = 'ok'`).
		Scan(&s.LastGood); err != nil {
		return err
	}
	if s.SessionGapMs, err = strconv.ParseInt(s.Meta[metaGap], 10, 64); err != nil {
		return fmt.Errorf("_meta.%s: %w", metaGap, err)
	}
	if s.CommitWindowMs, err = strconv.ParseInt(s.Meta[metaWindow], 10, 64); err != nil {
		return fmt.Errorf("_meta.%s: %w", metaWindow, err)
	}
	if err := sqlrows.EachOf(ctx, conn, "_known_stores", func(r schema.KnownStore) {
		s.Stores[load.StoreKey{SourceID: r.SourceID, Store: r.Store}] = r
	}); err != nil {
		return err
	}
	if s.Sources, err = sqlrows.Of[schema.Source](ctx, conn, "sources ORDER BY source_id"); err != nil {
		return err
	}
	var packed texts
	return sqlrows.EachOf(ctx, conn, "_owners", func(r schema.Owner) {
		for _, text := range []*string{&r.SourceID, &r.Store, (*string)(&r.Kind), &r.WorkspaceID} {
			*text = *packed.share(*text)
		}
		for _, text := range []*string{&r.ID, &r.RowsHash, &r.SizesHash, &r.FactsHash, &r.ContentHash} {
			*text = packed.add(*text)
		}
		s.Known[r.Key()] = r
	})
}

// dueAgain changes a state as a migration would.
func dueAgain(s *load.State) {
	s.SessionGapMs, s.CommitWindowMs = 0, 0
	for key, known := range s.Known {
		known.TransformVersion = 0
		s.Known[key] = known
	}
	for key, known := range s.Stores {
		known.TransformVersion = 0
		s.Stores[key] = known
	}
}

func readQuarantined(ctx context.Context, conn *dbsql.Conn, s *load.State) error {
	s.Quarantined = map[schema.OwnerKey]load.Quarantined{}
	type row struct {
		source, store, name, family string
		live                        bool
	}
	if err := sqlrows.EachAs(ctx, conn, sql.Statement("reading/quarantined"), func(r row) {
		key := schema.OwnerNamed(r.source, r.store, r.name)
		q := s.Quarantined[key]
		q.Families, q.Live = append(q.Families, r.family), r.live
		s.Quarantined[key] = q
	}); err != nil {
		return err
	}
	type node struct{ source, store, name, id string }
	return sqlrows.EachAs(ctx, conn, sql.Statement("reading/missing_nodes"), func(n node) {
		key := schema.OwnerNamed(n.source, n.store, n.name)
		q := s.Quarantined[key]
		q.Missing = append(q.Missing, n.id)
		s.Quarantined[key] = q
	})
}
