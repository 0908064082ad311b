package graph

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file finds the blobs of a graph without making anything of them, for a reader that copies a conversation's blobs
// before they are decoded.

// Walk fetches the blobs that Decode asks for, below a root that is given as its bytes: each once, or once for each
// kind of node that it is taken for. A blob that cannot be read leads nowhere; Decode names it. The error is one of
// fetch.
func Walk(root []byte, fetch Fetch, limits Limits) error {
	w := newWalker(fetch, limits)
	w.look(aRoot, root, 0)
	return w.err
}

// WalkBlob is Walk below a root that is a blob, which it fetches first.
func WalkBlob(root Hash, fetch Fetch, limits Limits) error {
	w := newWalker(fetch, limits)
	w.follow(aRoot, root, 0)
	return w.err
}

// A place is a message in which there are names of blobs, or messages that have some.
type place int

const (
	aLeaf place = iota // a blob that names no other
	aRoot
	anArchive
	aTurn
	anAgentTurn
	aShellTurn
	aPrompt
	aStep
	aCall
	aTruncatedCall
	aReadCall
	aReadResult
	aFile
	aSubagentEntry
	aSubagentName
	aSubagent
	aCloudState
)

// A lead is what a field leads to.
type lead struct {
	to     place
	isBlob bool // the field has the name of a blob, and is no message itself
	deeper bool // it may lead on and on, and counts for Limits.Depth
}

// leads are the fields of each message that lead on. Their numbers are those by which the rest of this package reads
// them.
var leads = map[place]map[protowire.Number]lead{
	aRoot: {1: {to: aLeaf, isBlob: true}, 3: {to: aLeaf, isBlob: true}, 6: {to: aLeaf, isBlob: true},
		7: {to: aLeaf, isBlob: true}, 8: {to: aTurn, isBlob: true}, 11: {to: anArchive, isBlob: true},
		13: {to: anArchive, isBlob: true}, 16: {to: aSubagentEntry}, 31: {to: aSubagentName}},
	anArchive:      {1: {to: aLeaf, isBlob: true}, 4: {to: aLeaf, isBlob: true}},
	aTurn:          {1: {to: anAgentTurn}, 2: {to: aShellTurn}},
	anAgentTurn:    {1: {to: aPrompt, isBlob: true}, 2: {to: aStep, isBlob: true}},
	aShellTurn:     {1: {to: aLeaf, isBlob: true}, 2: {to: aLeaf, isBlob: true}},
	aPrompt:        {18: {to: aLeaf, isBlob: true}},
	aStep:          {2: {to: aCall}},
	aCall:          {readCall: {to: aReadCall}, truncatedCall: {to: aTruncatedCall}},
	aTruncatedCall: {1: {to: aStep, isBlob: true, deeper: true}},
	aReadCall:      {2: {to: aReadResult}},
	aReadResult:    {1: {to: aFile}},
	aFile:          {10: {to: aLeaf, isBlob: true}},
	aSubagentEntry: {2: {to: aSubagent}},
	aSubagentName:  {2: {to: aSubagent, isBlob: true}},
	aSubagent:      {1: {to: aRoot, deeper: true}},
	aCloudState: {1: {to: aRoot}, 3: {to: aLeaf, isBlob: true}, 4: {to: aLeaf, isBlob: true},
		5: {to: aLeaf, isBlob: true}, 6: {to: aLeaf, isBlob: true}, 8: {to: aLeaf, isBlob: true},
		13: {to: aLeaf, isBlob: true}},
}

// walker is the state of a walk.
type walker struct {
	fetch  Fetch
	limits Limits
	bytes  int
	seen   map[visit]bool
	err    error
}

// visit is a blob that was taken for something.
type visit struct {
	hash Hash
	as   place
}

func newWalker(fetch Fetch, limits Limits) *walker {
	return &walker{fetch: fetch, limits: limits.withDefaults(), seen: map[visit]bool{}}
}

// look follows the fields of a message.
func (w *walker) look(at place, b []byte, depth int) {
	for len(b) > 0 && w.err == nil {
		f, n := consume(b)
		if n < 0 {
			return
		}
		b = b[n:]
		l, ok := leads[at][f.num]
		below := depth
		if l.deeper {
			below++
		}
		switch {
		case !ok || f.typ != protowire.BytesType || below >= w.limits.Depth:
		case !l.isBlob:
			w.look(l.to, f.b, below)
		case len(f.b) == len(Hash{}):
			w.follow(l.to, Hash(f.b), below)
		}
	}
}

// follow fetches a blob, and looks into it.
func (w *walker) follow(as place, h Hash, depth int) {
	v := visit{h, as}
	if w.seen[v] || len(w.seen) >= w.limits.Nodes {
		return
	}
	w.seen[v] = true
	blob, err := w.fetch(h)
	switch {
	case errors.Is(err, ErrMissing):
	case err != nil:
		w.err = err
	case !w.limits.exceeded(blob.Bytes, w.bytes):
		w.bytes += len(blob.Bytes)
		if as != aLeaf && blob.has(h) {
			w.look(as, blob.Bytes, depth)
		}
	}
}
