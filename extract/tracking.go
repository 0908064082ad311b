package extract

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// Cursor attributes lines and commits to what wrote them in a SQLite file of its own, in the home directory and outside
// the user directories (docs/formats.md, The tracking database).

// AppTracking is the App of the source for this file.
const AppTracking = "ai-tracking"

// TrackingStore is the one store of such a source.
const TrackingStore = "ai-tracking"

// Families of its rows: one for each table that is read. Other tables (contents of files, deletions, state) are not
// read.
const (
	FamilyScoredCommit = "ai-tracking.scored_commits"
	FamilyCodeHash     = "ai-tracking.ai_code_hashes"
	FamilySummary      = "ai-tracking.conversation_summaries"
)

// trackingTable is a table that is read.
type trackingTable struct {
	name, family string
	key          []string // the columns that identify a row
	stamp        string   // the column with the time of a row's last change, "" if there is none
	rowids       int64    // how many rowids form one owner, which is read as a whole
}

// A summary may be replaced many times, each time under the highest rowid. So all of them are one owner, and none moves
// from one owner to another. The other tables are much longer.
func trackingTables() []trackingTable {
	return []trackingTable{
		{name: "scored_commits", family: FamilyScoredCommit, key: []string{"commitHash", "branchName"}, rowids: 4096},
		{name: "ai_code_hashes", family: FamilyCodeHash, key: []string{"hash"}, rowids: 4096},
		{name: "conversation_summaries", family: FamilySummary, key: []string{"conversationId"}, stamp: "updatedAt",
			rowids: math.MaxInt64},
	}
}

// trackingFile is where it is in a folder .cursor.
const trackingFile = "ai-tracking/ai-code-tracking.db"

var trackingFiles = [...]string{".cursor/" + trackingFile, trackingFile}

// TrackingOf returns the path of the tracking database that belongs to a source, "" if there is none.
func TrackingOf(src Source) string { return src.Tracking }

// trackingOf returns the path of the file that belongs to a user directory, "" if there is none. It looks in the home
// directory around the user directory, or in the folder that takes its place in a backup.
func trackingOf(userDir string) string {
	for _, home := range homesAround(userDir) {
		for _, name := range trackingFiles {
			if path := fileAt(filepath.Join(filepath.FromSlash(home), filepath.FromSlash(name))); path != "" {
				return path
			}
		}
	}
	return ""
}

// fileAt is a path, "" if no file is there.
func fileAt(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return path
}

// trackingSnapshot is the Snapshot of such a file. Its rows belong to no conversation; each owner is a range of rowids
// of a table.
type trackingSnapshot struct {
	StillSnapshot
	snap   *storeSnapshot
	report StoreReport
	owners []trackedOwner
}

type trackedOwner struct {
	table       trackingTable
	columns     []string
	first, last int64 // rowids
	fingerprint string
	rows        int
}

// OpenTracking opens the file of a source like any store: read-only, in one state, without disturbing Cursor. A file
// that cannot be read is listed in Stores with its error.
func OpenTracking(ctx context.Context, path string, how OpenOptions) (Snapshot, error) {
	s := &trackingSnapshot{report: StoreReport{Store: TrackingStore, Info: StoreInfo{Path: path},
		Err: how.Skip[TrackingStore]}}
	if s.report.Err != nil {
		return s, nil
	}
	snap, err := openStore(ctx, path, storeOptions{Copy: how.Copy[TrackingStore] || how.Salvage[TrackingStore]})
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.report.Err = err
		return s, nil
	}
	s.snap, s.report.Info = snap, snap.Info()
	if err := snap.tellMarks(ctx, TrackingStore, how.Marks); err != nil {
		return nil, errors.Join(s.snap.explain(err), s.Close())
	}
	for _, table := range trackingTables() {
		if err := s.index(ctx, table); err != nil {
			return nil, errors.Join(s.snap.explain(err), s.Close())
		}
	}
	return s, nil
}

