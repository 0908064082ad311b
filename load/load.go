// Package load keeps the rows: one transaction per run, everything or nothing.
//
// It knows storage (files, locks, transactions, columns) and how a run's rows take the place of earlier ones.
// It must never know what a chat is: which rows there are is package transform's, what they add up to package sql's.
package load

import (
	"context"

	"pipeline/load/figures"
	"pipeline/load/rawlog"
	"pipeline/sql/schema"
)

// A Warehouse is where rows end up. It is used by one run at a time.
type Warehouse interface {
	// State returns what earlier loads left.
	State(ctx context.Context) (*State, error)
	// Documents returns the shared rows of some stores, or of all of a source, as they were last read. It and LastRead may be called beside a load's
	// methods, as Load.Raw may be used.
	Documents(ctx context.Context, sourceID string, stores ...string) ([]schema.KnownDocument, error)
	// LastRead returns what the last load that came to a source recorded of its stores, by their names.
	LastRead(ctx context.Context, sourceID string) (map[string]*StoreRead, error)
	// UnknownFamilies are the patterns of unknown keys that earlier loads have met.
	UnknownFamilies(ctx context.Context) (map[FamilyKey]bool, error)
	// Projects lists the projects of the conversations that are stored.
	Projects(ctx context.Context) ([]Project, error)
	// Begin starts a load. Nothing is visible before Commit returns.
	Begin(ctx context.Context, settings Settings) (Load, error)
	// Close lets go of the file and its lock.
	Close() error
}

// A Rebuild is a warehouse that is made anew beside the one that it is to replace. It takes several loads.
type Rebuild interface {
	Warehouse
	// Scratch is the path of a file for what the rebuild needs meanwhile.
	Scratch() string
	// Place puts it in the place of the other one.
	Place() error
}

// State is what a run needs to know of earlier ones.
type State struct {
	First       bool            // there is no committed load
	LastLoadID  int64           // 0: none
	Sources     []schema.Source // as earlier loads saw them
	LastStatus  string          // status of the last load
	LastGood    *schema.Millis  // start of the last load that was whole and passed its checks
	Known       map[ConversationKey]schema.KnownConversation
	Stores      map[StoreKey]schema.KnownStore
	Meta        map[string]string               // settings of the warehouse, see Run.Meta
	GapMs       int64                           // session gap that the sessions were cut with; 0: none yet, every model is to run for everything
	WindowMs    int64                           // window before a commit in which conversations were looked for
	Rows        map[RowKey]RowState             // conversations that have a row; by ReadState only
	Quarantined map[ConversationKey]Quarantined // conversations of which rows are in quarantine
	Migration   *Migration                      // what opening it for this load took, by ReadState what it would take; nil: nothing
}

// Due reports a warehouse whose tables were migrated and that no load has filled since: all that the stores hold is to be read again.
func (s *State) Due() bool { return !s.First && s.GapMs == 0 }

// dueAgain makes a state what it will be after a migration.
func (s *State) dueAgain() {
	s.GapMs, s.WindowMs = 0, 0
	for key, known := range s.Known {
		known.TransformVersion = 0
		s.Known[key] = known
	}
}

// Project is a project of stored conversations.
type Project struct {
	URI, Path, Name string
	FirstAt         *schema.Millis // earliest time of a conversation; nil where none is known
}

// Quarantined is what is in quarantine of a conversation, and is not resolved.
type Quarantined struct {
	Families []string
	Live     bool // the conversation's row is neither deleted nor an orphan's
}

// RowKey names a conversation's row.
type RowKey struct{ SourceID, ConversationID string }

// RowState is what became of a conversation's row.
type RowState struct {
	Deleted, Orphaned bool
	NeverHeaded       bool // only messages of it were ever seen
}

// FamilyKey names a family of a source.
type FamilyKey struct{ SourceID, Family string }

// StoreKey names a store.
type StoreKey struct{ SourceID, Store string }

// ConversationKey names a conversation's rows: the store is part of it, as a conversation may move from one to another.
type ConversationKey struct {
	SourceID       string `col:"source_id"`
	Store          string `col:"store"`
	ConversationID string `col:"conversation_id"`
}

