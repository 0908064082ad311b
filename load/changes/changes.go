// Package changes tells what of a warehouse has changed since a load. Whoever keeps something outside of the warehouse
// keeps a Mark with it, and asks what is stale.
//
// It must never know who asks, nor what they keep.
package changes

import (
	"context"
	"database/sql"
	"fmt"

	"pipeline/load/engine"
	"pipeline/load/tool/sqlrows"
)

// MetaWarehouse is the setting with the id of a warehouse. A rebuild gets another one, a copy has the same.
const MetaWarehouse = "warehouse_id"

// A Mark names a load: that of a warehouse, with a number and a beginning.
type Mark struct {
	Warehouse string `json:"warehouse_id"`
	LoadID    int64  `json:"load_id"`
	StartedAt int64  `json:"load_started_at"` // microseconds since 1970
}

// Latest returns the mark of the latest load. Its LoadID is 0 if there is none.
func Latest(ctx context.Context, conn *sql.Conn) (m Mark, err error) {
	if m.Warehouse, err = engine.Setting(ctx, conn, MetaWarehouse); err != nil {
		return m, err
	}
	err = conn.QueryRowContext(ctx,
		`SELECT coalesce(max(load_id), 0), coalesce(max_by(epoch_us(started_at), load_id), 0) FROM loads`).
		Scan(&m.LoadID, &m.StartedAt)
	return m, err
}

// Bucket is the expression for the bucket of a row with a conversation_id: a month can have four. A bucket is a range
// of ids, which are drawn at random. Loads write conversations in the order of their ids, so the rows of a bucket lie
// together, and who looks for them leaves out the rest of the table.
const Bucket = "(CASE WHEN conversation_id < '4' THEN 0 WHEN conversation_id < '8' THEN 1 " +
	"WHEN conversation_id < 'c' THEN 2 WHEN conversation_id >= 'c' THEN 3 END)::BIGINT"

// A Place is a month of a table, and a bucket of its conversations. A table that is not published by month has one
// place, the empty one.
type Place struct {
	Month  string `json:"month,omitempty"`
	Bucket int64  `json:"bucket,omitempty"` // of a month that is divided
}

// Stale has the places that changed, by table.
type Stale map[string]map[Place]bool

// Since returns what has changed since a load. It reports false if that cannot be told: it is a load of another
// warehouse, or was too long ago.
func Since(ctx context.Context, conn *sql.Conn, since Mark) (stale Stale, known bool, err error) {
	id, err := engine.Setting(ctx, conn, MetaWarehouse)
	if err != nil || id == "" || since.Warehouse != id {
		return nil, false, err
	}
	query :=
		`SELECT count(*) > 0 FROM loads WHERE load_id = ? AND epoch_us(started_at) = ? AND started_at > (SELECT max(started_at) - INTERVAL 400 DAYS FROM loads)`
	if err := conn.QueryRowContext(ctx, query, since.LoadID, since.StartedAt).Scan(&known); err != nil || !known {
		return nil, false, err
	}
	stale = Stale{}
	type row struct {
		table string
		Place
	}
	err = sqlrows.EachAs(ctx, conn, `SELECT DISTINCT table_name, coalesce(month, ''), coalesce(`+Bucket+
		`, 0) FROM _changes WHERE load_id > `+fmt.Sprint(since.LoadID), func(r row) {
		if stale[r.table] == nil {
			stale[r.table] = map[Place]bool{}
		}
		stale[r.table][r.Place] = true
	})
	return stale, true, err
}
