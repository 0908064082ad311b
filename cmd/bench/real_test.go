package main

import (
	"database/sql"
	"fmt"
	"hash/fnv"
	"maps"
	"path/filepath"
	"testing"
)

// TestRealStore: a load finds in the store like real ones what its generator says, and the store has the properties that it is for.
func TestRealStore(t *testing.T) {
	t.Parallel()
	b := tinyBench(t)
	dir := filepath.Join(b.dir, "User")
	made, err := b.task(t.Context(), false, "real", "-dir", dir, "-messages", "1", "-seed", "3")
	if err != nil {
		t.Fatal(err)
	}
	store, err := openSQLite(globalStore(dir), true)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var blobs, checkpoint, bubbles float64
	if err := store.QueryRowContext(t.Context(), `SELECT avg(typeof(value) = 'blob'), max(octet_length(value)) FILTER (WHERE key LIKE 'checkpointId:%'), count(*) FILTER (WHERE key LIKE 'bubbleId:a9e%')
		FROM cursorDiskKV`).Scan(&blobs, &checkpoint, &bubbles); err != nil {
		t.Fatal(err)
	}
	if lost := 1 - bubbles/(3*6*realTurns); blobs < 0.55 || blobs > 0.65 || checkpoint < 20_000 || checkpoint > 80_000 || lost < 0.25 || lost > 0.35 {
		t.Errorf("%.2f of the values are BLOBs, the largest checkpoint has %.0f bytes, %.2f of the bubbles beside graphs are lost", blobs, checkpoint, lost)
	}
	scratch := t.TempDir()
	if _, err := b.task(t.Context(), false, "run", "-dir", dir, "-scratch", scratch); err != nil {
		t.Fatal(err)
	}
	db, conn, err := openDuck(t.Context(), filepath.Join(scratch, "w.duckdb")+"?access_mode=read_only")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	defer conn.Close()
	have := map[string]int64{}
	for what, query := range map[string]string{
		"conversations": `SELECT count(*) FROM live_conversations`,
		"messages":      `SELECT count(*) FROM live_messages WHERE is_listed`,
		"orphans":       `SELECT count(*) FROM messages JOIN conversations USING (source_id, conversation_id) WHERE conversations.status = 'orphaned'`,
		"quarantined":   `SELECT count(*) FROM quarantine`,
		"unlisted":      fmt.Sprintf(`SELECT sum(message_count - header_count)::BIGINT FROM conversations WHERE message_count = %d`, longChat),
	} {
		var n sql.NullInt64
		if err := conn.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		have[what] = n.Int64
	}
	if !maps.Equal(have, made.Counts) {
		t.Errorf("loaded %v, want %v", have, made.Counts)
	}
}

// TestStoreOfSeed: the store of a heavy user is the same, row by row, as long as benchmarks are compared.
func TestStoreOfSeed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "User")
	if err := generate(taskOptions{dir: dir, messages: 400, seed: 7}); err != nil {
		t.Fatal(err)
	}
	db, err := openSQLite(globalStore(dir), true)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `SELECT 'ItemTable', key, typeof(value), value FROM ItemTable UNION ALL SELECT 'cursorDiskKV', key, typeof(value), value FROM cursorDiskKV ORDER BY 1, 2`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	sum := fnv.New64a()
	for rows.Next() {
		var table, kind string
		var key, value []byte
		if err := rows.Scan(&table, &key, &kind, &value); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(sum, "%s %q %s %q\n", table, key, kind, value)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%016x", sum.Sum64()), "a2237b58de11ed6c"; got != want {
		t.Errorf("the rows have the sum %s, want %s: the generator makes another store, and figures measured before cannot be compared", got, want)
	}
}
