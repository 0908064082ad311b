package extract

import (
	"bytes"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/testdata/gen/storetest"
)

// mustExec runs statements on a store, as another program does.
func mustExec(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func mustWrite(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A page of the index, or of the table, as it was before one row was replaced, as in a copy that was made while Cursor
// wrote: the newer of the two rows counts where it can be read.
func TestSalvageOldPage(t *testing.T) {
	for kind, there := range map[string]bool{"index leaf": true, "table leaf": true} {
		path := filepath.Join(t.TempDir(), "state.vscdb")
		sizedStore(t, path)
		old, key := mustRead(t, path), reference(t)[700]
		layout := layoutOf(t, path)
		mustExec(t, path,
			fmt.Sprintf(`INSERT INTO cursorDiskKV (key, value) VALUES ('%s', '{"_v":3,"type":1,"text":"THE NEW ONE"}')`,
				key))
		now := mustRead(t, path)
		for _, page := range layout[kind] {
			from := (page - 1) * 4096
			if kind == "table leaf" && !bytes.Contains(old[from:from+4096], []byte(key)) {
				// the page with the row that was added
				continue
			}
			copy(now[from:from+4096], old[from:])
		}
		mustWrite(t, path, now)
		s, err := Source{Global: path}.Open(t.Context(), OpenOptions{Salvage: map[string]bool{GlobalStore: true}})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for c := range s.Conversations(t.Context()) {
			for d, err := range c.Parts {
				if err == nil && d.Key == key {
					found = strings.Contains(string(d.Value), "THE NEW ONE")
				}
			}
		}
		if found != there || s.Stores()[0].Err == nil {
			t.Errorf("%s: the row that replaced the other is there: %v; %v", kind, found, s.Stores()[0].Err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// One byte of the index of ItemTable, the pages sound and the keys in order: CheckIndex tells, and the row is read
// under the key that it has.
func TestSalvageItemKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	rows := []storetest.Row{{Table: storetest.ItemTable, Key: "composer.composerData", Value: `{"allComposers":[]}`},
		{Table: storetest.ItemTable, Key: "zz", Value: "1"},
		{Key: "composerData:c1", Value: `{"_v":13,"composerId":"c1"}`}}
	if err := storetest.WriteStore(path, rows, storetest.StoreOptions{}); err != nil {
		t.Fatal(err)
	}
	b := mustRead(t, path)
	for at := 0; ; at += 21 {
		i := bytes.Index(b[at:], []byte("composer.composerData"))
		if i < 0 {
			break
		}
		if at += i; b[at+21] != '{' { // in the index the rowid follows, in the table the value
			b[at+20] ^= 2
		}
	}
	mustWrite(t, path, b)
	for _, salvage := range []bool{false, true} {
		s, err := Source{Global: path}.Open(t.Context(), OpenOptions{Salvage: map[string]bool{GlobalStore: salvage}})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CheckIndex(t.Context(), GlobalStore); IsDamage(err) == salvage {
			t.Errorf("salvage %v: CheckIndex says %v", salvage, err)
		}
		if items := s.Shared().Items; salvage && (len(items) != 1 || string(items[0].Value) != `{"allComposers":[]}`) {
			t.Errorf("the item is not read: %v", items)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A -wal that only looks stale belongs to the store, also to one that is salvaged.
func TestSalvageStaleWAL(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	if err := storetest.WriteStore(path, []storetest.Row{{Key: "composerData:c1", Value: `{"_v":13}`}},
		storetest.StoreOptions{WAL: true,
			WALRows: []storetest.Row{{Key: "composerData:c2", Value: `{"_v":13}`}}}); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(5 * time.Minute)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, path, storeOptions{Salvage: true, remote: isLocal})
	var n int
	if err := s.Conn().QueryRowContext(t.Context(), "SELECT count(*) FROM cursorDiskKV").Scan(&n); err != nil ||
		n != 2 || len(s.Info().Warnings) != 1 {
		t.Errorf("%d rows, %v, warnings %v", n, err, s.Info().Warnings)
	}
}

// Tables of other forms do not stop the salvage of the rest.
func TestSalvageForms(t *testing.T) {
	for name, statements := range map[string][]string{
		"headers without rowid": {
			`CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID`,
			`INSERT INTO composerHeaders VALUES ('c01', '{}')`,
		},
		"headers with a computed": {
			`CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, value TEXT, name TEXT GENERATED ALWAYS AS (json_extract(value, '$.name')))`, `INSERT INTO composerHeaders (composerId, value) VALUES ('c01', '{}')`,
		},
		"a further column": {`ALTER TABLE cursorDiskKV ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0`},
	} {
		path := filepath.Join(t.TempDir(), "state.vscdb")
		sizedStore(t, path, statements...)
		overwrite(t, path, layoutOf(t, path)["table leaf"][3])
		want := len(keysOn(t, path))
		read, lost, report, err := readAll(t, path)
		if err != nil || len(read) != rowsOfStore-want || len(lost) != want || want == 0 || !report.Salvaged {
			t.Errorf("%s: %d rows read, %d lost, want %d; %v", name, len(read), len(lost), want, err)
		}
	}
}

// Values of every type stay what they are.
func TestSalvageValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	sizedStore(t, path,
		`INSERT INTO cursorDiskKV VALUES ('composer.content.a', CAST(x'610062ff' AS TEXT)), ('composer.content.b', x'610062ff'),
		('composer.content.c', 42), ('composer.content.d', 1.5), ('composer.content.e', ''), ('composer.content.f', x''), ('composer.content.g', NULL)`)
	overwrite(t, path, layoutOf(t, path)["table leaf"][3])
	s, err := Source{Global: path}.Open(t.Context(), OpenOptions{Salvage: map[string]bool{GlobalStore: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got := map[string]string{}
	for row, err := range s.KeptRows(t.Context(), func(KeptFamily) bool { return true }) {
		if err != nil {
			t.Fatal(err)
		}
		d, err := row.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got[strings.TrimPrefix(d.Key, "composer.content.")] = fmt.Sprintf("%s %q", d.Type, d.Raw)
	}
	want := map[string]string{"a": `text "a\x00b\xff"`, "b": `blob "a\x00b\xff"`, "c": `integer "42"`,
		"d": `real "1.5"`, "e": `text ""`, "f": `blob ""`, "g": `null ""`}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if got[key] != want[key] {
			t.Errorf("%s: %s, want %s", key, got[key], want[key])
		}
	}
}
