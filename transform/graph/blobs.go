package graph

import (
	"bytes"
	"errors"
	"slices"
)

// This file fetches blobs, checks them, and keeps the account of what a graph costs and of what could not be read.

// Names of nodes that are blobs of their own, in Problem.Node.
const (
	nodeRoot     = "root"
	nodeMessage  = "message"
	nodeArchive  = "archive"
	nodeTodo     = "todo"
	nodeTurn     = "turn"
	nodeUser     = "user_message"
	nodeStep     = "step"
	nodeShell    = "shell"
	nodeSubagent = "subagent"
	nodeText     = "text"
	nodeCloud    = "cloud_state"
)

// Reasons of problems.
const (
	badRoot      = "bad_root"
	badNode      = "bad_node"
	blobMissing  = "blob_missing"
	hashMismatch = "hash_mismatch"
	sealed       = "sealed"
	tooLarge     = "too_large"
	tooDeep      = "too_deep"
)

// decoder is the state of a whole graph.
type decoder struct {
	fetch   Fetch
	limits  Limits
	walks   bool           // blobs are fetched, and nothing is made of them
	seen    map[visit]bool // of a walk
	bytes   int            // of all blobs so far
	nodes   int            // messages so far
	err     error          // of fetch: nothing is read any more
	plain   int            // blobs that are what their name says
	odd     int            // blobs that are not
	legible bool           // one of these looks like a node all the same
}

// visit is a blob that was taken for a kind of node.
type visit struct {
	hash Hash
	node string
}

// reader reads the nodes of one conversation.
type reader struct {
	*decoder
	c     *Conversation
	depth int
	at    Hash // the blob that is read
	where string
	named map[Problem]bool
	calls exchanges
}

// node counts a message. It reports false if there have been too many, or nothing can be read any more.
func (r *reader) node() bool {
	if r.err != nil {
		return false
	}
	if r.nodes >= r.limits.Nodes {
		r.problem(tooLarge, r.where, r.at)
		return false
	}
	r.nodes++
	return true
}

// problem names what could not be read, once.
func (r *reader) problem(reason, node string, blob Hash) {
	p := Problem{reason, node, blob}
	if r.named[p] {
		return
	}
	if r.named == nil {
		r.named = map[Problem]bool{}
	}
	r.named[p] = true
	r.c.Problems = append(r.c.Problems, p)
}

// bad names the blob that is read as one that is not what it must be.
func (r *reader) bad(m message) {
	if m == stateMessage {
		r.problem(badRoot, nodeRoot, r.at)
		return
	}
	r.problem(badNode, r.where, r.at)
}

// blob fetches a blob, and reports whether it can be used. A walk takes each once: a subagent that is named twice on
// each level would be read twice as often on the next.
func (r *reader) blob(h Hash, node string) ([]byte, bool) {
	if r.seen[visit{h, node}] || !r.node() {
		return nil, false
	}
	if r.walks {
		r.seen[visit{h, node}] = true
	}
	blob, err := r.fetch(h)
	b := blob.Bytes
	switch {
	case errors.Is(err, ErrMissing):
		r.problem(blobMissing, node, h)
	case err != nil:
		r.err = err
	case r.limits.exceeded(b, r.bytes):
		r.problem(tooLarge, node, h)
	case !blob.has(h):
		r.odd++
		r.legible = r.legible || looksPlain(b, node)
		r.problem(hashMismatch, node, h)
	default:
		r.bytes += len(b)
		r.plain++
		return b, true
	}
	return nil, false
}

// open reads a blob with a function.
func (r *reader) open(h Hash, node string, read func(b []byte)) (ok bool) {
	b, ok := r.blob(h, node)
	if ok {
		at, where := r.at, r.where
		r.at, r.where = h, node
		read(b)
		r.at, r.where = at, where
	}
	return ok
}

// looksPlain reports whether bytes that are not those of their name look like a node. Encrypted bytes do so very
// rarely. A root begins with a reference in nearly every case, also if its end is missing.
func looksPlain(b []byte, node string) bool {
	if node == nodeRoot && bytes.HasPrefix(b, []byte{1<<3 | 2, 32}) {
		return true
	}
	return bytes.HasPrefix(b, []byte("{")) || isMessage(b)
}

// finish tells a sealed store from damaged blobs, and says how complete the conversation is.
func (d *decoder) finish(c *Conversation) error {
	if d.plain == 0 && d.odd > 0 && !d.legible &&
		(d.odd > 1 || slices.Contains(c.Problems, Problem{hashMismatch, nodeRoot, c.Root})) {
		kept := []Problem{{sealed, nodeRoot, c.Root}}
		for _, p := range c.Problems {
			if p.Reason != hashMismatch {
				kept = append(kept, p)
			}
		}
		c.Problems = kept
	}
	c.complete()
	return d.err
}

// complete says how complete a conversation is.
func (c *Conversation) complete() {
	switch {
	case len(c.Problems) > 0 && len(c.Turns) == 0 && !c.hasMessages:
		c.Completeness = "unreadable"
	case len(c.Problems) > 0:
		c.Completeness = "partial"
	case c.inProgress():
		c.Completeness = "in_progress"
	default:
		c.Completeness = "complete"
	}
}

// inProgress reports whether the agent was at work when the root was written: calls were pending, or the last step is a
// call that has not ended.
func (c *Conversation) inProgress() bool {
	if len(c.Pending) > 0 {
		return true
	}
	if len(c.Turns) == 0 {
		return false
	}
	steps := c.Turns[len(c.Turns)-1].Steps
	if len(steps) == 0 {
		return false
	}
	call := steps[len(steps)-1].Call
	return call != nil && (call.Pending || call.CompletedAt == nil && call.Outcome == "" && call.Result == nil)
}
