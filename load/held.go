package load

import (
	"context"
	dbsql "database/sql"
	"fmt"

	"pipeline/load/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// This file says what the tables hold of rows that a store has and that cannot be used.

func (t *transaction) Holds(ctx context.Context, table, column string, conversation RowKey, id string) (yes bool, err error) {
	spec, ok := schema.Lookup(table)
	if !ok {
		return false, fmt.Errorf("there is no table %s", table)
	}
	live := ""
	if spec.Has("deleted_at") {
		live = " AND deleted_at IS NULL"
	}
	if spec.Has("status") && table == "conversations" {
		live += " AND status IS DISTINCT FROM 'orphaned'"
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	err = t.w.conn.QueryRowContext(ctx, fmt.Sprintf(`SELECT EXISTS (FROM %s WHERE source_id = ? AND %s = ? AND %s = ?%s)`, table, spec.ScopeColumn(), column, live),
		conversation.SourceID, conversation.ConversationID, id).Scan(&yes)
	return yes, err
}

func readQuarantined(ctx context.Context, conn *dbsql.Conn, s *State) error {
	s.Quarantined = map[ConversationKey]Quarantined{}
	return sqlrows.Each(ctx, conn, sql.Statement("reading/quarantined"), func(rows *dbsql.Rows) error {
		var key ConversationKey
		var family string
		var live bool
		err := rows.Scan(&key.SourceID, &key.Store, &key.ConversationID, &family, &live)
		q := s.Quarantined[key]
		s.Quarantined[key] = Quarantined{append(q.Families, family), live}
		return err
	})
}
