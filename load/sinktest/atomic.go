package sinktest

import (
	"context"
	"testing"

	"pipeline/load"
	"pipeline/load/reader"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// testFirstLoad: no row of a first load is visible before Commit returns; then all are.
func testFirstLoad(t *testing.T, s Store) {
	if state := stateOf(t, s); !state.First || state.LastLoadID != 0 || len(state.Known) != 0 ||
		len(state.Sources) != 0 || state.SessionGapMs != 0 {
		t.Errorf("state before any load: %+v", state)
	}
	w, tx, id := begin(t, s)
	writeSource(t, tx, id, load.SourceRows{})
	put(t, tx, "c1", withCall(conversation("c1", "one", "two"), "m1"))
	expect(t, s, messages)
	finish(t, tx)
	expect(t, s, messages)
	if err := tx.Commit(t.Context(), runOf(id)); err != nil {
		t.Fatal("commit:", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Error("rollback after the commit does nothing, and gave:", err)
	}
	closeWarehouse(t, w)

	expect(t, s, messages, "c1 | m0 | one | 0 | NULL", "c1 | m1 | two | 1 | NULL")
	expect(t, s, conversations, "c1 | title of c1 | completed | "+first+" | "+first+" | NULL")
	expect(t, s, `SELECT message_id, tool FROM tool_calls`, "m1 | run_terminal_command")
	expect(t, s, `SELECT load_id, status, started_at FROM loads`, "1 | ok | "+first)
	expect(t, s, `SELECT load_id, store FROM load_stores`, "1 | global")
	expect(t, s, `SELECT load_id, family FROM key_families`, "1 | bubbleId")
	expect(t, s, `SELECT count(*) FROM sessions`, "1")
	state := stateOf(t, s)
	if state.First || state.LastLoadID != 1 || state.SessionGapMs != gap || len(state.Sources) != 1 ||
		state.Sources[0].SourceID != source {
		t.Errorf("state after a load: %+v", state)
	}
}

func testFirstRollback(t *testing.T, s Store) {
	w, tx, id := begin(t, s)
	writeSource(t, tx, id, load.SourceRows{})
	put(t, tx, "c1", conversation("c1", "one"))
	finish(t, tx)
	for range 2 {
		if err := tx.Rollback(); err != nil {
			t.Fatal("rollback:", err)
		}
	}
	expect(t, s, messages)
	state, err := w.State(t.Context())
	if err != nil || !state.First {
		t.Fatalf("state after the rollback: %+v, %v", state, err)
	}
	tx, id = beginNext(t, w, state) // a run tries again when a store changed under it
	writeSource(t, tx, id, load.SourceRows{})
	put(t, tx, "c2", conversation("c2", "two"))
	commit(t, w, tx, id)
	expect(t, s, messages, "c2 | m0 | two | 0 | NULL")
	expect(t, s, `SELECT count(*) FROM sources`, "1")
}

// testRollback: a later load changes nothing before it commits, and its rollback leaves no trace.
func testRollback(t *testing.T, s Store) {
	run(t, s, func(tx *warehouse.Load) {
		put(t, tx, "c1", conversation("c1", "one", "two"))
		put(t, tx, "c2", conversation("c2", "other"))
	})
	before := stateOf(t, s)
	old := func() {
		t.Helper()
		expect(t, s, messages, "c1 | m0 | one | 0 | NULL", "c1 | m1 | two | 1 | NULL", "c2 | m0 | other | 0 | NULL")
		expect(t, s, conversations, "c1 | title of c1 | completed | "+first+" | "+first+" | NULL",
			"c2 | title of c2 | completed | "+first+" | "+first+" | NULL")
		expect(t, s, quarantine)
		expect(t, s, `SELECT last_seen_at FROM sources`, first)
		expect(t, s, `SELECT count(*) FROM loads`, "1")
	}
	change := func(tx *warehouse.Load, id int64) {
		t.Helper()
		writeSource(t, tx, id, load.SourceRows{})
		put(t, tx, "c1", conversation("c1", "uno"))
		write(t, tx, bad("c1", "bubbleId:c1:m1", "aa"))
		gone(tx, "c2")
	}
	w, tx, id := begin(t, s)
	change(tx, id)
	old()
	finish(t, tx)
	old()
	if err := tx.Rollback(); err != nil {
		t.Fatal("rollback:", err)
	}
	old()
	after, err := w.State(t.Context())
	if err != nil || after.LastLoadID != before.LastLoadID || len(after.Known) != 2 ||
		after.Known[keyOf("c1")] != before.Known[keyOf("c1")] {
		t.Errorf("state after the rollback: %+v, %v", after, err)
	}
	tx, id = beginNext(t, w, before)
	change(tx, id)
	commit(t, w, tx, id)
	expect(t, s, messages, "c1 | m0 | uno | 0 | NULL", "c1 | m1 | two | NULL | "+second,
		"c2 | m0 | other | NULL | "+second)
}

func keyOf(id string) schema.OwnerKey {
	return schema.OwnerKey{SourceID: source, Store: "global", Kind: schema.KindConversation, ID: id}
}

// testClose: a warehouse that is closed during a load keeps its rows.
func testClose(t *testing.T, s Store) {
	w, tx, id := begin(t, s)
	writeSource(t, tx, id, load.SourceRows{})
	put(t, tx, "c0", conversation("c0", "lost"))
	closeWarehouse(t, w)
	expect(t, s, messages)

	run(t, s, func(tx *warehouse.Load) { put(t, tx, "c1", conversation("c1", "one")) })
	w, tx, id = begin(t, s)
	writeSource(t, tx, id, load.SourceRows{})
	put(t, tx, "c1", conversation("c1", "uno"))
	finish(t, tx)
	closeWarehouse(t, w)
	expect(t, s, messages, "c1 | m0 | one | 0 | NULL")
	if state := stateOf(t, s); state.LastLoadID != 1 {
		t.Errorf("last load %d, want 1", state.LastLoadID)
	}
}

// testCancelled: a run that is interrupted before its commit leaves the old state.
func testCancelled(t *testing.T, s Store) {
	run(t, s, func(tx *warehouse.Load) { put(t, tx, "c1", conversation("c1", "one")) })
	w, tx, id := begin(t, s)
	writeSource(t, tx, id, load.SourceRows{})
	put(t, tx, "c1", conversation("c1", "uno"))
	finish(t, tx)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tx.Commit(ctx, runOf(id)); err == nil {
		t.Error("a cancelled commit gave no error")
	}
	if err := tx.Rollback(); err != nil {
		t.Error("rollback:", err)
	}
	closeWarehouse(t, w)
	expect(t, s, messages, "c1 | m0 | one | 0 | NULL")
}

// testOneAtATime: a load that begins while another runs is refused, and the other one goes on. After a commit it works
// or is refused.
func testOneAtATime(t *testing.T, s Store) {
	for id := int64(1); id <= 2; id++ {
		w, tx, _ := begin(t, s)
		writeSource(t, tx, id, load.SourceRows{})
		put(t, tx, "c1", conversation("c1", "one"))
		settings := load.Settings{LoadID: id, StartedAt: startOf(id), SessionGapMs: gap}
		if _, err := w.Begin(t.Context(), settings); err == nil {
			t.Error("a second load beside one that is under way was not refused")
		}
		finish(t, tx)
		if err := tx.Commit(t.Context(), runOf(id)); err != nil {
			t.Fatal("commit:", err)
		}
		settings.LoadID++
		if again, err := w.Begin(t.Context(), settings); err == nil {
			if err := again.Rollback(); err != nil {
				t.Error("rollback:", err)
			}
		}
		if state, err := w.State(t.Context()); err == nil && state.LastLoadID != id {
			t.Errorf("state after the commit of load %d: %+v", id, state)
		}
		for range 2 {
			if err := w.Close(); err != nil {
				t.Error("close:", err)
			}
		}
		expect(t, s, `SELECT max(load_id) FROM loads`, reader.Text(id))
		expect(t, s, messages, "c1 | m0 | one | 0 | NULL")
	}
}
