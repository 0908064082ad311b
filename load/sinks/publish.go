package sinks

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pipeline/load/catalog"
	"pipeline/load/changes"
	"pipeline/load/engine"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/failpoint"
	"pipeline/load/tool/filelock"
	"pipeline/load/tool/outpath"
)

// Options are the options of a publication.
type Options struct {
	ToolVersion string
	Now         time.Time
	Memory      int64                 // what the engine may take, in bytes; 0: its default
	Progress    func(done, total int) // files; may be nil
	// to the warehouse, if the caller has it open; it stays open, and only temporary tables are made by it
	Conn   *sql.Conn
	Anew   bool // write every file, whatever has changed
	Loaded bool // this program has loaded the warehouse just now: its tables are as declared
}

// Published is the result of a publication.
type Published struct {
	Folder    string   `json:"folder"`
	LoadID    int64    `json:"load_id"`
	Files     int      `json:"files"`
	Bytes     int64    `json:"bytes"`
	Written   int      `json:"files_written"` // the others are links to files of the publication before
	Unchanged bool     `json:"unchanged"`     // the publication was there already, whole
	Removed   int      `json:"publications_removed"`
	Left      []string `json:"publications_left,omitempty"` // could not be removed, and why
}

// Publish writes every table of the committed warehouse into v-<load_id> in the target's folder, and then switches
// current to that folder by one rename. A reader that resolves current once reads one complete publication. A file
// whose rows have not changed since the publication before is linked, not written. An earlier publication is removed
// when it has not been current for as long as the target says.
func (t Target) Publish(ctx context.Context, warehouse string, o Options) (out *Published, err error) {
	if err := t.CheckCurrent(); err != nil {
		return nil, err
	}
	unlock, err := t.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := t.checkRedaction(); err != nil {
		return nil, err
	}
	if err := t.sweep(); err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp(t.Dir, atomicfile.Scratch)
	if err != nil {
		return nil, fmt.Errorf("make a folder in %s: %w", t.Dir, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch), os.RemoveAll(scratch+replacedSuffix)) }()
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	p := &publisher{Target: t, scratch: scratch, options: o}
	if err := p.write(ctx, warehouse); err != nil {
		return nil, err
	}
	if !p.out.Unchanged {
		if err := p.place(); err != nil {
			return nil, err
		}
	}
	if err := p.makeCurrent(); err != nil {
		return nil, err
	}
	p.retire()
	return &p.out, nil
}

// lockName is the lock file of a folder. Its holder publishes there: a run and an export may try at the same time.
const lockName = ".pipeline-lock"

// lockWait is how long a publication waits for another one in the same folder.
const lockWait = 2 * time.Minute

// CheckFolder returns an error if a path cannot be a folder of publications.
func CheckFolder(dir string) error {
	return cmp.Or(outpath.Folder(dir), outpath.File(filepath.Join(dir, lockName)))
}

