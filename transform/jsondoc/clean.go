package jsondoc

import "pipeline/sql/schema"

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
	switch r := hex4(v[2:]); {
	case r == 0:
		return `\u2400`, 6
	case r >= 0xD800 && r < 0xDC00:
		if len(v) >= 12 && v[6] == '\\' && v[7] == 'u' {
			if low := hex4(v[8:]); low >= 0xDC00 && low < 0xE000 {
				return "", 12
			}
		}
		return `\ufffd`, 6
	case r >= 0xDC00 && r < 0xE000:
		return `\ufffd`, 6
	}
	return "", 6
}
