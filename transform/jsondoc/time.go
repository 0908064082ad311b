package jsondoc

import (
	"math"
	"strings"
	"time"

	"pipeline/sql/schema"
)

// secondsBelow separates seconds from milliseconds: a smaller number is seconds.
const secondsBelow = 1e11

// isoLayouts are the text forms of a time: those of ISO 8601, also with a space in place of the T, or before the
// offset. Forms without a zone are UTC. A fraction of a second may follow a point or a comma.
var isoLayouts = func() []string {
	out := []string{time.RFC3339Nano}
	for _, zone := range []string{"Z07:00", "", "Z0700", "Z07", " Z07:00", " Z0700"} {
		for _, clock := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04",
			"2006-01-02 15:04", "20060102T150405", "20060102T1504", "2006-01-02T15"} {
			out = append(out, clock+zone)
		}
	}
	return append(out, "2006-01-02", "2006-002")
}()

// Time reads a time: milliseconds, seconds, or ISO 8601; nil for anything else.
func Time(text string) *schema.Millis {
	if ms, ok := Moment(text); ok {
		return Plausible(ms)
	}
	return nil
}

// Moment is Time, of any year.
func Moment(text string) (ms int64, ok bool) {
	text = strings.TrimSpace(text)
	if f, isNumber := number(text); isNumber {
		if f < secondsBelow {
			f *= 1000
		}
		return int64(f), math.Abs(f) < 1e15
	}
	if len(text) < len("2006-002") || text[0] < '0' || text[0] > '9' {
		return 0, false
	}
	text = strings.ToUpper(text) // RFC 3339 permits t and z
	for _, layout := range isoLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UnixMilli(), true
		}
	}
	return 0, false
}

// Plausible is a time within the bounds of times. A number outside them means something else (relative
// clientStartTime, process offsets: docs/formats.md, Times).
func Plausible(ms int64) *schema.Millis {
	if ms < schema.Earliest || ms >= schema.Latest {
		return nil
	}
	m := schema.Millis(ms)
	return &m
}
