package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/objects"
	"pipeline/load/tool/atomicfile"
	"pipeline/sql/schema"
)

// This file writes the objects of a push.

// dataFile is a file of a push: a table's rows of the units that are put.
type dataFile struct {
	Key    string `json:"key"`
	Table  string `json:"table"`
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	path   string
}

// manifest says what a push has, for people and auditors. It has no time: the same push has the same manifest.
type manifest struct {
	Format     int        `json:"format"`
	Machine    string     `json:"machine"`
	Seq        int64      `json:"seq"`
	PushID     string     `json:"push_id"`
	Parent     string     `json:"parent"`
	Level      string     `json:"level"`
	Checkpoint bool       `json:"checkpoint"`
	Units      int        `json:"units"`
	Files      []dataFile `json:"files"`
}

// expression is what a column's values are in the store, at the push's level. Rows have three columns more, which come
// first: whose they are.
func (p *pusher) expression(t schema.Table, c schema.Column) string {
	value, named := textOf(c), t.Name+"."+c.Name
	told, redacted := c.Discloses, "redact("+p.unquoted(t, c)+", "+engine.Literal(named)+")"
	switch {
	case told == schema.Figures || p.o.Level == Full:
		value = p.hidden(t, c, named)
	case p.o.Level == Redacted:
		value = redacted
	case told == schema.Words:
		value = "word(" + value + ", " + redacted + ")"
	case told == schema.Projects && p.o.Pseudonym != nil:
		value = "pseudonym(" + value + ", '')"
	default:
		value = "NULL::VARCHAR"
	}
	return value + " AS " + engine.Identifier(c.Name)
}

// write writes a table's rows of the units in _push_todo into a file of the spool. f.Rows is 0 if there are none.
func (p *pusher) write(ctx context.Context, t schema.Table, pushID string, seq int64) (f dataFile, err error) {
	f = dataFile{Table: t.Name, Key: path.Join(p.prefix(), "push="+pushID, t.Name+".parquet"),
		path: filepath.Join(p.spool.Path(), t.Name+".parquet")}
	columns := []string{engine.Literal(p.id.Machine) + " AS machine_id", engine.Literal(pushID) + " AS push_id",
		fmt.Sprintf("%d::BIGINT AS push_seq", seq)}
	for _, c := range t.Columns {
		columns = append(columns, p.expression(t, c))
	}
	from := fmt.Sprintf("%s t WHERE %s", rowsOf(t, "_push_put"), p.allowed(t))
	if err := p.conn.QueryRowContext(ctx, "SELECT count(*) FROM "+from).Scan(&f.Rows); err != nil {
		return f, err
	}
	if f.Rows == 0 && (!p.complete || seq > p.first) { // a pattern that matches nothing is an error for some engines
		return f, nil
	}
	groupRows := 16384
	if t.HasDocuments() { // rows that may be large: neither as many of them nor a sort fit into the engine's memory
		groupRows = 2048
	} else {
		from += " ORDER BY " + order(t)
	}
	query := fmt.Sprintf("COPY (SELECT %s FROM %s) TO %s (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE %d)",
		strings.Join(columns, ", "), from, engine.Literal(f.path), groupRows)
	if err := p.exec(ctx, query); err != nil {
		return f, fmt.Errorf("write the rows of %s: %w", t.Name, err)
	}
	f.SHA256, f.Bytes, err = atomicfile.Sum(f.path)
	return f, err
}

// put sends a file, unless it is there already: an earlier attempt has sent the same, byte for byte. Where that is
// likely, it asks before it sends. Several goroutines call it.
func (p *pusher) put(ctx context.Context, f dataFile, likely bool) error {
	there, err := objects.Object{}, objects.ErrMissing
	if likely {
		there, err = p.o.Store.Head(ctx, f.Key)
	}
	if errors.Is(err, objects.ErrMissing) {
		err = p.o.Store.PutNew(ctx, f.Key, f.path, f.SHA256)
		if err == nil {
			p.counting.Lock()
			defer p.counting.Unlock()
			p.part.files, p.part.bytes = p.part.files+1, p.part.bytes+f.Bytes
			return nil
		}
		if errors.Is(err, objects.ErrExists) {
			there, err = p.o.Store.Head(ctx, f.Key)
		}
	}
	if err != nil {
		return err
	}
	if there.Size != f.Bytes || there.SHA256 != f.SHA256 {
		return fmt.Errorf("%s is in the store with other bytes than this push has: nobody but this machine may write "+
			"there", f.Key)
	}
	p.counting.Lock()
	defer p.counting.Unlock()
	p.part.skipped++
	return nil
}

// text writes a small text that is the same whoever sends it into a file of the spool.
func (p *pusher) text(key string, value any) (dataFile, error) {
	f := dataFile{Key: key, path: filepath.Join(p.spool.Path(), "text.json")}
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return f, err
	}
	if err := os.WriteFile(f.path, append(text, '\n'), 0o600); err != nil {
		return f, err
	}
	f.SHA256, f.Bytes, err = atomicfile.Sum(f.path)
	return f, err
}
