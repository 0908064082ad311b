package file

import (
	"bytes"
	"encoding/json"
)

// Schema is the JSON schema of a pipeline's file (draft 7, which editors read), made from the declaration. It has what
// a schema can express: keys, types, choices, the form of durations and sizes. Times, schedules, time zones, globs and
// contradictions are checked by the program only.
func Schema() ([]byte, error) {
	root := member{
		{"$schema", "http://json-schema.org/draft-07/schema#"},
		{"title", "A pipeline"},
		{"description", "A run of 'pipeline': when it runs, what it reads, where it writes. Every key is optional."},
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(append(root, schemaOf("")...))
	return out.Bytes(), err
}

// A member is a JSON object whose keys keep their order.
type member []pair

type pair struct {
	name  string
	value any
}

func (m member) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	for i, p := range m {
		out.WriteByte("{,"[min(i, 1)])
		for j, part := range []any{p.name, p.value} {
			if j == 1 {
				out.WriteByte(':')
			}
			e := json.NewEncoder(&out)
			e.SetEscapeHTML(false)
			if err := e.Encode(part); err != nil {
				return nil, err
			}
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// schemaOf is the schema of the keys below a key; "": of those at the top.
func schemaOf(of string) member {
	var properties member
	var needed []string
	for _, s := range below(of) {
		_, key := s.parts()
		properties = append(properties, pair{key, s.schema()})
		if s.Needed {
			needed = append(needed, key)
		}
	}
	out := member{{"type", "object"}, {"additionalProperties", false}, {"minProperties", 1}}
	if needed != nil {
		out = append(out, pair{"required", needed})
	}
	return append(out, pair{"properties", properties})
}

func (s Setting) schema() member {
	out := member{{"description", s.Help()}}
	examples := pair{"examples", []string{s.Example}}
	switch s.Shape {
	case Group:
		return append(out, schemaOf(s.Key)...)
	case Bool:
		return append(out, pair{"type", "boolean"}, pair{"default", false})
	case List:
		return append(out, pair{"type", "array"}, pair{"minItems", 1}, pair{"uniqueItems", true},
			pair{"items", append(s.form.schema(), examples)})
	}
	out = append(out, s.form.schema()...)
	if s.Default != "" {
		out = append(out, pair{"default", s.Default})
	}
	return append(out, examples)
}

func (f form) schema() member {
	text := member{{"type", "string"}, {"minLength", 1}}
	switch {
	case f.oneOf != nil:
		return member{{"enum", f.oneOf}}
	case f.pattern != "":
		text = append(text, pair{"pattern", f.pattern})
	}
	if f.number {
		return member{{"anyOf", []any{text, member{{"const", 0}}}}}
	}
	return text
}
