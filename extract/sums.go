package extract

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// This file compares rows whose rowids are as they were: an UPDATE, or an upsert, overwrites a value and keeps the rowid. A pass over the table in
// its own order asks either for the size of each value, which reads no value, or for every value. What it finds is added up for each conversation.

// Depth is how far a store's values are looked into before anything of it is loaded.
type Depth int

const (
	DepthKeys   Depth = iota // not at all: keys and rowids alone
	DepthSizes               // the sizes of all values, and the conversations' own documents
	DepthValues              // every value of the families that are loaded or kept
)

// Sums stand for the rows of one owner, in whatever order they came.
type Sums struct {
	sizes   uint64
	content xxh3.Uint128
	partial bool // a value was not read: content says nothing
}

// Add takes in a row that was read. A conversation's own document counts among the sizes with all it says: its time of the last update is there.
func (s *Sums) Add(d *Document) {
	if d.IsHead() {
		s.addSize(d.Key, d.Bytes, d.Hash())
	} else {
		s.addSize(d.Key, d.Bytes, "")
	}
	s.addContent(d.Table, d.KeyType, d.Key, d.Hash())
}

// AddKnown takes in a row of the key-value table that was not read, as the raw layer has it: it is of a family that is kept.
func (s *Sums) AddKnown(key string, size int64, hash string) {
	s.addSize(key, size, "")
	s.addContent(diskKV, KeyText, key, hash)
}

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

// Content returns 32 hex digits over the keys and versions of the rows: equal content, equal digits. "" where a value was not read.
func (s *Sums) Content() string {
	if s.partial {
		return ""
	}
	sum := s.content.Bytes()
	return hex.EncodeToString(sum[:])
}

// sizes and content are what a pass has found of an owner; "" for what it did not ask for.
func (s *store) sizes(e *entry) string {
	if s.depth < DepthSizes {
		return ""
	}
	return e.sums.Sizes()
}

func (s *store) content(e *entry) string {
	if s.depth < DepthValues {
		return ""
	}
	return e.sums.Content()
}

// readValues makes the pass, as deep as it is asked for. Where rows have no rowid nothing is gained by it: their values are compared each time.
func (s *store) readValues(ctx context.Context) error {
	s.state = s.snap.state()
	if s.tables[diskKV] && !s.noRowID[diskKV] && len(s.index)+len(s.keys)+len(s.kept) > 0 && s.askDepth != nil {
		s.depth = s.askDepth(s.name, s.state)
	}
	if s.depth == DepthKeys {
		return nil
	}
	if s.utf16 != nil { // sizes there are those of another encoding
		s.depth = DepthValues
	}
	text := `SELECT key, rowid, typeof(value), octet_length(value), CASE WHEN octet_length(value) <= ? AND (` + s.readable() + `) THEN CAST(value AS BLOB) END
		FROM cursorDiskKV NOT INDEXED`
	rows := 0
	for row, err := range query(ctx, s.snap.Conn(), text, 5, readLimit(s.utf16)) {
		if err == nil {
			err = s.sumUp(row)
		}
		if rows++; err == nil && rows%budgetEvery == 0 {
			err = s.withinBudget()
		}
		if err != nil {
			return err
		}
	}
	return s.sumOtherKeys(ctx)
}

// sumUp takes a row into the sums of its owner.
func (s *store) sumUp(row []driver.Value) error {
	key, ok := row[0].(string)
	if !ok { // there are few of them, see sumOtherKeys
		return nil
	}
	p := placeOf(key)
	e := s.ownerOf(p, key)
	if e == nil {
		return nil
	}
	if !s.isRead(p.family) {
		size, _ := row[3].(int64)
		e.sums.addSize(key, size, "")
		e.sums.partial = true
		return nil
	}
	d, err := s.document(diskKV, append(row, key))
	if err == nil {
		e.sums.Add(d)
	}
	return err
}

// sumOtherKeys takes in the rows whose key is no text, which are few.
func (s *store) sumOtherKeys(ctx context.Context) error {
	for _, key := range s.keys {
		if _, ok := key.(string); ok {
			continue
		}
		for d, err := range s.documents(ctx, diskKV, `k.key IS ?`, key) {
			if err != nil {
				return err
			}
			s.loose.sums.Add(d)
		}
	}
	return nil
}

// ownerOf is whose row it is: a conversation's, a family's that is kept, or of those that belong to none; nil where the row is passed over.
func (s *store) ownerOf(p place, key string) *entry {
	switch {
	case p.handling != Loaded && s.raw.Keeps(p.family) && keepable(p, key):
		return s.kept[p.family]
	case p.handling != Loaded:
		return nil
	case p.conversation == "":
		return &s.loose
	}
	return s.index[p.conversation]
}

// isRead reports that the pass reads the values of a family. Those of keys without a pattern may be secrets.
func (s *store) isRead(family string) bool {
	return family == FamilyComposer || s.depth == DepthValues && prefixOf(family) != ""
}

func prefixOf(family string) string {
	for i := range families {
		if families[i].name == family {
			return families[i].prefix
		}
	}
	return ""
}

// readable is the condition for the keys whose values are read.
func (s *store) readable() string {
	var ranges []string
	for i := range families {
		f := &families[i]
		if s.isRead(f.name) && (f.handling == Loaded || s.raw.Keeps(f.name)) {
			end := f.prefix[:len(f.prefix)-1] + string(f.prefix[len(f.prefix)-1]+1)
			ranges = append(ranges, `key >= '`+f.prefix+`' AND key < '`+end+`'`)
		}
	}
	return strings.Join(ranges, " OR ")
}

// unsettled is how young a file may be whose time of change is not believed: it could be written to again within the same tick of the clock.
const unsettled = 2 * time.Second

// state stands for what the files of a store that is read in place were like when it was opened: while it stays the same nobody has written. It is ""
// where nothing can be said.
func (s *storeSnapshot) state() string {
	if s.info.Method != MethodInPlace && s.info.Method != MethodWAL {
		return ""
	}
	h := xxh3.New()
	for _, f := range []fileLook{s.before.db, s.before.wal, s.before.journal} {
		if f.info == nil {
			hashNumber(h, -1)
			continue
		}
		if s.opened.Sub(f.info.ModTime()) < unsettled {
			return ""
		}
		hashNumber(h, f.info.Size())
		hashNumber(h, f.info.ModTime().UnixNano())
		hashText(h, string(f.head))
	}
	return sumOf(h)
}
