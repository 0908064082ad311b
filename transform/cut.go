package transform

import "bytes"

// This file cuts a document that the library has checked into its values. It need not look at what lies inside of a value, only for its end,
// which costs a fraction of reading it again.

// cutter goes through the members of an object or the elements of an array.
type cutter struct {
	text []byte
	at   int
}

// cut begins behind the opening bracket of v.
func cut(v value) cutter { return cutter{text: v, at: 1} }

// next moves to the next member or element; false at the closing bracket.
func (c *cutter) next() bool {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ' ', '\t', '\r', '\n', ',':
			c.at++
		case ']', '}':
			return false
		default:
			return true
		}
	}
	return false
}

// member is the next member of an object; its name is as it stands in the text.
func (c *cutter) member() (name []byte, v value, ok bool) {
	if !c.next() {
		return nil, nil, false
	}
	from := c.at + 1
	c.at = endOfString(c.text, from)
	name = c.text[from : c.at-1]
	for c.at < len(c.text) && c.text[c.at] != ':' {
		c.at++
	}
	c.at++
	if v, ok = c.element(); !ok {
		return nil, nil, false
	}
	return name, v, true
}

// element is the next element of an array, or the value of a member.
func (c *cutter) element() (value, bool) {
	if !c.next() {
		return nil, false
	}
	from := c.at
	c.at = endOfValue(c.text, from)
	return value(c.text[from:c.at]), true
}

// endOfValue is where the value ends that begins at i.
func endOfValue(text []byte, i int) int {
	switch text[i] {
	case '"':
		return endOfString(text, i+1)
	case '{', '[':
		return endOfBrackets(text, i)
	}
	for i < len(text) {
		switch text[i] {
		case ',', '}', ']', ' ', '\t', '\r', '\n':
			return i
		}
		i++
	}
	return i
}

func endOfBrackets(text []byte, i int) int {
	for depth := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = endOfString(text, i+1)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return i
}

// endOfString is where the string ends, quote and all, whose text begins at i.
func endOfString(text []byte, i int) int {
	for from := i; ; i++ {
		quote := bytes.IndexByte(text[i:], '"')
		if quote < 0 { // a checked document has one
			return len(text)
		}
		i += quote
		escapes := i
		for escapes > from && text[escapes-1] == '\\' {
			escapes--
		}
		if (i-escapes)%2 == 0 {
			return i + 1
		}
	}
}
