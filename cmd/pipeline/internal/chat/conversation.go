// Package chat has how one conversation is printed: for people on a terminal, as Markdown, as JSON, as messages of OpenAI's API, and what its file is called.
// It knows the rows of a conversation. It must never know how they are found, or which command asked.
package chat

import (
	"context"
	"errors"

	"pipeline/load/reader"
)

// A Conversation is one with a choice of its messages: those that are printed.
type Conversation struct {
	*reader.ConversationRows
	Shown              []int  // which of Places are printed
	abandoned, deleted int    // messages that are left out for that
	later              int    // messages that are left out by UpTo
	Marked             string // the id of the message that was asked for
}

// Choose takes the messages of the active branch, or of all.
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

// UpTo leaves out what comes after the message that is printed as the at-th, from 0.
func (c *Conversation) UpTo(at int) {
	c.later = len(c.Shown) - at - 1
	c.Shown = c.Shown[:at+1]
}

// messages goes through the messages that are printed, each with the one before it, nil for the first.
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
