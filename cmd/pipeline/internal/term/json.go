package term

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"
	"unicode/utf16"
)

// JSONVersion is the version of what --json prints, of every command. It grows when a member is removed or renamed, or
// changes its type or its meaning; not when one is added.
const JSONVersion = 1

// JSONVersionName is the member that has the version, the first of every object that --json prints.
const JSONVersionName = "schema_version"

// PrintJSON prints a result: one indented object, with its version first.
func PrintJSON(w io.Writer, v any) error {
	var out bytes.Buffer
	if err := PrintBareJSON(&out, v); err != nil {
		return err
	}
	rest, isObject := bytes.CutPrefix(out.Bytes(), []byte("{"))
	if !isObject {
		return fmt.Errorf("a result of type %T is no JSON object", v)
	}
	begin := fmt.Sprintf("{\n  %q: %d", JSONVersionName, JSONVersion)
	if rest[0] == '}' {
		begin += "\n"
	} else {
		begin += ","
	}
	_, err := w.Write(append([]byte(begin), rest...))
	return err
}

// PrintBareJSON prints a value as indented JSON, without a version: for a file whose form another program sets.
func PrintBareJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// AppendJSON appends a value in one line, without the line end.
func AppendJSON(out *bytes.Buffer, v any) error {
	switch text := v.(type) {
	case []byte:
		v = string(text)
	case time.Time: // the library refuses some years
		v = text.UTC().Format(time.RFC3339Nano)
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1)
	return nil
}

// escapeControls escapes in JSON the characters that control a terminal: the library does so for most of them.
func escapeControls(out []byte) []byte {
	if bytes.IndexFunc(out, steers) < 0 {
		return out
	}
	var escaped bytes.Buffer
	for _, r := range string(out) {
		if !steers(r) {
			escaped.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&escaped, `\u%04x`, unit)
		}
	}
	return escaped.Bytes()
}
