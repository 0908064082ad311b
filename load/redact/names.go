package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file takes names of projects out of texts: names that nobody may learn are in the chats about other projects,
// too. It finds them as they are written: a name as a word, a path and a URI as they are recorded, whatever the case of
// their letters.

// Project is a project by what it is called. Each may be "".
type Project struct{ URI, Path, Name string }

// fewLetters: a name with fewer letters is taken out only as a part of its path. Names such as api or web are words of
// every text.
const fewLetters = 5

// ProjectRule is of a name; ProjectMark stands for one, and for what else is of a project.
const (
	ProjectRule Rule = "project"
	ProjectMark      = markStart + ProjectRule + "]"
)

// Names takes the names of projects out of texts. nil takes nothing out. Several goroutines may use it.
type Names struct {
	words keywords
	paths []bool // of each word: it is a path or a URI, and no name
	sum   string
}

// NewNames makes Names of the projects that are hidden. Where one of the shown projects has the same name, that alone
// tells nothing, and only the path is taken out. It is nil where nothing is to be hidden.
func NewNames(hidden, shown []Project) *Names {
	known := map[string]bool{}
	for _, p := range shown {
		for _, name := range p.names() {
			known[name] = true
		}
	}
	isPath := map[string]bool{}
	for _, p := range hidden {
		for _, name := range p.names() {
			if !known[name] && letters(name) >= fewLetters {
				isPath[name] = false
			}
		}
		for _, path := range p.paths() {
			isPath[path] = true
		}
	}
	if len(isPath) == 0 {
		return nil
	}
	n := &Names{}
	var words []string
	for word := range isPath {
		words = append(words, word)
	}
	slices.Sort(words)
	n.words = newKeywords(words)
	h := sha256.New()
	for _, word := range words {
		n.paths = append(n.paths, isPath[word])
		_, _ = h.Write([]byte(word + "\x00"))
	}
	n.sum = hex.EncodeToString(h.Sum(nil)[:8])
	return n
}

// names are what a project is called, in lower letters.
func (p Project) names() (all []string) {
	uri, err := url.PathUnescape(p.URI)
	if err != nil {
		uri = p.URI
	}
	for _, text := range []string{p.Name, p.Path, uri} {
		text = strings.TrimRight(text, `/\`)
		name := lower(text[strings.LastIndexAny(text, `/\`)+1:])
		for _, end := range []string{"", ".code-workspace", ".git"} {
			if name := strings.TrimSuffix(name, end); name != "" && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// paths are where a project is, in lower letters: as recorded, as a string of JSON has it, and with ~ for a home
// folder.
func (p Project) paths() (all []string) {
	for _, text := range []string{p.Path, p.URI} {
		text = strings.TrimRight(text, `/\`)
		_, path, _ := strings.Cut(text, "://")
		if len(strings.Trim(path, `/\`)) == 0 && strings.Count(text, "/")+strings.Count(text, `\`) == 0 ||
			strings.HasSuffix(text, ":") {
			continue // the root, or no path
		}
		for _, as := range []string{text, Text(text)} {
			for _, spelled := range []string{as, strings.ReplaceAll(as, `\`, `\\`)} {
				all = append(all, lower(spelled))
			}
		}
	}
	return all
}

// Sum is the same for the same names, and "" for none.
func (n *Names) Sum() string {
	if n == nil {
		return ""
	}
	return n.sum
}

// Text is a text without the names; the text itself if there are none. JSON stays JSON.
func (n *Names) Text(s string) string {
	found := n.find(s)
	if len(found) == 0 {
		return s
	}
	return replace(s, found)
}

// Find is what Text replaces, in order; no two overlap.
func (n *Names) Find(s string) (out []Found) {
	for _, f := range n.find(s) {
		out = append(out, Found{f.rule, f.start, f.end})
	}
	return out
}

func (n *Names) find(s string) (found []finding) {
	if n == nil {
		return nil
	}
	n.words.walk(s, func(word, start int) {
		if end := start + n.words.lengths[word]; isWhole(s, start, end, n.paths[word]) {
			if back := backslashes(s, start); back > 0 && strings.IndexByte(`"\/bfnrtu`, s[start]) >= 0 {
				start -= back // half an escape before the mark would be no JSON
			}
			found = append(found, finding{rule: ProjectRule, start: start, end: end})
		}
	})
	if len(found) == 0 {
		return nil
	}
	marks := marksIn(s)
	return slices.DeleteFunc(merge(found), func(f finding) bool {
		return slices.ContainsFunc(marks, func(m span) bool { return m.start <= f.start && f.end <= m.end })
	})
}

// isWhole reports whether no letter goes on before a word or behind it, and behind a path nothing that a name of a
// folder has.
func isWhole(s string, start, end int, isPath bool) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:start])
	first, _ := utf8.DecodeRuneInString(s[start:])
	behind, _ := utf8.DecodeRuneInString(s[end:])
	if start > 0 && unicode.IsLetter(before) && unicode.IsLetter(first) && !escapeEnds(s, start) &&
		!afterColour(s, start) {
		return false
	}
	if end == len(s) {
		return true
	}
	return !unicode.IsLetter(behind) && (!isPath || !unicode.IsNumber(behind) && behind != '-' && behind != '_')
}

// letters is how many letters a text has.
func letters(s string) (n int) {
	for _, c := range s {
		if unicode.IsLetter(c) {
			n++
		}
	}
	return n
}
