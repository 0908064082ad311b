package search

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPattern: a word is found however it is written, and no other is.
func TestPattern(t *testing.T) {
	t.Parallel()
	for word, texts := range map[string]struct{ with, without []string }{
		"grosse": {[]string{"die Größe", "GROSSE", "GRÖẞE", "gro\u0308sse"}, []string{"die Grose", "gros se"}},
		"resume": {[]string{"résumé", "RÉSUMÉ", "re\u0301sume\u0301", "presumed"}, []string{"resum", "re sume"}},
		"file":   {[]string{"ﬁle", "FILE", "ｆｉｌｅ"}, []string{"fle"}},
		"a1":     {[]string{"å1", "A１"}, []string{"a.1"}},
		"s":      {[]string{"ś"}, []string{"ß", "x"}},
	} {
		r, err := regexp.Compile(pattern(word))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts.with {
			if !r.MatchString(text) {
				t.Errorf("%s is not found in %q", word, text)
			}
		}
		for _, text := range texts.without {
			if r.MatchString(text) {
				t.Errorf("%s is found in %q", word, text)
			}
		}
	}
}

// TestOfTools: of the fields that are searched, those of tools come last.
func TestOfTools(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{"": 2, "text": 0, "params": 1, "title result": 1} {
		o := Options{In: strings.Fields(in)}
		all := o.searched(Fields())
		if got := o.ofTools(); got != want || !slices.Equal(all[len(all)-got:], slices.DeleteFunc(slices.Clone(all),
			func(name string) bool { return name != "params" && name != "result" })) {
			t.Errorf("in %q: %d of %q", in, got, all)
		}
	}
}
