package redact

import (
	"math"
	"regexp"
	"strings"
)

// allowlist says what is no secret though a rule finds it.
type allowlist struct {
	expressions []*regexp.Regexp
	target      string
	stopwords   map[string][]string // by their first three bytes: there are 1,446, and each is sought in each finding
}

const stopwordKey = 3

// newAllowlists leaves out what can never be true of a text without a path.
func newAllowlists(texts []allowlistText) []allowlist {
	var out []allowlist
	for _, t := range texts {
		if t.Condition == "AND" && len(t.Paths) > 0 {
			continue
		}
		a := allowlist{target: t.RegexTarget, stopwords: map[string][]string{}}
		for _, e := range t.Regexes {
			a.expressions = append(a.expressions, regexp.MustCompile(e))
		}
		for _, w := range t.Stopwords {
			w = strings.ToLower(w)
			a.stopwords[w[:stopwordKey]] = append(a.stopwords[w[:stopwordKey]], w)
		}
		out = append(out, a)
	}
	return out
}

// match is what an expression has found in a text.
type match struct {
	text       string
	start, end int
	secret     string
}

func (a allowlist) allows(m match) bool {
	target := m.secret
	switch a.target {
	case "match":
		target = m.text[m.start:m.end]
	case "line":
		target = m.line()
	}
	for _, e := range a.expressions {
		if target != "" && e.MatchString(target) {
			return true
		}
	}
	if len(a.stopwords) == 0 {
		return false
	}
	lowered := strings.ToLower(m.secret)
	for i := range max(0, len(lowered)-stopwordKey+1) {
		for _, w := range a.stopwords[lowered[i:i+stopwordKey]] {
			if strings.HasPrefix(lowered[i:], w) {
				return true
			}
		}
	}
	return false
}

// entropy is that of Shannon, in bits: characters are counted, and weighed by the bytes of the text, as gitleaks does.
func entropy(text string) (bits float64) {
	if text == "" {
		return 0
	}
	var ascii [128]int
	other := map[rune]int(nil)
	for _, c := range text {
		if c < 128 {
			ascii[c]++
			continue
		}
		if other == nil {
			other = map[rune]int{}
		}
		other[c]++
	}
	add := func(n int) {
		if n > 0 {
			p := float64(n) / float64(len(text))
			bits -= p * math.Log2(p)
		}
	}
	for _, n := range ascii {
		add(n)
	}
	for _, n := range other {
		add(n)
	}
	return bits
}

// line is the line that has the match, as far as a rule may see it: a line may be as long as the text.
func (m match) line() string {
	from, to := max(0, m.start-before), min(len(m.text), m.end+before)
	if n := strings.LastIndexByte(m.text[from:m.start], '\n'); n >= 0 {
		from += n + 1
	}
	if n := strings.IndexByte(m.text[m.end:to], '\n'); n >= 0 {
		to = m.end + n
	}
	return m.text[from:to]
}

// The checks below run at each keyword, and must be cheap: expressions are what takes time. A check that says no must
// be right. It reads no more than checkBytes.
const (
	checkBytes   = 320
	addressBytes = 4096 // what logs in may be a whole token
	nameBytes    = 96   // between a keyword and the sign behind it
)

// genericValue: a value of generic-api-key has ten characters, and is no mere word.
func genericValue(s string, _, end int) int { return valueEnd(s, end, 10, true) }

// anyValue: the shortest value that any rule of that form wants, up to its first sign.
func anyValue(s string, _, end int) int { return valueEnd(s, end, 5, false) }

// hexValue: the shortest of hex-token.
func hexValue(s string, _, end int) int { return valueEnd(s, end, 32, true) }

// valueEnd is how far a value goes that is assigned to the name at s[:i]; -1 if there is none. Between name and value
// there may be quotes that are escaped, once or more.
func valueEnd(s string, i, least int, noWord bool) int {
	unknown, near, limit := min(len(s), i+behind), min(len(s), i+nameBytes), min(len(s), i+checkBytes)
	for ; i < near && !isAssign(s[i]); i++ {
		if strings.HasPrefix(s[i:], `\u00`) {
			return unknown
		}
		if c := s[i]; !isWord(c) && !isSpace(c) && !isQuote(c) && c != '.' && c != '-' && c != '\\' {
			return -1
		}
	}
	if i == near {
		return -1
	}
	for i < limit && (isAssign(s[i]) || isSpace(s[i]) || isQuote(s[i]) || s[i] == '\\') {
		if strings.HasPrefix(s[i:], `\u00`) {
			return unknown
		}
		if i++; s[i-1] == '\\' && i < limit && strings.IndexByte("nrt", s[i]) >= 0 {
			i++
		}
	}
	start, word := i, true
	for ; i < limit && (isToken(s[i]) || strings.HasPrefix(s[i:], `\/`)); i++ {
		word = word && (isLetter(s[i]) || s[i] == '_' || s[i] == '.' || s[i] == '-')
	}
	if i == limit && limit < len(s) || strings.HasPrefix(s[i:], `\u00`) {
		return unknown
	}
	if i-start < least || noWord && word {
		return -1
	}
	return i
}

