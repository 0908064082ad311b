// Package chat prints one conversation: for people on a terminal, as Markdown, as a page for a browser, as JSON, as
// messages of OpenAI's API. It also names the file of an exported conversation. It knows the rows
// of a conversation. It must never know how they are found, or which command asked.
package chat

import (
	"context"
	"errors"

	"pipeline/load/reader"
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
