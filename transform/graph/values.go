package graph

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file makes JSON of the messages that tools have as arguments and results.

// kind is how a value is read.
type kind int

const (
	text    kind = iota
	number       // a number; 0 if the field is not there, where a spec says so
	flag         // a truth value
	callID       // a text that is the id of the call
	ref          // the name of a blob with a text
	object       // a message
	entries      // a map of texts to values
	ignored      // known, and of no use: state of the program, approvals
)

// A spec says what a field of a message means.
type spec struct {
	num    protowire.Number
	name   string
	kind   kind
	many   bool   // repeated
	always bool   // a number that is 0 if the field is not there
	fields []spec // of an object
}

// object reads a message by a specification, as an object. Without one it is a guess: names are the numbers of fields,
// and values are what their bytes look like.
func (r *reader) object(name string, specs []spec, b []byte, depth int) map[string]any {
	out := map[string]any{}
	if depth >= r.limits.Depth {
		r.problem(tooDeep, r.where, r.at)
		return out
	}
	for _, s := range specs {
		if s.always {
			out[s.name] = int64(0)
		}
	}
	m := message{name, protowire.MaxValidNumber} // what has no specification is counted below
	for f := range r.fields(m, b) {
		s, ok := find(specs, f.num)
		switch {
		case specs == nil:
			put(out, strconv.Itoa(int(f.num)), r.guess(f, depth), out[strconv.Itoa(int(f.num))] != nil)
		case !ok:
			r.unknown(name + "." + strconv.Itoa(int(f.num)))
		case s.kind != ignored:
			r.value(f, s, out, depth)
		}
	}
	return out
}

// find is the specification of a field.
func find(specs []spec, num protowire.Number) (spec, bool) {
	for _, s := range specs {
		if s.num == num {
			return s, true
		}
	}
	return spec{}, false
}

// put sets a member of an object, or adds to it.
func put(to map[string]any, name string, v any, many bool) {
	if !many {
		to[name] = v
		return
	}
	switch was := to[name].(type) {
	case nil:
		to[name] = []any{v}
	case []any:
		to[name] = append(was, v)
	default:
		to[name] = []any{was, v}
	}
}

// value reads a field as its specification says.
func (r *reader) value(f field, s spec, out map[string]any, depth int) {
	switch s.kind {
	case number:
		if f.typ == protowire.BytesType && s.many {
			for _, n := range packed(f.b) {
				put(out, s.name, n, true)
			}
		} else if r.is(f, protowire.VarintType) {
			put(out, s.name, int64(f.n), s.many)
		}
	case flag:
		if r.is(f, protowire.VarintType) {
			put(out, s.name, f.n != 0, s.many)
		}
	case text, callID:
		if r.is(f, protowire.BytesType) {
			put(out, s.name, valid(f.b), s.many)
		}
	case ref:
		r.hash(f, func(h Hash) { r.open(h, nodeText, func(b []byte) { put(out, s.name, valid(b), s.many) }) })
	case object:
		r.put(f, func(b []byte) { put(out, s.name, r.object(f.of.name+"."+s.name, s.fields, b, depth+1), s.many) })
	case entries:
		r.entry(f, func(key string, b []byte) {
			m, ok := out[s.name].(map[string]any)
			if !ok {
				m = map[string]any{}
				out[s.name] = m
			}
			m[key] = r.protoValue(b, depth+1)
		})
	}
}

// packed are the numbers of a repeated field that is written as one value.
func packed(b []byte) (all []int64) {
	for len(b) > 0 {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return all
		}
		all, b = append(all, int64(v)), b[n:]
	}
	return all
}

// guess is what a field without a specification looks like: a number, a text, a message, or else base64 of its bytes.
func (r *reader) guess(f field, depth int) any {
	switch {
	case f.typ != protowire.BytesType:
		return int64(f.n)
	case isText(f.b):
		return string(f.b)
	case isMessage(f.b) && depth+1 < r.limits.Depth:
		return r.object(f.of.name+".", nil, f.b, depth+1)
	}
	return base64.StdEncoding.EncodeToString(f.b)
}

// isText reports whether bytes are a text without control characters, apart from white space.
func isText(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	for _, c := range string(b) {
		if unicode.IsControl(c) && c != '\n' && c != '\r' && c != '\t' && c != '\x1b' {
			return false
		}
	}
	return true
}

// protoValue reads a value of a map of arguments. It is the well-known message google.protobuf.Value; bytes that are
// none are taken as JSON, else as a text.
func (r *reader) protoValue(b []byte, depth int) any {
	switch {
	case depth >= r.limits.Depth:
		r.problem(tooDeep, r.where, r.at)
		return nil
	case !isMessage(b):
		if json.Valid(b) {
			return json.RawMessage(valid(b))
		}
		return valid(b)
	}
	var out any
	r.read(message{"value", 6}, b,
		dest{2, func(f field) {
			if r.is(f, protowire.Fixed64Type) {
				out = finite(math.Float64frombits(f.n))
			}
		}},
		dest{3, func(b []byte) { out = valid(b) }},
		dest{4, func(f field) {
			if r.is(f, protowire.VarintType) {
				out = f.n != 0
			}
		}},
		dest{5, func(b []byte) { out = r.protoStruct(b, depth+1) }},
		dest{6, func(b []byte) { out = r.protoList(b, depth+1) }})
	return out
}

// finite is a number that JSON can hold; nil for the others.
func finite(n float64) any {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return nil
	}
	return n
}

func (r *reader) protoStruct(b []byte, depth int) map[string]any {
	out := map[string]any{}
	r.read(message{"struct", 1}, b, dest{1, func(key string, b []byte) { out[key] = r.protoValue(b, depth) }})
	return out
}

func (r *reader) protoList(b []byte, depth int) []any {
	out := []any{}
	r.read(message{"list", 1}, b, dest{1, func(b []byte) { out = append(out, r.protoValue(b, depth)) }})
	return out
}

// toJSON writes a value. Values of this file always can be written.
func toJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}
