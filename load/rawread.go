package load

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/sqlrows"
	"pipeline/sql/schema"
)

// RawReader reads what each load put into the raw layer, by way of a scratch database in which the versions of a row know when they began
// and when they ended.
type RawReader struct {
	Loads []RawReplay // in their order

	dir     string
	removed int64 // versions whose values retention removed
	scratch string
	db      *sql.DB
	conn    *sql.Conn
}

// RawReplay is a load as the raw layer knows it.
type RawReplay struct {
	RawLoad                 // of its last part
	Sources []schema.Source // that it wrote rows of
	from    int64           // its parts are those above from,
	until   int64           // up to until
}

// RawOwner is a conversation, or a group of rows without one, as it was after a load.
type RawOwner struct {
	Store  string
	ID     string
	Key    string // of one of its rows
	Rows   int
	Bytes  int64
	Latest int64 // number of the part with its latest change
	New    bool  // that is of this load
}

// OpenRaw reads a warehouse's raw layer; scratch is the path of a file that Close removes. families are in the order in which the rows of a
// conversation are wanted; a group without one gives them by key.
func OpenRaw(ctx context.Context, warehouse, scratch string, families []string, memory Memory) (_ *RawReader, err error) {
	r := &RawReader{dir: RawDir(warehouse), scratch: scratch}
	files, err := rawLayout(r.dir)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%w at %s", ErrNoRaw, r.dir)
	}
	for _, f := range files {
		if errors.Is(f.err, errRawFormat) {
			return nil, fmt.Errorf("the file %s of the raw layer cannot be read: %w", f.in(r.dir), f.err)
		}
		r.removed += f.about.Removed
	}
	files = slices.DeleteFunc(files, func(f rawFound) bool { return f.err != nil }) // the last load leaves them out, too, and names them
	if len(files) == 0 {
		return nil, fmt.Errorf("no file of the raw layer at %s can be read: %s", r.dir, rawRemedy)
	}
	r.Loads = replays(rawParts(files))
	if r.db, r.conn, err = engine.Open(ctx, scratch, false); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	return r, r.read(ctx, files, families, memory.orDefault())
}

// replays tells the loads by their parts, in their order. A part of a load that did not commit, or that a warehouse restored from a backup did
// not know, was taken in by the next load: that has a number which is not larger.
func replays(parts []rawPart) []RawReplay {
	var out []RawReplay
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
			out = append(out, RawReplay{from: p.Seq - 1})
		}
		last := &out[len(out)-1]
		last.RawLoad, last.until = load, p.Seq
		known := false
		for j := range last.Sources {
			if last.Sources[j].SourceID == load.Source.SourceID {
				last.Sources[j], known = load.Source, true
			}
		}
		if !known {
			last.Sources = append(last.Sources, load.Source)
		}
	}
	return out
}

