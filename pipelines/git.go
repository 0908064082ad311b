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
	"pipeline/sql/schema"
	"pipeline/transform"
)

// gitSources is the source for commits, if they are asked for: each repository of this machine is a store of it.
func gitSources(opt Options) []extract.Source {
	if !opt.Git {
		return nil
	}
	return []extract.Source{{UserDir: extract.AppGit, App: extract.AppGit, OS: runtime.GOOS}}
}

// GitResult is what a run did with the commits of the projects' repositories.
type GitResult struct {
	Repositories int   `json:"repositories"`
	Commits      int64 `json:"commits"`        // commits that a branch or a tag leads to, in the wanted months
	Written      int64 `json:"commits_loaded"` // new commits, and all commits of a month with a new or a missing one
}

// openGit finds the repositories of all projects that are folders of this machine; nil if there is none. Each
// repository is a store, and its rows are its commits. If a repository is not found, its commits do not count as
// deleted.
func (r *reading) openGit(ctx context.Context, how extract.OpenOptions) (extract.Snapshot, error) {
	stored, err := r.past.Projects(ctx)
	if err != nil {
		return nil, err
	}
	snapshot, notes, err := extract.OpenGit(ctx, r.folders(stored), r.knownMonths(), how)
	if errors.Is(err, extract.ErrNoGit) {
		r.opt.Warn("%v: commits are not read, and known commits stay", err)
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

// folders are the folders of the projects that are stored or about to be, with the time from which commits are wanted:
// the window before the first conversation, and a day more, as clocks differ.
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

// noteProject notes the project of a conversation that was written; first is the earliest time of a message.
func (r *run) noteProject(c *schema.Conversation, first *schema.Millis) {
	if at := earliest(earliest(first, c.CreatedAt), c.UpdatedAt); c.ProjectURI != nil && c.ProjectPath != nil {
		r.projects = append(r.projects, load.Project{URI: *c.ProjectURI, Path: *c.ProjectPath, FirstAt: at})
	}
}

func earliest(a, b *schema.Millis) *schema.Millis {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

// knownMonths returns the month from which earlier loads have read each repository.
func (r *reading) knownMonths() map[string]time.Time {
	out := map[string]time.Time{}
	for key := range r.plan.All() {
		id := extract.RepositoryOf(key.Store)
		if id == "" {
			continue
		}
		month, ok := extract.GitMonth(key.ID)
		if have, known := out[id]; !known && !ok {
			out[id] = r.opt.Now() // only its places are known, and no commit yet
		} else if ok && (!known || month.Before(have)) {
			out[id] = month
		}
	}
	return out
}
