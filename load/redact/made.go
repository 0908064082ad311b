package redact

import (
	"slices"
	"strings"
)

// This file knows what people make passwords of.

// isChain: words and a number with the same sign between all of them.
func isChain(text string) bool {
	parts := strings.FieldsFunc(text, func(c rune) bool { return c == '.' || c == '-' || c == '_' })
	letters := func(part string) bool { return len(part) > 2 && strings.Trim(part, latin) == "" }
	return len(parts) > 2 && slices.ContainsFunc(parts, isNumber) && letters(parts[0]) && letters(parts[1])
}

// isWeak: letters and a digit, as anybody's password has, and no path.
func isWeak(text string) bool {
	m := measure(text)
	return m.digits > 0 && m.lower+m.upper > 1 && !strings.ContainsAny(text, "/:=")
}

// isMade: what a person makes a password of, if a name alone is before it: words and a number with signs between, a
// capital or letters of another alphabet among them; a word with a digit in it.
func isMade(text string) bool {
	m := measure(text)
	if len(text) < 8 || m.digits == 0 || m.lower == 0 || strings.ContainsAny(text, "/:") ||
		m.upper == 0 && strings.IndexFunc(text, func(c rune) bool { return c >= 0x80 }) < 0 {
		return false
	}
	if strings.Contains(text, ".") { // else a path of names, as in code
		return slices.ContainsFunc(strings.Split(text, "."), isNumber)
	}
	parts := strings.FieldsFunc(text, func(c rune) bool { return c < 0x80 && !isLetter(byte(c)) && !isDigit(byte(c)) })
	return isLeet(text) || len(parts) > 1 && (m.digits > 1 || !strings.Contains(text, "_") ||
		slices.ContainsFunc(parts, isNumber))
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, digits) == "" }

// isLeet: a digit between two letters, the second a small one, in a word with a capital that names no algorithm.
func isLeet(text string) bool {
	small := func(c byte) bool { return c >= 'a' && c <= 'z' }
	for i := 1; i+1 < len(text); i++ {
		if isDigit(text[i]) && isLetter(text[i-1]) && small(text[i+1]) {
			return measure(text).upper > 0
		}
	}
	return false
}
