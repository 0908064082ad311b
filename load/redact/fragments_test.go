package redact_test

import (
	"strings"
	"testing"

	"pipeline/load/redact/redacttest"
)

// fragments are what texts are made of that are hard to redact.
var fragments = []string{
	`"`, `\"`, `\\`, `\\\"`, `\n`, "\n", " ", ": ", "=", ",", "{", "}", "[", "]", `\u003d`, `\u00e9`, `\u`, "é", "\xff",
	"key", "api_key", "token", "password", "PASSWORD=", "secret", "Bearer ", "Authorization: ", "://", "a:b@c",
	"/home/", "/Users/", "/root", `C:\Users\`, `C:\\Users\\`, "bob", "Anna Maria", "[redacted:jwt]", "[redacted:", "~",
	"file://", "curl -u ", "-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----", "eyJ", ".",
	"x8Kq9LmN2pR7tV4w", "1234567890123456", "asana", "kind: Secret", "data: ", "'", "`", "%3A", "%2F", "test_",
	"sourcegraph",
}

// TestRedactFragments: the promises hold whatever is beside what: nothing is found in what was redacted, JSON stays
// JSON.
func TestRedactFragments(t *testing.T) {
	t.Parallel()
	d := redacttest.NewDice(42)
	all := redacttest.Secrets(42)
	texts := 600
	if testing.Short() {
		texts = 200
	}
	for range texts {
		var b strings.Builder
		for range 1 + d.IntN(14) {
			if d.IntN(6) == 0 {
				if p := all[d.IntN(len(all))]; len(p.Text) < 1000 {
					b.WriteString(p.Text[d.IntN(2)*d.IntN(len(p.Text)):])
				}
				continue
			}
			b.WriteString(fragments[d.IntN(len(fragments))])
		}
		text := b.String()
		holds(t, text)
		holds(t, `{"a":`+quote(text)+`,"token": 1234567890123456 }`)
		holds(t, `[`+quote(`{`+quote(text)+`:`+quote(quote(text))+`}`)+`]`)
	}
}
