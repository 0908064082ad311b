package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
)

// This file reads the tool calls of text files.

// place is where a call is: the indexes of its message and of the call in it.
type place struct{ message, call int }

// openCalls are the calls of a turn. A result belongs to the first call of its name that has none; without a name, to
// the first call that has none.
type openCalls struct {
	inOrder []place
	byName  map[string][]place
}

func (o *openCalls) add(name string, p place) {
	if o.byName == nil {
		o.byName = map[string][]place{}
	}
	o.inOrder = append(o.inOrder, p)
	o.byName[name] = append(o.byName[name], p)
}

// answer gives a result to its call; nil says that the call has ended, and not how. It reports whether there is one.
func (r *reader) answer(open *openCalls, name string, result *string) (found bool) {
	queue := open.byName[name]
	if name == "" {
		queue = open.inOrder
	}
	for len(queue) > 0 && !found {
		call := &r.Messages[queue[0].message].Calls[queue[0].call]
		queue = queue[1:]
		if call.Result == nil {
			call.Result, found = result, true
		}
	}
	if name == "" {
		open.inOrder = queue
	} else if open.byName != nil {
		open.byName[name] = queue
	}
	return found
}

// named cuts the name of a call's tool off its line: the first argument may stand behind it.
func named(line string) (name string, first []string) {
	name, rest, _ := strings.Cut(line, " ")
	if _, _, ok := keyed(strings.TrimSpace(rest), "="); ok {
		return name, []string{strings.TrimSpace(rest)}
	}
	return line, nil
}

// args are the arguments of a call as JSON. Lines key=value, or lines key: value, are an object of texts: a value goes
// on to the next line that begins with a key which the call does not have yet. Else the lines are JSON, or a text, as
// of a patch. nil for no lines.
func args(all []string) json.RawMessage {
	if len(all) == 0 {
		return nil
	}
	sign := "="
	if _, _, ok := keyed(all[0], sign); !ok {
		sign = ":"
	}
	if _, _, ok := keyed(all[0], sign); !ok {
		text := strings.Join(all, "\n")
		if json.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
		return quoted(text)
	}
	seen := map[string]bool{}
	out := []byte("{")
	var value []string
	flush := func() {
		if value != nil {
			out = append(out, quoted(strings.Join(value, "\n"))...)
		}
	}
	for _, line := range all {
		key, rest, ok := keyed(line, sign)
		if !ok || seen[key] {
			value = append(value, line)
			continue
		}
		flush()
		if len(seen) > 0 {
			out = append(out, ',')
		}
		out = append(append(out, quoted(key)...), ':')
		seen[key], value = true, []string{rest}
	}
	flush()
	return append(out, '}')
}

// keyed reads a line with a key, a sign and a value: key=value, or key: value, where a space is behind the sign. A key
// is a name without spaces. Before a colon it has a small letter: a line "Note: this" is prose.
func keyed(line, sign string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, sign)
	if sign == ":" && value != "" {
		if value, ok = strings.CutPrefix(value, " "); !ok {
			return "", "", false
		}
	}
	if !ok || key == "" || sign == ":" && key[0] >= 'A' && key[0] <= 'Z' {
		return "", "", false
	}
	for i, c := range []byte(key) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '-' && c != '.') {
			return "", "", false
		}
	}
	return key, value, true
}

// quoted is a text as JSON.
func quoted(s string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil { // a text always can be written
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
