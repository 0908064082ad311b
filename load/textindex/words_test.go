package textindex_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/load/textindex"
)

func words(text string) (out []string) {
	textindex.Words(text, func(w textindex.Word) bool {
		out = append(out, w.Folded)
		return true
	})
	return out
}

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                "",
		"The quick-brown fox":             "the quick brown fox",
		"read_file(src/main.go:42)":       "read file src main go 42",
		"Größe ÄÖÜ Straße":                "grosse aou strasse",
		"ΑΡΓΉ φόρτωση":                    "αργη φορτωση",
		"Починить ТЕСТ ёж":                "починить тест еж",
		"接続エラー: timeout":                  "接 続 エ ラ ー timeout",
		"한국어 x":                           "한 국 어 x",
		"ตั้งค่า":                         "ตั้ ง ค่ า",
		"हिन्दी पाठ":                      "हिन्दी पाठ",
		"done 🎉🎉 ok👍🏽 ❤️❤":                "done 🎉 🎉 ok 👍 ❤ ❤",
		"👩‍👩‍👧":                           "👩 👩 👧",
		"ＦＵＬＬ　ｗｉｄｔｈ":                      "full width",
		"│ a │ ⠋ b ─── █":                 "a b",
		"C++ a->b $x":                     "c a b x",
		"e\u0301te\u0301 = \u00e9t\u00e9": "ete ete",
		"a\xff\xfeb":                      "a b",
	} {
		got := strings.Join(words(text), " ")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}
