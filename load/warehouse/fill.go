package warehouse

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/rawindex"
	"pipeline/load/session"
	"pipeline/load/tool/atomicfile"
	"pipeline/sql/schema"
)

// This file fills a warehouse that was brought up to date: columns that are new are empty in rows that no run reads again, and the raw layer has what was
// stored.

// CountLeft counts the rows that a run does not read again which reads these sources: rows that Cursor has deleted, and the conversations of all other
// sources. Without a list, the run reads only some conversations, and every conversation counts.
func (w *Warehouse) CountLeft(ctx context.Context, sources []string) (rows int64, err error) {
	if w.first {
		return 0, nil
	}
	if w.s.Conn == nil {
		return 0, session.ErrClosed
	}
	read := make([]string, len(sources))
	for i, id := range sources {
		read[i] = engine.Literal(id)
	}
	left := "true"
	if sources != nil {
		left = "source_id NOT IN (" + strings.Join(append(read, "''"), ", ") + ")"
	}
	counts := []string{`SELECT count(*) FROM conversations WHERE deleted_at IS NULL AND ` + left}
	for _, table := range schema.Tables() {
		if table.Has("deleted_at") {
			counts = append(counts, `SELECT count(*) FROM `+table.Name+` WHERE deleted_at IS NOT NULL`)
		}
	}
	err = w.s.Conn.QueryRowContext(ctx, `SELECT sum(n)::BIGINT FROM (`+strings.Join(counts, ` UNION ALL `)+`) c(n)`).Scan(&rows)
	return rows, err
}

// RawMissing lists the files of the raw layer that the warehouse names and that are gone or not as they were written.
func (w *Warehouse) RawMissing(ctx context.Context) ([]string, error) {
	if w.s.Conn == nil {
		return nil, session.ErrClosed
	}
	return rawindex.Missing(ctx, w.s.Conn, w.path)
}

// A LackError says that a warehouse cannot take the place of another: it lacks rows of it.
type LackError struct{ Rows string } // how many of which tables, as in "messages: 2"

func (e *LackError) Error() string {
	return "the raw layer lacks what the warehouse holds (" + e.Rows + ")"
}

// Lacks returns a LackError if this warehouse lacks rows of another one.
func (w *Warehouse) Lacks(ctx context.Context, other string) (err error) {
	if w.s.Conn == nil {
		return session.ErrClosed
	}
	detach, err := w.attach(ctx, other)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, detach()) }()
	return w.compare(ctx, attached+".", "")
}

// compare returns a LackError if tables of one database have rows whose key is not in those of another. It compares the tables whose rows stay when Cursor
// deletes them. Another version may make fewer messages and calls of the same store: those that say nothing, or that another of the conversation repeats, are not missing.
func (w *Warehouse) compare(ctx context.Context, have, lack string) error {
	var missing []string
	for _, table := range schema.Tables() {
		if !table.Has("deleted_at") {
			continue
		}
		var n int64
		query := `SELECT count(*) FROM ` + have + table.Object() + ` AS h ANTI JOIN ` + lack + table.Object() + ` AS l USING (` + strings.Join(table.Key(), ", ") + `)`
		if says := saysMore[table.Name]; says != "" {
			query += ` WHERE ` + strings.NewReplacer("{have}", have, "{lack}", lack).Replace(says)
		}
		if err := w.s.Conn.QueryRowContext(ctx, query).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			missing = append(missing, fmt.Sprintf("%s: %d", table.Name, n))
		}
	}
	if missing == nil {
		return nil
	}
	return &LackError{strings.Join(missing, ", ")}
}

// saysMore are the conditions, by table, on which a row h of one database says what no row of its conversation says in another.
var saysMore = map[string]string{
	"messages": `trim(h.text) <> '' AND NOT EXISTS (FROM {lack}messages o WHERE o.source_id = h.source_id AND o.conversation_id = h.conversation_id AND o.text = h.text)
		OR trim(h.thinking) <> '' AND NOT EXISTS (FROM {lack}messages o WHERE o.source_id = h.source_id AND o.conversation_id = h.conversation_id AND o.thinking = h.thinking)
		OR EXISTS (FROM {have}attachments a WHERE a.source_id = h.source_id AND a.conversation_id = h.conversation_id AND a.message_id = h.message_id)`,
	"tool_calls": `coalesce(h.tool_call_id, h.params::VARCHAR, h.result::VARCHAR) IS NOT NULL
		AND NOT EXISTS (FROM {lack}tool_calls o WHERE o.source_id = h.source_id AND o.conversation_id = h.conversation_id AND o.tool_call_id = h.tool_call_id)`,
}

