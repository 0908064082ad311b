package maintain

import (
	"context"

	"pipeline/load/rawlog"
)

// Files of the raw layer that are smaller than rawSmall are put together into files of up to rawMerged bytes.
const (
	rawSmall  = 8 << 20
	rawMerged = 128 << 20
)

// Merging says which small files of the raw layer were put together, or would be.
type Merging struct {
	Files      int   `json:"files"`      // small ones
	Into       int   `json:"files_into"` // files that they are put together into
	Bytes      int64 `json:"bytes"`      // of the small ones
	BytesAfter int64 `json:"bytes_after"`
	AllFiles   int   `json:"raw_files"` // of the layer, before
	AllBytes   int64 `json:"raw_bytes"`
	rewrites   []*rawlog.Rewrite
}

// PlanMerging finds small files, by source and in their order. It leaves a single file as it is, so a second merging finds nothing.
func (m *Maintenance) PlanMerging() *Merging {
	merging := &Merging{AllFiles: len(m.files), AllBytes: m.fileBytes(m.files)}
	small := map[string][]rawlog.Found{}
	var sources []string
	for _, f := range m.files {
		if m.bytes[f.String()] < rawSmall {
			if small[f.Source] == nil {
				sources = append(sources, f.Source)
			}
			small[f.Source] = append(small[f.Source], f)
		}
	}
	for _, source := range sources {
		var group []rawlog.Found
		end := func() {
			if len(group) > 1 {
				merging.rewrites = append(merging.rewrites, m.plan(group))
				merging.Files, merging.Into, merging.Bytes = merging.Files+len(group), merging.Into+1, merging.Bytes+m.fileBytes(group)
			}
			group = nil
		}
		for _, f := range small[source] {
			if m.fileBytes(group)+m.bytes[f.String()] > rawMerged {
				end()
			}
			group = append(group, f)
		}
		end()
	}
	return merging
}

// Merge puts the files together and commits.
func (m *Maintenance) Merge(ctx context.Context, merging *Merging, progress func(done, all int)) error {
	if len(merging.rewrites) == 0 && !m.changed {
		return nil
	}
	whole := func(context.Context, *rawlog.Rewrite) error { return nil }
	if err := m.rewriteAll(ctx, merging.rewrites, whole, progress); err != nil {
		return err
	}
	for _, f := range merging.rewrites {
		merging.BytesAfter += f.Row.Bytes
	}
	return m.commit(ctx, merging.rewrites)
}
