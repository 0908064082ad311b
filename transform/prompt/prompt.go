// Package prompt takes a user's message apart: what the user wrote, and the blocks that Cursor put around it
// (docs/formats.md, Blocks around a prompt).
//
// The agent's graph and the agent's transcripts have the same blocks. The package is pure: the same text gives the same
// prompt.
package prompt

import (
	"slices"
	"strings"
)

// Prompt is a user's message.
type Prompt struct {
	// what the user wrote: what is in the blocks <user_query>, else what is left of the message without the blocks at
	// its beginning and end
	Text  string
	Query bool   // there is a block <user_query>
	At    *int64 // the time of the block <timestamp>, in milliseconds since 1970, UTC: exact to a minute
	// Cursor wrote it, when a task in the background ended: it begins with a notification, before any query, and has no
	// other text behind it
	Notice bool
}

// query is the name of the block that has what the user wrote.
const query = "user_query"

// known are the names of the blocks. Any other tag is text: users write about HTML.
var known = map[string]bool{
	query: true, "timestamp": true, "user_info": true, "system_reminder": true, "attached_files": true,
	"open_and_recently_viewed_files": true, "image_files": true, "cursor_commands": true, "rules": true,
}

// A notification is text, as it says which task ended; what Cursor asks of the agent is in a query behind it.
const noticeBegin, noticeEnd = "<system_notification>", "</system_notification>"

// longest is at least the length of the longest name.
const longest = 40

// segment is a block, or text between blocks.
type segment struct {
	name     string // of its tag, such as attached_files; "" for text that is in no block
	text     string // what is in it, without white space at both ends
	from, to int    // in the message, tags included
}

// Parse takes a message apart. A message without blocks is returned as it is.
func Parse(message string) Prompt {
	var p Prompt
	all := split(message)
	var queries []string
	first, last := -1, -1 // text in no block
	for i, s := range all {
		switch s.name {
		case query:
			p.Query = true
			queries = append(queries, s.text)
		case "":
			if first < 0 {
				first = i
				p.Notice = !p.Query && strings.HasPrefix(s.text, noticeBegin) && endsWithNotice(message)
			}
			last = i
		}
	}
	switch {
	case p.Query:
		p.Text = strings.Join(queries, "\n")
	case len(all) == 1 && first == 0:
		p.Text = message
	case first >= 0:
		p.Text = strings.TrimSpace(message[all[first].from:all[last].to])
	}
	for i, s := range all {
		if isText := !p.Query && i >= first && i <= last; isText || s.name != "timestamp" || p.At != nil {
			continue
		}
		if at, ok := timeIn(s.text); ok {
			p.At = &at
		}
	}
	return p
}

// Unwrap is what the user wrote, of a message that has nothing outside of blocks and a block with a query that ends;
// any other message is returned as it is. A user may have pasted such blocks into a text, or ask about a tag.
func Unwrap(message string) string {
	if !strings.HasPrefix(strings.TrimLeft(message, " \t\r\n"), "<") || !strings.Contains(message, "</user_query>") {
		return message
	}
	if hasText(message) {
		return message
	}
	if p := Parse(message); p.Query {
		return p.Text
	}
	return message
}

// hasText reports whether a message has text in no block.
func hasText(message string) bool {
	return slices.ContainsFunc(split(message), func(s segment) bool { return s.name == "" })
}

// endsWithNotice reports whether there is a notification and only blocks behind it. Who pastes one writes on.
func endsWithNotice(message string) bool {
	at := strings.LastIndex(message, noticeEnd)
	return at >= 0 && !hasText(message[at+len(noticeEnd):])
}

// IsNotice reports whether Cursor wrote a message, when a task in the background ended.
func IsNotice(message string) bool {
	return strings.Contains(message, noticeEnd) && Parse(message).Notice
}

// split cuts a message at the blocks that begin on a line of their own, or right behind another. White space between
// blocks is left out.
func split(s string) (all []segment) {
	begin := 0 // of what is in no block
	add := func(name, text string, from, to int) {
		if text = strings.TrimSpace(text); name != "" || text != "" {
			all = append(all, segment{name, text, from, to})
		}
	}
	unclosed := map[string]bool{}
	for i := 0; i < len(s); {
		at := strings.IndexByte(s[i:], '<')
		if at < 0 {
			break
		}
		i += at
		name := opening(s[i:])
		if name == "" || unclosed[name] || !beginsLine(s[begin:i]) {
			i++
			continue
		}
		inner := s[i+len(name)+2:]
		text, rest, closed := strings.Cut(inner, "</"+name+">")
		if !closed && name != query { // a query that is cut off goes to the end
			unclosed[name] = true
			i++
			continue
		}
		add("", s[begin:i], begin, i)
		end := len(s) - len(rest)
		add(name, text, i, end)
		i, begin = end, end
	}
	add("", s[begin:], begin, len(s))
	return all
}

// opening is the name of the known block whose tag a text begins with; "" for none.
func opening(s string) string {
	name, _, ok := strings.Cut(s[1:min(len(s), longest)], ">")
	if !ok || !known[name] {
		return ""
	}
	return name
}

// beginsLine reports whether what follows a text is the first of its line.
func beginsLine(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || strings.HasSuffix(before, "\n")
}
