// Package chat prints one conversation: for people on a terminal, as Markdown, as a page for a browser, as JSON, as
// messages of OpenAI's API. It also names the file of an exported conversation. It knows the rows
// of a conversation. It must never know how they are found, or which command asked.
package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/sql/schema"
)

// A Conversation is a conversation with a selection of its messages to print.
type Conversation struct {
	*reader.ConversationRows
	Shown              []int  // indexes in Places of the messages to print
	abandoned, deleted int    // number of messages left out for that reason
	later              int    // number of messages left out by UpTo
	Marked             string // id of the message that was asked for
}

// Choose selects the messages of the active branch, or all messages.
func Choose(rows *reader.ConversationRows, all bool) *Conversation {
	out := &Conversation{ConversationRows: rows}
	for i := range rows.Places {
		switch branch := rows.Places[i].Branch; {
		case all || branch == reader.BranchActive:
			out.Shown = append(out.Shown, i)
		case branch == reader.BranchDeleted:
			out.deleted++
		default:
			out.abandoned++
		}
	}
	return out
}

// UpTo leaves out the messages after the one that is printed at index at.
func (c *Conversation) UpTo(at int) {
	c.later = len(c.Shown) - at - 1
	c.Shown = c.Shown[:at+1]
}

// messages calls print for each selected message, with the message before it; nil for the first.
func (c *Conversation) messages(ctx context.Context, print func(before, m *reader.MessageRows) error) error {
	var before *reader.MessageRows
	at, next := 0, 0
	for m, err := range c.Messages(ctx) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if next == len(c.Shown) {
			break
		}
		if at++; at-1 != c.Shown[next] {
			continue
		}
		next++
		if err := print(before, m); err != nil {
			return err
		}
		before = m
	}
	return nil
}

// A head is what stands before the messages of a printed conversation. Its texts have no control characters.
type head struct {
	Title    string
	Warnings []string
	Facts    []named
}

// A named is a name with its value.
type named struct{ Name, Value string }

// headOf makes the head; at formats times, in the time zone of that name. "": they name it themselves.
func headOf(c *Conversation, at func(*schema.Millis) string, zone string) (out head) {
	h := &c.Conversation
	out.Title = term.Printable(strings.TrimSpace(Title(h.DisplayTitle)))
	add := func(name, value string) {
		if value != "" {
			out.Facts = append(out.Facts, named{name, term.Printable(value)})
		}
	}
	switch {
	case h.Status != nil && *h.Status == "orphaned":
		out.Warnings = []string{"ORPHANED: Cursor has lost this conversation's own row; these are its messages"}
	case h.DeletedAt != nil:
		out.Warnings = []string{"DELETED: gone from Cursor's store when it was read at " + at(h.DeletedAt)}
	}
	add("conversation", h.ConversationID)
	add("source", h.SourceID)
	add("project", projectLine(h))
	add("parent", term.OrEmpty(h.ParentConversationID))
	add("model", term.OrEmpty(h.Model))
	add("mode", term.OrEmpty(h.Mode))
	add("status", term.OrEmpty(h.Status))
	if times := known(at(cmp.Or(h.CreatedAt, h.FirstMessageAt)), at(h.LastActivityAt)); len(times) > 0 {
		add("time", strings.Join(times, " to "))
		add("time zone", zone)
	}
	add("messages", countsLine(c))
	add("tokens", tokensLine(h))
	return out
}

func projectLine(h *schema.Conversation) string {
	if h.Project != nil && h.ProjectPath != nil {
		return *h.Project + " (" + *h.ProjectPath + ")"
	}
	return cmp.Or(term.OrEmpty(h.Project), term.OrEmpty(h.ProjectURI))
}

// countsLine counts messages and tool calls. The conversation's own figures count only live ones.
func countsLine(c *Conversation) string {
	var users, calls, failed int64
	for _, at := range c.Shown {
		m := &c.Places[at]
		if m.Role == "user" && !m.Simulated {
			users++
		}
		calls += int64(m.Calls)
		failed += int64(m.FailedCalls)
	}
	line := fmt.Sprintf("%s, %s of the user; %s", term.Plural(int64(len(c.Shown)), "message"), humanize.Comma(users),
		term.Plural(calls, "tool call"))
	if failed > 0 {
		line += fmt.Sprintf(", %s failed", humanize.Comma(failed))
	}
	if missing := c.Conversation.MissingMessageCount; missing > 0 {
		line += fmt.Sprintf("; %s lost by Cursor", humanize.Comma(missing))
	}
	return line
}

func tokensLine(h *schema.Conversation) string {
	var parts []string
	if h.InputTokens != nil {
		parts = append(parts, humanize.Comma(*h.InputTokens)+" in")
	}
	if h.OutputTokens != nil {
		parts = append(parts, humanize.Comma(*h.OutputTokens)+" out")
	}
	if h.CostCents != nil {
		parts = append(parts, fmt.Sprintf("cost $%.2f", *h.CostCents/100))
	}
	return strings.Join(parts, ", ")
}

// Title is a conversation's title for people.
func Title(title *string) string {
	if title == nil || strings.TrimSpace(*title) == "" {
		return "(no title)"
	}
	return *title
}

// LocalTime formats a time for people; "" if it is unknown.
func LocalTime(t *schema.Millis) string {
	if t == nil {
		return ""
	}
	return term.LocalTime(time.UnixMilli(int64(*t)))
}

// utcMillis formats a time in UTC, so that a file is the same for every reader; "" if it is unknown.
func utcMillis(t *schema.Millis) string {
	if t == nil {
		return ""
	}
	return time.UnixMilli(int64(*t)).UTC().Format("2006-01-02 15:04:05Z")
}

// known returns the parts that are not empty.
func known(parts ...string) (out []string) {
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}
