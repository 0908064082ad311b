package warehouse

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// This file has the ends of a load: it is committed, or undone.

// Commit writes the rows about the run, commits, and puts the file in its place. The file stays open for Committed.
func (t *Load) Commit(ctx context.Context, run load.Run) error {
	err := errors.Join(appendRows(t, []schema.Load{run.Load}), t.closeAppenders())
	if err != nil {
		return err
	}
	for key, value := range run.Meta {
		if err := t.w.s.Keep(ctx, key, value); err != nil {
			return err
		}
	}
	if err := cmp.Or(t.leaveGroups(ctx), t.dropStages(ctx)); err != nil {
		return err
	}
	if err := t.exec(ctx, engine.OneThread); err != nil {
		// each thread would hold groups of rows of its own while it writes them
		return err
	}
	if err := errors.Join(ctx.Err(), beforeCommit.Reach()); err != nil {
		return err
	}
	t.done = true // a commit that fails has ended the transaction too
	if err := errors.Join(t.exec(context.WithoutCancel(ctx), `COMMIT`), t.endSync()); err != nil {
		return err
	}
	if err := afterCommit.Reach(); err != nil {
		return err
	}
	// what may be next, a publication, needs much at once
	defer engine.KeepFreedMemory(min(t.lingers(), engine.Briefly))
	return t.w.place()
}

func (t *Load) dropStages(ctx context.Context) error {
	for table := range t.staged {
		if err := t.exec(ctx, fmt.Sprintf(`DROP TABLE IF EXISTS temp.%s%s`, stagePrefix, table)); err != nil {
			return err
		}
	}
	return t.exec(ctx, sql.Statement("merge/drop"))
}

// Rollback undoes the load. After Commit it does nothing.
func (t *Load) Rollback() error {
	if t.done {
		return nil
	}
	t.done = true
	_ = t.endSync() // nothing of it is used
	if t.raw != nil {
		t.raw.Abandon()
	}
	if t.w.s.Conn == nil { // the engine undid it when it was closed
		return nil
	}
	_ = t.closeAppenders() // they write into the transaction that is undone
	return t.exec(context.Background(), `ROLLBACK`)
}
