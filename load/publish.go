package load

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/google/renameio/v2/maybe"

	"pipeline/load/atomicfile"
	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/filelock"
	"pipeline/load/outpath"
)

// PublishOptions say how Parquet is published.
type PublishOptions struct {
	ToolVersion string
	Now         time.Time
	Keep        time.Duration // how long a publication stays after another took its place
	Memory      Memory
	Progress    func(done, total int) // files; may be nil
}

// Published says what a publication took.
type Published struct {
	Folder    string   `json:"folder"`
	LoadID    int64    `json:"load_id"`
	Files     int      `json:"files"`
	Bytes     int64    `json:"bytes"`
	Written   int      `json:"files_written"` // the others are those of an earlier publication
	Unchanged bool     `json:"unchanged"`     // the publication was there already, whole
	Removed   int      `json:"publications_removed"`
	Left      []string `json:"publications_left,omitempty"` // could not be removed, and why
}

// Publish writes every table of the committed warehouse as zstd Parquet into dir/v-<load_id>/ and then switches dir/current to that folder
// by one rename. A reader that resolves current once reads one whole publication. Files whose rows are those of an earlier publication are
// linked, not written. Earlier publications are removed when nobody has been led to them for o.Keep.
func Publish(ctx context.Context, warehouse, dir string, o PublishOptions) (out *Published, err error) {
	if err := CheckCurrent(dir); err != nil {
		return nil, err
	}
	unlock, err := lockPublications(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := sweepScratch(dir); err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp(dir, scratchPrefix)
	if err != nil {
		return nil, fmt.Errorf("make a folder in %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch), os.RemoveAll(scratch+replacedSuffix)) }()
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	p := &publisher{dir: dir, scratch: scratch, options: o}
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

// lockName is the file that whoever publishes in a folder holds: a run and an export may do so at once.
const lockName = ".pipeline-lock"

// lockWait is how long a publication waits for another one in its folder.
const lockWait = 2 * time.Minute

// CheckParquet refuses a place that cannot be a folder of publications.
func CheckParquet(dir string) error {
	return cmp.Or(outpath.Folder(dir), outpath.File(filepath.Join(dir, lockName)))
}

// lockPublications makes the folder and holds it.
func lockPublications(ctx context.Context, dir string) (unlock func() error, err error) {
	if err := CheckParquet(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the Parquet folder: %w", err)
	}
	lock := filelock.New(filepath.Join(dir, lockName))
	waiting, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	held, err := lock.TryLockContext(waiting, 50*time.Millisecond)
	switch {
	case held, errors.Is(err, errors.ErrUnsupported): // some network shares have no locks
		return lock.Close, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case waiting.Err() != nil:
		return nil, fmt.Errorf("%w: another program publishes in %s; wait for it to end and run again", engine.ErrBusy, dir)
	}
	return nil, fmt.Errorf("lock %s: %w", lock.Path(), err)
}

// publisher makes one publication.
type publisher struct {
	dir, scratch string
	name         string // of the folder that the scratch folder becomes
	options      PublishOptions
	conn         *sql.Conn
	engine       string // its version: another one may write other bytes, and hash otherwise
	out          Published
}

// spill is where the engine puts rows that it cannot hold while it sorts them.
const spill = ".spill"

// write fills the scratch folder, unless the publication is there and as it was written.
func (p *publisher) write(ctx context.Context, warehouse string) (err error) {
	db, conn, err := engine.Open(ctx, warehouse, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	if err := catalog.Check(ctx, conn, warehouse); err != nil {
		return err
	}
	p.conn = conn
	spilled := filepath.Join(p.scratch, spill)
	for _, statement := range []string{oneThread, engine.SetMemory(p.options.Memory.orDefault().Alone), "SET temp_directory = " + engine.Literal(spilled)} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("publish %s: %w", warehouse, err)
		}
	}
	var last sql.NullInt64
	if err := conn.QueryRowContext(ctx, `SELECT max(load_id), version() FROM loads`).Scan(&last, &p.engine); err != nil {
		return fmt.Errorf("ask %s for its last load: %w", warehouse, err)
	}
	if !last.Valid {
		return fmt.Errorf("%s has no load yet, there is nothing to publish: run 'pipeline run' first", warehouse)
	}
	p.name = fmt.Sprintf("v-%08d", last.Int64)
	p.out = Published{Folder: filepath.Join(p.dir, p.name), LoadID: last.Int64, Left: []string{}}
	m, err := p.plan(ctx)
	if err != nil {
		return err
	}
	if m.isWhole(p.out.Folder) {
		p.out.Unchanged, p.out.Files, p.out.Bytes = true, len(m.Files), m.bytes()
		return nil
	}
	if err := p.fill(ctx, m); err != nil {
		return err
	}
	return os.RemoveAll(spilled)
}

// place gives the scratch folder its name.
func (p *publisher) place() error {
	if err := errors.Join(atomicfile.SyncFolders(p.scratch), afterParquet.Reach()); err != nil {
		return err
	}
	final := p.out.Folder
	if err := replaceable(final); err != nil {
		return err
	}
	if err := os.Rename(final, p.scratch+replacedSuffix); err != nil && !errors.Is(err, os.ErrNotExist) { // damaged, or another warehouse's, of the same number
		return fmt.Errorf("move an older Parquet folder away: %w", err)
	}
	if err := os.Rename(p.scratch, final); err != nil {
		return fmt.Errorf("put the Parquet folder in place: %w", err)
	}
	return beforeSwitch.Reach()
}

// makeCurrent leads readers to the publication. The one that they were led to until now is marked with the time: retire counts from it.
func (p *publisher) makeCurrent() error {
	before, err := currentFolder(p.dir)
	if err == nil && filepath.Base(before) != p.name && publicationName.MatchString(filepath.Base(before)) {
		if err := os.Chtimes(filepath.Join(p.dir, filepath.Base(before)), p.options.Now, p.options.Now); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("mark the publication before as an older one: %w", err)
		}
	}
	return errors.Join(switchTo(p.dir, p.name), afterSwitch.Reach())
}

// scratchPrefix begins the names of folders that are not published yet.
const scratchPrefix = ".pipeline-tmp-"

// replacedSuffix ends the name of a folder that was in the place of the publication.
const replacedSuffix = "-old"

// linkPrefix begins the names of links that are to become current.
const linkPrefix = ".current-"

// sweepScratch removes what killed runs left.
func sweepScratch(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("look into the Parquet folder: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), scratchPrefix) || strings.HasPrefix(e.Name(), linkPrefix) && e.Type() == os.ModeSymlink {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return fmt.Errorf("remove what an interrupted run left: %w", err)
			}
		}
	}
	return nil
}

