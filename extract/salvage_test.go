package extract

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// pages tells what each page of a store is for, as SQLite itself says (sqlite.org/dbstat.html).
type pages map[string][]int64 // by "table leaf" and so on

// layoutOf reads the layout of cursorDiskKV and its index.
func layoutOf(t *testing.T, path string) pages {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out := pages{}
	rows, err := db.Query(
		`SELECT CASE name WHEN 'cursorDiskKV' THEN 'table ' ELSE 'index ' END || CASE path WHEN '/' THEN 'root' ELSE pagetype END, pageno FROM dbstat
		WHERE name IN ('cursorDiskKV', 'sqlite_autoindex_cursorDiskKV_1')`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var kind string
		var page int64
		if err := rows.Scan(&kind, &page); err != nil {
			t.Fatal(err)
		}
		out[kind] = append(out[kind], page)
	}
	return out
}

// keysOn are the keys of the rows that a page of the table holds a part of: those which cannot be read any more once it
// is overwritten, as plain queries by rowid on a copy of the file say.
func keysOn(t *testing.T, path string) map[string]bool {
	t.Helper()
	lost := map[string]bool{}
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for id, key := range reference(t) {
		var sum int
		var k string
		if err := db.QueryRow("SELECT key, length(CAST(value AS BLOB)) + unicode(substr(value, -1)) FROM cursorDiskKV "+
			"NOT INDEXED WHERE rowid = ?", id).Scan(&k, &sum); err != nil {
			lost[key] = true
		}
	}
	return lost
}

// rowsOfStore is how many messages the store of these tests has. Rows and keys are so large that its trees have three
// levels; each tenth row is larger than a page.
const rowsOfStore = 1500

func reference(*testing.T) map[int64]string {
	out := map[int64]string{}
	for i := range rowsOfStore {
		out[int64(i+1)] = fmt.Sprintf("bubbleId:c%02d:b%04d%0150d", i%30, i, 0)
	}
	return out
}

func sizedStore(t *testing.T, path string, exec ...string) {
	t.Helper()
	var rows []storetest.Row
	all := reference(t)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		size := 2300
		if id%10 == 0 {
			size = 9000
		}
		rows = append(rows, storetest.Row{Key: all[id],
			Value: fmt.Sprintf(`{"_v":3,"type":1,"text":"%0*d"}`, size, id)})
	}
	if err := storetest.WriteStore(path, rows, storetest.StoreOptions{Exec: exec}); err != nil {
		t.Fatal(err)
	}
}

// overwrite fills a page with bytes that no page of SQLite's begins with.
func overwrite(t *testing.T, path string, pages ...int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, page := range pages {
		if _, err := f.WriteAt([]byte(strings.Repeat("\xa5", 4096)), (page-1)*4096); err != nil {
			t.Fatal(err)
		}
	}
}

// readAll reads a source as a run does: the keys of the rows that were read, and of those that are known to be lost.
func readAll(t *testing.T, path string) (read, lost map[string]bool, report StoreReport, err error) {
	t.Helper()
	o := OpenOptions{Salvage: map[string]bool{}}
	for range 2 {
		read, lost, report, err = readOnce(t.Context(), path, o)
		if !IsDamage(err) {
			break
		}
		o.Salvage[GlobalStore] = true
	}
	return read, lost, report, err
}

