package jsondoc

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"

	"pipeline/sql/schema"
)

// This file reads JSON values as what columns hold.

// Reasons why a document cannot be used, in the words of the quarantine. If several apply, the first counts.
var (
	ErrEmpty     = errors.New("empty")
	ErrNotUTF8   = errors.New("not_utf8")
	ErrTooDeep   = errors.New("too_deep")
	ErrBadJSON   = errors.New("bad_json")
	ErrNotObject = errors.New("not_object")
)

// lent has memory for documents of which nothing is kept.
var lent = sync.Pool{New: func() any { return &Documents{} }}

// Borrow returns memory for documents of which nothing is kept.
func Borrow() *Documents {
	memory, _ := lent.Get().(*Documents)
	return memory
}

// GiveBack ends its use. No value of a document may be used any more.
func (m *Documents) GiveBack() {
	m.Reset()
	lent.Put(m)
}

// Text returns the decoded string, "" if v is no string. U+0000 becomes U+2400.
func (v Value) Text() string { return string(v.TextBytes()) }

// Str returns the decoded string; nil if v is no string or an empty one.
func (v Value) Str() *string {
	if s := v.Text(); s != "" {
		return &s
	}
	return nil
}

// Scalar returns the text of a string, number or boolean; nil for anything else and for "".
func (v Value) Scalar() *string {
	switch v.Kind() {
	case 0, '{', '[', 'n':
		return nil
	case '"':
		return v.Str()
	}
	return new(v.String())
}

// Number returns the value of a number, or of a string of digits.
func (v Value) Number() (float64, bool) {
	if v.IsString() {
		return number(strings.TrimSpace(v.Text()))
	}
	return number(v.String())
}

func number(text string) (float64, bool) {
	if text == "" || text[0] != '-' && text[0] != '+' && (text[0] < '0' || text[0] > '9') ||
		strings.ContainsAny(text, "_xX") { // Go accepts these in numbers, JSON does not
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

// Integer is Number without its fraction; nil if it does not fit.
func (v Value) Integer() *int64 {
	switch v.Kind() {
	case 0, 't', 'f', '{', '[', 'n':
		return nil
	case '"':
	default:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return &n
		}
	}
	f, ok := v.Number()
	if !ok || f >= math.MaxInt64 || f <= math.MinInt64 {
		return nil
	}
	n := int64(f)
	return &n
}

// Count is Integer for a count or a measure; nil if it is negative or too large for one.
func (v Value) Count() *int64 { return Countable(v.Integer()) }

// Boolean returns true or false, also for 1 and 0 (columns of the header table); nil for anything else.
func (v Value) Boolean() *bool {
	var b bool
	switch v.String() {
	case "true", "1", `"true"`:
		b = true
	case "false", "0", `"false"`:
	default:
		return nil
	}
	return &b
}

// IsTrue reports whether v is true.
func (v Value) IsTrue() bool {
	b := v.Boolean()
	return b != nil && *b
}

// JSON returns v for a JSON column. A string that holds JSON is unpacked; any other string stays a JSON string. A
// missing value, null and "" become NULL.
func (v Value) JSON() schema.JSON { return v.Unquoted().Column() }

// Column is JSON for a value that is unquoted already.
func (v Value) Column() schema.JSON {
	if !v.Says() {
		return nil
	}
	return v.Clean()
}

// Countable returns n if it is within the bounds of counts, else nil.
func Countable(n *int64) *int64 {
	if n == nil || *n < 0 || *n > schema.MaxCount {
		return nil
	}
	return n
}
