package jsondoc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// shapes are documents that are known to hurt readers.
var shapes = []string{
	`{"a":"\ud800","b":"\udc00\ud800","c":"\ud83d\ude42","d":"\u0000","e":"\\u0000","f":"a\u0000b\ud800\u0041"}`,
	`{"a":1,"a":2,"\u0061":3,"b":null}`, `{"":1,"\u0000":2,"\ud800":3}`,
	`{"a":1,"b":2,"c":3,"d":4,"e":5,"a":6,"\u0062":7,"c":null}`, ` {"a" : [ 1 , 2 ] } ` + "\n",
	`{"n":[0,-0,1e999,-1e-999,12345678901234567890,1.5,1E+2]}`, ``, ` `, `{`, `{}`, `[]`, `null`, `{"a":1,}`,
	`{"a":01}`, `{"a":+1}`, `{"a":.5}`, `{"a":1.}`, `{"a":NaN}`, `{} {}`, `{"a":"` + "\t" + `"}`, `{'a':1}`,
	"{\"a\":\"\xff\"}", "\ufeff{}", `{"a"}`, `{"a":"\x"}`, `{"a":"\u12"}`, `{"a":tru}`, `"\ud800\u0000"`, `[1,]`,
	`{"a":1}}`, "{\"a\":1}\x00", `-`, `"`, `{"a":"\u00zz"}`, "{\"a\":\"\tn\"}", "[\"\x1f/\"]",
	`["\ud83d\ud83d\ude00 \ude00\ud83d"]`, `["12345678\"1234567\\12345678"]`, "[\"1234567\x1f\"]", `["\uDEAd\uBEEF"]`,
	`[1e]`, `[1e+]`, `[-]`, `[0.]`, `[00]`, `[1 2]`, `{"a" 1}`, `{"a":}`, `{,}`, `[`, `["`, `["\`, `["\u`, `[t`,
	`[nul]`, `["\ud83d\ue000\ud83d\udbff"]`, `["привет, 世界 🙂 and more"]`, `{"a":1 , "b" : 2,"c":[ ],"d":{ }}`,
	`["\b\f\n\r\t\/\"\\"]`,
}

// FuzzJSON holds the JSON layer against encoding/json.
func FuzzJSON(f *testing.F) {
	for _, seed := range shapes {
		f.Add([]byte(seed))
	}
	f.Add([]byte(strings.Repeat("[", 20) + strings.Repeat("]", 20)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		kept := bytes.Clone(raw)
		v, err := Parse(raw)
		if want := wantedError(raw); !errors.Is(err, want) {
			t.Fatalf("parseDocument gives %v, want %v", err, want)
		}
		o, objectErr := ParseObject(raw)
		want := err
		if err == nil && !v.IsObject() {
			want = ErrNotObject
		}
		if !errors.Is(objectErr, want) {
			t.Fatalf("parseObject gives %v, want %v", objectErr, want)
		}
		if err == nil {
			compareJSON(t, v)
			memory := Borrow()
			defer memory.GiveBack()
			if v, err = memory.Parse(raw); err != nil {
				t.Fatalf("among other documents it gives %v", err)
			}
			compareJSON(t, v)
		}
		if objectErr == nil && !reflect.DeepEqual(texts(o), texts(v.Object())) {
			t.Fatalf("parseObject and object differ: %s, %s", texts(o), texts(v.Object()))
		}
		if !bytes.Equal(raw, kept) {
			t.Fatal("the document was changed")
		}
	})
}

// texts are the names and values of an object.
func texts(o Value) (out []string) {
	for member := range o.Members {
		out = append(out, string(member.Name()), member.String())
	}
	return out
}

// wantedError is what is wrong with a document, in the order of docs/dictionary.md, quarantine.
func wantedError(raw []byte) error {
	switch {
	case len(raw) == 0:
		return ErrEmpty
	case !utf8.Valid(raw):
		return ErrNotUTF8
	case Depth(raw) > MaxDepth:
		return ErrTooDeep
	case !json.Valid(raw):
		return ErrBadJSON
	}
	return nil
}

// decoded is a value as encoding/json reads it, U+0000 replaced in strings.
func decoded(t *testing.T, v []byte) any {
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	var out any
	if err := d.Decode(&out); err != nil {
		t.Fatalf("%s: %v", v, err)
	}
	return cleanTree(out)
}

func cleanTree(v any) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "\x00", "\u2400")
	case []any:
		for i := range v {
			v[i] = cleanTree(v[i])
		}
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			out[strings.ReplaceAll(name, "\x00", "\u2400")] = cleanTree(member)
		}
		if len(out) == len(v) { // else two names are one without U+0000
			return out
		}
	}
	return v
}

