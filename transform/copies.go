package transform

import (
	"bytes"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// This file is about whole conversations inside rows of workspace stores. Such a row holds many of them, and all rows are read before the first conversation is:
// of a copy no parsed value is kept, only its text, which is parsed again when the conversation's rows are made.

// copied is a whole conversation inside a workspace's ItemTable.
type copied struct {
	workspace string
	doc       *extract.Document // the row that holds it
	format    string            // inline or chat_tab
	text      []byte            // of the element
	messages  int64             // in its list
	activity  schema.Millis     // its latest time, 0 for none
	isEarlier bool              // from an earlier version of its row: the present one cannot be used
}

// newCopy notes an element of a list that is a whole conversation.
func newCopy(workspace string, d *extract.Document, format string, element value, isEarlier bool) copied {
	head := element.object()
	c := copied{workspace: workspace, doc: d, format: format, text: element.raw(), activity: activity(head), isEarlier: isEarlier}
	path := pathChatTab
	if head.get("conversation").exists() {
		path = pathArray
	}
	c.messages = below(head, path)
	return c
}

// head parses the copy.
func (c *copied) head() value {
	head, _ := parseObject(c.text) // it was parsed before, within its row
	return head
}

// bestCopy chooses one copy of a conversation: the one with the latest activity, then the one of the smaller workspace.
func (f *Facts) bestCopy() *copied {
	var best *copied
	for i := range f.copies {
		c := &f.copies[i]
		if best == nil || c.activity > best.activity || c.activity == best.activity && c.workspace < best.workspace {
			best = c
		}
	}
	return best
}

func activity(head value) schema.Millis {
	t := latestOf(head.get("createdAt").time(), head.get("lastUpdatedAt").time(), head.get("lastSendTime").time())
	for _, b := range head.first("conversation", "bubbles").array() {
		o := b.object()
		t = latestOf(t, o.get("createdAt").time(), o.get("timestamp").time(), o.get("timingInfo").get("clientStartTime").time())
	}
	if t == nil {
		return 0
	}
	return *t
}

// withoutMessages is the head of a conversation in a list: one with messages is parsed again without them, so that it does not keep all of its row.
func withoutMessages(head value) value {
	if !head.get("conversation").exists() {
		return head
	}
	text := []byte{'{'}
	for member := range head.members {
		if bytes.Equal(member.name(), []byte("conversation")) {
			continue
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		n := member.node()
		text = append(text, head.in.text[n.name-1:n.to]...) // with the quote before the name
	}
	out, _ := parseObject(append(text, '}'))
	return out
}
