package transform

import (
	"bytes"
	"slices"

	"github.com/klauspost/compress/s2"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file is about whole conversations inside rows of workspace stores. Such a row holds many of them, and all rows
// are read before the first conversation is: of a copy no parsed value is kept, only its text, packed where the row is
// large. It is parsed again when the conversation's rows are made.

// newCopy notes an element of a list that is a whole conversation.
func newCopy(workspace string, d *extract.Document, format string, element jsondoc.Value, isEarlier bool) copied {
	head := element.Object()
	c := copied{workspace: workspace, doc: d, format: format, text: pack(element.Raw(), element.DocumentSize()),
		activity: activity(head), isEarlier: isEarlier}
	path := pathChatTab
	if head.Get("conversation").Exists() {
		path = pathArray
	}
	c.messages = below(head, path)
	return c
}

// head parses the copy.
func (c *copied) head() jsondoc.Value {
	head, _ := jsondoc.ParseObject(c.text.unpack()) // it was parsed before, within its row
	return head
}

func activity(head jsondoc.Value) schema.Millis {
	t := latestOf(timeOf(head.Get("createdAt")), timeOf(head.Get("lastUpdatedAt")), timeOf(head.Get("lastSendTime")))
	for _, b := range head.First("conversation", "bubbles").Array() {
		o := b.Object()
		t = latestOf(t, timeOf(o.Get("createdAt")), timeOf(o.Get("timestamp")),
			timeOf(o.Get("timingInfo").Get("clientStartTime")))
	}
	if t == nil {
		return 0
	}
	return *t
}

// holdsConversations reports whether a list of heads has a whole conversation.
func holdsConversations(list []jsondoc.Value) bool {
	return slices.ContainsFunc(list, func(head jsondoc.Value) bool { return head.Get("conversation").Exists() })
}

// withoutMessages is the head of a conversation in a list, parsed again without the messages in it, so that it does not
// keep the whole list.
func withoutMessages(head jsondoc.Value) jsondoc.Value {
	out, _ := jsondoc.ParseObject(writeParts('{', '}', head.Members, func(member jsondoc.Value) []byte {
		if string(member.Name()) == "conversation" {
			return nil
		}
		return writeMember(member, member.Raw())
	}))
	return out
}

// withoutValue is a row as what is read of it refers to it.
func withoutValue(d *extract.Document) *extract.Document {
	out := *d
	out.Value, out.Raw = nil, nil
	return &out
}

// packed is a text of a row, in packed form if the row is large.
type packed struct {
	bytes []byte
	plain bool // it is not packed
}

// packable is how large a row is whose texts are worth packing. Of a smaller one the text stays where it is.
const packable = 1 << 20

// pack packs a text of a row of that many bytes.
func pack(text []byte, row int) packed {
	if row < packable {
		return packed{text, true}
	}
	return packed{bytes: bytes.Clone(s2.Encode(nil, text))}
}

func (p packed) unpack() []byte {
	if p.plain {
		return p.bytes
	}
	text, err := s2.Decode(nil, p.bytes)
	if err != nil {
		panic("transform: a text that was packed in memory is not whole: " + err.Error())
	}
	return text
}

// seeCopies counts the lists in the copies of a conversation that workspace stores hold. One is read; the messages of
// the others count as duplicates (docs/formats.md, Elements that become no row). best is the one that is read, and head
// what is in it.
func (c *census) seeCopies(f *Facts, best *copied, head jsondoc.Value, hasHead bool) {
	for i := range f.copies {
		copied := &f.copies[i]
		key := origins[copied.origin()]
		n := c.of(key)
		n.Seen += copied.messages
		if copied != best {
			n.Duplicates += copied.messages
			continue
		}
		c.of(censusKey{key.family, listBlocks}).Seen += below(head, pathBlocks)
		c.of(censusKey{key.family, listResponses}).Seen += below(head, pathResponses)
		if !hasHead {
			c.of(censusKey{key.family, listOlderCalls}).Seen += olderCallsIn(head)
			c.of(censusKey{key.family, listAttachments}).Seen += attachedIn(head.Get("context").Unquoted().Object())
		}
	}
}

// origin is where the messages of a copy are.
func (c *copied) origin() origin {
	if c.format == formatChatTab {
		return inChatTab
	}
	return inCopy
}
