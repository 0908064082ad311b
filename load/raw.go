package load

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pipeline/load/atomicfile"
	"pipeline/load/engine"
	"pipeline/load/rawlog"
	"pipeline/load/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// RawLayer takes the versions of rows that a load sees. It writes Parquet files beside the warehouse,
// <warehouse>.raw/<source_id>/<load_id>-<n>.parquet, which get their names just before the load commits: n counts all files of the layer, and
// a file with a larger n holds later versions. Housekeeping may put several together, see rawlog.About.
type RawLayer interface {
	// Known returns what the layer holds of the rows of some owners. It has an entry for each.
	Known(ctx context.Context, owners []ConversationKey) (map[ConversationKey]RawRows, error)
	// KnownRange returns what it holds of an owner's rows whose keys come after one and not after another; "" is no limit.
	KnownRange(ctx context.Context, owner ConversationKey, after, to string) (RawRows, error)
	// Bounds returns keys of an owner's rows, in order, between which there are so many rows.
	Bounds(ctx context.Context, owner ConversationKey, rows int) ([]string, error)
	// Values returns the present versions, values included, of those rows of an owner that are wanted; known is what Known says of it.
	Values(ctx context.Context, owner ConversationKey, known RawRows, wanted map[RawKey]bool) ([]schema.RawRow, error)
	// Versions returns all versions that the layer holds of those rows, values included, the newest first, back to where the row was last gone.
	Versions(ctx context.Context, owner ConversationKey, wanted map[RawKey]bool) (map[RawKey][]schema.RawRow, error)
	// Put writes a row that RawRows.Observe or RawVersions.End has returned.
	Put(row schema.RawRow) error
	// Changed names the sources of which files were taken in or are no longer there: what the stores hold is to be compared with the layer.
	Changed() []string
	// Owners lists the owners of a source's rows, also of rows that are gone.
	Owners(ctx context.Context, sourceID string) ([]ConversationKey, error)
	// Moved notes that a row has another rowid than the layer knows, and no other content.
	Moved(row schema.RawRow)
}

// rawLayer is the RawLayer of a transaction.
type rawLayer struct {
	t     *transaction
	dir   string
	next  int64                     // n of the next file
	files map[string]*rawlog.Writer // in the making, by source
	moved []schema.RawRow

	changed map[string]bool // sources whose files are not those that the warehouse named
	damaged []string        // files that are not as they were written, and what is to be done
}

// openRaw begins the layer of a transaction: files that no load has named are taken in.
func (t *transaction) openRaw(ctx context.Context) (*rawLayer, error) {
	l := &rawLayer{t: t, dir: rawlog.Dir(t.w.path), next: 1, files: map[string]*rawlog.Writer{}, changed: map[string]bool{}}
	files, err := rawlog.List(l.dir)
	if err != nil {
		return nil, err
	}
	sizes, err := RawNamed(ctx, t.w.conn)
	if err != nil {
		return nil, err
	}
	left, err := l.damages(ctx, files, sizes)
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(f rawlog.Path) bool {
		l.next = max(l.next, f.Seq+1)
		return left[f.String()]
	})
	named := map[string]bool{}
	for path := range sizes {
		named[path] = true
	}
	if err := l.nameParts(ctx); err != nil {
		return nil, err
	}
	whole, replaced := rawlog.Rewritten(l.dir, files)
	if err := l.settle(ctx, files, whole, replaced, named); err != nil {
		return nil, err
	}
	for _, f := range files {
		if named[f.String()] {
			delete(named, f.String())
			continue
		}
		if replaced[f.String()] || whole[f.String()] != nil { // settled
			continue
		}
		if err := l.adopt(ctx, f); err != nil {
			return nil, err
		}
	}
	return l, l.lose(ctx, named)
}

