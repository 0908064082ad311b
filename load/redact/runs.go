package redact

import (
	"bytes"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
)

// This file looks at long runs of characters: tokens that no word tells, keys without the lines around them, what is
// encoded.

// Rules without an expression.
const (
	tokenRule Rule = "prefixed-token"
	tokenCut  Rule = "token-cut"
	keyRule   Rule = "encoded-private-key"
	seedRule  Rule = "wallet-seed"
)

// class is a set of characters.
type class [256]bool

func newClass(has func(c byte) bool) (is class) {
	for c := range is {
		is[c] = has(byte(c))
	}
	return is
}

var (
	// of both alphabets
	isBase64  = newClass(func(c byte) bool { return isWord(c) || c == '+' || c == '/' || c == '-' })
	isNumbers = newClass(func(c byte) bool { return isDigit(c) || c == ',' || isSpace(c) })
	isWords   = newClass(func(c byte) bool {
		return c >= 'a' && c <= 'z' || isSpace(c) || isDigit(c) || strings.IndexByte(`,."'`, c) >= 0
	})
)

// runs calls hit for each run of so many characters of a class. hit says where to go on. Most runs are shorter: what
// ends one is sought from behind, so few bytes are looked at.
func runs(s string, is *class, least int, hit func(start, end int) int) {
	for i := 0; i+least <= len(s); { // no run goes on before i
		next := i + least
		for next > i && is[s[next-1]] {
			next--
		}
		if next > i {
			i = next
			continue
		}
		end := i + least
		for end < len(s) && is[s[end]] {
			end++
		}
		i = max(hit(i, end), i+1)
	}
}

// leastToken is how many characters a token has that is known by its form alone.
const leastToken = 24

// leastCut is how many characters are left of a token that was cut.
const leastCut = 12

// prefix finds a token that is known by how it begins. It may be the beginning of one: what names a conversation is
// cut, and so is what tools print.
func (c *scanner) prefix(s string, start, end int) {
	least := c.prefixes[s[start:end]]
	if least == 0 || start > 0 && (isWord(s[start-1]) || s[start-1] == '-') && !escapeEnds(s, start) {
		return
	}
	n := max(end, c.runEnd) // many may begin in one run
	for n < len(s) && (isToken(s[n]) || s[n] == '$' || s[n] == '|') && (s[n] != '%' || hasPrefix(s[n:], "%3D")) {
		n++
	}
	c.runEnd = n
	for n > end && s[n-1] == '.' {
		n--
	}
	text := s[end:min(n, end+behind)]
	if m := measure(text); n-end < least || entropy(s[start:end+len(text)]) <= 3.2 ||
		m.digits == 0 && (m.length() < 20 || 100*m.changes < 30*m.length()) || least == leastToken && !isRandom(text) ||
		words(text) > 1 {
		return
	}
	c.found = append(c.found, finding{rule: tokenCut, start: start, end: n})
}

// words is how many parts of a text are words: four lower letters or more, and nothing else.
func words(text string) (n int) {
	for part := range strings.FieldsFuncSeq(text,
		func(c rune) bool { return c == '_' || c == '-' || c == '.' || c == '/' }) {
		if len(part) >= 4 && strings.Trim(part, latin[:26]) == "" {
			n++
		}
	}
	return n
}

// tokens are those in a run: what begins with a short name and looks like chance, and a few forms that are known.
func (c *scanner) tokens(s string, start, end int) {
	start = behindEscape(s, start)
	for from := start; from < end; {
		to := from
		for to < end && s[to] != '/' && s[to] != '+' {
			to++
		}
		if word := s[from:to]; len(word) >= leastToken && !strings.Contains(s[max(0, from-8):from], "sha") {
			if c.isPrefixed(word) || isWIF(word) {
				c.found = append(c.found, finding{rule: tokenRule, start: from, end: to})
			} else if n := botToken(s, from, to); n > 0 {
				c.found = append(c.found, finding{rule: tokenRule, start: from, end: n})
			}
		}
		from = to + 1
	}
}

