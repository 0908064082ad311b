package pipelines

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/pipelines/plan"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// DefaultCommitWindow is how long before a commit a conversation may have been active last to have led to it.
const DefaultCommitWindow = 30 * time.Minute

// gitSource is the source of which every repository of this machine is a store.
func gitSource() extract.Source {
	return extract.Source{UserDir: extract.AppGit, App: extract.AppGit, OS: runtime.GOOS}
}

// GitResult is what a run did with the commits of the projects' repositories.
type GitResult struct {
	Repositories int   `json:"repositories"`
	Commits      int64 `json:"commits"`        // that a branch or a tag leads to, in the months in which they are wanted
	Written      int64 `json:"commits_loaded"` // new ones, and those in a month with a new one or without one that it had
}

// commits reads the commits of the repositories of all projects. Each is a store: what is in it belongs to no conversation, and is compared,
// replaced, kept and replayed as everything is. It is read in the same transaction as the conversations. A repository that is not found has lost
// nothing.
func (r *reading) commits(ctx context.Context, how extract.OpenOptions) error {
	snapshot := r.src.replay
	if snapshot == nil {
		var err error
		if snapshot, err = r.openGit(ctx, how); err != nil || snapshot == nil {
			return err
		}
	}
	return r.loose(ctx, snapshot)
}

// loose reads a source of which no row belongs to a conversation. The limits that --since, --until and --project set to conversations are none to it.
func (r *reading) loose(ctx context.Context, snapshot extract.Snapshot) (err error) {
	defer func() { err = errors.Join(err, snapshot.Close()) }()
	r.visited = append(r.visited, r.src.id)
	r.begin(ctx, snapshot)
	r.plan.Wanted.Limits = plan.Limits{}
	r.plan.SharedSame = r.plan.SameVersion() // nothing is shared
	if r.src.App == extract.AppTracking && r.src.replay == nil && r.plan.ComparisonDue(extract.TrackingStore) {
		r.plan.Forced[extract.TrackingStore] = true // rows there are small: an index of their sizes would cost as much
	}
	if err := r.conversations(ctx); err != nil {
		return err
	}
	if err := r.verify(); err != nil {
		return err
	}
	reports := r.snapshot.Stores()
	if r.anew.rebuild == load.NoRebuild {
		r.result.addLoose(r.src, reports)
	}
	for _, store := range reports {
		for _, warning := range store.Info.Warnings {
			r.opt.Warn("%s: %s: %s", r.src.App, store.Info.Path, warning)
		}
	}
	complete := plan.CompleteStores(r.src.Source, reports)
	if _, err := r.markGone(ctx, complete); err != nil {
		return err
	}
	if err := r.keepUnknownGone(ctx, complete); err != nil {
		return err
	}
	if r.src.App == extract.AppTracking && r.src.replay == nil && reports[0].Err == nil {
		if now, changed := r.plan.FileNow(extract.TrackingStore, "", false); changed {
			r.remember = append(r.remember, now)
		}
	}
	r.rememberAll()
	return r.tx.Source(load.SourceRows{Unchanged: true, Source: schema.Source{SourceID: r.src.id, UserDir: r.src.UserDir, Host: r.src.host, OS: r.src.OS, App: r.src.App,
		FirstSeenAt: r.started, LastSeenAt: r.started}})
}

// openGit finds the repositories of all projects that are folders of this machine; nil where there is none.
func (r *reading) openGit(ctx context.Context, how extract.OpenOptions) (extract.Snapshot, error) {
	stored, err := r.past.Projects(ctx)
	if err != nil {
		return nil, err
	}
	snapshot, notes, err := extract.OpenGit(ctx, r.folders(stored), r.knownMonths(), how)
	if errors.Is(err, extract.ErrNoGit) {
		r.opt.Warn("%v: commits are not read, those that are known stay as they are", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, note := range notes {
		r.opt.Warn("git: %s", note)
	}
	if len(snapshot.Stores()) == 0 {
		return nil, snapshot.Close()
	}
	return snapshot, nil
}

// folders are those of the projects that are stored, or about to be, with the time from which on commits are of interest: the window before the
// first conversation, and a day, as clocks differ.
func (r *run) folders(stored []load.Project) []extract.GitFolder {
	projects := map[string]load.Project{}
	for _, p := range slices.Concat(stored, r.projects) {
		have := projects[p.URI]
		if have.FirstAt == nil || p.FirstAt != nil && *p.FirstAt < *have.FirstAt {
			projects[p.URI] = p
		}
	}
	var out []extract.GitFolder
	for uri, p := range projects {
		if p.FirstAt == nil || !transform.IsFolderHere(uri) {
			continue
		}
		since := time.UnixMilli(int64(*p.FirstAt)).Add(-r.opt.CommitWindow - 24*time.Hour)
		out = append(out, extract.GitFolder{Project: uri, Path: p.Path, Since: since})
	}
	slices.SortFunc(out, func(a, b extract.GitFolder) int { return cmp.Compare(a.Project, b.Project) })
	return out
}

// noteProject remembers the project of a conversation that is about to be written; first is the earliest time of a message.
func (r *run) noteProject(rows *schema.Rows, first *schema.Millis) *schema.Millis {
	for i := range rows.Messages {
		first = earliest(first, rows.Messages[i].CreatedAt)
	}
	for i := range rows.Conversations {
		c := &rows.Conversations[i]
		if at := earliest(earliest(first, c.CreatedAt), c.UpdatedAt); c.ProjectURI != nil && c.ProjectPath != nil {
			r.projects = append(r.projects, load.Project{URI: *c.ProjectURI, Path: *c.ProjectPath, FirstAt: at})
		}
	}
	return first
}

func earliest(a, b *schema.Millis) *schema.Millis {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

// knownMonths says from which month on earlier loads have read each repository.
func (r *reading) knownMonths() map[string]time.Time {
	out := map[string]time.Time{}
	for key := range r.plan.All() {
		id := extract.RepositoryOf(key.Store)
		if id == "" {
			continue
		}
		month, ok := extract.GitMonth(key.ConversationID)
		if have, known := out[id]; !known && !ok {
			out[id] = r.opt.Now() // its places are known, and no commit yet
		} else if ok && (!known || month.Before(have)) {
			out[id] = month
		}
	}
	return out
}

// addLoose records what was read of a source whose rows belong to no conversation.
func (r *Result) addLoose(src source, stores []extract.StoreReport) {
	if src.App == extract.AppGit {
		r.Git = &GitResult{Repositories: len(stores), Written: r.commits}
	}
	for _, s := range stores {
		if src.App == extract.AppGit {
			r.Git.Commits += s.RowsSeen
		}
		r.stores = append(r.stores, schema.LoadStore{LoadID: r.LoadID, SourceID: src.id, Store: s.Store, Path: s.Info.Path, SnapshotMethod: orNil(s.Info.Method),
			JournalMode: orNil(s.Info.JournalMode), RowsSeen: s.RowsSeen, RowsChanged: r.rowChanges[[2]string{src.id, s.Store}], IsComplete: s.Err == nil})
	}
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
