package sinks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"pipeline/load/changes"
	"pipeline/load/engine"
	"pipeline/load/tool/atomicfile"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// publishedTables returns the tables that are published: all but the internal ones.
func publishedTables() []schema.Table {
	return slices.DeleteFunc(schema.Tables(), func(t schema.Table) bool { return t.Scope == schema.Internal })
}

// loadsTable is the table by which a publication and a warehouse are compared.
const loadsTable = "loads"

// monthPath returns the path of a table's file for a bucket of a month. A month that is not divided is bucket 0.
func monthPath(table string, place changes.Place, extension string) string {
	return path.Join(table, "month="+place.Month, "part-"+strconv.FormatInt(place.Bucket, 10)+extension)
}

// isLive is the expression for the column is_live of a row t, see schema.Table.Published.
const isLive = `t.deleted_at IS NULL AND EXISTS (FROM _live_conversations l WHERE l.source_id = t.source_id AND l.conversation_id = t.conversation_id) AS is_live`

// publishedRows is a query of a table's rows as they are published.
func publishedRows(table schema.Table) string {
	return "(SELECT t.*, " + isLive + " FROM " + table.Name + " t)"
}

// plan lists the files of the publication: those of the publication before that are as they were, and those to be
// written, of which it does not know the bytes yet. What changed since that publication says the warehouse (package
// changes); a file that is gone or was altered is written again as well.
func (p *publisher) plan(ctx context.Context) (*manifest, error) {
	m := &manifest{Format: manifestFormat, Mark: p.mark, SchemaVersion: schema.Version,
		ToolVersion: p.options.ToolVersion, Writer: p.writer(), Redaction: p.redaction()}
	stale, known := changes.Stale{}, false
	if !p.options.Anew && p.before != nil && p.before.Writer == m.Writer && p.before.SchemaVersion == m.SchemaVersion &&
		p.before.Redaction == m.Redaction {
		var err error
		if stale, known, err = changes.Since(ctx, p.conn, p.before.Mark); err != nil {
			return nil, fmt.Errorf("ask what has changed: %w", err)
		}
	}
	for _, t := range p.tables() {
		kept, again := []publishedFile(nil), map[changes.Place]bool(nil) // again is nil for everything
		if known {
			kept, again = p.standing(t, stale[t.Name])
		}
		if again == nil || len(again) > 0 {
			m.due = append(m.due, due{t, again, kept})
		}
		m.Files = append(m.Files, kept...)
	}
	return m, nil
}

// due is a table with places that have to be written.
type due struct {
	table schema.Table
	again map[changes.Place]bool // nil for every place
	kept  []publishedFile        // of other places
}

// standing returns the files of a table that can be used again, and the places of those that cannot. These are nil if
// the table has to be written whole.
func (p *publisher) standing(t schema.Table, stale map[changes.Place]bool) (kept []publishedFile,
	again map[changes.Place]bool) {
	files := p.before.tableFiles(t)
	if len(files) == 0 || len(stale) > 0 && (!t.ByMonth() || files[0].Rows == 0) {
		return nil, nil
	}
	divided := map[string]bool{}
	for _, f := range files {
		divided[f.Month] = divided[f.Month] || f.Bucket > 0
	}
	again = map[changes.Place]bool{}
	for place := range stale {
		if !divided[place.Month] {
			place.Bucket = 0
		}
		again[place] = true
	}
	for _, f := range files {
		switch {
		case again[f.Place]:
		case f.problem(p.folder) != "":
			if again[f.Place] = true; !t.ByMonth() {
				return nil, nil
			}
		default:
			kept = append(kept, f)
		}
	}
	return kept, again
}

// fill puts the files of a plan into the scratch folder.
func (p *publisher) fill(ctx context.Context, m *manifest) (err error) {
	for i := range m.Files {
		if err := p.link(&m.Files[i]); err != nil {
			return err
		}
	}
	kept := len(m.Files)
	for i, d := range m.due {
		p.options.Progress(i, len(m.due))
		files, err := p.writeTable(ctx, d)
		if err != nil {
			return fmt.Errorf("write table %s: %w", d.table.Name, err)
		}
		m.Files = append(m.Files, files...)
	}
	if err := p.sealed(m.Files[kept:]); err != nil {
		return err
	}
	slices.SortFunc(m.Files, func(x, y publishedFile) int { return strings.Compare(x.Path, y.Path) })
	p.out.Written, p.out.Files, p.out.Bytes = len(m.Files)-kept, len(m.Files), m.bytes()
	if err := beforeManifest.Reach(); err != nil {
		return err
	}
	return m.store(p.scratch)
}

