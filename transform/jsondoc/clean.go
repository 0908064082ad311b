package jsondoc

import (
	"unicode/utf8"

	"pipeline/sql/schema"
)

// Clean returns a value's text. It replaces escapes that the warehouse cannot hold: U+0000 by U+2400, a lone surrogate
// by U+FFFD.
func (v Value) Clean() schema.JSON {
	if !v.in.unicode {
		return schema.JSON(v.Raw())
	}
	return cleanJSON(v.Raw())
}

// cleanJSON is clean for a text.
func cleanJSON(v []byte) schema.JSON {
	var out []byte // set at the first replacement
	done := 0
	for i := 0; i+5 < len(v); i++ {
		if v[i] != '\\' {
			continue
		}
		if v[i+1] != 'u' {
			i++
			continue
		}
		with, size := cleanEscape(v[i:])
		if with != "" {
			out = append(append(out, v[done:i]...), with...)
			done = i + size
		}
		i += size - 1
	}
	if out == nil {
		return schema.JSON(v)
	}
	return schema.JSON(append(out, v[done:]...))
}

// cleanEscape looks at the \uXXXX at the start of v. It returns the replacement ("" to keep the escape) and the number
// of bytes to replace or keep.
func cleanEscape(v []byte) (with string, size int) {
	r, size := escaped(v)
	switch written := hex4(v[2:]); {
	case written == 0:
		return `\u2400`, size
	case r == utf8.RuneError && written != r:
		return `\ufffd`, size
	}
	return "", size
}