// token checks that a word which is written so (with "", as the keyword is) begins a run of characters of tokens.
func token(written string, run int) func(string, int, int) int {
	is := exact(written, run)
	return func(s string, start, end int) int {
		if start > 0 && isWord(s[start-1]) && !escapeEnds(s, start) {
			return -1
		}
		return is(s, start, end)
	}
}

// exact is token for rules that may match within a word.
func exact(written string, run int) func(string, int, int) int {
	return func(s string, start, end int) int {
		if !strings.HasPrefix(s[start:], written) || len(s)-end < run-1 {
			return -1
		}
		for i := end; i < end+run-1; i++ {
			if !isToken(s[i]) && s[i] != '|' {
				return -1
			}
		}
		return min(len(s), end+behind)
	}
}

// always is for rules that have the form which anyValue is for, and may not be checked so.
func always(s string, _, end int) int { return min(len(s), end+behind) }

// assigned: the sign that assigns a value follows, perhaps after quotes and spaces.
func assigned(s string, _, end int) int {
	for i := end; i < min(len(s), end+checkBytes/8); i++ {
		switch c := s[i]; {
		case c == '=' || c == ':' || strings.HasPrefix(s[i:], `\u00`):
			return min(len(s), end+behind)
		case c == '\\' && i+1 < len(s) && strings.IndexByte("nrt", s[i+1]) >= 0:
			i++
		case !isSpace(c) && !isQuote(c) && c != '\\':
			return -1
		}
	}
	return -1
}

// said is assigned, or a verb follows.
func said(s string, start, end int) int {
	for _, word := range []string{" is", " was", " for"} {
		if hasPrefix(s[end:], word) {
			return min(len(s), end+behind)
		}
	}
	return assigned(s, start, end)
}

// elementEnds: the name of an element ends with the word. Its > may be an escape.
func elementEnds(s string, _, end int) int {
	if end == len(s) || s[end] != '>' && s[end] != '\\' {
		return -1
	}
	return min(len(s), end+behind)
}

// userToken: behind :// there is a long word before the @ or the colon.
func userToken(s string, _, end int) int {
	n := end
	for n < len(s) && (isWord(s[n]) || s[n] == '-') {
		n++
	}
	if n-end < 20 || n == len(s) || s[n] != '@' && s[n] != ':' {
		return -1
	}
	return min(len(s), n+before)
}

// inAddress: :// is before the word, and no space between.
func inAddress(s string, start, end int) int {
	from := max(0, start-before)
	if n := strings.LastIndexAny(s[from:start], spaces); n >= 0 {
		from += n + 1
	}
	if !strings.Contains(s[from:start], ":/") && !strings.Contains(s[from:start], `:\/`) {
		return -1
	}
	return min(len(s), end+behind)
}

// spaced: the word ends before a space, or the escape of one.
func spaced(s string, _, end int) int {
	if end == len(s) || !isSpace(s[end]) && s[end] != '\\' {
		return -1
	}
	return min(len(s), end+behind)
}

// kindBefore: the word secret is the kind of an object.
func kindBefore(s string, start, end int) int {
	for i := start; i > max(0, start-16); i-- {
		if s[i-1] == ':' {
			if i >= 5 && strings.EqualFold(s[i-5:i], "kind:") {
				return min(len(s), end+behind)
			}
			return -1
		}
	}
	return -1
}

// userinfo: behind :// there is a colon, then an @, before the host ends.
func userinfo(s string, _, end int) int {
	colon := false
	for i := end; i < min(len(s), end+addressBytes); i++ {
		switch c := s[i]; {
		case c == ':':
			colon = true
		case c == '@':
			if colon {
				return min(len(s), i+8)
			}
			return -1
		case isSpace(c) || isQuote(c) || strings.IndexByte(`/?<>\`, c) >= 0:
			return -1
		}
	}
	return -1
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) || c == '_' }
func isSpace(c byte) bool  { return c == ' ' || c >= '\t' && c <= '\r' }
func isQuote(c byte) bool  { return c == '"' || c == '\'' || c == '`' }
func isAssign(c byte) bool {
	return c == '=' || c == '>' || c == ':' || c == '|' || c == '?' || c == ','
}
func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// isToken: characters that most tokens are made of.
func isToken(c byte) bool {
	return isWord(c) || c == '.' || c == '=' || c == '-' || c == '+' || c == '/' || c == '~' || c == '%'
}
