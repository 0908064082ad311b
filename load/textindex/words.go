package textindex

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// A Word is a part of a text that a search can find.
type Word struct {
	Start, End int    // bytes of the text
	Folded     string // without case and accents: equal words are the same word
}

// longestWord is how many bytes of a word count. What is longer is data rather than a word, and the index would store
// each in full.
const longestWord = 96

// variants are characters that select another look of the character before them.
const variants = "\ufe0e\ufe0f"

// isAlone reports whether a character is a word of its own. It is one if its script puts no spaces between words, or if
// it is a symbol such as an emoji. In such scripts, a longer word is found as a sequence of characters. Characters with
// which programs draw frames and bars are not words.
func isAlone(r rune) bool {
	switch {
	case r < 0xe00, r >= 0x2400 && r < 0x2440, r >= 0x2500 && r < 0x25a0, r >= 0x2800 && r < 0x2900,
		r == unicode.ReplacementChar:
		return false
	}
	return unicode.In(r, unicode.So, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// Words splits a text into words, and calls yield for each until yield returns false. A word is a run of letters and
// digits of any script. In scripts without spaces, and among symbols such as emoji, each character is a word. All other
// characters separate words.
func Words(text string, yield func(Word) bool) {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if !isASCIIWord(c) {
				i++
				continue
			}
		} else if r, size := utf8.DecodeRuneInString(text[i:]); isAlone(r) {
			end := i + size
			end += marks(text[end:])
			if !yield(Word{i, end, norm.NFKC.String(strings.TrimRight(text[i:end], variants))}) {
				return
			}
			i = end
			continue
		} else if !isWord(r) {
			i += size
			continue
		}
		end, plain := wordEnd(text, i)
		if !yield(Word{i, end, fold(text[i:end], plain)}) {
			return
		}
		i = end
	}
}

func isASCIIWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsNumber(r) }

// marks returns how many bytes of marks a text begins with. They belong to the character before them.
func marks(text string) (n int) {
	for i, r := range text {
		if !unicode.IsMark(r) {
			return i
		}
	}
	return len(text)
}

// wordEnd returns where the word that begins at i ends. plain reports whether it is ASCII.
func wordEnd(text string, i int) (end int, plain bool) {
	plain = true
	for end = i; end < len(text); {
		c := text[end]
		if c < utf8.RuneSelf {
			if !isASCIIWord(c) {
				break
			}
			end++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[end:])
		if isAlone(r) || !isWord(r) && !unicode.IsMark(r) {
			break
		}
		plain = false
		end += size
	}
	return end, plain
}

// fold removes case and accents from a word.
func fold(word string, plain bool) string {
	if plain {
		word = strings.ToLower(word)
	} else {
		word = strings.Map(func(r rune) rune {
			if r >= 0x300 && r < 0x370 { // the accents of Latin, Greek and Cyrillic; marks of other scripts are vowels
				return -1
			}
			return r
		}, cases.Fold().String(norm.NFKD.String(word)))
	}
	if len(word) > longestWord {
		word = strings.ToValidUTF8(word[:longestWord], "")
	}
	return word
}

// spaced returns a text as the index stores it: its words, with a space between two.
func spaced(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	Words(text, func(w Word) bool {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Folded)
		return true
	})
	return b.String()
}
