package maintain

import (
	"context"
	dbsql "database/sql"
	"fmt"
	"strconv"
	"time"

	"pipeline/load/catalog"
	"pipeline/load/rawlog"
	"pipeline/load/session"
	"pipeline/load/tool/sqlrows"
	"pipeline/load/versions"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// These settings of the warehouse remember what retention removed. With catalog.RemovedNewKey, the checks and 'pipeline check --deep' use them when they
// count.
const (
	metaRemovedLoads = "loads_removed_until" // the largest number of a removed load
	metaRetentionAt  = "retention_at_ms"     // when it was applied last
)

// Retention says which versions and loads were removed, or would be.
type Retention struct {
	Before    time.Time  `json:"before"`      // versions that loads before this time superseded are removed
	Versions  int64      `json:"versions"`    // the number of versions of rows
	Bytes     int64      `json:"value_bytes"` // the size of the removed values
	From      *time.Time `json:"from"`        // when the first of them was seen; nil: there is none
	To        *time.Time `json:"to"`          // when the last one was
	Files     int        `json:"files"`       // of the raw layer that are written anew
	FileBytes int64      `json:"file_bytes"`  // of these, before
	After     int64      `json:"file_bytes_after"`
	Loads     int64      `json:"loads"` // rows of loads, with their load_stores and key_families
	LoadsFrom *time.Time `json:"loads_from"`
	LoadsTo   *time.Time `json:"loads_to"`

	rewrites []*rawlog.Rewrite
}

// seqStart says when the load of a part began.
type seqStart struct {
	Seq       int64         `col:"seq"`
	StartedAt schema.Millis `col:"started_at"`
}

// replayStart says when a load began, and which part is the last before its own.
type replayStart struct {
	Before    int64         `col:"seq"`
	StartedAt schema.Millis `col:"started_at"`
}

// PlanRetention finds the versions that may be removed: those that a load superseded which began before the given time. It never removes the last value of a
// row, nor a version that a rebuild needs for the present tables: the versions that a deleted row was read from, and all versions of rows that were
// quarantined. It removes no version of the owners in whole.
func (m *Maintenance) PlanRetention(ctx context.Context, before time.Time, whole []string) (*Retention, error) {
	r := &Retention{Before: before}
	parts := rawlog.Parts(m.files)
	starts := make([]seqStart, len(parts))
	at := schema.Millis(0)
	for i, p := range parts {
		at = max(at, p.Load.StartedAt) // a clock that was far back makes nothing old that comes after what is not
		starts[i] = seqStart{p.Seq, at}
	}
	var replayed []replayStart
	for _, l := range versions.Replays(parts) {
		replayed = append(replayed, replayStart{l.After, l.StartedAt})
	}
	if err := session.List(ctx, m.s, m.memory.Batch, "_seqs", starts); err != nil {
		return nil, err
	}
	if err := session.List(ctx, m.s, m.memory.Batch, "_replays", replayed); err != nil {
		return nil, err
	}
	if err := m.s.Exec(ctx, `SET VARIABLE retention_before = ?::BIGINT`, before.UnixMilli()); err != nil {
		return nil, err
	}
	if err := m.s.Exec(ctx, `SET VARIABLE retention_whole = ?::VARCHAR[]`, append([]string{}, whole...)); err != nil {
		return nil, err
	}
	for _, statement := range []string{"retention/moments", "retention/removable", "retention/removable_loads"} {
		if err := m.s.Exec(ctx, sql.Statement(statement)); err != nil {
			return nil, fmt.Errorf("look for what may be removed: %w", err)
		}
	}
	if err := m.sumRetention(ctx, r); err != nil {
		return nil, err
	}
	return r, m.planFiles(ctx, r)
}

// sumRetention counts the versions and loads that may be removed.
func (m *Maintenance) sumRetention(ctx context.Context, r *Retention) error {
	var times [4]dbsql.NullTime
	err := m.s.Conn.QueryRowContext(ctx, sql.Statement("retention/versions_found")).Scan(&r.Versions, &r.Bytes, &times[0], &times[1])
	if err != nil {
		return err
	}
	err = m.s.Conn.QueryRowContext(ctx, sql.Statement("retention/loads_found")).Scan(&r.Loads, &times[2], &times[3])
	for i, t := range []**time.Time{&r.From, &r.To, &r.LoadsFrom, &r.LoadsTo} {
		if times[i].Valid {
			utc := times[i].Time.UTC()
			*t = &utc
		}
	}
	return err
}

// planFiles lists the files that have to be written anew.
func (m *Maintenance) planFiles(ctx context.Context, r *Retention) error {
	concerned := map[string]bool{}
	if err := sqlrows.Each(ctx, m.s.Conn, sql.Statement("retention/files_found"), func(rows *dbsql.Rows) error {
		var path string
		err := rows.Scan(&path)
		concerned[path] = true
		return err
	}); err != nil {
		return err
	}
	for _, f := range m.files {
		if concerned[f.String()] {
			r.rewrites = append(r.rewrites, m.plan([]rawlog.Found{f}))
			r.Files++
			r.FileBytes += m.bytes[f.String()]
		}
	}
	return nil
}

// Retain removes the planned versions and loads, and notes the time.
func (m *Maintenance) Retain(ctx context.Context, r *Retention, now time.Time, progress func(done, all int)) error {
	if err := m.rewriteAll(ctx, r.rewrites, m.versionsOf, progress); err != nil {
		return err
	}
	for _, f := range r.rewrites {
		r.After += f.Row.Bytes
	}
	if r.Loads > 0 {
		if err := m.removeLoads(ctx); err != nil {
			return err
		}
	}
	if err := m.set(ctx, metaRetentionAt, strconv.FormatInt(now.UnixMilli(), 10)); err != nil {
		return err
	}
	return m.commit(ctx, r.rewrites)
}

// versionsOf lists the versions in a file whose values are removed.
func (m *Maintenance) versionsOf(ctx context.Context, f *rawlog.Rewrite) error {
	f.Remove = map[rawlog.VersionID]bool{}
	return sqlrows.Each(ctx, m.s.Conn, sql.Statement("retention/versions_of_file"), func(rows *dbsql.Rows) error {
		var id rawlog.VersionID
		var keyBytes []byte
		err := rows.Scan(&id.Store, &id.Table, &id.Owner, &id.KeyType, &id.Key, &keyBytes, &id.Hash, &id.Seq)
		if keyBytes != nil {
			id.Key = string(keyBytes)
		}
		f.Remove[id] = true
		return err
	}, dbsql.Named("raw_file", f.Of[0].String()))
}

// removeLoads deletes rows of loads, and stores their sums in settings.
func (m *Maintenance) removeLoads(ctx context.Context) error {
	var until, added int64
	err := m.s.Conn.QueryRowContext(ctx, sql.Statement("retention/removed_loads"), dbsql.Named("setting", catalog.RemovedNewKey)).Scan(&until, &added)
	if err != nil {
		return err
	}
	if err := m.s.Exec(ctx, sql.Statement("retention/remove_loads")); err != nil {
		return err
	}
	before, err := m.s.Setting(ctx, metaRemovedLoads)
	if n, bad := strconv.ParseInt(before, 10, 64); bad == nil {
		until = max(until, n)
	}
	if err != nil {
		return err
	}
	if err := m.set(ctx, metaRemovedLoads, strconv.FormatInt(until, 10)); err != nil {
		return err
	}
	return m.set(ctx, catalog.RemovedNewKey, strconv.FormatInt(added, 10))
}

// RetainedAt returns when retention was applied last. meta has the settings of a warehouse. The zero time means never.
func RetainedAt(meta map[string]string) time.Time {
	ms, err := strconv.ParseInt(meta[metaRetentionAt], 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
