package redact

import (
	"slices"
	"strings"
)

// The kinds of words that have a secret beside them. Each has a list in the file of rules.
const (
	ofPassword = iota // a password may be short, and made by a person
	ofToken           // a token looks like chance
	ofLogin           // a name and a password, in the same line
	ofVendor          // the same as a token, in the same line
	ofCommand         // what a command logs in with, behind a flag
)

// named finds the secret beside a name s[start:end].
func (c *scanner) named(s string, kind, start, end int) {
	behind, ok := c.nameEnd(s, start, end)
	if !ok {
		return
	}
	rule := namedPassword
	if kind == ofToken || kind == ofVendor {
		rule = namedToken
	}
	joined := start > 0 && strings.IndexByte(`_-."'`, s[start-1]) >= 0 && end < len(s) &&
		strings.IndexByte(`=:"'\`, s[end]) >= 0
	alone := behind == end && (end-start > shortName || s[start] >= 0x80 || joined)
	sure := behind == end && kind == ofPassword && !contains(c.coded, s[start:end]) &&
		(start == 0 || !isLetter(s[start-1]) || escapeEnds(s, start))
	if c.valueBefore(s, kind, start, rule, sure) {
		return
	}
	direct, signed, verb, count := true, false, false, 0
	wordsBehind(s, behind, func(w word) bool {
		text := s[w.start:w.end]
		if count++; count > besideWords || w.line > besideLines ||
			(kind == ofLogin || kind == ofVendor) && w.line > 0 || kind == ofToken && w.line > 2 {
			return false
		}
		if direct {
			w.signed = w.signed || signed
			signed = w.signed
		}
		if kind == ofPassword && direct && c.isAppPassword(s[w.start:], w.signed) {
			c.found = append(c.found, finding{rule: rule, start: w.start, end: w.start + appPassword})
			return false
		}
		if end := c.phraseEnd(s, w); end > 0 && strings.HasSuffix(lower(s[start:behind]), "phrase") {
			c.found = append(c.found, finding{rule: rule, start: w.start, end: end})
			return false
		}
		verb = verb || w.verb && w.line == 0
		if contains(c.verbs, text) && w.line == 0 {
			verb = true
			return true
		}
		if contains(valueNames, text) { // a pair of a name and a value may have other fields between
			direct, verb = true, false
		}
		if c.isFiller(text) || count == 1 && strings.IndexByte("([", s[w.start-1]) >= 0 && !w.quoted {
			return true
		}
		w = cutPair(s, w)
		if text = s[w.start:w.end]; text == "" || kind == ofToken && count > 6 && !verb {
			return true
		}
		if kind == ofVendor && w.quoted && namesMember(s[w.end:]) {
			direct, verb = false, false
			return true
		}
		if secret(kind, text, s[w.end:], position{direct && (w.signed || w.quoted), verb, w.quoted, count == 1, alone,
			sure, w.line}) {
			c.found = append(c.found, finding{rule: rule, start: w.start, end: w.end})
			return false
		}
		direct, verb = false, false
		return true
	})
}

// namesMember says whether what is behind a word in quotes makes it the name of a member of a JSON object. The
// name of a vendor is in much code, and that of a member may look as random as a token (originalModelDiffWrtV0).
func namesMember(behind string) bool {
	behind = strings.TrimLeft(behind, `\`)
	if behind == "" || !isQuote(behind[0]) {
		return false
	}
	return strings.HasPrefix(strings.TrimLeft(behind[1:], " "), ":")
}

// valueNames name the second half of a pair of name and value.
var valueNames = map[string]bool{"value": true, "val": true, "parametervalue": true, "stringvalue": true}

// appPassword is how long a password is that an account gives a program: four times four letters.
const appPassword = 4*4 + 3

func (r *rules) isAppPassword(s string, signed bool) bool {
	if len(s) < appPassword || len(s) > appPassword &&
		(isWord(s[appPassword]) || s[appPassword] == ' ' && len(s) > appPassword+1 && isLetter(s[appPassword+1])) {
		return false
	}
	words, spoken := strings.Split(s[:appPassword], " "), 0
	for _, w := range words {
		if len(w) != 4 || strings.Trim(w, latin[:26]) != "" || r.seeds[w] || r.fillers[w] {
			return false
		}
		if strings.ContainsAny(w, "aeiouy") {
			spoken++
		}
	}
	return signed || spoken < len(words)
}

// phraseEnd is where a passphrase ends that begins with a word: four words or more in quotes, none of which is one of a
// sentence; else 0.
func (r *rules) phraseEnd(s string, w word) int {
	if !w.quoted {
		return 0
	}
	text, _, ok := strings.Cut(s[w.start:min(len(s), w.start+besideBytes)], s[w.start-1:w.start])
	text = strings.TrimRight(text, `\`)
	words := strings.Split(text, " ")
	if !ok || len(words) < 4 || slices.ContainsFunc(words, func(word string) bool {
		return len(word) < 3 || strings.Trim(word, latin[:26]) != "" || r.isFiller(word)
	}) {
		return 0
	}
	return w.start + len(text)
}

// position is where a word is: right behind the sign of a name, in quotes, the first one, behind a name that has no
// more words, behind one that code does not have, in which line.
type position struct {
	direct, verb, quoted, first, alone, sure bool
	line                                     int
}

// valueWords are words that have a value behind them, and its name behind that: {"value":"...","name":"DB_PASSWORD"},
// echo ... | sudo -S.
var valueWords = []string{`value"`, `value\`, `Value"`, `Value\`, "echo ", "echo -n ", "printf "}

// valueBefore finds the value of a name that is before it.
func (c *scanner) valueBefore(s string, kind, start int, rule Rule, sure bool) bool {
	from := max(0, start-besideBytes/2)
	from += strings.LastIndexByte(s[from:start], '\n') + 1
	n := -1
	for _, word := range valueWords {
		if at := strings.LastIndex(s[from:start], word); at >= 0 {
			n = max(n, from+at+len(word)-1)
		}
	}
	before := c.wordBefore(s, from, start)
	if text := s[before.start:before.end]; kind == ofPassword &&
		((isStrong(text) || isMade(text)) && strings.ContainsAny(text, symbols) ||
			isPassword(text) && strings.Count(text, "-") >= 2) ||
		kind == ofToken && len(text) >= leastToken && isRandom(text) && !isID(text) && !isSum(text) {
		c.found = append(c.found, finding{rule: rule, start: before.start, end: before.end})
		return true
	}
	if n < 0 {
		return false
	}
	count := 0
	wordsBehind(s[:start], n, func(w word) bool {
		w = cutPair(s, w)
		if text := s[w.start:w.end]; secret(kind, text, s[w.end:],
			position{direct: true, quoted: w.quoted, alone: true, sure: sure}) {
			c.found = append(c.found, finding{rule: rule, start: w.start, end: w.end})
			return false
		}
		count++
		return count < 2
	})
	return false
}

// wordBefore is the word before a name, without those that say that it has it: ... as the password.
func (c *scanner) wordBefore(s string, from, end int) span {
	for range besideWords {
		for end > from && (isSpace(s[end-1]) || isQuote(s[end-1]) || s[end-1] == '(') {
			end--
		}
		start := end
		for start > from && !isSpace(s[start-1]) && !isQuote(s[start-1]) && s[start-1] < 0x80 && s[start-1] != '(' {
			start--
		}
		if start == end || !c.isFiller(s[start:end]) {
			return span{start, end}
		}
		end = start
	}
	return span{end, end}
}

// shortName is how long a name is that other words may have in them.
const shortName = 5

// nameEnd is where a name ends: what goes on behind it is another word of it, or it is none. In a long run of letters
// and digits there are no names.
func (c *scanner) nameEnd(s string, start, end int) (int, bool) {
	if s[start] < 0x80 && s[end-1] < 0x80 {
		before, camel := byte(0), false
		if start > 0 && !escapeEnds(s, start) {
			before = s[start-1]
			camel = before >= 'a' && s[start] < 'a'
		}
		if isLetter(before) && !camel && end-start <= shortName || isDigit(before) && end-start <= shortName {
			return 0, false
		}
		if end < len(s) && isLetter(s[end]) && isWord(s[end-1]) && (s[end-1] < 'a' || s[end] >= 'a') &&
			!((s[end]|0x20) == 's' && (end+1 == len(s) || !isLetter(s[end+1]))) {
			return 0, false
		}
	}
	behind, from := end, start
	for (isWord(s[end-1]) || s[end-1] >= 0x80) && behind < len(s) &&
		(isWord(s[behind]) || s[behind] == '-' || s[behind] == '.') {
		if behind++; behind-start > nameBytes/2 {
			return 0, false
		}
	}
	for from > 0 && isBase64[s[from-1]] && behind-from < nameBytes {
		from--
	}
	name := s[from:behind]
	to := behind
	for to < len(s) && isBase64[s[to]] && to-from < nameBytes {
		to++
	}
	if isEncodedRun(s[from:to]) || strings.Contains(name, "ublic") ||
		strings.Contains(name, "UBLIC") || behind < len(s) && s[behind] == '@' || strings.HasPrefix(s[behind:], "://") {
		return 0, false
	}
	for n := range name[end-from:] {
		if contains(c.harmless, strings.Trim(name[end-from+n:], "_-.")) {
			return 0, false
		}
	}
	return behind, true
}

// isFiller: a word between a name and its value.
func (r *rules) isFiller(text string) bool { return contains(r.fillers, text) }

// contains says whether a set has a word, whatever its case.
func contains(set map[string]bool, word string) bool {
	var lowered [longestWord]byte
	n := copy(lowered[:], word)
	for i, c := range lowered[:n] {
		if 'A' <= c && c <= 'Z' {
			lowered[i] = c + 'a' - 'A'
		}
	}
	return len(word) <= longestWord && set[string(lowered[:n])]
}

// longestWord is how long the words are that are sought in a set.
const longestWord = 24

// cutPair leaves the value of a pair such as password=x, bob:x; and takes the end of a sentence from a word.
func cutPair(s string, w word) word {
	text := s[w.start:w.end]
	if n := strings.IndexAny(text, "=:"); n > 0 && n+1 < len(text) && text[n+1] != '/' && text[n+1] != '=' &&
		measure(text[:n]).digits == 0 && !w.quoted {
		w.start += n + 1
		w.signed = true
	}
	for w.end > w.start && strings.IndexByte(".:", s[w.end-1]) >= 0 {
		w.end--
	}
	return w
}

// secret says whether a word can be the secret of a name of some kind. One that is right behind the name may be weaker.
func secret(kind int, text, rest string, at position) bool {
	switch {
	case len(text) < 6 || len(text) > 160 && kind != ofToken || strings.Contains(text, "://") || isMail(text) ||
		isSum(text) ||
		strings.HasPrefix(text, markStart[1:]) || strings.IndexByte("$%<{.*~", text[0]) >= 0 ||
		text[0] == '/' && kind != ofToken:
		return false
	case rest != "" && !at.quoted && strings.IndexByte("([{", rest[0]) >= 0:
		return false // a call, an index
	case kind == ofToken:
		return isNamedToken(text, at) || (at.direct || at.first) && strings.ContainsAny(text, symbols) && isStrong(text)
	case kind == ofVendor:
		return len(text) >= leastToken-4 && isRandom(text)
	case at.direct && at.alone && kind == ofPassword && strings.Trim(text, digits) == "" && entropy(text) > 1:
		return true
	case at.direct && kind == ofPassword:
		return isPassword(text) || at.quoted && isDotted(text) || at.alone && isMade(text) || at.sure && isWeak(text)
	case kind == ofPassword && isSaid(text, at):
		return true
	}
	return isStrong(text)
}

// isSaid says whether a word can be a password that a sentence tells: behind a verb, or as the first word behind the
// name.
func isSaid(text string, at position) bool {
	first := at.first && at.alone && at.line == 0
	if (at.verb || first) && isPassword(text) &&
		(strings.ContainsAny(text, symbols) || measure(text).groups >= 3 || at.verb && isPhrase(text)) {
		return true
	}
	weak := at.sure && isWeak(text) && (at.verb || measure(text).upper > 0)
	return (at.verb && at.line == 0 || first) && (isMade(text) || weak || at.verb && isChain(text))
}

// isPhrase: words and a number with hyphens between them, as generators of passwords make them; or a word and a year.
func isPhrase(text string) bool {
	return strings.Count(text, "-") >= 2 || len(text)-len(strings.TrimRight(text, digits)) >= 4
}

// isDotted: letters and digits by turns, and a dot, which names of files and versions do not have.
func isDotted(text string) bool {
	m := measure(text)
	return strings.Count(text, ".") == 1 && m.groups >= 2 && m.lower+m.upper > 0
}

// isSum: what proves that a file is what it was.
func isSum(text string) bool { return strings.HasPrefix(text, "h1:") || strings.HasPrefix(text, "sha") }

// isNamedToken: right behind the sign of a name a token may be shorter, and look like an id.
func isNamedToken(text string, at position) bool {
	if at.direct {
		return len(text) >= 16 && isRandom(text) ||
			len(text) >= 20 && isID(text) && entropy(text) > 2.8 && strings.Trim(text, digits+"-") != ""
	}
	return len(text) >= leastToken && at.line == 0 && isRandom(text) && (at.first || at.verb || !isID(text))
}

// isMail: an address, or a host.
func isMail(text string) bool {
	_, host, ok := strings.Cut(text, "@")
	dot := strings.LastIndexByte(host, '.')
	return ok && dot > 0 && strings.Trim(host[dot+1:], latin) == ""
}

// latin are those of ASCII.
const latin = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

const digits = "0123456789"

// symbols are signs that passwords have, and names of variables and files do not.
const symbols = "!#%+*@^&?~$=;|"

// isPassword: letters and digits, and a sign or several groups of digits: one group is what names of algorithms and
// variables have.
func isPassword(text string) bool {
	m := measure(text)
	if m.digits == 0 || m.lower+m.upper == 0 {
		return false
	}
	signs := strings.ContainsAny(text, symbols)
	switch {
	case signs:
		return !isTerm(text)
	case strings.Count(text, ".") > 0 || strings.Count(text, "/") > 1:
		return isRandom(text)
	}
	word := strings.TrimRight(text, digits)
	if strings.Count(text, "-") >= 2 && len(word)+2 <= len(text) && word != "" && word[len(word)-1] == '-' {
		return true
	}
	if n := m.length(); n >= 16 && m.lower > 0 && m.upper > 0 && 100*m.changes >= 34*n {
		return true
	}
	number := len(text) - len(word)
	return m.groups >= 3 || m.groups == 2 && m.others == 0 && (m.letters <= 5 || m.digits > 2) ||
		number >= 3 && len(text) >= 7 && m.groups == 1 && m.others == 0 &&
			!contains(loaded().algorithms, word)
}

// isStrong: a word that nobody writes but as a password or a token.
func isStrong(text string) bool {
	m := measure(text)
	if len(text) < 8 || m.digits == 0 || m.lower+m.upper == 0 || strings.Count(text, "/") > 1 ||
		strings.Contains(text, "..") || strings.HasPrefix(text, "0x") || strings.Count(text, ".") > 1 {
		return false
	}
	if at := strings.IndexAny(text, "!$@"); at > 1 && isLetter(text[at-1]) && at+1 < len(text) &&
		(isLetter(text[at+1]) && text[at] != '@' || len(text)-at > 3 && isNumber(text[at+1:])) && m.lower > 0 &&
		m.upper > 0 {
		return true
	}
	if strings.ContainsAny(text, symbols) && m.others <= 4 {
		return (m.groups >= 2 || m.lower > 0 && m.upper > 0) && m.changes >= 3 && !isTerm(text)
	}
	return m.groups > 1 && m.lower > 0 && m.upper > 0 && m.others == 0 && isRandom(text)
}

// isTerm: words and numbers with operators between them, as in code; formats. An operator behind all of them has
// nothing to work on.
func isTerm(text string) bool {
	if word := strings.TrimRight(text, "+*%&"); word != text && len(word) >= 6 && !strings.ContainsAny(word, symbols) {
		name := strings.TrimRight(word, digits)
		return len(word)-len(name) < 2 || contains(loaded().algorithms, strings.ToLower(name))
	}
	if strings.ContainsAny(text, "!#@?~$^") {
		return strings.HasPrefix(text, "!") || strings.HasPrefix(text, "#")
	}
	if at := strings.IndexAny(text, "*%&+"); at > 2 && text[0] >= 'A' && text[0] <= 'Z' &&
		measure(text[:at]).lower == at-1 && len(text)-at == 5 && strings.Trim(text[at+1:], digits) == "" {
		return false // a word and a year
	}
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("+*%&=;|", c) }) {
		if m := measure(part); m.digits > 0 && m.lower+m.upper > 0 && (m.groups > 1 || m.digits >= 4) {
			return false
		}
	}
	return true
}
