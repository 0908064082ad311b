package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"pipeline/load/redact/redacttest"
)

// each writes each byte of a text by a format.
func each(format string) func(string) string {
	return func(s string) string {
		var out strings.Builder
		for i := range len(s) {
			fmt.Fprintf(&out, format, s[i])
		}
		return out.String()
	}
}

func in64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// broken breaks a text into lines of so many characters.
func brokenAt(width int, between string) func(string) string {
	return func(s string) string { return "$ show\n" + wrapped(s, width, between) + "\n$ " }
}

// TestRedactEncodings: a secret is found through several encodings, and where lines of a terminal broke it.
func TestRedactEncodings(t *testing.T) {
	t.Parallel()
	for name, encode := range map[string]func(string) string{
		"base64":               in64,
		"base64 twice":         func(s string) string { return in64(in64(s)) },
		"base64 thrice":        func(s string) string { return in64(in64(in64(s))) },
		"base64 of an address": func(s string) string { return in64(url.QueryEscape(s)) },
		"an address of base64": func(s string) string { return "q=" + url.QueryEscape(in64(s)) },
		"an address twice":     func(s string) string { return "q=" + url.QueryEscape(url.QueryEscape(s+"&=")) },
		"percent signs":        each("%%%02x"),
		"escapes of JSON":      each(`\u%04x`),
		"escapes of code":      each(`\x%02x`),
		"entities":             each("&#%d;"),
		"digits":               func(s string) string { return hex.EncodeToString([]byte(s)) },
		"digits of base64":     func(s string) string { return hex.EncodeToString([]byte(in64(s))) },
		"base64 of digits":     func(s string) string { return in64(hex.EncodeToString([]byte(s))) },
		"lines":                brokenAt(40, "\n"),
		"lines with an indent": brokenAt(52, "\n    "),
		"lines of Windows":     brokenAt(60, "\r\n"),
	} {
		missed := 0
		for _, s := range redacttest.Forms(5) {
			if !strings.HasPrefix(s.Kind, "prefixes") || strings.Contains(name, "lines") && len(s.Text) < 40 ||
				len(s.Text) < 26 {
				continue
			}
			for _, in := range []string{"alone", "JSON", "JSON in JSON", "code"} {
				out := holds(t, contexts[in]("it is:\n"+encode(s.Text)))
				left := encode(s.Text)
				if n := len(left) * 2 / 3; strings.Contains(decoded(out), left[n:]) &&
					!strings.Contains(out, "[redacted") {
					missed++
					t.Errorf("%s, %s, %s: %.200q", name, s.Kind, in, out)
					break
				}
			}
		}
	}
}
