package redact

import ahocorasick "github.com/BobuSumisu/aho-corasick"

// lowerChunk is how much of a text is lowered at a time.
const lowerChunk = 32 << 10

// keywords finds words in texts, whatever their case, in one pass.
type keywords struct {
	trie    *ahocorasick.Trie
	longest int
	lengths []int
}

// newKeywords takes lower words, each once: the library forgets the first of two that are the same.
func newKeywords(words []string) keywords {
	k := keywords{trie: ahocorasick.NewTrieBuilder().AddStrings(words).Build()}
	for _, w := range words {
		k.longest = max(k.longest, len(w))
		k.lengths = append(k.lengths, len(w))
	}
	return k
}

// walk calls hit for each word in the text, in the order of their ends. The library reads bytes as they are, so the text is lowered into a buffer, piece by piece: each piece begins
// with as much of the last one as a word may have there.
func (k keywords) walk(text string, buffer []byte, hit func(word, start int)) {
	for base := 0; base < len(text); base += lowerChunk {
		begin := max(0, base-k.longest+1)
		lowered := lower(buffer[:0], text[begin:min(len(text), base+lowerChunk)])
		k.trie.Walk(lowered, func(end, length, word int64) bool {
			if at := begin + int(end); at >= base {
				hit(int(word), at-int(length)+1)
			}
			return true
		})
	}
}

func lower(to []byte, text string) []byte {
	for i := range len(text) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		to = append(to, c)
	}
	return to
}
