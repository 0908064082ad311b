package push

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/objects"
	"pipeline/load/tool/atomicfile"
)

// This file reads the commits of this machine: what the store has of it. They are the truth; the copies beside the
// warehouse only save requests.

// Root is the folder of the layout in a store; another layout would have another.
const Root = "v1"

func (p *pusher) prefix() string             { return path.Join(Root, "machine="+p.id.Machine) }
func (p *pusher) commitKey(seq int64) string { return path.Join(p.prefix(), "commit", commitName(seq)) }
func commitName(seq int64) string            { return fmt.Sprintf("%010d.parquet", seq) }

// head is the newest commit.
type head struct {
	seq             int64 // 0: there is none
	pushID          string
	level           string
	warehouse       string
	loadID          int64
	sinceCheckpoint int64 // commits since the last checkpoint
	checkpointAt    sql.NullTime
	checkpointFrom  int64 // first number of the last checkpoint, which may be several commits; 0: there is none
}

// fold fetches the commits that are not known yet and makes the temporary table _push_there: of each unit the newest
// row.
func (p *pusher) fold(ctx context.Context) (h head, err error) {
	known, err := p.cached()
	if err != nil {
		return h, err
	}
	last := ""
	if len(known) > 0 {
		last = p.prefix() + "/commit/" + known[len(known)-1]
	}
	found := 0
	for object, err := range p.o.Store.List(ctx, p.prefix()+"/commit/", last) {
		if err != nil {
			return h, err
		}
		name := path.Base(object.Key)
		if _, ok := seqOf(name); !ok {
			continue
		}
		found++
		text, err := p.o.Store.Get(ctx, object.Key)
		if err != nil {
			return h, err
		}
		if err := atomicfile.Replace(filepath.Join(p.cache, name), text); err != nil {
			return h, fmt.Errorf("keep a copy of a commit: %w", err)
		}
		known = append(known, name)
	}
	if found == 0 && len(known) > 0 { // nothing is newer: is the newest still there?
		if _, err := p.o.Store.Head(ctx, last); err != nil {
			return h, p.lacks(err, last)
		}
	}
	if h, err = p.readCommits(ctx, known); err != nil {
		// they may be what the store, or something before it, answered in their place
		return h, errors.Join(err, p.forget(known))
	}
	return h, nil
}

// forget removes copies of commits. The next push fetches them.
func (p *pusher) forget(names []string) (err error) {
	for _, name := range names {
		err = errors.Join(err, atomicfile.Remove(filepath.Join(p.cache, name)))
	}
	return err
}

// lacks tells that a store has lost what was there.
func (p *pusher) lacks(err error, key string) error {
	if !errors.Is(err, objects.ErrMissing) {
		return err
	}
	return &ForeignError{fmt.Sprintf("the store lacks %s, which was there at the last push: somebody has removed it. "+
		"If this machine's rows were removed on purpose, begin again as another machine: pipeline push --new-machine",
		key)}
}

// cached are the names of the commits that are known, in their order.
func (p *pusher) cached() (names []string, err error) {
	entries, err := os.ReadDir(p.cache)
	if err != nil {
		return nil, fmt.Errorf("look at the known commits: %w", err)
	}
	for _, e := range entries {
		if _, ok := seqOf(e.Name()); ok && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// seqOf is the number in a commit's name.
func seqOf(name string) (seq int64, ok bool) {
	digits, ok := strings.CutSuffix(name, ".parquet")
	if !ok || len(digits) != 10 {
		return 0, false
	}
	seq, err := strconv.ParseInt(digits, 10, 64)
	return seq, err == nil && seq > 0
}

// readCommits makes _push_there of commits.
func (p *pusher) readCommits(ctx context.Context, names []string) (h head, err error) {
	if len(names) == 0 {
		return h, p.exec(ctx,
			`CREATE OR REPLACE TEMP TABLE _push_there (unit VARCHAR, source_id VARCHAR, conversation_id VARCHAR, content_hash VARCHAR, seq BIGINT)`)
	}
	files := make([]string, len(names))
	for i, name := range names {
		files[i] = engine.Literal(engine.Pattern(filepath.Join(p.cache, name)))
	}
	from := "read_parquet([" + strings.Join(files, ", ") + "], hive_partitioning = false, union_by_name = true)"
	if err := p.exec(ctx, `CREATE OR REPLACE TEMP TABLE _push_there AS
		SELECT unit, source_id, conversation_id, content_hash, seq FROM (
			SELECT *, row_number() OVER (PARTITION BY unit, source_id, conversation_id ORDER BY seq DESC) AS n FROM `+
		from+`)
		WHERE n = 1 AND op = 'put'`); err != nil {
		return h, fmt.Errorf("read the commits of this machine, as the store has them (the next push fetches them "+
			"again): %w",
			err)
	}
	p.from = from
	var wrong sql.NullString
	if err := p.conn.QueryRowContext(ctx, `SELECT min(parse_filename(filename)) FROM `+strings.TrimSuffix(from, ")")+
		`, filename = true)
		WHERE seq IS DISTINCT FROM TRY_CAST(parse_filename(filename, true) AS BIGINT)`).Scan(&wrong); err != nil {
		return h, fmt.Errorf("read the commits of this machine: %w", err)
	}
	if wrong.Valid {
		return h, fmt.Errorf("%s/commit/%s is another commit than its name says (the next push fetches it again)",
			p.prefix(), wrong.String)
	}
	row := p.conn.QueryRowContext(ctx,
		`SELECT max(seq), arg_max(push_id, seq), arg_max(warehouse_id, seq), arg_max(load_id, seq), arg_max(level, seq),
		count(DISTINCT seq) FILTER (WHERE seq > coalesce((SELECT max(seq) FROM `+from+
			` WHERE is_checkpoint), 0)), arg_max(pushed_at, seq) FILTER (WHERE is_checkpoint),
		coalesce(arg_max(checkpoint_from, seq) FILTER (WHERE is_checkpoint), 0) FROM `+from)
	return h, row.Scan(&h.seq, &h.pushID, &h.warehouse, &h.loadID, &h.level, &h.sinceCheckpoint, &h.checkpointAt,
		&h.checkpointFrom)
}

// check compares the newest commit with this warehouse.
func (p *pusher) check(h head) error {
	switch {
	case h.seq == 0:
		return nil
	case h.warehouse != p.id.Warehouse:
		return &ForeignError{"another warehouse pushes as this machine: one was made as a copy of the other. " +
			"'pipeline push --new-machine' makes this one a machine of its own"}
	case h.loadID > p.loadID && !p.o.Force:
		return &ForeignError{fmt.Sprintf("the store has the state of load %d, and this warehouse is at load %d: it is "+
			"an older copy. Run 'pipeline run' first; or, if it is to be pushed over the newer one, use --force",
			h.loadID, p.loadID)}
	}
	return nil
}
