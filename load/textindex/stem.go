package textindex

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
)

// stemmers cut the ends off words, in one language each. The language of a query is not known: all are asked.
var stemmers = []func(*snowballstem.Env) bool{danish.Stem, dutch.Stem, english.Stem, french.Stem, german.Stem,
	italian.Stem, portuguese.Stem, russian.Stem, spanish.Stem, swedish.Stem}

// longestEnd is the largest number of characters that is cut off a word: what is longer is rarely the end of a plural
// or of a verb, but of another word.
const longestEnd = 3

// beginnings are beginnings of a folded word which its other forms have, too: the word itself, or its stems, none of
// which begins with another.
func beginnings(word string) (out []string) {
	stems := []string{word}
	for _, stem := range stemmers {
		env := snowballstem.NewEnv(word)
		stem(env)
		if n := utf8.RuneCountInString(env.Current()); n >= leastBeginning &&
			n >= utf8.RuneCountInString(word)-longestEnd {
			stems = append(stems, env.Current())
		}
	}
	slices.Sort(stems) // the beginning of a word comes before it
	for _, s := range stems {
		if len(out) == 0 || !strings.HasPrefix(s, out[len(out)-1]) {
			out = append(out, s)
		}
	}
	return out
}