// compareJSON compares a checked value, and all in it, with what encoding/json says.
func compareJSON(t *testing.T, v Value) {
	t.Helper()
	switch want := decoded(t, v.Raw()).(type) {
	case nil:
		if v.orNone().Exists() || v.Says() || v.JSON() != nil {
			t.Fatalf("null is %q", v.orNone())
		}
	case string:
		if got := v.Text(); got != want {
			t.Fatalf("%s is %q, want %q", v, got, want)
		}
	case json.Number:
		compareNumber(t, v, want.String())
	case bool:
		if b := v.Boolean(); b == nil || *b != want {
			t.Fatalf("%s is %v", v, b)
		}
	case []any:
		elements := v.Array()
		if len(elements) != len(want) {
			t.Fatalf("%s has %d elements, want %d", v, len(elements), len(want))
		}
		for _, element := range elements {
			compareJSON(t, element)
		}
	case map[string]any:
		compareObject(t, v, want)
	}
	if stored := v.JSON(); stored != nil {
		if !json.Valid(stored) || bytes.ContainsRune(stored, 0) {
			t.Fatalf("%s is stored as %s", v, stored)
		}
		if !v.IsString() && !reflect.DeepEqual(decoded(t, stored), decoded(t, v.Raw())) {
			t.Fatalf("%s is stored as %s", v, stored)
		}
	}
}

func compareObject(t *testing.T, v Value, want map[string]any) {
	t.Helper()
	o := v.Object()
	seen := map[string]bool{}
	for f := range o.Members {
		name := string(f.Name())
		seen[name] = true
		compareJSON(t, f)
		member, ok := want[name]
		if !ok {
			t.Fatalf("%s has a member %q for us alone", v, name)
		}
		switch got := o.Get(name); {
		case !got.Exists() && member != nil:
			t.Fatalf("%s: %q is absent", v, name)
		case got.Exists() && !reflect.DeepEqual(decoded(t, got.Raw()), member):
			t.Fatalf("%s: %q is %s, want %v", v, name, got, member)
		}
	}
	if len(seen) != len(want) {
		t.Fatalf("%s has the members %v, want %v", v, seen, want)
	}
}

func compareNumber(t *testing.T, v Value, text string) {
	t.Helper()
	f, err := strconv.ParseFloat(text, 64)
	got, ok := v.Number()
	if ok != (err == nil) || ok && got != f {
		t.Fatalf("%s is %v, %v, want %v, %v", v, got, ok, f, err)
	}
	n := v.Integer()
	switch i, err := strconv.ParseInt(text, 10, 64); {
	case err == nil && (n == nil || *n != i):
		t.Fatalf("%s is the integer %s", v, shown(n))
	case err != nil && n != nil && (math.Abs(f) >= 1<<63 || *n != int64(f)):
		t.Fatalf("%s is the integer %d", v, *n)
	}
	if s := v.Scalar(); s == nil || *s != text {
		t.Fatalf("%s is the scalar %s", v, shown(s))
	}
}

