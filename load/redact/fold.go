package redact

import (
	"cmp"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// This file writes texts so that all ways to write a name are one.

// folding is a text in which all ways to write a name are one: in lower letters, with slashes between folders and hyphens between words, without escapes of JSON and of addresses.
type folding struct {
	text  string
	from  string
	jumps []jump
}

// jump is where a byte of a folding does not come from the byte behind that of the one before.
type jump struct{ at, source int }

// fold takes linear time and, beside the text, memory for what is escaped in it.
func fold(s string) folding {
	var out strings.Builder
	out.Grow(len(s))
	f, next, slash := folding{from: s}, 0, false
	for i := 0; i < len(s); {
		c, size := unescaped(s[i:])
		c = foldRune(c)
		if c != '/' || !slash {
			if i != next {
				f.jumps = append(f.jumps, jump{out.Len(), i})
			}
			n, _ := out.WriteRune(c)
			next = i + n
		}
		slash = c == '/'
		i += size
	}
	if next != len(s) {
		f.jumps = append(f.jumps, jump{out.Len(), len(s)})
	}
	f.text = out.String()
	return f
}

func foldRune(c rune) rune {
	switch c {
	case '\\':
		return '/'
	case '_', ' ', '.':
		return '-'
	}
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	if c < utf8.RuneSelf {
		return c
	}
	return unicode.ToLower(c)
}

// unescaped is the first character of a text, and how long it is written: in JSON, in JSON of JSON, in an address.
func unescaped(s string) (rune, int) {
	switch {
	case s[0] == '\\':
		return unslashed(s)
	case s[0] == '%':
		if c, size := percent(s); size > 0 {
			return c, size
		}
	case s[0] >= utf8.RuneSelf:
		return utf8.DecodeRuneInString(s)
	}
	return rune(s[0]), 1
}

// unslashed reads some backslashes and what they escape: \u and four digits, a quote; else they are a separator of folders, and what is behind them stands for itself.
func unslashed(s string) (rune, int) {
	n := 1
	for n < len(s) && s[n] == '\\' {
		n++
	}
	if n < len(s) && (s[n] == '"' || s[n] == '\'') {
		return rune(s[n]), n + 1
	}
	length, c := escapeLength(s[n-1:])
	if length < 6 {
		return '\\', n
	}
	end := n + 5
	if utf16.IsSurrogate(c) {
		rest := strings.TrimLeft(s[end:], `\`)
		if n := len(s) - len(rest); n > end {
			if length, low := escapeLength(s[n-1:]); length == 6 && utf16.DecodeRune(c, low) != utf8.RuneError {
				return utf16.DecodeRune(c, low), n + 5
			}
		}
	}
	return c, end
}

// percent reads %XX, of a character as many as it has, also where the percent sign is escaped itself; 0 if there is none.
func percent(s string) (c rune, size int) {
	var read [utf8.UTFMax]byte
	for n := range read {
		if size >= len(s) || s[size] != '%' {
			return 0, 0
		}
		at := size + 1
		for len(s) >= at+4 && s[at:at+2] == "25" && isHex(s[at+2]) && isHex(s[at+3]) {
			at += 2
		}
		if len(s) < at+2 || !isHex(s[at]) || !isHex(s[at+1]) {
			return 0, 0
		}
		b, _ := hex.DecodeString(s[at : at+2])
		read[n], size = b[0], at+2
		if utf8.FullRune(read[:n+1]) {
			c, _ = utf8.DecodeRune(read[:n+1])
			return c, size
		}
	}
	return 0, 0
}

// source is where a byte of the folding, or its end, is in the text.
func (f folding) source(at int) int {
	n, exact := slices.BinarySearchFunc(f.jumps, at, func(j jump, at int) int { return cmp.Compare(j.at, at) })
	switch {
	case exact:
		return f.jumps[n].source
	case n == 0:
		return at
	}
	return f.jumps[n-1].source + at - f.jumps[n-1].at
}
