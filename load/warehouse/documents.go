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

// Past answers questions about earlier loads. Where there was none, it knows nothing.
type Past struct {
	// with calls f with a connection that nobody else uses meanwhile, unless there was no load
	with func(ctx context.Context, f func(conn *sql.Conn) error) error
}

// PastOf is the past of a warehouse that is not open for a load. Each question opens it, only for reading.
func PastOf(path string) Past {
	return Past{func(ctx context.Context, f func(conn *sql.Conn) error) error {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return engine.Reading(ctx, path, f)
	}}
}

// beside calls f, which uses the connection, while a load may write to it. It holds the load's mutex meanwhile.
func (w *Warehouse) beside(_ context.Context, f func(conn *sql.Conn) error) error {
	switch {
	case w.first:
		return nil
	case w.s.Conn == nil:
		return session.ErrClosed
	case w.load != nil:
		w.load.mu.Lock()
		defer w.load.mu.Unlock()
	}
	return f(w.s.Conn)
}

// ask asks a question.
func ask[R any](ctx context.Context, p Past, question func(conn *sql.Conn) (R, error)) (answer R, err error) {
	err = p.with(ctx, func(conn *sql.Conn) (err error) {
		answer, err = question(conn)
		return err
	})
	return answer, err
}

// Documents returns the shared rows of a source as they were last read: those of the given stores, or of all stores if
// none is given.
func (p Past) Documents(ctx context.Context, sourceID string, stores ...string) ([]schema.KnownDocument, error) {
	from, args := `_known_documents WHERE source_id = ?`, []any{sourceID}
	if len(stores) > 0 {
		from += ` AND store IN (?` + strings.Repeat(", ?", len(stores)-1) + `)`
	}
	for _, store := range stores {
		args = append(args, store)
	}
	return ask(ctx, p, func(conn *sql.Conn) ([]schema.KnownDocument, error) {
		return sqlrows.Of[schema.KnownDocument](ctx, conn, from+` ORDER BY store, table_name, ordinal`, args...)
	})
}

// Workspaces returns the workspaces that earlier loads have seen of a source, also those whose folders are gone.
func (p Past) Workspaces(ctx context.Context, sourceID string) ([]schema.Workspace, error) {
	return ask(ctx, p, func(conn *sql.Conn) ([]schema.Workspace, error) {
		return sqlrows.All[schema.Workspace](ctx, conn, `SELECT source_id, workspace_id, NULL, kind, project_uri, project, project_path
			FROM workspaces WHERE source_id = ?`, sourceID)
	})
}

type lastingRow struct {
	id string
	schema.Lasting
}

// Lasting returns what earlier loads know of the conversations of a source and that may stay when no store has it any
// more, by their ids.
func (p Past) Lasting(ctx context.Context, sourceID string) (map[string]schema.Lasting, error) {
	return ask(ctx, p, func(conn *sql.Conn) (map[string]schema.Lasting, error) {
		var packed texts
		out := map[string]schema.Lasting{}
		err := sqlrows.EachAs(ctx, conn, `SELECT conversation_id, title, mode, git_branch, project_uri, project,
				project_path, workspace_id, project_source, worktree_path, kept_from::VARCHAR, format_version IS NOT NULL,
				completeness IS NOT DISTINCT FROM 'partial' AND format_version IS NULL
					AND message_count = 0 AND missing_message_count = 0 AND header_count = 0
			FROM conversations WHERE source_id = ?`, func(row lastingRow) {
			for _, text := range row.Texts() {
				if *text != nil {
					*text = packed.share(**text)
				}
			}
			out[packed.add(row.id)] = row.Lasting
		}, sourceID)
		return out, err
	})
}

// Spoken returns the ids of the conversations of a source that are there and have a message.
func (p Past) Spoken(ctx context.Context, sourceID string) (map[string]bool, error) {
	return ask(ctx, p, func(conn *sql.Conn) (map[string]bool, error) {
		return sqlrows.Map[string, bool](ctx, conn, `SELECT conversation_id, true FROM conversations
			WHERE source_id = ? AND deleted_at IS NULL AND message_count > 0`, sourceID)
	})
}

// LastRead returns, by store, what the last load that read a source recorded of its stores.
func (p Past) LastRead(ctx context.Context, sourceID string) (map[string]*load.StoreRead, error) {
	const last = ` WHERE source_id = ?1 AND load_id = (SELECT max(load_id) FROM load_stores WHERE source_id = ?1)`
	return ask(ctx, p, func(conn *sql.Conn) (map[string]*load.StoreRead, error) {
		stores := map[string]*load.StoreRead{}
		seen, err := sqlrows.Of[schema.LoadStore](ctx, conn, "load_stores"+last, sourceID)
		if err != nil {
			return nil, err
		}
		for _, s := range seen {
			stores[s.Store] = &load.StoreRead{RowsSeen: s.RowsSeen, RowsRead: s.RowsRead, IsComplete: s.IsComplete}
		}
		families, err := sqlrows.All[schema.KeyFamily](ctx, conn,
			`SELECT 0, '', store, family, rows, null_rows, bytes_read, handling FROM key_families`+last+
				` ORDER BY store, family, handling`, sourceID)
		for _, f := range families {
			if s := stores[f.Store]; s != nil {
				s.Families = append(s.Families, f)
			}
		}
		return stores, err
	})
}

// Projects returns the projects of all conversations, also of deleted ones.
func (p Past) Projects(ctx context.Context) ([]load.Project, error) {
	return ask(ctx, p, func(conn *sql.Conn) ([]load.Project, error) {
		return sqlrows.All[load.Project](ctx, conn,
			`SELECT project_uri, max(project_path), '', '', epoch_ms(min(least(created_at, first_message_at, updated_at))) FROM conversations
			WHERE project_uri IS NOT NULL AND project_path IS NOT NULL GROUP BY project_uri ORDER BY project_uri`)
	})
}

// UnknownFamilies returns the patterns of unknown keys that earlier loads have met.
func (p Past) UnknownFamilies(ctx context.Context) (map[load.FamilyKey]bool, error) {
	return ask(ctx, p, func(conn *sql.Conn) (map[load.FamilyKey]bool, error) {
		return sqlrows.Map[load.FamilyKey, bool](ctx, conn,
			`SELECT DISTINCT source_id, family, true FROM key_families WHERE handling = 'unknown'`)
	})
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
