package mcpserver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/reader"
	"pipeline/load/tool/sqlrows"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
	"pipeline/sql/schema"
)

// This file finds what a question is about, among what may be seen.

// projects are the URIs of the projects that a name or a glob selects, of those that may be seen.
func (q *question) projects(ctx context.Context, wanted string) ([]string, error) {
	all, err := q.Projects(ctx)
	if err != nil {
		return nil, err
	}
	if q.uris != nil {
		all = slices.DeleteFunc(all, func(p load.Project) bool { return !slices.Contains(q.uris, p.URI) })
	}
	uris, err := pipelines.ProjectsNamed(wanted, all)
	if err != nil && q.Project != "" && q.uris == nil { // the names of what may not be seen are not told
		return nil, pipelines.NoProject(wanted, nil)
	}
	return uris, err
}

// within returns the URIs of the projects that a question is about; nil: all.
func (q *question) within(ctx context.Context, project string) ([]string, error) {
	if project == "" {
		return q.uris, nil
	}
	return q.projects(ctx, project)
}

// timeOf parses a time of a question; nil without a text.
func timeOf(name, text string) (*schema.Millis, error) {
	if text == "" {
		return nil, nil
	}
	t, err := file.ParseTime(text, time.Now(), nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	ms := schema.Millis(t.UnixMilli())
	return &ms, nil
}

// filter reads what list_conversations and search have in common.
func (q *question) filter(ctx context.Context, project, since, until string) (f reader.Filter, err error) {
	if f.ProjectURIs, err = q.within(ctx, project); err != nil {
		return f, err
	}
	if f.Since, err = timeOf("since", since); err != nil {
		return f, err
	}
	if f.Until, err = timeOf("until", until); err != nil {
		return f, err
	}
	if f.Since != nil && f.Until != nil && *f.Since >= *f.Until {
		return f, errors.New("since must be before until")
	}
	return f, nil
}

// seen is the condition that a conversation, whose alias is c, may be seen, whatever became of it.
func (q *question) seen() string {
	all := []string{"true"}
	if q.uris != nil {
		all = append(all, "c.project_uri IN ("+literals(q.uris)+")")
	}
	if q.Source != "" {
		all = append(all, "c.source_id = "+engine.Literal(q.Source))
	} else {
		all = append(all, "NOT EXISTS (FROM conversation_copies k WHERE k.source_id = c.source_id AND "+
			"k.conversation_id = c.conversation_id AND NOT k.is_primary)")
	}
	return strings.Join(all, " AND ")
}

func literals(texts []string) string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = engine.Literal(text)
	}
	return strings.Join(out, ", ")
}

// leastID is how many characters of an id are enough to look for it.
const leastID = 4

// candidatesShown is how many conversations an error names.
const candidatesShown = 5

// An unknownID says why an id names no conversation.
type unknownID string

func (e unknownID) Error() string { return string(e) }

// conversation finds the one that an id, or the beginning of an id, names.
func (q *question) conversation(ctx context.Context, id string) (load.RowKey, error) {
	id = strings.TrimSpace(id)
	if len(id) < leastID {
		return load.RowKey{}, unknownID(fmt.Sprintf(
			"%q is too short for an id: give at least %d characters; list_conversations and "+
				"search have ids", id, leastID))
	}
	type candidate struct {
		key   load.RowKey
		title *string
	}
	for _, condition := range []string{"c.conversation_id = ?", "starts_with(c.conversation_id, ?)"} {
		var found []candidate
		err := sqlrows.Each(ctx, q.Conn(),
			`SELECT c.source_id, c.conversation_id, c.display_title FROM all_conversations c WHERE `+condition+` AND `+
				q.seen()+`
			ORDER BY c.last_activity_at DESC NULLS LAST, c.source_id, c.conversation_id LIMIT 20`,
			func(rows *sql.Rows) error {
				var c candidate
				err := rows.Scan(&c.key.SourceID, &c.key.ConversationID, &c.title)
				found = append(found, c)
				return err
			}, id)
		switch {
		case err != nil:
			return load.RowKey{}, err
		case len(found) == 1:
			return found[0].key, nil
		case len(found) > 1:
			text := fmt.Sprintf("%s is the beginning of %d ids or more; give more of it:", id, len(found))
			for _, c := range found[:min(candidatesShown, len(found))] {
				title := ""
				if c.title != nil {
					title = *c.title
				}
				text += fmt.Sprintf(" %s (%s);", c.key.ConversationID, cut(q.clean(title), 60, 0))
			}
			return load.RowKey{}, unknownID(strings.TrimSuffix(text, ";"))
		}
	}
	return load.RowKey{}, unknownID(fmt.Sprintf("no conversation has the id %s: list_conversations and search have ids",
		id))
}
