package transform

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/graph"
)

// This file reads JSON values as what columns hold.

// Reasons why a document cannot be used, in the words of the quarantine. If several apply, the first counts.
var (
	errEmpty     = errors.New("empty")
	errNotUTF8   = errors.New("not_utf8")
	errTooDeep   = errors.New("too_deep")
	errBadJSON   = errors.New("bad_json")
	errNotObject = errors.New("not_object")
)

// Usable reports whether a row's value is a JSON object, as every row of a conversation must be but nodes and
// transcripts.
func Usable(d *extract.Document) bool {
	switch {
	case d.IsNode():
		return true
	case d.Family == extract.FamilyTranscript:
		return saysAnything(d)
	case d.Family == extract.FamilyRoot:
		_, ok := hashOf(d.Value)
		return ok
	case d.Family == extract.FamilyCloud:
		_, ok := graph.ReadCloudRow(d.Value)
		return ok
	}
	memory := borrow()
	defer memory.giveBack()
	v, err := memory.parse(d.Value)
	return err == nil && v.isObject()
}

// looked has memory for documents that are only looked at.
var looked = sync.Pool{New: func() any { return &documents{} }}

// borrow returns such memory.
func borrow() *documents {
	memory, _ := looked.Get().(*documents)
	return memory
}

// giveBack ends its use. No value of a document may be used any more.
func (m *documents) giveBack() {
	m.reset()
	looked.Put(m)
}

// text returns the decoded string, "" if v is no string. U+0000 becomes U+2400.
func (v value) text() string { return string(v.textBytes()) }

// str returns the decoded string; nil if v is no string or an empty one.
func (v value) str() *string {
	if s := v.text(); s != "" {
		return &s
	}
	return nil
}

// scalar returns the text of a string, number or boolean; nil for anything else and for "".
func (v value) scalar() *string {
	switch v.kind() {
	case 0, '{', '[', 'n':
		return nil
	case '"':
		return v.str()
	}
	return ptr(v.String())
}

// number returns the value of a number, or of a string of digits.
func (v value) number() (float64, bool) {
	text := v.String()
	if v.isString() {
		text = strings.TrimSpace(v.text())
		if strings.ContainsAny(text, "_xX") { // Go accepts these in numbers, JSON does not
			return 0, false
		}
	}
	if text == "" || text[0] != '-' && text[0] != '+' && (text[0] < '0' || text[0] > '9') {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

// integer is number without its fraction; nil if it does not fit.
func (v value) integer() *int64 {
	switch v.kind() {
	case 0, 't', 'f', '{', '[', 'n':
		return nil
	case '"':
	default:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return &n
		}
	}
	f, ok := v.number()
	if !ok || f >= math.MaxInt64 || f <= math.MinInt64 {
		return nil
	}
	n := int64(f)
	return &n
}

// count is integer for a count or a measure; nil if it is negative or too large for one.
func (v value) count() *int64 { return countable(v.integer()) }

// boolean returns true or false, also for 1 and 0 (columns of the header table); nil for anything else.
func (v value) boolean() *bool {
	var b bool
	switch v.String() {
	case "true", "1":
		b = true
	case "false", "0":
	default:
		return nil
	}
	return &b
}

// isTrue reports whether v is true.
func (v value) isTrue() bool {
	b := v.boolean()
	return b != nil && *b
}

// json returns v for a JSON column. A string that holds JSON is unpacked; any other string stays a JSON string. A
// missing value, null and "" become NULL.
func (v value) json() schema.JSON { return v.unquoted().column() }

// column is json for a value that is unquoted already.
func (v value) column() schema.JSON {
	if !v.says() {
		return nil
	}
	return v.clean()
}
