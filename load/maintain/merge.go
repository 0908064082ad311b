package maintain

import (
	"context"
	"errors"
	"fmt"
	"os"

	"pipeline/load/engine"
	"pipeline/load/rawindex"
	"pipeline/load/rawlog"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/sqlrows"
)

// Files of the raw layer that are smaller than rawSmall are merged into files of up to rawMerged bytes.
const (
	rawSmall  = 8 << 20
	rawMerged = 128 << 20
)

// Merging says which small files of the raw layer were merged, or would be.
type Merging struct {
	Files      int   `json:"files"`      // small ones
	Into       int   `json:"files_into"` // files that they are merged into
	Bytes      int64 `json:"bytes"`      // of the small ones
	BytesAfter int64 `json:"bytes_after"`
	AllFiles   int   `json:"raw_files"` // of the layer, before
	AllBytes   int64 `json:"raw_bytes"`
	merges     []*rawlog.Merge
}

// readNamed reads what the warehouse says of the layer's files.
func (m *Maintenance) readNamed(ctx context.Context) (err error) {
	if m.held, err = rawindex.KnownParts(ctx, m.s.Conn); err != nil {
		return err
	}
	m.named, err = sqlrows.Map[string, rawFile](ctx, m.s.Conn, `SELECT path, bytes, sha256 FROM raw_files`)
	return err
}

// PlanMerging finds small files, by source and in their order. It leaves a single file as it is, so a second merging
// finds nothing. A merged file covers the numbers from its first file to its last: so no group goes on past a number
// whose file is not in it, as that file may be put back from a backup one day.
func (m *Maintenance) PlanMerging() (*Merging, error) {
	counting, _ := rawlog.Split(m.files)
	merging := &Merging{}
	groups := map[string]*group{}
	for _, f := range counting {
		named, known := m.named[f.String()]
		if known {
			merging.AllFiles++
			merging.AllBytes += named.bytes
		}
		g := groups[f.Source]
		if g == nil {
			g = &group{}
			groups[f.Source] = g
		}
		isSmall := known && named.bytes < rawSmall && rawlog.Resized(f.In(m.layer.Dir), named.bytes) == ""
		if !isSmall || g.bytes+named.bytes > rawMerged || m.lacks(g, f) {
			m.end(merging, g)
		}
		if isSmall {
			g.files, g.bytes = append(g.files, f), g.bytes+named.bytes
		}
	}
	for _, g := range groups {
		m.end(merging, g)
	}
	return merging, m.findParts(merging)
}

// A group is small files of a source that follow each other.
type group struct {
	files []rawlog.Path
	bytes int64
}

// lacks reports whether a number between a group and a file is that of a file which is not there.
func (m *Maintenance) lacks(g *group, f rawlog.Path) bool {
	if len(g.files) == 0 {
		return false
	}
	for seq := g.files[len(g.files)-1].Seq + 1; seq < f.First; seq++ {
		if !m.held[seq] {
			return true
		}
	}
	return false
}

// end ends a group, and plans to merge its files if there are several.
func (m *Maintenance) end(merging *Merging, g *group) {
	if n := len(g.files); n > 1 {
		merge := &rawlog.Merge{Final: rawlog.MergedPath(g.files[0].Source, g.files[0].First, g.files[n-1].Seq)}
		for _, f := range g.files {
			merge.Of = append(merge.Of, rawlog.Found{Path: f})
		}
		merging.merges = append(merging.merges, merge)
		merging.Files, merging.Into, merging.Bytes = merging.Files+n, merging.Into+1, merging.Bytes+g.bytes
	}
	*g = group{}
}

// findParts reads what the files to merge record of themselves.
func (m *Maintenance) findParts(merging *Merging) (err error) {
	for _, merge := range merging.merges {
		for i := range merge.Of {
			f := &merge.Of[i]
			if f.Parts, err = rawlog.ReadParts(m.layer.Dir, f.Path); err != nil {
				return fmt.Errorf("the file %s of the raw layer cannot be read: %w; 'pipeline check --deep' says what "+
					"to do", f.In(m.layer.Dir), err)
			}
		}
	}
	return nil
}

// Merge merges the files and commits. A kill at any moment leaves every version once: the merged file is written under
// a scratch name, and read again; it is renamed, and counts from then on; the transaction that names it is committed;
// the files that it covers are removed.
func (m *Maintenance) Merge(ctx context.Context, merging *Merging, progress func(done, all int)) (err error) {
	if len(merging.merges) == 0 && !m.layer.Changed() {
		return nil
	}
	if err := m.writeAll(ctx, merging.merges, progress); err != nil {
		return engine.WithRemedy(fmt.Errorf("merge files of the raw layer: %w", err))
	}
	for _, f := range merging.merges {
		merging.BytesAfter += f.Row.Bytes
		for _, old := range f.Of {
			if err := m.layer.Forget(ctx, old.String()); err != nil {
				return err
			}
		}
		if err := m.layer.Register(ctx, f.Final, f.Parts, f.Row); err != nil {
			return err
		}
	}
	return m.commit(ctx, merging.merges)
}

// writeAll writes the merged files. Until it renames the first one, an error leaves everything as it was.
func (m *Maintenance) writeAll(ctx context.Context, files []*rawlog.Merge, progress func(done, all int)) (err error) {
	defer func() {
		for _, f := range files {
			if err != nil && f.Scratch != "" {
				_ = os.Remove(f.Scratch) // if it stays, the next run sweeps it
			}
		}
	}()
	for i, f := range files {
		progress(i, len(files))
		if err := m.readable(f); err != nil {
			return err
		}
		if err := f.Write(ctx, m.layer.Dir, m.memory.Group); err != nil {
			return err
		}
	}
	if err := errors.Join(ctx.Err(), beforeMergeName.Reach()); err != nil {
		return err
	}
	for _, f := range files {
		if err := errors.Join(atomicfile.Rename(f.Scratch, f.Final.In(m.layer.Dir)),
			afterMergeName.Reach()); err != nil {
			return err
		}
	}
	return nil
}

// readable returns an error if a file has changed since it was written: its copy would seem sound.
func (m *Maintenance) readable(f *rawlog.Merge) error {
	for _, old := range f.Of {
		sum, _, err := atomicfile.Sum(old.In(m.layer.Dir))
		if err == nil && sum != m.named[old.String()].sum {
			err = fmt.Errorf("%s is not as it was written: nothing was changed; 'pipeline check --deep' says what to "+
				"do", old.In(m.layer.Dir))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// commit ends the transaction and removes the files that are covered.
func (m *Maintenance) commit(ctx context.Context, files []*rawlog.Merge) error {
	if err := beforeMergeCommit.Reach(); err != nil {
		return err
	}
	if err := m.s.Exec(context.WithoutCancel(ctx), `COMMIT`); err != nil {
		return err
	}
	if err := errors.Join(afterMergeCommit.Reach(), m.w.PutInPlace()); err != nil {
		return err
	}
	for _, f := range files {
		for _, old := range f.Of {
			m.layer.Discard(old.Path)
			if err := afterDiscard.Reach(); err != nil {
				return err
			}
		}
	}
	return nil
}
