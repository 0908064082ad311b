// Package tokens counts the tokens of a text, about as OpenAI's models of the encoding o200k_base count them.
//
// Other vendors' models have other vocabularies: of their texts a count is an estimate. The vocabulary is part of the
// program: nothing is fetched. The package must never know which text it counts, nor what a token costs.
package tokens

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// Encoding is the name of the vocabulary, as OpenAI calls it.
const Encoding = "o200k_base"

// The library's time grows with the square of a word's length, and what it takes as a word may be a line of spaces or a
// picture in base64. So a text is counted in pieces, and a word in parts: a token more or less for each.
const (
	maxPiece = 16 << 10
	maxWord  = 1 << 10
)

// vocabulary is made when the first text is counted.
var vocabulary = sync.OnceValue(func() *codec.Codec {
	c := codec.NewO200kBase()
	c.SetErrorMode(codec.ErrorModeReplace)
	return c
})

// Count is how many tokens a text has. Names of special tokens in it, such as <|endoftext|>, are text like any other,
// and a byte that is no UTF-8 counts as U+FFFD. Several goroutines may call it.
func Count(text string) (sum int, err error) {
	for len(text) > 0 {
		end := pieceEnd(text)
		n, err := vocabulary().Count(text[:end])
		if err != nil {
			return 0, err
		}
		sum, text = sum+n, text[end:]
	}
	return sum, nil
}

// pieceEnd is where the first piece of a text ends: at its end, else before the last line or word that begins in the
// piece, else within a long word.
func pieceEnd(text string) int {
	if len(text) > maxPiece {
		text = text[:maxPiece]
		if last := strings.LastIndexAny(text, "\n "); last > 0 {
			text = text[:last]
		}
	}
	begin, space := 0, false
	for i := range len(text) {
		if is := text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t'; is != space {
			begin, space = i, is
		}
		if i-begin == maxWord {
			return runeStart(text, i)
		}
	}
	return len(text)
}

// runeStart is the start of the character that has the i-th byte, or i where the bytes before it are no characters.
func runeStart(text string, i int) int {
	for back := i; back > i-utf8.UTFMax; back-- {
		if utf8.RuneStart(text[back]) {
			return back
		}
	}
	return i
}
