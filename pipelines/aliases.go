package pipelines

import (
	"fmt"
	"maps"

	"pipeline/load"
	"pipeline/transform"
)

// This file is about projects that have a new name (table project_aliases).

// Alias says that a project has a new name.
type Alias = load.Alias

// ParseAlias reads the two names of a project, each a URI or an absolute path. An empty new name takes the alias back.
func ParseAlias(old, now string) (Alias, error) {
	from, ok := transform.ParseProjectURI(old)
	if !ok {
		return Alias{}, &UsageError{fmt.Sprintf("%q is neither a URI nor an absolute path of a project", old)}
	}
	a := Alias{ProjectURI: from.URI}
	if now == "" {
		return a, nil
	}
	to, ok := transform.ParseProjectURI(now)
	if !ok {
		return a, &UsageError{fmt.Sprintf("%q is neither a URI nor an absolute path of a project", now)}
	}
	a.New = load.Project{URI: to.URI, Name: to.Name, Path: to.Path}
	return a, nil
}

// aliases are what projects are called after the run, by their old URIs. It returns a UsageError if a project would be
// called by its own name again.
func (r *run) aliases() (map[string]load.Project, error) {
	all := maps.Clone(r.state.Aliases)
	if all == nil {
		all = map[string]load.Project{}
	}
	for _, a := range r.opt.Aliases {
		if delete(all, a.ProjectURI); a.New.URI != "" {
			all[a.ProjectURI] = a.New
		}
	}
	for _, a := range r.opt.Aliases {
		if a.New.URI == "" {
			continue
		}
		last := a
		for range len(all) {
			if last.New.URI == a.ProjectURI {
				return nil, circle(a, last)
			}
			next, more := all[last.New.URI]
			if !more {
				break
			}
			last = Alias{ProjectURI: last.New.URI, New: next}
		}
	}
	return all, nil
}

func circle(given, last Alias) error {
	if given.ProjectURI == given.New.URI {
		return &UsageError{fmt.Sprintf("--alias: %s is called so already: give the new name after the =",
			given.ProjectURI)}
	}
	return &UsageError{fmt.Sprintf("--alias %s=%s goes in a circle, as %s is called %s: take that back with --alias "+
		"%s=",
		given.ProjectURI, given.New.URI, last.ProjectURI, last.New.URI, last.ProjectURI)}
}

// tellAliases says which aliases that the user gave concern no conversation: a name may be mistyped.
func (r *run) tellAliases() {
	for _, given := range r.opt.Aliases {
		for _, a := range r.result.Totals.Aliases {
			if a.ProjectURI == given.ProjectURI && a.Conversations == 0 {
				r.opt.Note("no conversation has the project %s that --alias names; the alias is kept for later",
					a.ProjectURI)
			}
		}
	}
}

// calledNow is what a project is called now; nil if it has no alias.
func (r *run) calledNow(uri string) *load.Project {
	var now *load.Project
	for range len(r.called) {
		p, ok := r.called[uri]
		if !ok {
			break
		}
		now, uri = &p, p.URI
	}
	return now
}
