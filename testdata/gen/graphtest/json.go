package graphtest

import (
	"bytes"
	"encoding/json"
	"strings"
)

// This file writes JSON, as other generators do by it.

// Quoted is a text as JSON, without escapes for HTML.
func Quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

// Optional is a text as JSON, "" for the empty one.
func Optional(s string) string {
	if s == "" {
		return ""
	}
	return Quoted(s)
}

// OptionalFlag is true, or "" for what is not so.
func OptionalFlag(v bool) string {
	if v {
		return "true"
	}
	return ""
}

// Object is a JSON object of names and values. Members without a value are left out.
func Object(members ...string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := 0; i < len(members); i += 2 {
		if members[i+1] == "" {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(Quoted(members[i]) + ":" + members[i+1])
	}
	b.WriteByte('}')
	return b.String()
}

// Canonical is JSON in one form: members in the order of their names, no spaces. A test compares with it. Text that is
// no JSON stays as it is.
func Canonical(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return text
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return text
	}
	return strings.TrimSpace(b.String())
}
