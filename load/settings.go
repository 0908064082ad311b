package load

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"
	"strings"

	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// Settings in _meta that every model depends on.
const (
	metaGap    = "session_gap_ms"
	metaWindow = "commit_window_ms"
)

// keep keeps a setting of the warehouse.
func (t *transaction) keep(ctx context.Context, key, value string) error {
	return errors.Join(t.exec(ctx, `DELETE FROM _meta WHERE key = ?`, key), t.exec(ctx, `INSERT INTO _meta VALUES (?, ?)`, key, value))
}

// setMeta keeps the gap and the window; another gap than last time has every group cut anew, another window all commits looked at. None at all,
// as a migration leaves it, has every model run for everything.
func (t *transaction) setMeta(ctx context.Context) error {
	if !t.first && t.settings.GapBefore == t.settings.GapMs && t.settings.WindowBefore == t.settings.WindowMs {
		return nil
	}
	queries := []string{
		`INSERT INTO _changed_groups SELECT DISTINCT source_id, project_uri FROM conversations`,
		`INSERT INTO _changed SELECT DISTINCT source_id, read_as FROM repositories`,
	}
	if t.due() {
		t.few = false // nor do the checks look for a few
		queries = append(queries, `INSERT INTO _changed SELECT DISTINCT source_id, conversation_id FROM conversations`)
	}
	for _, query := range queries {
		if err := t.exec(ctx, query); err != nil {
			return err
		}
	}
	if err := t.exec(ctx, `DELETE FROM _meta WHERE key IN (?, ?, ?)`, metaGap, metaWindow, catalog.VersionKey); err != nil {
		return err
	}
	return t.exec(ctx, `INSERT INTO _meta VALUES (?, ?), (?, ?), (?, ?)`, metaGap, strconv.FormatInt(t.settings.GapMs, 10),
		metaWindow, strconv.FormatInt(t.settings.WindowMs, 10), catalog.VersionKey, strconv.Itoa(schema.Version))
}

// due reports the first load after a migration.
func (t *transaction) due() bool { return !t.first && t.settings.GapBefore == 0 }

// undo rolls back where something has failed, unless the transaction is over.
func (t *transaction) undo(ctx context.Context, err error) error {
	if err == nil || t.done {
		return err
	}
	return errors.Join(err, t.exec(context.WithoutCancel(ctx), `ROLLBACK`))
}

// begin begins a transaction that is to be committed.
func (t *transaction) begin(ctx context.Context) (err error) {
	if err := t.exec(ctx, `BEGIN TRANSACTION`); err != nil {
		return err
	}
	defer func() { err = t.undo(ctx, err) }()
	line, err := engine.Lineage(ctx, t.w.conn)
	if err != nil {
		return err
	}
	_, state, _ := strings.Cut(line, ">")
	return t.keep(ctx, engine.MetaLineage, state+">"+rand.Text())
}