// lose forgets files that are no longer there.
func (l *rawLayer) lose(ctx context.Context, paths map[string]bool) error {
	for path := range paths {
		source, _, _ := strings.Cut(path, "/")
		l.changed[source] = true
		l.t.settings.warn("the file %s of the raw layer is no longer there: what the stores still hold of it is written again", filepath.Join(l.dir, path))
		if err := l.forget(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// forget drops what the warehouse says of a file.
func (l *rawLayer) forget(ctx context.Context, path string) error {
	for _, from := range []string{`raw_files WHERE path`, `_raw_parts WHERE raw_file`, `_known_rows WHERE raw_file`} {
		if err := l.t.exec(ctx, `DELETE FROM `+from+` = ?`, path); err != nil {
			return err
		}
	}
	return nil
}

func (l *rawLayer) Changed() []string { return slices.Collect(maps.Keys(l.changed)) }

func (l *rawLayer) Owners(ctx context.Context, sourceID string) (out []ConversationKey, err error) {
	l.t.mu.Lock()
	defer l.t.mu.Unlock()
	const query = `SELECT DISTINCT store, conversation_id FROM _known_rows WHERE source_id = ? ORDER BY ALL`
	err = sqlrows.Each(ctx, l.t.w.conn, query, func(rows *dbsql.Rows) error {
		key := ConversationKey{SourceID: sourceID}
		err := rows.Scan(&key.Store, &key.ConversationID)
		out = append(out, key)
		return err
	}, sourceID)
	return out, err
}

// adopt takes in a whole file of a load that did not commit, or that this warehouse, restored from a backup, does not know.
func (l *rawLayer) adopt(ctx context.Context, f rawlog.Path) error {
	about, err := rawlog.ReadAbout(l.dir, f)
	if err != nil { // somebody cut it short: it is left alone, and what it held is written again where the store still has it
		l.t.settings.warn("the file %s of the raw layer cannot be read and is left out: %v", f.In(l.dir), err)
		return nil
	}
	l.t.adopted, l.changed[f.Source] = true, true
	return l.take(ctx, f, &about)
}

func (l *rawLayer) Put(row schema.RawRow) error {
	f := l.files[row.SourceID]
	if f == nil {
		var err error
		if f, err = l.begin(row.SourceID); err != nil {
			return err
		}
	}
	row.LoadID, row.ObservedAt = l.t.settings.LoadID, l.t.settings.StartedAt
	return f.Append(&row)
}

func (l *rawLayer) Moved(row schema.RawRow) {
	row.Value = nil
	l.moved = append(l.moved, row)
}

func (l *rawLayer) begin(source string) (*rawlog.Writer, error) {
	dir := filepath.Join(l.dir, source)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, engine.WithRemedy(fmt.Errorf("make a folder of the raw layer: %w", err))
	}
	f, err := rawlog.NewWriter(filepath.Join(dir, atomicfile.Scratch+strconv.FormatInt(l.t.settings.LoadID, 10)), l.t.settings.Memory.Group)
	if err != nil {
		return nil, err
	}
	l.files[source] = f
	return f, nil
}

// finish completes the files, gives them their names and takes in what they hold. In a load that changes rows every source gets a file,
// an empty one if need be: a rebuild counts the loads by them.
func (l *rawLayer) finish(ctx context.Context, quiet bool) error {
	for _, s := range l.t.sources {
		if id := s.Source.SourceID; !quiet && l.files[id] == nil {
			if _, err := l.begin(id); err != nil {
				return err
			}
		}
	}
	for _, s := range l.t.sources {
		f := l.files[s.Source.SourceID]
		if f == nil {
			continue
		}
		delete(l.files, s.Source.SourceID)
		if err := l.name(ctx, s.Source, f, !quiet); err != nil {
			f.Remove()
			return err
		}
	}
	return l.updateMoved(ctx)
}

// name completes a file, gives it its name and takes in what it holds. A load that fails after that leaves the file, and the next one takes it in.
func (l *rawLayer) name(ctx context.Context, source schema.Source, f *rawlog.Writer, changed bool) error {
	load := l.t.settings.rawLoad()
	load.Source, load.Changed = source, changed
	row, err := f.Finish(load)
	if err = errors.Join(err, beforeRawName.Reach()); err != nil {
		return err
	}
	path := rawlog.LoadPath(source.SourceID, load.LoadID, l.next)
	l.next++
	final := path.In(l.dir)
	if err := atomicfile.Rename(f.Path, final); err != nil {
		return fmt.Errorf("put a file of the raw layer in place: %w", err)
	}
	if err := errors.Join(atomicfile.Sync(l.dir), afterRawName.Reach()); err != nil {
		return err
	}
	row.LoadID = load.LoadID
	return l.register(ctx, path, []rawlog.Part{{Seq: path.Seq, Rows: row.Rows, Load: load}}, row)
}

// updateMoved keeps the rowids that rows have now.
func (l *rawLayer) updateMoved(ctx context.Context) error {
	if len(l.moved) == 0 {
		return nil
	}
	rows := make([]schema.KnownRow, len(l.moved))
	for i, r := range l.moved {
		rows[i] = schema.KnownRow{SourceID: r.SourceID, Store: r.Store, Table: r.Table, ConversationID: r.ConversationID,
			Key: r.Key, KeyType: r.KeyType, KeyBytes: r.KeyBytes, RowID: r.RowID, Hash: r.Hash}
	}
	if err := list(ctx, l.t, "_moved", rows); err != nil {
		return err
	}
	return l.t.exec(ctx, sql.Statement("rawlog/moved"))
}

// abandon drops what a load that does not commit has written.
func (l *rawLayer) abandon() {
	for id, f := range l.files {
		f.Abandon()
		delete(l.files, id)
	}
}
