package term

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"
	"unicode/utf16"
)

// PrintJSON prints a value as indented JSON.
func PrintJSON(w io.Writer, v any) error {
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
