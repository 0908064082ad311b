package extract

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"math/bits"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// MaxValueBytes is the largest value that is read; a larger one is reported as ProblemTooLarge.
const MaxValueBytes = 64 << 20

// TypeUnreadable is the type of a value that exists and cannot be read. A workspace.json can have this type, too.
const TypeUnreadable = "unreadable"

// Problems of a row that make its value unusable before its content is looked at.
const (
	// the key does not have its family's shape, or names no conversation (IsConversationID)
	ProblemBadKey   = "bad_key"
	ProblemTooLarge = "too_large"    // over MaxValueBytes; the value was never read
	ProblemCorrupt  = "page_corrupt" // it lies on a damaged page: nothing but the key is known
	// a node of the agent's graph whose bytes are not those that its name says; they are read all the same
	problemHash = "hash_mismatch"
)

// Types of a key.
const (
	KeyText = "text"
	KeyBlob = "blob"
	KeyNull = "null" // several rows of a table may have such a key (docs/formats.md, Tables)
)

// A Document is one row of a store, its value undecoded.
type Document struct {
	Store string
	// cursorDiskKV, ItemTable, composerHeaders; FileTable for a file beside the stores; another name for rows that
	// jsonRow made
	Table   string
	Family  string // name of the key's pattern, see Families
	Key     string
	KeyType string // one of the Key constants
	// what the key names within its conversation: the bubble's id, the checkpoint's id, the hash of a node
	ID      string
	RowID   int64
	Type    string // SQLite's type of the value: text, blob, null, integer, real; or TypeUnreadable
	Bytes   int64  // size of the value as stored
	Value   []byte // the value: key material masked, hex digits decoded; nil for NULL and where Problem forbids reading
	Raw     []byte // the value as it is stored, key material masked
	Problem string // "" or one of the Problem constants
	Parsed  bool   // somebody has parsed the value and noted Root: it need not be parsed again for that
	Root    []byte // then the text that says where the agent's graph begins; nil for none

	badKey bool // the key is not of its family's shape
	hash   string
}

// IsNull reports whether the row is deleted: Cursor writes NULL over a value to delete it.
func (d *Document) IsNull() bool { return d.Type == "null" }

// HoldsNothing reports a row that counts as deleted where an object is expected: NULL, or a single byte 0, which is how
// Cursor writes an empty array.
func (d *Document) HoldsNothing() bool { return d.IsNull() || len(d.Raw) == 1 && d.Raw[0] == 0 }

// IsHead reports whether the row is the conversation's own document: its composerData, or the row that describes a chat
// of the command line.
func (d *Document) IsHead() bool {
	return d.Family == FamilyComposer && d.Table == diskKV || d.Family == FamilyCLIMeta
}

// classify sets the fields that follow from the document's key and size.
func (d *Document) classify() {
	p := classifyKey(d.Key)
	switch d.Table {
	case itemTable:
		p = classifyItemKey(d.Key)
	case nodeTable:
		p = keyClass{family: FamilyCLINode, handling: Linked, id: d.Key}
	}
	d.Family, d.ID, d.badKey = p.family, p.id, p.bad || d.KeyType != KeyText || !utf8.ValidString(d.Key)
	switch {
	case d.Type == TypeUnreadable && d.Table != FileTable:
		d.Problem = ProblemCorrupt
	case d.KeyType != KeyText:
		d.Problem, d.Family = ProblemBadKey, familyNoKey
	case d.badKey:
		d.Problem = ProblemBadKey
	case d.Bytes > MaxValueBytes:
		d.Problem = ProblemTooLarge
	}
}

// Restore makes a document from the fields that the raw layer keeps. It sets Family, ID, Problem and Value, which
// follow from the others.
func Restore(d Document) *Document {
	switch d.Table {
	case HeaderTable:
		d.Family, d.ID, d.Value = FamilyHeader, d.Key, d.Raw
	case FileTable:
		d.ID, d.Value = d.Key, d.Raw
	case metaTable:
		d.ID = d.Key
		d.decode(d.Raw, true)
	case transcriptTable:
		if d.ID, d.Value = d.Key, d.Raw; d.Bytes > MaxValueBytes {
			d.Problem = ProblemTooLarge
		}
	case diskKV, itemTable, nodeTable:
		d.classify()
		if d.Raw != nil {
			d.decode(d.Raw, true)
		}
	default: // jsonRow made it
		d.ID, d.Value = d.Key, d.Raw
	}
	return &d
}

// jsonRow makes the row of a source that is no store of chats: v as JSON, under a key of its own.
func jsonRow(store, table, family, key string, v any) (*Document, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write %s %s as JSON: %w", family, key, err)
	}
	d := &Document{Store: store, Table: table, Family: family, Key: key, KeyType: KeyText, ID: key, Type: "text",
		Bytes: int64(len(text)), Value: text, Raw: text}
	if d.Bytes > MaxValueBytes {
		d.Problem, d.Value, d.Raw = ProblemTooLarge, nil, nil
	}
	return d, nil
}

// Rows yields rows that are in memory.
func Rows(docs []*Document) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// looseRows are a group of rows in memory that belong to no conversation.
func looseRows(store, group string, docs []*Document) *Conversation {
	return &Conversation{Store: store, ID: group, Loose: true, Fingerprint: HashDocuments(docs), rows: len(docs),
		Parts: Rows(docs)}
}

