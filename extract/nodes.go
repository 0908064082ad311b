package extract

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
)

// This file reads the nodes of the agent's graph (docs/formats.md, The agent's graph). Their keys name no conversation:
// the rows of a conversation lead to them. So they are fetched one by one, by key, of conversations whose rows changed.

// Of a cloud agent the editor fetches blobs when they are looked at, after the row that names its state. So its rows do
// not say which blobs there are: it is read when any blob of the store has come or gone, and the names of its blobs
// count as a part of its content.

// HasNode reports whether a store has one of some nodes. It reads no value.
func (c *cursor) HasNode(ctx context.Context, store string, names []string) (has bool, err error) {
	s := c.pinned[store]
	if s == nil || !s.tables[diskKV] || s.blobs.rows == 0 || len(names) == 0 {
		return false, nil
	}
	args := []any{int64(MaxValueBytes)}
	for _, name := range names {
		args = append(args, FamilyNode+":"+name)
	}
	text := `SELECT 1 FROM cursorDiskKV WHERE octet_length(value) <= ? AND key IN (?` +
		strings.Repeat(`, ?`, len(names)-1) + `) LIMIT 1`
	err = eachRow(ctx, s.snap.Conn(), text, 1, func([]driver.Value) { has = true }, args...)
	return has, s.damaged(err)
}

// nodes yields the nodes of a conversation, sorted by key.
func (s *store) nodes(ctx context.Context, c *Conversation, e *entry, yield func(*Document, error) bool) {
	if s.graph == nil {
		return
	}
	own, err := s.rootsOf(ctx, c, e)
	if err != nil {
		yield(nil, err)
		return
	}
	found, err := collect(s.graph, s.keptNode, own, func(name string) (node *Document, err error) {
		for d, err := range s.documents(ctx, diskKV, oneKey(FamilyNode+":"+name)) {
			if err != nil {
				return nil, err
			}
			node = d
		}
		return node, nil
	})
	if err != nil {
		yield(nil, err)
		return
	}
	Rows(found)(yield)
}

// rootsOf reads the rows in which a conversation's graph may begin.
func (s *store) rootsOf(ctx context.Context, c *Conversation, e *entry) (own []*Document, err error) {
	if err := c.LoadHead(); err != nil {
		return nil, err
	}
	if c.Head != nil {
		own = append(own, c.Head)
	}
	for _, family := range []string{FamilyRoot, FamilyCloud} {
		if e.rows.of(family) == 0 {
			continue
		}
		for d, err := range s.documents(ctx, diskKV, oneKey(onlyKey(family, c.ID))) {
			if err != nil {
				return nil, err
			}
			own = append(own, d)
		}
	}
	return own, nil
}

// collect returns the nodes that a graph asks for, sorted by key. It reads each once. One that is deleted counts as one
// that is not there; in place of such a one comes what an earlier load has kept: Cursor removes old nodes, and people
// do.
func collect(graph Graph, kept Kept, own []*Document, read func(name string) (*Document, error)) ([]*Document, error) {
	found := map[string]*Document{}
	err := graph(own, func(name string) (*Document, error) {
		if d, again := found[name]; again {
			return d, nil
		}
		d, err := read(name)
		if err != nil {
			return nil, err
		}
		if d != nil && d.IsNull() {
			d = nil
		}
		if d == nil && kept != nil {
			if d, err = kept(own, name); err != nil {
				return nil, err
			}
		}
		found[name] = d
		return d, nil
	})
	maps.DeleteFunc(found, func(_ string, d *Document) bool { return d == nil })
	return slices.SortedFunc(maps.Values(found),
		func(a, b *Document) int { return bytes.Compare([]byte(a.Key), []byte(b.Key)) }), err
}

// decode sets the value of a row that was read. kept says that it comes from the raw layer, with keys masked.
func (d *Document) decode(v []byte, kept bool) {
	if !d.IsNode() {
		d.Value, d.Raw = decodeValue(v)
		return
	}
	plain, isHex := nodeBytes(d.ID, v)
	sum := sha256.Sum256(plain)
	sound := hex.EncodeToString(sum[:]) == d.ID || kept && isMasked(plain)
	if isHex {
		masked := bytes.Clone(plain)
		maskNode(masked)
		maskDigits(v, plain, masked)
		plain = masked
	} else {
		maskNode(plain)
	}
	d.Value, d.Raw = plain, v
	if !sound && d.Problem == "" {
		d.Problem = problemHash
	}
}

// nodeBytes returns the bytes of a node that has a hash. Older stores have hex digits, and one byte 0 for a node
// without bytes.
func nodeBytes(name string, v []byte) (plain []byte, isHex bool) {
	if len(v) == 1 && v[0] == 0 {
		return nil, false
	}
	if len(v)%2 != 0 || len(v) == 0 || !isHexText(v) {
		return v, false
	}
	if sum := sha256.Sum256(v); hex.EncodeToString(sum[:]) == name { // a text that reads like hex digits
		return v, false
	}
	plain = make([]byte, len(v)/2)
	_, err := hex.Decode(plain, v)
	return plain, err == nil
}

func isHexText(v []byte) bool {
	return !slices.ContainsFunc(v, func(c byte) bool { return !isHex(c) })
}

// isMasked reports whether a value holds key material that was masked, and none that was not.
func isMasked(v []byte) bool {
	again := bytes.Clone(v)
	maskNode(again)
	if !bytes.Equal(again, v) {
		return false
	}
	return slices.ContainsFunc(secretKeys, func(key []byte) bool { return bytes.Contains(v, key) }) ||
		bytes.Contains(v, []byte("EncryptionKey\\"))
}

// IsNodeKey reports whether a row of a table is a node of the agent's graph, by its key.
func IsNodeKey(table, key string) bool {
	return table == nodeTable || table == diskKV && classifyKey(key).family == FamilyNode
}