// index lists the rows of a table by key, rowid and the time of the last change: a row that is replaced gets a new
// rowid, one that is changed in place a new time. A table without rowids, or without the columns that identify its
// rows, is of an unknown version. It is not read, and nothing of the file counts as gone.
func (s *trackingSnapshot) index(ctx context.Context, table trackingTable) error {
	var columns []string
	if err := eachRow(ctx, s.snap.Conn(), `SELECT name FROM pragma_table_info(?)`, 1,
		func(row []driver.Value) { columns = append(columns, text(row[0])) }, table.name); err != nil ||
		columns == nil {
		return err
	}
	var keys []string
	for _, name := range table.key {
		if slices.Contains(columns, name) {
			keys = append(keys, quoteName(name))
		}
	}
	rowids := true
	err := eachTable(ctx, s.snap.Conn(), func(name, ddl string) {
		rowids = rowids && (name != table.name || !withoutRowID(ddl))
	})
	if err != nil {
		return err
	}
	if !rowids || len(keys) < len(table.key) {
		s.report.Err = &StoreError{Path: s.report.Info.Path, Kind: KindNoTable,
			Err: fmt.Errorf("its table %s is not as this version knows it", table.name)}
		return nil
	}
	stamp := "NULL"
	if slices.Contains(columns, table.stamp) {
		stamp = "CAST(" + quoteName(table.stamp) + " AS TEXT)"
	}
	h := xxh3.New()
	var open *trackedOwner
	end := func() {
		if open != nil {
			open.fingerprint = sumOf(h)
			s.owners = append(s.owners, *open)
		}
		h.Reset()
	}
	err = eachRow(ctx, s.snap.Conn(), `SELECT rowid, `+strings.Join(keys, ` || char(31) || `)+`, `+stamp+` FROM `+
		quoteName(table.name)+` ORDER BY rowid`, 3, func(row []driver.Value) {
		rowid, _ := row[0].(int64)
		if open == nil || rowid/table.rowids != open.first/table.rowids {
			end()
			open = &trackedOwner{table: table, columns: columns, first: rowid - rowid%table.rowids}
		}
		hashNumber(h, rowid)
		hashText(h, text(row[1]))
		if table.stamp != "" {
			hashText(h, text(row[2]))
		}
		open.last = rowid
		open.rows++
		s.report.RowsSeen++
	})
	end()
	return err
}

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func (s *trackingSnapshot) Conversations(ctx context.Context) iter.Seq2[*Conversation, error] {
	return func(yield func(*Conversation, error) bool) {
		for _, o := range s.owners {
			c := &Conversation{Store: TrackingStore,
				ID: fmt.Sprintf("%s/%d", o.table.name, o.first/o.table.rowids), Loose: true,
				Fingerprint: o.fingerprint, rows: o.rows, Parts: s.rows(ctx, o)}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// rows reads the rows of an owner, each as a JSON object of its columns. It leaves out BLOBs; the columns that are used
// have none.
func (s *trackingSnapshot) rows(ctx context.Context, o trackedOwner) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		columns := []string{"rowid"}
		for _, name := range o.columns {
			name = quoteName(name)
			columns = append(columns,
				fmt.Sprintf(`CASE WHEN typeof(%[1]s) <> 'blob' AND octet_length(%[1]s) <= %[2]d THEN %[1]s END`, name,
					MaxValueBytes/64))
		}
		statement := `SELECT ` + strings.Join(columns, ", ") + ` FROM ` + quoteName(o.table.name) +
			` WHERE rowid BETWEEN ? AND ? ORDER BY rowid`
		for row, err := range query(ctx, s.snap.Conn(), statement, len(columns), o.first, o.last) {
			if err != nil {
				yield(nil, s.snap.explain(err))
				return
			}
			d, err := o.document(row)
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

func (o trackedOwner) document(row []driver.Value) (*Document, error) {
	object := map[string]any{}
	for i, name := range o.columns {
		switch v := row[i+1].(type) {
		case string:
			object[name] = strings.ToValidUTF8(v, "\ufffd")
		case int64, float64:
			object[name] = v
		}
	}
	var key []string
	for _, name := range o.table.key {
		key = append(key, fmt.Sprint(object[name]))
	}
	d, err := jsonRow(TrackingStore, o.table.name, o.table.family, strings.Join(key, " "), object)
	if err != nil {
		return nil, err
	}
	d.RowID, _ = row[0].(int64)
	return d, nil
}

func (s *trackingSnapshot) Verify() error {
	if s.snap == nil {
		return nil
	}
	return s.snap.Verify()
}

func (s *trackingSnapshot) Stores() []StoreReport { return []StoreReport{s.report} }

func (s *trackingSnapshot) Close() error {
	if s.snap == nil {
		return nil
	}
	return s.snap.Close()
}
