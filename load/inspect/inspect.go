// Package inspect reports the state of a warehouse, its raw layer and its publications: by a look from outside, or by
// reading everything. It does not take the lock of a load.
//
// It changes nothing, and must never know what rows mean.
package inspect

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/figures"
	"pipeline/load/rawindex"
	"pipeline/load/rawlog"
	"pipeline/load/sinks"
	"pipeline/load/tool/filelock"
	"pipeline/load/tool/sqlrows"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// Look is the state of a warehouse, as it can be seen without the lock of a load and without a change.
type Look struct {
	Path       string `json:"path"`
	Exists     bool   `json:"exists"`
	Bytes      int64  `json:"bytes"`
	Mode       string `json:"mode"` // permissions in octal; "" where there is no file
	Folder     string `json:"folder"`
	FolderMode string `json:"folder_mode"`
	// the folder, or the one above it that there is
	Nearest      string `json:"-"`
	FolderWide   bool   `json:"folder_wide"`   // others may look into it
	FolderShared bool   `json:"folder_shared"` // everybody may replace what is in it
	// files and folders of the warehouse whose modes give others anything
	Wide      []string `json:"wide"`
	RunLocked *bool    `json:"run_locked"` // a run holds its lock; nil: not known
	// the process of the run that holds the lock; 0 if none
	RunPID int `json:"run_pid"`
	// another program has it open for writing: it cannot be looked into
	OpenElsewhere bool     `json:"open_for_writes"`
	LogBytes      int64    `json:"log_bytes"`      // of the engine's log beside it
	Leftovers     []string `json:"leftovers"`      // new files that did not get their place
	SchemaVersion int64    `json:"schema_version"` // 0: not known
	ToolVersion   int64    `json:"tool_schema_version"`
	RawFiles      int      `json:"raw_files"`
	RawBytes      int64    `json:"raw_bytes"`
	// files that loads wrote and that are not there as they were written
	RawMissing []string `json:"raw_missing"`
	// files that no load names: the next one takes them in
	RawNew int `json:"raw_new"`
	// files that no load names, and that cannot be read: runs leave them out
	RawUnread   []string  `json:"raw_unread"`
	LastLoad    *LoadLook `json:"last_load"` // nil: none
	LastGood    *LoadLook `json:"last_good"`
	LastFailing *LoadLook `json:"last_failing"` // partial, or a check failed
	// stores that the last load could not read whole
	Incomplete []StoreMissed `json:"last_incomplete"`
	// what several sources have; nil: not known, as the warehouse is of another version
	Copies      *figures.Copies    `json:"copies,omitempty"`
	Publication *sinks.Publication `json:"publication"` // of Parquet; nil: not asked for
	// of the other sinks that were asked for, by their names
	Publications map[string]*sinks.Publication `json:"publications,omitempty"`
	Denied       error                         `json:"-"` // why a run could not write
	// why the warehouse cannot be read: by a run, or by this look. It is engine.ErrBusy while another program holds the
	// file
	Err error `json:"-"`
}

// LoadLook is the row of a load.
type LoadLook struct {
	LoadID      int64     `json:"load_id"`
	StartedAt   time.Time `json:"started_at"`
	Status      string    `json:"status"`
	Mode        string    `json:"mode"`
	ToolVersion string    `json:"tool_version"`
}

// StoreMissed is a store that a load could not read completely.
type StoreMissed struct {
	SourceID string `json:"source_id"`
	Store    string `json:"store"`
	Path     string `json:"path"`
}

// Warehouse looks at the warehouse at a path, its raw layer, and its publications. It does not take the lock of a load.
// It shares the engine's own lock with other readers, for the time that it takes to read a few rows.
func Warehouse(ctx context.Context, path string, published ...sinks.Target) (*Look, error) {
	l := &Look{Path: path, Folder: filepath.Dir(path), Wide: []string{}, Leftovers: []string{}, RawMissing: []string{},
		RawUnread: []string{}, Incomplete: []StoreMissed{}, ToolVersion: schema.Version}
	if pid, known := filelock.Owner(path + ".lock"); known {
		locked := pid != 0
		l.RunLocked, l.RunPID = &locked, pid
	}
	files, err := l.files()
	if err != nil {
		l.Err = err
		return l, nil
	}
	if l.Exists {
		l.Err = engine.Reading(ctx, path, func(conn *sql.Conn) error { return l.contents(ctx, conn, files) })
	}
	l.OpenElsewhere = errors.Is(l.Err, engine.ErrBusy)
	for _, target := range published {
		l.published(ctx, target)
	}
	return l, ctx.Err()
}

// published looks at a publication. If the warehouse cannot be read, the publication is not compared with it.
func (l *Look) published(ctx context.Context, target sinks.Target) {
	warehouse := ""
	if l.Err == nil && l.Exists {
		warehouse = l.Path
	}
	found := target.Current(ctx, warehouse)
	if target.IsFirst() {
		l.Publication = found
		return
	}
	if l.Publications == nil {
		l.Publications = map[string]*sinks.Publication{}
	}
	l.Publications[target.Sink.About().Name] = found
}

// PublicationOf returns the state of a sink's publication, or nil if it was not asked for.
func (l *Look) PublicationOf(target sinks.Target) *sinks.Publication {
	if target.IsFirst() {
		return l.Publication
	}
	return l.Publications[target.Sink.About().Name]
}

