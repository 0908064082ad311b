package load

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pipeline/load/engine"
	"pipeline/load/sqlrows"
	"pipeline/sql/schema"
)

// Settings of the warehouse that remember what retention removed: a check and 'pipeline verify' count by them.
const (
	metaRemovedLoads = "loads_removed_until" // the largest number of a removed load
	metaRemovedNew   = "loads_removed_new"   // conversations that the removed loads added
	metaRetentionAt  = "retention_at_ms"     // when it was applied last
)

// Retention says which versions and loads were removed, or would be.
type Retention struct {
	Before    time.Time  `json:"before"`      // what loads before it superseded
	Versions  int64      `json:"versions"`    // of rows
	Bytes     int64      `json:"value_bytes"` // of their values
	From      *time.Time `json:"from"`        // when the first of them was seen; nil: there is none
	To        *time.Time `json:"to"`          // when the last one was
	Files     int        `json:"files"`       // of the raw layer that are written anew
	FileBytes int64      `json:"file_bytes"`  // of these, before
	After     int64      `json:"file_bytes_after"`
	Loads     int64      `json:"loads"` // rows of loads, with their load_stores and key_families
	LoadsFrom *time.Time `json:"loads_from"`
	LoadsTo   *time.Time `json:"loads_to"`

	rewrites []*rewrite
}

// seqStart is when the load of a part began.
type seqStart struct {
	Seq       int64         `col:"seq"`
	StartedAt schema.Millis `col:"started_at"`
}

// replayStart is when a load began, and the number of the last part before its own.
type replayStart struct {
	Before    int64         `col:"seq"`
	StartedAt schema.Millis `col:"started_at"`
}

// PlanRetention looks for what may go: versions that were superseded by a load that began before that time. Never the last value of a row, and
// no version that a rebuild needs to make what the tables hold of it: those that a deleted row was read from, and all of rows that were
// quarantined. Of owners in whole every version stays.
func (h *House) PlanRetention(ctx context.Context, before time.Time, whole []string) (*Retention, error) {
	r := &Retention{Before: before}
	parts := rawParts(h.files)
	starts := make([]seqStart, len(parts))
	at := schema.Millis(0)
	for i, p := range parts {
		at = max(at, p.Load.StartedAt) // a clock that was far back makes nothing old that comes after what is not
		starts[i] = seqStart{p.Seq, at}
	}
	var replayed []replayStart
	for _, l := range replays(parts) {
		replayed = append(replayed, replayStart{l.from, l.StartedAt})
	}
	if err := list(ctx, h.t, "_seqs", starts); err != nil {
		return nil, err
	}
	if err := list(ctx, h.t, "_replays", replayed); err != nil {
		return nil, err
	}
	wholeList := make([]string, len(whole))
	for i, owner := range whole {
		wholeList[i] = engine.Literal(owner)
	}
	for _, query := range []string{momentsQuery(), strings.ReplaceAll(removableQuery, "{whole}", "["+strings.Join(wholeList, ", ")+"]::VARCHAR[]"), removableLoads} {
		query = strings.ReplaceAll(query, "{before}", strconv.FormatInt(before.UnixMilli(), 10))
		if err := h.t.exec(ctx, query); err != nil {
			return nil, fmt.Errorf("look for what may be removed: %w", err)
		}
	}
	if err := h.sumRetention(ctx, r); err != nil {
		return nil, err
	}
	return r, h.planFiles(ctx, r)
}

// momentsQuery lists the moments before something of a conversation went: what a table keeps of it was read from the rows as they were then.
func momentsQuery() string {
	var deleted []string
	for _, t := range schema.Tables() {
		if t.Scope == schema.ByConversation && t.Has("deleted_at") {
			deleted = append(deleted, fmt.Sprintf(`SELECT DISTINCT source_id, %s AS conversation_id, deleted_at FROM %s WHERE deleted_at IS NOT NULL`, t.ScopeColumn(), t.Name))
		}
	}
	return `CREATE OR REPLACE TEMP TABLE _moments AS
		SELECT DISTINCT d.source_id, d.conversation_id, r.seq
		FROM (` + strings.Join(deleted, " UNION ") + `) d
		ASOF JOIN (SELECT started_at, min(seq) AS seq FROM temp._replays GROUP BY started_at) r ON r.started_at >= d.deleted_at`
}

