// Package push puts a warehouse's rows into a store of objects that many machines share, and that other engines read.
//
// A push writes immutable objects, and one commit after them. The unit is a conversation, and each table whose rows
// belong to none: a changed unit is sent whole, and its newest version counts. Nothing is ever changed in place, and no
// clock decides anything: a commit's number does. docs/team.md says how the objects are laid out and read.
//
// It knows tables, units and objects. It must never know what a row means, or how secrets and names are found in a
// text.
package push

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pipeline/load/engine"
	"pipeline/load/objects"
	"pipeline/sql/schema"
)

// Levels say what leaves the machine, from the strictest on.
const (
	Metadata = "metadata" // ids, times, numbers, words of lists; names of projects as pseudonyms, or not at all
	Redacted = "redacted" // texts too, without secrets and without the names of home folders
	Full     = "full"     // as in the warehouse
)

// Levels are all levels, the strictest first.
var Levels = []string{Metadata, Redacted, Full}

// Options are the options of a push.
type Options struct {
	Warehouse string
	Store     objects.Store
	Target    string // names the store, for the cache of its commits
	Level     string
	// whether rows of a project leave the machine; nil: all. It is asked of every name that a project has, and one that
	// leaves is enough
	Only func(p Project) bool
	// whether they do not, whatever Only says; nil: none is denied. One name that is denied is enough
	Deny func(p Project) bool
	// denied projects that the warehouse may lack: their names go out of texts, too
	Named []Project
	Since time.Time // rows that are older do not leave the machine; zero: all may
	// takes secrets out of a text of a column, such as messages.text. Several goroutines call it
	Redact func(text, column string) string
	// hears of each name of a denied project that is taken out of what is sent; may be nil. Several goroutines call it
	Hidden     func(name, column string)
	Pseudonym  func(name string) string // for names of projects at level metadata; nil: they are left out
	Redaction  int64                    // version of Redact
	Checkpoint bool                     // send every unit again
	// how long after a checkpoint a push makes another one; 0: defaultCheckpoint
	CheckpointEvery time.Duration
	NewMachine      bool     // begin as another machine
	Withdraw        []string // ids of conversations that never leave the machine again
	Force           bool     // push an older state of the warehouse over a newer one
	DryRun          bool
	// of text in one commit, about: a larger push is several commits, each whole in itself; 0: defaultBytes
	MaxBytes    int64
	ToolVersion string
	Now         time.Time
	Progress    func(done, total int) // files; may be nil
}

// Result is the result of a push.
type Result struct {
	Machine string `json:"machine"`
	// number of the last commit; 0: nothing was to be done, or it was a dry run
	Seq       int64          `json:"seq"`
	Commits   int            `json:"commits"` // one, or more of a large push
	PushID    string         `json:"push_id"`
	Level     string         `json:"level"`
	Units     int            `json:"units"`     // that were put
	Withdrawn int            `json:"withdrawn"` // that are there no more, or may not be there
	Known     int            `json:"units_known"`
	Rows      map[string]int `json:"rows"` // by table, of what was put
	Files     int            `json:"files"`
	Skipped   int            `json:"files_skipped"` // an earlier attempt had sent them
	Bytes     int64          `json:"bytes"`
	DryRun    bool           `json:"dry_run"`
	Stats     objects.Stats  `json:"requests"`
}

// ForeignError says that a store has commits of this machine that another warehouse has made, or that it lacks some.
type ForeignError struct{ Message string }

func (e *ForeignError) Error() string { return e.Message }

// Push sends what has changed since the last push. A push that was interrupted is taken up again: the objects that it
// has sent are not sent twice.
//
// Where rows are so large that the engine's memory runs out, it gets twice as much.
func Push(ctx context.Context, o Options) (r *Result, err error) {
	for _, memory := range engine.MemoryLimits() {
		if r, err = push(ctx, o, memory); !engine.OutOfMemory(err) || ctx.Err() != nil {
			break
		}
	}
	return r, err
}

func push(ctx context.Context, o Options, memory int64) (_ *Result, err error) {
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	p, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = p.close(errors.Join(err, p.keepLast(err))) }()
	if memory > 0 {
		if err := p.exec(ctx, engine.SetMemory(memory)); err != nil {
			return nil, err
		}
	}
	if err := p.plan(ctx); err != nil {
		return nil, err
	}
	for p.lost < maxTries {
		if more, err := p.step(ctx); err != nil || !more {
			p.out.Stats = o.Store.Stats()
			return &p.out, err
		}
	}
	return nil, fmt.Errorf("another push was faster %d times: try again", maxTries)
}

// maxTries is how often a push begins again because another one has taken its number.
const maxTries = 20

// sharedTables are the tables whose rows leave the machine.
func sharedTables() (out []schema.Table) {
	for _, t := range schema.Tables() {
		if t.IsShared() {
			out = append(out, t)
		}
	}
	return out
}

// isSentByConversation reports whether a table's rows are sent with their conversations. The others are sent as a
// whole.
func isSentByConversation(t schema.Table) bool {
	return t.Has("source_id") && t.Has("conversation_id") && t.Name != "usage_records" // whose source is that of a file
}
