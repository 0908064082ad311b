package transform

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pipeline/transform/depth"
)

// eraSeeds are documents as each era wrote them, and the shapes that are known to hurt readers.
var eraSeeds = []string{
	`{"composerId":"c","conversation":[{"type":1,"bubbleId":"b","text":"hi","timestamp":1700000000000},{"type":2,"text":"yo"}]}`,
	`{"_v":1,"composerId":"c","conversationMap":{"b":{"type":"user","text":"hi"}},"capabilities":[{"type":15,"data":{"bubbleDataMap":"{\"b\":{\"tool\":5,\"name\":\"read_file\"}}"}}]}`,
	`{"_v":3,"fullConversationHeadersOnly":[{"bubbleId":"b","type":1},{"bubbleId":"d","type":2,"startedAtMs":1700000000000,"completedAtMs":1700000001000}],"createdAt":1700000000000}`,
	`{"_v":6,"fullConversationHeadersOnly":[{"bubbleId":"b"},{"bubbleId":"b"}],"codeBlockData":{"file:///x":[{"status":"accepted"}]},"usageData":{"m":{"costInCents":4,"amount":1}}}`,
	`{"_v":10,"tabs":[{"bubbles":[{"id":"x","type":"user"},{"id":"x","type":"ai"}]}],"codeBlockData":{"file:///x":{"k":{"status":"rejected"}}}}`,
	`{"_v":"16","modelConfig":{"modelName":"default","maxMode":true},"workspaceIdentifier":{"id":"w","uri":{"external":"file:///src/a"}},"subagentComposerIds":["e"]}`,
	`{"_v":18,"richText":"{\"root\":{\"children\":[{\"type\":\"paragraph\",\"children\":[{\"text\":\"a\"}]}]}}","latestConversationSummary":{"summary":{"summary":"s"}}}`,
	`{"type":2,"bubbleId":"b","thinking":{"text":"hm","signature":"x"},"toolFormerData":{"tool":15,"name":"run_terminal_cmd","params":"{\"command\":\"ls\"}","result":"no json","status":"completed"},"createdAt":"2025-05-01T10:00:00.000Z"}`,
	`{"type":2,"toolFormerData":"{\"tool\":\"38\",\"additionalData\":{\"codeblockId\":\"e\",\"precomputedDiff\":{\"lines\":[{\"type\":\"added\"}]}}}","codeBlocks":[1],"errorDetails":{"message":"m"}}`,
	`{"fileSelections":[{"uri":{"fsPath":"/a"}}],"gitDiffs":["{\"a\":1}"],"context":{"selections":[{"range":{"startLineNumber":3}}]}}`,
	`{"fates":[{"fate":"accepted","addedLines":["a"],"removedLines":[]}]}`,
	`{"newModelDiffWrtV0":[{"original":{"startLineNumber":1,"endLineNumberExclusive":3},"modified":["x"]}]}`,
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
	for _, seed := range eraSeeds {
		f.Add([]byte(seed))
	}
	f.Add([]byte(strings.Repeat("[", 20) + strings.Repeat("]", 20)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		kept := bytes.Clone(raw)
		v, err := parseDocument(raw)
		if want := reasonFor(raw); !errors.Is(err, want) {
			t.Fatalf("parseDocument gives %v, want %v", err, want)
		}
		o, objectErr := parseObject(raw)
		want := err
		if err == nil && !v.isObject() {
			want = errNotObject
		}
		if !errors.Is(objectErr, want) {
			t.Fatalf("parseObject gives %v, want %v", objectErr, want)
		}
		if err == nil {
			compareJSON(t, v)
			memory := borrow()
			defer memory.giveBack()
			if v, err = memory.parse(raw); err != nil {
				t.Fatalf("among other documents it gives %v", err)
			}
			compareJSON(t, v)
		}
		if objectErr == nil && !reflect.DeepEqual(texts(o), texts(v.object())) {
			t.Fatalf("parseObject and object differ: %s, %s", texts(o), texts(v.object()))
		}
		if !bytes.Equal(raw, kept) {
			t.Fatal("the document was changed")
		}
	})
}

// texts are the names and values of an object.
func texts(o value) (out []string) {
	for member := range o.members {
		out = append(out, string(member.name()), member.String())
	}
	return out
}

