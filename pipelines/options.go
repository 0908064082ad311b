package pipelines

import (
	"runtime"
	"time"

	"pipeline/extract"
	"pipeline/load/sinks"
	"pipeline/pipelines/plan"
	"pipeline/sql/schema"
)

// Options say what a run does.
type Options struct {
	Sources       []extract.Source
	Warehouse     string           // path of the DuckDB file
	Publish       []sinks.Target   // where the tables are published after a load, at most one for each sink
	Full          bool             // load every conversation, changed or not
	Since         *schema.Millis   // only conversations with activity at or after it
	Until         *schema.Millis   // only conversations whose last activity is before it
	Projects      []string         // only conversations of the projects of these URIs, paths or names, or globs
	SessionGap    time.Duration    // 0: DefaultSessionGap
	Git           bool             // read the commits of the projects' repositories
	CommitWindow  time.Duration    // 0: DefaultCommitWindow
	AcceptDeletes bool             // believe that more than half of a source's conversations are gone
	Retention     time.Duration    // how long versions and loads are kept that others took the place of; 0: for ever
	Raw           extract.RawLevel // rows of which the raw layer keeps every version; RawNone: there is no raw layer
	Workers       int              // 0: one a core
	Memory        int64            // bytes to take, at least MinMemory; 0: DefaultMemory

	ToolVersion string
	Host        string                           // name of this machine
	MachineID   string                           // identifies this machine in source ids
	Now         func() time.Time                 // nil: time.Now
	Progress    func(done, total int)            // how much of the phase is done, of conversations, checks or files; may be nil
	Warn        func(format string, args ...any) // may be nil
	Note        func(format string, args ...any) // is told what was done beside the load; may be nil
	Phase       func(name string)                // is told what begins, one of the Phase constants; may be nil
}

// Phases of a run, and of what else is done to a warehouse.
const (
	PhaseOpen    = "open"
	PhaseRead    = "read"
	PhaseMerge   = "merge" // what was read goes into the tables, and the models run
	PhaseCheck   = "check"
	PhaseCommit  = "commit"
	PhaseDone    = "done" // the load is in the warehouse; what follows is beside it
	PhaseIndex   = "search index"
	PhaseRetain  = "retain"
	PhasePublish = "publish"
	PhaseReport  = "report" // by who called for the run
	PhaseReplay  = "replay" // a rebuild makes the loads anew
	PhaseCompact = "compact"
	PhaseShrink  = "shrink"
)

// DefaultSessionGap is how long nothing may happen within a session.
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

// limits are what is asked for of conversations.
func (o Options) limits() plan.Limits {
	return plan.Limits{Since: o.Since, Until: o.Until, Projects: o.Projects}
}
