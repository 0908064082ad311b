package extract

import "strings"

// This file names what no reader knows. A name says nothing that a key may say of people: no id, no path, no text.

// maxPatterns is how many patterns of unknown keys are counted apart in a store; the rest is counted together, as FamilyUnknown.
const maxPatterns = 100

// maxName is how long a name may be.
const maxName = 64

// unknownFamily is the family as which a key is counted that matches no pattern.
func (s *store) unknownFamily(key string) *FamilyCount {
	pattern := patternOf(key)
	if f := s.families[familyKey(pattern, Unknown)]; f != nil {
		return f
	}
	if s.patterns == maxPatterns {
		pattern = FamilyUnknown
	} else if pattern != FamilyUnknown {
		s.patterns++
	}
	return s.count(pattern, Unknown)
}

// patternOf is the pattern of a key that no family matches, such as brandNewFamily:<uuid>. Of its parts, which colons separate, the first that is
// no id is taken for the name, if it reads like one; of the others it only says which kind of id they are, * for none.
func patternOf(key string) string {
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

// nameOf is a name in which ids are replaced by their kind; "" for what does not read like a name. Of a path only its beginning is one.
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

// IsWord tells a word of a name from what may be an id or a key: it is of letters, with a few digits at its end at most, or one within a short word.
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
	return word != "" && isLetter(word[0]) && len(s)-len(word) <= 4 && len(word) <= 40 && (within == 0 || within == 1 && len(word) <= 16)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// alphanumeric is the length of the letters and digits that s begins with.
func alphanumeric(s string) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return n
}

// idAt is the kind of the id that s begins with, and its length; 0 for none.
func idAt(s string) (kind string, n int) {
	for _, form := range []struct{ kind, like string }{{"<uuid>", "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"}, {"<date>", "0000-00-00"}} {
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

// isLike reports that s begins with a text of that form, in which x stands for a hex digit and 0 for a digit.
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
