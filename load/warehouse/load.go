package warehouse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/figures"
	"pipeline/load/rawindex"
	"pipeline/load/session"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// A Load is the transaction of one run. One goroutine calls its methods. Rows go into temporary tables first, and
// Finish merges them. A first load writes straight into the tables.
type Load struct {
	// held while the connection is used before Finish: the raw layer has a goroutine of its own
	mu        sync.Mutex
	raw       *rawindex.Layer // nil without one
	w         *Warehouse
	settings  load.Settings
	first     bool
	tables    map[reflect.Type]schema.Table
	appenders map[reflect.Type]*engine.Appender
	staged    map[string]bool // temporary tables that were made
	same      map[string]bool // tables that had every staged row already
	written   map[string]bool // tables that got rows without a stage
	built     []sql.File      // the models that ran
	changed   []changedRow
	known     []schema.Owner // not written yet
	failed    error          // the first error of writing known
	forgotten []schema.OwnerKey
	sources   []load.SourceRows
	refused   map[refusal]bool
	fields    fieldNotes // the unknown fields of the written rows
	elements  elementNotes
	rows      int  // the number of written rows
	few       bool // at most fewChanged conversations have changed
	done      bool
	endSync   func() error // ends syncBeside
}

// refusal is the key of a quarantine row. Rows without a key may hold the same value several times.
type refusal struct {
	source, store, key, hash string
	nullKey                  bool
}

// changedRow is a row of the temporary table _changed.
type changedRow struct {
	SourceID       string `col:"source_id"`
	ConversationID string `col:"conversation_id"`
}

// stagePrefix begins the names of temporary tables.
const stagePrefix = "stage_"

// Begin starts a load. No other program sees its rows before Commit returns.
func (w *Warehouse) Begin(ctx context.Context, settings load.Settings) (_ *Load, err error) {
	switch {
	case w.s.Conn == nil:
		return nil, session.ErrClosed
	case w.load != nil && !w.load.done: // the engine would abort the load that is under way
		return nil, errors.New("a load is under way in this warehouse: end it first")
	}
	settings = settings.WithDefaults()
	t := &Load{w: w, settings: settings, first: w.first, tables: map[reflect.Type]schema.Table{},
		appenders: map[reflect.Type]*engine.Appender{}, staged: map[string]bool{}, same: map[string]bool{},
		written: map[string]bool{}, refused: map[refusal]bool{}, endSync: func() error { return nil }}
	queries := []string{engine.SetMemory(settings.Memory.Few)}
	switch {
	case w.s.File == w.path:
	case t.first:
		// the log of a file that nobody knows yet is worth nothing: few rows of large values would be written to it all
		// the same, and held
		queries = append([]string{`SET checkpoint_threshold = '1KB'`}, queries...)
	default: // a rebuild's next loads: each checkpoint would write the whole catalogue
		queries = append([]string{`RESET checkpoint_threshold`}, queries...)
	}
	engine.KeepFreedMemory(t.lingers())
	for _, query := range queries {
		if err := t.exec(ctx, query); err != nil {
			return nil, err
		}
	}
	if err := t.w.s.Begin(ctx); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.Rollback())
		}
	}()
	for _, table := range schema.Tables() {
		t.tables[table.Row] = table
	}
	w.load, w.asDeclared = t, false
	if settings.Raw || settings.Rebuild == load.RebuildLast {
		t.raw = rawindex.New(w.s, &t.mu, w.path, settings, t.first)
		if err = t.raw.TakeIn(ctx); err != nil {
			return nil, err
		}
	}
	if settings.Rebuild == load.RebuildLast {
		t.raw = nil // the files are named now
	}
	return t, beforeAppends.Reach()
}

// Raw returns the raw layer, or nil if the load keeps none. Its methods are called by one goroutine, which may differ
// from the load's.
func (t *Load) Raw() *rawindex.Layer { return t.raw }

// stage makes the temporary table that holds the new rows of a table until they are merged.
func (t *Load) stage(ctx context.Context, table string) error {
	if t.staged[table] {
		return nil
	}
	t.staged[table] = true
	return t.execFor(ctx, "merge/stage", table)
}