// removableQuery: a value is kept in one place however often its version was the present one, so all these times have to be over. What holds
// nothing (NULL, a byte 0) takes no room, and says that the row was not there: it stays.
const removableQuery = `CREATE OR REPLACE TEMP TABLE _removable AS
	WITH several AS (
		SELECT source_id, store, table_name, key_type, key FROM _known_rows
		WHERE key_type <> 'null' AND NOT list_contains({whole}, conversation_id)
		GROUP BY ALL HAVING count(*) > 1
	), events AS (
		SELECT k.*, lead(k.seq) OVER (PARTITION BY k.source_id, k.store, k.table_name, k.key_type, k.key, k.key_bytes ORDER BY k.seq, k.hash IS NULL) AS ends,
			max(k.seq) FILTER (k.hash IS NOT NULL) OVER (PARTITION BY k.source_id, k.store, k.table_name, k.key_type, k.key, k.key_bytes) AS last_there
		FROM _known_rows k
		SEMI JOIN several s ON s.source_id = k.source_id AND s.store = k.store AND s.table_name = k.table_name AND s.key_type = k.key_type AND s.key = k.key
		ANTI JOIN quarantine q ON q.source_id = k.source_id AND q.store = k.store AND q.key = k.key
	), over AS (
		SELECT e.source_id, e.store, e.table_name, e.key_type, e.key, e.key_bytes, e.hash
		FROM events e
		LEFT JOIN temp._seqs s ON s.seq = e.ends
		LEFT JOIN temp._moments m ON m.source_id = e.source_id AND m.conversation_id = e.conversation_id AND m.seq >= e.seq AND m.seq < e.ends
		WHERE e.hash IS NOT NULL
		GROUP BY ALL
		HAVING max(e.value_bytes) > 1 AND bool_and(coalesce(epoch_ms(s.started_at) < {before}, false) AND e.seq < e.last_there AND m.seq IS NULL)
	)
	SELECT e.source_id, e.store, e.table_name, e.key_type, e.key, e.key_bytes, e.hash, e.seq, e.value_bytes, e.raw_file, s.started_at
	FROM events e
	JOIN over o ON o.source_id = e.source_id AND o.store = e.store AND o.table_name = e.table_name AND o.key_type = e.key_type AND o.key = e.key
		AND o.key_bytes IS NOT DISTINCT FROM e.key_bytes AND o.hash = e.hash
	JOIN temp._seqs s ON s.seq = e.seq
	WHERE NOT e.is_mark`

// removableLoads: the last load stays, and the last good one, the last that changed something, the last that looked at each store, and those by
// which the search index knows the warehouse.
const removableLoads = `CREATE OR REPLACE TEMP TABLE _removable_loads AS
	SELECT load_id, started_at, conversations_new FROM (SELECT *, max(started_at) OVER (ORDER BY load_id) AS latest FROM loads)
	WHERE epoch_ms(latest) < {before} AND load_id NOT IN (
		SELECT load_id FROM (SELECT load_id FROM loads ORDER BY load_id DESC LIMIT 5)
		UNION ALL SELECT max(load_id) FROM loads WHERE status = 'ok' HAVING count(*) > 0
		UNION ALL SELECT max(load_id) FROM loads WHERE greatest(conversations_new, conversations_changed, conversations_deleted) > 0 HAVING count(*) > 0
		UNION ALL SELECT max(load_id) FROM load_stores GROUP BY source_id, store
		UNION ALL SELECT max(load_id) FROM key_families GROUP BY source_id, store)`

