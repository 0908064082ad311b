package warehouse

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"pipeline/load"
	"pipeline/load/session"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// claims are what conversations say of others, or of themselves for the whole source.
var claims = []string{"_subagent_claims", "_missing_headers", "_agent_prompts"}

// merge replaces earlier rows by the staged ones, and counts the new, changed and deleted conversations
// (docs/reliability.md, What it promises).
func (t *Load) merge(ctx context.Context) (out load.Outcome, err error) {
	if err := t.exec(ctx, `SET VARIABLE load_id = ?::BIGINT`, t.settings.LoadID); err != nil {
		return out, err
	}
	if err := t.exec(ctx, `SET VARIABLE usage_user = ?::VARCHAR`, t.settings.UsageUser); err != nil {
		return out, err
	}
	if t.first {
		return t.mergeFirst(ctx)
	}
	if err := t.exec(ctx, `SET VARIABLE load_started_at = make_timestamptz(?::BIGINT * 1000)`,
		int64(t.settings.StartedAt)); err != nil {
		return out, err
	}
	if err := t.stages(ctx,
		slices.Concat([]string{"conversations", "sources", "attachments", "_mcp_servers", "_owners"},
			claims)...); err != nil {
		return out, err
	}
	if err := t.w.s.Conn.QueryRowContext(ctx, sql.Statement("merge/outcome")).
		Scan(&out.New, &out.Changed, &out.Deleted); err != nil {
		return out, err
	}
	if err := t.exec(ctx, sql.Statement("merge/changed_groups")); err != nil {
		return out, err
	}
	steps := []func(context.Context) error{t.listStores, t.mergeConversations, t.mergeParts, t.losePlaces,
		t.mergeSources, t.mergeKnown}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return out, err
		}
	}
	out.Quarantined, err = t.mergeQuarantine(ctx)
	return out, err
}

// mergeFirst counts the rows of a first load, which are in their tables already. It only merges the tables of what the
// warehouse remembers.
func (t *Load) mergeFirst(ctx context.Context) (out load.Outcome, err error) {
	if err := t.w.s.Conn.QueryRowContext(ctx, sql.Statement("merge/first_outcome")).
		Scan(&out.New, &out.Quarantined); err != nil {
		return out, err
	}
	if err := t.exec(ctx, sql.Statement("merge/first_groups")); err != nil {
		return out, err
	}
	for _, table := range slices.Concat([]string{"_known_documents", "_mcp_servers"}, claims) {
		if !t.staged[table] {
			continue
		}
		if err := t.execFor(ctx, "merge/append", table); err != nil {
			return out, err
		}
	}
	if err := t.stage(ctx, "_owners"); err != nil {
		return out, err
	}
	return out, t.mergeKnown(ctx) // the raw layer may have been there before the warehouse: then some are marked
}

// mergeConversations replaces the conversations' own rows.
func (t *Load) mergeConversations(ctx context.Context) error {
	if err := t.exec(ctx, sql.Statement("merge/conversations")); err != nil {
		return err
	}
	return t.replace(ctx, "conversations")
}

// replace deletes the rows whose keys are staged, and inserts the staged rows. It notes the months of both
// (changes.go).
func (t *Load) replace(ctx context.Context, table string) error {
	if spec, _ := schema.Lookup(table); spec.ByMonth() {
		if err := t.execFor(ctx, "merge/changed_months", table); err != nil {
			return err
		}
	}
	return t.execFor(ctx, "merge/replace", table)
}

// execFor runs a statement for one table. The statement is made from the table's declaration.
func (t *Load) execFor(ctx context.Context, statement, table string) error {
	spec, _ := schema.Lookup(table)
	return t.exec(ctx, sql.StatementFor(statement, spec))
}

// mergeParts replaces the rows that belong to conversations. A row that is gone from the store keeps its values, gets
// deleted_at and loses its position. The attachments of such a message stay.
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
		if err := t.replaceChanged(ctx, table.Name); err != nil {
			return err
		}
	}
	if err := t.mergeAttachments(ctx); err != nil {
		return err
	}
	for _, table := range claims {
		if err := cmp.Or(t.execFor(ctx, "merge/claims", table), t.replace(ctx, table)); err != nil {
			return err
		}
	}
	return t.mergeServers(ctx)
}

// mergeAttachments replaces the attachments of the messages and conversations that are there.
func (t *Load) mergeAttachments(ctx context.Context) error {
	attachments, _ := schema.Lookup("attachments")
	result, err := t.w.s.Conn.ExecContext(ctx, sql.StatementFor("merge/attachments", attachments))
	if err != nil {
		return err
	}
	removed, err := result.RowsAffected()
	if err != nil {
		return err
	}
	if err := t.replaceChanged(ctx, attachments.Name); err != nil {
		return err
	}
	if removed > 0 {
		delete(t.same, attachments.Name)
	}
	return nil
}

// replaceChanged replaces rows of conversations, but not by equal ones: the engine would write their neighbours in the
// file again, too. If no row is left to be written, the load has not touched the table.
func (t *Load) replaceChanged(ctx context.Context, table string) error {
	if !t.few { // to compare them would cost more
		return t.replace(ctx, table)
	}
	if err := t.execFor(ctx, "merge/unchanged", table); err != nil {
		return err
	}
	var left bool
	if err := t.w.s.Conn.QueryRowContext(ctx, `SELECT EXISTS (FROM temp.`+stagePrefix+table+`)`).
		Scan(&left); err != nil {
		return err
	}
	if !left {
		t.same[table] = true
		return nil
	}
	return t.replace(ctx, table)
}

// fewChanged is the largest number of changed conversations that statements find by a list. With a list, a scan does
// not read the other columns of unchanged rows.
const fewChanged = 200

// listChanged sets the variable changed_conversations for the statements of a merge, if few conversations have changed.
func (t *Load) listChanged(ctx context.Context) error {
	if t.few = len(t.changed) <= fewChanged; !t.few {
		return t.exec(ctx, `RESET VARIABLE changed_conversations`)
	}
	return t.exec(ctx, sql.Statement("merge/changed_list"))
}

// concerns reports whether a table has rows of a changed conversation, or gets any.
func (t *Load) concerns(ctx context.Context, table schema.Table) (yes bool, err error) {
	if t.staged[table.Name] {
		return true, nil
	}
	err = t.w.s.Conn.QueryRowContext(ctx, sql.StatementFor("merge/concerned", table)).Scan(&yes)
	return yes, err
}

// storeRow is a row of the temporary table _stores. It says what this load knows of a store.
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

// mergeSources merges the rows that each run reads completely: those of sources, workspaces, daily statistics, prompts
// and shared rows.
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

// losePlaces marks places that are gone while their conversations stay. The other places of such a conversation were
// written.
func (t *Load) losePlaces(ctx context.Context) error {
	var lost []schema.OwnerKey
	for _, s := range t.sources {
		lost = append(lost, s.LostPlaces...)
	}
	if len(lost) == 0 {
		return nil
	}
	if err := session.List(ctx, t.w.s, t.settings.Memory.Batch, "_lost_places", lost); err != nil {
		return err
	}
	delete(t.same, "conversation_sources")
	return t.exec(ctx, sql.Statement("merge/lost_places"))
}

// mergeKnown replaces what the warehouse remembers of conversations and stores.
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
	return t.replace(ctx, "_owners")
}

// mergeQuarantine adds new rows, and opens rows that came back. It resolves the rows of changed conversations and
// complete stores that are usable again or gone. Rows of the same place and content are one row.
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
