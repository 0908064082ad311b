// Package load has the types that the packages below it share: the settings of a load, its rows, its outcome, and the
// keys of rows.
//
// Package load/warehouse writes a load, in one transaction. The packages below load know storage (files, locks,
// transactions, columns). They must never know what a chat is: package transform makes the rows, and package sql has
// the queries over them.
package load

import (
	"pipeline/load/figures"
	"pipeline/sql/schema"
)

// State is what a run needs to know of earlier runs.
type State struct {
	First      bool            // there is no committed load
	LastLoadID int64           // 0: none
	Sources    []schema.Source // as earlier loads saw them
	LastStatus string          // status of the last load
	LastGood   *schema.Millis  // start of the last load that was whole and passed its checks
	Known      map[schema.OwnerKey]schema.Owner
	Stores     map[StoreKey]schema.KnownStore
	Meta       map[string]string // settings of the warehouse, see Run.Meta
	// session gap that the sessions were cut with; 0: none yet, every model is to run for everything
	SessionGapMs   int64
	CommitWindowMs int64                           // window before a commit in which conversations were looked for
	Rows           map[RowKey]RowState             // conversations that have a row; by ReadState only
	Quarantined    map[schema.OwnerKey]Quarantined // owners of which rows are in quarantine
	Aliases        map[string]Project              // what a project is called now, by its old URI: the direct alias
	Given          []Alias                         // those of Aliases that a person gave
	// price list of the last load, by model and day; none: nothing is estimated
	Prices []schema.ModelPrice
	// what opening it for this load took, by ReadState what it would take; nil: nothing
	Migration *Migration
}

// Due reports whether the tables were migrated and no load has filled them since. Then a run must read everything in
// the stores again.
func (s *State) Due() bool { return !s.First && s.SessionGapMs == 0 }

// Project is a project that conversations belong to.
type Project struct {
	URI, Path, Name string
	Old             string         // the URI that conversations were recorded with, where the project has a new name
	FirstAt         *schema.Millis // earliest time of a conversation; nil where none is known
}

// An Alias says that a project has a new name.
type Alias struct {
	ProjectURI string
	New        Project // the zero value takes the alias back
}

// Quarantined is the unresolved rows of a conversation in quarantine.
type Quarantined struct {
	Families []string
	Live     bool     // the conversation's row is neither deleted nor an orphan's
	Missing  []string // names of nodes of its graph that were not there, some if there are many
}

// RowKey names a conversation's row.
type RowKey struct{ SourceID, ConversationID string }

// RowState says whether a conversation is deleted, orphaned or known only by its messages.
type RowState struct {
	Deleted, Orphaned bool
	NeverHeaded       bool // only messages of it were ever seen, if Title and Mode are nil or those that lists give it
	Title, Mode       *string
}

// FamilyKey names a family of a source.
type FamilyKey struct{ SourceID, Family string }

// StoreKey names a store.
type StoreKey struct{ SourceID, Store string }

// Settings are the settings of a load.
type Settings struct {
	Memory       Memory
	LoadID       int64
	StartedAt    schema.Millis
	SessionGapMs int64
	GapBefore    int64 // that of the last load

	CommitWindowMs int64 // window before a commit in which conversations are looked for
	WindowBefore   int64 // that of the last load

	Aliases []Alias // that the user gives

	// price list that estimates are made with, by model and day; none: nothing is estimated
	Prices       []schema.ModelPrice
	PricesBefore []schema.ModelPrice // that of the last load

	UsageUser       string // hash of the person who uses the warehouse, "" for none
	UsageUserBefore string // that of the last load

	Recheck bool // run the checks even if nothing changed: the last load failed one

	Raw     bool        // keep the versions of rows in the raw layer
	Rebuild RebuildStep // which load of a rebuild it is
	// of the raw layer's notes: every conversation is loaded, changed or not
	Full             bool
	Limits           Limits                           // of the raw layer's notes
	TransformVersion int64                            // of the raw layer's notes
	ToolVersion      string                           // of the raw layer's notes
	Warn             func(format string, args ...any) // may be nil
	Progress         func(done, total int)            // how many models, and then checks, have run; may be nil
	Checking         func()                           // is called before the checks run; may be nil
}

// Limits are the conversations that a load is for.
type Limits struct {
	Since, Until *schema.Millis // only those whose last activity is at or after Since, and before Until
	Projects     []string       // only those of these projects
}

// Narrowed loads see only some of the conversations: they mark none as deleted.
func (l Limits) Narrowed() bool { return len(l.Projects) > 0 || l.Timed() }

// Timed loads see only conversations of a period.
func (l Limits) Timed() bool { return l.Since != nil || l.Until != nil }

// Within reports whether a conversation's last activity is within the wanted period. A conversation without a time is
// not.
func (l Limits) Within(last *schema.Millis) bool {
	if !l.Timed() {
		return true
	}
	return last != nil && (l.Since == nil || *last >= *l.Since) && (l.Until == nil || *last < *l.Until)
}

// WithDefaults returns the settings with defaults for the fields that are not set.
func (s Settings) WithDefaults() Settings {
	s.Memory = s.Memory.OrDefault()
	if s.Warn == nil {
		s.Warn = func(string, ...any) {}
	}
	if s.Progress == nil {
		s.Progress = func(int, int) {}
	}
	if s.Checking == nil {
		s.Checking = func() {}
	}
	return s
}

// RebuildStep says which load of a rebuild a load is.
type RebuildStep int

const (
	NoRebuild   RebuildStep = iota
	RebuildMore             // others follow: checks and views can wait
	RebuildLast             // it names the files of the raw layer
)

// SourceRows are the rows of a source that each run reads completely.
type SourceRows struct {
	Source     schema.Source
	Workspaces []schema.Workspace
	Prompts    []schema.Prompt
	DailyStats []schema.DailyEditStats
	McpServers []schema.McpServer // that the settings name
	Quarantine []schema.Quarantine
	Complete   []string // stores that were read whole: what they no longer hold is marked as deleted
	// stores whose shared rows are not those of the last load, which were written before
	Changed       []string
	Stores        []schema.KnownStore   // stores whose file is not as the last load saw it
	UnknownFields []schema.UnknownField // of the shared rows of stores in Changed
	Elements      []schema.LoadElement  // of the shared rows of stores in Changed
	LostPlaces    []schema.OwnerKey     // stores that are gone while the rows of their conversations stay
	Unchanged     bool                  // all rows are those of the last load: only the source's own row is written
}

// Outcome is the result of a load.
type Outcome struct {
	New, Changed, Deleted, Unchanged int64                 // conversations
	Quarantined                      int64                 // rows added or opened again
	NewFields                        []schema.UnknownField // that no earlier load has met
	Totals                           figures.Totals
	Failures                         []figures.CheckFailure
}

// StoreRead is the record of a load about a store.
type StoreRead struct {
	RowsSeen, RowsRead int64
	IsComplete         bool
	Families           []schema.KeyFamily
}

// Migration describes the addition of the tables and columns that a warehouse lacks, done or to be done.
type Migration struct {
	CopyPath string `json:"copy"` // of the warehouse as it was
}

// Run has the rows and settings in which a load describes itself.
type Run struct {
	Load schema.Load
	Meta map[string]string // settings to keep for later runs
}

// MetaFactsDue is the setting of a warehouse that says that shared rows have changed, or are read by another version,
// and some conversations have not been compared with them yet.
const MetaFactsDue = "facts_due"
