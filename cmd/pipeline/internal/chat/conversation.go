// Package chat prints one conversation: for people on a terminal, as Markdown, as a page for a browser, as JSON, as
// messages of OpenAI's API. It also names the file of an exported conversation. It knows the rows
// of a conversation. It must never know how they are found, or which command asked.
package chat

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

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
	line := fmt.Sprintf("%s, %s of the user; %s", term.Plural(len(c.Shown), "message"), humanize.Comma(users),
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

// FileName is the name of the file for an exported conversation: YYYY-MM-DD_title_beginning of its id-hash.ending. It
// depends only on the conversation. The hash of its source and id makes the name unique. It has only letters, digits,
// -, _ and one dot, so it cannot leave the folder. It begins with a digit or "undated", so no system reserves it.
func FileName(c *schema.Conversation, ending string) string {
	day := "undated"
	for _, t := range []*schema.Millis{c.CreatedAt, c.FirstMessageAt, c.UpdatedAt} {
		if t != nil {
			day = time.UnixMilli(int64(*t)).UTC().Format(time.DateOnly)
			break
		}
	}
	id := strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, c.ConversationID)
	sum := sha256.Sum256([]byte(c.SourceID + "\x00" + c.ConversationID))
	return day + "_" + slug(term.OrEmpty(c.DisplayTitle)) + "_" + firstRunes(id, idRunes) + "-" +
		hex.EncodeToString(sum[:])[:hashHex] + ending
}

// FolderName is the name of a folder for the conversations of a project.
func FolderName(project string) string {
	if project == "" {
		return "no-project"
	}
	if name := slug(project); filepath.IsLocal(name) {
		return name
	}
	return "project-" + slug(project) // a system reserves the name
}

// FileEnding is the ending of a format's files.
func FileEnding(format string) string {
	switch format {
	case Markdown:
		return ".md"
	case HTML:
		return ".html"
	case OpenAI:
		return ".openai.jsonl"
	}
	return ".jsonl"
}

// The formats of an exported conversation.
const (
	Markdown = "markdown"
	HTML     = "html"
	Lines    = "jsonl"
	OpenAI   = "openai"
)

// Frame is what a document of several conversations has before, between and after them.
func Frame(format string) (open, between, end string, err error) {
	switch format {
	case Markdown:
		between = "\n---\n\n"
	case HTML:
		var before, after strings.Builder
		err = errors.Join(openHTML(&before, "Conversations", true), writePart(&after, "close", nil))
		open, end = before.String(), after.String()
	}
	return open, between, end, err
}

// Parts of a file's name, in bytes: with the day, the two hashes and the ending a name stays below a hundred bytes,
// which every file system allows.
const (
	slugBytes = 48
	idRunes   = 8
	hashHex   = 12
)

// slug makes a part of a file's name from a title: its letters and digits in lower case, with one - for everything
// between.
func slug(title string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(title) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !(unicode.IsMark(r) && b.Len() > 0 && !gap) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		if gap = false; b.Len()+utf8.RuneLen(r) > slugBytes {
			break
		}
		b.WriteRune(r)
	}
	if out := strings.TrimRight(b.String(), "-"); out != "" {
		return out
	}
	return "untitled"
}

func firstRunes(s string, n int) string {
	r := []rune(s)
	return string(r[:min(n, len(r))])
}
