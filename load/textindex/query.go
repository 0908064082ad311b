package textindex

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrNoWords says that a query has no words to find.
var ErrNoWords = errors.New("there is no word to look for")

// A Query says which texts match: those that have a phrase of every group, and no excluded phrase.
type Query struct {
	Groups   [][]Phrase // of each group one is enough
	Excluded []Phrase
}

// A Phrase is a sequence of words. If Prefix is true, the last word is a prefix.
type Phrase struct {
	Words  []string // folded, see Words
	Prefix bool
	quoted bool // it is meant as it is written
}

// Parse parses a query as people type it: words that must all be in a text; "words in a row"; word* for every word with
// that prefix; -word for a word that must not be in a text; OR between two words of which one is enough. If a term has
// other characters between words (a.b, snake_case), its words must follow each other.
func Parse(text string) (Query, error) {
	var q Query
	either := false
	for _, term := range terms(text) {
		if term.text == "OR" && !term.quoted && !term.excluded {
			either = len(q.Groups) > 0
			continue
		}
		p := phraseOf(term)
		switch {
		case len(p.Words) == 0:
			continue
		case term.excluded:
			q.Excluded = append(q.Excluded, p)
		case either:
			last := len(q.Groups) - 1
			q.Groups[last] = append(q.Groups[last], p)
		default:
			q.Groups = append(q.Groups, []Phrase{p})
		}
		either = false
	}
	if len(q.Groups) == 0 {
		if len(q.Excluded) > 0 {
			return q, fmt.Errorf("%w beside those that must not be there", ErrNoWords)
		}
		return q, fmt.Errorf("%w in %q: letters, digits and symbols such as emoji count", ErrNoWords, text)
	}
	return q, nil
}

// Unstarred returns the first word of a query, as it was typed, that a star may be added to: it has none, and is
// neither quoted nor excluded. It is "" if there is no such word.
func Unstarred(text string) string {
	for _, term := range terms(text) {
		if p := phraseOf(term); len(p.Words) > 0 && !p.Prefix && !term.quoted && !term.excluded && term.text != "OR" {
			return term.text
		}
	}
	return ""
}

type term struct {
	text             string
	quoted, excluded bool
}

// terms splits a query at spaces outside quotes. A quote that is not closed ends with the query.
func terms(text string) (out []term) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		var t term
		if len(text) > 1 && text[0] == '-' && !strings.ContainsAny(text[1:2], " -") {
			t.excluded, text = true, text[1:]
		}
		if text[0] == '"' {
			t.quoted = true
			t.text, text, _ = strings.Cut(text[1:], `"`)
			if strings.HasPrefix(text, "*") {
				t.text, text = t.text+"*", text[1:]
			}
		} else if end := strings.IndexAny(text, " \t\r\n\""); end > 0 {
			t.text, text = text[:end], text[end:]
		} else {
			t.text, text = text, ""
		}
		out = append(out, t)
	}
	return out
}

func phraseOf(t term) (p Phrase) {
	end := 0
	Words(t.text, func(w Word) bool {
		p.Words = append(p.Words, w.Folded)
		end = w.End
		return true
	})
	p.Prefix, p.quoted = strings.HasPrefix(t.text[end:], "*"), t.quoted
	return p
}

// leastBeginning is the smallest number of characters of a word that may be the beginning of others, if no star says
// so.
const leastBeginning = 3

// Loose is the query with its words as the beginnings of words, without their ends: who types "rate limits" means "rate
// limiting", too. What is quoted, joined or short stays as it is. ok is false if all of it is.
func (q Query) Loose() (_ Query, ok bool) {
	out := Query{Excluded: q.Excluded}
	for _, group := range q.Groups {
		var loose []Phrase
		for _, p := range group {
			if p.quoted || p.Prefix || len(p.Words) != 1 || utf8.RuneCountInString(p.Words[0]) < leastBeginning {
				loose = append(loose, p)
				continue
			}
			for _, word := range beginnings(p.Words[0]) {
				loose, ok = append(loose, Phrase{Words: []string{word}, Prefix: true}), true
			}
		}
		out.Groups = append(out.Groups, loose)
	}
	return out, ok
}

// closeWords is how many other words may be between the words of a query, at most, for them to be close together.
const closeWords = 10

// close returns the query for texts in which its words are close together, in one field, in the syntax of FTS5. It is
// "" for a query of one word, and for one with so many alternatives that to try each would take long.
func (q Query) close(fields []string) string {
	if len(q.Groups) < 2 {
		return ""
	}
	either := []string{""}
	for _, g := range q.Groups {
		if len(either)*len(g) > closeChoices {
			return ""
		}
		var longer []string
		for _, before := range either {
			for _, p := range g {
				longer = append(longer, before+" "+anyOf([]Phrase{p}))
			}
		}
		either = longer
	}
	for i, words := range either {
		either[i] = fmt.Sprintf("NEAR(%s, %d)", words, closeWords)
	}
	return q.within(fields, strings.Join(either, " OR "))
}

// closeChoices is how many choices of words are looked for close together, at most.
const closeChoices = 64

// within returns an expression without the excluded phrases, restricted to some fields if any are given.
func (q Query) within(fields []string, expression string) string {
	if len(q.Excluded) > 0 {
		expression = "(" + expression + ") NOT (" + anyOf(q.Excluded) + ")"
	}
	if len(fields) == 0 {
		return expression
	}
	return "{" + strings.Join(fields, " ") + "} : (" + expression + ")"
}

// expression returns the query in the syntax of FTS5, restricted to some fields if any are given.
func (q Query) expression(fields []string) string {
	groups := make([]string, len(q.Groups))
	for i, g := range q.Groups {
		groups[i] = "(" + anyOf(g) + ")"
	}
	return q.within(fields, strings.Join(groups, " AND "))
}

func anyOf(phrases []Phrase) string {
	out := make([]string, len(phrases))
	for i, p := range phrases {
		out[i] = quoted(strings.Join(p.Words, " "))
		if p.Prefix {
			out[i] += " *"
		}
	}
	return strings.Join(out, " OR ")
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
