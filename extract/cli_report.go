package extract

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
)

// Stores reports on all chats together, and on each, and each folder of chats, that could not be read.
func (s *cliSnapshot) Stores() []StoreReport {
	all := StoreReport{Store: CLIStore, Info: s.info, RowsSeen: int64(len(s.chats)),
		RowsRead: s.meta.Rows + s.file.Rows + s.nodes.Rows + s.copies.Rows + s.said.Rows + s.trust.Rows,
		Families: []FamilyCount{s.nodes, s.meta, s.file}}
	if slices.ContainsFunc(s.chats, func(c *chat) bool { return len(c.transcripts) > 0 }) {
		all.Families = append(all.Families, s.said)
	}
	for _, some := range []FamilyCount{s.copies, s.trust} {
		if some.Rows > 0 {
			all.Families = append(all.Families, some)
		}
	}
	for _, left := range []FamilyCount{{Family: "cli.empty", Rows: s.empty},
		{Family: "transcript.unknown", Rows: s.odd}} {
		if left.Handling = RawOnly; left.Rows > 0 {
			all.Families = append(all.Families, left)
		}
	}
	out := []StoreReport{all}
	for _, store := range slices.Sorted(maps.Keys(s.failed)) {
		report := StoreReport{Store: store,
			Info: StoreInfo{Path: filepath.Join(s.src.UserDir, filepath.FromSlash(store))}, Err: s.failed[store]}
		if known := (*StoreError)(nil); errors.As(report.Err, &known) {
			report.Info.Path = known.Path
		}
		out = append(out, report)
	}
	return out
}