// lock makes the folder and locks it.
func (t Target) lock(ctx context.Context) (unlock func() error, err error) {
	if err := CheckFolder(t.Dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(t.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the %s folder: %w", t.title(), err)
	}
	lock := filelock.New(filepath.Join(t.Dir, lockName))
	waiting, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	held, err := lock.TryLockContext(waiting, 50*time.Millisecond)
	switch {
	case held, errors.Is(err, errors.ErrUnsupported): // some network shares have no locks
		return lock.Close, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case waiting.Err() != nil:
		return nil, fmt.Errorf("%w: another program publishes in %s; wait for it to end and run again", engine.ErrBusy,
			t.Dir)
	}
	return nil, fmt.Errorf("lock %s: %w", lock.Path(), err)
}

// publisher makes one publication.
type publisher struct {
	Target
	scratch string
	name    string // of the folder that the scratch folder becomes
	options Options
	conn    *sql.Conn
	engine  string // its version: another one may write other bytes, and hash otherwise
	mark    changes.Mark
	before  *manifest // of the current publication; nil if there is none that can be read
	folder  string    // of the current publication
	out     Published
}

// These are the failpoints of a publication, in the order in which it reaches them.
const (
	// the tables of a publication are written or linked, the list of its files is not
	beforeManifest failpoint.Point = "before-manifest"
	// the files of a publication are written, in a folder without a name
	afterFiles   failpoint.Point = "after-parquet"
	beforeSwitch failpoint.Point = "before-switch" // the folder has its name; current is the one before
	afterLink    failpoint.Point = "after-link"    // the link that becomes current is made
	afterSwitch  failpoint.Point = "after-switch"  // older publications are not removed yet
)

// Failpoints lists the failpoints of a publication.
func Failpoints() []failpoint.Point {
	return []failpoint.Point{beforeManifest, afterFiles, beforeSwitch, afterLink, afterSwitch}
}

// spill is the folder for rows that the engine cannot hold in memory while it sorts.
const spill = ".spill"

// flushSoon has the engine give rows to the files by month soon. Else it collects half a million of them first: 150 MB
// of calls of tools.
const flushSoon = "SET partitioned_write_flush_threshold = 2048"

// open opens the warehouse, or takes the caller's connection.
func (p *publisher) open(ctx context.Context, warehouse string) (done func() error, err error) {
	settings := []string{engine.OneThread, engine.SetMemory(cmp.Or(p.options.Memory, engine.MemoryLimit)), flushSoon}
	if p.conn, done = p.options.Conn, func() error { return nil }; p.conn == nil {
		engine.KeepFreedMemory(engine.Briefly)
		db, conn, err := engine.Open(ctx, warehouse, true)
		if err != nil {
			return nil, err
		}
		p.conn, done = conn, func() error { return errors.Join(conn.Close(), db.Close()) }
		settings = append(settings, "SET temp_directory = "+engine.Literal(filepath.Join(p.scratch, spill)))
	}
	for _, statement := range settings {
		if _, err := p.conn.ExecContext(ctx, statement); err != nil {
			return nil, errors.Join(fmt.Errorf("publish %s: %w", warehouse, err), done())
		}
	}
	return done, nil
}

// write fills the scratch folder, unless the same publication exists and is undamaged.
func (p *publisher) write(ctx context.Context, warehouse string) (err error) {
	done, err := p.open(ctx, warehouse)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	conn := p.conn
	if !p.options.Loaded {
		if err := cmp.Or(catalog.Check(ctx, conn, warehouse), p.CheckOwner(ctx, conn)); err != nil {
			return err
		}
	}
	if err := p.define(ctx); err != nil {
		return err
	}
	if err := conn.QueryRowContext(ctx, `SELECT version()`).Scan(&p.engine); err != nil {
		return fmt.Errorf("ask %s for the engine's version: %w", warehouse, err)
	}
	if p.mark, err = changes.Latest(ctx, conn); err != nil {
		return fmt.Errorf("ask %s for its last load: %w", warehouse, err)
	}
	if p.mark.LoadID == 0 {
		return fmt.Errorf("%s has no load yet, there is nothing to publish: run 'pipeline run' first", warehouse)
	}
	p.name = fmt.Sprintf("v-%08d", p.mark.LoadID)
	p.out = Published{Folder: filepath.Join(p.Dir, p.name), LoadID: p.mark.LoadID, Left: []string{}}
	if folder, err := currentFolder(p.Dir); err == nil {
		if m, err := readManifest(folder); err == nil {
			p.before, p.folder = m, folder
		}
	}
	m, err := p.plan(ctx)
	if err != nil {
		return err
	}
	if p.isWhole(m) {
		p.out.Unchanged, p.out.Files, p.out.Bytes = true, len(m.Files), m.bytes()
		return nil
	}
	if err := p.fill(ctx, m); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(p.scratch, spill))
}

// place renames the scratch folder to its name.
func (p *publisher) place() error {
	if err := errors.Join(atomicfile.SyncFolders(p.scratch), afterFiles.Reach()); err != nil {
		return err
	}
	final := p.out.Folder
	if err := p.replaceable(final); err != nil {
		return err
	}
	if err := atomicfile.Move(final, p.scratch+replacedSuffix); err != nil && !errors.Is(err, os.ErrNotExist) {
		// damaged, or another warehouse's, of the same number
		return fmt.Errorf("move an older %s folder away: %w", p.title(), err)
	}
	if err := atomicfile.Move(p.scratch, final); err != nil {
		return fmt.Errorf("put the %s folder in place: %w", p.title(), err)
	}
	return beforeSwitch.Reach()
}

// makeCurrent switches current to the publication. It sets the time of the folder that was current before: retire
// counts from it.
func (p *publisher) makeCurrent() error {
	before, err := currentFolder(p.Dir)
	if err == nil && filepath.Base(before) != p.name && publicationName.MatchString(filepath.Base(before)) {
		if err := os.Chtimes(filepath.Join(p.Dir, filepath.Base(before)), p.options.Now, p.options.Now); err != nil &&
			!errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("mark the publication before as an older one: %w", err)
		}
	}
	return errors.Join(switchTo(p.Dir, p.name), afterSwitch.Reach())
}

// replacedSuffix ends the name of an older folder that had the name of the new publication.
const replacedSuffix = "-old"

// linkPrefix begins the names of links that will be renamed to current.
const linkPrefix = ".current-"

// isUnfinished reports an entry that a killed run left.
func isUnfinished(e os.DirEntry) bool {
	return strings.HasPrefix(e.Name(), atomicfile.Scratch) ||
		strings.HasPrefix(e.Name(), linkPrefix) && e.Type() == os.ModeSymlink
}

// sweep removes files that killed runs left.
func (t Target) sweep() error {
	entries, err := os.ReadDir(t.Dir)
	if err != nil {
		return fmt.Errorf("look into the %s folder: %w", t.title(), err)
	}
	for _, e := range entries {
		if isUnfinished(e) {
			if err := os.RemoveAll(filepath.Join(t.Dir, e.Name())); err != nil {
				return fmt.Errorf("remove what an interrupted run left: %w", err)
			}
		}
	}
	return nil
}
