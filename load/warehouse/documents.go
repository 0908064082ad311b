package warehouse

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/session"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

// This file has what a warehouse remembers for the next load: the shared rows of each store, what the last load
// recorded of each store, and the fingerprint of each conversation.

// Documents returns the shared rows of a source as they were last read: those of the given stores, or of all stores if
// none is given.
func (w *Warehouse) Documents(ctx context.Context, sourceID string, stores ...string) (docs []schema.KnownDocument,
	err error) {
	if w.first {
		return nil, nil
	}
	err = w.beside(func() error {
		docs, err = readDocuments(ctx, w.s.Conn, sourceID, stores...)
		return err
	})
	return docs, err
}

// beside calls f, which uses the connection, while a load may write to it. It holds the load's mutex meanwhile.
func (w *Warehouse) beside(f func() error) error {
	if w.s.Conn == nil {
		return session.ErrClosed
	}
	if w.load != nil {
		w.load.mu.Lock()
		defer w.load.mu.Unlock()
	}
	return f()
}

func readDocuments(ctx context.Context, conn *sql.Conn, sourceID string, stores ...string) (docs []schema.KnownDocument,
	err error) {
	from, args := `_known_documents WHERE source_id = ?`, []any{sourceID}
	if len(stores) > 0 {
		from += ` AND store IN (?` + strings.Repeat(", ?", len(stores)-1) + `)`
	}
	for _, store := range stores {
		args = append(args, store)
	}
	return sqlrows.Of[schema.KnownDocument](ctx, conn, from+` ORDER BY store, table_name, ordinal`, args...)
}

// ReadDocuments returns the same rows as Documents, from a warehouse that is not open for a load.
func ReadDocuments(ctx context.Context, path, sourceID string, stores ...string) (docs []schema.KnownDocument,
	err error) {
	err = reading(ctx, path, func(conn *sql.Conn) (err error) {
		docs, err = readDocuments(ctx, conn, sourceID, stores...)
		return err
	})
	return docs, err
}

