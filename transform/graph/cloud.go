package graph

import (
	"encoding/base64"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file reads what the editor keeps of a cloud agent: a row that names a state, and the state, which has a root
// inside (docs/formats.md, Cloud agents).

// CloudState is what a cloud agent's state and the blobs below it say (CloudAgentState), beside the conversation of the
// root in it [1]. Numbers in brackets are those of its fields.
type CloudState struct {
	Name        string // name of the agent [8]
	Branch      string // branch that it works on [5]
	Summary     string // what it did [4]
	RequestedAt *int64 // time of the first request [21]
}

// CloudRow is the row that names the state of a cloud agent.
type CloudRow struct {
	State Hash   // name of the state's blob [1]
	At    *int64 // time of the state [3]
}

// maxCloudRow is how long the text of such a row may be. It has some hundred characters.
const maxCloudRow = 64 << 10

// ReadCloudRow reads the row that names the state of a cloud agent: base64 of a message. It reports false for any other
// text.
func ReadCloudRow(text []byte) (row CloudRow, ok bool) {
	if len(text) > maxCloudRow {
		return row, false
	}
	b := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(b, text)
	if err != nil {
		return row, false
	}
	for b = b[:n]; len(b) > 0; {
		f, n := consume(b)
		if n < 0 {
			return row, false
		}
		b = b[n:]
		switch {
		case f.num == 1 && f.typ == protowire.BytesType && len(f.b) == len(Hash{}):
			row.State, ok = Hash(f.b), true
		case f.num == 3:
			row.At = cloudTime(f)
		}
	}
	return row, ok
}

// cloudTime reads a time that some versions write as a whole number, and others as one of eight bytes with a point.
func cloudTime(f field) *int64 {
	ms := float64(f.n)
	if f.typ == protowire.Fixed64Type {
		ms = math.Float64frombits(f.n)
	}
	if f.typ != protowire.VarintType && f.typ != protowire.Fixed64Type || !(ms > 0 && ms < timeEnd) {
		return nil
	}
	n := int64(ms)
	return &n
}

var cloudMessage = message{"cloud_state", 30}

// cloud decodes the state of a cloud agent, and the graph below the root in it. Without one the conversation's Root is
// zero.
func (d *decoder) cloud(state Hash) (c *Conversation) {
	own := &Conversation{}
	r := &reader{decoder: d, c: own, at: state, where: nodeCloud}
	s := &CloudState{}
	var root []byte
	var texts []cloudText
	text := func(to *string) func(Hash) { return func(h Hash) { texts = append(texts, cloudText{h, to}) } }
	unread := text(new(string)) // of its pull request, and what it was asked for
	r.open(state, nodeCloud, func(b []byte) {
		r.read(cloudMessage, b,
			dest{1, func(b []byte) { root = slices.Clone(b) }},
			dest{3, unread},
			dest{4, text(&s.Summary)},
			dest{5, text(&s.Branch)},
			dest{6, unread},
			dest{8, text(&s.Name)},
			dest{13, unread},
			dest{21, func(f field) {
				if s.RequestedAt = cloudTime(f); s.RequestedAt == nil {
					r.is(f, protowire.VarintType)
				}
			}})
	})
	for _, t := range texts {
		r.open(t.name, nodeText, func(b []byte) { *t.to = valid(b) })
	}
	if c = own; root != nil {
		c = d.conversation(root, 0)
		c.Problems = append(own.Problems, c.Problems...)
		in := &reader{decoder: d, c: c}
		for name, n := range own.UnknownFields {
			for range n {
				in.unknown(name)
			}
		}
	}
	c.Cloud = s
	return c
}

// cloudText is a text in a blob of its own.
type cloudText struct {
	name Hash
	to   *string
}
