package warehouse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pipeline/load"
	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/figures"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// This file has the steps of a load between its merge and its commit: settings, memory, views, checks.

// These settings in _meta change the result of models.
const (
	metaGap    = "session_gap_ms"
	metaWindow = "commit_window_ms"
)

// quiet reports whether the load changes no rows but those about the run itself and those that the warehouse remembers.
// Then no model has to run.
func (t *Load) quiet() bool {
	if t.staged["conversation_sources"] { // places are written of conversations that stay as they are
		return false
	}
	if t.first || t.settings.Recheck || t.repriced() || t.settings.UsageUser != t.settings.UsageUserBefore ||
		t.settings.SessionGapMs != t.settings.GapBefore || t.settings.CommitWindowMs != t.settings.WindowBefore ||
		len(t.changed)+len(t.forgotten) > 0 {
		return false
	}
	for _, s := range t.sources {
		if !s.Unchanged {
			return false
		}
	}
	return true
}

// finishQuiet finishes a load that found nothing to do.
func (t *Load) finishQuiet(ctx context.Context) (out load.Outcome, err error) {
	for _, table := range []string{"_owners", "_known_stores"} {
		if !t.staged[table] {
			continue
		}
		if err := t.replace(ctx, table); err != nil {
			return out, err
		}
	}
	out.Totals, err = figures.ReadTotals(ctx, t.w.s.Conn)
	out.Unchanged = out.Totals.Conversations + out.Totals.Empty + out.Totals.Copies.Rows + out.Totals.Orphaned
	return out, err
}

// setMeta stores the session gap and the commit window. On a first load, or if one of them has changed, it lists all
// groups of conversations and all repositories as changed. On the first load after a migration it also lists all
// conversations.
func (t *Load) setMeta(ctx context.Context) error {
	if !t.first && t.settings.GapBefore == t.settings.SessionGapMs &&
		t.settings.WindowBefore == t.settings.CommitWindowMs {
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
	return t.keepModelSettings(ctx, t.settings.SessionGapMs, t.settings.CommitWindowMs)
}

// keepModelSettings stores the session gap and the commit window, and the version of the schema that the models have
// filled. A gap of 0 says that every model is to run for everything.
func (t *Load) keepModelSettings(ctx context.Context, gapMs, windowMs int64) error {
	if err := t.exec(ctx, `DELETE FROM _meta WHERE key IN (?, ?, ?)`, metaGap, metaWindow,
		catalog.VersionKey); err != nil {
		return err
	}
	return t.exec(ctx, `INSERT INTO _meta VALUES (?, ?), (?, ?), (?, ?)`, metaGap, strconv.FormatInt(gapMs, 10),
		metaWindow, strconv.FormatInt(windowMs, 10), catalog.VersionKey, strconv.Itoa(schema.Version))
}

// due reports whether this is the first load after a migration.
func (t *Load) due() bool { return !t.first && t.settings.GapBefore == 0 }

// alone gives the engine the memory that it may use once every row is written. A large load gets every core, too.
func (t *Load) alone(ctx context.Context) error {
	engine.KeepFreedMemory(t.lingers())
	err := t.exec(ctx, engine.SetMemory(t.settings.Memory.Alone))
	if err == nil && t.rows > engine.ManyRows {
		err = t.exec(ctx, engine.SetThreads())
	}
	return err
}

// lingers is for how long memory that the engine has freed may stay: a load of few rows has room for it, and would take
// it anew for each statement.
func (t *Load) lingers() (ms int) {
	switch {
	case !t.settings.Memory.Spare:
		return 0
	case t.first, t.rows > engine.ManyRows, t.settings.Rebuild != load.NoRebuild:
		return engine.Briefly
	}
	return engine.AWhile
}

// examine makes the views and macros, and runs the checks.
func (t *Load) examine(ctx context.Context, out *load.Outcome) (err error) {
	if err := t.makeObjects(ctx); err != nil {
		return err
	}
	t.settings.Checking()
	if out.Totals.Coverage, err = figures.ReadCoverage(ctx, t.w.s.Conn); err != nil {
		return err
	}
	out.Failures, err = t.checkChanged(ctx)
	return err
}

// checkChanged runs the checks. If few conversations have changed, the checks that look at each conversation by itself
// read only these, and those that look at each table by itself only tables of which rows may have changed.
func (t *Load) checkChanged(ctx context.Context) ([]figures.CheckFailure, error) {
	if t.first || t.settings.Recheck || t.settings.Rebuild == load.RebuildLast || !t.few {
		return figures.RunChecks(ctx, t.w.s.Conn, t.settings.Progress,
			func(f sql.File) bool { return t.settings.Recheck || !f.ByConstruction }, nil)
	}
	recalled, err := t.recalled(ctx)
	if err != nil {
		return nil, err
	}
	touched := t.touched(recalled)
	failures, err := figures.RunChecks(ctx, t.w.s.Conn, t.settings.Progress,
		func(f sql.File) bool { return !f.PerConversation && !f.ByConstruction }, touched)
	if err != nil {
		return nil, err
	}
	parts, err := t.filledParts(ctx, touched)
	if err != nil {
		return nil, err
	}
	var database string
	if err := t.w.s.Conn.QueryRowContext(ctx, `SELECT current_database()`).Scan(&database); err != nil {
		return nil, err
	}
	for _, table := range parts { // a temporary view hides the table of the same name
		if err := t.exec(ctx, sql.StatementIn("merge/changed_rows", engine.Identifier(database), table)); err != nil {
			return nil, err
		}
	}
	more, err := figures.RunChecks(ctx, t.w.s.Conn, t.settings.Progress,
		func(f sql.File) bool { return f.PerConversation }, touched)
	for _, table := range parts {
		err = errors.Join(err, t.exec(ctx, `DROP VIEW temp.`+table.Name))
	}
	return append(failures, more...), err
}

// filledParts returns the tables with rows of conversations that have any, and that a check reads. A check of an empty
// one reads nothing as it is.
func (t *Load) filledParts(ctx context.Context, touched map[string]bool) (filled []schema.Table, err error) {
	checks := sql.Checks()
	reads := func(table string) bool {
		return touched[table] || slices.ContainsFunc(checks, func(f sql.File) bool {
			return f.PerConversation && f.Parts == nil && strings.Contains(f.SQL, table)
		})
	}
	var asks []string
	for _, table := range schema.Tables() {
		if (table.Scope == schema.ByConversation || table.Name == "_known_rows" || table.Name == "_owners") &&
			reads(table.Name) {
			asks = append(asks, fmt.Sprintf(`(SELECT '%s' FROM %s LIMIT 1)`, table.Name, table.Object()))
		}
	}
	names, err := sqlrows.All[string](ctx, t.w.s.Conn, strings.Join(asks, ` UNION ALL `))
	for _, name := range names {
		table, _ := schema.Lookup(name)
		filled = append(filled, table)
	}
	return filled, err
}

// build runs a model, unless the table that it needs has no rows.
func (t *Load) build(ctx context.Context, m sql.File) error {
	if m.Needs != "" {
		var any bool
		if err := t.w.s.Conn.QueryRowContext(ctx, `SELECT EXISTS (FROM `+m.Needs+`)`).Scan(&any); err != nil || !any {
			return err
		}
	}
	t.built = append(t.built, m)
	return t.exec(ctx, m.SQL)
}
