package main

import (
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestRealStore: a load finds in the store like real ones what its generator says, and so does a further one after
// every conversation was changed.
func TestRealStore(t *testing.T) {
	long(t)
	t.Parallel()
	b := tinyBench(t)
	dir, scratch := filepath.Join(b.dir, "User"), t.TempDir()
	made, err := b.task(t.Context(), false, "real", "-dir", dir, "-messages", "1", "-seed", "3")
	if err != nil {
		t.Fatal(err)
	}
	checkReal(t, dir)
	if have := loadedReal(t, b, dir, scratch); !maps.Equal(have, made.Counts) {
		t.Errorf("loaded %v, want %v", have, made.Counts)
	}
	if r, err := b.task(t.Context(), false, "change", "-dir", dir, "-share", "1", "-mark", "1"); err != nil ||
		r.Counts["changed"] != realChats {
		t.Fatal(r, err)
	}
	if have := loadedReal(t, b, dir, scratch); !maps.Equal(have, made.Counts) {
		t.Errorf("after a change loaded %v, want %v", have, made.Counts)
	}
}

// loadedReal loads the store and counts what the warehouse has of it.
func loadedReal(t *testing.T, b *bench, dir, scratch string) map[string]int64 {
	t.Helper()
	if _, err := b.task(t.Context(), false, "run", "-dir", dir, "-scratch", scratch); err != nil {
		t.Fatal(err)
	}
	have := map[string]int64{}
	for what, query := range map[string]string{
		"conversations": `SELECT count(*) FROM live_conversations`,
		"messages":      `SELECT count(*) FROM live_messages WHERE is_listed`,
		"graph_only":    `SELECT count(*) FROM live_messages WHERE origin = 'graph'`,
		"orphans":       `SELECT count(*) FROM messages JOIN conversations USING (source_id, conversation_id) WHERE conversations.status = 'orphaned'`,
		"quarantined":   `SELECT count(*) FROM quarantine WHERE resolved_load_id IS NULL`,
		"unlisted": fmt.Sprintf(
			`SELECT sum(message_count - header_count)::BIGINT FROM conversations WHERE message_count = %d`, longChatMessages),
	} {
		var n sql.NullInt64
		ask(t, scratch, query, &n)
		have[what] = n.Int64
	}
	return have
}

// checkReal holds a store of one group to the properties that it is for, and to its seed.
func checkReal(t *testing.T, dir string) {
	t.Helper()
	store, err := openSQLite(globalStore(dir), true)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var blobs, checkpoint, bubbles, code float64
	if err := store.QueryRowContext(t.Context(),
		`SELECT avg(typeof(value) = 'blob'), max(octet_length(value)) FILTER (WHERE key LIKE 'checkpointId:%'), count(*) FILTER (WHERE key LIKE 'bubbleId:a9e%'),
		avg(CASE WHEN key LIKE 'bubbleId:%' AND json_valid(CAST(value AS TEXT)) THEN length(CAST(value AS TEXT) ->> '$.context.selections[0].text') END) FROM cursorDiskKV`).Scan(&blobs, &checkpoint, &bubbles, &code); err != nil {
		t.Fatal(err)
	}
	if lost := 1 - bubbles/(3*6*realTurns); blobs < 0.55 || blobs > 0.65 || checkpoint < 20_000 ||
		checkpoint > 80_000 || lost < 0.25 || lost > 0.35 || code < 1_900 || code > 2_200 {
		t.Errorf("%.2f of the values are BLOBs, the largest checkpoint has %.0f bytes, %.2f of the bubbles beside "+
			"graphs are lost, given code has %.0f bytes", blobs, checkpoint, lost, code)
	}
	if ratio := zstdRatio(t, store); ratio < 2.5 || ratio > 4 {
		t.Errorf("zstd makes the values %.1f times smaller: texts repeat too much or too little", ratio)
	}
	if got, want := storeSum(t, dir), "1b3d58002c4fa18e"; got != want {
		t.Errorf("the files have the sum %s, want %s: the generator makes another store, and figures measured before "+
			"cannot be compared", got, want)
	}
}

// zstdRatio is how many times smaller zstd makes the values of a store.
func zstdRatio(t *testing.T, db *sql.DB) float64 {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT value FROM cursorDiskKV WHERE value IS NOT NULL`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var before int
	var after strings.Builder
	z, err := zstd.NewWriter(&after)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var value sql.RawBytes
		if err := rows.Scan(&value); err != nil {
			t.Fatal(err)
		}
		before += len(value)
		if _, err := z.Write(value); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return float64(before) / float64(after.Len())
}

// TestStoreOfSeed: the store of a heavy user is the same, byte for byte, as long as benchmarks are compared.
func TestStoreOfSeed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "User")
	if err := generate(taskOptions{dir: dir, messages: 400, seed: 7}); err != nil {
		t.Fatal(err)
	}
	if got, want := storeSum(t, dir), "1e0bb997a8625fde"; got != want {
		t.Errorf("the files have the sum %s, want %s: the generator makes another store, and figures measured before "+
			"cannot be compared", got, want)
	}
}

// storeSum sums the files of a user directory, without the version of SQLite that wrote them.
func storeSum(t *testing.T, dir string) string {
	t.Helper()
	sum := fnv.New64a()
	if err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, path))
		if filepath.Ext(path) == ".vscdb" && len(content) > 100 {
			clear(content[96:100])
		}
		fmt.Fprintln(sum, path, len(content))
		sum.Write(content)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%016x", sum.Sum64())
}

// ask reads one row of the warehouse that a run has made in a folder, and closes it: the next run needs it.
func ask(t *testing.T, dir, query string, into ...any) {
	t.Helper()
	db, conn, err := openDuck(t.Context(), filepath.Join(dir, "w.duckdb")+"?access_mode=read_only")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(conn.QueryRowContext(t.Context(), query).Scan(into...), conn.Close(),
		db.Close()); err != nil {
		t.Fatal(err)
	}
}
