package redact

import (
	"slices"
	"strings"
)

// This file finds secrets by what is beside them, whatever the language of a text and the form of a pair: a name and a
// value, a command and what it logs in with.

// Rules without an expression.
const (
	namedPassword   Rule = "named-password"
	namedToken      Rule = "named-token"
	commandPassword Rule = "command-login"
)

// A secret is sought so far behind a name, in so many words. One that is right behind a sign may be weaker than others.
const (
	besideBytes = 200
	besideWords = 10
	besideLines = 4
)

// word is a piece of a text between spaces, quotes and brackets.
type word struct {
	span
	quoted bool // quotes are around it
	verb   bool // a verb in other letters than ASCII's is before it
	signed bool // a sign or a verb that assigns is between it and the word before, or the name
	line   int  // how many lines end before it
}

// wordsBehind calls hit for each word behind a place, until it says no, or the limit is reached. Escapes of line ends
// and quotes are what they stand for.
func wordsBehind(s string, i int, hit func(w word) bool) {
	limit, w := min(len(s), i+besideBytes), word{}
	for i < limit {
		if n := separates(s, i, &w); n > 0 {
			i += n
			continue
		}
		w.start = i
		w.quoted = i > 0 && isQuote(s[i-1])
		i = wordEnd(s, i, w.quoted)
		for i > w.start+1 && !w.quoted && (s[i-1] == '=' || s[i-1] == ':') && isLetter(s[i-2]) &&
			measure(s[w.start:i]).digits == 0 {
			i--
		}
		w.end = i
		if w.end == w.start {
			w.verb = w.verb || verbAt(s, i)
			i++
			continue
		}
		if !hit(w) {
			return
		}
		w.signed, w.verb = false, false
	}
}

// verbAt reports whether a verb of a list is at a place that has other letters than ASCII's: among those it is no word.
// One letter is a verb if it stands alone.
func verbAt(s string, i int) bool {
	return slices.ContainsFunc(loaded().wideVerbs, func(verb string) bool {
		end := i + len(verb)
		return strings.HasPrefix(s[i:], verb) &&
			(len(verb) != len("è") || i > 0 && s[i-1] == ' ' && end < len(s) && s[end] == ' ')
	})
}

// separates says how long what is between words is at a place, and notes what it says.
func separates(s string, i int, w *word) int {
	switch c := s[i]; {
	case c == '\n':
		w.line++
		return 1
	case c == '.' && strings.HasPrefix(s[i:], "...."): // a leader
		w.signed = true
		return 1
	case c == '<' && strings.HasPrefix(s[i:], "</"):
		w.signed = true
		return max(2, strings.IndexByte(s[i:min(len(s), i+nameBytes)], '>'))
	case c == '\\':
		n := backslashesFrom(s, i)
		switch length, sign := escapeLength(s[i+n-1:]); {
		case i+n >= len(s):
		case length == 6:
			w.signed = w.signed || sign == '=' || sign == ':' || sign == '<' && strings.HasPrefix(s[i+n+5:], s[i:i+n+5])
			return n + 5
		case s[i+n] == 'n':
			w.line++
			return n + 1
		case s[i+n] == 't' || s[i+n] == 'r':
			w.signed = w.signed || s[i+n] == 't'
			return n + 1
		}
		return n
	case c == '=' || c == ':' || c == '|' || c == '\t' || c == '<' && strings.HasPrefix(s[i:], "<<<"):
		w.signed = true
		return 1
	case isSpace(c) || isQuote(c) || strings.IndexByte("()[]{}<>,;*", c) >= 0:
		return 1
	case beginsWide[c]:
		for _, sign := range wideSigns {
			if strings.HasPrefix(s[i:], sign) {
				w.signed = w.signed || sign == "：" || sign == "＝" || sign == "—" || sign == "–" || sign == "「"
				return len(sign)
			}
		}
	}
	return 0
}

// wideSigns are signs of other scripts that are between words.
var wideSigns = []string{"：", "＝", "—", "–", "「", "」", "『", "』", "“", "”", "„", "«", "»", "，", "。", "、", "（", "）",
	"\u00a0", "\u3000", "‘", "’"}

// beginsWide are the first bytes of these signs.
var beginsWide = newClass(func(c byte) bool {
	return slices.ContainsFunc(wideSigns, func(sign string) bool { return sign[0] == c })
})

// backslashesFrom is how many there are from a place on.
func backslashesFrom(s string, i int) (n int) {
	for i+n < len(s) && n < maxBackslashes && s[i+n] == '\\' {
		n++
	}
	return n
}

// wordEnd is where a word ends. Within quotes a word has all signs that no quote and no space is.
func wordEnd(s string, i int, quoted bool) int {
	limit := min(len(s), i+besideBytes)
	if quoted {
		for n, q := i, s[i-1]; n < limit && !isSpace(s[n]) && s[n] != '\\'; n++ {
			if s[n] == q {
				return n
			}
			if n+1 < limit && s[n+1] == '\\' && n+2 < len(s) && (s[n+2] == q || s[n+2] == '\\') {
				return n + 1
			}
		}
	}
	for ; i < limit; i++ {
		c := s[i]
		if n := wideLetter(s[i:]); n > 0 {
			i += n - 1
		} else if isSpace(c) || isQuote(c) || strings.IndexByte(`()[]{}<>,;\|`, c) >= 0 || c >= 0x80 {
			break
		}
	}
	return i
}

// wideLetter is how long a letter is that is none of ASCII, in scripts with spaces between words: of U+00C0 to U+07FF
// and of Vietnamese.
func wideLetter(s string) int {
	switch {
	case len(s) > 1 && s[0] >= 0xC3 && s[0] <= 0xDF:
		return 2
	case len(s) > 2 && s[0] == 0xE1 && s[1] >= 0xB8 && s[1] <= 0xBB:
		return 3
	}
	return 0
}
