package transform

import (
	"testing"

	"pipeline/transform/transcript"
)

// TestFailureBody: the error of a transcript is a text, or JSON as bubbles have it.
func TestFailureBody(t *testing.T) {
	for said, want := range map[string][2]string{
		"no network": {"", "no network"},
		`{"error":{"code":"rate","details":{"title":"Slow down","detail":"wait"}}}`: {"rate", "Slow down: wait"},
		`{"colour":"red"}`: {"", `{"colour":"red"}`},
		`[1]`:              {"", `[1]`},
	} {
		m := failureBody(&transcript.End{Line: 3, Error: said}).message
		if m.MessageID != "#3" || deref(m.ErrorCode) != want[0] || deref(m.Error) != want[1] {
			t.Errorf("%s is %s, %q, %q", said, m.MessageID, deref(m.ErrorCode), deref(m.Error))
		}
	}
}
