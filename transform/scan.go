package transform

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// This file checks JSON by its grammar (RFC 8259), in one pass, and decodes strings. It makes nothing but the list of members that parseObject asks for.

// maxDepth is how deep a document may nest.
const maxDepth = 10000

// scanner is a text that is checked. Its methods check what begins at an index, and return the index behind it: -1 if it is no JSON.
type scanner []byte

// isObject reports whether a text can be nothing but an object.
func (t scanner) isObject() bool {
	i := t.space(0)
	return i < len(t) && t[i] == '{'
}

// document checks a whole text, and appends the members to into if it is an object and into is not nil.
func (t scanner) document(into *object) (ok bool) {
	i := t.space(0)
	switch {
	case i == len(t):
		return false
	case t[i] == '{':
		i = t.inside(i+1, '}', 1, into)
	default:
		i = t.value(i, 0)
	}
	return i >= 0 && t.space(i) == len(t)
}

// value checks a value, of which there is a first byte. depth is the number of brackets around it.
func (t scanner) value(i, depth int) int {
	switch t[i] {
	case '"':
		return t.text(i + 1)
	case '{':
		return t.inside(i+1, '}', depth+1, nil)
	case '[':
		return t.inside(i+1, ']', depth+1, nil)
	case 't':
		return t.word(i, "true")
	case 'f':
		return t.word(i, "false")
	case 'n':
		return t.word(i, "null")
	}
	return t.number(i)
}

// inside checks an object or an array behind its opening bracket, up to its closing one. An object's members are appended to into, unless that is nil.
func (t scanner) inside(i int, closing byte, depth int, into *object) int {
	if i = t.space(i); depth > maxDepth {
		return -1
	}
	if i < len(t) && t[i] == closing {
		return i + 1
	}
	for {
		name, nameEnd := i+1, i
		if closing == '}' {
			if nameEnd, i = t.name(i); i < 0 {
				return -1
			}
		}
		if i == len(t) {
			return -1
		}
		from := i
		if i = t.value(i, depth); i < 0 {
			return -1
		}
		if into != nil {
			*into = append(*into, field{decodedName(t[name:nameEnd]), value(t[from:i])})
		}
		if i = t.space(i); i == len(t) {
			return -1
		}
		switch t[i] {
		case closing:
			return i + 1
		case ',':
			i = t.space(i + 1)
		default:
			return -1
		}
	}
}

// name checks a member's name and the colon, and returns where the name ends and where the value begins.
func (t scanner) name(i int) (nameEnd, from int) {
	if i == len(t) || t[i] != '"' {
		return 0, -1
	}
	if i = t.text(i + 1); i < 0 {
		return 0, -1
	}
	nameEnd = i - 1
	if i = t.space(i); i == len(t) || t[i] != ':' {
		return 0, -1
	}
	return nameEnd, t.space(i + 1)
}

// space returns the index of the next byte that is no white space.
func (t scanner) space(i int) int {
	for i < len(t) && (t[i] == ' ' || t[i] == '\n' || t[i] == '\t' || t[i] == '\r') {
		i++
	}
	return i
}

func (t scanner) word(i int, word string) int {
	if end := i + len(word); end <= len(t) && string(t[i:end]) == word {
		return end
	}
	return -1
}

func (t scanner) number(i int) int {
	if t[i] == '-' {
		i++
	}
	if i < len(t) && t[i] == '0' {
		i++
	} else if i = t.digits(i); i < 0 {
		return -1
	}
	if i < len(t) && t[i] == '.' {
		if i = t.digits(i + 1); i < 0 {
			return -1
		}
	}
	if i < len(t) && (t[i] == 'e' || t[i] == 'E') {
		if i++; i < len(t) && (t[i] == '+' || t[i] == '-') {
			i++
		}
		i = t.digits(i)
	}
	return i
}

// digits checks one digit and all that follow it.
func (t scanner) digits(i int) int {
	from := i
	for i < len(t) && '0' <= t[i] && t[i] <= '9' {
		i++
	}
	if i == from {
		return -1
	}
	return i
}

// text checks a string behind its opening quote.
func (t scanner) text(i int) int {
	for {
		i = t.plain(i)
		switch {
		case i == len(t):
			return -1
		case t[i] == '"':
			return i + 1
		case t[i] != '\\' || i+1 == len(t):
			return -1
		}
		switch t[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i += 2
		case 'u':
			if i+6 > len(t) || hex4(t[i+2:]) < 0 {
				return -1
			}
			i += 6
		default:
			return -1
		}
	}
}

// These are eight bytes that are all 0x01, and all 0x80.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plain returns the index of the next quote, backslash or control character. It looks at eight bytes at a time.
func (t scanner) plain(i int) int {
	for ; i+8 <= len(t); i += 8 {
		eight := binary.LittleEndian.Uint64(t[i:])
		quotes, backslashes := eight^('"'*ones), eight^('\\'*ones)
		// The lowest byte whose high bit is set here is 0 in quotes or in backslashes, or less than a space. Higher ones may be set by mistake.
		found := ((quotes-ones)&^quotes | (backslashes-ones)&^backslashes | (eight-' '*ones)&^eight) & highs
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(t) && t[i] != '"' && t[i] != '\\' && t[i] >= ' ' {
		i++
	}
	return i
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

// decodeEscapes appends the decoded text of a checked string, without its quotes. U+0000 becomes U+2400, and a lone surrogate U+FFFD.
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
