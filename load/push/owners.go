package push

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/redact"
	"pipeline/sql/schema"
)

// This file says whose rows are: where some projects do not leave the machine, none of their rows does, in whatever
// table it is.

// An owner says whose the rows t of a table are. The zero owner is of rows that are nobody's: lists, and sums over all
// that the machine has.
type owner struct {
	denied  string // condition: they are of a project or a conversation that does not leave the machine
	unknown string // condition: nothing says whose they are; "": there are no such rows
	// they have no text of anybody's. Where nothing says whose they are, these are sent beside denied projects, and
	// texts are not
	figures bool
}

// Conditions on a row t: that it is of a project, conversation or repository that is denied, or of one that is not
// known.
const (
	ofDeniedProject       = `coalesce(t.project_uri, '') IN (FROM _push_denied_projects)`
	ofDeniedConversation  = `t.conversation_id IN (FROM _push_denied)`
	ofUnknownConversation = `coalesce(t.conversation_id, '') NOT IN (SELECT conversation_id FROM conversations)`
	// some project in it is denied: its commits may be of that one
	ofDeniedRepository  = `t.repository_id IN (FROM _push_denied_repositories)`
	ofUnknownRepository = `t.repository_id NOT IN (SELECT repository_id FROM repositories)`
	ofWorkspace         = `regexp_extract(t.keyed_by, '^\(workspace/(.*)\)$', 1)`
)

// eventOf is the condition that a record is of an event of these conversations: of the event of its id, or of one that
// several records tell of, which has the id of one of them.
func eventOf(conversations string) string {
	events := ` FROM usage_events e WHERE e.conversation_id IN (` + conversations + `)`
	return `t.event_id IN (SELECT event_id` + events +
		`) OR coalesce((t.origin, t.occurred_at, coalesce(t.model, '')) IN (SELECT (origin, occurred_at, coalesce(model, ''))` + events + `), false)`
}

// owners has the tables whose rows are more people's than one, or are found by another way than by the id in them. For
// all others see ownerOf.
var owners = map[string]owner{
	"load_elements": {denied: `regexp_extract(t.store, '^workspace/(.*)$', 1) IN (FROM _push_denied_workspaces)`},
	"workspaces":    {denied: ofDeniedProject + ` OR t.uri IN (FROM _push_denied_projects)`},
	// its text is the name of a file that was handed over
	"usage_events": {denied: ofDeniedConversation, unknown: ofUnknownConversation, figures: true},
	"conversation_commits": {denied: ofDeniedConversation + ` OR ` + ofDeniedRepository,
		unknown: ofUnknownConversation + ` OR ` + ofUnknownRepository, figures: true},
	"code_diffs": {denied: ofDeniedConversation + ` OR ` + ofWorkspace + ` IN (FROM _push_denied_workspaces)`,
		unknown: ofUnknownConversation + ` AND ` + ofWorkspace + ` NOT IN (SELECT workspace_id FROM workspaces)`,
		figures: true},
	"ai_code_hashes": {denied: ofDeniedConversation +
		` OR t.request_id IN (SELECT request_id FROM messages m WHERE m.conversation_id IN (FROM _push_denied))`,
		unknown: ofUnknownConversation +
			` AND coalesce(t.request_id, '') NOT IN (SELECT request_id FROM messages m WHERE m.request_id IS NOT NULL)`},
	"usage_records": {denied: ofDeniedConversation + ` OR ` + eventOf("FROM _push_denied"),
		unknown: ofUnknownConversation + ` AND NOT (` + eventOf("SELECT conversation_id FROM conversations") + `)`,
		figures: true},
	"scored_commits": {
		denied:  `t.commit_hash IN (SELECT commit_hash FROM commits WHERE repository_id IN (FROM _push_denied_repositories))`,
		unknown: `t.commit_hash NOT IN (SELECT commit_hash FROM commits)`,
	},
}

