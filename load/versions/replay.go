package versions

import (
	"context"
	dbsql "database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/rawlog"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// Reader reads what each load put into the raw layer. It makes a scratch database, in which each version of a row has
// the parts at which it began and ended.
type Reader struct {
	Loads []Replay // in their order

	dir     string
	scratch string
	db      *dbsql.DB
	conn    *dbsql.Conn
}

// Replay is a load as the raw layer's files record it.
type Replay struct {
	rawlog.Load                 // of its last part
	Sources     []schema.Source // that it wrote rows of
	After       int64           // its parts are those above this number,
	Until       int64           // up to this one
}

// Of reports whether the load wrote rows of a source.
func (r Replay) Of(sourceID string) bool {
	return slices.ContainsFunc(r.Sources, func(s schema.Source) bool { return s.SourceID == sourceID })
}

// Owner is an owner of rows as it was after a load.
type Owner struct {
	schema.OwnerKey
	RowKey string // of one of its rows
	Rows   int
	Bytes  int64
	Latest int64 // number of the part with its latest change
	New    bool  // that is of this load
}

// OpenReader reads the raw layer of a warehouse. scratch is the path of a file that Close removes. families is the
// order of the rows of a conversation; the rows of other owners come in the order of their keys.
func OpenReader(ctx context.Context, warehouse, scratch string, families []string, memory load.Memory) (_ *Reader,
	err error) {
	r := &Reader{dir: rawlog.Dir(warehouse), scratch: scratch}
	files, err := rawlog.Layout(r.dir)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%w at %s", ErrNoRaw, r.dir)
	}
	// the last load leaves them out, too, and names them
	files = slices.DeleteFunc(files, func(f rawlog.Found) bool { return f.Err != nil })
	if len(files) == 0 {
		return nil, fmt.Errorf("no file of the raw layer at %s can be read: %s", r.dir, rawlog.Remedy)
	}
	r.Loads = Replays(rawlog.Parts(files))
	if r.db, r.conn, err = engine.Open(ctx, scratch, false); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	return r, r.read(ctx, files, families, memory.OrDefault())
}

// Replays groups parts by load, in their order. The load that wrote a part may not have committed, or the warehouse may
// have been restored from a backup. Then the next load took the part in, and the number of that load is not larger than
// the part's.
func Replays(parts []rawlog.Part) []Replay {
	var out []Replay
	least := make([]int64, len(parts)) // of the numbers from here on
	for i := len(parts) - 1; i >= 0; i-- {
		least[i] = parts[i].Load.LoadID
		if i+1 < len(parts) {
			least[i] = min(least[i], least[i+1])
		}
	}
	for i, p := range parts {
		load := p.Load
		if i == 0 || least[i] != least[i-1] {
			out = append(out, Replay{After: p.Seq - 1})
		}
		last := &out[len(out)-1]
		last.Load, last.Until = load, p.Seq
		same := func(s schema.Source) bool { return s.SourceID == load.Source.SourceID }
		if j := slices.IndexFunc(last.Sources, same); j >= 0 {
			last.Sources[j] = load.Source
		} else {
			last.Sources = append(last.Sources, load.Source)
		}
	}
	return out
}

// read fills the scratch database. Table events has the versions and ends of rows; table raw has the versions with
// their values.
func (r *Reader) read(ctx context.Context, files []rawlog.Found, families []string, memory load.Memory) error {
	paths, parts := make([]string, len(files)), []string{}
	for i, f := range files {
		paths[i] = f.In(r.dir)
		for _, p := range f.Parts {
			parts = append(parts, fmt.Sprintf("(%s, %d, %d, %d)", engine.Literal(paths[i]), p.Seq, p.First,
				p.First+p.Rows))
		}
	}
	engine.Reads(paths...)
	type step struct {
		query string
		value []any // of its parameters
	}
	steps := []step{
		{query: engine.OneThread}, // each has groups of rows in memory
		{query: engine.SetMemory(memory.Alone)},
		{query: `SET preserve_insertion_order = false`}, // it would hold every value
		{`SET VARIABLE raw_paths = ?::VARCHAR[]`, []any{engine.Patterns(paths)}},
		{`SET VARIABLE raw_families = ?::VARCHAR[]`, []any{append([]string{}, families...)}},
		{query: `CREATE TEMP TABLE files (path VARCHAR, seq BIGINT, first_row BIGINT, end_row BIGINT)`},
		{query: `INSERT INTO files VALUES ` + strings.Join(parts, ", ")},
		{query: sql.Statement("rawlog/stored")},
		{query: sql.Statement("rawlog/events")},
		{query: sql.Statement("rawlog/versions")},
		{query: engine.SetMemory(memory.Engine)}, // beside the loads that are repeated
	}
	for _, step := range steps {
		if _, err := r.conn.ExecContext(ctx, step.query, step.value...); err != nil {
			return engine.WithRemedy(fmt.Errorf("read the raw layer: %w (in: %s)", err, engine.FirstLine(step.query)))
		}
	}
	return nil
}