// read fills the scratch database: events are the versions and ends of rows, raw those that are a version, with their values.
func (r *RawReader) read(ctx context.Context, files []rawFound, families []string, memory Memory) error {
	paths, parts := make([]string, len(files)), []string{}
	for i, f := range files {
		paths[i] = engine.Literal(f.in(r.dir))
		for _, p := range f.about.Parts {
			parts = append(parts, fmt.Sprintf("(%s, %d, %d, %d)", paths[i], p.Seq, p.first, p.first+p.Rows))
		}
	}
	order := make([]string, len(families))
	for i, f := range families {
		order[i] = engine.Literal(f)
	}
	for _, query := range []string{
		engine.SetMemory(memory.Engine),
		`SET preserve_insertion_order = false`, // it would hold every value
		`CREATE TEMP TABLE files (path VARCHAR, seq BIGINT, first_row BIGINT, end_row BIGINT)`,
		`INSERT INTO files VALUES ` + strings.Join(parts, ", "),
		`CREATE VIEW stored AS SELECT * EXCLUDE (filename, file_row_number, path, first_row, end_row, load_id, observed_at),
			CASE WHEN key_type = 'null' THEN encode(hash) ELSE coalesce(key_bytes, encode("key")) END AS ident
			FROM read_parquet([` + strings.Join(paths, ", ") + `], filename = true, file_row_number = true, hive_partitioning = false)
			JOIN files ON path = filename AND file_row_number >= first_row AND file_row_number < end_row`,
		// A mark with a hash is an earlier version that is back; of a row without a key it is the end of that row.
		`CREATE TEMP TABLE events AS
			SELECT source_id, store, "table", conversation_id, key_type, ident, seq, hash, value_bytes, hash AS value_hash, value_type,
				hash IS NOT NULL AND (value_type <> 'gone' OR key_type <> 'null') AS there,
				CASE WHEN key_type = 'null' THEN seq ELSE min(seq) FILTER (value_type NOT IN ('gone', 'removed')) OVER (PARTITION BY source_id, store, "table", key_type, ident, hash) END AS value_seq,
				lead(seq, 1, 9223372036854775807) OVER (PARTITION BY source_id, store, "table", key_type, ident ORDER BY seq, value_type = 'gone') AS ends
			FROM stored`,
		r.standIns(),
		`CREATE TABLE raw AS
			SELECT e.source_id, e.store, e.conversation_id, e.seq, e.ends, s."table", s.family, s."key", s.key_type, s.key_bytes, s."rowid", s.value, s.value_type, s.value_bytes, s.hash, s.ident,
				nullif(e.hash, s.hash) AS stands_for,
				CASE WHEN e.conversation_id = '' OR e.conversation_id LIKE '(%' THEN 0 ELSE list_position([` + strings.Join(order, ", ") + `], s.family) END AS place
			FROM stored s JOIN events e ON e.there AND s.value_type NOT IN ('gone', 'removed') AND e.source_id = s.source_id AND e.store = s.store AND e."table" = s."table"
				AND e.key_type = s.key_type AND e.ident = s.ident AND e.value_hash = s.hash AND e.value_seq = s.seq`,
	} {
		if query == "" {
			continue
		}
		if _, err := r.conn.ExecContext(ctx, query); err != nil {
			return engine.WithRemedy(fmt.Errorf("read the raw layer: %w (in: %s)", err, engine.FirstLine(query)))
		}
	}
	return nil
}

// standIns has the next version that is kept and holds something stand for one whose value retention removed, under its own hash: a load then
// finds the row there, and changed, when it was. Retention keeps every version from which a table has more than that. Of one that held nothing,
// which earlier retention removed too, the row was not there.
func (r *RawReader) standIns() string {
	if r.removed == 0 {
		return ""
	}
	return `CREATE OR REPLACE TEMP TABLE events AS
		SELECT * REPLACE (
			CASE WHEN is_removed THEN coalesce(first_value(full_hash IGNORE NULLS) OVER following, first_value(kept_hash IGNORE NULLS) OVER following) ELSE value_hash END AS value_hash,
			CASE WHEN is_removed THEN coalesce(first_value(full_seq IGNORE NULLS) OVER following, first_value(kept_seq IGNORE NULLS) OVER following) ELSE value_seq END AS value_seq,
			there AND NOT (is_removed AND value_bytes <= 1) AS there)
		FROM (
			SELECT *, CASE WHEN is_kept THEN hash END AS kept_hash, CASE WHEN is_kept THEN value_seq END AS kept_seq,
				CASE WHEN is_kept AND value_bytes > 1 THEN hash END AS full_hash, CASE WHEN is_kept AND value_bytes > 1 THEN value_seq END AS full_seq
			FROM (
				SELECT *, there AND value_seq IS NOT NULL AS is_kept,
					value_seq IS NULL AND coalesce(bool_or(value_type = 'removed') OVER (PARTITION BY source_id, store, "table", key_type, ident, hash), false) AS is_removed
				FROM events))
		WINDOW following AS (PARTITION BY source_id, store, "table", key_type, ident ORDER BY seq, value_type = 'gone' ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)`
}

// RawMissing lists the files of the raw layer that a warehouse names and that are not there as they were written, nor one that holds what they held.
func RawMissing(ctx context.Context, warehouse string) (missing []string, err error) {
	db, conn, err := engine.Open(ctx, warehouse, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	replaced, err := rawReplacedBy(warehouse)
	if err != nil {
		return nil, err
	}
	named, err := rawNamed(ctx, conn)
	if err != nil {
		return nil, err
	}
	for path, bytes := range named {
		file := filepath.Join(RawDir(warehouse), filepath.FromSlash(path))
		if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) && !replaced(path) || resized(file, bytes) != "" {
			missing = append(missing, path)
		}
	}
	slices.Sort(missing)
	return missing, nil
}