// published reports that a folder holds a publication of this warehouse in its present state: its loads are those of the warehouse.
// One of the same number may be left from a warehouse that was thrown away.
func published(ctx context.Context, warehouse, folder string) bool {
	loads := filepath.Join(folder, "loads.parquet")
	if _, err := os.Stat(loads); err != nil {
		return false
	}
	db, conn, err := engine.Open(ctx, warehouse, true)
	if err != nil {
		return false
	}
	defer func() { _ = errors.Join(conn.Close(), db.Close()) }()
	const compare = `SELECT count(*) FROM (
		(FROM (SELECT load_id, started_at FROM loads) EXCEPT SELECT load_id, started_at FROM read_parquet($1))
		UNION ALL (SELECT load_id, started_at FROM read_parquet($1) EXCEPT SELECT load_id, started_at FROM loads))`
	differences := 1
	err = conn.QueryRowContext(ctx, compare, loads).Scan(&differences)
	return err == nil && differences == 0
}

// currentFolder is the publication that a folder's current names.
func currentFolder(dir string) (string, error) {
	if runtime.GOOS != "windows" {
		return filepath.EvalSymlinks(filepath.Join(dir, "current"))
	}
	text, err := os.ReadFile(filepath.Join(dir, "current.json"))
	if err != nil {
		return "", err
	}
	var current struct {
		Folder string `json:"folder"`
	}
	return filepath.Join(dir, current.Folder), json.Unmarshal(text, &current)
}

// switchTo makes current name a publication: a symbolic link, or where those need rights that people do not have, current.json.
func switchTo(dir, name string) error {
	if runtime.GOOS == "windows" {
		return maybe.WriteFile(filepath.Join(dir, "current.json"), fmt.Appendf(nil, "{\"folder\": %q}\n", name), 0o600)
	}
	link := filepath.Join(dir, linkPrefix+name)
	if err := atomicfile.Remove(link); err != nil {
		return fmt.Errorf("remove what an interrupted run left: %w", err)
	}
	err := errors.Join(os.Symlink(name, link), afterLink.Reach())
	if err == nil {
		err = atomicfile.Rename(link, filepath.Join(dir, "current"))
	}
	if err != nil {
		_ = os.Remove(link) // if it stays, the next run sweeps it
		return fmt.Errorf("switch %s/current: %w", dir, err)
	}
	return nil
}