// KeepRuns takes along what another warehouse says of the stores in the loads that this one has, in place of what this one says of these loads.
func (w *Warehouse) KeepRuns(ctx context.Context, other string) (err error) {
	if w.s.Conn == nil {
		return session.ErrClosed
	}
	detach, err := w.attach(ctx, other)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, detach()) }()
	if err := w.s.Begin(ctx); err != nil {
		return err
	}
	defer func() { err = w.s.Undo(ctx, err) }()
	for _, table := range []string{"load_stores", "key_families"} {
		for _, query := range []string{`DELETE FROM main.` + table + ` WHERE load_id IN (SELECT load_id FROM ` + attached + `.main.` + table + `)`,
			`INSERT INTO main.` + table + ` BY NAME SELECT * FROM ` + attached + `.main.` + table + ` SEMI JOIN main.loads USING (load_id)`} {
			if err := w.s.Exec(ctx, query); err != nil {
				return err
			}
		}
	}
	return w.s.Exec(ctx, `COMMIT`)
}

// Beside begins a new warehouse in a file beside this one, under the lock of this one. Close removes it.
func (w *Warehouse) Beside(ctx context.Context) (*Warehouse, error) {
	b := &Warehouse{path: w.path, s: &session.Session{File: NewFile(w.path, "-filled")}, first: true, anew: true}
	if err := b.create(ctx); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// Fill takes the rows of a warehouse that was made by Beside in place of its own, or returns a LackError. What runs have noted about themselves stays, as do
// settings, and whatever a user has made in the file.
func (w *Warehouse) Fill(ctx context.Context, from *Warehouse) (err error) {
	if from.s.Conn != nil {
		if err := errors.Join(from.fold(), from.s.Close()); err != nil {
			return err
		}
	}
	detach, err := w.attach(ctx, from.s.File)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, detach()) }()
	if err := w.compare(ctx, "", attached+"."); err != nil {
		return err
	}
	var last int64
	if err := w.s.Conn.QueryRowContext(ctx, `SELECT max(load_id) FROM main.loads`).Scan(&last); err != nil {
		return err
	}
	if err := w.s.Begin(ctx); err != nil {
		return err
	}
	defer func() { err = w.s.Undo(ctx, err) }()
	for _, table := range schema.Tables() {
		which := "true"
		switch {
		case table.Name == "_meta":
			which = `key IN ('` + strings.Join([]string{metaGap, metaWindow, catalog.VersionKey}, `', '`) + `')`
		case table.Is(schema.OfRun): // a run that failed may have left files of a load that is not in the warehouse
			which = `load_id > ` + strconv.FormatInt(last, 10)
		}
		for _, query := range []string{`DELETE FROM ` + table.Object() + ` WHERE ` + which, `INSERT INTO ` + table.Object() + ` BY NAME FROM ` + attached + `.` + table.Object() + ` WHERE ` + which} {
			if err := w.s.Exec(ctx, query); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(ctx.Err(), beforeFilled.Reach()); err != nil {
		return err
	}
	return w.s.Exec(context.WithoutCancel(ctx), `COMMIT`)
}

// attached is the name of another warehouse in statements.
const attached = "_other"

// attach opens another warehouse beside this one, for reading.
func (w *Warehouse) attach(ctx context.Context, file string) (detach func() error, err error) {
	if _, err := w.s.Conn.ExecContext(ctx, `ATTACH `+engine.Literal(file)+` AS `+attached+` (READ_ONLY)`); err != nil {
		return nil, err
	}
	return func() error {
		_, err := w.s.Conn.ExecContext(context.WithoutCancel(ctx), `DETACH `+attached)
		return err
	}, nil
}

// closeBeside closes a warehouse that was made by Beside, and removes its file.
func (w *Warehouse) closeBeside() error {
	return errors.Join(w.s.Close(), atomicfile.Remove(w.s.File), atomicfile.Remove(engine.LogOf(w.s.File)))
}
