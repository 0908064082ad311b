package reader

import (
	"errors"
	"strings"
)

// ErrNotOne says that a text has no query or several. The engine would run several, and show the result of the last
// one.
var ErrNotOne = errors.New("give one query at a time")

// firstStatement returns the first statement of a text, without the comments before it and the semicolon after it. more
// reports whether another statement follows.
func firstStatement(text string) (statement string, more bool) {
	start, end := -1, -1
	for i := 0; i < len(text); {
		n, blank := tokenLength(text[i:])
		switch {
		case text[i] == ';' && start >= 0 && end < 0:
			end = i
		case blank || text[i] == ';':
		case end >= 0:
			return text[start:end], true
		case start < 0:
			start = i
		}
		i += n
	}
	if start < 0 {
		return "", false
	}
	if end < 0 {
		end = len(text)
	}
	return text[start:end], false
}

// tokenLength returns the length of the first token of a text, by the engine's rules: a quoted text or name, a comment,
// a word, or one other byte. blank reports whether it is a comment or white space.
func tokenLength(text string) (length int, blank bool) {
	switch c := text[0]; {
	case c == '\'' || c == '"':
		return quotedLength(text, 1, c, false), false
	case (c == 'e' || c == 'E') && strings.HasPrefix(text[1:], "'"):
		return quotedLength(text, 2, '\'', true), false
	case strings.HasPrefix(text, "--"):
		return lengthUpTo(text, 2, "\n"), true
	case strings.HasPrefix(text, "/*"):
		return commentLength(text), true
	case c == '$':
		tag := 1 + wordLength(text[1:])
		if tag < len(text) && text[tag] == '$' && (text[1] < '0' || text[1] > '9') {
			return lengthUpTo(text, tag+1, text[:tag+1]), false
		}
		return 1, false
	case inWord(c):
		return wordWithDollarsLength(text), false
	default:
		return 1, strings.IndexByte(" \t\r\n\f\v", c) >= 0
	}
}

func inWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// wordLength returns the length of the word at the start of a text.
func wordLength(text string) int {
	n := strings.IndexFunc(text, func(r rune) bool { return r < 0x80 && !inWord(byte(r)) })
	if n < 0 {
		return len(text)
	}
	return n
}

// wordWithDollarsLength does the same for a name, which may have dollar signs.
func wordWithDollarsLength(text string) int {
	n := wordLength(text)
	for n < len(text) && text[n] == '$' {
		n++
		n += wordLength(text[n:])
	}
	return n
}

// quotedLength returns the length of a quoted text. A doubled quote does not end it. With escapes, a backslash hides
// the next byte.
func quotedLength(text string, from int, quote byte, escapes bool) int {
	for i := from; i < len(text); i++ {
		switch {
		case escapes && text[i] == '\\':
			i++
		case text[i] == quote && strings.HasPrefix(text[i+1:], string(quote)):
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return len(text)
}

// lengthUpTo returns the length of a text up to and including an end.
func lengthUpTo(text string, from int, end string) int {
	if i := strings.Index(text[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(text)
}

// commentLength returns the length of a block comment. It may have other block comments in it.
func commentLength(text string) int {
	depth := 0
	for i := 0; i < len(text)-1; i++ {
		switch text[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}
