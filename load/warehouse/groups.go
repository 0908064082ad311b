package warehouse

import (
	"context"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/sql"
)

// This file decides when the engine puts the groups of rows in the file together. A load that replaces a few rows
// leaves their places empty, and adds a small group to each table that it writes. The engine would put groups together
// whenever it closes the file, and for that writes up to three groups of over 100,000 rows again: in a large warehouse
// more than all the rest of such a load.

// joinEvery is the number of loads after which groups are put together in any case. Until then each load may add one to
// a table.
const joinEvery = 8

// leaveGroups lets the engine leave the groups of rows as they are when it writes the file next, unless it is time to
// put them together.
func (t *Load) leaveGroups(ctx context.Context) error {
	if t.first || t.w.anew || t.settings.Rebuild != load.NoRebuild || t.settings.LoadID%joinEvery == 0 {
		return nil
	}
	if !t.quiet() {
		var sparse bool
		if err := t.w.s.Conn.QueryRowContext(ctx, sql.Statement("merge/sparse")).Scan(&sparse); err != nil || sparse {
			return err
		}
	}
	return t.exec(ctx, engine.LeaveGroups)
}
