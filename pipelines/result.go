package pipelines

import (
	"errors"
	"time"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/figures"
	"pipeline/load/push"
	"pipeline/load/search"
	"pipeline/load/sinks"
	"pipeline/pipelines/plan"
	"pipeline/sql/schema"
)

// Result is what a run did, in the form of its JSON output.
type Result struct {
	LoadID    int64  `json:"load_id"`
	First     bool   `json:"first"`
	Mode      string `json:"mode"`
	Status    string `json:"status"`
	Warehouse string `json:"warehouse"`
	Parquet   string `json:"parquet,omitempty"`
	// if the warehouse was of an earlier version; in a dry run what a run would do first
	Migration     *load.Migration   `json:"migration,omitempty"`
	Sources       []SourceResult    `json:"sources"`
	Conversations ConversationCount `json:"conversations"`
	// why conversations were loaded, see the Why constants
	Reasons map[string]int64 `json:"reasons"`
	// rows that were overwritten under their old rowids
	InPlace *InPlace `json:"changed_in_place,omitempty"`
	LeftOut int64    `json:"conversations_left_out"`
	Changes []Change `json:"changes,omitempty"`       // dry run: what would be loaded
	Bytes   int64    `json:"bytes_to_read,omitempty"` // dry run: values of what would be loaded
	// number of conversations whose values were read
	Read        int64          `json:"conversations_read"`
	Messages    int64          `json:"messages_loaded"`
	ToolCalls   int64          `json:"tool_calls_loaded"`
	Git         *GitResult     `json:"git,omitempty"` // only with --git, if a repository was found
	Totals      figures.Totals `json:"totals"`
	Quarantined int64          `json:"quarantined"`
	UnknownKeys int64          `json:"unknown_keys"`
	Secrets     int64          `json:"secrets_refused"`
	NullRows    int64          `json:"null_rows"`
	// what is new in Cursor; nothing in a first load
	NewFields   []NewField             `json:"new_fields,omitempty"`
	NewFamilies []NewFamily            `json:"new_families,omitempty"` // key families
	Failures    []figures.CheckFailure `json:"check_failures"`
	// duration for the caller, with all that follows the load
	Seconds     float64          `json:"seconds"`
	Loads       int              `json:"loads_replayed,omitempty"` // in a rebuild
	Publication *sinks.Published `json:"publication,omitempty"`
	// of sinks other than Parquet, which has fields of its own
	Publications []Publication   `json:"publications,omitempty"`
	Report       string          `json:"report,omitempty"`       // path of the report page; set by the caller
	Markdown     *Markdown       `json:"markdown,omitempty"`     // of a run that keeps such files; set by the caller
	Push         *push.Result    `json:"push,omitempty"`         // of a run that pushed; set by the caller
	SearchIndex  *search.Indexed `json:"search_index,omitempty"` // only if the warehouse has one

	started    time.Time
	load       schema.Load
	stores     []schema.LoadStore
	families   []schema.KeyFamily
	rowChanges map[[2]string]int64
	commits    int64 // commits that were written
	errs       []error
}

// Publication is what a sink has published.
type Publication struct {
	Sink string `json:"sink"`
	Dir  string `json:"dir"`
	*sinks.Published
}

// published notes what a sink has published.
func (r *Result) published(target sinks.Target, out *sinks.Published) {
	if target.IsFirst() {
		r.Parquet, r.Publication = target.Dir, out
		return
	}
	r.Publications = append(r.Publications, Publication{target.Sink.About().Name, target.Dir, out})
}

// Published lists what every sink has published.
func (r *Result) Published() []Publication {
	if r.Publication == nil {
		return r.Publications
	}
	return append([]Publication{{sinks.All()[0].About().Name, r.Parquet, r.Publication}}, r.Publications...)
}

// ConversationCount counts new, changed, deleted and unchanged conversations.
type ConversationCount struct {
	New       int64 `json:"new"`
	Changed   int64 `json:"changed"`
	Deleted   int64 `json:"deleted"`
	Unchanged int64 `json:"unchanged"`
}

// Change is a conversation that a run would load.
type Change struct {
	ConversationID string  `json:"conversation_id"`
	Title          *string `json:"title"`
	Project        *string `json:"project"`
	Why            string  `json:"why"`
	Bytes          int64   `json:"bytes"`
}

// SourceResult is one source in a run.
type SourceResult struct {
	ID      string   `json:"source_id"`
	UserDir string   `json:"user_dir"`
	Stores  int      `json:"stores"`
	Chats   int64    `json:"chats,omitempty"` // of the command line; each has a store of its own
	Errors  []string `json:"errors,omitempty"`

	Home *extract.HomeLook `json:"home,omitempty"` // of the command line; nil: nobody has looked
}

func newResult(t task) *Result {
	opt, state := t.opt, t.state
	r := &Result{LoadID: state.LastLoadID + 1, First: state.First, Warehouse: opt.Warehouse, Migration: state.Migration,
		Mode: "incremental", Failures: []figures.CheckFailure{}, Reasons: map[string]int64{},
		rowChanges: map[[2]string]int64{}, started: opt.Now()}
	switch {
	case t.anew.rebuild != load.NoRebuild:
		r.Mode = "rebuild"
	case state.First:
		r.Mode = "first"
	case opt.Full:
		r.Mode = "full"
	case opt.limits().Timed():
		r.Mode = "since"
	}
	r.load = schema.Load{LoadID: r.LoadID, StartedAt: schema.Millis(r.started.UnixMilli()), Mode: r.Mode,
		ToolVersion: opt.ToolVersion, SchemaVersion: schema.Version}
	return r
}

