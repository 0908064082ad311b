package usage

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"pipeline/transform/jsondoc"
)

// This file reads values: the same in all forms of files, which write numbers as texts and texts as numbers.

// values are the values of one event by name. One that cannot be read is none, and costs no other.
type values struct {
	get       func(name string) string // "" for none
	separator rune                     // of an export: if it is no comma, a comma may stand before decimals
	bad       []Problem                // of its values, without a line
}

// refuse notes a value that cannot be read.
func (v *values) refuse(reason, field string) {
	v.bad = append(v.bad, Problem{Reason: reason, Field: field})
}

// text is a text without spaces around it. An object is none.
func (v *values) text(name string) string {
	if s := v.get(name); strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") {
		return ""
	}
	return strings.Clone(strings.ToValidUTF8(strings.TrimSpace(v.get(name)), "\uFFFD"))
}

// count is a number of tokens.
func (v *values) count(name string) *int64 {
	s := strings.TrimSpace(v.get(name))
	if isNone(s) {
		return nil
	}
	n, ok := wholeNumber(s)
	if !ok {
		v.refuse(badNumber, name)
		return nil
	}
	return &n
}

// noAmount begins what stands in place of an amount where nothing is recorded.
var noAmount = []string{"included", "free", "errored", "aborted"}

// cents is an amount in cents, of one in cents or in dollars.
func (v *values) cents(name string, dollars bool) *float64 {
	s := strings.TrimSpace(v.get(name))
	if isNone(s) || slices.ContainsFunc(noAmount,
		func(word string) bool { return strings.HasPrefix(strings.ToLower(s), word) }) {
		return nil
	}
	shift := 0
	if dollars {
		shift = 2
	}
	plain, ok := s, true
	if v.separator == ';' || v.separator == '\t' && strings.ContainsRune(s, ',') {
		plain, ok = withPoint(s)
	}
	x, isAmount := amount(plain, shift)
	if !ok || !isAmount {
		v.refuse(badNumber, name)
		return nil
	}
	return &x
}

// withPoint is an amount with a point before its decimals, of one that may have a comma there. It reports false where
// three digits behind the sign may be thousands.
func withPoint(s string) (string, bool) {
	at := strings.LastIndexAny(s, ",.")
	if at < 0 {
		return s, true
	}
	whole, decimals := s[:at], s[at+1:]
	switch other := strings.ContainsAny(whole, ",."); {
	case !other && len(decimals) == 3 && strings.Trim(whole, "-$ 0") != "":
		return "", false
	case s[at] == '.':
		return s, true
	default:
		return strings.ReplaceAll(whole, ".", ",") + "." + decimals, !strings.Contains(whole, ",")
	}
}

// flag is yes or no; nil for anything else.
func (v *values) flag(name string) *bool {
	var is bool
	switch strings.ToLower(strings.TrimSpace(v.get(name))) {
	case "yes", "true":
		is = true
	case "no", "false":
	default:
		return nil
	}
	return &is
}

// time is a time in milliseconds. An event of the dashboard has one, by which it is told from others: without it the
// event cannot be read.
func (v *values) time(name string) *int64 {
	ms, ok := moment(v.get(name))
	if !ok {
		v.refuse(badDate, name)
		return nil
	}
	return &ms
}

// isNone reports whether a value says that there is none.
func isNone(s string) bool { return s == "" || s == "-" || s == "–" || s == "—" }

// wholeNumber reads a number of tokens: digits, with commas between thousands, or a JSON number that is whole. With a
// point and three digits it may be a thousand times as much, and is none.
func wholeNumber(s string) (int64, bool) {
	s, ok := plainNumber(s)
	if _, decimals, _ := strings.Cut(s, "."); !ok || s[0] == '-' || len(decimals) == 3 {
		return 0, false
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || f > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// amount reads an amount such as $1,234.50, and moves its point to the right. The text is moved, not the number: 0.29
// dollars are 29 cents exactly.
func amount(s string, shift int) (float64, bool) {
	sign := ""
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, s = "-", rest
	}
	s, ok := plainNumber(strings.TrimSpace(strings.TrimPrefix(s, "$")))
	if !ok {
		return 0, false
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	if n, err := strconv.Atoi(exponent); err == nil {
		shift += n
	}
	x, err := strconv.ParseFloat(sign+mantissa+"e"+strconv.Itoa(shift), 64)
	return x, err == nil && (sign == "" || s[0] != '-')
}

// plainNumber is a number as Go reads it, of one with commas between thousands. It reports false for what is no number.
func plainNumber(s string) (string, bool) {
	whole, rest := s, ""
	if at := strings.IndexAny(s, ".eE"); at >= 0 {
		whole, rest = s[:at], s[at:]
	}
	groups := strings.Split(strings.TrimPrefix(whole, "-"), ",")
	for i, g := range groups {
		if g == "" && (len(groups) > 1 || len(rest) < 2 || rest[0] != '.') || strings.Trim(g, "0123456789") != "" ||
			i > 0 && len(g) != 3 || len(groups) > 1 && len(g) > 3 {
			return "", false
		}
	}
	if strings.Trim(rest, "0123456789.eE+-") != "" {
		return "", false
	}
	s = strings.ReplaceAll(whole, ",", "") + rest
	if x, err := strconv.ParseFloat(s, 64); err != nil || math.Abs(x) > 1e15 {
		return "", false
	}
	return s, true
}

// Times before and after these are none: no editor, or another unit.
var (
	earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	latest   = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
)

// moment reads a time: milliseconds, seconds if there are at most eleven digits, or a date. Exports have one of
// RFC 3339 [csv readers]; the other forms are those of programs that wrote a file anew. An event of an odd year counts,
// though its row has no time.
func moment(s string) (ms int64, ok bool) {
	ms, ok = jsondoc.Moment(strings.TrimSuffix(strings.TrimSpace(s), " UTC"))
	return ms, ok && ms >= earliest && ms < latest
}
