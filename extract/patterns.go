package extract

import (
	"slices"
	"strings"
	"sync"
)

// This file gives a name to keys and fields that no code here knows. Such a name must not reveal anything personal that
// a key may hold: no id, no path, no text.

// maxPatterns is how many patterns of unknown keys are counted separately in a store. The others are counted together,
// as FamilyUnknown.
const maxPatterns = 100

// maxName is how long a name may be.
const maxName = 64

// bare is the end of the name of a key that reads like a known family and is none: it is that family's name alone, or a
// key of the other table.
const bare = " (bare)"

// isBare reports whether a key that no family of its table matches is named like a known family, or is a key of one in
// the other table.
func isBare(key, pattern string) bool {
	disk, _ := diskFamily(key)
	return pattern != FamilyUnknown && (knownNames()[pattern] || disk != nil || itemFamily(key) != nil)
}

// knownNames are the names of all families that a store may have, in whichever table.
var knownNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{FamilyHeader: true}
	for _, f := range slices.Concat(families, allowedItems) {
		names[f.name] = true
	}
	for _, prefix := range secretPrefixes {
		names[refusedName(prefix)] = true
	}
	return names
})

// PatternOf returns the pattern of a key that no family matches, such as brandNewFamily:<uuid>. It splits the key at
// its colons. The first part that is no id and reads like a name stays. Every other part becomes the kind of its id, or
// * if it is none.
func PatternOf(key string) string {
	parts := strings.SplitN(key, ":", 5)
	name := ""
	for i, part := range parts {
		id, n := idAt(part)
		switch {
		case n > 0 && n == len(part):
			parts[i] = id
		case name == "" && nameOf(part) != "":
			name = nameOf(part)
			parts[i] = name
		default:
			parts[i] = "*"
		}
	}
	if name == "" {
		return FamilyUnknown
	}
	return strings.Join(parts, ":")
}

// nameOf replaces the ids in a name by their kind. It returns "" if the text does not read like a name, and only the
// beginning of a path.
func nameOf(part string) string {
	var out strings.Builder
	words := 0
	for i := 0; i < len(part); {
		id, n := idAt(part[i:])
		run := alphanumeric(part[i:])
		switch {
		case n > 0:
			out.WriteString(id)
			i += n
		case run > 0 && IsWord(part[i:i+run]):
			out.WriteString(part[i : i+run])
			words++
			i += run
		case part[i] == '/' && words > 0:
			out.WriteString("/*")
			i = len(part)
		case part[i] == '.' || part[i] == '-' || part[i] == '_':
			out.WriteByte(part[i])
			i++
		default:
			return ""
		}
	}
	if words == 0 || out.Len() > maxName {
		return ""
	}
	return out.String()
}

// IsWord tells a word of a name from text that may be an id or a secret key. A word has letters, at most four digits at
// its end, and a short word may have one digit within.
func IsWord(s string) bool {
	word := strings.TrimRight(s, "0123456789")
	within := 0
	for _, c := range []byte(word) {
		switch {
		case c >= '0' && c <= '9':
			within++
		case !isLetter(c):
			return false
		}
	}
	return word != "" && isLetter(word[0]) && len(s)-len(word) <= 4 && len(word) <= 40 &&
		(within == 0 || within == 1 && len(word) <= 16)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// alphanumeric returns how many letters and digits s begins with.
func alphanumeric(s string) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return n
}

// idAt returns the kind and the length of the id that s begins with; 0 for none.
func idAt(s string) (kind string, n int) {
	for _, form := range []struct{ kind, like string }{{"<uuid>", "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"},
		{"<date>", "0000-00-00"}} {
		if n := len(form.like); isLike(s, form.like) && alphanumeric(s[n:]) == 0 {
			return form.kind, n
		}
	}
	digits, hex := 0, 0
	n = alphanumeric(s)
	for _, c := range []byte(s[:n]) {
		if isHex(c) {
			hex++
		}
		if c >= '0' && c <= '9' {
			digits++
		}
	}
	switch {
	case n > 0 && digits == n:
		return "<number>", n
	case n >= 8 && hex == n && digits > 0:
		return "<hex>", n
	}
	return "", 0
}

// isLike reports whether s begins with a text of a form, in which x stands for a hex digit and 0 for a digit.
func isLike(s, form string) bool {
	if len(s) < len(form) {
		return false
	}
	for i := range len(form) {
		switch c := s[i]; form[i] {
		case 'x':
			if !isHex(c) {
				return false
			}
		case '0':
			if c < '0' || c > '9' {
				return false
			}
		default:
			if c != form[i] {
				return false
			}
		}
	}
	return true
}
