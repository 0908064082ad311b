package reader

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"pipeline/load/figures"
	"pipeline/load/tool/sqlrows"
)

// Status says how fresh a warehouse is, and has summaries of its last loads.
type Status struct {
	Warehouse string         `json:"warehouse"`
	Bytes     int64          `json:"bytes"`
	LastGood  *LoadSummary   `json:"last_good"` // the last load that was whole and passed its checks
	Recent    []LoadSummary  `json:"recent"`    // the last loads, the latest first
	Totals    figures.Totals `json:"totals"`    // without their coverage, which takes reading every message
	// messages of each day that was asked for, by their own times; those without one are in none
	Days []int64 `json:"-"`
}

// LoadSummary is the summary of a load.
type LoadSummary struct {
	LoadID       int64      `json:"load_id"`
	StartedAt    time.Time  `json:"started_at"` // what the stores took up later it does not have
	FinishedAt   *time.Time `json:"finished_at"`
	Status       string     `json:"status"`
	Mode         string     `json:"mode"`
	New          int64      `json:"conversations_new"`
	Changed      int64      `json:"conversations_changed"`
	Deleted      int64      `json:"conversations_deleted"`
	Messages     int64      `json:"messages_loaded"`
	Quarantined  int64      `json:"quarantined"`
	Stores       int64      `json:"stores"`
	UnreadStores int64      `json:"unread_stores"` // could not be read whole
}

// ReadStatus reads the status of a warehouse with the last recent loads. days are the moments at which days begin; the
// last one ends the last day.
func ReadStatus(ctx context.Context, path string, recent int, days ...time.Time) (_ *Status, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("look at the warehouse: %w", err)
	}
	r, err := Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	s := &Status{Warehouse: path, Bytes: info.Size()}
	if s.Recent, err = summaries(ctx, r.conn, "true", recent); err != nil {
		return nil, err
	}
	if len(s.Recent) == 0 {
		return nil, fmt.Errorf("%s has no load yet: run 'pipeline run' first", path)
	}
	good, err := summaries(ctx, r.conn, "l.status = 'ok'", 1)
	if err != nil {
		return nil, err
	}
	if len(good) > 0 {
		s.LastGood = &good[0]
	}
	if s.Totals, err = figures.ReadTotals(ctx, r.conn); err != nil {
		return nil, err
	}
	for i := range max(0, len(days)-1) {
		var n int64
		err := r.conn.QueryRowContext(ctx, `SELECT count(*) FROM messages m
			ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = m.source_id AND k.conversation_id = m.conversation_id
			WHERE created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') AND created_at >= ? AND created_at < ?`,
			days[i], days[i+1]).Scan(&n)
		if err != nil {
			return nil, fmt.Errorf("count the messages of a day: %w", err)
		}
		s.Days = append(s.Days, n)
	}
	return s, nil
}

// summaries reads the loads for which a condition holds, the latest first.
func summaries(ctx context.Context, conn *dbsql.Conn, condition string, limit int) ([]LoadSummary, error) {
	return sqlrows.All[LoadSummary](ctx, conn,
		fmt.Sprintf(
			`SELECT l.load_id, l.started_at, l.finished_at, l.status, l.mode, l.conversations_new, l.conversations_changed, l.conversations_deleted,
			l.messages_loaded, l.quarantined, count(s.load_id), count(*) FILTER (WHERE NOT s.is_complete)
		FROM (FROM loads l WHERE %s ORDER BY load_id DESC LIMIT %d) l
		LEFT JOIN load_stores s ON s.load_id = l.load_id
		GROUP BY ALL ORDER BY l.load_id DESC`, condition, limit))
}