// ownerOf says whose the rows of a table are: of the conversation, project, plan, repository or workspace whose id they
// have. known is false for a table that has none and is not declared as nobody's.
func ownerOf(t schema.Table) (o owner, known bool) {
	if o, ok := owners[t.Name]; ok {
		return o, true
	}
	switch {
	case t.Is(schema.OfRun | schema.OfNobody):
		return owner{}, true
	case t.Has("conversation_id"):
		hasTexts := slices.ContainsFunc(t.Columns,
			func(c schema.Column) bool { return c.Discloses == schema.Texts || c.Discloses == schema.Projects })
		return owner{denied: ofDeniedConversation, unknown: ofUnknownConversation, figures: !hasTexts}, true
	case t.Has("project_uri"):
		return owner{denied: ofDeniedProject}, true
	case t.Has("plan_id"):
		return owner{denied: `t.plan_id IN (SELECT plan_id FROM _push_plans WHERE is_denied)`,
			unknown: `t.plan_id NOT IN (SELECT plan_id FROM _push_plans)`}, true
	case t.Has("repository_id"):
		return owner{denied: ofDeniedRepository, unknown: ofUnknownRepository}, true
	case t.Has("workspace_id"):
		return owner{denied: `t.workspace_id IN (FROM _push_denied_workspaces)`,
			unknown: `t.workspace_id NOT IN (SELECT workspace_id FROM workspaces)`}, true
	}
	return owner{}, false
}

// mayLeave returns the condition for the rows t of a table that may leave the machine: no denied project or
// conversation owns them. If a project is denied, texts whose owner is not known stay, too.
func (p *pusher) mayLeave(t schema.Table) string {
	o, known := ownerOf(t)
	switch {
	case !known:
		return "false" // a table stays here until somebody has said whose its rows are
	case !p.anyDenied || o.denied == "":
		return "true"
	case o.unknown == "" || !p.choice.denies || o.figures && !p.choice.none:
		return "NOT coalesce(" + o.denied + ", false)"
	}
	return "NOT coalesce(" + o.denied + " OR (" + o.unknown + "), false)"
}

// deny makes the temporary tables that owners ask: _push_denied of conversations, and those of projects, workspaces,
// repositories and plans.
func (p *pusher) deny(ctx context.Context) error {
	for _, query := range []string{
		`CREATE OR REPLACE TEMP TABLE _push_denied_workspaces AS SELECT DISTINCT t.workspace_id FROM workspaces t WHERE ` + owners["workspaces"].denied,
		`CREATE OR REPLACE TEMP TABLE _push_denied_repositories AS SELECT DISTINCT t.repository_id FROM repositories t WHERE ` + ofDeniedProject,
		`CREATE OR REPLACE TEMP TABLE _push_denied AS SELECT DISTINCT t.conversation_id FROM conversations t WHERE ` +
			ofDeniedProject,
	} {
		if err := p.exec(ctx, query); err != nil {
			return err
		}
	}
	if err := p.denyMentions(ctx); err != nil {
		return fmt.Errorf("look for names of projects: %w", err)
	}
	if err := p.denyWithdrawn(ctx); err != nil {
		return err
	}
	// A subagent, a try and a fork have texts of the conversation that they come from, and perhaps no project of their
	// own. A cloud agent and the composer that shows it have the same ones.
	if err := p.exec(ctx, `INSERT INTO _push_denied WITH RECURSIVE
		links AS (SELECT conversation_id, unnest([parent_conversation_id, best_of_parent_id, forked_from]) AS comes_from FROM conversations
			UNION ALL SELECT conversation_id, primary_conversation_id FROM conversation_copies UNION ALL SELECT primary_conversation_id, conversation_id FROM conversation_copies WHERE primary_conversation_id IS NOT NULL),
		denied AS (FROM _push_denied UNION SELECT l.conversation_id FROM links l JOIN denied d ON d.conversation_id = l.comes_from)
		FROM denied EXCEPT FROM _push_denied`); err != nil {
		return err
	}
	if err := p.exec(ctx,
		`CREATE OR REPLACE TEMP TABLE _push_plans AS SELECT plan_id, bool_or(conversation_id IN (FROM _push_denied)) AS is_denied
		FROM (SELECT conversation_id, regexp_extract(unnest(from_json(plan_paths, '["VARCHAR"]')), '([^/\\]*)\.plan\.md$', 1) AS plan_id FROM conversations) GROUP BY ALL`); err != nil {
		return err
	}
	if err := p.denyOld(ctx); err != nil {
		return err
	}
	return p.conn.QueryRowContext(ctx, `SELECT $1 OR EXISTS (FROM _push_denied)`, p.choice.denies).Scan(&p.anyDenied)
}