// behindEscape is where a run begins that was taken to begin within an escape: \n, \u003d.
func behindEscape(s string, start int) int {
	if start == 0 || s[start-1] != '\\' {
		return start
	}
	if length, _ := escapeLength(s[start-1:]); length > 0 {
		return start + length - 1
	}
	return start
}

// isPrefixed: one to three short words, then chance. Ids of calls, messages and the like are written so, too: they are
// no secrets.
func (r *rules) isPrefixed(word string) bool {
	body, first := word, ""
	for n := 0; n < 3; n++ {
		i := strings.IndexAny(body, "_-")
		if i < 1 || i > 12 || n == 0 && i < 2 || !isLetter(body[0]) ||
			strings.ToLower(body[:i]) != body[:i] && strings.ToUpper(body[:i]) != body[:i] {
			break
		}
		if n == 0 {
			first = strings.ToLower(body[:i])
		}
		body = body[i+1:]
	}
	if first == "" || r.ids[strings.TrimRight(first, "0123456789")] ||
		strings.Count(body, "-")+strings.Count(body, "_") > len(body)/12 {
		return false
	}
	m := measure(body)
	return m.length() >= 20 && m.lower > 0 && m.upper > 0 && m.digits > 0 && 100*m.changes >= 42*m.length()
}

// isWIF: a private key of Bitcoin.
func isWIF(word string) bool {
	if !(len(word) == 51 && word[0] == '5' || len(word) == 52 && (word[0] == 'K' || word[0] == 'L')) ||
		strings.ContainsAny(word, "0OIl_-") {
		return false
	}
	return isRandom(word)
}

// botToken is where a token of a bot of Discord ends that begins at a place: an id, a time, a signature.
func botToken(s string, start, end int) int {
	if end-start > 28 || end == len(s) || s[end] != '.' || strings.IndexByte("MNO", s[start]) < 0 {
		return 0
	}
	part := func(i int) int {
		for i < len(s) && (isWord(s[i]) || s[i] == '-') {
			i++
		}
		return i
	}
	time := part(end + 1)
	if last := part(min(len(s), time+1)); time-end >= 7 && time-end <= 8 && time < len(s) && s[time] == '.' &&
		last-time > 27 {
		return last
	}
	return 0
}

// measures are what tells words from chance.
// changes of the kind of character, groups of digits, letters in a row
type measures struct{ lower, upper, digits, others, changes, groups, letters int }

func (m measures) length() int { return m.lower + m.upper + m.digits }

func measure(s string) (m measures) {
	last, row := byte(0), 0
	for i := range len(s) {
		kind := byte(0)
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			kind = 'a'
			m.lower++
		case c >= 'A' && c <= 'Z':
			kind = 'A'
			m.upper++
		case isDigit(c):
			kind = '0'
			m.digits++
			if last != '0' {
				m.groups++
			}
		case c >= 0x80:
			kind = 'a'
			m.lower += 1 - int(c>>6&1) // once for the two bytes of a letter
		default:
			m.others++
		}
		if kind != 0 && last != 0 && kind != last {
			m.changes++
		}
		if row++; kind == 'a' || kind == 'A' {
			m.letters = max(m.letters, row)
		} else {
			row = 0
		}
		last = kind
	}
	return m
}

// derStart begins what openssl writes in base64, if it is longer than 255 bytes: a sequence with a length of two bytes.
// rsaEnd ends the public key of RSA: its exponent is 65537.
const (
	derStart = "MII"
	rsaEnd   = "IDAQAB"
)

// isEncodedRun says whether a run of base64's characters is base64, and no path or name of a variable.
func isEncodedRun(run string) bool {
	m := measure(run)
	return strings.HasSuffix(run, rsaEnd) || len(run) >= leastToken &&
		(strings.Contains(run, "+") || strings.HasPrefix(run, derStart) || 100*m.changes >= 40*m.length())
}

