package tokens_test

import (
	"strings"
	"sync"
	"testing"

	"pipeline/load/tokens"
)

// goCode is code as people write it.
const goCode = "func main() {\n\tfor i := 0; i < 10; i++ {\n\t\tfmt.Println(\"hi\", i)\n\t}\n}\n"

// texts and the numbers of their tokens. The numbers are those of OpenAI's tiktoken 0.14.0, with disallowed_special=();
// each byte that is no UTF-8 was U+FFFD for it. Of lines that have nothing but white space the library counts each by
// itself, where tiktoken may take several together.
var texts = []struct {
	name, text string
	want       int
	more       int // tokens that the library and the cuts between pieces add
}{
	{"nothing", "", 0, 0},
	{"words", "hello world", 2, 0},
	{"a long word", "antidisestablishmentarianism", 6, 0},
	{"signs", "2 + 2 = 4", 7, 0},
	{"tiktoken", "tiktoken is great!", 6, 0},
	{"contractions", "I'm sure they'LL've don't", 7, 0},
	{"digits", "1234567890", 4, 0},
	{"code", goCode, 29, 0},
	{"German", "Ärger über größere Übungsfälle", 8, 0},
	{"Japanese", "お誕生日おめでとう", 8, 0},
	{"Chinese", "今天天气很好，我们去公园散步吧。", 12, 0},
	{"Arabic", "مرحبا بالعالم", 4, 0},
	{"Hindi", "नमस्ते दुनिया", 5, 0},
	{"emoji", "👍🏽 👨‍👩‍👧‍👦 🎉", 16, 0},
	{"line ends", "a\r\n\r\nb\r\n", 4, 0},
	{"line ends and slashes", "x;\n/y\n//z", 6, 0},
	{"white space", "a\u00a0b\u2028c", 5, 0},
	{"spaces", strings.Repeat(" ", 100), 2, 0},
	{"zero byte", "a\x00b", 3, 0},
	{"special token", "<|endoftext|>", 7, 0},
	{"special token between letters", "a<|endofprompt|>b", 9, 0},
	{"a byte that is no UTF-8", "a\xffb", 3, 0},
	{"several", "\xff\xff\xff", 1, 0},
	{"half a character", "\xe4\xbd", 1, 0},
	{"half a character and a byte", "a\xe4\xbd\xffb", 3, 0},
	{"several line ends", "a\n    \n    b", 4, 1},
	{"several pairs of them", "a\n\n    \n\n  b\n  \n", 6, 1},
	{"spaces and line ends", strings.Repeat(" \n", 10) + "x", 6, 5},
	{"spaces at the end", strings.Repeat("\r\n  ", 4), 5, 0},
	{"many spaces and line ends", strings.Repeat(" \n", 2048), 1024, 1024},
	{"marks", "e\u0301a\u0301 \u0301x", 7, 0},
	{"letters of no case", "ªAʰBǅc", 8, 0},
	{"many lines", strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 4000), 40000, 0},
	{"one long line", strings.Repeat("The quick brown fox jumps over the lazy dog. ", 4000), 40001, 0},
	{"much code", strings.Repeat(goCode, 3000), 87000, 6},
	{"many empty lines", strings.Repeat("line one\n   \n\n   /two\n", 10000), 80000, 1},
	{"much German", strings.Repeat("Übergrößenträger ", 8000), 40001, 0},
	{"a long word of one letter", strings.Repeat("a", 1<<16), 8192, 0},
}

// TestTokensCount compares counts with those of OpenAI's own library.
func TestTokensCount(t *testing.T) {
	t.Parallel()
	if tokens.Encoding != "o200k_base" {
		t.Errorf("the encoding is %s", tokens.Encoding)
	}
	for _, test := range texts {
		if got, err := tokens.Count(test.text); got < test.want || got > test.want+test.more || err != nil {
			t.Errorf("%s: %d, %v, want %d and at most %d more", test.name, got, err, test.want, test.more)
		}
	}
}

// TestTokensConcurrent: several goroutines count at once.
func TestTokensConcurrent(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, test := range texts {
				if got, err := tokens.Count(test.text); got < test.want || got > test.want+test.more || err != nil {
					t.Errorf("%s: %d, %v, want %d and at most %d more", test.name, got, err, test.want, test.more)
				}
			}
		})
	}
	all.Wait()
}

// TestTokensPathological: a count of a long text that is one word ends, and is near the true one.
func TestTokensPathological(t *testing.T) {
	t.Parallel()
	size := 1_000_000
	if testing.Short() {
		size /= 5
	}
	for _, test := range []struct {
		name, text string
		least      int
		most       int
	}{
		{"one letter", strings.Repeat("a", size), size / 8, size/8 + 20}, // tiktoken: 8 letters a token
		{"capitals", strings.Repeat("A", size), size / 100, size},
		{"spaces", strings.Repeat(" ", size), size / 200, size / 50},
		{"line ends", strings.Repeat("\n", size), size / 200, size},
		{"line ends and slashes", strings.Repeat("\n/", size/2), size / 200, size},
		{"spaces and line ends", strings.Repeat(" \n", size/2), size / 4, size / 2}, // tiktoken: two lines a token
		{"quotes", strings.Repeat("'", size), size / 200, size},
		{"three bytes a character", strings.Repeat("語", size/3), size / 300, size},
		{"no character", strings.Repeat("\x80", size), size / 200, 3 * size},
		{"zero bytes", strings.Repeat("\x00", size), size / 200, size},
	} {
		if got, err := tokens.Count(test.text); got < test.least || got > test.most || err != nil {
			t.Errorf("%s: %d, %v, want %d to %d", test.name, got, err, test.least, test.most)
		}
	}
}

// FuzzTokensCount: no text has an error or panics, and a text never has more tokens than bytes once it is UTF-8.
func FuzzTokensCount(f *testing.F) {
	for _, test := range texts {
		if len(test.text) < 1000 {
			f.Add(test.text, 1)
		}
	}
	f.Fuzz(func(t *testing.T, text string, times int) {
		text = strings.Repeat(text, min(max(times, 0), 300_000/(len(text)+1)))
		got, err := tokens.Count(text)
		if valid := strings.ToValidUTF8(text, ""); err != nil || got < 0 || len(valid) == len(text) && got > len(text) {
			t.Errorf("%d tokens of %d bytes, %v", got, len(text), err)
		}
	})
}

// BenchmarkTokens counts text as it is in chats: code and sentences.
func BenchmarkTokens(b *testing.B) {
	text := strings.Repeat(goCode+"The quick brown fox jumps over the lazy dog, and nobody knows why it does so.\n",
		2000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := tokens.Count(text); err != nil {
			b.Fatal(err)
		}
	}
}