// denyMentions adds the conversations of no project that have the name of a denied one: nothing else says whose they
// are.
func (p *pusher) denyMentions(ctx context.Context) error {
	if p.choice.names == nil {
		return nil
	}
	for _, t := range sharedTables() {
		if !isSentByConversation(t) {
			continue
		}
		var mentions []string
		for _, c := range t.Columns {
			if c.Discloses != schema.Figures {
				value := textOf(c)
				mentions = append(mentions, fmt.Sprintf("hide(%s, '') <> %s", value, value))
			}
		}
		if len(mentions) == 0 {
			continue
		}
		if err := p.exec(ctx, fmt.Sprintf(`INSERT INTO _push_denied SELECT DISTINCT t.conversation_id FROM %s t
			WHERE t.conversation_id IN (SELECT conversation_id FROM conversations WHERE project_uri IS NULL) AND t.conversation_id NOT IN (FROM _push_denied) AND (%s)`,
			t.Name, strings.Join(mentions, " OR "))); err != nil {
			return fmt.Errorf("in %s: %w", t.Name, err)
		}
	}
	return nil
}

// quotes are the columns of a table that have texts of the files which others of its columns name.
type quotes struct{ places, texts []string }

// quoting has the tables that hold contents of files: a chat about one project reads the files of another.
var quoting = map[string]quotes{
	"messages": {places: []string{"extra"}, texts: []string{"extra"}},
	"tool_calls": {places: []string{"params", "raw_args", "file_path", "command"},
		texts: []string{"params", "raw_args", "result", "additional_data", "error"}},
	"attachments": {places: []string{"path", "uri", "detail"}, texts: []string{"detail"}},
	"checkpoints": {places: []string{"files"}, texts: []string{"files"}},
}

// hidden is a column of a row t without what is of denied projects: without their names, and without the contents of
// their files. It is named as the one that the names are from, if somebody is to hear of them.
func (p *pusher) hidden(t schema.Table, c schema.Column, named string) string {
	if p.choice.names == nil || c.Discloses == schema.Figures {
		return textOf(c)
	}
	return "hide(" + p.unquoted(t, c) + ", " + engine.Literal(named) + ")"
}

// unquoted is a column of a row t; what stands for a name, if it may have the contents of a denied project's file.
func (p *pusher) unquoted(t schema.Table, c schema.Column) string {
	q, value := quoting[t.Name], textOf(c)
	if p.choice.names == nil || !slices.Contains(q.texts, c.Name) {
		return value
	}
	var named []string
	for _, place := range t.Columns {
		if slices.Contains(q.places, place.Name) {
			named = append(named, "hide("+textOf(place)+", '') <> "+textOf(place))
		}
	}
	mark := redact.ProjectMark
	if c.Type == "JSON" {
		mark = `"` + mark + `"`
	}
	return fmt.Sprintf("CASE WHEN %s IS NOT NULL AND (%s) THEN %s ELSE %s END", value, strings.Join(named, " OR "),
		engine.Literal(mark), value)
}

// textOf is a column of a row t, JSON as text.
func textOf(c schema.Column) string {
	value := "t." + engine.Identifier(c.Name)
	if c.Type == "JSON" {
		return "CAST(" + value + " AS VARCHAR)"
	}
	return value
}
