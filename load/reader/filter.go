package reader

import (
	"strings"

	"pipeline/sql/schema"
)

// A Filter narrows a question to some conversations or some messages. The zero value selects all.
type Filter struct {
	ProjectURIs []string // of any of these projects; nil: of any or none
	// last activity, or in a search the message, at or after Since and before Until; a time that is not known is
	// neither
	Since, Until *schema.Millis
	Role         string // of a message
	Kind         string // of a message
	Tool         string // a call's stable name, or the name that is stored
}

// A condition is SQL and its arguments, in order.
type condition struct {
	parts []string
	args  []any
}

func (c *condition) and(sql string, args ...any) {
	c.parts = append(c.parts, sql)
	c.args = append(c.args, args...)
}

func (c *condition) sql() string {
	if len(c.parts) == 0 {
		return "true"
	}
	return strings.Join(c.parts, " AND ")
}

// OfConversations returns the part of the filter that is about conversations, as a condition on the table with that
// alias.
func (f Filter) OfConversations(alias string) (sql string, args []any) {
	var c condition
	if f.ProjectURIs != nil {
		marks := strings.TrimSuffix(strings.Repeat("?, ", len(f.ProjectURIs)), ", ")
		c.and(alias + ".project_uri IN (" + marks + ")")
		for _, uri := range f.ProjectURIs {
			c.args = append(c.args, uri)
		}
	}
	if f.Since != nil {
		c.and("epoch_ms("+alias+".last_activity_at) >= ?", int64(*f.Since))
	}
	if f.Until != nil {
		c.and("epoch_ms("+alias+".last_activity_at) < ?", int64(*f.Until))
	}
	return c.sql(), c.args
}

// OfMessages returns the part of the filter that is about messages, as a condition on messages that are joined with
// their tool calls. The parameters are the aliases of the two tables. A message may have no call.
func (f Filter) OfMessages(message, call string) (sql string, args []any) {
	var c condition
	if f.Role != "" {
		c.and(message+".role = ?", f.Role)
	}
	if f.Kind != "" {
		c.and(message+".kind = ?", f.Kind)
	}
	if f.Tool != "" {
		c.and("("+call+".tool = ? OR "+call+".name = ?)", f.Tool, f.Tool)
	}
	return c.sql(), c.args
}
