package usage

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
)

// This file reads the log that Cursor keeps of its hooks (docs/formats.md, Cursor's own log of hooks): lines with a
// time, and for each hook that was called what it was given, what it printed, and what it complained of.

// What stands alone on the line before a payload, and what begins the line with a rule.
const (
	inputLine = "INPUT:"
	ruleMark  = "═"
)

// isHookLog reports whether a text is such a log. It begins with a time or, if it was cut in two, with a rule.
func isHookLog(text []byte) bool {
	_, after, ok := stamped(text)
	return (ok && !bytes.HasPrefix(after, []byte("{")) || bytes.HasPrefix(text, []byte(ruleMark))) &&
		(bytes.Contains(text, []byte("\n"+inputLine)) || bytes.Contains(text, []byte("] Hook step requested: ")))
}

// stamped cuts a time in brackets off the beginning of a line. A time without a zone is that of a clock of which nobody
// says where it was: it is cut off, and is "".
func stamped(line []byte) (stamp string, after []byte, ok bool) {
	if !bytes.HasPrefix(line, []byte("[")) {
		return "", line, false
	}
	inside, after, ok := bytes.Cut(line[1:], []byte("] "))
	if !ok || bytes.ContainsAny(inside, "[]{}\"\n") {
		return "", line, false
	}
	if _, err := time.Parse(time.RFC3339, string(inside)); err == nil {
		stamp = string(inside)
	}
	return stamp, bytes.TrimLeft(after, " "), true
}

// hookLog reads payloads. Each has the time of the last line before it that has one. What hooks have printed is not
// read.
func (r *reader) hookLog(text []byte) {
	r.is(Hook)
	var c context
	for n := 1; len(text) > 0 && !r.full; n++ {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if stamp, _, ok := stamped(line); ok {
			c = around([]string{stamp})
		} else if strings.TrimSpace(string(line)) == inputLine {
			var payload json.RawMessage
			d := json.NewDecoder(bytes.NewReader(rest))
			if d.Decode(&payload) != nil { // the log may be cut off
				r.problem(badLine, n+1, "")
			} else {
				r.value(payload, n+1, c)
				n += bytes.Count(rest[:d.InputOffset()], []byte("\n"))
				rest = rest[d.InputOffset():]
			}
		}
		text = rest
	}
}