func readOnce(ctx context.Context, path string, o OpenOptions) (read, lost map[string]bool, report StoreReport,
	err error) {
	read, lost = map[string]bool{}, map[string]bool{}
	s, err := Source{Global: path}.Open(ctx, o)
	if err != nil {
		return nil, nil, report, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	note := func(d *Document) {
		if d.Problem == ProblemCorrupt {
			lost[d.Key] = true
		} else {
			read[d.Key] = true
		}
	}
	for conv, err := range s.Conversations(ctx) {
		if err == nil {
			err = conv.LoadHead()
		}
		if err != nil {
			return nil, nil, report, err
		}
		if conv.Head != nil {
			note(conv.Head)
		}
		for d, err := range conv.Parts {
			if err != nil {
				return nil, nil, report, err
			}
			note(d)
		}
	}
	return read, lost, s.Stores()[0], s.Verify()
}

// A bad page of each kind: every row that SQLite itself can still read by its rowid is read, the others are named, and
// the store is reported as damaged. A page of the index costs no row at all.
func TestSalvage(t *testing.T) {
	sound := filepath.Join(t.TempDir(), "sound.vscdb")
	sizedStore(t, sound)
	layout := layoutOf(t, sound)
	rng := rand.New(rand.NewPCG(7, 7))
	for _, kind := range []string{"table leaf", "table overflow", "table internal", "index leaf", "index internal",
		"index root"} {
		if len(layout[kind]) == 0 {
			t.Fatalf("the store has no page of the kind %s", kind)
		}
		for n := 1; n <= 3; n += 2 {
			t.Run(fmt.Sprintf("%d %s", n, kind), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "state.vscdb")
				b, err := os.ReadFile(sound)
				if err == nil {
					err = os.WriteFile(path, b, 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
				for range n {
					overwrite(t, path, layout[kind][rng.IntN(len(layout[kind]))])
				}
				want := keysOn(t, path)
				read, lost, report, err := readAll(t, path)
				if err != nil {
					t.Fatal(err)
				}
				if !report.Salvaged || !strings.Contains(report.Err.Error(),
					fmt.Sprintf("%d of %d rows are lost", len(want), rowsOfStore)) {
					t.Errorf("salvaged %v, %v; want %d rows lost", report.Salvaged, report.Err, len(want))
				}
				if !maps.Equal(lost, want) {
					t.Errorf("%d rows are named lost, want %d", len(lost), len(want))
				}
				if len(read) != rowsOfStore-len(want) {
					t.Errorf("%d rows read, want %d", len(read), rowsOfStore-len(want))
				}
				if strings.HasPrefix(kind, "index") != (len(want) == 0) {
					t.Errorf("%d rows lost by a page of the kind %s", len(want), kind)
				}
				t.Logf("%d rows lost", len(want))
			})
		}
	}
}

// A key that is damaged in the index, or in the row, and leaves each page sound for SQLite: it is found out, and no row
// is lost but by its name.
func TestSalvageKey(t *testing.T) {
	for _, kind := range []string{"table leaf", "index leaf"} {
		path := filepath.Join(t.TempDir(), "state.vscdb")
		sizedStore(t, path)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		leaf := layoutOf(t, path)[kind]
		page := (leaf[len(leaf)/2] - 1) * 4096
		at := int(page) + strings.Index(string(b[page:page+4096]), ":b") + 100 // within the zeros after the number
		if b[at] != '0' {
			t.Fatalf("%q", b[at-20:at+20])
		}
		b[at] = '1'
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		read, _, report, err := readAll(t, path)
		if err != nil || !report.Salvaged || len(read) != rowsOfStore {
			t.Errorf("%s: %d rows read, salvaged %v, %v", kind, len(read), report.Salvaged, err)
		}
	}
}

// A file that was cut off, within a page or between two: a clear error, and nothing of it is read.
func TestSalvageCut(t *testing.T) {
	for _, rest := range []int64{100, 0} {
		path := filepath.Join(t.TempDir(), "state.vscdb")
		sizedStore(t, path)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, info.Size()*2/3/4096*4096+rest); err != nil {
			t.Fatal(err)
		}
		_, _, report, err := readAll(t, path)
		var known *StoreError
		if !errors.As(err, &known) || known.Kind != KindDamaged || report.Salvaged {
			t.Errorf("%d bytes over: %v, salvaged %v", rest, err, report.Salvaged)
		}
	}
}

// A page of the index in the place of another: SQLite sees nothing wrong with it, its keys come twice and those of the
// other not at all.
func TestSalvageSwapped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	sizedStore(t, path)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"index leaf", "table leaf"} {
		damaged, leaf := slices.Clone(b), layoutOf(t, path)[kind]
		copy(damaged[(leaf[9]-1)*4096:][:4096], b[(leaf[10]-1)*4096:])
		other := filepath.Join(t.TempDir(), "state.vscdb")
		if err := os.WriteFile(other, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		read, lost, report, err := readAll(t, other)
		if err != nil || !report.Salvaged || len(read)+len(lost) < rowsOfStore {
			t.Errorf("%s: %d rows read, %d lost, salvaged %v, %v", kind, len(read), len(lost), report.Salvaged, err)
		}
	}
}

// A table without rowids is its own index: it is read from both ends.
func TestSalvageWithoutRowID(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	sizedStore(t, path, "ALTER TABLE cursorDiskKV RENAME TO old",
		"CREATE TABLE cursorDiskKV (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID",
		"INSERT INTO cursorDiskKV SELECT * FROM old", "DROP TABLE old", "VACUUM")
	leaf := layoutOf(t, path)["table leaf"]
	overwrite(t, path, leaf[len(leaf)/2])
	read, _, report, err := readAll(t, path)
	if err != nil || !report.Salvaged {
		t.Fatalf("%v, salvaged %v", err, report.Salvaged)
	}
	if n := rowsOfStore - len(read); n == 0 || n > 20 {
		t.Errorf("%d rows lost, want those of one page", n)
	}
}

// Where nothing can be read the store is what it was: damaged.
func TestSalvageNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	sizedStore(t, path)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for page := int64(2); page <= info.Size()/4096; page++ {
		overwrite(t, path, page)
	}
	_, _, _, err = readAll(t, path)
	var known *StoreError
	if !errors.As(err, &known) || known.Kind != KindDamaged {
		t.Errorf("got %v, want KindDamaged", err)
	}
}

// Secrets are not even copied.
func TestSalvageSecrets(t *testing.T) {
	const secret = "shibboleth-7781"
	dir := t.TempDir()
	path := filepath.Join(dir, "state.vscdb")
	sizedStore(t, path, "INSERT INTO ItemTable VALUES ('cursorAuth/accessToken', '"+secret+
		"'), ('aiService.prompts', '[]')",
		"INSERT INTO cursorDiskKV VALUES ('secret://x', '"+secret+"')")
	found, err := salvageInto(t.Context(), path, filepath.Join(dir, "new"))
	if err != nil || found.read != rowsOfStore+3 {
		t.Fatalf("%+v, %v", found, err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "new"))
	if err != nil || strings.Contains(string(b), secret) || !strings.Contains(string(b), "cursorAuth/accessToken") {
		t.Errorf("the secret's value is in the new file, or its key is not: %v", err)
	}
}
