package load

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"pipeline/sql"
	"pipeline/sql/schema"
)

// transaction is one load. Rows go into temporary tables first and are merged in Finish; a first load writes straight into the tables.
type transaction struct {
	w         *warehouse
	settings  Settings
	first     bool
	tables    map[reflect.Type]schema.Table
	appenders map[reflect.Type]*appender
	changed   []changedRow
	known     []schema.KnownConversation
	forgotten []ConversationKey
	sources   []SourceRows
	refused   map[refusal]bool
	done      bool
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

// changedTable is the temporary table that models read, see sql.Models.
var changedTable = schema.NewTable[changedRow]("_changed", "Conversations that this load replaces.", schema.Internal)

// stagePrefix keeps the names of temporary tables apart.
const stagePrefix = "stage_"

func (w *warehouse) Begin(ctx context.Context, settings Settings) (_ Load, err error) {
	switch {
	case w.conn == nil:
		return nil, errClosed
	case w.load != nil && !w.load.done: // the engine would abort the load that is under way
		return nil, errors.New("a load is under way in this warehouse: end it first")
	}
	t := &transaction{w: w, settings: settings, first: w.first, tables: map[reflect.Type]schema.Table{}, appenders: map[reflect.Type]*appender{}, refused: map[refusal]bool{}}
	if err := t.exec(ctx, `BEGIN TRANSACTION`); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.Rollback())
		}
	}()
	if err := t.exec(ctx, `CREATE OR REPLACE TEMP TABLE _changed (source_id VARCHAR, conversation_id VARCHAR);
		CREATE OR REPLACE TEMP TABLE _changed_groups (source_id VARCHAR, project_uri VARCHAR)`); err != nil {
		return nil, err
	}
	for _, table := range schema.Tables() {
		t.tables[table.Row] = table
		if table.Scope == schema.ByLoad || table.Scope == schema.ByModel {
			continue
		}
		if err := t.exec(ctx, fmt.Sprintf(`CREATE OR REPLACE TEMP TABLE %s%s AS FROM %s LIMIT 0`, stagePrefix, table.Name, table.Name)); err != nil {
			return nil, err
		}
	}
	w.load = t
	return t, nil
}

func (t *transaction) exec(ctx context.Context, query string, args ...any) error {
	if t.w.conn == nil {
		return errClosed
	}
	if _, err := t.w.conn.ExecContext(ctx, query, args...); err != nil {
		return withRemedy(fmt.Errorf("warehouse: %w (in: %s)", err, firstLine(query)))
	}
	return nil
}

func firstLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexByte(s, '\n'); i > 0 {
		s = s[:i] + " ..."
	}
	return s
}

func (t *transaction) Replace(sourceID, conversationID string) {
	t.changed = append(t.changed, changedRow{sourceID, conversationID})
}

func (t *transaction) Remember(known schema.KnownConversation) { t.known = append(t.known, known) }

func (t *transaction) Forget(key ConversationKey) { t.forgotten = append(t.forgotten, key) }

// Write appends rows: to the tables themselves in a first load, else to the temporary ones.
func (t *transaction) Write(rows *schema.Rows) error {
	for i := range rows.Conversations {
		rows.Conversations[i].FirstSeenAt, rows.Conversations[i].ChangedAt = t.settings.StartedAt, t.settings.StartedAt
	}
	rows.Quarantine = t.refuse(rows.Quarantine)
	batch := reflect.ValueOf(rows).Elem()
	for i := range batch.NumField() {
		if err := t.appendAll(batch.Field(i)); err != nil {
			return err
		}
	}
	return nil
}