// sumRetention counts what was found.
func (h *House) sumRetention(ctx context.Context, r *Retention) error {
	var times [4]sql.NullTime
	err := h.w.conn.QueryRowContext(ctx, `SELECT count(*), coalesce(TRY_CAST(sum(value_bytes) AS BIGINT), 0), min(started_at), max(started_at) FROM temp._removable`).
		Scan(&r.Versions, &r.Bytes, &times[0], &times[1])
	if err != nil {
		return err
	}
	err = h.w.conn.QueryRowContext(ctx, `SELECT count(*), min(started_at), max(started_at) FROM temp._removable_loads`).Scan(&r.Loads, &times[2], &times[3])
	for i, t := range []**time.Time{&r.From, &r.To, &r.LoadsFrom, &r.LoadsTo} {
		if times[i].Valid {
			utc := times[i].Time.UTC()
			*t = &utc
		}
	}
	return err
}

// planFiles lists the files that are to be written anew.
func (h *House) planFiles(ctx context.Context, r *Retention) error {
	concerned := map[string]bool{}
	if err := sqlrows.Each(ctx, h.w.conn, `SELECT DISTINCT raw_file FROM temp._removable`, func(rows *sql.Rows) error {
		var path string
		err := rows.Scan(&path)
		concerned[path] = true
		return err
	}); err != nil {
		return err
	}
	for _, f := range h.files {
		if concerned[f.String()] {
			r.rewrites = append(r.rewrites, h.plan([]rawFound{f}))
			r.Files++
			r.FileBytes += h.bytes[f.String()]
		}
	}
	return nil
}

// Retain removes what was found, and notes when.
func (h *House) Retain(ctx context.Context, r *Retention, now time.Time, progress func(done, all int)) error {
	if err := h.rewriteAll(ctx, r.rewrites, h.versionsOf, progress); err != nil {
		return err
	}
	for _, f := range r.rewrites {
		r.After += f.row.Bytes
	}
	if r.Loads > 0 {
		if err := h.removeLoads(ctx); err != nil {
			return err
		}
	}
	if err := h.setMeta(ctx, metaRetentionAt, strconv.FormatInt(now.UnixMilli(), 10)); err != nil {
		return err
	}
	return h.commit(ctx, r.rewrites)
}

// versionsOf lists the versions of a file that lose their values.
func (h *House) versionsOf(ctx context.Context, f *rewrite) error {
	f.remove = map[rawVersionID]bool{}
	return sqlrows.Each(ctx, h.w.conn, `SELECT store, table_name, key_type, key, key_bytes, hash, seq FROM temp._removable WHERE raw_file = ?`, func(rows *sql.Rows) error {
		var id rawVersionID
		var keyBytes []byte
		err := rows.Scan(&id.store, &id.table, &id.keyType, &id.key, &keyBytes, &id.hash, &id.seq)
		if keyBytes != nil {
			id.key = string(keyBytes)
		}
		f.remove[id] = true
		return err
	}, f.of[0].String())
}

// removeLoads removes rows of loads, and keeps what they add up to.
func (h *House) removeLoads(ctx context.Context) error {
	var until, added int64
	err := h.w.conn.QueryRowContext(ctx, `SELECT max(load_id), coalesce(TRY_CAST(sum(conversations_new) + (SELECT coalesce(max(TRY_CAST(value AS BIGINT)), 0) FROM _meta WHERE key = ?) AS BIGINT), 0) FROM temp._removable_loads`, metaRemovedNew).
		Scan(&until, &added)
	if err != nil {
		return err
	}
	for _, table := range []string{"loads", "load_stores", "key_families"} {
		if err := h.t.exec(ctx, `DELETE FROM `+table+` WHERE load_id IN (SELECT load_id FROM temp._removable_loads)`); err != nil {
			return err
		}
	}
	before, err := h.Meta(ctx, metaRemovedLoads)
	if n, bad := strconv.ParseInt(before, 10, 64); bad == nil {
		until = max(until, n)
	}
	if err != nil {
		return err
	}
	if err := h.setMeta(ctx, metaRemovedLoads, strconv.FormatInt(until, 10)); err != nil {
		return err
	}
	return h.setMeta(ctx, metaRemovedNew, strconv.FormatInt(added, 10))
}

// RetainedAt is when retention was applied last, by the settings of a warehouse; the zero time: never.
func RetainedAt(meta map[string]string) time.Time {
	ms, err := strconv.ParseInt(meta[metaRetentionAt], 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
