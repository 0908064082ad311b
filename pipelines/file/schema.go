package file

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Schema is the JSON schema of a pipeline's file (draft 7, which editors read), made from the declaration. It says what a schema can
// say: keys, types, choices, the form of durations and sizes. Times, schedules, time zones, globs and what contradicts are the program's to judge.
func Schema() ([]byte, error) {
	root := member{
		{"$schema", "http://json-schema.org/draft-07/schema#"},
		{"title", "A pipeline"},
		{"description", "A run of 'pipeline' that is written down: when it runs, what it reads, where it puts it. Every key may be left out."},
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(append(root, schemaOf(keysOf(reflect.TypeFor[Pipeline](), Key{}))...))
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

// schemaOf is the schema of keys that stand together.
func schemaOf(keys []Key) member {
	var properties member
	var needed []string
	for _, k := range keys {
		properties = append(properties, pair{k.Name, k.schema()})
		if k.Needed {
			needed = append(needed, k.Name)
		}
	}
	out := member{{"type", "object"}, {"additionalProperties", false}, {"minProperties", 1}}
	if needed != nil {
		out = append(out, pair{"required", needed})
	}
	return append(out, pair{"properties", properties})
}

func (k Key) schema() member {
	out := member{{"description", k.Help()}}
	switch {
	case k.typ.Kind() == reflect.Pointer:
		return append(out, schemaOf(k.below())...)
	case k.typ.Kind() == reflect.Bool:
		return append(out, pair{"type", "boolean"}, pair{"default", false})
	case k.typ.Kind() == reflect.Slice:
		return append(out, pair{"type", "array"}, pair{"minItems", 1}, pair{"uniqueItems", true}, pair{"items", append(kindOf(k.Kind).schema(), pair{"examples", []string{k.Example}})})
	}
	out = append(out, kindOf(k.Kind).schema()...)
	if k.Default != "" {
		out = append(out, pair{"default", k.Default})
	}
	return append(out, pair{"examples", []string{k.Example}})
}

func (k kind) schema() member {
	text := member{{"type", "string"}, {"minLength", 1}}
	switch {
	case k.oneOf != nil:
		return member{{"enum", k.oneOf}}
	case k.pattern != "":
		text = append(text, pair{"pattern", k.pattern})
	}
	if k.number {
		return member{{"anyOf", []any{text, member{{"const", 0}}}}}
	}
	return text
}

// Help is what an editor and the documentation say of a key.
func (k Key) Help() string {
	without := k.Unset
	if k.Default != "" {
		without = k.Default
	}
	if without == "" {
		return k.Doc
	}
	return fmt.Sprintf("%s Without it: %s.", k.Doc, strings.TrimSuffix(without, "."))
}
