package versions

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pipeline/load/engine"
	"pipeline/load/rawlog"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

// ErrNoRaw says that the warehouse has no raw layer.
var ErrNoRaw = errors.New("there is no raw layer")

// A History returns the versions of rows in a raw layer. It reads only the layer's files: the warehouse may be open
// elsewhere, or gone.
type History struct {
	Skipped []error // files that cannot be read

	db    *sql.DB
	conn  *sql.Conn
	files []string
	parts map[string][]rawlog.Part // of each file
}

// These events are what happened to a row when a load saw it.
const (
	EventNew     = "new"     // the row was not there, or is seen for the first time
	EventChanged = "changed" // it has another value than before
	EventGone    = "gone"
	EventAgain   = "again" // an earlier version is there again
)

// valueLost is the value type of a version that came back, while the file with its value is gone.
const valueLost = "lost"

// RowVersion is an entry in the history of a row.
type RowVersion struct {
	Version    int       `json:"version"` // counts from 1
	Event      string    `json:"event"`
	Again      int       `json:"again,omitempty"` // which version is there again; 0 where a file that is gone held it
	ObservedAt time.Time `json:"observed_at"`
	LoadID     int64     `json:"load_id"`
	// as in schema.RawRow; of a version that is there again the earlier one's, or valueLost
	ValueType  string `json:"value_type"`
	ValueBytes int64  `json:"value_bytes"`
	Hash       string `json:"hash,omitempty"`

	file string // that holds the value; "": none does
	row  int64
}

// RowHistory is the history of one row of a store.
type RowHistory struct {
	SourceID       string       `json:"source_id"`
	Store          string       `json:"store"`
	Table          string       `json:"table"`
	Family         string       `json:"family"`
	ConversationID string       `json:"conversation_id"`
	Name           string       `json:"key"` // see RowFilter
	KeyType        string       `json:"key_type"`
	Versions       []RowVersion `json:"versions"`

	key string // as the layer's files have it
}

// RowFilter selects rows. An empty field selects all.
type RowFilter struct {
	// Name is the id of a conversation, or a key. A key is written as its text, or as x'...' with hex digits if it is
	// not text. The name of a row whose key is NULL is "(no key):" and the first digits of the row's hash.
	Name     string
	SourceID string
	Store    string
	Table    string
	// Conversation is the id of the conversation that a row belongs to. Conversations can share a key; each has
	// versions of its own.
	Conversation string
}

// noKey begins the names of rows whose key is NULL.
const noKey = "(no key)"

// OpenHistory opens the raw layer of the warehouse at a path.
func OpenHistory(ctx context.Context, warehouse string) (_ *History, err error) {
	dir := rawlog.Dir(warehouse)
	files, err := rawlog.Layout(dir)
	if err != nil {
		return nil, err
	}
	h := &History{parts: map[string][]rawlog.Part{}}
	for _, f := range files {
		path := f.In(dir)
		if f.Err != nil { // the engine would refuse all files because of it
			h.Skipped = append(h.Skipped, fmt.Errorf("the file %s of the raw layer cannot be read and is left out: %w",
				path, f.Err))
			continue
		}
		h.parts[path] = f.Parts
		h.files = append(h.files, path)
	}
	if len(h.files) == 0 {
		return nil, errors.Join(append(h.Skipped, ErrNoRaw)...)
	}
	engine.Reads(h.files...)
	if h.db, h.conn, err = engine.Open(ctx, "", false); err != nil {
		return nil, err
	}
	if err := h.confine(ctx); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// historySettings keep the engine from writing temporary files, and let it read the metadata of each file only once.
var historySettings = []string{"SET temp_directory = ''", "SET parquet_metadata_cache = true"}

// confine lets the engine read the layer's files and nothing else, and write nothing.
func (h *History) confine(ctx context.Context) error {
	if _, err := h.conn.ExecContext(ctx, `SET allowed_paths = ?`,
		slices.Concat(h.files, engine.Patterns(h.files))); err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	for _, s := range slices.Concat(historySettings, engine.Sandbox("UTC")) {
		if _, err := h.conn.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("sandbox: %w", err)
		}
	}
	return nil
}

// Close ends the engine.
func (h *History) Close() error { return errors.Join(h.conn.Close(), h.db.Close()) }

