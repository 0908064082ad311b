package sinks

import (
	"cmp"
	"context"
	dbsql "database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"pipeline/load/changes"
	"pipeline/load/engine"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// This file writes the tables that are published by month. Of a large month each bucket of conversations has a file of
// its own: a load that changes one conversation then writes a quarter of its month again. One statement writes several
// files: it reads the table once for all of them, and only the rows that are due, by their places.

// manyBytes is how many bytes, about, the rows of a month have that is not divided yet: those of 16,384 messages, or of
// far fewer calls of tools with long results.
const manyBytes = 16 << 20

// partitions is the folder, in the scratch folder, into which the engine writes files by month and bucket.
const partitions = ".partitions"

// writeMonths writes the months of a table that are due. If the table has no rows, it writes an empty file: so readers
// find the columns.
func (p *publisher) writeMonths(ctx context.Context, d due) (files []publishedFile, err error) {
	if files, err = p.findRows(ctx, &d); err != nil {
		return nil, err
	}
	if len(files) == 0 {
		if len(d.kept) > 0 {
			return nil, nil
		}
		f := publishedFile{Table: d.table.Name, Place: changes.Place{Month: sql.NoMonth}}
		f.Path = monthPath(f.Table, f.Place, p.Sink.About().Extension)
		to, err := p.folderOf(f.Path)
		if err != nil {
			return nil, err
		}
		if written, err := p.writeEmpty(d.table, to); err != nil || written {
			return []publishedFile{f}, err
		}
		return []publishedFile{f}, p.copy(ctx, File{Table: d.table, From: d.table.Name + " t LIMIT 0", Path: to}, 0)
	}
	for rest := files; len(rest) > 0; {
		n := p.batch(d.table, rest)
		if err := p.writeFiles(ctx, d, rest[:n]); err != nil {
			return nil, err
		}
		rest = rest[n:]
	}
	return files, nil
}

// batchFiles is the largest number of files that are written by one statement.
const batchFiles = 8

// vectorRows is how many rows the engine handles at once.
const vectorRows = 2048

// batch returns how many of the first files of a table are written by one statement, which reads the whole table. The
// engine fills a group of rows for each file. It holds the rows at hand twice, and thrice the group of the file that it
// writes, which may have taken all rows at hand.
func (p *publisher) batch(t schema.Table, files []publishedFile) (n int) {
	var filling, writing int64
	for n < min(len(files), batchFiles) {
		f := files[n]
		size := func(rows int64) int64 { return f.Bytes / f.Rows * min(rows, f.Rows) }
		filling += size(groupRows(t))
		writing = max(writing, 2*size(vectorRows)+3*size(vectorRows+groupRows(t)))
		if n > 0 && filling+writing > cmp.Or(p.options.Memory, engine.MemoryLimit)*9/10 {
			break
		}
		n++
	}
	return n
}

// writeFiles writes some files of a table by one statement.
func (p *publisher) writeFiles(ctx context.Context, d due, files []publishedFile) error {
	var rows int64
	for _, f := range files {
		rows += f.Rows
	}
	from := fmt.Sprintf("%s t JOIN (FROM _places WHERE %s) p ON p.place = t.rowid", d.table.Name, ofPlaces(files))
	if len(files) == 1 {
		to, err := p.folderOf(files[0].Path)
		if err != nil {
			return err
		}
		return p.copy(ctx, File{Table: d.table, From: from, Path: to}, rows)
	}
	folder := filepath.Join(p.scratch, partitions)
	if err := p.copy(ctx, File{Table: d.table, From: from, Path: folder, PartitionBy: []string{"month", "bucket"}},
		rows); err != nil {
		return err
	}
	for _, f := range files {
		if err := p.takePartition(folder, f); err != nil {
			return err
		}
	}
	return os.RemoveAll(folder)
}

// findRows makes the temporary table _places of the rows that are due, and lists the files that they make. The size of
// a file is about that of its rows, until it is written.
func (p *publisher) findRows(ctx context.Context, d *due) (files []publishedFile, err error) {
	where := "true"
	if d.again != nil {
		months := map[string]bool{}
		for place := range d.again {
			months[place.Month] = true
		}
		where = "month IN (" + engine.Literals(slices.Sorted(maps.Keys(months))) + ")"
	}
	query := fmt.Sprintf(
		`CREATE OR REPLACE TEMP TABLE _places AS SELECT place, bytes, month, %s AS bucket FROM (%s) WHERE %s`,
		changes.Bucket, sql.Placed(d.table), where)
	if _, err := p.conn.ExecContext(ctx, query); err != nil {
		return nil, err
	}
	if err := p.chooseBuckets(ctx, d); err != nil {
		return nil, err
	}
	err = sqlrows.Each(ctx, p.conn,
		`SELECT month, bucket, count(*), sum(bytes)::BIGINT FROM _places GROUP BY ALL ORDER BY bucket, month`,
		func(rows *dbsql.Rows) error {
			f := publishedFile{Table: d.table.Name}
			err := rows.Scan(&f.Month, &f.Bucket, &f.Rows, &f.Bytes)
			f.Path = monthPath(f.Table, f.Place, p.Sink.About().Extension)
			files = append(files, f)
			return err
		})
	return files, err
}

// chooseBuckets decides which months are divided, and leaves only the buckets in _places that are due. A month that is
// divided stays so.
func (p *publisher) chooseBuckets(ctx context.Context, d *due) error {
	divided := map[string]bool{}
	for _, f := range d.kept {
		divided[f.Month] = true // a month that is not divided has one file, which is not kept when the month is due
	}
	whole, err := sqlrows.All[string](ctx, p.conn,
		fmt.Sprintf(`SELECT month FROM _places GROUP BY 1 HAVING sum(bytes) <= %d`, manyBytes))
	whole = slices.DeleteFunc(whole, func(month string) bool { return divided[month] })
	if err == nil && len(whole) > 0 {
		_, err = p.conn.ExecContext(ctx, `UPDATE _places SET bucket = 0 WHERE month IN (`+engine.Literals(whole)+`)`)
	}
	if err == nil && len(d.kept) > 0 {
		_, err = p.conn.ExecContext(ctx, `DELETE FROM _places WHERE `+ofPlaces(d.kept))
	}
	return err
}

// ofPlaces is the condition for the rows of _places that some files have.
func ofPlaces(files []publishedFile) string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = fmt.Sprint(f.Month, "/", f.Bucket)
	}
	return "month || '/' || bucket IN (" + engine.Literals(names) + ")"
}

// takePartition puts the file that the engine has written for a bucket of a month into its place.
func (p *publisher) takePartition(folder string, f publishedFile) error {
	from := filepath.Join(folder, "month="+f.Month, fmt.Sprintf("bucket=%d", f.Bucket))
	entries, err := os.ReadDir(from)
	if err == nil && len(entries) != 1 {
		err = fmt.Errorf("%d files were written for %s, and one is wanted; please report this", len(entries), f.Path)
	}
	if err != nil {
		return err
	}
	to, err := p.folderOf(f.Path)
	if err != nil {
		return err
	}
	return atomicfile.Move(filepath.Join(from, entries[0].Name()), to)
}