// Owners lists the owners that a source had after a load, by store and name.
func (r *Reader) Owners(ctx context.Context, load Replay, sourceID string) (out []Owner, err error) {
	err = sqlrows.Each(ctx, r.conn, sql.Statement("rawlog/owners"), func(rows *dbsql.Rows) error {
		var o Owner
		var store, name string
		var key []byte
		err := rows.Scan(&store, &name, &key, &o.Rows, &o.Bytes, &o.Latest)
		o.OwnerKey = schema.OwnerNamed(sourceID, store, name)
		o.RowKey, o.New = string(key), o.Latest > load.After
		out = append(out, o)
		return err
	}, dbsql.Named("source_id", sourceID), dbsql.Named("until", load.Until))
	return out, err
}

// Families counts the rows that a source had after a load, by store and family.
func (r *Reader) Families(ctx context.Context, load Replay, sourceID string) (out []schema.KeyFamily, err error) {
	err = sqlrows.Each(ctx, r.conn, sql.Statement("rawlog/families"), func(rows *dbsql.Rows) error {
		f := schema.KeyFamily{LoadID: load.LoadID, SourceID: sourceID}
		err := rows.Scan(&f.Store, &f.Family, &f.Rows, &f.NullRows, &f.BytesRead)
		out = append(out, f)
		return err
	}, dbsql.Named("source_id", sourceID), dbsql.Named("until", load.Until))
	return out, err
}

// Rows calls f for each row that some owners had after a load. They are of one store, and in the order of Owners, and
// so are the rows.
func (r *Reader) Rows(ctx context.Context, load Replay, owners []schema.OwnerKey, f func(schema.RawRow)) error {
	if len(owners) == 0 {
		return nil
	}
	names := make([]string, len(owners))
	for i, o := range owners {
		names[i] = o.Name()
	}
	list, err := sqlrows.List(names)
	if err != nil {
		return err
	}
	sourceID, store := owners[0].SourceID, owners[0].Store
	return sqlrows.Each(ctx, r.conn, sql.Statement("rawlog/rows"), func(rows *dbsql.Rows) error {
		row := schema.RawRow{SourceID: sourceID, Store: store}
		var keyBytes, value []byte
		err := rows.Scan(&row.ConversationID, &row.Table, &row.Family, &row.Key, &row.KeyType, &keyBytes, &row.RowID,
			&value, &row.ValueType, &row.ValueBytes)
		row.KeyBytes, row.Value = keyBytes, value
		f(row)
		return err
	}, dbsql.Named("source_id", sourceID), dbsql.Named("store", store), dbsql.Named("first", names[0]),
		dbsql.Named("last", names[len(names)-1]), dbsql.Named("until", load.Until), dbsql.Named("ids", list))
}

// Versions returns the versions that the wanted rows of an owner had up to a load, but for those with the hash that the
// caller has already. The newest comes first. Versions before the row's last deletion are left out.
func (r *Reader) Versions(ctx context.Context, load Replay, owner schema.OwnerKey,
	wanted map[Key]string) (map[Key][]schema.RawRow, error) {
	out, began := map[Key][]schema.RawRow{}, map[Key]int64{}
	idents := make([]string, 0, len(wanted))
	for key := range wanted {
		idents = append(idents, hex.EncodeToString([]byte(key.Key)))
	}
	list, err := sqlrows.List(idents)
	if err != nil {
		return nil, err
	}
	err = sqlrows.Each(ctx, r.conn, sql.Statement("rawlog/row_versions"), func(rows *dbsql.Rows) error {
		row := schema.RawRow{SourceID: owner.SourceID, Store: owner.Store, ConversationID: owner.Name()}
		var keyBytes, value []byte
		var seq, ends int64
		err := rows.Scan(&row.Table, &row.Family, &row.Key, &row.KeyType, &keyBytes, &row.RowID, &value, &row.ValueType,
			&row.ValueBytes, &row.Hash, &seq, &ends)
		row.KeyBytes, row.Value = keyBytes, value
		key := KeyOf(&row)
		newer, known := began[key]
		if have, ok := wanted[key]; ok && (ends == newer || !known && ends > load.Until) {
			began[key] = seq
			if *row.Hash != have {
				out[key] = append(out[key], row)
			}
		}
		return err
	}, dbsql.Named("source_id", owner.SourceID), dbsql.Named("store", owner.Store),
		dbsql.Named("conversation_id", owner.Name()), dbsql.Named("until", load.Until), dbsql.Named("idents", list))
	return out, err
}

// Close closes and removes the scratch database.
func (r *Reader) Close() error {
	if r.db == nil {
		return nil
	}
	err := errors.Join(r.conn.Close(), r.db.Close())
	for _, end := range []string{"", ".wal", ".tmp"} {
		err = errors.Join(err, os.RemoveAll(r.scratch+end))
	}
	return err
}
