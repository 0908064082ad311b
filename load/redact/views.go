package redact

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file decodes texts that are written in another way: with the colours of a terminal or invisible characters in
// them, as an address or HTML has them, in base64. A secret in them is one to everybody who reads them.

// view is a text as it is read, and for each byte where in the first text it begins and ends.
type view struct {
	text         []byte
	starts, ends []int
}

func (v *view) add(text string, start, end int) {
	v.text = append(v.text, text...)
	for range len(text) {
		v.starts, v.ends = append(v.starts, start), append(v.ends, end)
	}
}

// noise lists strings, in lower case, that show that the text around them may be disguised: colour codes, invisible
// characters, HTML, escapes. Such text is decoded and scanned again. The lists differ in how much is decoded around a
// string (see noisy): keyLength bytes on each side, behind bytes on each side, or as far as the nearest space on each
// side.
var noise = [3][]string{
	{"\x1b[", `u001b[`, `x1b[`, `033[`, "\x00", `u0000`, `x00`, "\u2400", "\u200b", "\u200c", "\u200d", "\u2060",
		"\ufeff", "\u00ad", `u200b`, `u200c`, `u200d`, `u2060`, `ufeff`, `u00ad`, "\u00a0", `u00a0`},
	{"：", "＝", "&quot;", "&#", "&amp;", "&lt;"},
	escaped(),
}

// escaped are the escapes of characters that may be written as they are: %67, \u0067, \x67.
func escaped() (words []string) {
	for c := '!'; c <= '~'; c++ {
		words = append(words, fmt.Sprintf("%%%02x", c))
	}
	for _, first := range "234567" {
		words = append(words, `\u00`+string(first), `\x`+string(first))
	}
	return append(words, "%20", "%0a")
}

// keyLength is how many bytes on each side of a place are read for a secret that is written in another way. A common
// private key (RSA, 4,096 bits) has 3,272 bytes. Behind one that is written plainly, rules read further: keyBehind.
const keyLength = 4 << 10

// noisy returns the part of a text that is to be decoded around a string of noise; kind is the number of its list.
func noisy(s string, kind, start, end int) span {
	switch kind {
	case 0:
		return span{max(0, start-keyLength), min(len(s), end+keyLength)}
	case 1:
		return span{max(0, start-behind), min(len(s), end+behind)}
	}
	from, to := max(0, start-keyLength), min(len(s), end+keyLength)
	from += strings.LastIndexAny(s[from:start], spaces) + 1
	if n := strings.IndexAny(s[end:to], spaces); n >= 0 {
		to = end + n
	}
	if s[start] == '\\' { // its name is before a space or a quote
		from = max(0, from-nameBytes)
	}
	return span{from, to}
}

// spaces are what no address has.
const spaces = " \t\r\n\"'<>"

// read is how a piece of text is read.
type read struct{ written, as string }