// stages makes the temporary tables that do not exist yet, because a merge reads them.
func (t *Load) stages(ctx context.Context, tables ...string) error {
	for _, name := range tables {
		if err := t.stage(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (t *Load) exec(ctx context.Context, query string, args ...any) error {
	return t.w.s.Exec(ctx, query, args...)
}

// Replace announces that the rows of an owner are about to be written. Stored rows that are not written again are
// marked as deleted: if no row follows, the whole conversation is.
func (t *Load) Replace(owner schema.OwnerKey) {
	t.changed = append(t.changed, changedRow{owner.SourceID, owner.Name()})
}

// Forget drops what the warehouse remembers of an owner.
func (t *Load) Forget(key schema.OwnerKey) { t.forgotten = append(t.forgotten, key) }

// Write appends rows: to the tables themselves in a first load, otherwise to the temporary tables.
func (t *Load) Write(rows *schema.Rows) error {
	for i := range rows.Conversations {
		rows.Conversations[i].FirstSeenAt, rows.Conversations[i].ChangedAt = t.settings.StartedAt, t.settings.StartedAt
	}
	rows.Quarantine = t.refuse(rows.Quarantine)
	t.fields.add(rows.UnknownFields)
	t.elements.take(rows)
	rows.UnknownFields = nil // they are written when all are counted
	t.mu.Lock()
	defer t.mu.Unlock()
	batch := reflect.ValueOf(rows).Elem()
	for i := range batch.NumField() {
		if err := t.appendAll(batch.Field(i)); err != nil {
			return err
		}
	}
	return nil
}

// refuse sets the load of quarantine rows, and leaves out those that this load has written before. Two rows are the
// same if their source, store, key and content are.
func (t *Load) refuse(rows []schema.Quarantine) []schema.Quarantine {
	var out []schema.Quarantine
	for _, q := range rows {
		key := refusal{source: q.SourceID, store: q.Store, hash: q.ValueHash, nullKey: q.Key == nil}
		if q.Key != nil {
			key.key = *q.Key
		}
		if !t.refused[key] {
			t.refused[key] = true
			q.LoadID = t.settings.LoadID
			out = append(out, q)
		}
	}
	return out
}

// appendAll appends a slice of row structs.
func (t *Load) appendAll(rows reflect.Value) error {
	if rows.Len() == 0 {
		return nil
	}
	a, err := t.appender(rows.Type().Elem())
	if err != nil {
		return err
	}
	few := t.rows <= engine.ManyRows
	if t.rows += rows.Len(); few && t.rows > engine.ManyRows && t.settings.Memory.Few > t.settings.Memory.Engine {
		engine.KeepFreedMemory(0)
		if err := t.exec(context.Background(), engine.SetMemory(t.settings.Memory.Engine)); err != nil {
			return err
		}
	}
	return a.Append(rows)
}

func (t *Load) appender(row reflect.Type) (*engine.Appender, error) {
	if a := t.appenders[row]; a != nil {
		return a, nil
	}
	table, ok := t.tables[row]
	if !ok {
		return nil, fmt.Errorf("no table is declared by %s", row)
	}
	target := "temp." + stagePrefix + table.Name
	if t.first && table.Scope != schema.Internal || table.Scope == schema.ByLoad {
		target, t.written[table.Name] = table.Object(), true
	} else if err := t.stage(context.Background(), table.Name); err != nil {
		return nil, err
	}
	a, err := engine.NewAppender(t.w.s.Conn, target, table, t.settings.Memory.Batch)
	if err != nil {
		return nil, err
	}
	t.appenders[row] = a
	return a, nil
}

// closeAppenders writes the rows that the appenders still hold, and closes the appenders.
func (t *Load) closeAppenders() error {
	var errs []error
	for row, a := range t.appenders {
		errs = append(errs, a.Close())
		delete(t.appenders, row)
	}
	return errors.Join(errs...)
}

// appendRows appends typed rows in one go.
func appendRows[R any](t *Load, rows []R) error { return t.appendAll(reflect.ValueOf(rows)) }

// Documents adds shared rows of stores that SourceRows.Changed will name.
func (t *Load) Documents(rows []schema.KnownDocument) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return appendRows(t, rows)
}

// Source adds the rows of a source: its own row, its stores, and the rows that conversations share. Of an unchanged
// source it writes only the first two.
func (t *Load) Source(rows load.SourceRows) error {
	if rows.Unchanged {
		rows.Complete, rows.Workspaces = nil, nil // nothing of them is to be merged
		t.sources = append(t.sources, rows)
		return errors.Join(appendRows(t, []schema.Source{rows.Source}), appendRows(t, rows.Stores))
	}
	rows.Quarantine = t.refuse(rows.Quarantine)
	t.fields.add(rows.UnknownFields)
	t.elements.add(rows.Elements)
	err := errors.Join(
		appendRows(t, []schema.Source{rows.Source}), appendRows(t, rows.Workspaces), appendRows(t, rows.Prompts),
		appendRows(t, rows.DailyStats), appendRows(t, rows.McpServers), appendRows(t, rows.Quarantine),
		appendRows(t, rows.Stores),
	)
	rows.Prompts, rows.Quarantine = nil, nil // they are written, and a merge is no time to hold them
	t.sources = append(t.sources, rows)
	return err
}

// Stores adds what the load saw of the stores that it read, and of the families of keys in them.
func (t *Load) Stores(stores []schema.LoadStore, families []schema.KeyFamily) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return errors.Join(appendRows(t, stores), appendRows(t, families))
}

// fewSynced is the number of rows up to which a commit has little to write, and does not wait for the disk long.
const fewSynced = 20_000

// Finish merges the rows, runs the models and the checks, and returns their results. It does not commit.
func (t *Load) Finish(ctx context.Context) (out load.Outcome, err error) {
	if err := cmp.Or(t.failed, t.writeKnown()); err != nil {
		return out, err
	}
	if err := errors.Join(t.closeAppenders(), afterAppends.Reach()); err != nil {
		return out, err
	}
	if err := t.alone(ctx); err != nil {
		return out, err
	}
	if keepsOpen && t.w.s.File != t.w.path && t.rows > fewSynced {
		t.endSync = t.w.syncBeside()
	}
	if err := t.mergeAliases(ctx); err != nil {
		return out, err
	}
	if t.raw != nil {
		if err := t.raw.End(t.sources, t.quiet()); err != nil {
			return out, err
		}
	}
	if t.quiet() {
		out, err = t.finishQuiet(ctx)
	} else {
		out, err = t.finishChanged(ctx)
	}
	if err == nil && t.raw != nil {
		err = t.raw.Finish(ctx, t.sources, t.quiet())
	}
	switch {
	case err != nil || t.settings.Rebuild == load.RebuildMore:
	case t.quiet() && t.settings.Rebuild != load.RebuildLast:
		err = t.makeObjects(ctx) // another version may have made those that are there
	default:
		err = t.examine(ctx, &out)
	}
	if err == nil {
		err = t.noteChanges(ctx)
	}
	if t.raw != nil {
		out.Failures = append(out.Failures, t.raw.Failures()...)
	}
	return out, err
}

// finishChanged finishes a load that changes rows.
func (t *Load) finishChanged(ctx context.Context) (out load.Outcome, err error) {
	err = cmp.Or(t.makeRecalled(ctx), t.exec(ctx,
		`CREATE OR REPLACE TEMP TABLE _changed_groups (source_id VARCHAR, project_uri VARCHAR);
		CREATE OR REPLACE TEMP TABLE _copied (source_id VARCHAR, conversation_id VARCHAR, message_id VARCHAR, copy_of VARCHAR)`))
	if err != nil {
		return out, err
	}
	if err := session.List(ctx, t.w.s, t.settings.Memory.Batch, "_changed", t.changed); err != nil {
		return out, err
	}
	if err := t.listChanged(ctx); err != nil {
		return out, err
	}
	if out, err = t.merge(ctx); err != nil {
		return out, err
	}
	if out.NewFields, err = t.mergeFields(ctx); err != nil {
		return out, err
	}
	if err := cmp.Or(t.writeElements(), t.setMeta(ctx)); err != nil {
		return out, err
	}
	if err := t.beginEstimates(ctx); err != nil {
		return out, err
	}
	models := sql.Models()
	for i, m := range models {
		t.settings.Progress(i, len(models))
		if err := t.build(ctx, m); err != nil {
			return out, fmt.Errorf("model %s: %w", m.Name, err)
		}
	}
	out.Totals, err = figures.ReadTotals(ctx, t.w.s.Conn)
	out.Unchanged = out.Totals.Conversations + out.Totals.Empty + out.Totals.Copies.Rows + out.Totals.Orphaned -
		out.New - out.Changed
	return out, err
}
