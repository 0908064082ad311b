package btree

import (
	"bytes"
	"encoding/binary"
)

// A Log is what a SQLite -wal holds: pages as the last commit in it left them (sqlite.org/walformat.html).
type Log struct {
	page  int               // bytes of a page
	count uint32            // pages of the whole database after the last commit
	pages map[uint32][]byte // by number
	end   []byte            // the header of the last commit's frame. It has sums over all that comes before it
}

const (
	logHeader   = 32
	frameHeader = 24
	logMagic    = 0x377f0682 // or one more, where sums are made of big-endian words
)

// ReadLog reads the content of a -wal. What follows its last whole commit does not count: a writer is not done with it, or it is left of an earlier round. The log keeps
// the content.
func ReadLog(content []byte) *Log {
	l := &Log{pages: map[uint32][]byte{}}
	if len(content) < logHeader || binary.BigEndian.Uint32(content)&^1 != logMagic {
		return l
	}
	var words binary.ByteOrder = binary.LittleEndian
	if content[3]&1 == 1 {
		words = binary.BigEndian
	}
	l.page = int(binary.BigEndian.Uint32(content[8:]))
	sum := sums{}.add(words, content[:24])
	if !sum.are(content[24:]) || l.page < 512 || l.page > 1<<16 {
		return l
	}
	open := map[uint32][]byte{} // pages of a transaction whose end has not come yet
	for rest := content[logHeader:]; len(rest) >= frameHeader+l.page; rest = rest[frameHeader+l.page:] {
		head, page := rest[:frameHeader], rest[frameHeader:][:l.page:l.page]
		sum = sum.add(words, head[:8]).add(words, page)
		if !bytes.Equal(head[8:16], content[16:24]) || !sum.are(head[16:]) {
			break
		}
		open[binary.BigEndian.Uint32(head)] = page
		if count := binary.BigEndian.Uint32(head[4:]); count > 0 {
			for no, page := range open {
				l.pages[no] = page
			}
			clear(open)
			l.count, l.end = count, head
		}
	}
	return l
}

// State tells the log's commits from all others. It is never nil, and does not keep the content.
func (l *Log) State() []byte { return append([]byte{}, l.end...) }

// at returns a page of the log; nil if it has none.
func (l *Log) at(no uint32) []byte {
	if l == nil {
		return nil
	}
	return l.pages[no]
}

// sums are the two running sums of a -wal.
type sums [2]uint32

// add adds words of 4 bytes, in pairs.
func (s sums) add(words binary.ByteOrder, b []byte) sums {
	for ; len(b) >= 8; b = b[8:] {
		s[0] += words.Uint32(b) + s[1]
		s[1] += words.Uint32(b[4:]) + s[0]
	}
	return s
}

func (s sums) are(b []byte) bool {
	return s[0] == binary.BigEndian.Uint32(b) && s[1] == binary.BigEndian.Uint32(b[4:])
}