// refuse gives quarantine rows their load and leaves out those that this load has written before: once per row and content.
func (t *transaction) refuse(rows []schema.Quarantine) []schema.Quarantine {
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
func (t *transaction) appendAll(rows reflect.Value) error {
	if rows.Len() == 0 {
		return nil
	}
	a, err := t.appender(rows.Type().Elem())
	if err != nil {
		return err
	}
	for i := range rows.Len() {
		if err := a.append(rows.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func (t *transaction) appender(row reflect.Type) (*appender, error) {
	if a := t.appenders[row]; a != nil {
		return a, nil
	}
	table, ok := t.tables[row]
	if !ok {
		return nil, fmt.Errorf("no table is declared by %s", row)
	}
	target := "temp." + stagePrefix + table.Name
	if t.first && table.Scope != schema.Internal || table.Scope == schema.ByLoad {
		target = table.Name
	}
	a, err := newAppender(t.w.conn, target, table)
	if err != nil {
		return nil, err
	}
	t.appenders[row] = a
	return a, nil
}

// closeAppenders writes out what they hold.
func (t *transaction) closeAppenders() error {
	var errs []error
	for row, a := range t.appenders {
		if err := a.close(); err != nil {
			errs = append(errs, fmt.Errorf("write to %s: %w", a.table.Name, err))
		}
		delete(t.appenders, row)
	}
	return errors.Join(errs...)
}

// appendRows appends typed rows in one go.
func appendRows[R any](t *transaction, rows []R) error { return t.appendAll(reflect.ValueOf(rows)) }

func (t *transaction) Source(rows SourceRows) error {
	t.sources = append(t.sources, rows)
	rows.Quarantine = t.refuse(rows.Quarantine)
	return errors.Join(
		appendRows(t, []schema.Source{rows.Source}), appendRows(t, rows.Workspaces), appendRows(t, rows.Prompts),
		appendRows(t, rows.DailyStats), appendRows(t, rows.Quarantine), appendRows(t, rows.Documents),
	)
}

// Finish merges what was written, runs models and checks.
func (t *transaction) Finish(ctx context.Context) (out Outcome, err error) {
	if err := appendRows(t, t.known); err != nil {
		return out, err
	}
	if err := t.closeAppenders(); err != nil {
		return out, err
	}
	if err := t.listChanged(ctx); err != nil {
		return out, err
	}
	if out, err = t.merge(ctx); err != nil {
		return out, err
	}
	if err := t.setMeta(ctx); err != nil {
		return out, err
	}
	for _, m := range sql.Models() {
		if err := t.exec(ctx, m.SQL); err != nil {
			return out, fmt.Errorf("model %s: %w", m.Name, err)
		}
	}
	if err := t.makeObjects(ctx); err != nil {
		return out, err
	}
	if out.Totals, err = totals(ctx, t.w.conn); err != nil {
		return out, err
	}
	out.Unchanged = out.Totals.Conversations + out.Totals.Orphaned - out.New - out.Changed
	out.Failures, err = runChecks(ctx, t.w.conn)
	return out, err
}

// listChanged fills the temporary table _changed.
func (t *transaction) listChanged(ctx context.Context) error {
	a, err := newAppender(t.w.conn, "temp._changed", changedTable)
	if err != nil {
		return err
	}
	for _, c := range t.changed {
		if err := a.append(reflect.ValueOf(c)); err != nil {
			return errors.Join(err, a.close())
		}
	}
	return a.close()
}

// setMeta keeps the gap; another gap than last time has every group cut anew.
func (t *transaction) setMeta(ctx context.Context) error {
	before := int64(0)
	if !t.first {
		var err error
		if before, err = metaInt(ctx, t.w.conn, metaGap); err != nil {
			return err
		}
	}
	if before == t.settings.GapMs {
		return nil
	}
	if err := t.exec(ctx, `INSERT INTO _changed_groups SELECT DISTINCT source_id, project_uri FROM conversations`); err != nil {
		return err
	}
	if err := t.exec(ctx, `DELETE FROM _meta WHERE key IN (?, ?)`, metaGap, metaVersion); err != nil {
		return err
	}
	return t.exec(ctx, `INSERT INTO _meta VALUES (?, ?), (?, ?)`,
		metaGap, strconv.FormatInt(t.settings.GapMs, 10), metaVersion, strconv.Itoa(schema.Version))
}

// Commit writes the run's own rows, makes the views on a first load, and commits.
func (t *transaction) Commit(ctx context.Context, run Run) error {
	err := errors.Join(appendRows(t, []schema.Load{run.Load}), appendRows(t, run.Stores), appendRows(t, run.Families), t.closeAppenders())
	if err != nil {
		return err
	}
	if err := t.dropStages(ctx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	t.done = true // a commit that fails has ended the transaction too
	if err := t.exec(context.WithoutCancel(ctx), `COMMIT`); err != nil {
		return err
	}
	if err := t.exec(context.WithoutCancel(ctx), `CHECKPOINT`); err != nil {
		return err
	}
	return t.w.publish()
}

// makeObjects makes the views and macros in each load, so that a newer tool's are there.
func (t *transaction) makeObjects(ctx context.Context) error {
	for _, f := range append(sql.Views(), sql.Macros()...) {
		if err := t.exec(ctx, f.SQL); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

func (t *transaction) dropStages(ctx context.Context) error {
	for _, table := range schema.Tables() {
		if err := t.exec(ctx, fmt.Sprintf(`DROP TABLE IF EXISTS temp.%s%s`, stagePrefix, table.Name)); err != nil {
			return err
		}
	}
	return t.exec(ctx, `DROP TABLE temp._changed; DROP TABLE temp._changed_groups`)
}

func (t *transaction) Rollback() error {
	if t.done {
		return nil
	}
	t.done = true
	if t.w.conn == nil { // the engine undid it when it was closed
		return nil
	}
	_ = t.closeAppenders() // they write into the transaction that is undone
	return t.exec(context.Background(), `ROLLBACK`)
}

// totals asks the views what the warehouse holds.
func totals(ctx context.Context, conn *dbsql.Conn) (t Totals, err error) {
	t.Quarantine = map[string]int64{}
	err = conn.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM live_conversations), (SELECT count(*) FROM live_messages),
		(SELECT count(*) FROM live_tool_calls), (SELECT count(*) FROM sessions),
		(SELECT count(*) FROM conversations WHERE status = 'orphaned' AND deleted_at IS NULL)`).
		Scan(&t.Conversations, &t.Messages, &t.ToolCalls, &t.Sessions, &t.Orphaned)
	if err != nil {
		return t, err
	}
	if err := each(ctx, conn, `SELECT reason, count(*) FROM quarantine WHERE resolved_load_id IS NULL GROUP BY reason`, func(rows *dbsql.Rows) error {
		var reason string
		var n int64
		err := rows.Scan(&reason, &n)
		t.Quarantine[reason] = n
		return err
	}); err != nil {
		return t, err
	}
	return t, each(ctx, conn, `SELECT measure, CAST(sum(known) AS BIGINT), CAST(sum(total) AS BIGINT) FROM coverage
		WHERE measure IN ('message_time', 'message_model', 'message_tokens') GROUP BY measure ORDER BY measure`, func(rows *dbsql.Rows) error {
		var c Coverage
		err := rows.Scan(&c.Measure, &c.Known, &c.Total)
		t.Coverage = append(t.Coverage, c)
		return err
	})
}

// runChecks runs every check and reports those that return rows.
func runChecks(ctx context.Context, conn *dbsql.Conn) ([]CheckFailure, error) {
	var failures []CheckFailure
	for _, c := range sql.Checks() {
		f := CheckFailure{Check: c.Name, Doc: c.Doc}
		err := each(ctx, conn, c.SQL, func(rows *dbsql.Rows) error {
			if f.Rows++; f.Rows > 1 {
				return nil
			}
			var table, key, problem dbsql.NullString
			err := rows.Scan(&table, &key, &problem)
			f.First = strings.TrimSpace(table.String + " " + key.String + ": " + problem.String)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("check %s: %w", c.Name, err)
		}
		if f.Rows > 0 {
			failures = append(failures, f)
		}
	}
	return failures, nil
}

// Check runs every check on a warehouse, read-only.
func Check(ctx context.Context, path string) (_ []CheckFailure, err error) {
	db, conn, err := openEngine(ctx, path, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	return runChecks(ctx, conn)
}
