package load

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// publication compares the Parquet files with what was written, and with the tables.
func (v *Verification) publication(ctx context.Context, warehouse, dir string, digests map[string]digest) (err error) {
	repair := repairRun + " --parquet " + dir
	folder, err := currentFolder(dir)
	if err != nil {
		v.damaged("folder "+dir, repair, "it has no current publication: %v", err)
		return nil
	}
	m, err := readManifest(folder)
	if err != nil {
		v.damaged("file "+filepath.Join(folder, manifestName), repair, "the list of the published files cannot be read: %v", err)
		return nil
	}
	damaged := v.publishedFiles(m, folder, repair)
	if !published(ctx, warehouse, folder) && !damaged["loads"] {
		v.Notes = append(v.Notes, "the publication "+filepath.Base(folder)+" is not of the latest load: it is read, and not compared with the warehouse")
		return nil
	}
	files := &digester{}
	defer func() { err = errors.Join(err, files.close()) }()
	for _, t := range publishedTables() {
		if damaged[t.Name] {
			continue
		}
		paths := m.tableFiles(t, folder)
		where := "table " + t.Name + " in " + folder
		if len(paths) == 0 {
			v.damaged(where, repair, "no file of it is listed")
			continue
		}
		for i := range paths {
			paths[i] = engine.Literal(paths[i])
		}
		d, err := files.ask(ctx, digestQuery(t, "read_parquet(["+strings.Join(paths, ", ")+"], hive_partitioning = false)"))
		switch {
		case err != nil:
			v.damaged(where, repair, "it cannot be read: %v", engine.FirstLine(err.Error()))
		case d != digests[t.Name] && t.Scope == schema.ByLoad && d.rows > digests[t.Name].rows:
			v.Notes = append(v.Notes, where+" has more rows than the warehouse: housekeeping has removed some since; the next publication follows")
		case d != digests[t.Name]:
			v.damaged(where, repair, "it has other rows than the warehouse: %d, not %d", d.rows, digests[t.Name].rows)
		}
	}
	return nil
}

// publishedFiles looks for files that are not as they were written, and for others beside them, which readers would take in. It returns the
// tables that have one of the first kind.
func (v *Verification) publishedFiles(m *manifest, folder, repair string) map[string]bool {
	damaged := map[string]bool{}
	for _, f := range m.Files {
		v.Parquet++
		if problem := f.problem(folder); problem != "" {
			damaged[f.Table] = true
			v.damaged("file "+filepath.Join(folder, filepath.FromSlash(f.Path)), repair, "%s", problem)
		}
	}
	found, foreign, err := lookInto(folder)
	if err != nil {
		v.damaged("folder "+folder, repair, "it cannot be looked into: %v", err)
	}
	for _, path := range found {
		if !slices.ContainsFunc(m.Files, func(f publishedFile) bool { return f.Path == path }) {
			v.damaged("file "+filepath.Join(folder, filepath.FromSlash(path)), repair, "it is not in the list of the published files, and readers take it in")
		}
	}
	for _, path := range foreign {
		file := filepath.Join(folder, filepath.FromSlash(path))
		if filepath.Ext(path) == ".parquet" {
			v.damaged("file "+file, "move the file away", "it is not ours, and readers take it in")
			continue
		}
		v.Notes = append(v.Notes, file+" is not ours: the publication that it is in will not be removed")
	}
	return damaged
}