// fromRaw reads files of the layer. The engine must not make columns of folders whose names look like key=1.
const fromRaw = ` FROM read_parquet(?, filename := true, file_row_number := true, hive_partitioning := false) WHERE `

// keyCondition returns the SQL condition that selects the rows of a key's name.
func keyCondition(name string) (condition string, arg any) {
	if hash, ok := strings.CutPrefix(name, noKey); ok && (hash == "" || hash[0] == ':') {
		return `key_type = 'null' AND starts_with(hash, ?)`, strings.TrimPrefix(hash, ":")
	}
	if digits, ok := strings.CutPrefix(name, "x'"); ok && strings.HasSuffix(digits, "'") {
		if b, err := hex.DecodeString(digits[:len(digits)-1]); err == nil {
			return `key_bytes = ?`, b
		}
	}
	return `key = ? AND key_bytes IS NULL AND key_type <> 'null'`, name
}

// rest returns the SQL conditions of the other fields of a filter.
func (f RowFilter) rest() (condition string, args []any) {
	for _, c := range [][2]string{{"source_id", f.SourceID}, {"store", f.Store}, {`"table"`, f.Table},
		{"conversation_id", f.Conversation}} {
		if c[1] != "" {
			condition += " AND " + c[0] + " = ?"
			args = append(args, c[1])
		}
	}
	return condition, args
}

// Rows returns the histories of the rows that a filter selects: those of the conversation with that id, and those with
// that key.
func (h *History) Rows(ctx context.Context, f RowFilter) ([]RowHistory, error) {
	if f.Name == "" {
		return nil, nil
	}
	key, arg := keyCondition(f.Name)
	found, err := h.versions(ctx, f, key+` AND conversation_id <> ?`, arg, f.Name)
	if err != nil {
		return nil, err
	}
	// one condition for both would have the engine unpack every column of every row
	of, err := h.versions(ctx, f, `conversation_id = ?`, f.Name)
	if err != nil {
		return nil, err
	}
	found = append(found, of...)
	slices.SortFunc(found, func(a, b rawVersion) int {
		return cmp.Or(cmp.Compare(a.seq, b.seq), cmp.Compare(a.number, b.number))
	})
	return histories(found), nil
}

// versions reads the rows of the layer for which a condition holds. They come in no order.
func (h *History) versions(ctx context.Context, f RowFilter, condition string, args ...any) (found []rawVersion,
	err error) {
	rest, more := f.rest()
	query :=
		`SELECT source_id, store, "table", family, conversation_id, key, key_type, key_bytes, value_type, value_bytes, hash, load_id, observed_at,
		filename, file_row_number` + fromRaw + condition + rest
	err = sqlrows.Each(ctx, h.conn, query, func(rows *sql.Rows) error {
		var v rawVersion
		r := &v.row
		var keyBytes []byte
		err := rows.Scan(&r.SourceID, &r.Store, &r.Table, &r.Family, &r.ConversationID, &r.Key, &r.KeyType, &keyBytes,
			&r.ValueType, &r.ValueBytes, &r.Hash, &r.LoadID, &v.at, &v.file, &v.number)
		r.KeyBytes, v.seq = keyBytes, h.seq(v.file, v.number)
		found = append(found, v)
		return err
	}, slices.Concat([]any{engine.Patterns(h.files)}, args, more)...)
	if err != nil {
		return nil, fmt.Errorf("read the raw layer: %w", err)
	}
	return found, nil
}

// seq returns the number of the part of a file that has a row.
func (h *History) seq(file string, row int64) (seq int64) {
	parts := h.parts[file]
	i, _ := slices.BinarySearchFunc(parts, row,
		func(p rawlog.Part, row int64) int { return cmp.Compare(p.First+p.Rows, row+1) })
	return parts[min(i, len(parts)-1)].Seq
}

// rawVersion is a row of the layer, without its value, and its place.
type rawVersion struct {
	row    schema.RawRow
	at     time.Time
	seq    int64
	file   string
	number int64
}

