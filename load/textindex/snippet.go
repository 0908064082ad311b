package textindex

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Snippet is the part of a text that has the most different phrases of a query.
type Snippet struct {
	Text          string   `json:"text"`
	Hits          [][2]int `json:"hits"` // bytes of Text: from, to
	Different     int      `json:"-"`    // how many different phrases are in it
	Before, After bool     `json:"-"`    // the text has more before or after the snippet
}

// A Piece is a part of a snippet, found or between what was found.
type Piece struct {
	Text  string
	Found bool
}

// Pieces returns the parts of the snippet in their order, with … where the text has more.
func (s Snippet) Pieces() (out []Piece) {
	add := func(text string, found bool) {
		if text != "" {
			out = append(out, Piece{text, found})
		}
	}
	if s.Before {
		add("… ", false)
	}
	at := 0
	for _, hit := range s.Hits {
		add(s.Text[at:hit[0]], false)
		add(s.Text[hit[0]:hit[1]], true)
		at = hit[1]
	}
	if add(s.Text[at:], false); s.After {
		add(" …", false)
	}
	return out
}

// around is how many bytes of a text are shown before the first hit.
const around = 48

// Snippet returns a part of a text, of about size bytes at most, with the most different phrases. ok is false if the
// text has none.
func (q Query) Snippet(text string, size int) (s Snippet, ok bool) {
	hits := q.hits(text)
	if len(hits) == 0 {
		return s, false
	}
	best, most := 0, 0
	for i, j := 0, 0; i < len(hits); i++ {
		for j = max(j, i); j < len(hits) && hits[j].end <= hits[i].start+size-around; j++ {
		}
		different := map[int]bool{}
		for _, h := range hits[i:j] {
			different[h.phrase] = true
		}
		if len(different) > most {
			best, most = i, len(different)
		}
		if most == q.phrases() {
			break
		}
	}
	from := cutBefore(text, hits[best].start)
	to := cutAfter(text, min(from+size, len(text)), hits[best].end)
	s = Snippet{Text: text[from:to], Different: most, Before: from > 0, After: to < len(text)}
	for _, h := range hits[best:] {
		if h.end > to {
			break
		}
		s.Hits = append(s.Hits, [2]int{h.start - from, h.end - from})
	}
	return s, true
}

func (q Query) phrases() (n int) {
	for _, g := range q.Groups {
		n += len(g)
	}
	return n
}

type hit struct{ start, end, phrase int }

// hits finds every phrase of the groups, from left to right. Hits do not overlap.
func (q Query) hits(text string) (out []hit) {
	var words []Word
	Words(text, func(w Word) bool { words = append(words, w); return true })
	for i := 0; i < len(words); {
		length := 0
		number := 0
		for _, g := range q.Groups {
			for _, p := range g {
				if len(p.Words) > length && p.at(words[i:]) {
					length = len(p.Words)
					out = append(out, hit{words[i].Start, words[i+length-1].End, number})
				}
				number++
			}
		}
		i += max(length, 1)
	}
	return longest(out)
}

// Matches reports whether texts that belong together match the query: of each group they have a phrase, and they have
// no excluded one. No phrase goes from one text into the next.
func (q Query) Matches(texts ...string) bool {
	found := make([]bool, len(q.Groups))
	for _, text := range texts {
		var words []Word
		Words(text, func(w Word) bool { words = append(words, w); return true })
		for i := range words {
			for _, p := range q.Excluded {
				if p.at(words[i:]) {
					return false
				}
			}
			for g, phrases := range q.Groups {
				found[g] = found[g] || slices.ContainsFunc(phrases, func(p Phrase) bool { return p.at(words[i:]) })
			}
		}
	}
	return !slices.Contains(found, false)
}

// longest keeps one hit of those that begin at the same place: the last, which is the longest.
func longest(hits []hit) []hit {
	out := hits[:0]
	for i, h := range hits {
		if i+1 == len(hits) || hits[i+1].start != h.start {
			out = append(out, h)
		}
	}
	return out
}

// at reports whether words begin with the phrase.
func (p Phrase) at(words []Word) bool {
	if len(words) < len(p.Words) {
		return false
	}
	for i, w := range p.Words {
		if words[i].Folded != w && !(p.Prefix && i == len(p.Words)-1 && strings.HasPrefix(words[i].Folded, w)) {
			return false
		}
	}
	return true
}

// cutBefore returns where a snippet begins, so that some text is before the hit: after a space, if there is one near.
func cutBefore(text string, hit int) int {
	from := max(hit-around, 0)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	if from == 0 {
		return 0
	}
	if space := strings.IndexAny(text[from:hit], " \n\t"); space >= 0 {
		return from + space + 1
	}
	return from
}

// cutAfter returns where a snippet ends: at a space, if there is one near, and not before least.
func cutAfter(text string, to, least int) int {
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	if to <= least || to == len(text) {
		return max(to, least)
	}
	if space := strings.LastIndexAny(text[max(to-24, least):to], " \n\t"); space >= 0 {
		return max(to-24, least) + space
	}
	return to
}
