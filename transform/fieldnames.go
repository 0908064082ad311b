package transform

import (
	"maps"
	"sync"
)

// Fields is what is known of the names of an object's fields (fields.txt). The zero value knows no object.
type Fields struct{ shape *shape }

// FieldsOf returns what is known of the documents of a family.
func FieldsOf(family string) Fields { return Fields{knownFields()[family]} }

// Declared reports that the names in such an object are Cursor's: it is no map whose names are data.
func (f Fields) Declared() bool { return f.shape != nil }

// Below returns what is known of the objects in a field, or in its array.
func (f Fields) Below(name string) Fields {
	if f.shape == nil {
		return Fields{}
	}
	return Fields{f.shape.fields[name]}
}

// vocabulary has every name that is known of any object.
var vocabulary = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	var take func(s *shape)
	take = func(s *shape) {
		for name := range maps.Keys(s.fields) {
			names[name] = true
			if below := s.fields[name]; below != nil {
				take(below)
			}
		}
	}
	for _, s := range knownFields() {
		take(s)
	}
	return names
})

// KnowsField reports whether some object in Cursor's documents is known to have a field of that name.
func KnowsField(name string) bool { return vocabulary()[name] }

// IsFieldName reports whether a name consists of words, and is neither an id nor a path.
func IsFieldName(name string) bool { return isFieldName(name) }
