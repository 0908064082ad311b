package textindex

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNoWords is a query that names nothing to look for.
var ErrNoWords = errors.New("there is no word to look for")

// A Query is what to look for. Texts match it that hold a phrase of every group, and none of those that are excluded.
type Query struct {
	Groups   [][]Phrase // of each group one is enough
	Excluded []Phrase
}

// A Phrase is words in a row. Prefix: the last one may go on.
type Phrase struct {
	Words  []string // folded, see Words
	Prefix bool
}

// Parse reads a query as people type it: words, of which all must be there; "words in a row"; word* for every word that begins so; -word for what
// must not be there; OR between two of which one is enough. What a term holds beside words (a.b, snake_case) makes it words in a row.
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

type term struct {
	text             string
	quoted, excluded bool
}

// terms cuts a query at spaces outside of quotes. A quote that is not closed ends with the query.
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
	p.Prefix = strings.HasPrefix(t.text[end:], "*")
	return p
}

// expression is the query in the words of the index, narrowed to some fields, if any.
func (q Query) expression(fields []string) string {
	groups := make([]string, len(q.Groups))
	for i, g := range q.Groups {
		groups[i] = "(" + anyOf(g) + ")"
	}
	out := strings.Join(groups, " AND ")
	if len(q.Excluded) > 0 {
		out = "(" + out + ") NOT (" + anyOf(q.Excluded) + ")"
	}
	if len(fields) == 0 {
		return out
	}
	return "{" + strings.Join(fields, " ") + "} : (" + out + ")"
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
