package extract

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pipeline/testdata/gen/storetest"
)

// byteStore is a store whose bytes are changed: its file, and its -wal if it has one.
type byteStore struct {
	name      string
	page      int
	file, wal []byte
}

// byteStores makes a small store of each kind: pages of two sizes, with and without rowids, a log. Their trees have
// several levels, and large values lie on overflow pages.
func byteStores(t *testing.T) (all []byteStore) {
	t.Helper()
	row := func(i int) storetest.Row {
		size := 20 + i%7*30
		if i%9 == 0 {
			size = 900 + i*40
		}
		return storetest.Row{Key: fmt.Sprintf("bubbleId:c%d:b%02d", i%3, i),
			Value: fmt.Sprintf(`{"_v":3,"type":1,"text":"%0*d"}`, size, i)}
	}
	var rows, later []storetest.Row
	for i := range 40 {
		rows = append(rows, row(i))
		if i%4 == 0 {
			later = append(later, row(i+40))
		}
	}
	for name, o := range map[string]storetest.StoreOptions{
		"small pages": {PageSize: 512, NoItemTable: true},
		"large pages": {PageSize: 4096, NoItemTable: true},
		"log":         {PageSize: 512, WAL: true, WALRows: later, NoItemTable: true},
		"without rowid": {PageSize: 1024, NoItemTable: true,
			Exec: []string{`ALTER TABLE cursorDiskKV RENAME TO old`,
				`CREATE TABLE cursorDiskKV (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID`,
				`INSERT INTO cursorDiskKV SELECT key, value FROM old`, `DROP TABLE old`}},
		"no index on keys": {PageSize: 1024, NoItemTable: true,
			Exec: []string{`ALTER TABLE cursorDiskKV RENAME TO old`,
				`CREATE TABLE cursorDiskKV (key TEXT, value BLOB, n INTEGER, PRIMARY KEY (n, key)) WITHOUT ROWID`,
				`INSERT INTO cursorDiskKV SELECT key, value, rowid FROM old`, `DROP TABLE old`}},
	} {
		path := filepath.Join(t.TempDir(), "state.vscdb")
		if err := storetest.WriteStore(path, rows, o); err != nil {
			t.Fatal(err)
		}
		s := byteStore{name: name, page: o.PageSize, file: mustRead(t, path)}
		if o.WAL {
			s.wal = mustRead(t, path+"-wal")
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b byteStore) int { return strings.Compare(a.name, b.name) })
	return all
}

// changed returns the store with one to three bytes that are others. Each page and frame is as likely as the next; of a
// page its header, its list of cells, the beginning of a cell and any byte are.
func (s byteStore) changed(r *rand.Rand) (_ byteStore, what string) {
	s.file, s.wal = slices.Clone(s.file), slices.Clone(s.wal)
	for range 1 + r.IntN(3)*r.IntN(2) {
		whole, header, name := s.file, 0, "page"
		switch n := r.IntN(40); {
		case s.wal == nil || n < 20:
		case n == 20:
			whole, header, name = s.wal[:32], 32, "log"
		default:
			whole, header, name = s.wal[32:], 24, "frame"
		}
		n := 0
		if size := s.page + header; name != "log" {
			n = r.IntN(len(whole) / size)
			whole = whole[n*size:][:size]
		}
		at := r.IntN(max(1, header))
		if header == 0 || header == 24 && r.IntN(4) > 0 {
			at = header + offset(r, whole[header:])
		}
		old := whole[at]
		if whole[at] = []byte{0, 1, 127, 128, 255, byte(r.Uint32())}[r.IntN(6)]; whole[at] == old {
			whole[at] ^= 1 << r.IntN(8)
		}
		what += fmt.Sprintf(" %s %d byte %d: %d to %d;", name, n, at, old, whole[at])
	}
	return s, what
}

// offset is a place in a page.
func offset(r *rand.Rand, page []byte) int {
	header := 0
	if len(page) > 100 && string(page[:6]) == "SQLite" {
		header = 100
	}
	cells := min(int(binary.BigEndian.Uint16(page[header+3:])), (len(page)-header-12)/2)
	switch n := r.IntN(4); {
	case n == 0:
		return r.IntN(header + 12)
	case n == 1 && cells > 0:
		return header + 8 + r.IntN(2*cells+4)
	case n == 2 && cells > 0:
		cell := int(binary.BigEndian.Uint16(page[header+8+2*r.IntN(cells):]))
		return min(cell+r.IntN(12), len(page)-1)
	}
	return r.IntN(len(page))
}

