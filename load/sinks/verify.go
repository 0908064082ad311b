package sinks

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pipeline/load/digest"
	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// Verification lists the damages of a publication.
type Verification struct {
	Files   int
	Damages []Damage
	Notes   []string
}

// Damage is a table, a check or a file that is not as it was written.
type Damage struct {
	Where   string `json:"where"` // a table, a check or a file
	Problem string `json:"problem"`
	Repair  string `json:"repair"` // the command that mends it
}

func (v *Verification) damaged(where, repair, problem string, args ...any) {
	v.Damages = append(v.Damages, Damage{where, fmt.Sprintf(problem, args...), repair})
}

// Repair returns the command that publishes anew.
func (t Target) Repair() string {
	if t.Redaction != nil {
		return "pipeline export " + t.Sink.About().Name + " --redact " + t.Dir
	}
	return "pipeline run --" + t.Sink.About().Name + " " + t.Dir
}

// Verify compares the files of the current publication with the list, and its tables with the digests of the
// warehouse's tables.
func (t Target) Verify(ctx context.Context, warehouse string, tables map[string]digest.Digest) (v *Verification,
	err error) {
	v = &Verification{}
	folder, err := currentFolder(t.Dir)
	if err != nil {
		v.damaged("folder "+t.Dir, t.Repair(), "it has no current publication: %v", err)
		return v, nil
	}
	m, err := readManifest(folder)
	if err != nil {
		v.damaged("file "+filepath.Join(folder, manifestName), t.Repair(),
			"the list of the published files cannot be read: %v", err)
		return v, nil
	}
	if m.Redaction != 0 {
		t.Redaction = &Redaction{Version: m.Redaction}
	}
	damaged := t.verifyFiles(v, m, folder)
	if m.Redaction != 0 {
		v.Notes = append(v.Notes, "the publication "+filepath.Base(folder)+
			" is redacted: its files are as they were written, and cannot be compared with the warehouse")
		return v, nil
	}
	if !t.compare(ctx, warehouse, folder) && !damaged[loadsTable] {
		v.Notes = append(v.Notes, "the publication "+filepath.Base(folder)+
			" is not of the latest load: it is read, and not compared with the warehouse")
		return v, nil
	}
	// a run writes what has changed, and with --full all
	repair := strings.Replace(t.Repair(), "run ", "run --full ", 1)
	files, rows := &digest.Reader{}, &digest.Reader{Warehouse: warehouse}
	defer func() { err = errors.Join(err, files.Close(), rows.Close()) }()
	for _, table := range publishedTables() {
		if damaged[table.Name] {
			continue
		}
		want := tables[table.Name]
		if table.Is(schema.Live) {
			if want, err = rows.Read(ctx, table.Published(), publishedRows(table)); err != nil {
				// the damage is the warehouse's
				v.Notes = append(v.Notes, table.Name+" is read, and not compared with the warehouse: "+
					engine.FirstLine(err.Error()))
				continue
			}
		}
		t.verifyTable(ctx, v, files, table.Published(), m.tablePaths(table, folder), want, folder, repair)
	}
	return v, nil
}

// verifyTable compares the files of a table with the table's digest in the warehouse.
func (t Target) verifyTable(ctx context.Context, v *Verification, files *digest.Reader, table schema.Table,
	paths []string, want digest.Digest, folder, repair string) {
	where := "table " + table.Name + " in " + folder
	if len(paths) == 0 {
		v.damaged(where, t.Repair(), "no file of it is listed")
		return
	}
	have := digest.Digest{}
	from, err := t.Sink.Scan(table, paths)
	if err == nil {
		have, err = files.Read(ctx, table, from)
	}
	switch {
	case err != nil:
		v.damaged(where, t.Repair(), "it cannot be read: %v", engine.FirstLine(err.Error()))
	case have != want && table.Scope == schema.ByLoad && have.Rows > want.Rows:
		v.Notes = append(v.Notes, where+" has more rows than the warehouse: a prune removed some since; the next "+
			"publication will match")
	case have != want:
		v.damaged(where, repair, "it has other rows than the warehouse: %d, not %d", have.Rows, want.Rows)
	}
}

// verifyFiles finds files that are not as they were written, and foreign files that readers would read, too. It returns
// the tables that have a damaged file.
func (t Target) verifyFiles(v *Verification, m *manifest, folder string) map[string]bool {
	damaged := map[string]bool{}
	for _, f := range m.Files {
		v.Files++
		if problem := f.problem(folder); problem != "" {
			damaged[f.Table] = true
			v.damaged("file "+filepath.Join(folder, filepath.FromSlash(f.Path)), t.Repair(), "%s", problem)
		}
	}
	found, foreign, err := t.lookInto(folder)
	if err != nil {
		v.damaged("folder "+folder, t.Repair(), "it cannot be looked into: %v", err)
	}
	for _, path := range found {
		if !slices.ContainsFunc(m.Files, func(f publishedFile) bool { return f.Path == path }) {
			v.damaged("file "+filepath.Join(folder, filepath.FromSlash(path)), t.Repair(),
				"it is not in the list of the published files, and readers take it in")
		}
	}
	for _, path := range foreign {
		file := filepath.Join(folder, filepath.FromSlash(path))
		if filepath.Ext(path) == t.Sink.About().Extension {
			v.damaged("file "+file, "move the file away", "it is not ours, and readers take it in")
			continue
		}
		v.Notes = append(v.Notes, file+" is not ours: the publication that it is in will not be removed")
	}
	return damaged
}