// Hash returns 32 hex digits over the stored value and its type. It tells one version of a row from another. If the
// value was never read, its size stands in for it.
func (d *Document) Hash() string {
	if d.hash == "" {
		h, _ := hashers.Get().(*xxh3.Hasher)
		h.Reset()
		hashText(h, d.Type)
		hashText(h, d.Problem)
		hashNumber(h, d.Bytes)
		_, _ = h.Write(d.Raw)
		d.hash = sumOf(h)
		hashers.Put(h)
	}
	return d.hash
}

// hashers are reused: a hasher is larger than most values.
var hashers = sync.Pool{New: func() any { return xxh3.New() }}

// SetHash sets the hash that a version was stored with.
func (d *Document) SetHash(hash string) { d.hash = hash }

// Sums adds up all rows of a loaded conversation.
func (c *Conversation) Sums() (sums Sums, err error) {
	if c.Head != nil {
		sums.Add(c.Head)
	}
	for d, err := range c.Parts {
		if err != nil {
			return sums, err
		}
		sums.Add(d)
	}
	return sums, nil
}

// HashDocuments returns 32 hex digits over the keys and versions of rows, in the given order.
func HashDocuments(docs []*Document) string {
	h := xxh3.New()
	for _, d := range docs {
		hashDocument(h, d)
	}
	return sumOf(h)
}

func hashDocument(h *xxh3.Hasher, d *Document) {
	hashText(h, d.Table)
	hashText(h, d.KeyType)
	hashText(h, d.Key)
	hashText(h, d.Hash())
}

func hashText(h *xxh3.Hasher, s string) {
	hashNumber(h, int64(len(s)))
	_, _ = h.WriteString(s)
}

func hashNumber(h *xxh3.Hasher, i int64) {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(i))
	_, _ = h.Write(n[:])
}

// hashFile adds what tells that a file has changed, without a look into it.
func hashFile(h *xxh3.Hasher, size int64, changed time.Time) {
	hashNumber(h, size)
	hashNumber(h, changed.UnixNano())
}

func sumOf(h *xxh3.Hasher) string {
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}

// Sums is a sum over the rows of one owner. It does not depend on the order of the rows.
type Sums struct {
	sizes   uint64
	content xxh3.Uint128
	partial bool // a value was not read, so content is unknown
	nodes   uint64
	has     bool // nodes were added
	holds   bool // a row holds something
	cloud   bool // the nodes count
}

// Add adds a row that was read. The sizes include the hash of a conversation's own document: the document holds the
// time of the last update, and a new time changes no size. So does the row that names the state of a cloud agent.
func (s *Sums) Add(d *Document) {
	s.holds = s.holds || !d.HoldsNothing()
	if d.IsNode() { // its name says all of it, and the rows that lead to it are added
		s.nodes += xxh3.HashString(d.ID)
		s.has = true
		return
	}
	s.cloud = s.cloud || d.Family == FamilyCloud
	if d.IsHead() || d.Family == FamilyCloud {
		s.addSize(d.Key, d.Bytes, d.Hash())
	} else {
		s.addSize(d.Key, d.Bytes, "")
	}
	s.addContent(d.Table, d.KeyType, d.Key, d.Hash())
}

// AddKnown adds a row of the key-value table that was not read, with the size and hash from the raw layer. It must be
// of a family that is kept.
func (s *Sums) AddKnown(key string, size int64, hash string) {
	s.holds = true
	s.addSize(key, size, "")
	s.addContent(diskKV, KeyText, key, hash)
}

// HoldNothing reports whether every row that was added holds nothing (Document.HoldsNothing).
func (s *Sums) HoldNothing() bool { return !s.holds && !s.partial }

// HasNodes reports whether one of the rows is a node of the agent's graph.
func (s *Sums) HasNodes() bool { return s.has }

func (s *Sums) addSize(key string, size int64, hash string) {
	var row [128]byte
	b := binary.LittleEndian.AppendUint64(append(row[:0], key...), uint64(size))
	s.sizes += xxh3.Hash(append(b, hash...))
}

func (s *Sums) addContent(parts ...string) {
	var row [256]byte
	b := row[:0]
	for _, part := range parts {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(part))), part...)
	}
	h := xxh3.Hash128(b)
	var carry uint64
	s.content.Lo, carry = bits.Add64(s.content.Lo, h.Lo, 0)
	s.content.Hi, _ = bits.Add64(s.content.Hi, h.Hi, carry)
}

// Sizes returns 16 hex digits over the keys of the rows and the sizes of their values.
func (s *Sums) Sizes() string {
	return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, s.sizes))
}

// Content returns 32 hex digits over the keys and versions of the rows: equal for equal content. It is "" if a value
// was not read.
func (s *Sums) Content() string {
	if s.partial {
		return ""
	}
	sum := s.content
	if s.cloud {
		sum.Lo += s.nodes
	}
	text := sum.Bytes()
	return hex.EncodeToString(text[:])
}

func text(key any) string {
	switch k := key.(type) {
	case nil:
		return ""
	case string:
		return k
	case []byte:
		return string(k)
	}
	return fmt.Sprint(key)
}

// IsNode reports whether the row is a node of the agent's graph.
func (d *Document) IsNode() bool { return d.Family == FamilyNode || d.Family == FamilyCLINode }
