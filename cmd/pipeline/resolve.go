package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pipeline/cmd/pipeline/internal/chat"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/load/reader"
	"pipeline/pipelines"
)

// resolve finds the conversation for a name: its id, the beginning of its id, the id of one of its messages, or
// CONVERSATION/MESSAGE.
func resolve(ctx context.Context, r *reader.Reader, name, source string) (wanted, error) {
	found, err := r.HeadsOf(ctx, name, source)
	if err != nil {
		return wanted{}, err
	}
	if len(found) > 0 {
		return onlyHead(name, found, "")
	}
	if conversation, message, two := cutLast(name, "/"); two {
		if found, err = r.HeadsOf(ctx, conversation, source); err != nil {
			return wanted{}, err
		}
		if len(found) > 0 {
			out, err := onlyHead(conversation, found, message)
			if err != nil {
				return wanted{}, err
			}
			return out, hasMessage(ctx, r, out)
		}
	}
	if found, err = r.HeadsWith(ctx, name, source); err != nil {
		return wanted{}, err
	}
	if len(found) > 0 {
		return onlyHead(name, found, name)
	}
	return wanted{}, notFound(ctx, r, name, source)
}

func cutLast(s, sep string) (before, after string, found bool) {
	at := strings.LastIndex(s, sep)
	if at <= 0 || at+len(sep) == len(s) {
		return "", "", false
	}
	return s[:at], s[at+len(sep):], true
}

// hasMessage returns an error if the conversation does not have the message.
func hasMessage(ctx context.Context, r *reader.Reader, w wanted) error {
	found, err := r.HeadsWith(ctx, w.message, w.key.SourceID)
	if err == nil && !slices.ContainsFunc(found, func(h reader.Head) bool { return h.RowKey == w.key }) {
		return usage("conversation %s has no message %s", w.key.ConversationID, w.message)
	}
	return err
}

// onlyHead returns the single conversation, or an error that lists the candidates. Of a conversation that several
// sources have it takes the primary, if that is among those found.
func onlyHead(name string, found []reader.Head, message string) (wanted, error) {
	if len(found) > 1 {
		found = withoutCopies(found)
	}
	if len(found) == 1 {
		return wanted{found[0].RowKey, message}, nil
	}
	hint := "give more of it:"
	if slices.ContainsFunc(found[1:], func(h reader.Head) bool { return h.ConversationID == found[0].ConversationID }) {
		hint = "give more of it, or --source ID:"
	}
	what := "matches the beginning of the ids of"
	switch name {
	case found[0].ConversationID:
		what = "is the id of"
	case message:
		what = "is the id of a message of"
	}
	text := fmt.Sprintf("%s %s %s; %s", name, what, term.Plural(len(found), "conversation"), hint)
	return wanted{}, usage("%s%s", text, headLines(found))
}

// withoutCopies leaves out the copies of conversations whose primary is in the list.
func withoutCopies(found []reader.Head) (out []reader.Head) {
	primary := map[string]bool{}
	for _, h := range found {
		primary[h.ConversationID] = primary[h.ConversationID] || !h.Copy
	}
	for _, h := range found {
		if !h.Copy || !primary[h.ConversationID] {
			out = append(out, h)
		}
	}
	return out
}

// headLines lists conversations for an error, so that the user can choose one.
func headLines(found []reader.Head) string {
	text, sources := "", map[string]bool{}
	for _, h := range found {
		sources[h.SourceID] = true
	}
	for _, h := range found[:min(listed, len(found))] {
		text += "\n  " + term.ShellQuote(h.ConversationID) + "  " +
			cmp.Or(chat.LocalTime(h.LastActivityAt), "(no time)")
		if len(sources) > 1 {
			text += "  source " + h.SourceID
		}
		text += "  " + term.Cut(term.Printable(chat.Title(h.Title)), 60)
		if h.Gone {
			text += " (deleted)"
		}
	}
	return text + more(len(found))
}

// notFound suggests conversations: those whose title has the words, else those with a similar id.
func notFound(ctx context.Context, r *reader.Reader, name, source string) error {
	all, err := r.HeadsOf(ctx, "", source) // all of them: every id begins with ""
	if err != nil {
		return err
	}
	text := fmt.Sprintf("there is no conversation %s, and none whose id begins with it", name)
	if source != "" {
		text += ", in the source " + source
	}
	var near []reader.Head
	for _, h := range all {
		if h.Title != nil && strings.Contains(strings.ToLower(*h.Title), strings.ToLower(name)) {
			near = append(near, h)
		}
	}
	if len(near) == 0 {
		ids, byID := []string{}, map[string]reader.Head{}
		for _, h := range all {
			begin := []rune(h.ConversationID)
			id := string(begin[:min(len([]rune(name)), len(begin))])
			if _, ok := byID[id]; !ok {
				ids, byID[id] = append(ids, id), h
			}
		}
		for _, id := range pipelines.Nearest(name, ids) {
			near = append(near, byID[id])
		}
	}
	if len(near) > 0 {
		text += "; the nearest are:" + headLines(near)
	}
	return usage("%s", text)
}

// A wanted conversation, and the message if one was given.
type wanted struct {
	key     load.RowKey
	message string
}

// messageAt finds a message by its id, its number, or the beginning of its id.
func messageAt(c *chat.Conversation, wanted string) (int, error) {
	var begin []int
	for i, at := range c.Shown {
		m := &c.Places[at]
		if m.MessageID == wanted {
			return i, nil
		}
		if strings.HasPrefix(m.MessageID, wanted) {
			begin = append(begin, i)
		}
	}
	if n, err := strconv.ParseInt(wanted, 10, 64); err == nil {
		for i, at := range c.Shown {
			if position := c.Places[at].Position; position != nil && *position == n {
				return i, nil
			}
		}
	}
	id := c.Conversation.ConversationID
	switch {
	case len(begin) == 1:
		return begin[0], nil
	case len(begin) > 1:
		text := fmt.Sprintf("%s matches the beginning of the ids of %s; give more of it:", wanted,
			term.Plural(len(begin), "message"))
		for _, i := range begin[:min(listed, len(begin))] {
			text += "\n  " + c.Places[c.Shown[i]].MessageID
		}
		return 0, usage("%s%s", text, more(len(begin)))
	}
	for _, m := range c.Places {
		if m.Branch != reader.BranchActive && strings.HasPrefix(m.MessageID, wanted) {
			return 0, usage("message %s of conversation %s is %s: add --all-branches", m.MessageID, id, m.Branch)
		}
	}
	return 0, usage("conversation %s has no message %s; it has %s. Numbers and ids: pipeline show %s --full", id,
		wanted, term.Plural(len(c.Shown), "message"), term.ShellQuote(id))
}

// listed is how many candidates an error names.
const listed = 5

// more says how many candidates are not named.
func more(n int) string {
	if n <= listed {
		return ""
	}
	return fmt.Sprintf("\n  and %d more", n-listed)
}
