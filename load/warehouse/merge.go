package warehouse

import (
	"context"
	"slices"
	"strings"

	"pipeline/load"
	"pipeline/load/session"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// merge puts the staged rows in the place of earlier ones and says what that changed (docs/reliability.md, What it promises).
func (t *Load) merge(ctx context.Context) (out load.Outcome, err error) {
	if t.first {
		return t.mergeFirst(ctx)
	}
	if err := t.exec(ctx, `SET VARIABLE load_started_at = make_timestamptz(?::BIGINT * 1000)`, int64(t.settings.StartedAt)); err != nil {
		return out, err
	}
	if err := t.exec(ctx, `SET VARIABLE load_id = ?::BIGINT`, t.settings.LoadID); err != nil {
		return out, err
	}
	if err := t.stages(ctx, "conversations", "sources", "attachments", "_subagent_claims", "_known_conversations"); err != nil {
		return out, err
	}
	if err := t.w.s.Conn.QueryRowContext(ctx, sql.Statement("merge/outcome")).Scan(&out.New, &out.Changed, &out.Deleted); err != nil {
		return out, err
	}
	if err := t.exec(ctx, sql.Statement("merge/changed_groups")); err != nil {
		return out, err
	}
	steps := []func(context.Context) error{t.listStores, t.mergeConversations, t.mergeParts, t.mergeSources, t.mergeKnown}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return out, err
		}
	}
	out.Quarantined, err = t.mergeQuarantine(ctx)
	return out, err
}

// mergeFirst: the rows are in their tables already.
func (t *Load) mergeFirst(ctx context.Context) (out load.Outcome, err error) {
	if err := t.w.s.Conn.QueryRowContext(ctx, sql.Statement("merge/first_outcome")).Scan(&out.New, &out.Quarantined); err != nil {
		return out, err
	}
	if err := t.exec(ctx, sql.Statement("merge/first_groups")); err != nil {
		return out, err
	}
	for _, table := range []string{"_known_conversations", "_known_documents", "_known_stores", "_subagent_claims"} {
		if !t.staged[table] {
			continue
		}
		if err := t.execFor(ctx, "merge/append", table); err != nil {
			return out, err
		}
	}
	return out, nil
}

// mergeConversations replaces the conversations' own rows.
func (t *Load) mergeConversations(ctx context.Context) error {
	if err := t.exec(ctx, sql.Statement("merge/conversations")); err != nil {
		return err
	}
	return t.replace(ctx, "conversations")
}

// replace deletes the rows whose key is staged and inserts the staged ones.
func (t *Load) replace(ctx context.Context, table string) error {
	return t.execFor(ctx, "merge/replace", table)
}

// execFor runs a statement that is the same for each table, for one of them.
func (t *Load) execFor(ctx context.Context, statement, table string) error {
	spec, _ := schema.Lookup(table)
	return t.exec(ctx, sql.StatementFor(statement, spec))
}

// mergeParts replaces what belongs to conversations. Rows that the store no longer has keep every value, get deleted_at and lose their
// position; the attachments of such a message stay.
func (t *Load) mergeParts(ctx context.Context) error {
	for _, table := range schema.Tables() {
		if table.Scope != schema.ByConversation || !table.Has("deleted_at") || table.Name == "conversations" {
			continue
		}
		if concerned, err := t.concerns(ctx, table); err != nil || !concerned {
			if err != nil {
				return err
			}
			continue
		}
		if err := t.stage(ctx, table.Name); err != nil {
			return err
		}
		if err := t.exec(ctx, sql.StatementFor("merge/gone", table)); err != nil {
			return err
		}
		if err := t.replace(ctx, table.Name); err != nil {
			return err
		}
	}
	if err := t.exec(ctx, sql.Statement("merge/attachments")); err != nil {
		return err
	}
	if err := t.replace(ctx, "attachments"); err != nil {
		return err
	}
	return t.exec(ctx, sql.Statement("merge/subagent_claims"))
}

// fewChanged is up to how many changed conversations a scan looks for them by a list: it then reads no other column of the rest.
const fewChanged = 200

// listChanged fills the variable changed_conversations where they are few, for the statements of a merge.
func (t *Load) listChanged(ctx context.Context) error {
	if t.few = len(t.changed) <= fewChanged; !t.few {
		return t.exec(ctx, `RESET VARIABLE changed_conversations`)
	}
	return t.exec(ctx, sql.Statement("merge/changed_list"))
}

