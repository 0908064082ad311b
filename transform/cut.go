package transform

import "bytes"

// This file splits a JSON document into its values. The library has checked the document before, so it is enough to
// find where each value ends, which costs a fraction of parsing it again.

// cutter iterates over the members of an object or the elements of an array.
type cutter struct {
	text []byte
	at   int
}

// cut starts after the opening bracket of v.
func cut(v value) cutter { return cutter{text: v, at: 1} }

// next moves to the next member or element. It returns false at the closing bracket.
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

// member returns the next member of an object. Its name is not decoded.
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

// element returns the next element of an array, or the value of a member.
func (c *cutter) element() (value, bool) {
	if !c.next() {
		return nil, false
	}
	from := c.at
	c.at = endOfValue(c.text, from)
	return value(c.text[from:c.at]), true
}

// endOfValue returns the end of the value that begins at i.
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

// endOfString returns the index after a string's closing quote; its text begins at i.
func endOfString(text []byte, i int) int {
	for from := i; ; i++ {
		quote := bytes.IndexByte(text[i:], '"')
		if quote < 0 { // never: a checked document has one
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
