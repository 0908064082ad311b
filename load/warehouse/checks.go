package warehouse

import (
	"context"
	"errors"

	"pipeline/load"
	"pipeline/load/figures"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// examine makes views and macros and runs the checks.
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

// checkChanged runs every check; those that look at each conversation by itself see only the conversations that the load has changed.
func (t *Load) checkChanged(ctx context.Context) ([]figures.CheckFailure, error) {
	if t.first || t.settings.Recheck || t.settings.Rebuild == load.RebuildLast || !t.few {
		return figures.RunChecks(ctx, t.w.s.Conn, t.settings.Progress, func(f sql.File) bool { return t.settings.Recheck || !f.ByConstruction })
	}
	failures, err := figures.RunChecks(ctx, t.w.s.Conn, t.settings.Progress, func(f sql.File) bool { return !f.PerConversation && !f.ByConstruction })
	if err != nil {
		return nil, err
	}
	// Temporary tables come before others of the same name.
	var parts []string
	for _, table := range schema.Tables() {
		if table.Scope != schema.ByConversation && table.Name != "_known_rows" && table.Name != "_known_conversations" {
			continue
		}
		parts = append(parts, table.Name)
		if err := t.exec(ctx, sql.StatementFor("merge/changed_rows", table)); err != nil {
			return nil, err
		}
	}
	more, err := figures.RunChecks(ctx, t.w.s.Conn, t.settings.Progress, func(f sql.File) bool { return f.PerConversation })
	for _, name := range parts {
		err = errors.Join(err, t.exec(ctx, `DROP TABLE temp.`+name))
	}
	return append(failures, more...), err
}
