package redact

// keywords finds words in texts, whatever their case, in one pass: a machine whose states are the beginnings of words,
// with the next state for each byte (Aho and Corasick).
type keywords struct {
	lengths []int
	class   [256]uint8 // bytes that no word has are one class
	classes int
	next    []uint32 // by state and class; with ends where a word ends
	word    []int32  // of each state, the longest word that ends there; -1 if there is none
	shorter []uint32 // of each state, where the next shorter word is that ends there
}

// ends is a part of the number of a state where words end.
const ends = 1 << 31

// newKeywords takes lower words, each once.
func newKeywords(words []string) keywords {
	k := keywords{classes: 1}
	for _, w := range words {
		k.lengths = append(k.lengths, len(w))
		for i := range len(w) {
			if k.class[w[i]] == 0 {
				k.class[w[i]] = uint8(k.classes)
				k.classes++
			}
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		k.class[c] = k.class[c|0x20]
	}
	k.state()
	for n, w := range words {
		at := uint32(0)
		for i := range len(w) {
			to := &k.next[int(at)*k.classes+int(k.class[w[i]])]
			if at = *to; at == 0 {
				at = uint32(len(k.word))
				*to = at
				k.state()
			}
		}
		k.word[at] = int32(n)
	}
	k.link()
	return k
}

// state adds a state that leads nowhere.
func (k *keywords) state() {
	k.next = append(k.next, make([]uint32, k.classes)...)
	k.word, k.shorter = append(k.word, -1), append(k.shorter, 0)
}

// link says for each state where to go on if the text is not what the word has: to the longest beginning of a word that
// ends there.
func (k *keywords) link() {
	fail, queue := make([]uint32, len(k.word)), []uint32{0}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for c := range k.classes {
			to := &k.next[int(at)*k.classes+c]
			other := uint32(0)
			if at != 0 {
				other = k.next[int(fail[at])*k.classes+c] &^ ends
			}
			if *to == 0 {
				*to = other
			} else {
				fail[*to] = other
				queue = append(queue, *to)
				if k.shorter[*to] = other; k.word[other] < 0 {
					k.shorter[*to] = k.shorter[other]
				}
			}
		}
	}
	for i, to := range k.next {
		if k.word[to] >= 0 || k.shorter[to] != 0 {
			k.next[i] |= ends
		}
	}
}

// walk calls hit for each word in the text, in the order of their ends.
func (k *keywords) walk(text string, hit func(word, start int)) {
	at := uint32(0)
	for i := range len(text) {
		if at = k.next[int(at&^ends)*k.classes+int(k.class[text[i]])]; at&ends != 0 {
			for state := at &^ ends; state != 0; state = k.shorter[state] {
				if word := int(k.word[state]); word >= 0 {
					hit(word, i+1-k.lengths[word])
				}
			}
		}
	}
}

// lower has small letters for the capitals of ASCII.
func lower(text string) string {
	out := []byte(text)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}
