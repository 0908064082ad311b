// Package graph decodes the graph in which Cursor's agent keeps a conversation (docs/formats.md, The agent's graph).
//
// A node of the graph is a blob, and its name is the SHA-256 of its bytes. The same graph is in the rows agentKv of the
// editor's store, in the store.db of the command line, and in what the editor keeps of a cloud agent. So this package
// fetches blobs through a function, and knows no store.
//
// Most nodes are protobuf messages. They are read by their field numbers, without generated code. What the user sees is
// in the turns: prompts, answers, thoughts, tool calls, and times. What the model sees is in prompt messages, which are
// JSON: arguments and results of tools as they were sent. The two are joined by the id of the tool call.
//
// Nothing in a graph is fatal. A blob that is missing, sealed, too large or not what it should be is named in
// Conversation.Problems, and the rest is read. The package is pure: the same blobs give the same conversation.
package graph

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
)

// Hash is the name of a blob: the SHA-256 of its bytes.
type Hash [sha256.Size]byte

// String is the hash as 64 hex digits, as keys of stores have it.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Fetch returns a blob, or ErrMissing if the store has none with this name. Any other error ends the decoding: the
// store could not be read. The bytes are those that were hashed: a store that has hex digits, or one byte 0 for an
// empty blob, decodes them first. They are not changed, and what Decode returns does not refer to them.
type Fetch func(Hash) (Blob, error)

// A Blob is what a store has under a name.
type Blob struct {
	Bytes   []byte
	Checked bool // whoever read it has found that its bytes have the hash; what was masked since may have changed them
}

// has reports whether a blob's bytes are those that its name says.
func (b Blob) has(h Hash) bool { return b.Checked || sha256.Sum256(b.Bytes) == h }

// ErrMissing says that the store does not have a blob.
var ErrMissing = errors.New("the store does not have this blob")

// Limits bound what one graph may cost. A limit of 0 is the one given here. What is beyond a limit is left out, and
// named in Problems.
type Limits struct {
	Blob  int // bytes of a blob: 16 MiB
	Graph int // bytes of all blobs together; a blob counts each time that it is fetched: 256 MiB
	Nodes int // messages, those inside of other messages included: 1,000,000
	Depth int // how deep conversations, truncated steps and values may nest: 16
}

// exceeded reports whether a blob is too large, by itself or after so many bytes of others.
func (l Limits) exceeded(b []byte, before int) bool {
	return len(b) > l.Blob || len(b) > l.Graph-before
}

// withDefaults fills the limits that are not set.
func (l Limits) withDefaults() Limits {
	for _, x := range []struct {
		limit    *int
		standard int
	}{{&l.Blob, 16 << 20}, {&l.Graph, 256 << 20}, {&l.Nodes, 1_000_000}, {&l.Depth, 16}} {
		if *x.limit == 0 {
			*x.limit = x.standard
		}
	}
	return l
}

// Root is where a graph begins: a root that is given as its bytes, as a row of the editor holds it inline, or a blob.
type Root struct {
	Bytes   []byte
	Blob    *Hash // nil: the bytes are the root
	IsCloud bool  // the blob is the state of a cloud agent, which has a root in it
}

// Decode decodes the graph below a root. The error is one of fetch.
func (r Root) Decode(fetch Fetch, limits Limits) (*Conversation, error) {
	return (&decoder{fetch: fetch, limits: limits.withDefaults()}).graph(r)
}

// Walk fetches the blobs that Decode asks for, and those of subagents, and makes nothing of them: for a reader that
// copies a conversation's blobs before they are decoded. The error is one of fetch.
func (r Root) Walk(fetch Fetch, limits Limits) error {
	_, err := (&decoder{fetch: fetch, limits: limits.withDefaults(), walks: true, seen: map[visit]bool{}}).graph(r)
	return err
}

func (d *decoder) graph(r Root) (c *Conversation, err error) {
	switch {
	case r.Blob == nil:
		c = d.conversation(r.Bytes, 0)
	case r.IsCloud:
		c = d.cloud(*r.Blob)
	default:
		c = &Conversation{Root: *r.Blob}
		in := &reader{decoder: d, c: c, at: *r.Blob}
		if b, ok := in.blob(*r.Blob, nodeRoot); ok {
			c = d.conversation(b, 0)
		}
	}
	return c, d.finish(c)
}

// InlineRoot returns the bytes of a root that the editor's composerData has as conversationState: "~" and base64. "~"
// alone is an empty conversation. Before there was a "~", it was hex digits, or base64 alone: such a text is a root if
// its bytes are a message. It reports false for a text of another form, and for the empty text.
func InlineRoot(text string) ([]byte, bool) {
	encoded, isMarked := strings.CutPrefix(text, "~")
	if !isMarked {
		if root, err := hex.DecodeString(text); err == nil && len(root) > 0 && isMessage(root) {
			return root, true
		}
	}
	root, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "="))
	return root, err == nil && (isMarked || len(root) > 0 && isMessage(root))
}