// Settings begin a load.
type Settings struct {
	Memory    Memory
	LoadID    int64
	StartedAt schema.Millis
	GapMs     int64
	GapBefore int64 // that of the last load

	WindowMs     int64 // window before a commit in which conversations are looked for
	WindowBefore int64 // that of the last load

	Recheck bool // run the checks even if nothing changed: the last load failed one

	Raw              bool                             // keep the versions of rows in the raw layer
	Rebuild          RebuildStep                      // which load of a rebuild it is
	Full             bool                             // of the raw layer's notes: every conversation is loaded, changed or not
	TransformVersion int64                            // of the raw layer's notes
	ToolVersion      string                           // of the raw layer's notes
	Warn             func(format string, args ...any) // may be nil
	Progress         func(done, total int)            // how many models, and then checks, have run; may be nil
	Checking         func()                           // is called before the checks run; may be nil
}

func (s Settings) withDefaults() Settings {
	s.Memory = s.Memory.orDefault()
	if s.Progress == nil {
		s.Progress = func(int, int) {}
	}
	if s.Checking == nil {
		s.Checking = func() {}
	}
	return s
}

// RebuildStep says which load of a rebuild one is.
type RebuildStep int

const (
	NoRebuild   RebuildStep = iota
	RebuildMore             // others follow: checks and views can wait
	RebuildLast             // it names the files of the raw layer
)

func (s Settings) warn(format string, args ...any) {
	if s.Warn != nil {
		s.Warn(format, args...)
	}
}

func (s Settings) rawLoad() rawlog.Load {
	return rawlog.Load{LoadID: s.LoadID, StartedAt: s.StartedAt, GapMs: s.GapMs, WindowMs: s.WindowMs, Full: s.Full, TransformVersion: s.TransformVersion, ToolVersion: s.ToolVersion}
}

// A Load is one run's transaction. Its methods are called by one goroutine.
type Load interface {
	// Replace announces that the rows of a conversation are about to be written, or, when none follow, that it is gone:
	// what is stored of it and not written again is marked as deleted.
	Replace(sourceID, conversationID string)
	// Write adds rows of announced conversations.
	Write(rows *schema.Rows) error
	// Remember sets what the next run knows of a conversation; Forget drops it.
	Remember(known schema.KnownConversation)
	Forget(key ConversationKey)
	// Holds reports that a table has a live row of a conversation with that id in a column, as it was before this load. It may be called beside the
	// others, as Raw may be used.
	Holds(ctx context.Context, table, column string, conversation RowKey, id string) (bool, error)
	// Raw is the raw layer; nil if the load keeps none. Its methods, too, are called by one goroutine, which may be another one.
	Raw() RawLayer
	// Source adds what a source's shared rows say.
	Source(rows SourceRows) error
	// Finish merges the rows, runs the models and the checks and returns what they found. It does not commit.
	Finish(ctx context.Context) (Outcome, error)
	// Commit writes the run's own rows and commits.
	Commit(ctx context.Context, run Run) error
	// Rollback undoes everything; after Commit it does nothing.
	Rollback() error
}

// SourceRows are the rows of a source that are read whole in each run.
type SourceRows struct {
	Source        schema.Source
	Workspaces    []schema.Workspace
	Prompts       []schema.Prompt
	DailyStats    []schema.DailyEditStats
	Quarantine    []schema.Quarantine
	Complete      []string               // stores that were read whole: what they no longer hold is marked as deleted
	Documents     []schema.KnownDocument // shared rows of the stores in Changed
	Changed       []string               // stores whose shared rows are not those of the last load
	Stores        []schema.KnownStore    // stores whose file is not as the last load saw it
	UnknownFields []schema.UnknownField  // of the shared rows of stores in Changed
	Unchanged     bool                   // all rows are those of the last load: only the source's own row is written
}

// Outcome is what a load did.
type Outcome struct {
	New, Changed, Deleted, Unchanged int64                 // conversations
	Quarantined                      int64                 // rows added or opened again
	NewFields                        []schema.UnknownField // that no earlier load has met
	Totals                           figures.Totals
	Failures                         []figures.CheckFailure
}

// Run is what a load records of itself.
type Run struct {
	Load     schema.Load
	Stores   []schema.LoadStore
	Families []schema.KeyFamily
	Meta     map[string]string // settings to keep for later runs
}
