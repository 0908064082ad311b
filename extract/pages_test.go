package extract

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"pipeline/extract/storetest"
)

// TestPages reads a store from its pages, and a private copy of it by SQLite: both have the same rows, sums and fingerprints, however deep values are compared.
func TestPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "User")
	if err := storetest.New(storetest.Options{Seed: 3, Messages: 1500}).Write(dir); err != nil {
		t.Fatal(err)
	}
	global := filepath.Join(dir, "globalStorage", "state.vscdb")
	mustExec(t, global, `INSERT INTO cursorDiskKV VALUES ('composerData:numbers', '{"composerId":"numbers"}'), ('bubbleId:numbers:1', 12345678901), ('bubbleId:numbers:2', -1.5),
		('bubbleId:numbers:3', ''), ('bubbleId:numbers:4', x''), ('bubbleId:numbers:5', NULL), (NULL, 7), (NULL, 'null'), (x'6162', 'a key that is a blob'), ('bubbleId:numbers:' || char(0), 'nul')`,
		`INSERT INTO cursorDiskKV WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
			SELECT 'bubbleId:many:' || hex(randomblob(16)), hex(zeroblob(i * 7 % 9000)) FROM n`)
	for _, method := range []string{MethodInPlace, MethodWAL} {
		if method == MethodWAL {
			defer useWAL(t, global)()
		}
		sameByBoth(t, global, method)
	}
}

// useWAL opens a store as an editor does, and changes rows without a checkpoint. The result closes it.
func useWAL(t *testing.T, path string) (end func()) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, s := range []string{`PRAGMA journal_mode = WAL`, `PRAGMA wal_autocheckpoint = 0`, `UPDATE cursorDiskKV SET value = value || ' changed' WHERE rowid % 7 = 0 AND typeof(value) = 'text'`,
		`DELETE FROM cursorDiskKV WHERE rowid % 31 = 0`, `INSERT INTO cursorDiskKV SELECT key || 'x', value FROM cursorDiskKV WHERE rowid % 11 = 0`} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	return func() { _ = db.Close() }
}

// sameByBoth reads a store from its pages, and a copy of it by SQLite.
func sameByBoth(t *testing.T, global, method string) {
	t.Helper()
	for _, depth := range []Depth{DepthKeys, DepthSizes, DepthValues} {
		t.Run(fmt.Sprint(method, depth), func(t *testing.T) {
			o := OpenOptions{Raw: RawAll, Depth: func(string, string) Depth { return depth }}
			byPages, n := everything(t, global, o, method)
			o.Copy = map[string]bool{GlobalStore: true}
			bySQLite, m := everything(t, global, o, MethodCopy)
			if n != m || n < 4000 {
				t.Errorf("%d rows by pages, %d by SQLite", n, m)
			}
			for i := range bySQLite {
				if i >= len(byPages) || !reflect.DeepEqual(byPages[i], bySQLite[i]) {
					t.Fatalf("by pages %.500s, by SQLite %.500s", fmt.Sprint(byPages[i:min(i+1, len(byPages))]), fmt.Sprint(bySQLite[i]))
				}
			}
		})
	}
}

// everything reads a store: what it says of each conversation and kept family, and all rows.
func everything(t *testing.T, path string, o OpenOptions, method string) (out []any, rows int) {
	t.Helper()
	snapshot, err := Source{Global: path}.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	if by := snapshot.Stores()[0].Info.Method; by != method {
		t.Fatalf("the store is read by %q", by)
	}
	if s := snapshot.(*cursor).pinned[GlobalStore]; (s.pages != nil) != (method != MethodCopy) {
		t.Fatalf("read by %q, from pages: %v", method, s.pages != nil)
	}
	row := func(d *Document) {
		rows++
		out = append(out, []any{d.Table, d.Family, d.Key, d.KeyType, d.ID, d.RowID, d.Type, d.Bytes, string(d.Raw), d.Raw == nil, d.Problem, d.Hash()})
	}
	for c, err := range snapshot.Conversations(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, []any{c.ID, c.Fingerprint, c.Sizes, c.Content})
		sums, _, err := c.Load(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, sums)
		if c.Head != nil {
			row(c.Head)
		}
		for d, err := range c.Parts {
			if err != nil {
				t.Fatal(err)
			}
			row(d)
		}
	}
	for _, f := range snapshot.Kept() {
		out = append(out, f)
	}
	for k, err := range snapshot.KeptRows(t.Context(), func(KeptFamily) bool { return true }) {
		if err != nil {
			t.Fatal(err)
		}
		d, err := k.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		row(d)
	}
	if err := snapshot.CheckIndex(t.Context(), GlobalStore); err != nil {
		t.Error(err)
	}
	for _, r := range snapshot.Stores()[0].Families {
		out = append(out, r)
	}
	return out, rows
}