// gone counts a deleted conversation. A dry run also lists it; other owners are not listed.
func (r *Result) gone(owner schema.OwnerKey, dry bool) {
	if dry && owner.Kind != schema.KindConversation {
		return
	}
	r.Reasons[plan.WhyGone]++
	if dry {
		r.Changes = append(r.Changes, Change{ConversationID: owner.ID, Why: plan.WhyGone})
	}
}

// list adds what a run would load: a conversation with its row, or rows without a conversation.
func (r *Result) list(j *job, row *schema.Conversation) {
	r.Bytes += j.bytes
	if row != nil && !j.conv.Loose {
		r.Changes = append(r.Changes, Change{row.ConversationID, row.Title, row.Project, j.why, j.bytes})
	}
}

func (r *Result) changedRows(src source, conv *extract.Conversation, why string) {
	r.rowChanges[[2]string{src.id, conv.Store}] += int64(conv.Rows())
	if !conv.Loose {
		r.Reasons[why]++
	}
}

// whole reports whether every store could be read.
func (r *Result) whole() bool { return len(r.errs) == 0 }

func (r *Result) add(rows *schema.Rows) {
	r.Messages += int64(len(rows.Messages))
	r.ToolCalls += int64(len(rows.ToolCalls))
	r.commits += int64(len(rows.Commits))
}

// unreadable records a source without a readable store.
func (r *Result) unreadable(src source, err error) {
	r.errs = append(r.errs, err)
	r.Sources = append(r.Sources, SourceResult{ID: src.id, UserDir: src.UserDir, Errors: []string{err.Error()}})
	r.stores = append(r.stores, schema.LoadStore{LoadID: r.LoadID, SourceID: src.id, Store: extract.GlobalStore,
		Path: src.UserDir})
}

// addStores adds the reports on a source's stores.
func (r *Result) addStores(src source, stores []extract.StoreReport) {
	s := SourceResult{ID: src.id, UserDir: src.UserDir, Stores: len(stores)}
	if src.Err != nil {
		r.errs = append(r.errs, src.Err)
		s.Errors = append(s.Errors, src.Err.Error())
	}
	for _, store := range stores {
		if store.Store == extract.CLIStore {
			s.Chats += store.RowsSeen
		}
		row := schema.LoadStore{LoadID: r.LoadID, SourceID: src.id, Store: store.Store, Path: store.Info.Path,
			RowsSeen: store.RowsSeen, RowsRead: store.RowsRead,
			RowsChanged: r.rowChanges[[2]string{src.id, store.Store}], IsComplete: store.Err == nil}
		if store.Err != nil {
			r.errs = append(r.errs, store.Err)
			s.Errors = append(s.Errors, store.Err.Error())
		}
		if !store.Unreadable() {
			row.JournalMode, row.SnapshotMethod, row.Bytes = &store.Info.JournalMode, &store.Info.Method,
				&store.Info.Bytes
		}
		r.stores = append(r.stores, row)
		for _, f := range store.Families {
			r.families = append(r.families, schema.KeyFamily{LoadID: r.LoadID, SourceID: src.id, Store: store.Store,
				Family: f.Family, Rows: f.Rows, NullRows: f.NullRows, BytesRead: f.BytesRead,
				Handling: string(f.Handling)})
			r.NullRows += f.NullRows
			switch f.Handling {
			case extract.Unknown:
				r.UnknownKeys += f.Rows
			case extract.Refused:
				r.Secrets += f.Rows
			}
		}
	}
	r.Sources = append(r.Sources, s)
}

func (r *Result) failures() []error {
	if len(r.errs) == 0 {
		return []error{errors.New("no source was given")}
	}
	return r.errs
}

// finish adds the load's outcome.
func (r *Result) finish(out load.Outcome, now time.Time) {
	r.Conversations = ConversationCount{New: out.New, Changed: out.Changed, Deleted: out.Deleted,
		Unchanged: out.Unchanged}
	r.Quarantined, r.Totals = out.Quarantined, out.Totals
	r.Failures = append(r.Failures, out.Failures...)
	for _, f := range out.NewFields {
		r.NewFields = append(r.NewFields, NewField{f.SourceID, f.Family, f.Path, f.Type, f.Rows})
	}
	r.Status = "ok"
	if len(r.errs) > 0 {
		r.Status = "partial"
	}
	if len(r.Failures) > 0 {
		r.Status = "check_failed"
	}
	finished := schema.Millis(now.UnixMilli())
	r.load.FinishedAt, r.load.Status = &finished, r.Status
	r.load.ConversationsNew, r.load.ConversationsChanged = out.New, out.Changed
	r.load.ConversationsDeleted, r.load.ConversationsUnchanged = out.Deleted, out.Unchanged
	r.load.MessagesLoaded, r.load.Quarantined = r.Messages, out.Quarantined
}

// Errors are the stores that could not be read, although the run went on without them.
func (r *Result) Errors() []error { return r.errs }

// SnapshotMethods returns how each store was read, by its path.
func (r *Result) SnapshotMethods() map[string]string {
	methods := map[string]string{}
	for _, s := range r.stores {
		if s.SnapshotMethod != nil {
			methods[s.Path] = *s.SnapshotMethod
		}
	}
	return methods
}

// Markdown is what was written to a folder of Markdown files.
type Markdown struct {
	Dir      string `json:"dir"`
	Written  int    `json:"files_written"`
	Redacted bool   `json:"redacted"`
}

// InPlace counts rows that were overwritten under their old rowid.
type InPlace struct {
	Conversations int64 `json:"conversations"`
	// groups of rows without a conversation, and rows that only the raw layer keeps
	Others int64 `json:"other_rows"`
}

func (r *Result) overwritten(conversation bool) {
	if r.InPlace == nil {
		r.InPlace = &InPlace{}
	}
	if conversation {
		r.InPlace.Conversations++
	} else {
		r.InPlace.Others++
	}
}
