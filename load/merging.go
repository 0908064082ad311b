package load

import (
	"context"

	"pipeline/load/rawlog"
)

// Sizes of files of the raw layer: those below the first are put together into ones of up to the second.
const (
	rawSmall  = 8 << 20
	rawMerged = 128 << 20
)

// Merging says which small files of the raw layer were, or would be, put together.
type Merging struct {
	Files      int   `json:"files"`      // small ones
	Into       int   `json:"files_into"` // files that they are put together into
	Bytes      int64 `json:"bytes"`      // of the small ones
	BytesAfter int64 `json:"bytes_after"`
	AllFiles   int   `json:"raw_files"` // of the layer, before
	AllBytes   int64 `json:"raw_bytes"`
	rewrites   []*rawlog.Rewrite
}

// PlanMerging looks for small files, by source and in their order. A file alone stays as it is: a second time finds nothing.
func (h *House) PlanMerging() *Merging {
	m := &Merging{AllFiles: len(h.files), AllBytes: h.fileBytes(h.files)}
	small := map[string][]rawlog.Found{}
	var sources []string
	for _, f := range h.files {
		if h.bytes[f.String()] < rawSmall {
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
				m.rewrites = append(m.rewrites, h.plan(group))
				m.Files, m.Into, m.Bytes = m.Files+len(group), m.Into+1, m.Bytes+h.fileBytes(group)
			}
			group = nil
		}
		for _, f := range small[source] {
			if h.fileBytes(group)+h.bytes[f.String()] > rawMerged {
				end()
			}
			group = append(group, f)
		}
		end()
	}
	return m
}

// Merge puts the files together and commits.
func (h *House) Merge(ctx context.Context, m *Merging, progress func(done, all int)) error {
	if len(m.rewrites) == 0 && !h.changed {
		return nil
	}
	whole := func(context.Context, *rawlog.Rewrite) error { return nil }
	if err := h.rewriteAll(ctx, m.rewrites, whole, progress); err != nil {
		return err
	}
	for _, f := range m.rewrites {
		m.BytesAfter += f.Row.Bytes
	}
	return h.commit(ctx, m.rewrites)
}
