package rawindex

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"pipeline/load/engine"
	"pipeline/load/figures"
	"pipeline/load/rawlog"
	"pipeline/load/tool/sqlrows"
)

// This file finds files of the raw layer whose size is no longer the written one; only verify reads their content. A
// damaged file stays in its place. The warehouse forgets the rows of the file, so that a run writes again the rows that
// the stores still have. It remembers the file's size, so that each run warns of the file until it is put back or moved
// away.

// metaDamaged is the setting that names the damaged files: a JSON object of their paths and the sizes that they had
// when they were written.
const metaDamaged = "raw_damaged"

// Named returns the files of the raw layer that the warehouse names, with their sizes.
func Named(ctx context.Context, conn *sql.Conn) (map[string]int64, error) {
	return sqlrows.Map[string, int64](ctx, conn, `SELECT path, bytes FROM raw_files`)
}

// Missing lists the files of the raw layer that the warehouse names and that are missing or have another size. A
// missing file does not count if a merged one covers it.
func Missing(ctx context.Context, conn *sql.Conn, warehouse string) (missing []string, err error) {
	files, err := rawlog.List(rawlog.Dir(warehouse))
	if err != nil {
		return nil, err
	}
	covered := rawlog.Covered(files)
	named, err := Named(ctx, conn)
	if err != nil {
		return nil, err
	}
	for path, bytes := range named {
		file := filepath.Join(rawlog.Dir(warehouse), filepath.FromSlash(path))
		if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) && !covered(path) ||
			rawlog.Resized(file, bytes) != "" {
			missing = append(missing, path)
		}
	}
	slices.Sort(missing)
	return missing, nil
}

// Damaged returns the files that earlier runs found damaged, with the sizes that they had when they were written.
func Damaged(ctx context.Context, conn *sql.Conn) (map[string]int64, error) {
	damaged := map[string]int64{}
	text, err := engine.Setting(ctx, conn, metaDamaged)
	if err != nil || text == "" {
		return damaged, err
	}
	return damaged, json.Unmarshal([]byte(text), &damaged)
}

// damages finds damaged files. It forgets the rows of those that the warehouse names, and takes them out of named. It
// returns the damaged files.
func (l *Layer) damages(ctx context.Context, files []rawlog.Path, named map[string]int64) (left map[string]bool,
	err error) {
	before, err := Damaged(ctx, l.s.Conn)
	if err != nil {
		return nil, err
	}
	now, left := map[string]int64{}, map[string]bool{}
	for _, f := range files {
		path := f.String()
		bytes, isNamed := named[path]
		if !isNamed {
			known := false
			if bytes, known = before[path]; !known {
				continue
			}
		}
		problem := rawlog.Resized(f.In(l.Dir), bytes)
		if problem == "" {
			continue // as it was written, or put back: then it is taken in
		}
		now[path], left[path] = bytes, true
		l.damaged = append(l.damaged, fmt.Sprintf("raw_files %s: %s; %s", path, problem, rawlog.Remedy))
		l.settings.Warn("the file %s of the raw layer is not as it was written: %s. It is left out, and what the "+
			"stores still hold of it is written again; for its older versions, %s",
			f.In(l.Dir), problem, rawlog.Remedy)
		if isNamed {
			delete(named, path)
			if err := errors.Join(l.doubt(ctx, path), l.Forget(ctx, path)); err != nil {
				return nil, err
			}
		}
	}
	if maps.Equal(before, now) {
		return left, nil
	}
	text, err := json.Marshal(now)
	if err != nil {
		return nil, err
	}
	return left, l.s.Keep(ctx, metaDamaged, string(text))
}

// Failures returns the damaged files as a check that failed.
func (l *Layer) Failures() []figures.CheckFailure {
	if len(l.damaged) == 0 {
		return nil
	}
	slices.Sort(l.damaged)
	return []figures.CheckFailure{{Check: "raw_files_as_written",
		Doc: "Every file of the raw layer has the size that it was written with.", Rows: int64(len(l.damaged)),
		First: l.damaged[0]}}
}