// concerns reports whether a table has rows of a changed conversation, or gets some.
func (t *Load) concerns(ctx context.Context, table schema.Table) (yes bool, err error) {
	if t.staged[table.Name] {
		return true, nil
	}
	err = t.w.s.Conn.QueryRowContext(ctx, sql.StatementFor("merge/concerned", table)).Scan(&yes)
	return yes, err
}

// storeRow is a row of the temporary table _stores: what this load knows of a store.
type storeRow struct {
	SourceID    string `col:"source_id"`
	Store       string `col:"store"`
	WorkspaceID string `col:"workspace_id"` // '' for the global store
	Complete    bool   `col:"complete"`     // it was read whole
	Changed     bool   `col:"changed"`      // its shared rows are to be remembered anew
	Folder      bool   `col:"folder"`       // its workspace.json was looked at
}

// listStores fills the temporary table _stores.
func (t *Load) listStores(ctx context.Context) error {
	var rows []storeRow
	for _, source := range t.sources {
		at := map[string]int{}
		row := func(store string) *storeRow {
			i, known := at[store]
			if !known {
				i = len(rows)
				at[store] = i
				workspace := strings.TrimPrefix(store, "workspace/")
				if store == "global" {
					workspace = ""
				}
				rows = append(rows, storeRow{SourceID: source.Source.SourceID, Store: store, WorkspaceID: workspace})
			}
			return &rows[i]
		}
		for _, store := range source.Complete {
			row(store).Complete = true
		}
		for _, store := range source.Changed {
			row(store).Changed = true
		}
		for _, w := range source.Workspaces {
			row("workspace/" + w.WorkspaceID).Folder = true
		}
	}
	return session.List(ctx, t.w.s, t.settings.Memory.Batch, "_stores", rows)
}

// mergeSources merges what is read whole in each run.
func (t *Load) mergeSources(ctx context.Context) error {
	if err := t.exec(ctx, sql.Statement("merge/sources")); err != nil {
		return err
	}
	tables := []string{"sources", "workspaces", "daily_edit_stats"}
	if !slices.ContainsFunc(t.sources, func(s load.SourceRows) bool { return !s.Unchanged }) {
		tables = tables[:1]
	}
	for _, table := range tables {
		if err := t.stage(ctx, table); err != nil {
			return err
		}
		if err := t.replace(ctx, table); err != nil {
			return err
		}
	}
	if len(tables) == 1 {
		return nil
	}
	if err := t.stages(ctx, "prompts", "_known_documents"); err != nil {
		return err
	}
	if err := t.exec(ctx, sql.Statement("merge/shared")); err != nil {
		return err
	}
	return t.replace(ctx, "prompts")
}

// mergeKnown replaces what is remembered of conversations and stores.
func (t *Load) mergeKnown(ctx context.Context) error {
	if err := session.List(ctx, t.w.s, t.settings.Memory.Batch, "_forgotten", t.forgotten); err != nil {
		return err
	}
	if err := t.exec(ctx, sql.Statement("merge/forget")); err != nil {
		return err
	}
	if t.staged["_known_stores"] {
		if err := t.replace(ctx, "_known_stores"); err != nil {
			return err
		}
	}
	return t.replace(ctx, "_known_conversations")
}

// mergeQuarantine adds rows that are new, opens those that came back, and resolves those of changed conversations and complete stores
// that are usable again or gone. Once per row and content.
func (t *Load) mergeQuarantine(ctx context.Context) (added int64, err error) {
	if !t.staged["quarantine"] {
		var open bool
		err := t.w.s.Conn.QueryRowContext(ctx, sql.Statement("merge/quarantine_open")).Scan(&open)
		if err != nil || !open {
			return 0, err
		}
	}
	if err := t.stage(ctx, "quarantine"); err != nil {
		return 0, err
	}
	if err := t.exec(ctx, sql.Statement("merge/quarantine_resolve")); err != nil {
		return 0, err
	}
	if err := t.w.s.Conn.QueryRowContext(ctx, sql.Statement("merge/quarantine_added")).Scan(&added); err != nil {
		return 0, err
	}
	return added, t.exec(ctx, sql.Statement("merge/quarantine"))
}
