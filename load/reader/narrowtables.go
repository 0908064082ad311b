package reader

import (
	"regexp"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// A tableRule says which rows of a table belong to a part of a warehouse.
type tableRule struct {
	query string // the rows, t, in SQL; see query for the words that begin with $
	// FROM ..., the rows that are in no period because they have no time; "" if there are none, or they are counted by
	// the table that they belong to
	timeless  string
	noProject bool   // the rows belong to no project
	why       string // the table cannot be narrowed: why
}

// conversationAt is when a conversation was active of which nothing else has a time.
const conversationAt = "coalesce(c.last_activity_at, c.updated_at, c.created_at)"

// These are the ways in which tables are narrowed.
const (
	whole          = "FROM $TABLE"
	ofConversation = "SELECT t.* FROM $TABLE t $KEPT"
	ofMessage      = "SELECT t.* FROM $TABLE t SEMI JOIN main.messages m ON m.source_id = t.source_id AND " +
		"m.conversation_id = t.conversation_id AND m.message_id = t.message_id"
	ofUsage = "SELECT t.* FROM $TABLE t WHERE $WITHIN{t.occurred_at} AND $OF{(t.source_id, t.conversation_id) " +
		"IN (FROM part.known)}"
	timelessUsage = "FROM $TABLE t WHERE t.occurred_at IS NULL AND $OF{(t.source_id, t.conversation_id) IN (FROM " +
		"part.known)}"
	ofRepositories = `$OF{(t.source_id, t.repository_id) IN (SELECT (r.source_id, r.repository_id) FROM $W.repositories r
		LEFT JOIN $W.project_aliases a ON a.project_uri = r.project_uri WHERE coalesce(a.new_project_uri, r.project_uri) IN ($URIS))}`

	ofRuns  = "which is about runs and the store as a whole, not about times of work"
	noTimes = "of which no answer for a period is known"
)

// narrowedTables has the tables with a time of their own, and others that ruleOf does not know by their columns. Those
// with an empty query are names and settings, and whole in every part.
var narrowedTables = map[string]tableRule{
	"sources": {query: whole}, "workspaces": {query: whole}, "project_aliases": {query: whole},
	"conversation_copies": {query: whole}, "repositories": {query: whole}, "model_prices": {query: whole},
	"internal._meta": {}, "internal._mcp_servers": {},

	"conversations": {query: ofConversation,
		timeless: `FROM $TABLE c SEMI JOIN part.known k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id
		WHERE (c.source_id, c.conversation_id) NOT IN (SELECT (source_id, conversation_id) FROM part.times) AND ` +
			conversationAt + ` IS NULL AND c.deleted_at IS NULL`},

	"messages": {query: "SELECT t.* FROM $TABLE t $KEPT WHERE $WITHIN{t.created_at}",
		timeless: "FROM $TABLE t SEMI JOIN part.known k ON k.source_id = t.source_id AND k.conversation_id = " +
			"t.conversation_id WHERE t.created_at IS NULL AND t.deleted_at IS NULL"},
	"attachments": {query: ofMessage + " UNION ALL " + ofConversation + " WHERE t.message_id IS NULL"},
	"code_edits": {
		query: `SELECT t.* FROM $TABLE t $KEPT LEFT JOIN $W.messages m ON m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
		WHERE $WITHIN{coalesce(t.created_at, m.created_at)}`,
		timeless: `FROM $TABLE t SEMI JOIN part.known k ON k.source_id = t.source_id AND k.conversation_id = t.conversation_id
		LEFT JOIN $W.messages m ON m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
		WHERE coalesce(t.created_at, m.created_at) IS NULL AND t.deleted_at IS NULL`,
	},

	"sessions": {query: "SELECT t.* FROM $TABLE t WHERE $WITHIN{t.started_at} AND $OF{t.session_id IN (SELECT " +
		"session_id FROM $W.live_sessions WHERE project_uri IN ($URIS))}"},
	"activity_periods": {
		query: `SELECT t.* REPLACE ($FROM{t.started_at} AS started_at, $TO{t.ended_at} AS ended_at, epoch_ms($TO{t.ended_at}) - epoch_ms($FROM{t.started_at}) AS duration_ms)
		FROM $TABLE t WHERE $FROM{t.started_at} <= $TO{t.ended_at} AND $OF{t.period_id IN (SELECT period_id FROM $W.live_activity_periods WHERE project_uri IN ($URIS))}`,
	},
	"daily_edit_stats": {query: "SELECT t.* FROM $TABLE t WHERE $DAY{t.date}", noProject: true},

	"commits": {query: "SELECT t.* FROM $TABLE t WHERE $WITHIN{coalesce(t.authored_at, t.committed_at)} AND " +
		ofRepositories,
		timeless: "FROM $TABLE t WHERE coalesce(t.authored_at, t.committed_at) IS NULL AND t.deleted_at IS NULL AND " +
			ofRepositories},
	"commit_files": {query: "SELECT t.* FROM $TABLE t SEMI JOIN main.commits c ON c.source_id = t.source_id " +
		"AND c.repository_id = t.repository_id AND c.commit_hash = t.commit_hash"},
	"conversation_commits": {query: ofConversation + " WHERE $WITHIN{t.committed_at}"},
	"scored_commits": {query: "SELECT t.* FROM $TABLE t WHERE $WITHIN{coalesce(t.committed_at, t.scored_at)}",
		noProject: true, timeless: "FROM $TABLE t WHERE coalesce(t.committed_at, t.scored_at) IS NULL AND " +
			"t.deleted_at IS NULL"},
	"ai_code_hashes": {query: "SELECT t.* FROM $TABLE t WHERE $WITHIN{t.written_at} AND $OF{t.conversation_id IN " +
		"(SELECT conversation_id FROM part.known)}",
		timeless: "FROM $TABLE t WHERE t.written_at IS NULL AND $OF{t.conversation_id IN (SELECT conversation_id " +
			"FROM part.known)}"},

	"usage_events":   {query: ofUsage, timeless: timelessUsage},
	"turn_estimates": {query: ofUsage, timeless: timelessUsage},

	"usage_records": {why: noTimes}, "unknown_fields": {why: ofRuns}, "quarantine": {why: ofRuns},
}

// ruleOf is the rule of a table, by the name by which SQL finds it: that of its own, else of the message or the
// conversation whose id its rows have.
func ruleOf(name string) tableRule {
	if rule, ok := narrowedTables[name]; ok {
		return rule
	}
	t, _ := schema.Lookup(strings.TrimPrefix(name, "internal."))
	switch {
	case t.Is(schema.OfRun|schema.Private) || t.Scope == schema.Internal:
		return tableRule{why: ofRuns}
	case slices.ContainsFunc(t.Columns, func(c schema.Column) bool { return c.Name == "message_id" && !c.Nullable }):
		return tableRule{query: ofMessage}
	case t.Has("conversation_id"):
		return tableRule{query: ofConversation}
	}
	return tableRule{why: noTimes}
}

// asked matches a word of a rule with its argument.
var asked = regexp.MustCompile(`\$(WITHIN|DAY|FROM|TO)\{([^{}]*)\}`)

// ofProjects matches the condition of a rule that is about projects.
var ofProjects = regexp.MustCompile(`\$OF\{([^{}]*)\}`)

// query writes a rule for a table in SQL. $TABLE is the table in the warehouse, $W the warehouse's schema main. $KEPT
// leaves the rows of conversations that are in the part. $WITHIN{time} says that a time is in the period, $DAY{date}
// that a part of a day is; $FROM{time} and $TO{time} are the time, cut at the ends of the period. $OF{condition} is a
// condition that counts if the part is one of projects, whose URIs are $URIS.
func (n *narrowing) query(table, rule string) string {
	rule = asked.ReplaceAllStringFunc(rule, func(word string) string {
		m := asked.FindStringSubmatch(word)
		switch {
		case m[1] == "WITHIN":
			return n.within(m[2])
		case m[1] == "DAY":
			return n.overlaps(m[2], 1)
		case m[1] == "FROM" && n.Since != nil:
			return "greatest(" + m[2] + ", " + instant(n.Since) + ")"
		case m[1] == "TO" && n.Until != nil:
			return "least(" + m[2] + ", " + instant(n.Until) + ")"
		}
		return m[2]
	})
	rule = ofProjects.ReplaceAllStringFunc(rule, func(word string) string {
		if n.ProjectURIs == nil {
			return "true"
		}
		return "(" + ofProjects.FindStringSubmatch(word)[1] + ")"
	})
	return strings.NewReplacer("$TABLE", overMain+"."+table, "$URIS", engine.Literals(n.ProjectURIs), "$W", overMain,
		"$KEPT", "SEMI JOIN part.conversations k ON k.source_id = t.source_id AND k.conversation_id = "+
			"t.conversation_id").Replace(rule)
}
