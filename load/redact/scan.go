package redact

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// maxEscapes is how often a text may be within strings of others: JSON in a string of JSON is what tools take and give.
const maxEscapes = 6

// span is a part of a text.
type span struct{ start, end int }

// scanner is the memory of one scan; scanners are used again.
type scanner struct {
	*rules
	windows [][]span // for each rule, apart and in order
	touched []int    // rules with windows
	found   []finding
	noisy   []span // parts of the text that was scanned that are to be decoded and scanned again
	runEnd  int    // where the last run of a token's characters ends
	work    int    // bytes that expressions have read: a test holds it against the text's length
}

// finding is a secret or a home folder. A bare one is a value of JSON that is no string.
type finding struct {
	rule       Rule
	start, end int
	bare       bool
}

var scanners = sync.Pool{New: func() any {
	r := loaded()
	return &scanner{rules: r, windows: make([][]span, len(r.list))}
}}

// maxViews is how often a text may be written otherwise: base64 in a text with colours, base64 in base64.
const maxViews = 3

// all is what the rules find in a text, and in what it is read as.
func (c *scanner) all(s string, p *People, views int) []finding {
	found := slices.Clone(c.scan(s, p))
	plain := len(found)
	if views > 0 {
		noisy := slices.Clone(c.noisy)
		found = append(found, c.broken(s, p)...)
		for _, w := range noisy {
			v := plainView(s, w)
			for _, f := range c.all(string(v.text), p, views-1) {
				found = append(found, finding{rule: f.rule, start: v.starts[f.start], end: v.ends[f.end-1]})
			}
		}
		runs(s, &isBase64, leastEncoded, func(start, end int) int {
			return encoded(s, start, end, func(start, end int, text []byte) {
				if isKey(text) {
					found = append(found, finding{rule: keyRule, start: start, end: end})
					return
				}
				for _, f := range c.all(string(text), nil, views-1) {
					if f.rule != Home {
						found = append(found, finding{rule: f.rule, start: start, end: end})
						break
					}
				}
			})
		})
	}
	if len(found) == plain { // they are tidy
		return found
	}
	return tidy(s, found)
}

// scan is what the rules find in a text, apart and in order, to be used until the next scan. A rule's windows are
// joined where they touch, so no rule reads a byte twice, and the time is linear whatever the text.
func (c *scanner) scan(s string, p *People) []finding {
	c.found, c.noisy, c.runEnd = p.find(s, c.found[:0]), c.noisy[:0], 0
	c.words.walk(s, func(word, start int) {
		end := start + c.words.lengths[word]
		if inMark(s, start) {
			return
		}
		for _, r := range c.asked[word] {
			if r <= asksNoise {
				if n := len(c.noisy); n == 0 || c.noisy[n-1].end < end {
					c.noisy = join(c.noisy, noisy(s, asksNoise-r, start, end))
				}
				continue
			}
			if r <= asksName {
				if kind := asksName - r; kind == ofCommand {
					c.command(s, start, end)
				} else {
					c.named(s, kind, start, end)
				}
				continue
			}
			if r == asksPrefix {
				c.prefix(s, start, end)
				continue
			}
			if r == asksHome {
				if h, ok := homeAt(s, start, end); ok {
					c.found = append(c.found, finding{rule: Home, start: h.start, end: h.end})
				}
				continue
			}
			c.ask(r, s, start, end)
		}
	})
	runs(s, &isBase64, leastToken, func(start, end int) int {
		c.tokens(s, start, end)
		return end
	})
	runs(s, &isNumbers, 2*keyBytes, func(start, end int) int { return c.numbers(s, start, end) })
	runs(s, &isWords, 4*leastSeed, func(start, end int) int { return c.seed(s, start, end) })
	for _, n := range c.touched {
		c.search(c.list[n], s, c.windows[n])
		c.windows[n] = c.windows[n][:0]
	}
	c.touched = c.touched[:0]
	if len(c.found) == 0 {
		return nil
	}
	c.found = tidy(s, c.found)
	return c.found
}

// ask adds a window around a keyword to what a rule reads, if the rule can match there.
func (c *scanner) ask(n int, s string, start, end int) {
	r := c.list[n]
	w := span{max(0, start-r.before), min(len(s), end+r.behind)}
	if r.check != nil {
		to := r.check(s, start, end)
		if to < 0 {
			return
		}
		w.end = min(w.end, to+8) // with what ends the value
	}
	windows := c.windows[n]
	if len(windows) == 0 {
		c.touched = append(c.touched, n)
	}
	c.windows[n] = join(windows, w)
}

// join adds a span to others, to the last of them where they touch: of a word that is everywhere there is one window.
func join(to []span, w span) []span {
	for len(to) > 0 && to[len(to)-1].end >= w.start {
		last := to[len(to)-1]
		w, to = span{min(w.start, last.start), max(w.end, last.end)}, to[:len(to)-1]
	}
	return append(to, w)
}

// search reads a rule's windows. A window that ends within a token goes on to the token's end: half a secret must not
// stay.
func (c *scanner) search(r *rule, s string, windows []span) {
	for n := 0; n < len(windows); n++ {
		w := windows[n]
		for {
			for w.end < len(s) && isToken(s[w.end]) {
				w.end++
			}
			if n+1 == len(windows) || windows[n+1].start > w.end {
				break
			}
			n++
			w.end = max(w.end, windows[n].end)
		}
		c.read(r, s, wholeCharacters(s, w))
	}
}

