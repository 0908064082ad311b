package pipelines_test

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// slugsOf are the names that the folder of a project may have, the likeliest first; none for the root. A name cannot
// be turned back into a path. Windows without a folder have others: empty-window, or a time in milliseconds.
func slugsOf(path string) (all []string) {
	trimmed := strings.TrimLeft(path, `/\`)
	spellings := []string{path}
	if len(trimmed) >= 2 && trimmed[1] == ':' && isASCIILetter(trimmed[0]) { // a drive: seen in both cases
		spellings = []string{trimmed, string(trimmed[0]^0x20) + trimmed[1:]}
	}
	for _, separates := range []func(rune) bool{notPlain, isSeparator} {
		for _, s := range spellings {
			if name := strings.Join(strings.FieldsFunc(s, separates), "-"); name != "" && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	for _, name := range all {
		if letters := []rune(name); len(letters) > maxSlug { // a later version cuts it
			sum := sha256.Sum256([]byte(path))
			if name = string(letters[:maxSlug]) + "-" + hex.EncodeToString(sum[:])[:7]; !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// maxSlug is how much of a long name stays before the digits of a hash.
const maxSlug = 84

// notPlain reports whether a character is neither a letter nor a digit of ASCII. One hyphen stands for all in a row.
func notPlain(c rune) bool {
	return c >= utf8.RuneSelf || !isASCIILetter(byte(c)) && (c < '0' || c > '9')
}

// isSeparator reports whether a character is one of those that a hyphen replaces in the view of other readers.
func isSeparator(c rune) bool { return strings.ContainsRune(`/\.:`, c) }

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// TestSlugsOf: names of a project's folder, the likeliest first.
func TestSlugsOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][]string{
		"/home/ann/w":             {"home-ann-w"},
		"/home/ann/.config/a--b/": {"home-ann-config-a-b", "home-ann-config-a--b"},
		"/Users/ann/my_app v2.0":  {"Users-ann-my-app-v2-0", "Users-ann-my_app v2-0"},
		"/home/zoë/日本/x":          {"home-zo-x", "home-zoë-日本-x"},
		`C:\Users\Ann\w`:          {"C-Users-Ann-w", "c-Users-Ann-w"},
		"d:/1/Backend":            {"d-1-Backend", "D-1-Backend"},
		"/c:/w":                   {"c-w", "C-w"},
		`\\server\share`:          {"server-share"},
		"/a:b":                    {"a-b", "A-b"},
		"/1:b":                    {"1-b"},
		"/":                       nil,
		"":                        nil,
		"/_":                      {"_"},
		"/" + strings.Repeat("folder/", 12) +
			"12_45": {strings.Repeat("folder-", 12) + "12-45", strings.Repeat("folder-", 12) + "12_45",
			strings.Repeat("folder-", 12) + "-8959ce5"},
	} {
		if got := slugsOf(path); !slices.Equal(got, want) {
			t.Errorf("%q may be %q, want %q", path, got, want)
		}
	}
}
