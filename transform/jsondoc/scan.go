package jsondoc

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// This file checks JSON by its grammar (RFC 8259), in one pass that notes each value, and decodes strings.

// MaxDepth is how deep a document may nest.
const MaxDepth = 10000

// scanner checks a text and notes its values. Its methods check what begins at an index, and return the index behind
// it: -1 if it is no JSON.
type scanner struct {
	text    []byte
	nodes   []node
	unicode bool // there is a \u
}

// scan checks a whole text and notes its values.
func (d *parsed) scan(text []byte) (ok bool) {
	s := scanner{text: text, nodes: append(d.nodes[:0], node{})}
	end := s.value(s.space(0), 0, 0)
	d.text, d.nodes, d.unicode = text, s.nodes, s.unicode
	d.laid, d.members = d.laid[:0], d.members[:0]
	return end >= 0 && s.space(end) == len(text)
}

// value checks the value of a node. depth is the number of brackets around it.
func (s *scanner) value(i, depth, at int) (end int) {
	if i >= len(s.text) {
		return -1
	}
	kind, escaped := s.text[i], false
	switch kind {
	case '"':
		end, escaped = s.string(i + 1)
	case '{':
		end = s.inside(i+1, '}', depth+1)
	case '[':
		end = s.inside(i+1, ']', depth+1)
	case 't':
		end = s.word(i, "true")
	case 'f':
		end = s.word(i, "false")
	case 'n':
		end = s.word(i, "null")
	default:
		end = s.number(i)
	}
	n := &s.nodes[at]
	n.from, n.to, n.size, n.kind, n.escaped = uint32(i), uint32(end), uint32(len(s.nodes)-at), kind, escaped
	return end
}

// inside checks an object or an array behind its opening bracket, up to its closing one.
func (s *scanner) inside(i int, closing byte, depth int) int {
	t := s.text
	if i = s.space(i); depth > MaxDepth {
		return -1
	}
	if i < len(t) && t[i] == closing {
		return i + 1
	}
	for {
		at := len(s.nodes)
		s.nodes = append(s.nodes, node{})
		if closing == '}' {
			if i = s.name(i, &s.nodes[at]); i < 0 {
				return -1
			}
		}
		if i = s.value(i, depth, at); i < 0 {
			return -1
		}
		if i = s.space(i); i == len(t) {
			return -1
		}
		switch t[i] {
		case closing:
			return i + 1
		case ',':
			i = s.space(i + 1)
		default:
			return -1
		}
	}
}

// name checks a member's name and the colon, and returns where the value begins.
func (s *scanner) name(i int, n *node) int {
	t := s.text
	if i == len(t) || t[i] != '"' {
		return -1
	}
	end, escaped := s.string(i + 1)
	if end < 0 {
		return -1
	}
	n.name, n.nameEnd, n.nameEscaped = uint32(i+1), uint32(end-1), escaped
	if end = s.space(end); end == len(t) || t[end] != ':' {
		return -1
	}
	return s.space(end + 1)
}

// space returns the index of the next byte that is no white space.
func (s *scanner) space(i int) int {
	t := s.text
	for i < len(t) && t[i] <= ' ' && (t[i] == ' ' || t[i] == '\n' || t[i] == '\t' || t[i] == '\r') {
		i++
	}
	return i
}

func (s *scanner) word(i int, word string) int {
	t := s.text
	if end := i + len(word); end <= len(t) && string(t[i:end]) == word {
		return end
	}
	return -1
}

func (s *scanner) number(i int) int {
	t := s.text
	if t[i] == '-' {
		i++
	}
	if i < len(t) && t[i] == '0' {
		i++
	} else if i = s.digits(i); i < 0 {
		return -1
	}
	if i < len(t) && t[i] == '.' {
		if i = s.digits(i + 1); i < 0 {
			return -1
		}
	}
	if i < len(t) && (t[i] == 'e' || t[i] == 'E') {
		if i++; i < len(t) && (t[i] == '+' || t[i] == '-') {
			i++
		}
		i = s.digits(i)
	}
	return i
}

// digits checks one digit and all that follow it.
func (s *scanner) digits(i int) int {
	t := s.text
	from := i
	for i < len(t) && '0' <= t[i] && t[i] <= '9' {
		i++
	}
	if i == from {
		return -1
	}
	return i
}

// string checks a string behind its opening quote, and says whether it has escapes.
func (s *scanner) string(from int) (end int, escaped bool) {
	t, i, seen := s.text, from, uint64(0)
	for {
		i, seen = plain(t, i, seen)
		switch {
		case i == len(t):
			return -1, false
		case t[i] == '"':
			if seen&highs != 0 && !utf8.Valid(t[from:i]) {
				return -1, false
			}
			return i + 1, escaped
		case t[i] != '\\' || i+1 == len(t):
			return -1, false
		}
		escaped = true
		switch {
		case unescaped[t[i+1]] != 0:
			i += 2
		case t[i+1] == 'u' && i+6 <= len(t) && hex4(t[i+2:]) >= 0:
			s.unicode = true
			i += 6
		default:
			return -1, false
		}
	}
}

// plain returns the index of the next quote, backslash or control character. It adds to seen every bit of the bytes
// before it; bits of the next few may be among them.
func plain(t []byte, i int, seen uint64) (int, uint64) {
	for ; i+8 <= len(t); i += 8 {
		eight := binary.LittleEndian.Uint64(t[i : i+8])
		seen |= eight
		if found := special(eight); found != 0 {
			return i + bits.TrailingZeros64(found)/8, seen
		}
	}
	for ; i < len(t) && t[i] != '"' && t[i] != '\\' && t[i] >= ' '; i++ {
		seen |= uint64(t[i])
	}
	return i, seen
}

// These are eight bytes that are all 0x01, and all 0x80.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks quotes, backslashes and control characters among eight bytes: the lowest byte whose high bit is set is
// one. Higher ones may be set by mistake.
func special(eight uint64) uint64 {
	// the quote is a space once its second bit is flipped, and control characters stay below it
	controlsAndQuotes := (eight ^ 2*ones) - (' '+1)*ones
	backslashes := (eight ^ '\\'*ones) - ones
	return (controlsAndQuotes | backslashes) &^ eight & highs
}

// hex4 returns the number of four hex digits, or -1 if there are none.
func hex4(b []byte) rune {
	var r rune
	for _, c := range b[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// unescaped are the characters for which escapes of one letter stand.
var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// decodeEscapes appends the decoded text of a checked string, without its quotes. U+0000 becomes U+2400, and a lone
// surrogate U+FFFD.
func decodeEscapes(out, text []byte) []byte {
	for i := 0; i < len(text); {
		n := i
		for n < len(text) && text[n] != '\\' {
			n++
		}
		out = append(out, text[i:n]...)
		if i = n; i == len(text) {
			break
		}
		if text[i+1] != 'u' {
			out = append(out, unescaped[text[i+1]])
			i += 2
			continue
		}
		with, size := escaped(text[i:])
		out = utf8.AppendRune(out, with)
		i += size
	}
	return out
}

// escaped decodes the \uXXXX at the start of a text, which may be a pair of two. size is the number of its bytes.
func escaped(text []byte) (with rune, size int) {
	switch r := hex4(text[2:]); {
	case r == 0:
		return '\u2400', 6
	case r < 0xD800 || r >= 0xE000:
		return r, 6
	case r < 0xDC00 && len(text) >= 12 && text[6] == '\\' && text[7] == 'u':
		if low := hex4(text[8:]); low >= 0xDC00 && low < 0xE000 {
			return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, 12
		}
	}
	return utf8.RuneError, 6
}
