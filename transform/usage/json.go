package usage

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"pipeline/transform/jsondoc"
)

// This file reads JSON: one value after another, or one value on each line. One file may hold different kinds of
// values; each value shows its own kind (a page of events, an event of the API, a hook's, a line of a stream).

// fields are the members of an object.
type fields map[string]json.RawMessage

// object reads an object; nil for other JSON, and for none.
func object(b []byte) (f fields) {
	b = bytes.TrimSpace(b)
	if len(b) == 0 || b[0] != '{' || json.Unmarshal(b, &f) != nil {
		return nil
	}
	return f
}

// text is the text of a member, or its number as it is written; "" for none.
func (f fields) text(name string) string {
	b, s := f[name], ""
	switch {
	case len(b) == 0 || string(b) == "null":
	case b[0] != '"':
		return string(b)
	default:
		_ = json.Unmarshal(b, &s) // it is valid
	}
	return s
}

// has reports whether a member is there and is not null.
func (f fields) has(name string) bool { return len(f[name]) > 0 && string(f[name]) != "null" }

// lists are the members in which a page has its events: of the dashboard, and of the Admin API [opik] [page readers].
var lists = []string{"usageEventsDisplay", "usageEvents"}

// pageFields are what a page may have.
var pageFields = append(lists, "totalUsageEventsCount", "pagination", "period")

// isPage reports whether an object is a page of events. One without events has only their number.
func (f fields) isPage() bool {
	return f[lists[0]] != nil || f[lists[1]] != nil || f["totalUsageEventsCount"] != nil
}

// maxNested is how deep pages and arrays are in each other: an array of pages is one deep.
const maxNested = 4

// begins is how many lines are looked at to tell whether a file has one value on each.
const begins = 20

// byLine reports whether a file has one value on each line. A page may be on one line, too; it is read as a value,
// however long it is.
func byLine(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if payload, tabs := afterTabs(first); payload != nil && (len(tabs) > 0 || object(payload) != nil) {
		return len(tabs) > 0 || !object(payload).isPage()
	}
	if text[0] == '[' || text[0] == '{' && json.NewDecoder(bytes.NewReader(text)).Decode(&json.RawMessage{}) == nil {
		return false
	}
	values, others := 0, 1 // the first line may be damaged
	for n := 0; n < begins && len(rest) > 0; n++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if payload, _ := afterTabs(line); object(payload) != nil {
			values++
		} else if len(bytes.TrimSpace(line)) > 0 {
			others++
		}
	}
	return values >= others
}

// afterTabs is the JSON of a line, and what is before it: some logs have the event's name or a time there, and a tab
// behind it [satelle], or a time in brackets [hook docs], and a word in others [hook loggers].
func afterTabs(line []byte) (payload []byte, tabs []string) {
	for {
		line = bytes.Trim(line, " \r")
		if stamp, after, ok := stamped(line); ok && len(after) > 0 && (after[0] == '{' || after[0] == '[') {
			tabs, line = append(tabs, stamp), after
			continue
		}
		if len(line) > 0 && (line[0] == '{' || line[0] == '[') {
			return line, tabs
		}
		before, after, ok := bytes.Cut(line, []byte("\t"))
		if !ok || len(tabs) == 4 {
			return nil, nil
		}
		tabs, line = append(tabs, string(before)), after
	}
}

// jsonLines reads a file with one value on each line. The last line may be cut off: then it is a bad one.
func (r *reader) jsonLines(text []byte) {
	for n := 1; len(text) > 0 && !r.full; n++ {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte("\n"))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		payload, tabs := afterTabs(line)
		switch {
		case len(line) > r.limits.Line:
			r.problem(tooLarge, n, "")
		case payload == nil || !json.Valid(payload):
			r.problem(badLine, n, "")
		default:
			r.value(payload, n, around(tabs))
		}
	}
}

// jsonValues reads values one after another. A value that is damaged costs what is behind the damage on the same line,
// no more.
func (r *reader) jsonValues(text []byte) {
	for offset, n, counted := 0, 1, 0; !r.full; {
		rest := bytes.TrimLeft(text[offset:], " \t\r\n,")
		if len(rest) == 0 {
			return
		}
		offset = len(text) - len(rest)
		n, counted = n+bytes.Count(text[counted:offset], []byte("\n")), offset
		var raw json.RawMessage
		d := json.NewDecoder(bytes.NewReader(rest))
		err := d.Decode(&raw)
		if err == nil {
			r.value(raw, n, context{})
			offset += int(d.InputOffset())
			continue
		}
		damage := len(rest)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			damage = min(max(int(syntax.Offset)-1, 0), len(rest))
		}
		r.walk(rest[:damage], n)
		r.problem(badLine, n+bytes.Count(rest[:damage], []byte("\n")), "")
		next := bytes.IndexByte(rest[damage:], '\n')
		if next < 0 {
			return
		}
		offset += damage + next + 1
	}
}

// value reads a value that is valid JSON.
func (r *reader) value(raw []byte, line int, c context) {
	if jsondoc.Depth(raw) > r.limits.Depth {
		r.problem(tooDeep, line, "")
		return
	}
	f := object(raw)
	if raw[0] == '[' || f.isPage() {
		if r.nested == maxNested {
			r.problem(tooDeep, line, "")
			return
		}
		r.nested++
		r.walk(raw, line)
		r.nested--
		return
	}
	if len(raw) > r.limits.Line {
		r.problem(tooLarge, line, "")
		return
	}
	r.object(f, line, c)
}

// object reads an object that is no page.
func (r *reader) object(f fields, line int, c context) {
	switch kind := f.text("type"); {
	case f == nil:
		r.problem(badLine, line, "")
	case r.isHook(f, c):
		r.hook(f, line, c)
	case f.has("tokenUsage") || f.has("timestamp") && f.has("model") ||
		strings.HasPrefix(f.text("kind"), "USAGE_EVENT_KIND_"):
		r.api(f, line)
	case kind != "" && (kind == "result" || f.has("session_id")):
		r.stream(kind, f, line)
	default:
		r.problem(badLine, line, "")
	}
}

// walk reads the elements of an array, or the events of a page, as far as the text is valid: it may be cut off.
func (r *reader) walk(text []byte, line int) {
	d := json.NewDecoder(bytes.NewReader(text))
	open, err := d.Token()
	if err != nil {
		return
	}
	if open == json.Delim('[') {
		r.elements(d, text, line)
		return
	}
	for d.More() && !r.full {
		key, err := d.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return
		}
		value := bytes.TrimLeft(text[d.InputOffset():], " \t\r\n:")
		if name == lists[0] || name == lists[1] || name == "totalUsageEventsCount" {
			r.is(API)
		}
		if (name == lists[0] || name == lists[1]) && len(value) > 0 && value[0] == '[' {
			if _, err := d.Token(); err != nil || !r.elements(d, text, line) {
				return
			}
			continue
		}
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return
		}
		if r.Form == API && !slices.Contains(pageFields, name) {
			r.unknown("page", name)
		}
	}
}

// elements reads the elements of an array that was begun. It reports false if the text ends in them.
func (r *reader) elements(d *json.Decoder, text []byte, line int) bool {
	for counted := 0; d.More() && !r.full; {
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return false
		}
		begin := int(d.InputOffset()) - len(raw)
		line, counted = line+bytes.Count(text[counted:begin], []byte("\n")), begin
		r.value(raw, line, context{})
	}
	_, err := d.Token()
	return err == nil
}
