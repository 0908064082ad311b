package redact

import "strings"

// This file reads tokens that a terminal or a mail has broken at the ends of lines as one.

// A token that is broken has so many characters, and one of its parts next to a line end half of them.
const (
	leastBroken = 24
	leastLine   = 40 // in a line that a short part ends
	mostParts   = 64
	fewParts    = 2 // more of them are read once
)

// broken finds what goes over the ends of lines.
func (c *scanner) broken(s string, p *People) (found []finding) {
	for _, end := range []string{"\n", `\n`} {
		for from := 0; ; {
			n := strings.Index(s[from:], end)
			if n < 0 {
				break
			}
			at := from + n
			from = at + len(end)
			v, ends, next := joined(s, at)
			if v == nil {
				continue
			}
			if len(ends) > fewParts {
				from = max(from, next)
			}
			for _, f := range c.scan(string(v.text), p) {
				for _, end := range ends {
					if f.rule != Home && f.start < ends[0] && f.start < end && end < f.end {
						found = append(found, finding{rule: f.rule, start: v.starts[f.start], end: v.ends[f.end-1]})
						break
					}
				}
			}
		}
	}
	return found
}

// joined is the text around the line end at a place, without it and those that follow; nil if no token can go over it.
// It says where parts end in it, and where the last one ends in the text.
func joined(s string, at int) (v *view, ends []int, next int) {
	at -= backslashes(s, at)
	if at > 0 && s[at-1] == '\r' {
		at--
	} else if at > 1 && strings.HasSuffix(s[:at], `\r`) {
		at -= 1 + backslashes(s, at-1)
	}
	at = partEnd(s, at)
	start := at
	for start > max(0, at-keyLength) && isPart(s[start-1]) {
		start--
	}
	if start = behindEscape(s, start); start >= at || s[at-1] == '=' || isFileName(s[start:at]) {
		return nil, nil, 0
	}
	if isBlock(s, start, at) {
		return nil, nil, 0
	}
	behind := nextPart(s, at)
	next = behind
	for next < len(s) && isPart(s[next]) {
		next++
	}
	if strings.Contains(s[start:at], "--") || !goesOnToken(s[behind:next]) || next-behind+at-start < leastBroken ||
		max(next-behind, at-start) < leastBroken/2 || behind == at || next == behind {
		return nil, nil, 0
	}
	if line := s[max(0, at-leastLine):at]; at-start < leastBroken/2 &&
		(strings.Contains(line, "\n") || strings.Contains(line, `\n`)) {
		return nil, nil, 0
	}
	if a, b := measure(s[start:at]), measure(s[behind:next]); a.digits+b.digits == 0 || a.changes+b.changes < 6 {
		return nil, nil, 0
	}
	v = &view{}
	piece := func(from, to int) {
		for i := from; i < to; i++ {
			v.add(s[i:i+1], i, i+1)
		}
	}
	piece(max(0, start-before), at)
	for range mostParts {
		ends = append(ends, len(v.text))
		if !goesOnToken(s[behind:next]) {
			next = behind
			break
		}
		piece(behind, next)
		last := nextPart(s, next)
		if last == next || last == len(s) || !isPart(s[last]) || s[next-1] == '=' {
			break
		}
		behind = last
		for next = last; next < len(s) && isPart(s[next]); {
			next++
		}
	}
	piece(next, min(len(s), next+before/4))
	return v, ends, next
}

// partEnd is where the part of a token ends that stands before a line end: before the = of a mail, and before the quote
// of a text that code puts together.
func partEnd(s string, at int) int {
	if at > 1 && s[at-1] == '=' && isWord(s[at-2]) {
		return at - 1
	}
	for n := at; n > max(0, at-leastLine) && gapAt(s, n-1); n-- {
		if isQuote(s[n-1]) {
			return n - 1 - backslashes(s, n-1)
		}
	}
	n := at
	for n > max(0, at-leastLine) && (s[n-1] == ' ' || s[n-1] == '|' || isFrame(s[max(0, n-3):n])) {
		if n--; s[n] >= 0x80 {
			n -= 2
		}
	}
	return n
}

// isFrame: the side of a frame around a text.
func isFrame(s string) bool { return s == "│" || s == "┃" || s == "║" }

// gapAt: what stands at a place is between two texts that code puts together.
func gapAt(s string, i int) bool { return strings.IndexByte(gap, s[i]) >= 0 }

// gap is what stands between two texts that code puts together.
const gap = " \t+.&\\\"'`"

// nextPart is where the part of a token goes on that ends at a place: on the next line, or in the text that is put
// behind it; else the place itself.
func nextPart(s string, i int) int {
	if i < len(s) && s[i] == '=' {
		return lineEnds(s, i+1)
	}
	quotes, lines, framed := 0, 0, false
	for n := i; n < min(len(s), i+2*leastLine); n++ {
		switch next := lineEnds(s, n); {
		case next > n:
			if n == i && next < len(s) && isPart(s[next]) {
				return next
			}
			n, lines = next-1, lines+1
		case isQuote(s[n]):
			quotes++
		case isFrame(s[n:min(len(s), n+3)]):
			n, framed = n+2, true
		case s[n] == '|' || s[n] == '>':
			framed = true
		case !gapAt(s, n) || framed && !isSpace(s[n]):
			if lines == 1 && (quotes == 2 || framed && quotes == 0) {
				return n
			}
			return i
		}
	}
	return i
}

// isFileName: what ends as names of files do.
func isFileName(s string) bool {
	ending := s[strings.LastIndexByte(s, '.')+1:]
	return len(ending) < len(s) && len(ending) <= 5 && strings.Trim(ending, latin[:26]) == ""
}

// isBlock: the line before is as long and has no space, or says that a block begins: these are the lines of a
// certificate or a file, which were read from the first one on.
func isBlock(s string, start, end int) bool {
	line := strings.TrimRight(s[max(0, start-leastLine*3):start], "\r\n")
	if len(line) == start || line == s[max(0, start-leastLine*3):start] {
		return false
	}
	line = strings.TrimRight(line[strings.LastIndexByte(line, '\n')+1:], "\r")
	return strings.HasSuffix(line, "-----") || len(line) == end-start && !strings.ContainsAny(line, spaces)
}

// goesOnToken: a part of a token, and no word.
func goesOnToken(s string) bool {
	m := measure(s)
	return m.digits > 0 || 4*m.changes >= len(s)
}

// isPart: characters of tokens, and of what is written in base64.
func isPart(c byte) bool { return isToken(c) || c == '$' }
