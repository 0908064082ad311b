package transform

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash/maphash"
	"math"
	"strconv"
	"strings"

	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// timeOf reads v as a time: milliseconds, seconds, digits in a string, or ISO 8601; nil for anything else.
func timeOf(v jsondoc.Value) *schema.Millis {
	if v.IsString() {
		return jsondoc.Time(v.Text())
	}
	return jsondoc.Time(v.String())
}

// latestOf returns the latest of the times that are not nil.
func latestOf(times ...*schema.Millis) *schema.Millis {
	var last *schema.Millis
	for _, t := range times {
		if t != nil && (last == nil || *t > *last) {
			last = t
		}
	}
	return last
}

// costIn is number for a cost; nil if it is too large for one.
func costIn(v jsondoc.Value) *float64 {
	if c, ok := v.Number(); ok && math.Abs(c) <= schema.MaxCount {
		return &c
	}
	return nil
}

// role returns the role for a type of any era; ok is false if no type is stored.
func role(v jsondoc.Value) (name string, ok bool) {
	s := v.Scalar()
	if s == nil {
		return "unknown", false
	}
	switch *s {
	case "1", "1.0", "HUMAN", "user":
		return "user", true
	case "2", "2.0", "AI", "ai", "assistant":
		return "assistant", true
	}
	return "unknown", true
}

// modes are the numbers of modes in bubbles (docs/formats.md, Role, mode and text).
var modes = map[string]string{"1": "chat", "2": "agent", "3": "edit", "4": "custom", "5": "plan", "6": "debug"}

// mode returns a mode's name in lower case, or the digits of an unknown number, which may be written as 2.0. A flag is
// no mode.
func mode(v jsondoc.Value) *string {
	var name string
	switch n := v.Integer(); {
	case n != nil:
		name = string(fmtInt(*n))
	case v.IsString() && v.Text() != "":
		name = strings.ToLower(v.Text())
	default:
		return nil
	}
	if named := modes[name]; named != "" {
		name = named
	}
	return &name
}

// commaOutside is where the first comma of a text is that is not in brackets, else the end: a model may have its
// parameters there, as in gpt-5.5[context=1m,reasoning=high].
func commaOutside(s string) int {
	deep := 0
	for i, c := range []byte(s) {
		switch {
		case c == '[':
			deep++
		case c == ']':
			deep--
		case c == ',' && deep <= 0:
			return i
		}
	}
	return len(s)
}

// modelName applies the rule for models: an empty name or 'default' is Cursor's own choice, auto. Of a list, which is
// what was picked for several agents, the first is this one's (docs/formats.md, Models).
func modelName(v jsondoc.Value) *string {
	if !v.IsString() {
		return nil
	}
	name := v.Text()
	if picked := strings.TrimLeft(name, ", "); strings.Contains(name, ",") {
		name = strings.TrimSpace(picked[:commaOutside(picked)])
	}
	if name == "" || name == "default" {
		name = "auto"
	}
	return &name
}

// plainText returns the text of an editor's document, which may be stored as JSON in a string, each block on a line.
// The document is one of Lexical, {"root": {"children": ...}}, or of ProseMirror, {"type": "doc", "content": ...}
// (docs/formats.md, Role, mode and text).
func plainText(v jsondoc.Value) string {
	doc := v.Unquoted()
	if !doc.IsObject() {
		return v.Text()
	}
	var b strings.Builder
	if doc.Get("type").Text() == "doc" {
		nodeText(doc, &b)
	} else {
		nodeText(doc.Get("root"), &b)
	}
	return strings.TrimRight(b.String(), "\n")
}

func nodeText(v jsondoc.Value, b *strings.Builder) {
	node := v.Object()
	if text := node.Get("text"); text.Exists() {
		b.WriteString(text.Text())
		return
	}
	switch kind := node.Get("type").Text(); kind {
	case "linebreak", "hardBreak":
		b.WriteByte('\n')
	case "mention": // ProseMirror: what people see of it is in its attributes
		b.WriteString(node.Get("attrs").First("label", "id").Text())
	default:
		for _, child := range node.First("children", "content").Array() {
			nodeText(child, b)
		}
		if isBlock(kind) {
			b.WriteByte('\n')
		}
	}
}

// isBlock reports whether a node of an editor's document takes lines of its own.
func isBlock(kind string) bool {
	switch kind {
	case "paragraph", "heading", "listitem", "code", "quote", "codeBlock":
		return true
	}
	return false
}

// spokenText returns the text of a member that holds a text in some form: a string, a number, or a list of blocks with
// a text.
func spokenText(v jsondoc.Value) *string {
	switch v.Kind() {
	case 't', 'f':
		return nil
	case '[':
	default:
		return v.Scalar()
	}
	var parts []string
	for block := range v.Elements {
		text := block.Str()
		if text == nil {
			text = block.Get("text").Str()
		}
		if text != nil {
			parts = append(parts, *text)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return ptr(strings.Join(parts, "\n"))
}

// Hash returns 32 hex digits of sha256.
func Hash(b []byte) string { return hash128(b) }

// hash128 returns 32 hex digits of sha256.
func hash128(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func ptr[T any](v T) *T { return &v }

func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// plus adds two figures; nil means unknown and adds nothing.
func plus[T int64 | float64](a, b *T) *T {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	return ptr(*a + *b)
}

// summaryText returns the text of a summary: a string, or an object that contains one.
func summaryText(v jsondoc.Value) *string {
	for range 3 {
		v = v.Unquoted()
		if v.IsString() {
			return v.Str()
		}
		v = v.Object().First("summary", "text", "tldr")
	}
	return v.Str()
}

func fmtInt(n int64) []byte { return strconv.AppendInt(nil, n, 10) }

// text and clean make texts of the graph valid for the warehouse; for text, the empty one is none.
func clean(s string) string { return schema.CleanText(s) }

func text(s string) *string {
	if s == "" {
		return nil
	}
	return ptr(clean(s))
}

func plausibleTime(ms *int64) *schema.Millis {
	if ms == nil {
		return nil
	}
	return jsondoc.Plausible(*ms)
}

// marshal writes a value of strings and numbers, which always can be written.
func marshal(v any) schema.JSON {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}

// seed is that of all hashes of texts: they are compared with each other, and not kept.
var seed = maphash.MakeSeed()

// sumOf is a hash of a text without the space around it.
func sumOf(text string) uint64 { return maphash.String(seed, strings.TrimSpace(text)) }
