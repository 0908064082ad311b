package load

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// merge puts the staged rows in the place of earlier ones and says what that changed (docs/reliability.md, What it promises).
func (t *transaction) merge(ctx context.Context) (out Outcome, err error) {
	if t.first {
		return t.mergeFirst(ctx)
	}
	if err := t.stages(ctx, "conversations", "sources", "attachments", "_subagent_claims", "_known_conversations"); err != nil {
		return out, err
	}
	if out, err = t.count(ctx); err != nil {
		return out, err
	}
	if err := t.exec(ctx, `INSERT INTO _changed_groups SELECT DISTINCT source_id, project_uri FROM conversations SEMI JOIN _changed USING (source_id, conversation_id)`); err != nil {
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
func (t *transaction) mergeFirst(ctx context.Context) (out Outcome, err error) {
	err = t.w.conn.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM conversations), (SELECT count(*) FROM quarantine)`).Scan(&out.New, &out.Quarantined)
	if err != nil {
		return out, err
	}
	if err := t.exec(ctx, `INSERT INTO _changed_groups SELECT DISTINCT source_id, project_uri FROM conversations`); err != nil {
		return out, err
	}
	for _, table := range []string{"_known_conversations", "_known_documents", "_known_stores", "_subagent_claims"} {
		if !t.staged[table] {
			continue
		}
		if err := t.exec(ctx, fmt.Sprintf(`INSERT INTO %s FROM temp.%s%s`, table, stagePrefix, table)); err != nil {
			return out, err
		}
	}
	return out, nil
}

// count says what becomes of conversations, before anything is merged.
func (t *transaction) count(ctx context.Context) (out Outcome, err error) {
	err = t.w.conn.QueryRowContext(ctx, `
		WITH pairs AS (
			SELECT o.conversation_id IS NOT NULL AS had, s.conversation_id IS NOT NULL AS has, o.deleted_at AS deleted,
				s.status IS NOT DISTINCT FROM 'orphaned' AND (o.deleted_at IS NOT NULL OR o.status IS DISTINCT FROM 'orphaned') AND NOT `+neverHeaded+` AS headless -- deleted, and stays so
			FROM (SELECT DISTINCT * FROM _changed) c
			LEFT JOIN conversations o USING (source_id, conversation_id)
			LEFT JOIN temp.stage_conversations s USING (source_id, conversation_id)
		)
		SELECT count(*) FILTER (WHERE has AND NOT had),
			count(*) FILTER (WHERE has AND had AND NOT headless),
			count(*) FILTER (WHERE had AND deleted IS NULL AND (NOT has OR headless))
		FROM pairs`).Scan(&out.New, &out.Changed, &out.Deleted)
	return out, err
}

// neverHeaded holds for a conversation o of which only messages were ever seen. It has nothing of its own to keep: when they come back, so does it.
const neverHeaded = `(o.status IS NOT DISTINCT FROM 'orphaned' AND o.header_count = 0 AND o.title IS NULL AND o.format_version IS NULL
	AND o.created_at IS NULL AND o.updated_at IS NULL AND o.mode IS NULL AND o.model IS NULL)`

// mergeConversations replaces the conversations' own rows.
func (t *transaction) mergeConversations(ctx context.Context) error {
	now := t.settings.StartedAt
	// A conversation that a run found before keeps when it was first seen.
	if err := t.exec(ctx, `UPDATE temp.stage_conversations AS s SET first_seen_at = o.first_seen_at FROM conversations o
		WHERE o.source_id = s.source_id AND o.conversation_id = s.conversation_id`); err != nil {
		return err
	}
	// One of which only messages were ever seen comes back with them.
	if err := t.exec(ctx, `DELETE FROM conversations AS o USING temp.stage_conversations s
		WHERE s.source_id = o.source_id AND s.conversation_id = o.conversation_id AND s.status = 'orphaned' AND o.deleted_at IS NOT NULL AND `+neverHeaded); err != nil {
		return err
	}
	// One whose own row is gone while messages of it remain keeps its values, as a deleted orphan.
	if err := t.exec(ctx, `UPDATE conversations AS o SET status = 'orphaned', deleted_at = coalesce(o.deleted_at, make_timestamptz(? * 1000)), changed_at = make_timestamptz(? * 1000)
		FROM temp.stage_conversations s
		WHERE s.source_id = o.source_id AND s.conversation_id = o.conversation_id AND s.status = 'orphaned' AND (o.status IS DISTINCT FROM 'orphaned' OR o.deleted_at IS NOT NULL)`, int64(now), int64(now)); err != nil {
		return err
	}
	if err := t.exec(ctx, `DELETE FROM temp.stage_conversations AS s USING conversations o
		WHERE s.source_id = o.source_id AND s.conversation_id = o.conversation_id AND s.status = 'orphaned' AND o.status = 'orphaned' AND o.deleted_at IS NOT NULL`); err != nil {
		return err
	}
	// One of which nothing is left is marked.
	if err := t.exec(ctx, `UPDATE conversations AS o SET deleted_at = make_timestamptz(? * 1000), changed_at = make_timestamptz(? * 1000)
		FROM (SELECT DISTINCT * FROM _changed) c
		WHERE c.source_id = o.source_id AND c.conversation_id = o.conversation_id AND o.deleted_at IS NULL
			AND NOT EXISTS (FROM temp.stage_conversations s WHERE s.source_id = o.source_id AND s.conversation_id = o.conversation_id)`, int64(now), int64(now)); err != nil {
		return err
	}
	return t.replace(ctx, "conversations", []string{"source_id", "conversation_id"})
}

// replace deletes the rows whose key is staged and inserts the staged ones.
func (t *transaction) replace(ctx context.Context, table string, key []string) error {
	if err := t.exec(ctx, fmt.Sprintf(`DELETE FROM %[1]s AS o USING temp.%[2]s%[1]s s WHERE %[3]s`, table, stagePrefix, equal("o", "s", key))); err != nil {
		return err
	}
	return t.exec(ctx, fmt.Sprintf(`INSERT INTO %[1]s FROM temp.%[2]s%[1]s`, table, stagePrefix))
}

func equal(a, b string, columns []string) string {
	terms := make([]string, len(columns))
	for i, c := range columns {
		terms[i] = fmt.Sprintf(`%s.%s IS NOT DISTINCT FROM %s.%s`, a, c, b, c)
		if c == "source_id" || c == "conversation_id" {
			terms[i] = fmt.Sprintf(`%s.%s = %s.%s`, a, c, b, c)
		}
	}
	return strings.Join(terms, " AND ")
}

// mergeParts replaces what belongs to conversations. Rows that the store no longer has keep every value, get deleted_at and lose their
// position; the attachments of such a message stay.
func (t *transaction) mergeParts(ctx context.Context) error {
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
		set := "coalesce(o.deleted_at, make_timestamptz(? * 1000)) AS deleted_at"
		if table.Has("position") {
			set += ", NULL::BIGINT AS position"
		}
		// They are written anew: an UPDATE to NULL leaves statistics by which IS NOT NULL finds rows (engine 1.4.1).
		gone := fmt.Sprintf(`INSERT INTO temp.%[4]s%[1]s SELECT o.* REPLACE (%[2]s) FROM %[7]s o SEMI JOIN _changed c
			ON c.source_id = o.source_id AND c.conversation_id = o.%[3]s WHERE (o.deleted_at IS NULL%[6]s)
				AND NOT EXISTS (FROM temp.%[4]s%[1]s s WHERE %[5]s)`,
			table.Name, set, table.ScopeColumn(), stagePrefix, equal("s", "o", table.Key()), orPosition(table), t.changedPart(table.Name, table.ScopeColumn()))
		if err := t.exec(ctx, gone, int64(t.settings.StartedAt)); err != nil {
			return err
		}
		if err := t.replace(ctx, table.Name, table.Key()); err != nil {
			return err
		}
	}
	if err := t.exec(ctx, `DELETE FROM attachments AS o USING (SELECT DISTINCT * FROM _changed) c
		WHERE `+t.isChanged("o.conversation_id")+` AND c.source_id = o.source_id AND c.conversation_id = o.conversation_id
			AND (o.message_id IS NULL AND EXISTS (FROM conversations k WHERE k.source_id = o.source_id AND k.conversation_id = o.conversation_id AND k.deleted_at IS NULL)
				OR EXISTS (FROM messages m WHERE m.source_id = o.source_id AND m.conversation_id = o.conversation_id
				AND m.message_id = o.message_id AND m.deleted_at IS NULL))`); err != nil {
		return err
	}
	if err := t.replace(ctx, "attachments", []string{"source_id", "conversation_id", "message_id", "ordinal"}); err != nil {
		return err
	}
	// What a conversation said about subagents stays when it is deleted: they keep their project.
	if err := t.exec(ctx, `DELETE FROM _subagent_claims AS o USING (SELECT DISTINCT * FROM _changed) c, conversations k
		WHERE c.source_id = o.source_id AND c.conversation_id = o.claimed_by
			AND k.source_id = o.source_id AND k.conversation_id = o.claimed_by AND k.deleted_at IS NULL`); err != nil {
		return err
	}
	return t.exec(ctx, `INSERT INTO _subagent_claims FROM temp.stage__subagent_claims`)
}

// fewChanged is up to how many changed conversations a scan looks for them by a list: it then reads no other column of the rest.
const fewChanged = 200

// listChanged fills the variable of isChanged.
func (t *transaction) listChanged(ctx context.Context) error {
	if t.few = len(t.changed) <= fewChanged; !t.few {
		return nil
	}
	return t.exec(ctx, `SET VARIABLE changed_conversations = (SELECT coalesce(list(DISTINCT conversation_id), []) FROM _changed)`)
}

// isChanged is a condition that holds for every changed conversation and, where they are few, for hardly another.
func (t *transaction) isChanged(column string) string {
	if !t.few {
		return "true"
	}
	return "list_contains(getvariable('changed_conversations'), " + column + ")"
}

// changedPart is a table's part that isChanged.
func (t *transaction) changedPart(table, column string) string {
	if !t.few {
		return table
	}
	return fmt.Sprintf("(FROM %s WHERE %s)", table, t.isChanged(column))
}

// concerns reports whether a table has rows of a changed conversation, or gets some.
func (t *transaction) concerns(ctx context.Context, table schema.Table) (yes bool, err error) {
	if t.staged[table.Name] {
		return true, nil
	}
	err = t.w.conn.QueryRowContext(ctx, fmt.Sprintf(`SELECT EXISTS (FROM %[1]s o SEMI JOIN _changed c ON c.source_id = o.source_id AND c.conversation_id = o.%[2]s)`,
		table.Name, table.ScopeColumn())).Scan(&yes)
	return yes, err
}

func orPosition(t schema.Table) string {
	if t.Has("position") {
		return " OR o.position IS NOT NULL"
	}
	return ""
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
func (t *transaction) listStores(ctx context.Context) error {
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
	return list(ctx, t, "_stores", rows)
}

// list makes a temporary table of rows.
func list[R any](ctx context.Context, t *transaction, name string, rows []R) error {
	table := schema.NewTable[R](name, "", schema.Internal)
	columns := make([]string, len(table.Columns))
	for i, c := range table.Columns {
		columns[i] = c.Name + " " + c.Type
	}
	if err := t.exec(ctx, fmt.Sprintf(`CREATE OR REPLACE TEMP TABLE %s (%s)`, name, strings.Join(columns, ", "))); err != nil {
		return err
	}
	a, err := engine.NewAppender(t.w.conn, "temp."+name, table, t.settings.Memory.Batch)
	if err != nil {
		return err
	}
	for i := range rows {
		if err := a.Append(reflect.ValueOf(rows[i])); err != nil {
			return errors.Join(err, a.Close())
		}
	}
	return a.Close()
}

// mergeSources merges what is read whole in each run.
func (t *transaction) mergeSources(ctx context.Context) error {
	if err := t.exec(ctx, `UPDATE temp.stage_sources AS s SET first_seen_at = o.first_seen_at, user_dir = o.user_dir FROM sources o WHERE o.source_id = s.source_id`); err != nil {
		return err
	}
	tables := []string{"sources", "workspaces", "daily_edit_stats"}
	if !slices.ContainsFunc(t.sources, func(s SourceRows) bool { return !s.Unchanged }) {
		tables = tables[:1]
	}
	for _, table := range tables {
		spec, _ := schema.Lookup(table)
		if err := t.stage(ctx, table); err != nil {
			return err
		}
		if err := t.replace(ctx, table, spec.Key()); err != nil {
			return err
		}
	}
	if len(tables) == 1 {
		return nil
	}
	if err := t.stages(ctx, "prompts", "_known_documents"); err != nil {
		return err
	}
	if err := t.exec(ctx, `DELETE FROM _known_documents AS o USING temp._stores s WHERE s.changed AND o.source_id = s.source_id AND o.store = s.store`); err != nil {
		return err
	}
	if err := t.exec(ctx, `UPDATE prompts AS o SET deleted_at = make_timestamptz(? * 1000) FROM temp._stores s
		WHERE s.complete AND o.source_id = s.source_id AND o.workspace_id = s.workspace_id AND o.deleted_at IS NULL
			AND NOT EXISTS (FROM temp.stage_prompts p WHERE p.source_id = o.source_id AND p.workspace_id = o.workspace_id AND p.prompt_id = o.prompt_id)`,
		int64(t.settings.StartedAt)); err != nil {
		return err
	}
	if err := t.exec(ctx, `INSERT INTO _known_documents FROM temp.stage__known_documents`); err != nil {
		return err
	}
	return t.replace(ctx, "prompts", []string{"source_id", "workspace_id", "prompt_id"})
}

func (t *transaction) mergeKnown(ctx context.Context) error {
	if err := list(ctx, t, "_forgotten", t.forgotten); err != nil {
		return err
	}
	if err := t.exec(ctx, `DELETE FROM _known_conversations AS o USING temp._forgotten s WHERE `+equal("o", "s", []string{"source_id", "store", "conversation_id"})); err != nil {
		return err
	}
	if t.staged["_known_stores"] {
		if err := t.replace(ctx, "_known_stores", []string{"source_id", "store"}); err != nil {
			return err
		}
	}
	return t.replace(ctx, "_known_conversations", []string{"source_id", "store", "conversation_id"})
}

// mergeQuarantine adds rows that are new, opens those that came back, and resolves those of changed conversations and complete stores
// that are usable again or gone. Once per row and content.
func (t *transaction) mergeQuarantine(ctx context.Context) (added int64, err error) {
	key := []string{"source_id", "store", "key", "value_hash"}
	if !t.staged["quarantine"] {
		var open bool
		err := t.w.conn.QueryRowContext(ctx, `SELECT EXISTS (FROM quarantine WHERE resolved_load_id IS NULL)`).Scan(&open)
		if err != nil || !open {
			return 0, err
		}
	}
	if err := t.stage(ctx, "quarantine"); err != nil {
		return 0, err
	}
	staged := fmt.Sprintf(`EXISTS (FROM temp.stage_quarantine s WHERE %s)`, equal("s", "o", key))
	resolve := `UPDATE quarantine AS o SET resolved_load_id = ? WHERE o.resolved_load_id IS NULL AND NOT ` + staged
	if err := t.exec(ctx, resolve+` AND (o.source_id, o.conversation_id) IN (SELECT source_id, conversation_id FROM _changed)`, t.settings.LoadID); err != nil {
		return 0, err
	}
	if err := t.exec(ctx, resolve+` AND o.conversation_id IS NULL AND EXISTS (FROM temp._stores c WHERE c.source_id = o.source_id AND c.store = o.store
			AND (c.complete OR c.folder AND o.family = 'workspace.json'))`, t.settings.LoadID); err != nil {
		return 0, err
	}
	if err := t.w.conn.QueryRowContext(ctx, fmt.Sprintf(`SELECT count(*) FROM temp.stage_quarantine s
		WHERE NOT EXISTS (FROM quarantine o WHERE %s AND o.resolved_load_id IS NULL)`, equal("s", "o", key))).Scan(&added); err != nil {
		return 0, err
	}
	if err := t.exec(ctx, `UPDATE quarantine AS o SET resolved_load_id = NULL WHERE o.resolved_load_id IS NOT NULL AND `+staged); err != nil {
		return 0, err
	}
	return added, t.exec(ctx, fmt.Sprintf(`INSERT INTO quarantine FROM temp.stage_quarantine s WHERE NOT EXISTS (FROM quarantine o WHERE %s)`, equal("s", "o", key)))
}
