package transform

import (
	"errors"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file gives ids to conversations that a workspace's list holds without one (docs/formats.md, Conversations
// without an id).

// errNoID is the reason why an element of a list cannot be used: it has neither an id nor a list of messages.
var errNoID = errors.New("no_id")

// madeIDs counts how often a text came first in a conversation of a list that has no id.
type madeIDs map[string]int

// next makes the id of a list's next conversation without one, "" if the element holds no list of messages. The id does
// not depend on the place in the list: if a conversation goes, the others keep their ids.
func (m madeIDs) next(workspace, list string, head jsondoc.Value) string {
	messages := head.First("conversation", "bubbles").Unquoted()
	if !messages.IsArray() {
		return ""
	}
	text := ""
	for message := range messages.Elements {
		if first := messageText(message.Unquoted().Object()); first != nil {
			text = *first
			break
		}
	}
	m[text]++
	hash := hash128([]byte(workspace), []byte{0}, []byte(list), []byte{0}, []byte(text), []byte{0},
		fmtInt(int64(m[text])))
	return "#" + hash[:16]
}

// withoutID puts an element of a list into quarantine that has no id and cannot get one. Equal elements are told apart
// by their number.
func (s *Shared) withoutID(d *extract.Document, element jsondoc.Value, count *schema.LoadElement) {
	if jsondoc.IsEmpty(element) {
		return
	}
	count.Quarantined++
	part := *d
	part.Value = element.Raw()
	part.Bytes = int64(len(part.Value))
	q := quarantineRow("", &part, errNoID.Error())
	key := [3]string{d.Store, deref(q.Key), q.ValueHash}
	if s.nameless[key]++; s.nameless[key] > 1 {
		q.ValueHash = hash128(part.Value, []byte{0}, fmtInt(int64(s.nameless[key])))
	}
	s.Quarantine = append(s.Quarantine, q)
}
