package push

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/sqlrows"
	"pipeline/sql/schema"
)

// This file lists the units of a warehouse, and leaves out what may not leave the machine.

// conversationUnit is the name of a conversation's unit; a table's is its own name.
const conversationUnit = "conversation"

// plan makes the temporary tables _push_projects, of projects and whether they are allowed, _push_denied, of conversations that are not, and _push_units, of what there is to be in the
// store.
func (p *pusher) plan(ctx context.Context) error {
	if err := p.projects(ctx); err != nil {
		return fmt.Errorf("read the projects: %w", err)
	}
	if err := p.exec(ctx, `CREATE OR REPLACE TEMP TABLE _push_denied AS
		SELECT DISTINCT c.conversation_id FROM conversations c JOIN _push_projects p ON p.project_uri = coalesce(c.project_uri, '') WHERE NOT p.is_allowed`); err != nil {
		return err
	}
	if err := p.denyWithdrawn(ctx); err != nil {
		return err
	}
	// A subagent, a try and a fork have texts of the conversation that they come from, and perhaps no project of their own.
	if err := p.exec(ctx, `INSERT INTO _push_denied WITH RECURSIVE
		links AS (SELECT conversation_id, unnest([parent_conversation_id, best_of_parent_id, forked_from]) AS comes_from FROM conversations),
		denied AS (FROM _push_denied UNION SELECT l.conversation_id FROM links l JOIN denied d ON d.conversation_id = l.comes_from)
		FROM denied EXCEPT FROM _push_denied`); err != nil {
		return err
	}
	if err := p.hash(ctx); err != nil {
		return fmt.Errorf("hash the rows: %w", err)
	}
	return p.conn.QueryRowContext(ctx, `SELECT count(*) FROM _push_units`).Scan(&p.out.Known)
}

// projects asks of each project whether its rows may leave the machine. Conversations without a project are of "".
func (p *pusher) projects(ctx context.Context) error {
	names := map[string]bool{}
	query := `SELECT coalesce(project_uri, ''), coalesce(max(project_path), ''), coalesce(max(project), '') FROM (
		SELECT project_uri, project_path, project FROM conversations UNION ALL SELECT project_uri, project_path, project FROM workspaces
		UNION ALL SELECT project_uri, NULL, project FROM sessions UNION ALL SELECT project_uri, NULL, project FROM activity_periods
		UNION ALL SELECT project_uri, project_path, NULL FROM repositories UNION ALL SELECT project_uri, NULL, NULL FROM project_aliases
		UNION ALL SELECT alias_of, alias_path, alias_project FROM project_aliases UNION ALL SELECT NULL, NULL, NULL) GROUP BY 1`
	if err := sqlrows.Each(ctx, p.conn, query, func(rows *sql.Rows) error {
		var project Project
		err := rows.Scan(&project.URI, &project.Path, &project.Name)
		names[project.URI] = p.o.Allowed(project)
		return err
	}); err != nil {
		return err
	}
	if err := p.exec(ctx, `CREATE OR REPLACE TEMP TABLE _push_projects (project_uri VARCHAR, is_allowed BOOLEAN)`); err != nil {
		return err
	}
	for uri, allowed := range names {
		if err := p.exec(ctx, `INSERT INTO _push_projects VALUES (?, ?)`, uri, allowed); err != nil {
			return err
		}
	}
	return nil
}

const deniedProjects = `(SELECT project_uri FROM _push_projects WHERE NOT is_allowed)`

// allowed is the condition on the rows t of a table that may leave the machine.
func (p *pusher) allowed(t schema.Table) string {
	switch {
	case t.Has("conversation_id"):
		return `coalesce(t.conversation_id, '') NOT IN (FROM _push_denied)`
	case !p.o.Choosy:
		return "true"
	case t.Name == "project_aliases":
		return `t.project_uri NOT IN ` + deniedProjects + ` AND t.alias_of NOT IN ` + deniedProjects
	case t.Has("project_uri"):
		return `coalesce(t.project_uri, '') NOT IN ` + deniedProjects
	case t.Has("workspace_id"):
		return `t.workspace_id NOT IN (SELECT workspace_id FROM workspaces WHERE project_uri IN ` + deniedProjects + `)`
	case t.Has("repository_id"):
		return `t.repository_id NOT IN (SELECT repository_id FROM repositories WHERE project_uri IN ` + deniedProjects + `)`
	case t.Name == "scored_commits": // it says nothing of its project: only those of a known commit go
		return `t.commit_hash IN (SELECT commit_hash FROM commits WHERE repository_id NOT IN (SELECT repository_id FROM repositories WHERE project_uri IN ` + deniedProjects + `))`
	case t.Has("plan_id"): // nor does a plan
		return "false"
	}
	return "true"
}

// rowsOf is what to read the rows of a table from that belong to a table of units; "": all rows.
func rowsOf(t schema.Table, units string) string {
	switch {
	case units == "":
		return t.Name
	case !ofConversations(t):
		return fmt.Sprintf("(FROM %s WHERE EXISTS (FROM %s WHERE unit = %s))", t.Name, units, engine.Literal(t.Name))
	}
	return fmt.Sprintf("(SELECT t.* FROM %s t SEMI JOIN (FROM %s WHERE unit = %s) u ON u.source_id = coalesce(t.source_id, '') AND u.conversation_id = coalesce(t.conversation_id, ''))",
		t.Name, units, engine.Literal(conversationUnit))
}

// order is the key of a table, by which its rows are ordered.
func order(t schema.Table) string {
	keys := slices.Clone(t.Key())
	for i, k := range keys {
		keys[i] = "t." + engine.Identifier(k)
	}
	return strings.Join(keys, ", ")
}
