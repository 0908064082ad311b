package warehouse

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"strings"

	"pipeline/load"
	"pipeline/load/changes"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// This file notes in _changes what a load has changed. A first load and a rebuild note nothing: the warehouse is
// another one then, and everything is new.

// noteChanges notes what the load has changed, but for the months that replace has noted. It runs when the models have
// run and the views are made.
func (t *Load) noteChanges(ctx context.Context) error {
	if t.settings.Rebuild == load.RebuildMore {
		return nil
	}
	if err := t.identify(ctx); err != nil {
		return err
	}
	if !t.quiet() || t.settings.Rebuild == load.RebuildLast {
		if err := cmp.Or(t.makeRecalled(ctx), t.exec(ctx, sql.Statement("merge/changed_live"))); err != nil {
			return err
		}
	}
	if t.first || t.settings.Rebuild != load.NoRebuild {
		return nil
	}
	if err := t.exec(ctx, `SET VARIABLE load_id = ?::BIGINT`, t.settings.LoadID); err != nil {
		// a load that merges nothing has not set it
		return err
	}
	recalled, err := t.recalled(ctx)
	if err != nil {
		return err
	}
	for _, table := range recalled {
		if err := t.execFor(ctx, "merge/changed_recalled", table); err != nil {
			return err
		}
	}
	if err := t.exec(ctx, `SET VARIABLE changed_tables = ?::VARCHAR[]`,
		"["+strings.Join(t.changedTables(), ", ")+"]"); err != nil {
		return err
	}
	return t.exec(ctx, sql.Statement("merge/changed_tables"))
}

// makeRecalled makes the table _recalled for those that note in it what they change, see sql.Models.
func (t *Load) makeRecalled(ctx context.Context) error {
	return t.exec(ctx, `CREATE TEMP TABLE IF NOT EXISTS _recalled (table_name VARCHAR, conversation_id VARCHAR)`)
}

// recalled lists the tables, of those that are published by month, of which a model has changed rows, or of which rows
// are live now that were not, or the other way round.
func (t *Load) recalled(ctx context.Context) (tables []string, err error) {
	if t.quiet() {
		return nil, nil // there is no table _recalled
	}
	return sqlrows.All[string](ctx, t.w.s.Conn, `SELECT DISTINCT table_name FROM _recalled ORDER BY 1`)
}

// identify gives the warehouse an id of its own, if it has none.
func (t *Load) identify(ctx context.Context) error {
	id, err := t.w.s.Setting(ctx, changes.MetaWarehouse)
	if err != nil || id != "" {
		return err
	}
	return t.w.s.Keep(ctx, changes.MetaWarehouse, rand.Text())
}

// changedTables lists the tables, but those by month, of which the load may have changed rows.
func (t *Load) changedTables() (names []string) {
	touched := t.touched(nil)
	for _, table := range schema.Tables() {
		if table.Scope != schema.Internal && !table.ByMonth() && touched[table.Name] {
			names = append(names, table.Name)
		}
	}
	return names
}

// touched has the tables of which the load may have changed rows: those that it staged other rows of, and those that it
// or a model writes without that. Of those by month, models note in which they change rows (recalled).
func (t *Load) touched(recalled []string) map[string]bool {
	touched, models := map[string]bool{}, map[string]bool{}
	for _, m := range t.built {
		for _, table := range m.Changes() {
			models[table] = true
		}
	}
	for _, table := range schema.Tables() {
		switch name := table.Name; {
		case table.Scope == schema.Internal, t.staged[name] && !t.same[name], t.written[name],
			models[name] && !table.ByMonth(), slices.Contains(recalled, name),
			name == "model_prices" && t.repriced(), name == "loads", name == "raw_files":
			touched[name] = true
		}
	}
	return touched
}
