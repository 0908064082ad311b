package graph

import (
	"encoding/base64"
	"math"
	"slices"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file reads what the editor keeps of a cloud agent: a row that names a state, and the state, which has a root
// inside (docs/formats.md, Cloud agents).

// CloudState is what a cloud agent's state and the blobs below it say (CloudAgentState). Numbers in brackets are those
// of its fields.
type CloudState struct {
	Conversation *Conversation // of the root in it [1]; its Root is zero if there is none
	Name         string        // name of the agent [8]
	Branch       string        // branch that it works on [5]
	BaseBranch   string        // branch that it began with [10]
	Summary      string        // what it did [4]
	PullRequest  string        // URL of its pull request [6]
	PullText     string        // text of the pull request [3]
	Prompt       string        // what it was asked for at first [13]
	StartCommit  string        // commit that it began with [9]
	LastCommit   string        // commit of its last turn [17]
	Commits      []string      // commits that it made [26]
	RequestedAt  *int64        // time of the first request [21]
	SessionID    string        // [23]
	// where it was started: a text, or the digits of a number whose names are not known [29]
	Source         string
	CompletedTurns *int64 // [30]
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

// DecodeCloud decodes the state of a cloud agent, which is a blob, and the graph below the root in it. The error is one
// of fetch.
func DecodeCloud(state Hash, fetch Fetch, limits Limits) (*CloudState, error) {
	d := newDecoder(fetch, limits)
	own := &Conversation{}
	r := &reader{decoder: d, c: own, at: state, where: nodeCloud}
	s := &CloudState{}
	var root []byte
	var texts []cloudText
	text := func(to *string) func(Hash) { return func(h Hash) { texts = append(texts, cloudText{h, to}) } }
	r.open(state, nodeCloud, func(b []byte) {
		r.read(cloudMessage, b,
			dest{1, func(b []byte) { root = slices.Clone(b) }},
			dest{3, text(&s.PullText)},
			dest{4, text(&s.Summary)},
			dest{5, text(&s.Branch)},
			dest{6, text(&s.PullRequest)},
			dest{8, text(&s.Name)},
			dest{9, &s.StartCommit},
			dest{10, &s.BaseBranch},
			dest{13, text(&s.Prompt)},
			dest{17, &s.LastCommit},
			dest{21, func(f field) {
				if s.RequestedAt = cloudTime(f); s.RequestedAt == nil {
					r.is(f, protowire.VarintType)
				}
			}},
			dest{23, &s.SessionID},
			dest{26, func(b []byte) {
				if len(b) > 0 {
					s.Commits = append(s.Commits, valid(b))
				}
			}},
			dest{29, func(f field) {
				if f.typ == protowire.VarintType {
					s.Source = strconv.FormatUint(f.n, 10)
				} else {
					r.put(f, &s.Source)
				}
			}},
			dest{30, &s.CompletedTurns})
	})
	for _, t := range texts {
		r.open(t.name, nodeText, func(b []byte) { *t.to = valid(b) })
	}
	s.Conversation = own
	if root != nil {
		s.Conversation = d.conversation(root, 0)
		s.Conversation.Problems = append(own.Problems, s.Conversation.Problems...)
		s.Conversation.Blobs += own.Blobs
		in := &reader{decoder: d, c: s.Conversation}
		for name, n := range own.UnknownFields {
			for range n {
				in.unknown(name)
			}
		}
	}
	return s, d.finish(s.Conversation)
}

// cloudText is a text in a blob of its own.
type cloudText struct {
	name Hash
	to   *string
}

// WalkCloud fetches the blobs that DecodeCloud asks for. The error is one of fetch.
func WalkCloud(state Hash, fetch Fetch, limits Limits) error {
	w := newWalker(fetch, limits)
	w.follow(aCloudState, state, 0)
	return w.err
}
