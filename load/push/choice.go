package push

import (
	"context"
	"slices"
	"strings"

	"pipeline/load/redact"
	"pipeline/load/tool/sqlrows"
)

// This file finds out which projects do not leave the machine, and what they are called.

// A Project is what a choice of projects goes by. Each may be "".
type Project = redact.Project

// choice is what is known of the projects.
type choice struct {
	denies bool          // there is a project that is denied, or only some are sent
	none   bool          // rows of no project are denied
	names  *redact.Names // of the projects that are denied; nil: there are none
}

// projectsQuery has every project under each of its names, and groups the URIs of one project: a folder that was
// renamed, the file of a workspace and its folder, and clones and worktrees of one repository.
const (
	projectsQuery = `SELECT DISTINCT coalesce(project_uri, ''), coalesce(project_path, ''), coalesce(project, '') FROM (
		SELECT project_uri, project_path, project FROM conversations UNION ALL SELECT project_uri, project_path, project FROM workspaces UNION ALL SELECT uri, NULL, NULL FROM workspaces
		UNION ALL SELECT project_uri, NULL, project FROM sessions UNION ALL SELECT project_uri, NULL, project FROM activity_periods
		UNION ALL SELECT project_uri, project_path, NULL FROM repositories UNION ALL SELECT project_uri, NULL, NULL FROM project_aliases
		UNION ALL SELECT alias_of, alias_path, alias_project FROM project_aliases UNION ALL SELECT new_project_uri, new_project_path, new_project FROM project_aliases UNION ALL SELECT NULL, NULL, NULL)`
	sameQuery = `SELECT project_uri, alias_of FROM project_aliases UNION SELECT project_uri, new_project_uri FROM project_aliases WHERE new_project_uri IS NOT NULL
		UNION SELECT uri, project_uri FROM workspaces WHERE uri IS NOT NULL AND project_uri IS NOT NULL
		UNION SELECT project_uri, min(project_uri) OVER (PARTITION BY repository_id, prefix) FROM repositories`
)

// groups are the URIs of projects, and which of them are one project.
type groups map[string]string

func (g groups) first(uri string) string {
	for g[uri] != "" && g[uri] != uri {
		uri = g[uri]
	}
	return uri
}

func (g groups) join(a, b string) {
	if a, b = g.first(a), g.first(b); a != b && a != "" && b != "" {
		g[a] = b
	}
}

// worktree is the name of the project that Cursor has made a worktree of in a folder of its own; "" if it is none.
func worktree(uri string) string {
	_, rest, _ := strings.Cut(uri, "/.cursor/worktrees/")
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// decide asks of each project whether it is denied.
func (p *pusher) decide(all []Project, same groups) (isDenied func(uri string) bool) {
	only, denied := map[string]bool{}, map[string]bool{}
	for _, one := range all {
		if group := same.first(one.URI); one.URI != "" {
			only[group] = p.o.Only != nil && p.o.Only(one) || only[group]
			denied[group] = p.o.Deny != nil && p.o.Deny(one) || denied[group]
		}
	}
	for more := len(denied) > 0; more; { // a folder in a denied one is a part of that project
		more = false
		for _, outer := range all {
			if !denied[same.first(outer.URI)] || outer.URI == "" {
				continue
			}
			for _, inner := range all {
				if group := same.first(inner.URI); !denied[group] && strings.HasPrefix(inner.URI, outer.URI+"/") {
					denied[group], more = true, true
				}
			}
		}
	}
	return func(uri string) bool {
		return p.o.Only != nil && !only[same.first(uri)] || denied[same.first(uri)]
	}
}

// choose decides which projects are denied: a project is under all its names if it is under one, and so are those in
// folders of its own. It makes the temporary table _push_denied_projects of their URIs; rows without a project are of
// "".
func (p *pusher) choose(ctx context.Context) error {
	if err := p.exec(ctx, `CREATE OR REPLACE TEMP TABLE _push_denied_projects (project_uri VARCHAR)`); err != nil ||
		p.o.Only == nil && p.o.Deny == nil && len(p.o.Named) == 0 {
		return err
	}
	all, same, err := p.projects(ctx)
	if err != nil {
		return err
	}
	isDenied := p.decide(all, same)
	hidden, shown := slices.Clone(p.o.Named), []Project(nil)
	uris := map[string]bool{}
	for _, one := range all {
		if !isDenied(one.URI) {
			shown = append(shown, one)
			continue
		}
		hidden = append(hidden, one)
		uris[one.URI] = true
	}
	for uri := range uris {
		if err := p.exec(ctx, `INSERT INTO _push_denied_projects VALUES (?)`, uri); err != nil {
			return err
		}
	}
	// The folder of a repository is another name, if all projects in it are denied.
	repositories, err := sqlrows.All[Project](ctx, p.conn,
		`SELECT DISTINCT '', repository_path, '' FROM repositories WHERE repository_path IS NOT NULL AND project_uri IN (FROM _push_denied_projects)
		AND repository_id NOT IN (SELECT repository_id FROM repositories WHERE project_uri NOT IN (FROM _push_denied_projects))`)
	if err != nil {
		return err
	}
	hidden = append(hidden, repositories...)
	p.choice = choice{denies: len(uris) > 0, none: uris[""], names: redact.NewNames(hidden, shown)}
	return nil
}

// projects reads the projects, and which of their URIs are one project.
func (p *pusher) projects(ctx context.Context) (all []Project, same groups, err error) {
	if all, err = sqlrows.All[Project](ctx, p.conn, projectsQuery); err != nil {
		return nil, nil, err
	}
	pairs, err := sqlrows.All[struct{ a, b string }](ctx, p.conn, sameQuery)
	if err != nil {
		return nil, nil, err
	}
	same = groups{}
	for _, pair := range pairs {
		same.join(pair.a, pair.b)
	}
	named := map[string][]string{}
	for _, one := range all {
		if one.Name != "" && worktree(one.URI) == "" {
			named[one.Name] = append(named[one.Name], one.URI)
		}
	}
	for _, one := range all {
		for _, uri := range named[worktree(one.URI)] {
			same.join(one.URI, uri)
		}
	}
	return all, same, nil
}