// write writes the store to a folder of its own.
func (s byteStore) write(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "state.vscdb")
	for _, suffix := range []string{"-shm", "-wal", ""} {
		if err := os.Remove(path + suffix); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	mustWrite(t, path, s.file)
	if s.wal != nil {
		mustWrite(t, path+"-wal", s.wal)
	}
	return path
}

// sqliteRows are the rows of a conversation's bubbles as SQLite reads them from its table; an error is its own.
func sqliteRows(path string) (rows map[string]string, err error) {
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	found, err := db.Query(
		`SELECT key, CASE WHEN substr(key, 1, 9) = 'bubbleId:' THEN CAST(value AS BLOB) END FROM cursorDiskKV NOT INDEXED WHERE typeof(key) = 'text'`)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	rows = map[string]string{}
	for found.Next() {
		var key string
		var value []byte
		if err := found.Scan(&key, &value); err != nil {
			return nil, err
		}
		if c := classifyKey(key); c.family == FamilyBubble && !c.bad {
			rows[key] = string(value)
		}
	}
	return rows, found.Err()
}

// ourRows are the same rows as a run reads them, and why the store counts as damaged, or what a run tells of it. A run
// compares the index before it believes that a row is gone. Of a damaged store it reads what it can.
func ourRows(t *testing.T, path string, salvage bool) (rows map[string]string, damage error) {
	t.Helper()
	ctx := t.Context()
	s, err := readStore(ctx, storeLocation{name: GlobalStore, path: path}, OpenOptions{},
		storeOptions{Salvage: salvage, pause: time.Millisecond, TempDir: filepath.Dir(path)})
	if err != nil {
		return nil, err
	}
	defer func() { damage = errors.Join(damage, s.snap.Close()) }()
	rows = map[string]string{}
	all := []*Conversation{s.looseRows(ctx)}
	for id := range s.index {
		all = append(all, s.conversation(ctx, id))
	}
	for _, conv := range all {
		for d, err := range conv.Parts {
			if err != nil {
				return nil, err
			}
			if d.Family == FamilyBubble && d.KeyType == KeyText && !d.badKey {
				rows[d.Key] = string(d.Raw)
			}
		}
	}
	if s.snap.loss != nil {
		return rows, s.snap.loss.err
	}
	for _, warning := range s.snap.info.Warnings {
		// of a log that is another database's, by the header; SQLite would use it
		if strings.Contains(warning, "left out") {
			return rows, errors.New(warning)
		}
	}
	return rows, errors.Join(s.checkIndex(ctx), s.snap.Verify())
}

// TestBytes: whatever a byte of a store is, the rows are those that SQLite reads, or damage is told. PIPELINE_BYTES is
// how many changed stores are read, and PIPELINE_BYTES_SEED the first.
func TestBytes(t *testing.T) {
	t.Parallel()
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return otherwise
	}
	stated := 20000
	if testing.Short() {
		stated = 1000
	}
	first, most := number("PIPELINE_BYTES_SEED", 0), number("PIPELINE_BYTES", stated)
	stores := byteStores(t)
	for _, s := range stores {
		path := s.write(t, t.TempDir())
		rows, damage := ourRows(t, path, false)
		want, err := sqliteRows(path)
		if damage != nil || err != nil || len(want) < 40 || !maps.Equal(rows, want) {
			t.Fatalf("%s as it is: %d rows, want %d; %v, %v", s.name, len(rows), len(want), damage, err)
		}
	}
	outcomes := map[string]int{}
	dir := t.TempDir()
	for seed := first; seed < first+most; seed++ {
		s, what := stores[seed%len(stores)].changed(rand.New(rand.NewPCG(uint64(seed), 3)))
		path := s.write(t, dir)
		rows, damage := ourRows(t, path, false)
		outcome := "damaged"
		if damage != nil && seed%8 == 0 {
			if _, err := ourRows(t, s.write(t, dir), true); err == nil {
				t.Errorf("seed %d, %s,%s what is left of the store is told to be all", seed, s.name, what)
			}
		}
		if damage == nil {
			outcome = "sound"
			path = s.write(t, dir)
			want, err := sqliteRows(path)
			if err != nil || !maps.Equal(rows, want) {
				outcome = "wrong"
				t.Errorf("seed %d, %s,%s %d rows, SQLite reads %d; its error: %v", seed, s.name, what, len(rows),
					len(want), err)
			}
		}
		outcomes[outcome]++
		if outcomes["wrong"] > 20 {
			break
		}
	}
	t.Logf("%d changed stores: %v", most, outcomes)
}
