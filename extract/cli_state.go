package extract

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"time"
)

// chat is the folder of a chat, or a transcript that stands for it.
type chat struct {
	store       string // path of the folder or of the transcript, below the source's folder, with slashes
	dir         string // "" for a transcript
	id          string
	state       string    // a hash of the state that its files were in when it was listed; "" if it is not certain
	changed     time.Time // of its store or the -wal
	bytes       int64
	transcripts []*transcriptFile
	trusted     *trusted // the file that names its folder; nil for none
	copies      []string // other folders of the same chat that have a store, the newest first
}

// cliSnapshot is the Snapshot of the chats of a home. Each chat is one state of its own store.
type cliSnapshot struct {
	StillSnapshot
	src    Source
	how    OpenOptions
	chats  []*chat // in the order in which they count: those that have a store, then those that have transcripts alone
	empty  int64   // folders without a store
	failed map[string]error
	held   *chat // whose rows are held
	rows   []*Document
	info   StoreInfo
	counts map[string]FamilyCount // of rows that were read, by family
	odd    int64                  // files that are named like transcripts, where none is known
}

// Stores reports on all chats together, and on each, and each folder of chats, that could not be read.
func (s *cliSnapshot) Stores() []StoreReport {
	all := StoreReport{Store: CLIStore, Info: s.info, RowsSeen: int64(len(s.chats))}
	always := []string{FamilyCLINode, FamilyCLIMeta, FamilyCLIFile}
	if slices.ContainsFunc(s.chats, func(c *chat) bool { return len(c.transcripts) > 0 }) {
		always = append(always, FamilyTranscript)
	}
	for _, family := range []string{FamilyCLINode, FamilyCLIMeta, FamilyCLIFile, FamilyTranscript, FamilyCLICopy,
		FamilyTrusted} {
		count := s.counts[family]
		count.Family, count.Handling = family, HandlingOf(family)
		if all.RowsRead += count.Rows; count.Rows > 0 || slices.Contains(always, family) {
			all.Families = append(all.Families, count)
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

// chatFiles are the files of a chat whose state tells whether it has changed.
var chatFiles = []string{"store.db", "store.db" + walEnd, "store.db" + journalEnd, "meta.json"}