// wholeCharacters widens a window so that it cuts no character, and no escape where it begins.
func wholeCharacters(s string, w span) span {
	for w.start > 0 && !utf8.RuneStart(s[w.start]) {
		w.start--
	}
	for w.end < len(s) && !utf8.RuneStart(s[w.end]) {
		w.end++
	}
	if backslashes(s, w.start)%2 == 1 {
		w.start--
	}
	return w
}

// read applies a rule to one window: as it is, then as the strings in it would be read, again and again.
func (c *scanner) read(r *rule, s string, w span) {
	text, at := s[w.start:w.end], []int(nil)
	for range maxEscapes + 1 {
		c.work += len(text)
		for _, m := range r.expression().FindAllStringSubmatchIndex(text, -1) {
			trim(m, text)
			start, end := r.secret(m)
			if secret := text[start:end]; r.entropy != 0 && entropy(secret) <= r.entropy ||
				c.isAllowed(r, match{text, m[0], m[1], secret}) {
				continue
			}
			if r.whole {
				start, end = m[0], m[1]
			}
			for start < end && isQuote(text[start]) {
				start++
			}
			for start < end && isQuote(text[end-1]) {
				end--
			}
			if at != nil {
				start, end = at[start], at[end]
			}
			c.found = append(c.found, finding{rule: r.id, start: w.start + start, end: w.start + end})
		}
		inner, places, ok := unescape(text, at)
		if !ok {
			return
		}
		text, at = inner, places
	}
}

// isAllowed asks the lists for all rules, and those of the rule. What they read counts, too: there may be a match in
// every line, and each has its line read.
func (c *scanner) isAllowed(r *rule, m match) bool {
	for _, lists := range [][]allowlist{c.allowed, r.allowed} {
		for _, a := range lists {
			if a.target == "line" {
				c.work += len(m.line())
			}
			if a.allows(m) {
				return true
			}
		}
	}
	return false
}

// tidy makes of findings what can be replaced: no escape is cut, what earlier runs have replaced stays, findings that
// overlap are one, and JSON stays JSON.
func tidy(s string, found []finding) []finding {
	marks := marksIn(s)
	kept := found[:0]
	for _, f := range found {
		f.start, f.end = wholeEscapes(s, f.start, f.end)
		if f.start < f.end && beyondMarks(s, &f, marks) {
			kept = append(kept, f)
		}
	}
	kept = merge(kept)
	if len(kept) > 0 && isJSON(s) {
		kept = inStrings(s, kept)
	}
	return kept
}

// merge sorts findings, and joins those that overlap under the name of the most specific rule.
func merge(found []finding) []finding {
	slices.SortStableFunc(found, func(a, b finding) int { return a.start - b.start })
	out := found[:0]
	for _, f := range found {
		if len(out) == 0 || out[len(out)-1].end <= f.start {
			out = append(out, f)
			continue
		}
		last := &out[len(out)-1]
		last.end = max(last.end, f.end)
		if specificity(f.rule) > specificity(last.rule) {
			last.rule = f.rule
		}
	}
	return out
}

// general are rules that know a secret by the name beside it, not by itself.
var general = map[Rule]bool{
	"generic-api-key": true, "password": true, "env-password": true, "config-password": true, "hex-token": true,
	"bearer-token": true, "authorization-header": true, "token-cut": true, namedPassword: true, tokenRule: true,
	seedRule: true, namedToken: true, commandPassword: true, "ini-password": true, "said-password": true,
	"connection-password": true, "command-password": true, "command-token": true, "address-parameter": true,
	"url-token": true, "security-token": true,
}

// specificity says how much the name of a rule tells: 0 for home, 1 for a general rule, 2 for a specific one. Of
// findings that overlap, the highest gives the name.
func specificity(r Rule) int {
	switch {
	case r == Home:
		return 0
	case general[r]:
		return 1
	}
	return 2
}

// markStart begins what stands for a secret.
const markStart = "[redacted:"

// marksIn is where a text has what stands for a secret.
func marksIn(s string) (out []span) {
	for from := 0; ; {
		n := strings.Index(s[from:], markStart)
		if n < 0 {
			return out
		}
		start := from + n
		from = start + len(markStart)
		end := from
		for end < len(s) && (isLetter(s[end]) || isDigit(s[end]) || s[end] == '-') {
			end++
		}
		if end > from && end < len(s) && s[end] == ']' {
			out, from = append(out, span{start, end + 1}), end+1
		}
	}
}

// inMark says whether a word is in the name of the rule of a mark: the password of [redacted:named-password] is no name
// of what is behind it.
func inMark(s string, start int) bool {
	for start > 0 && (isLetter(s[start-1]) || isDigit(s[start-1]) || s[start-1] == '-') {
		start--
	}
	return strings.HasSuffix(s[:start], markStart)
}

// beyondMarks says whether a finding has anything but marks, and widens it so that it cuts none. So what replaces a
// text has less to replace each time.
func beyondMarks(s string, f *finding, marks []span) bool {
	n, _ := slices.BinarySearchFunc(marks, f.start, func(m span, start int) int { return m.end - start - 1 })
	from, beyond := f.start, false
	for ; n < len(marks) && marks[n].start < f.end; n++ {
		beyond = beyond || from < marks[n].start && hasWord(s[from:marks[n].start])
		from = marks[n].end
		f.start, f.end = min(f.start, marks[n].start), max(f.end, marks[n].end)
	}
	return beyond || from < f.end && (from == f.start || hasWord(s[from:f.end]))
}

// hasWord says whether there is more in a text than signs.
func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c >= utf8.RuneSelf || isWord(byte(c)) })
}
