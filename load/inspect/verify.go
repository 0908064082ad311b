package inspect

import (
	"context"
	dbsql "database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pipeline/load/catalog"
	"pipeline/load/digest"
	"pipeline/load/engine"
	"pipeline/load/figures"
	"pipeline/load/rawindex"
	"pipeline/load/rawlog"
	"pipeline/load/sinks"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// Verification says how much was verified, and lists the damages.
type Verification struct {
	Tables   int   `json:"tables"`
	Rows     int64 `json:"rows"`
	Checks   int   `json:"checks"`
	RawFiles int   `json:"raw_files"`
	RawBytes int64 `json:"raw_bytes"`
	Parquet  int   `json:"parquet_files"`

	Damages []Damage `json:"damages"`
	Notes   []string `json:"notes"`

	Published []PublishedFiles `json:"published_files,omitempty"` // of other sinks than Parquet
}

// PublishedFiles says how many files of a publication were verified.
type PublishedFiles struct {
	Sink  string `json:"sink"`
	Files int    `json:"files"`
}

// Damage is a table, a check or a file that is not as it was written.
type Damage = sinks.Damage

// Publications returns all publications of which files were verified.
func (v *Verification) Publications() []PublishedFiles {
	if v.Parquet == 0 {
		return v.Published
	}
	return append([]PublishedFiles{{sinks.All()[0].About().Name, v.Parquet}}, v.Published...)
}

// These are the commands that repair a damage.
const (
	repairRebuild = "pipeline rebuild"
	repairRun     = "pipeline run"
)

func (v *Verification) damaged(where, repair, problem string, args ...any) {
	v.Damages = append(v.Damages, Damage{Where: where, Problem: fmt.Sprintf(problem, args...), Repair: repair})
}

// Verify reads everything that loads have written: the warehouse, its raw layer, and its publications. It changes
// nothing.
func Verify(ctx context.Context, warehouse string, published ...sinks.Target) (v *Verification, err error) {
	v = &Verification{Damages: []Damage{}, Notes: []string{}}
	var other *catalog.OtherVersion
	if err := catalog.CheckFile(ctx, warehouse); errors.As(err, &other) { // any other failure is damage
		return nil, err
	}
	digests, tables := map[string]digest.Digest{}, &digest.Reader{Warehouse: warehouse}
	defer func() { err = errors.Join(err, tables.Close()) }()
	for _, t := range schema.Tables() {
		d, err := tables.Read(ctx, t, t.Name)
		if errors.Is(err, engine.ErrBusy) || ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			v.damaged("table "+t.Name, repairRebuild, "it cannot be read: %v", engine.FirstLine(err.Error()))
			continue
		}
		v.Tables++
		v.Rows += d.Rows
		digests[t.Name] = d
	}
	if err := tables.Close(); err != nil {
		return nil, err
	}
	if len(v.Damages) > 0 { // nothing that is asked of it would be to be trusted
		return v, nil
	}
	if err := engine.Reading(ctx, warehouse, func(conn *dbsql.Conn) error {
		if err := v.promises(ctx, conn); err != nil {
			return err
		}
		return v.raw(ctx, conn, warehouse)
	}); err != nil {
		return nil, err
	}
	for _, target := range published {
		if err := v.publication(ctx, warehouse, target, digests); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// publication adds the result for a publication.
func (v *Verification) publication(ctx context.Context, warehouse string, target sinks.Target,
	digests map[string]digest.Digest) error {
	p, err := target.Verify(ctx, warehouse, digests)
	if err != nil {
		return err
	}
	if target.IsFirst() {
		v.Parquet = p.Files
	} else {
		v.Published = append(v.Published, PublishedFiles{target.Sink.About().Name, p.Files})
	}
	v.Damages = append(v.Damages, p.Damages...)
	v.Notes = append(v.Notes, p.Notes...)
	return nil
}

// promises runs the checks, and compares the number of conversations with the number that the loads added.
func (v *Verification) promises(ctx context.Context, conn *dbsql.Conn) error {
	failures, err := figures.RunChecks(ctx, conn, func(int, int) {}, func(sql.File) bool { return true }, nil)
	if err != nil {
		return err
	}
	v.Checks = len(sql.Checks())
	for _, f := range failures {
		v.damaged("check "+f.Check, repairRebuild, "%s Not so in %d rows, the first: %s", f.Doc, f.Rows, f.First)
	}
	var have, told int64
	if err := conn.QueryRowContext(ctx,
		`SELECT (SELECT count(*) FROM conversations), (SELECT coalesce(TRY_CAST(sum(conversations_new) AS BIGINT), 0) FROM loads)`).Scan(&have, &told); err != nil {
		return err
	}
	if have != told {
		v.damaged("table conversations", repairRebuild, "it has %d rows, and the loads say that they added %d", have,
			told)
	}
	return nil
}

// raw compares the files of the raw layer with their rows in raw_files.
func (v *Verification) raw(ctx context.Context, conn *dbsql.Conn, warehouse string) error {
	dir := rawlog.Dir(warehouse)
	files, err := rawlog.List(dir)
	if err != nil {
		return err
	}
	covered := rawlog.Covered(files)
	named := map[string]bool{}
	damaged, err := rawindex.Damaged(ctx, conn)
	if err != nil {
		return err
	}
	err = sqlrows.Each(ctx, conn,
		`SELECT path, rows, bytes, sha256, (SELECT count(*) FROM _known_rows WHERE raw_file = path) FROM raw_files ORDER BY path`, func(rows *dbsql.Rows) error {
			var f schema.RawFile
			var known int64
			if err := rows.Scan(&f.Path, &f.Rows, &f.Bytes, &f.SHA256, &known); err != nil {
				return err
			}
			named[f.Path] = true
			path := filepath.Join(dir, filepath.FromSlash(f.Path))
			sum, size, err := atomicfile.Sum(path)
			switch {
			case errors.Is(err, os.ErrNotExist) && covered(f.Path):
				v.Notes = append(v.Notes, "the file "+path+
					" was merged with others into one that this warehouse does not know: the next run takes that in")
				return nil
			case errors.Is(err, os.ErrNotExist):
				v.damaged("file "+path, repairRun, "it is gone; a run writes what the stores still hold of it")
			case err != nil:
				v.damaged("file "+path, putBack, "it cannot be read: %v", err)
			case size != f.Bytes || sum != f.SHA256:
				v.damaged("file "+path, putBack,
					"it is not as it was written: %d bytes, sha256 %.12s, was %d bytes, %.12s", size, sum, f.Bytes,
					f.SHA256)
			case known != f.Rows:
				v.damaged("table _known_rows", repairRebuild, "it has %d rows of %s, which has %d", known, f.Path,
					f.Rows)
			}
			v.RawFiles++
			v.RawBytes += size
			return nil
		})
	if err != nil {
		return err
	}
	v.unnamed(dir, files, covered, named, damaged)
	return nil
}

// putBack is the remedy for a damaged file of the raw layer.
const putBack = "put the file back from a backup, or move it away; then " + repairRun

// unnamed checks the files of the raw layer that the warehouse does not name.
func (v *Verification) unnamed(dir string, files []rawlog.Path, covered func(path string) bool, named map[string]bool,
	damaged map[string]int64) {
	for _, f := range files {
		if named[f.String()] {
			continue
		}
		note, problem := "the file "+f.In(dir), ""
		if bytes, known := damaged[f.String()]; known {
			problem = rawlog.Resized(f.In(dir), bytes)
		}
		_, unread := rawlog.ReadParts(dir, f)
		switch {
		case problem != "":
			v.damaged(strings.TrimPrefix(note, "the "), putBack,
				"it is not as it was written: %s; what the stores still held of it was written again", problem)
			continue
		case covered(f.String()):
			note += " was merged into another: the next run removes it"
		case unread != nil:
			note += fmt.Sprintf(" cannot be read, and no load names it: runs and rebuilds leave it out; move it away "+
				"(%v)", unread)
		case f.IsMerged():
			note += " was made by a prune that did not end: the next run ends it"
		default:
			note += " is of a load that did not commit: the next run takes it in"
		}
		v.Notes = append(v.Notes, note)
	}
}