// Owners lists what a source held after a load, by store and id.
func (r *RawReader) Owners(ctx context.Context, load RawReplay, sourceID string) (out []RawOwner, err error) {
	const query = `SELECT store, conversation_id, any_value(ident), count(*) FILTER (there AND ends > $2), coalesce(TRY_CAST(sum(value_bytes) FILTER (there AND ends > $2) AS BIGINT), 0), max(seq)
		FROM events WHERE source_id = $1 AND seq <= $2 GROUP BY store, conversation_id
		HAVING count(*) FILTER (there AND ends > $2) > 0 ORDER BY store, conversation_id`
	err = sqlrows.Each(ctx, r.conn, query, func(rows *sql.Rows) error {
		var o RawOwner
		var key []byte
		err := rows.Scan(&o.Store, &o.ID, &key, &o.Rows, &o.Bytes, &o.Latest)
		o.Key, o.New = string(key), o.Latest > load.from
		out = append(out, o)
		return err
	}, sourceID, load.until)
	return out, err
}

// Rows calls f for each row that some owners of a store had after a load, owner by owner in the order of their ids. The hash of a row whose value
// is another version's, as its own was removed, is its own; that of every other row is nil.
func (r *RawReader) Rows(ctx context.Context, load RawReplay, sourceID, store string, owners []string, f func(schema.RawRow)) error {
	ids, err := json.Marshal(owners)
	if err != nil || len(owners) == 0 {
		return err
	}
	const query = `SELECT conversation_id, "table", family, "key", key_type, key_bytes, "rowid", value, value_type, value_bytes, stands_for FROM raw
		WHERE source_id = $1 AND store = $2 AND conversation_id BETWEEN $3 AND $4 AND seq <= $5 AND ends > $5
			AND conversation_id IN (SELECT unnest(from_json($6::JSON, '["VARCHAR"]')))
		ORDER BY conversation_id, place, key_type = 'null', key_type = 'blob', ident, "rowid", seq`
	return sqlrows.Each(ctx, r.conn, query, func(rows *sql.Rows) error {
		row := schema.RawRow{SourceID: sourceID, Store: store}
		var keyBytes, value []byte
		err := rows.Scan(&row.ConversationID, &row.Table, &row.Family, &row.Key, &row.KeyType, &keyBytes, &row.RowID, &value, &row.ValueType, &row.ValueBytes, &row.Hash)
		row.KeyBytes, row.Value = keyBytes, value
		f(row)
		return err
	}, sourceID, store, owners[0], owners[len(owners)-1], load.until, string(ids))
}

// Versions returns the versions that some rows of an owner had up to a load, the newest first, back to where the row was last gone.
func (r *RawReader) Versions(ctx context.Context, load RawReplay, owner ConversationKey, wanted map[RawKey]bool) (map[RawKey][]schema.RawRow, error) {
	const query = `SELECT "table", family, "key", key_type, key_bytes, "rowid", value, value_type, value_bytes, coalesce(stands_for, hash), seq, ends FROM raw
		WHERE source_id = ? AND store = ? AND conversation_id = ? AND seq <= ? ORDER BY seq DESC`
	out, began := map[RawKey][]schema.RawRow{}, map[RawKey]int64{}
	err := sqlrows.Each(ctx, r.conn, query, func(rows *sql.Rows) error {
		row := schema.RawRow{SourceID: owner.SourceID, Store: owner.Store, ConversationID: owner.ConversationID}
		var keyBytes, value []byte
		var seq, ends int64
		err := rows.Scan(&row.Table, &row.Family, &row.Key, &row.KeyType, &keyBytes, &row.RowID, &value, &row.ValueType, &row.ValueBytes, &row.Hash, &seq, &ends)
		row.KeyBytes, row.Value = keyBytes, value
		key := KeyOf(&row)
		newer, known := began[key]
		if wanted[key] && (ends == newer || !known && ends > load.until) {
			out[key], began[key] = append(out[key], row), seq
		}
		return err
	}, owner.SourceID, owner.Store, owner.ConversationID, load.until)
	return out, err
}

// Close removes the scratch database.
func (r *RawReader) Close() error {
	if r.db == nil {
		return nil
	}
	err := errors.Join(r.conn.Close(), r.db.Close())
	for _, end := range []string{"", ".wal", ".tmp"} {
		err = errors.Join(err, os.RemoveAll(r.scratch+end))
	}
	return err
}