// At 10,000 a document is still read; one level more is too deep.
func TestDepth(t *testing.T) {
	t.Parallel()
	nested := func(open, end string, n int) []byte {
		return []byte(strings.Repeat(open, n) + "1" + strings.Repeat(end, n))
	}
	for _, test := range []struct {
		raw  []byte
		want error
	}{
		{nested("[", "]", MaxDepth), nil},
		{nested("[", "]", MaxDepth+1), ErrTooDeep},
		{nested(`{"a":`, "}", MaxDepth), nil},
		{nested(`{"a":`, "}", MaxDepth+1), ErrTooDeep},
		{nested("[", "]", 100000), ErrTooDeep},
		{[]byte(strings.Repeat("[", 100000)), ErrTooDeep},
		{[]byte(`{"a":"` + strings.Repeat("[", 20000) + `"}`), nil},
		{[]byte(`{"a":"` + strings.Repeat("[", 20000)), ErrBadJSON},
	} {
		if _, err := Parse(test.raw); !errors.Is(err, test.want) {
			t.Errorf("%.30s: %v, want %v", test.raw, err, test.want)
		}
		if test.raw[0] == '{' {
			if _, err := ParseObject(test.raw); !errors.Is(err, test.want) {
				t.Errorf("object %.30s: %v, want %v", test.raw, err, test.want)
			}
		}
	}
}

// A string that holds JSON is unpacked, one that does not stays a JSON string; nothing else is rewritten.
func TestStoredJSON(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, want string }{
		{`{"a": 1,"b":"<&>"}`, `{"a": 1,"b":"<&>"}`}, {`"{\"a\":1}"`, `{"a":1}`}, {`"not json"`, `"not json"`},
		{`"[1]"`, `[1]`}, {`""`, "NULL"}, {`null`, "NULL"}, {``, "NULL"}, {`"null"`, "NULL"}, {`"12"`, `12`},
		{`12`, `12`}, {`true`, `true`}, {`{"a":"\u0000"}`, `{"a":"\u2400"}`}, {`{"a":"\\u0000"}`, `{"a":"\\u0000"}`},
		{`{"a":"\ud800x"}`, `{"a":"\ufffdx"}`}, {`{"a":"\udc00"}`, `{"a":"\ufffd"}`},
		{`{"a":"\ud83d\ude42"}`, `{"a":"\ud83d\ude42"}`}, {`{"a":"\ud83d\u0041"}`, `{"a":"\ufffd\u0041"}`},
		{`"{\"a\":\"\\u0000\"}"`, `{"a":"\u2400"}`}, {`"a\u0000b"`, `"a\u2400b"`},
	} {
		got := "NULL"
		if v := valueOf(t, test.in).JSON(); v != nil {
			got = string(v)
		}
		if got != test.want {
			t.Errorf("%s is stored as %s, want %s", test.in, got, test.want)
		}
	}
}

// valueOf parses a JSON value; "" is an absent one.
func valueOf(t *testing.T, s string) Value {
	t.Helper()
	if s == "" {
		return Value{}
	}
	v, err := Parse([]byte(s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

// shown is what a pointer points to, or NULL.
func shown[T any](v *T) string {
	if v == nil {
		return "NULL"
	}
	return fmt.Sprint(*v)
}

// TestForget: a kept document without the elements of a list has all other values.
func TestForget(t *testing.T) {
	const before, after = `{"a":{"list":[7]},"list":`, `,"b":[{"c":2}],"d":"x"}`
	for _, list := range []string{`[1,{"x":[2,3]},[]]`, `[]`, `"[1]"`, `null`, `{"e":1}`} {
		doc, err := Parse([]byte(before + list + after))
		if err != nil {
			t.Fatal(err)
		}
		kept, all := doc.Get("list").IsArray(), len(doc.in.nodes)
		doc.Forget("list")
		var names []string
		for member := range doc.Members {
			names = append(names, string(member.Name()))
		}
		inA := doc.Get("a").Get("list")
		if got := fmt.Sprint(names, inA.Array(), doc.Get("b").Array()[0].Get("c")); got != "[a list b d] [7] 2" {
			t.Errorf("beside %s is %s", list, got)
		}
		if kept && doc.Get("list").Length() != 0 || !kept && len(doc.in.nodes) != all {
			t.Errorf("of %s there are %d values in %d", list, doc.Get("list").Length(), len(doc.in.nodes))
		}
	}
}