// isRandom says whether a value looks like chance: letters and digits that change often, as words and names of
// variables do not.
func isRandom(s string) bool {
	m := measure(s)
	n := m.length()
	switch {
	case m.digits == n || m.others > n/6:
		return false
	case m.digits == 0:
		return n >= 16 && m.lower > 0 && m.upper > 0 && 100*m.changes >= 42*n
	case isID(s):
		return n >= 32 && entropy(s) > 2.8
	case m.lower > 0 && m.upper > 0:
		return n >= 12 && 100*m.changes >= 35*n
	}
	return n >= 16 && m.groups >= 3 && (100*m.changes >= 22*n && 10*m.digits <= 7*n && m.letters <= 10 ||
		n >= 32 && m.letters <= 20 && entropy(s) > 4)
}

// isID: hexadecimal digits and hyphens, as ids and sums are written, and some tokens.
func isID(s string) bool {
	s = strings.TrimPrefix(s, "0x")
	for i := range len(s) {
		if !isHex(s[i]) && s[i] != '-' {
			return false
		}
	}
	return true
}

// isKey: bytes are the beginning of a private key as files without lines around it have it. Of what is written so, keys
// alone begin with a small number; certificates and public keys do not.
func isKey(b []byte) bool {
	if strings.HasPrefix(string(b), "openssh-key-v1") {
		return true
	}
	if len(b) < 24 || b[0] != 0x30 {
		return false
	}
	rest := b[1:]
	if rest[0] > 0x80 && rest[0] <= 0x83 {
		rest = rest[rest[0]-0x80:]
	}
	return rest[1] == 2 && rest[2] == 1 && (rest[3] == 0 || rest[3] == 1 || rest[3] == 3) &&
		(rest[4] == 0x30 || rest[4] == 2 || rest[4] == 4)
}

// hexText is what hexadecimal digits say, if it is a text or a key.
func hexText(run []byte) ([]byte, bool) {
	for i, c := range run {
		if !isHex(c) && (i != 1 || c != 'x') {
			return nil, false
		}
	}
	run = bytes.TrimPrefix(run, []byte("0x"))
	text := make([]byte, len(run)/2)
	n, _ := hex.Decode(text, run[:len(run)-len(run)%2])
	return text[:n], isTextual(text[:n]) || isKey(text[:n])
}

// keyBytes is how many numbers a key has as a list, such as those of Solana.
const keyBytes = 64

// numbers: a list of the bytes of a key.
func (c *scanner) numbers(s string, start, end int) int {
	if end == len(s) || start == 0 || s[start-1] != '[' || s[end] != ']' || end-start > 6*keyBytes {
		return end
	}
	list := strings.FieldsFunc(s[start:end], func(c rune) bool { return !isDigit(byte(c)) })
	seen, largest := map[string]bool{}, 0
	for _, one := range list {
		n, err := strconv.Atoi(one)
		if err != nil || n > math.MaxUint8 {
			return end
		}
		seen[one], largest = true, max(largest, n)
	}
	if len(list) == keyBytes && len(seen) >= 44 && largest >= 200 && !slices.IsSorted(list) {
		c.found = append(c.found, finding{rule: keyRule, start: start, end: end})
	}
	return end
}

// leastSeed is how many words the seed of a wallet has.
const leastSeed = 12

// seeds: twelve words or more of the list that wallets take.
func (c *scanner) seed(s string, start, end int) int {
	words, different := c.seeds, map[string]bool{}
	from, count, last := start, 0, start
	take := func() {
		if count >= leastSeed && len(different) > leastSeed/2 {
			c.found = append(c.found, finding{rule: seedRule, start: from, end: last})
		}
		count = 0
		clear(different)
	}
	for i := start; i < end; {
		n := i
		for n < end && s[n] >= 'a' {
			n++
		}
		switch {
		case n == i: // what is between words
		case words[s[i:n]]:
			if count == 0 {
				from = i
			}
			count++
			last, different[s[i:n]] = n, true
		default:
			take()
		}
		i = n + 1
	}
	take()
	return end
}
