package pipelines

import (
	"runtime"
	"time"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/sinks"
	"pipeline/sql/schema"
)

// Options say what a run does.
type Options struct {
	Sources    []extract.Source
	Warehouse  string               // path of the DuckDB file
	Publish    []sinks.Target       // where the tables are published after a load, at most one for each sink
	Full       bool                 // load every conversation, changed or not
	Since      *schema.Millis       // only conversations with activity at or after this time
	Until      *schema.Millis       // only conversations whose last activity is before this time
	Projects   []string             // only conversations of the projects of these URIs, paths or names, or globs
	Aliases    []Alias              // what projects are called now, beside what the warehouse knows of that
	SessionGap time.Duration        // 0: DefaultSessionGap
	Usage      []extract.UsageFiles // files of usage, each folder once
	// name or address in files of usage of the person who uses the warehouse; "": as in the last load, none: nobody
	UsageUser string
	// estimate tokens and cost of turns of which no event is known; nil: as in the last load
	Estimate *bool
	// price list for that; none: the program's own where Estimate turns it on, else that of the last load
	Prices []schema.ModelPrice
	// of usage and price lists that cannot be found or read: the rest is loaded, and these are failures of the run
	Missing       []error
	Git           bool          // read the commits of the projects' repositories
	CommitWindow  time.Duration // 0: DefaultCommitWindow
	AcceptDeletes bool          // accept that more than half of a source's conversations are gone
	Workers       int           // number of workers; 0: one a core
	Memory        int64         // memory in bytes, at least MinMemory; 0: DefaultMemory
	// the process ends after the run: the warehouse is left, and not closed, see warehouse.Leave
	Ends bool

	ToolVersion string
	Host        string           // name of this machine
	MachineID   string           // identifies this machine, for source ids
	Now         func() time.Time // nil: time.Now
	// called with the progress of a phase, in conversations, checks or files; may be nil
	Progress func(done, total int)
	Warn     func(format string, args ...any) // called with warnings; may be nil
	Note     func(format string, args ...any) // called with what was done besides the load; may be nil
	// called when a phase begins, with one of the Phase constants; may be nil
	Phase func(name string)

	held int64                       // bytes of the largest conversation that is held; 0: a share of Memory
	meet func(*extract.Conversation) // called for each conversation before it is read; may be nil
}

// DefaultCommitWindow is how long before a commit a conversation may have been last active to count as leading to it.
const DefaultCommitWindow = 30 * time.Minute

// Phases of a run, and of other operations on a warehouse.
const (
	PhaseOpen     = "open"
	PhaseRead     = "read"
	PhaseMerge    = "merge" // rows are merged into the tables, and the models run
	PhaseCheck    = "check"
	PhaseCommit   = "commit"
	PhaseDone     = "done" // the load is committed; what follows is additional
	PhaseIndex    = "search index"
	PhasePublish  = "publish"
	PhaseReport   = "report"   // set by the caller of the run
	PhaseMarkdown = "markdown" // the same
	PhasePush     = "push"     // likewise
	PhaseReplay   = "replay"   // a rebuild repeats the loads
	PhaseCompact  = "compact"
	PhaseShrink   = "shrink"
)

// DefaultSessionGap is the longest pause within a session.
const DefaultSessionGap = 30 * time.Minute

func (o Options) withDefaults() Options {
	if o.SessionGap == 0 {
		o.SessionGap = DefaultSessionGap
	}
	if o.CommitWindow == 0 {
		o.CommitWindow = DefaultCommitWindow
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	if o.Warn == nil {
		o.Warn = func(string, ...any) {}
	}
	if o.Note == nil {
		o.Note = func(string, ...any) {}
	}
	if o.Phase == nil {
		o.Phase = func(string) {}
	}
	return o
}

// limits are the options that select conversations.
func (o Options) limits() load.Limits {
	return load.Limits{Since: o.Since, Until: o.Until, Projects: o.Projects}
}