// reasonFor is what is wrong with a document, in the order of docs/dictionary.md, quarantine.
func reasonFor(raw []byte) error {
	switch {
	case len(raw) == 0:
		return errEmpty
	case !utf8.Valid(raw):
		return errNotUTF8
	case depth.Of(raw) > maxDepth:
		return errTooDeep
	case !json.Valid(raw):
		return errBadJSON
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
func compareJSON(t *testing.T, v value) {
	t.Helper()
	switch want := decoded(t, v.raw()).(type) {
	case nil:
		if v.orNone().exists() || v.says() || v.json() != nil {
			t.Fatalf("null is %q", v.orNone())
		}
	case string:
		if got := v.text(); got != want {
			t.Fatalf("%s is %q, want %q", v, got, want)
		}
	case json.Number:
		compareNumber(t, v, want.String())
	case bool:
		if b := v.boolean(); b == nil || *b != want {
			t.Fatalf("%s is %v", v, b)
		}
	case []any:
		elements := v.array()
		if len(elements) != len(want) {
			t.Fatalf("%s has %d elements, want %d", v, len(elements), len(want))
		}
		for _, element := range elements {
			compareJSON(t, element)
		}
	case map[string]any:
		compareObject(t, v, want)
	}
	if stored := v.json(); stored != nil {
		if !json.Valid(stored) || bytes.ContainsRune(stored, 0) {
			t.Fatalf("%s is stored as %s", v, stored)
		}
		if !v.isString() && !reflect.DeepEqual(decoded(t, stored), decoded(t, v.raw())) {
			t.Fatalf("%s is stored as %s", v, stored)
		}
	}
}

func compareObject(t *testing.T, v value, want map[string]any) {
	t.Helper()
	o := v.object()
	seen := map[string]bool{}
	for f := range o.members {
		name := string(f.name())
		seen[name] = true
		compareJSON(t, f)
		member, ok := want[name]
		if !ok {
			t.Fatalf("%s has a member %q for us alone", v, name)
		}
		switch got := o.get(name); {
		case !got.exists() && member != nil:
			t.Fatalf("%s: %q is absent", v, name)
		case got.exists() && !reflect.DeepEqual(decoded(t, got.raw()), member):
			t.Fatalf("%s: %q is %s, want %v", v, name, got, member)
		}
	}
	if len(seen) != len(want) {
		t.Fatalf("%s has the members %v, want %v", v, seen, want)
	}
}

func compareNumber(t *testing.T, v value, text string) {
	t.Helper()
	f, err := strconv.ParseFloat(text, 64)
	got, ok := v.number()
	if ok != (err == nil) || ok && got != f {
		t.Fatalf("%s is %v, %v, want %v, %v", v, got, ok, f, err)
	}
	n := v.integer()
	switch i, err := strconv.ParseInt(text, 10, 64); {
	case err == nil && (n == nil || *n != i):
		t.Fatalf("%s is the integer %s", v, show(n))
	case err != nil && n != nil && (math.Abs(f) >= 1<<63 || *n != int64(f)):
		t.Fatalf("%s is the integer %d", v, *n)
	}
	if s := v.scalar(); s == nil || *s != text {
		t.Fatalf("%s is the scalar %s", v, show(s))
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
		{nested("[", "]", maxDepth), nil},
		{nested("[", "]", maxDepth+1), errTooDeep},
		{nested(`{"a":`, "}", maxDepth), nil},
		{nested(`{"a":`, "}", maxDepth+1), errTooDeep},
		{nested("[", "]", 100000), errTooDeep},
		{[]byte(strings.Repeat("[", 100000)), errTooDeep},
		{[]byte(`{"a":"` + strings.Repeat("[", 20000) + `"}`), nil},
		{[]byte(`{"a":"` + strings.Repeat("[", 20000)), errBadJSON},
	} {
		if _, err := parseDocument(test.raw); !errors.Is(err, test.want) {
			t.Errorf("%.30s: %v, want %v", test.raw, err, test.want)
		}
		if test.raw[0] == '{' {
			if _, err := parseObject(test.raw); !errors.Is(err, test.want) {
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
		if got := show(val(t, test.in).json()); got != test.want {
			t.Errorf("%s is stored as %s, want %s", test.in, got, test.want)
		}
	}
}
