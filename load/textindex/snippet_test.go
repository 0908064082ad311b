package textindex_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/load/textindex"
)

// bracketed is a snippet with its hits in brackets.
func bracketed(s textindex.Snippet) string {
	var b strings.Builder
	at := 0
	for _, h := range s.Hits {
		b.WriteString(s.Text[at:h[0]] + "[" + s.Text[h[0]:h[1]] + "]")
		at = h[1]
	}
	return b.String() + s.Text[at:]
}

func TestSnippet(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("filler words ", 100)
	for _, test := range []struct{ query, text, want string }{
		{"fox", "The FOX ran", "The [FOX] ran"},
		{`"quick fox" dog`, "a dog, a quick fox", "a [dog], a [quick fox]"},
		{"fo*", "fowl of the forest", "[fowl] of the [forest]"},
		{"エラー", "接続エラー: 再", "接続[エラー]: 再"},
		{"größe", "Die GRÖSSE", "Die [GRÖSSE]"},
		{"fox -dog", "fox", "[fox]"},
		{"fox OR dog", "dog fox", "[dog] [fox]"},
		{"a_b", "x a.b y", "x [a.b] y"},
		{`fox "fox hunt"`, "fox hunt", "[fox hunt]"},
		{"alone near", "alone " + long + "alone and near here " + long,
			"words filler words filler words filler words [alone] and [near] here"},
		{"none", "nothing", ""},
	} {
		q, err := textindex.Parse(test.query)
		if err != nil {
			t.Fatal(err)
		}
		s, ok := q.Snippet(test.text, 80)
		if ok != (test.want != "") {
			t.Errorf("%q in %q: %v", test.query, test.text, ok)
		}
		if diff := cmp.Diff(test.want, strings.TrimSuffix(bracketed(s), " filler")); diff != "" &&
			!strings.HasPrefix(bracketed(s), test.want) {
			t.Errorf("%q in %q: %s", test.query, test.text, diff)
		}
		if len(s.Text) > 160 {
			t.Errorf("%q: %d bytes", test.query, len(s.Text))
		}
	}
}

func TestLeaves(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		`{"path":"src/a.go","n":-12.5e3,"ok":true,"none":null,"list":["x\ny", "\u00e9\"", ""]}`: "src/a.go\n-12.5e3\n" +
			"x\ny\né\"\n",
		`"plain"`: "plain",
		`"{\"output\":\"line 1\\nline 2\",\"code\":1}"`: "line 1\nline 2\n1",
		`{"a" : {"b":"c"}}`:                             "c",
		`[]`:                                            "",
		`{"cut":"off in the mid`:                        "off in the mid",
		`"[not json"`:                                   "[not json",
	} {
		if diff := cmp.Diff(want, textindex.Leaves(document)); diff != "" {
			t.Errorf("%s: %s", document, diff)
		}
	}
}