// reading calls f with a warehouse that is opened only for reading, if there is one.
func reading(ctx context.Context, path string, f func(conn *sql.Conn) error) (err error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	db, conn, err := engine.Open(ctx, path, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	return f(conn)
}

// Workspaces returns the workspaces that earlier loads have seen of a source, also those whose folders are gone.
func (w *Warehouse) Workspaces(ctx context.Context, sourceID string) (out []schema.Workspace, err error) {
	if w.first {
		return nil, nil
	}
	err = w.beside(func() error {
		out, err = readWorkspaces(ctx, w.s.Conn, sourceID)
		return err
	})
	return out, err
}

func readWorkspaces(ctx context.Context, conn *sql.Conn, sourceID string) (out []schema.Workspace, err error) {
	err = sqlrows.Each(ctx, conn,
		`SELECT workspace_id, kind, project_uri, project, project_path FROM workspaces WHERE source_id = ?`,
		func(rows *sql.Rows) error {
			row := schema.Workspace{SourceID: sourceID}
			err := rows.Scan(&row.WorkspaceID, &row.Kind, &row.ProjectURI, &row.Project, &row.ProjectPath)
			out = append(out, row)
			return err
		}, sourceID)
	return out, err
}

// Lasting returns what earlier loads know of the conversations of a source and that may stay when no store has it any
// more, by their ids.
func (w *Warehouse) Lasting(ctx context.Context, sourceID string) (out map[string]*schema.Conversation, err error) {
	if w.first {
		return nil, nil
	}
	err = w.beside(func() error {
		out, err = readLasting(ctx, w.s.Conn, sourceID)
		return err
	})
	return out, err
}

func readLasting(ctx context.Context, conn *sql.Conn, sourceID string) (map[string]*schema.Conversation, error) {
	out := map[string]*schema.Conversation{}
	const query = `SELECT conversation_id, title, mode, git_branch, project_uri, project, project_path, workspace_id, project_source, worktree_path, kept_from::VARCHAR,
		completeness, format_version, root_blob, message_count, missing_message_count, header_count FROM conversations WHERE source_id = ?`
	err := sqlrows.Each(ctx, conn, query, func(rows *sql.Rows) error {
		c := &schema.Conversation{SourceID: sourceID}
		var from *string
		err := rows.Scan(&c.ConversationID, &c.Title, &c.Mode, &c.GitBranch, &c.ProjectURI, &c.Project, &c.ProjectPath,
			&c.WorkspaceID, &c.ProjectSource, &c.WorktreePath, &from, &c.Completeness, &c.FormatVersion, &c.RootBlob,
			&c.MessageCount, &c.MissingMessageCount, &c.HeaderCount)
		if from != nil {
			c.KeptFrom = schema.JSON(*from)
		}
		out[c.ConversationID] = c
		return err
	}, sourceID)
	return out, err
}

// ReadLasting returns the same rows as Lasting, from a warehouse that is not open for a load.
func ReadLasting(ctx context.Context, path, sourceID string) (out map[string]*schema.Conversation, err error) {
	err = reading(ctx, path, func(conn *sql.Conn) (err error) {
		out, err = readLasting(ctx, conn, sourceID)
		return err
	})
	return out, err
}

// ReadWorkspaces returns the same rows as Workspaces, from a warehouse that is not open for a load.
func ReadWorkspaces(ctx context.Context, path, sourceID string) (out []schema.Workspace, err error) {
	err = reading(ctx, path, func(conn *sql.Conn) (err error) {
		out, err = readWorkspaces(ctx, conn, sourceID)
		return err
	})
	return out, err
}

// LastRead returns, by store, what the last load that read a source recorded of its stores.
func (w *Warehouse) LastRead(ctx context.Context, sourceID string) (stores map[string]*load.StoreRead, err error) {
	stores = map[string]*load.StoreRead{}
	if w.first {
		return stores, nil
	}
	err = w.beside(func() error { return readLast(ctx, w.s.Conn, sourceID, stores) })
	return stores, err
}

func readLast(ctx context.Context, conn *sql.Conn, sourceID string, stores map[string]*load.StoreRead) error {
	const last = ` WHERE source_id = ?1 AND load_id = (SELECT max(load_id) FROM load_stores WHERE source_id = ?1)`
	err := sqlrows.Each(ctx, conn, `SELECT store, rows_seen, rows_read, is_complete FROM load_stores`+
		last, func(rows *sql.Rows) error {
		var store string
		s := &load.StoreRead{}
		err := rows.Scan(&store, &s.RowsSeen, &s.RowsRead, &s.IsComplete)
		stores[store] = s
		return err
	}, sourceID)
	if err != nil {
		return err
	}
	return sqlrows.Each(ctx, conn, `SELECT store, family, rows, null_rows, bytes_read, handling FROM key_families`+last+
		` ORDER BY store, family, handling`, func(rows *sql.Rows) error {
		var f schema.KeyFamily
		err := rows.Scan(&f.Store, &f.Family, &f.Rows, &f.NullRows, &f.BytesRead, &f.Handling)
		if s := stores[f.Store]; s != nil {
			s.Families = append(s.Families, f)
		}
		return err
	}, sourceID)
}

// Holds reports whether a table has a live row of a conversation with one of some ids in a column, out of a row of the
// store. It sees the table as it was before this load. It may be called while another goroutine calls the other
// methods.
func (t *Load) Holds(ctx context.Context, table, column string, conversation load.RowKey, ids []string) (yes bool,
	err error) {
	list, err := sqlrows.List(ids)
	if err != nil {
		return false, err
	}
	spec, ok := schema.Lookup(table)
	if !ok {
		return false, fmt.Errorf("there is no table %s", table)
	}
	live := ""
	if spec.Has("deleted_at") {
		live = " AND deleted_at IS NULL"
	}
	switch table {
	case "conversations":
		// nor out of a list alone
		live += " AND status IS DISTINCT FROM 'orphaned' AND NOT coalesce(completeness = 'partial' AND message_count " +
			"= 0 AND missing_message_count = 0, false)"
	case "messages": // the agent's graph may have the message of a row that was never usable
		live += " AND origin IS DISTINCT FROM 'graph'"
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	err = t.w.s.Conn.QueryRowContext(ctx,
		fmt.Sprintf(`SELECT EXISTS (FROM %s WHERE source_id = ? AND %s = ? AND %s IN %s%s)`, table, spec.ScopeColumn(),
			column, sqlrows.Listed, live), conversation.SourceID, conversation.ConversationID, list).Scan(&yes)
	return yes, err
}

// Remember records what the next run needs to know of a conversation.
func (t *Load) Remember(known schema.Owner) {
	if t.known = append(t.known, known); len(t.known) == knownAtATime {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.failed = cmp.Or(t.failed, t.writeKnown())
	}
}

// knownAtATime is how many conversations Remember holds before it writes them: a store may have a hundred thousand.
const knownAtATime = 1024

func (t *Load) writeKnown() error {
	err := appendRows(t, t.known)
	t.known = t.known[:0]
	return err
}