// signs are read as others, or as nothing. Those that begin with \ may have more of them before it, as in a string of
// JSON.
var signs = []read{
	{"\x00", ""}, {`\u0000`, ""}, {`\x00`, ""}, {"\u2400", ""}, {"\u200b", ""}, {"\u200c", ""}, {"\u200d", ""},
	{"\u2060", ""}, {"\ufeff", ""}, {"\u00ad", ""}, {`\u200b`, ""}, {`\u200c`, ""}, {`\u200d`, ""}, {`\u2060`, ""},
	{`\ufeff`, ""}, {`\u00ad`, ""}, {"\u00a0", " "}, {`\u00a0`, " "}, {"：", ":"}, {"＝", "="}, {"&quot;", `"`},
	{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"},
}

// signsAt are the signs by their first byte.
var signsAt = func() (at [256][]read) {
	for _, r := range signs {
		at[r.written[0]] = append(at[r.written[0]], r)
	}
	return at
}()

// escapes are how the sign is written that begins a colour.
var escapes = []string{"\x1b[", `\u001b[`, `\x1b[`, `\033[`, `\e[`}

// plainView is a part of a text without what is only for the eye.
func plainView(s string, w span) *view {
	for w.end < len(s) && isToken(s[w.end]) {
		w.end++
	}
	w = wholeCharacters(s, w)
	s = s[:w.end]
	v := &view{text: make([]byte, 0, w.end-w.start), starts: make([]int, 0, w.end-w.start),
		ends: make([]int, 0, w.end-w.start)}
	word, inForm := 0, false // where the next word begins, and whether this one is of a form: there + is a space
	for i := w.start; i < len(s); {
		if i >= word {
			length := strings.IndexAny(s[i:], spaces)
			if length < 0 {
				length = len(s) - i
			}
			word, inForm = i+length+1, strings.IndexByte(s[i:i+length], '%') >= 0
		}
		as, length := readAt(s, i)
		if inForm && as == "+" && length == 1 {
			as = " "
		}
		v.add(as, i, i+length)
		i += length
	}
	return v
}

// readAt is how the text is read at a place, and how much of it that is.
func readAt(s string, i int) (as string, length int) {
	c := s[i]
	if signsAt[c] == nil && c != 0x1b && c != '%' && c != '&' {
		return s[i : i+1], 1
	}
	from := i
	if c == '\\' {
		for i+1 < len(s) && s[i+1] == '\\' {
			i++
		}
	}
	for _, e := range escapes {
		if hasPrefix(s[i:], e) {
			end := i + len(e)
			for end < len(s) && (isDigit(s[end]) || strings.IndexByte(";:?=>", s[end]) >= 0) {
				end++
			}
			if end < len(s) && isLetter(s[end]) {
				return "", end + 1 - from
			}
		}
	}
	for _, r := range signsAt[c] {
		if hasPrefix(s[i:], r.written) {
			return r.as, i + len(r.written) - from
		}
	}
	if b, length := byNumber(s[i:]); b >= ' ' && b < 0x7f || b == '\n' || b == '\r' || b == '\t' {
		return string(b), i + length - from
	}
	return s[from : from+1], 1
}

// byNumber is a character that is written as a number: %67, \u0067, \x67, &#103;, &#x67;.
func byNumber(s string) (c rune, length int) {
	digits, length, base := "", 0, 16
	switch {
	case s[0] == '%' && len(s) >= 3:
		digits, length = s[1:3], 3
	case strings.HasPrefix(s, `\u`) && len(s) >= 6:
		digits, length = s[2:6], 6
	case strings.HasPrefix(s, `\x`) && len(s) >= 4:
		digits, length = s[2:4], 4
	case strings.HasPrefix(s, "&#"):
		digits, _, _ = strings.Cut(s[2:min(len(s), 9)], ";")
		length = len(digits) + 3
		if base = 10; hasPrefix(digits, "x") {
			digits, base = digits[1:], 16
		}
	default:
		return 0, 0
	}
	n, err := strconv.ParseUint(digits, base, 16)
	if err != nil {
		return 0, 0
	}
	return rune(n), length
}

// hasPrefix is strings.HasPrefix, and takes capitals for lower letters.
func hasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// Of base64, a run of fewer characters is not read: a word of code is one, too.
const leastEncoded = 32

// encoded is a run of base64 or of hexadecimal digits that has a text or a key: hit gets the text. Lines of a run may
// be wrapped, also within strings of JSON. It says where the run ends.
func encoded(s string, start, end int, hit func(start, end int, text []byte)) int {
	start = behindEscape(s, start)
	end = max(end, runEnd(s, end))
	if start+leastEncoded > end {
		return end
	}
	run := []byte(s[start:end])
	last, shorter := end, len(run) // without the last line
	for next := lineEnds(s, end); run[len(run)-1] != '=' && next > end && next < len(s) &&
		isBase64[s[next]]; next = lineEnds(s, end) {
		last, shorter, end = end, len(run), runEnd(s, next)
		run = append(run, s[next:end]...)
	}
	if text, ok := decode(run); ok {
		hit(start, end, text)
	} else if text, ok := decode(run[:shorter]); ok && shorter < len(run) { // a word is in the next line
		hit(start, last, text)
	}
	return end
}

func runEnd(s string, i int) int {
	for i < len(s) && isBase64[s[i]] {
		i++
	}
	for n := 0; n < 2 && i < len(s) && s[i] == '='; n++ {
		i++
	}
	return i
}

// lineEnds is where the next line begins, if one ends at a place: behind its indent.
func lineEnds(s string, i int) int {
	n := i
	for n < len(s) && (s[n] == '\r' || s[n] == '\n') {
		n++
	}
	for n == i && n+1 < len(s) && s[n] == '\\' {
		k := n
		for k < len(s) && s[k] == '\\' {
			k++
		}
		for k < len(s) && (s[k] == 'r' || s[k] == 'n') && s[k-1] == '\\' {
			k++
			for k < len(s) && s[k] == '\\' && k+1 < len(s) && (s[k+1] == '\\' || s[k+1] == 'n') {
				k++
			}
		}
		if s[k-1] != 'n' {
			return i
		}
		n = k
	}
	for n > i && n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return n
}

// decode reads hexadecimal digits, and base64 of either alphabet. What is no text, such as a picture, is none after the
// first few bytes.
func decode(run []byte) ([]byte, bool) {
	if text, ok := hexText(run); ok {
		return text, true
	}
	for i, c := range run {
		switch c {
		case '-':
			run[i] = '+'
		case '_':
			run[i] = '/'
		}
	}
	run = bytes.TrimRight(run, "=")
	if first := decodedBytes(run[:min(len(run), 64)]); isKey(first) {
		return first, true
	} else if !isTextual(first) {
		return nil, false
	}
	text := decodedBytes(run)
	return text, isTextual(text)
}

func decodedBytes(run []byte) []byte {
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(run)))
	n, _ := base64.RawStdEncoding.Decode(out, run[:len(run)-len(run)%4]) // what was cut off at the end is no whole byte
	if rest := run[len(run)-len(run)%4:]; len(rest) > 1 {
		last := make([]byte, 2)
		k, _ := base64.RawStdEncoding.Decode(last, rest)
		return append(out[:n], last[:k]...)
	}
	return out[:n]
}

// isTextual says whether bytes are a text, at its end perhaps cut.
func isTextual(text []byte) bool {
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRune(text[i:])
		if c == utf8.RuneError && size == 1 && len(text)-i >= utf8.UTFMax ||
			c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != 0 && c != 0x1b || c == 0x7f {
			return false
		}
		i += size
	}
	return true
}