// histories groups versions by row and by the conversation that has it: several can share a node of the agent's graph.
// The versions come in their order.
func histories(found []rawVersion) []RowHistory {
	type place struct {
		source, store, conversation string
		key                         Key
	}
	var out []RowHistory
	at := map[place]int{}
	for i := range found {
		v := &found[i]
		p := place{v.row.SourceID, v.row.Store, v.row.ConversationID, KeyOf(&v.row)}
		n, ok := at[p]
		if !ok {
			n = len(out)
			at[p] = n
			out = append(out, RowHistory{SourceID: v.row.SourceID, Store: v.row.Store, Table: v.row.Table,
				Family: v.row.Family, ConversationID: v.row.ConversationID, Name: nameOf(&v.row),
				KeyType: v.row.KeyType, key: v.row.Key})
		}
		out[n].add(v)
	}
	slices.SortFunc(out, func(a, b RowHistory) int {
		return cmp.Or(strings.Compare(a.SourceID, b.SourceID), strings.Compare(a.Store, b.Store),
			strings.Compare(a.Table, b.Table), strings.Compare(a.Name, b.Name),
			strings.Compare(a.ConversationID, b.ConversationID))
	})
	return out
}

// nameOf returns the name by which a RowFilter finds a row.
func nameOf(row *schema.RawRow) string {
	switch {
	case row.KeyType == "null" && row.Hash != nil:
		return noKey + ":" + (*row.Hash)[:min(12, len(*row.Hash))]
	case row.KeyBytes != nil:
		return "x'" + hex.EncodeToString(row.KeyBytes) + "'"
	}
	return row.Key
}

// add adds the next version of the row, or the mark of its end or return.
func (r *RowHistory) add(v *rawVersion) {
	next := RowVersion{Version: len(r.Versions) + 1, Event: EventNew, ObservedAt: v.at, LoadID: v.row.LoadID,
		ValueType: v.row.ValueType, ValueBytes: v.row.ValueBytes, file: v.file, row: v.number}
	if len(r.Versions) > 0 && r.Last().Event != EventGone {
		next.Event = EventChanged
	}
	mark := v.row.ValueType == schema.RawGone
	if mark && (v.row.Hash == nil || v.row.KeyType == "null") {
		// a mark of a row without a key says by its hash which one it is about
		next.Event, next.ValueBytes, next.file = EventGone, 0, ""
		r.Versions = append(r.Versions, next)
		return
	}
	if v.row.Hash != nil {
		next.Hash = *v.row.Hash
	}
	if mark {
		next.Event, next.ValueType, next.file = EventAgain, valueLost, ""
	}
	for _, before := range r.Versions {
		if before.Hash != next.Hash || before.file == "" {
			continue
		}
		next.Event, next.Again = EventAgain, before.Version
		if next.file == "" {
			next.ValueType, next.file, next.row = before.ValueType, before.file, before.row
		}
		break
	}
	r.Versions = append(r.Versions, next)
}

// Last returns the latest version.
func (r *RowHistory) Last() *RowVersion { return &r.Versions[len(r.Versions)-1] }

// LastValue returns the latest version that is not the end of the row.
func (r *RowHistory) LastValue() *RowVersion {
	for i := len(r.Versions) - 1; i > 0; i-- {
		if r.Versions[i].Event != EventGone {
			return &r.Versions[i]
		}
	}
	return &r.Versions[0]
}

// Value reads the value of a version as it is stored. It is nil if the value is NULL.
func (h *History) Value(ctx context.Context, r *RowHistory, v *RowVersion) (value []byte, err error) {
	switch {
	case v.Event == EventGone:
		return nil, fmt.Errorf("version %d is no value: the row was gone", v.Version)
	case v.file == "":
		return nil, fmt.Errorf("the value of version %d is lost: the file of the raw layer that held it is no longer "+
			"there",
			v.Version)
	}
	// With the key, the engine can skip what it need not unpack.
	query := `SELECT value` + fromRaw + `key = ? AND hash = ? AND file_row_number = ?`
	if err := h.conn.QueryRowContext(ctx, query, engine.Pattern(v.file), r.key, v.Hash, v.row).Scan(
		&value); err != nil {
		return nil, fmt.Errorf("read a value of the raw layer: %w", err)
	}
	if value == nil && v.ValueBytes > 0 {
		return nil, fmt.Errorf("the value of version %d was not kept: at %d bytes it is too large", v.Version,
			v.ValueBytes)
	}
	return value, nil
}
