package push

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"

	"pipeline/load/engine"
	"pipeline/load/tool/filelock"
	"pipeline/load/tool/outpath"
	"pipeline/load/tool/scratch"
	"pipeline/sql/schema"
)

// pusher is one push.
type pusher struct {
	o      Options
	id     identity
	loadID int64
	lock   *flock.Flock
	db     *sql.DB
	conn   *sql.Conn
	cache  string          // folder with the commits that are known
	spool  *scratch.Folder // of the files that are sent
	out    Result

	choice    choice
	anyDenied bool // of projects or of conversations

	hashedBy string // what fast hashes depend on, but for the rows
	from     string // the known commits, for a statement
	complete bool   // the push has every unit, and every table even without a row
	first    int64  // number of the first commit of the push; 0: it is not known yet
	weighed  int64  // the value of first for which the units have their weights
	part     part
	lost     int        // how often another push has taken the number
	again    bool       // an earlier attempt has sent files of the part
	counting sync.Mutex // of the files that are sent
}

// Dir is the folder beside a warehouse with what pushes keep: copies of the commits, and of what was being sent.
func Dir(warehouse string) string { return warehouse + ".push" }

// open takes the lock of pushes, finds out which machine this is, and opens the warehouse.
func open(ctx context.Context, o Options) (_ *pusher, err error) {
	p := &pusher{o: o, out: Result{Level: o.Level, Rows: map[string]int{}, DryRun: o.DryRun}}
	defer func() {
		if err != nil {
			err = p.close(err)
		}
	}()
	dir := Dir(o.Warehouse)
	if err := outpath.Folder(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of pushes: %w", err)
	}
	lock := filelock.New(filepath.Join(dir, "lock"))
	held, err := lock.TryLock()
	switch {
	case err != nil && !errors.Is(err, errors.ErrUnsupported):
		return nil, fmt.Errorf("lock %s: %w", lock.Path(), err)
	case err == nil && !held:
		return nil, fmt.Errorf("%w: another push of %s is under way; wait for it to end", engine.ErrBusy, o.Warehouse)
	}
	p.lock = lock
	if p.id, err = identify(ctx, o); err != nil {
		return nil, err
	}
	p.out.Machine = p.id.Machine
	p.cache = filepath.Join(dir, targetName(o.Target, p.id.Machine))
	if err := os.MkdirAll(p.cache, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of pushes: %w", err)
	}
	if p.spool, err = scratch.New(dir, "spool-"); err != nil {
		return nil, fmt.Errorf("make a folder for what is sent: %w", err)
	}
	if p.db, p.conn, err = engine.Open(ctx, o.Warehouse, true); err != nil {
		return nil, err
	}
	functions := map[string]func(text, from string) (string, error){"hide": p.hide, "word": word,
		"redact": func(text, from string) (string, error) { return p.hide(o.Redact(text, from), from) }}
	if o.Pseudonym != nil {
		functions["pseudonym"] = func(name, _ string) (string, error) { return o.Pseudonym(name), nil }
	}
	for name, f := range functions {
		if err := engine.DefineText(ctx, p.conn, name, f); err != nil {
			return nil, err
		}
	}
	if err := p.exec(ctx, `BEGIN TRANSACTION`); err != nil {
		return nil, err
	}
	return p, p.conn.QueryRowContext(ctx, `SELECT coalesce(max(load_id), 0) FROM loads`).Scan(&p.loadID)
}

// hide takes the names of denied projects out of a text of a column; "": nobody is to hear of it.
func (p *pusher) hide(text, column string) (string, error) {
	if p.o.Hidden != nil && column != "" {
		for _, f := range p.choice.names.Find(text) {
			p.o.Hidden(text[f.Start:f.End], column)
		}
	}
	return p.choice.names.Text(text), nil
}

// word is a word of a list; "" where the store has a text instead, or something that is taken out of texts.
func word(value, redacted string) (string, error) {
	if value != redacted || !schema.IsWord(value) {
		return "", nil
	}
	return value, nil
}

func (p *pusher) close(err error) error {
	if p.conn != nil {
		err = errors.Join(err, p.conn.Close(), p.db.Close())
	}
	if p.spool != nil {
		err = errors.Join(err, p.spool.Remove())
	}
	if p.lock != nil {
		err = errors.Join(err, p.lock.Close())
	}
	return err
}

func (p *pusher) exec(ctx context.Context, query string, args ...any) error {
	if _, err := p.conn.ExecContext(ctx, query, args...); err != nil {
		return fmt.Errorf("%w (in: %s)", err, engine.FirstLine(query))
	}
	return nil
}
