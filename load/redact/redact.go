// Package redact finds secrets in texts, and takes them out: a secret becomes [redacted:<rule>], the folder of a person
// becomes ~.
//
// The rules are those of gitleaks, and some of our own, as files that are part of the program: what finds here finds
// there. Beside expressions there are lists: how tokens begin, names that have a secret beside them, commands and their
// flags. The package knows texts and rules, never which column or machine a text is of.
package redact

import "strings"

// Version is of the rules and of what this package does with them: what was redacted by an older one may have more in
// it.
const Version = 4

// Rule is the name of a rule, as in [redacted:aws-access-token].
type Rule = string

// Found is a place in a text that Text replaces.
type Found struct {
	Rule       Rule
	Start, End int // bytes
}

// maxPasses is how often a text is read again after something was replaced in it.
const maxPasses = 8

// Text is a text without secrets and homes; the text itself if there are none. JSON stays JSON, and what was redacted
// once stays as it is. Several goroutines may call it.
func Text(s string) string {
	out, _ := redact(s, nil)
	return out
}

// Find is what Text replaces, in order; no two overlap.
func Find(s string) []Found { return find(s, nil) }

func find(s string, p *People) []Found {
	_, found := redact(s, p)
	var out []Found
	for _, f := range found {
		out = append(out, Found{f.rule, f.start, f.end})
	}
	return out
}

// redact replaces until there is nothing more to replace: what was behind a secret may look like one itself as soon as
// that is gone.
func redact(s string, p *People) (string, []finding) {
	c := scanners.Get().(*scanner)
	defer scanners.Put(c)
	out, all := s, []finding(nil)
	for range maxPasses {
		found := c.all(out, p, maxViews)
		if len(found) == 0 {
			break
		}
		all = merge(append(all, origins(all, found)...))
		out = replace(s, all)
	}
	return out, all
}

// mark is what stands for a finding.
func (f finding) mark() string {
	switch {
	case f.rule == Home:
		return "~"
	case f.bare:
		return `"` + markStart + f.rule + `]"`
	}
	return markStart + f.rule + "]"
}

func replace(s string, found []finding) string {
	var out strings.Builder
	out.Grow(len(s))
	from := 0
	for _, f := range found {
		out.WriteString(s[from:f.start])
		out.WriteString(f.mark())
		from = f.end
	}
	out.WriteString(s[from:])
	return out.String()
}

// origins says where findings are in the first text, of findings in the text that has all others replaced. Both are in
// order.
func origins(all, found []finding) []finding {
	shift, n := 0, 0 // what is before all[n] is longer in the first text by shift
	at := func(place int, isEnd bool) int {
		for ; n < len(all); n++ {
			start, length := all[n].start-shift, len(all[n].mark())
			if place < start || place == start && isEnd {
				break
			}
			if place < start+length && isEnd {
				return all[n].end
			}
			if place < start+length {
				return all[n].start
			}
			shift += all[n].end - all[n].start - length
		}
		return place + shift
	}
	var out []finding
	for _, f := range found {
		out = append(out, finding{f.rule, at(f.start, false), at(f.end, true), f.bare})
	}
	return out
}
