package redact

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxBackslashes is how many backslashes in a row are counted.
const maxBackslashes = 64

// escapeLength is the length of the escape at the start of a text, and what it stands for; 0 if there is none.
func escapeLength(s string) (length int, c rune) {
	if len(s) < 2 || s[0] != '\\' {
		return 0, 0
	}
	if n := strings.IndexByte(`"\/bfnrt`, s[1]); n >= 0 {
		return 2, rune("\"\\/\b\f\n\r\t"[n])
	}
	if s[1] != 'u' || len(s) < 6 {
		return 0, 0
	}
	code, err := strconv.ParseUint(s[2:6], 16, 32)
	if err != nil {
		return 0, 0
	}
	return 6, rune(code) // half of a pair becomes U+FFFD: no rule asks for either
}

// unescape is a text as it is read where it is a string of JSON, and for each byte, and the end, the place it has in
// the first text, of which at has the places if this is not the first.
func unescape(s string, at []int) (string, []int, bool) {
	if !strings.Contains(s, `\`) {
		return "", nil, false
	}
	read, places, changed := make([]byte, 0, len(s)), make([]int, 0, len(s)+1), false
	add := func(i int) {
		if at != nil {
			i = at[i]
		}
		for len(places) < len(read) {
			places = append(places, i)
		}
	}
	for i := 0; i < len(s); {
		length, c := escapeLength(s[i:])
		if length > 0 {
			read, changed = utf8.AppendRune(read, c), true
		} else {
			read, length = append(read, s[i]), 1
		}
		add(i)
		i += length
	}
	read = append(read, 0)
	add(len(s))
	return string(read[:len(read)-1]), places, changed
}

// backslashes is how many there are right before a place.
func backslashes(s string, i int) (n int) {
	for n < i && n < maxBackslashes && s[i-1-n] == '\\' {
		n++
	}
	return n
}

// escapeEnds says whether an escape ends before a place: what stands there begins anew.
func escapeEnds(s string, i int) bool {
	if i >= 2 && strings.IndexByte("bfnrt", s[i-1]) >= 0 && s[i-2] == '\\' {
		return true
	}
	if i < 6 || s[i-6] != '\\' {
		return false
	}
	length, _ := escapeLength(s[i-6:])
	return length == 6
}

// wholeEscapes moves the ends of a finding so that they cut no escape.
func wholeEscapes(s string, start, end int) (int, int) {
	if backslashes(s, start)%2 == 1 {
		start--
	}
	if n := unicodeStart(s, start); n >= 0 {
		start = n
	}
	if n := unicodeStart(s, end); n >= 0 {
		end = n + 6
	} else if end < len(s) && backslashes(s, end)%2 == 1 {
		end-- // this backslash belongs to what follows, as in \"
	}
	return start, end
}

// unicodeStart is where the escape \uXXXX begins that a place is within, behind the u; -1 if it is in none.
func unicodeStart(s string, i int) int {
	for n := 2; n < 6 && n <= i; n++ {
		if s[i-n] == '\\' && backslashes(s, i-n+1)%2 == 1 {
			if length, _ := escapeLength(s[i-n:]); length == 6 {
				return i - n
			}
		}
	}
	return -1
}

// isJSON says whether a text is a document of JSON. Of a bare word or number it says no: nothing is lost with it.
func isJSON(s string) bool {
	trimmed := strings.TrimLeft(s, " \t\r\n")
	return trimmed != "" && strings.IndexByte(`{["`, trimmed[0]) >= 0 && json.Valid([]byte(s))
}

// inStrings cuts findings so that they lie in strings of a JSON document, or are a whole number; what is between
// strings stays.
func inStrings(s string, found []finding) []finding {
	var out []finding
	n := 0
	for i := 0; i < len(s) && n < len(found); {
		token := span{i, i + 1}
		bare := false
		switch c := s[i]; {
		case c == '"':
			for i++; s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
			token = span{token.start + 1, i}
			i++
		case c == '-' || isDigit(c):
			for i < len(s) && (isWord(s[i]) || s[i] == '.' || s[i] == '-' || s[i] == '+') {
				i++
			}
			token.end, bare = i, true
		default:
			i++
			continue
		}
		for n < len(found) && found[n].end <= token.start {
			n++
		}
		for k := n; k < len(found) && found[k].start < token.end; k++ {
			part := finding{found[k].rule, max(token.start, found[k].start), min(token.end, found[k].end), bare}
			if bare {
				part.start, part.end = token.start, token.end
			}
			if hasWord(s[part.start:part.end]) && (len(out) == 0 || out[len(out)-1].end <= part.start) {
				out = append(out, part)
			}
		}
	}
	return out
}