// files looks at the files from outside. It returns the files of the raw layer.
func (l *Look) files() ([]rawlog.Path, error) {
	info, err := os.Stat(l.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, engine.WithRemedy(fmt.Errorf("look at the warehouse: %w", err))
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder; name a file with --warehouse", l.Path)
	default:
		l.Exists, l.Bytes, l.Mode = true, info.Size(), octal(info)
		l.note(l.Path, info)
	}
	if info, err := os.Stat(engine.LogOf(l.Path)); err == nil {
		l.LogBytes = info.Size()
		l.note(engine.LogOf(l.Path), info)
	}
	l.Leftovers = append(l.Leftovers, warehouse.NewFiles(l.Path)...)
	l.Denied = errors.Join(l.folder(), l.writable())
	return l.raw()
}

// folder looks at the warehouse's folder. If the folder is missing, it looks at the nearest folder above, in which a
// run would make it.
func (l *Look) folder() error {
	dir := l.Folder
	for {
		info, err := os.Stat(dir)
		if parent := filepath.Dir(dir); errors.Is(err, fs.ErrNotExist) && parent != dir {
			dir = parent
			continue
		}
		if err != nil {
			return err
		}
		l.Nearest = dir
		if dir == l.Folder {
			l.FolderMode, l.FolderWide = octal(info), tooWide(info.Mode())
			// a group is often its one user's own
			l.FolderShared = l.FolderWide && info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0
		}
		return mayWrite(dir, true)
	}
}

// writable returns why existing files may not be written to.
func (l *Look) writable() error {
	var errs []error
	for _, path := range []string{l.Path, l.Path + ".lock", rawlog.Dir(l.Path)} {
		if info, err := os.Stat(path); err == nil {
			errs = append(errs, mayWrite(path, info.IsDir()))
		}
	}
	return errors.Join(errs...)
}

// raw counts the raw layer's files.
func (l *Look) raw() ([]rawlog.Path, error) {
	dir := rawlog.Dir(l.Path)
	files, err := rawlog.List(dir)
	if err != nil {
		return nil, err
	}
	wide := false
	if info, err := os.Stat(dir); err == nil {
		l.note(dir, info)
		wide = tooWide(info.Mode())
	}
	for _, f := range files {
		info, err := os.Stat(filepath.Join(dir, f.Source, f.Name))
		if err != nil {
			return nil, err
		}
		l.RawFiles++
		l.RawBytes += info.Size()
		if wide {
			l.note(filepath.Join(dir, f.Source, f.Name), info)
		}
	}
	return files, nil
}

// note adds a path to Wide if its mode gives others any permission.
func (l *Look) note(path string, info fs.FileInfo) {
	if tooWide(info.Mode()) {
		l.Wide = append(l.Wide, path)
	}
}

func octal(info fs.FileInfo) string { return fmt.Sprintf("%04o", info.Mode().Perm()) }

// contents reads the schema version, the last loads, and the stores that the last load did not read completely. Then it
// compares the raw layer's files with those that loads have named.
func (l *Look) contents(ctx context.Context, conn *sql.Conn, files []rawlog.Path) error {
	if version, err := catalog.Setting(ctx, conn, catalog.VersionKey); err == nil {
		l.SchemaVersion = version
	}
	if err := catalog.CheckVersion(ctx, conn, l.Path); err != nil {
		return err
	}
	for target, where := range map[**LoadLook]string{&l.LastLoad: "true", &l.LastGood: "status = 'ok'",
		&l.LastFailing: "status <> 'ok'"} {
		found, err := sqlrows.All[LoadLook](ctx, conn, `SELECT load_id, started_at, status, mode, tool_version FROM loads
			WHERE `+where+` ORDER BY load_id DESC LIMIT 1`)
		if err != nil {
			return err
		}
		if len(found) > 0 {
			*target = &found[0]
		}
	}
	missed, err := sqlrows.All[StoreMissed](ctx, conn,
		`SELECT source_id, store, path FROM load_stores WHERE NOT is_complete AND load_id = (SELECT max(load_id) FROM loads)
		ORDER BY source_id, store`)
	if err != nil {
		return err
	}
	l.Incomplete = append(l.Incomplete, missed...)
	if catalog.Check(ctx, conn, l.Path) == nil {
		copies, err := figures.ReadCopies(ctx, conn)
		if err != nil {
			return err
		}
		l.Copies = &copies
	}
	return l.compareRaw(ctx, conn, files)
}

// compareRaw compares the names and sizes of the raw layer's files with those that loads wrote. Only verify reads the
// files.
func (l *Look) compareRaw(ctx context.Context, conn *sql.Conn, files []rawlog.Path) error {
	dir, covered := rawlog.Dir(l.Path), rawlog.Covered(files)
	missing, err := rawindex.Missing(ctx, conn, l.Path)
	if err != nil {
		return err
	}
	for _, name := range missing {
		l.RawMissing = append(l.RawMissing, filepath.Join(dir, filepath.FromSlash(name)))
	}
	named, err := rawindex.Named(ctx, conn)
	for _, f := range files {
		if _, known := named[f.String()]; known {
			continue
		}
		if _, err := rawlog.ReadParts(dir, f); err != nil && !covered(f.String()) {
			l.RawUnread = append(l.RawUnread, f.In(dir))
		} else {
			l.RawNew++
		}
	}
	return err
}

// RawMissing is rawindex.Missing of a warehouse that is not open.
func RawMissing(ctx context.Context, warehouse string) (missing []string, err error) {
	err = engine.Reading(ctx, warehouse, func(conn *sql.Conn) (err error) {
		missing, err = rawindex.Missing(ctx, conn, warehouse)
		return err
	})
	return missing, err
}