// sealed syncs files that were written to the disk, and notes their sizes and sums.
func (p *publisher) sealed(files []publishedFile) error {
	var seals errgroup.Group
	seals.SetLimit(atomicfile.SyncsAtATime)
	for i := range files {
		seals.Go(func() error { return files[i].seal(p.pathOf(files[i].Path)) })
	}
	return seals.Wait()
}

// pathOf is where a file of the publication is until it is complete.
func (p *publisher) pathOf(path string) string {
	return filepath.Join(p.scratch, filepath.FromSlash(path))
}

// folderOf makes the folder of a file of the publication.
func (p *publisher) folderOf(path string) (to string, err error) {
	to = p.pathOf(path)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", fmt.Errorf("make a folder in %s: %w", p.scratch, err)
	}
	return to, nil
}

// writeTable writes the places of a table that are due.
func (p *publisher) writeTable(ctx context.Context, d due) (files []publishedFile, err error) {
	if d.table.ByMonth() {
		return p.writeMonths(ctx, d)
	}
	f := publishedFile{Path: d.table.Name + p.Sink.About().Extension, Table: d.table.Name}
	if err := p.conn.QueryRowContext(ctx, `SELECT count(*) FROM `+d.table.Name).Scan(&f.Rows); err != nil {
		return nil, err
	}
	if f.Rows == 0 {
		if written, err := p.writeEmpty(d.table, p.pathOf(f.Path)); err != nil || written {
			return []publishedFile{f}, err
		}
	}
	from := d.table.Name + " t" + publishedOrder(d.table)
	return []publishedFile{f}, p.copy(ctx, File{Table: d.table, From: from, Path: p.pathOf(f.Path)}, f.Rows)
}

// copy writes rows with the engine, and compares their number.
func (p *publisher) copy(ctx context.Context, f File, rows int64) (err error) {
	if rows > engine.ManyRows { // most files are small, and are written by one thread
		if _, err := p.conn.ExecContext(ctx, engine.SetThreads()); err != nil {
			return err
		}
		defer func() {
			_, failed := p.conn.ExecContext(ctx, engine.OneThread)
			err = errors.Join(err, failed)
		}()
	}
	f.Columns, f.About = p.columns(f.Table), aboutFile(f.Table, p.options.ToolVersion)
	f.Table = f.Table.Published()
	result, err := p.conn.ExecContext(ctx, p.Sink.Copy(f))
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err == nil && n != rows {
		err = fmt.Errorf("%d rows were written, and there are %d; please report this", n, rows)
	}
	return err
}

// publishedOrder returns the order in which the rows of a table with one file are published: with it, a reader that
// filters by time skips most row groups. Tables with documents keep the order in which conversations were loaded: to
// sort them takes more memory than all the rest.
func publishedOrder(t schema.Table) string {
	order := t.Key()
	switch {
	case t.HasDocuments():
		return ""
	case t.Name == "conversations":
		order = append([]string{"last_activity_at"}, order...)
	case t.Has("started_at"):
		order = append([]string{"started_at"}, order...)
	}
	if len(order) == 0 {
		return ""
	}
	return " ORDER BY " + strings.Join(order, ", ")
}

// writer identifies what determines the files' bytes besides their rows: the engine, the statements that write them,
// and how months are divided.
func (p *publisher) writer() string {
	sum := sha256.New()
	_, _ = sum.Write([]byte(p.engine + changes.Bucket))
	for _, t := range p.tables() {
		f := File{Table: t.Published(), Columns: p.columns(t), From: publishedOrder(t),
			About: aboutFile(t, p.options.ToolVersion)}
		_, _ = sum.Write([]byte(p.Sink.Copy(f)))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// aboutFile returns the metadata of a file. It is the same for every load.
func aboutFile(t schema.Table, toolVersion string) [][2]string {
	comments := map[string]string{}
	for _, c := range t.Published().Columns {
		comments[c.Name] = c.Doc
	}
	text, _ := json.Marshal(comments) // a map of strings has no error; its keys come sorted
	entries := [][2]string{{"table", t.Name}, {"comment", t.Doc}, {"column_comments", string(text)},
		{"schema_version", strconv.Itoa(schema.Version)}, {"tool_version", toolVersion}}
	if t.ByMonth() {
		entries = append(entries, [2]string{"partitioned_by",
			"month: the month, in UTC, of the message; '" + sql.NoMonth + "' for one without a time"})
	}
	return entries
}
