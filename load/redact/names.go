package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// This file takes names of projects out of texts: names that nobody may learn are in the chats about other projects, too.

// Project is a project by what it is called. Each may be "".
type Project struct{ URI, Path, Name string }

// fewLetters: a name with fewer letters is taken out only behind the folder that it is in. Names such as api or web are words of every text.
const fewLetters = 5

// ProjectRule is of a name; ProjectMark stands for one, and for what else is of a project.
const (
	ProjectRule Rule = "project"
	ProjectMark      = markStart + ProjectRule + "]"
)

// Names takes the names of projects out of texts. nil takes nothing out. Several goroutines may use it.
type Names struct {
	words  keywords
	places []bounds // of each word: what may stand around it
	sum    string
}

// bounds are what has to be around a name so that it is one.
type bounds int

const (
	asWord   bounds = iota // no letter goes on before it or behind it; a letter and a digit are apart
	asFolder               // it is whole folders
	asPath                 // a folder ends behind it; before it is anything, as it begins with a slash
)

// NewNames makes Names of the projects that are hidden. Where one of the shown projects has the same name, that alone tells nothing, and is taken out only behind the folder that it is in. It is nil
// where nothing is to be hidden.
func NewNames(hidden, shown []Project) *Names {
	known := map[string]bool{}
	for _, p := range shown {
		for _, name := range p.names() {
			known[name] = true
		}
	}
	found := map[string]bounds{}
	for _, p := range hidden {
		p.patterns(known, found)
	}
	if len(found) == 0 {
		return nil
	}
	var words []string
	for word := range found {
		words = append(words, word)
	}
	slices.Sort(words)
	n := &Names{words: newKeywords(words)}
	h := sha256.New()
	for _, word := range words {
		n.places = append(n.places, found[word])
		_, _ = h.Write([]byte(word + "\x00" + string(rune('0'+found[word]))))
	}
	n.sum = hex.EncodeToString(h.Sum(nil)[:8])
	return n
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

func (n *Names) find(s string) []finding {
	if n == nil {
		return nil
	}
	f := fold(s)
	var found []finding
	n.words.walk(f.text, func(word, start int) {
		if end := start + n.words.lengths[word]; f.isWhole(n.places[word], start, end) {
			found = append(found, finding{rule: ProjectRule, start: f.source(start), end: f.source(end)})
		}
	})
	for i, one := range found { // half an escape before the mark would be no JSON
		for strings.HasPrefix(s[found[i].start:], "//") { // those of file:// stay
			found[i].start++
		}
		if back := backslashes(s, one.start); back > 0 && strings.IndexByte(`"\/bfnrtu`, s[one.start]) >= 0 {
			found[i].start -= back
		}
	}
	if len(found) == 0 {
		return nil
	}
	marks := marksIn(s)
	return slices.DeleteFunc(merge(found), func(f finding) bool {
		return slices.ContainsFunc(marks, func(m span) bool { return m.start <= f.start && f.end <= m.end })
	})
}

// place is where a project is: the path of its URI, without the host and the drive; "" if it has none.
func place(uri string) string {
	if scheme, rest, ok := strings.Cut(uri, "://"); ok && !strings.ContainsAny(scheme, `/\`) {
		_, path, _ := strings.Cut(rest, "/")
		uri = "/" + path
	}
	path := strings.TrimRight(fold(uri).text, "/")
	if drive := strings.TrimPrefix(path, "/"); len(drive) >= 2 && isLetter(drive[0]) && drive[1] == ':' {
		path = drive[2:]
	}
	return path
}

// names are what a project is called, folded.
func (p Project) names() (all []string) {
	for _, at := range []string{place(p.URI), place(p.Path), fold(p.Name).text} {
		name := at[strings.LastIndexByte(at, '/')+1:]
		for _, name := range []string{name, strings.TrimSuffix(name, "-code-workspace"), strings.TrimSuffix(name, "-git")} { // folded, a dot is a hyphen
			if name != "" && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// patterns adds what a project is known by.
func (p Project) patterns(known map[string]bool, to map[string]bounds) {
	add := func(text string, b bounds) {
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			word := form.String(text)
			to[word] = max(to[word], b)
		}
	}
	for _, name := range p.names() {
		if !known[name] && letters(name) >= fewLetters {
			add(name, asWord)
		}
	}
	for _, path := range append([]string{place(p.URI), place(p.Path)}, containerPlaces(p.URI)...) {
		folders := strings.Split(strings.TrimPrefix(path, "/"), "/")
		last := folders[len(folders)-1]
		switch {
		case path == "" || last == "":
			continue
		case len(folders) == 1:
			add(path, asFolder)
			continue
		}
		add(path, asPath)
		if slug := strings.Join(folders, "-"); letters(slug) >= fewLetters { // as Cursor names folders of its own
			add(slug, asWord)
		}
		if !known[last] && letters(last) >= fewLetters {
			add(last, asWord) // a container's
			continue
		}
		add(folders[len(folders)-2]+"/"+last, asFolder)
		if len(folders) == 3 && (folders[0] == "home" || folders[0] == "users") || len(folders) == 2 && folders[0] == "root" {
			for _, home := range []string{"~", "$home", "${home}", "%userprofile%", "$env:userprofile"} {
				add(home+"/"+last, asFolder)
			}
		}
	}
	if container := containerOf(p.URI); container != "" {
		add(fold(container).text, asWord)
	}
}

// containerOf is the host of a URI of a development container, which has the folder on the machine in hexadecimal digits.
func containerOf(uri string) string {
	_, rest, _ := strings.Cut(uri, "://")
	host, _, _ := strings.Cut(rest, "/")
	if kind, digits, ok := strings.Cut(strings.ReplaceAll(strings.ReplaceAll(host, "%2B", "+"), "%2b", "+"), "+"); ok && kind == "dev-container" && len(digits) >= 8 {
		return digits
	}
	return ""
}

// containerPlaces are the folders on the machine that a container's host names.
func containerPlaces(uri string) (places []string) {
	text, err := hex.DecodeString(containerOf(uri))
	if err != nil {
		return nil
	}
	for part := range strings.SplitSeq(string(text), `"`) { // a path, or JSON with some
		if strings.ContainsAny(part, `/\`) {
			places = append(places, place(part))
		}
	}
	return places
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

// isWhole says whether what stands around a word lets it be a name.
func (f folding) isWhole(b bounds, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(f.text[:start])
	first, _ := utf8.DecodeRuneInString(f.text[start:])
	last, _ := utf8.DecodeLastRuneInString(f.text[:end])
	behind, _ := utf8.DecodeRuneInString(f.text[end:])
	from, to := f.source(start), f.source(end)
	begins := b == asPath || start == 0 || !goesOn(before, first, b) || escapeEnds(f.from, from) || colourEnds(f.from, from)
	ends := end == len(f.text) || !goesOn(last, behind, b)
	switch {
	case b != asFolder || !begins || start == 0:
	case before == '-':
		begins = strings.IndexByte("-_.", f.from[from-1]) < 0
	case first == '/':
		begins = !isWordRune(before)
	}
	if b != asWord && ends && end < len(f.text) && behind == '-' {
		ends = strings.IndexByte("-_", f.from[to]) < 0
	}
	return begins && ends
}

// goesOn says whether two characters are of one word.
func goesOn(a, b rune, as bounds) bool {
	return isWordRune(a) && isWordRune(b) && (as != asWord || unicode.IsNumber(a) == unicode.IsNumber(b))
}

func isWordRune(c rune) bool { return unicode.In(c, unicode.Letter, unicode.Mark, unicode.Number) }

// colourEnds says whether the colour of a terminal ends before a place: ESC[31m.
func colourEnds(s string, i int) bool {
	if i < 3 || s[i-1] != 'm' {
		return false
	}
	n := i - 1
	for n > 0 && (isDigit(s[n-1]) || s[n-1] == ';') {
		n--
	}
	return n > 0 && n < i-1 && s[n-1] == '['
}
