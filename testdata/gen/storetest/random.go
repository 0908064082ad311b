package storetest

import (
	"encoding/hex"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
)

// rng is the only source of chance: a seed gives the same plan and the same bytes on every machine.
type rng struct{ *rand.Rand }

// newRNG is the generator of one thing (a conversation, a body), so that things can be rendered in any order.
func newRNG(seed, thing uint64) rng {
	return rng{rand.New(rand.NewPCG(seed, thing*0x9e3779b97f4a7c15+1))}
}

func (r rng) chance(p float64) bool { return r.Float64() < p }

// between is a number from a up to b, both included.
func (r rng) between(a, b int) int { return a + r.IntN(b-a+1) }

func (r rng) ms(a, b int64) int64 { return a + r.Int64N(b-a+1) }

func (r rng) pick(from []string) string { return from[r.IntN(len(from))] }

func (r rng) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func (r rng) hex(n int) string { return hex.EncodeToString(r.bytes((n + 1) / 2))[:n] }

// uuid is a random UUID of version 4.
func (r rng) uuid() string {
	h := []byte(r.hex(32))
	h[12], h[16] = '4', "89ab"[r.IntN(4)]
	return string(h[:8]) + "-" + string(h[8:12]) + "-" + string(h[12:16]) + "-" + string(h[16:20]) + "-" +
		string(h[20:])
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// token is n characters that look like base64.
func (r rng) token(n int) string {
	b := make([]byte, n)
	var bits uint64
	for i := range b {
		if i%10 == 0 {
			bits = r.Uint64()
		}
		b[i] = base64Digits[bits&63]
		bits >>= 6
	}
	return string(b)
}

// fill replaces the places of a sentence: {f} a file, {s} a symbol, {n} a number.
func (r rng) fill(sentence string) string {
	if !strings.Contains(sentence, "{") {
		return sentence
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(sentence, '{')
		if i < 0 || i+2 >= len(sentence) {
			b.WriteString(sentence)
			return b.String()
		}
		b.WriteString(sentence[:i])
		if !strings.HasPrefix(sentence[i+2:], "}") { // a brace of its own
			b.WriteByte('{')
			sentence = sentence[i+1:]
			continue
		}
		switch sentence[i+1] {
		case 'f':
			b.WriteString(r.pick(fileNames))
		case 's':
			b.WriteString(r.pick(symbols))
		default:
			b.WriteString(strconv.Itoa(r.between(2, 400)))
		}
		sentence = sentence[i+3:]
	}
}

// prose is n sentences of one language, with a list of sentences a language.
func (r rng) prose(of [][]string, n int) string {
	// Half of the chats are in English, as in most stores; the others keep to one language a message.
	sentences := of[0]
	if r.chance(0.5) {
		sentences = of[r.IntN(len(of))]
	}
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString([...]string{" ", " ", " ", "\n\n", "\n- "}[r.IntN(5)])
		}
		b.WriteString(r.fill(r.pick(sentences)))
	}
	return b.String()
}

// code is about n bytes of program text, cut at a line.
func (r rng) code(n int) string {
	var b strings.Builder
	b.Grow(n + 80)
	for b.Len() < n {
		b.WriteString(r.pick(codeLines()))
		b.WriteByte('\n')
	}
	return b.String()
}

// codeLines are the lines that every piece of code is put together from. Every command has this package, and few want
// the lines.
var codeLines = sync.OnceValue(makeCodeLines)

func makeCodeLines() []string {
	r := newRNG(20241001, 7)
	lines := make([]string, 3000)
	for i := range lines {
		lines[i] = r.fill(r.pick(codeForms))
	}
	return lines
}
