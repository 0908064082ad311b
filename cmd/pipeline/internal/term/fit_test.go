package term

import (
	"bytes"
	"testing"
)

// TestFit: lines are broken between words, what goes on stands below the text, and words stay whole.
func TestFit(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		"short\n":                       "short\n",
		"one two three four five six\n": "one two three four \nfive six\n",
		"  use  of two three four\n":    "  use  of two three \n       four\n",
		"  git  /a/path/that/is/wider/than/a/line and more\n": "  git  /a/path/that/is/wider/than/a/line \n       " +
			"and more\n",
		"one two three four five\nand\n": "one two three four \nfive\nand\n",
		"日本 日本 日本 日本 日本\n":               "日本 日本 日本 日本 \n日本\n",
	} {
		if got := fit(in, 20); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	var plain bytes.Buffer
	if w := Fitted(&plain); w != &plain {
		t.Errorf("what is no terminal is fitted: %v", w)
	}
}
