package transcript_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pipeline/testdata/gen/transcripttest"
	"pipeline/transform/transcript"
)

// TestTranscriptBounds: what is beyond a limit is left out and named, and the rest is read.
func TestTranscriptBounds(t *testing.T) {
	t.Parallel()
	message := func(text string) string { return `{"role":"user","message":{"content":"` + text + `"}}` + "\n" }
	long := strings.Repeat("x", 200)
	for _, test := range []struct {
		name, text string
		form       transcript.Form
		limits     transcript.Limits
		want       []string
	}{
		{"line", message("a") + message(long) + message("b"), transcript.JSONL, transcript.Limits{Line: 100},
			[]string{`#1 user text="a"`, `#3 user text="b"`,
				`problem too_large 2 "` + strings.ReplaceAll(message(long)[:80], `"`, `\"`) + `"`}},
		{"line of a text file", "user:\n" + long + "\nb\n", transcript.Text, transcript.Limits{Line: 100},
			[]string{`#1 user text="b"`, `problem too_large 2 "` + long[:80] + `"`}},
		{"messages", message("a") + `{"type":"error"}` + "\n" + message("b") + message("c"), transcript.JSONL,
			transcript.Limits{Messages: 2}, []string{`#1 user text="a"`, `end 2 status="" error=""`,
				`problem too_large 3 "` + strings.ReplaceAll(strings.TrimSpace(message("b")), `"`, `\"`) + `"`}},
		{"messages of a text file", "user: a\nA: b\nuser: c\n", transcript.Text, transcript.Limits{Messages: 2},
			[]string{`#1 user text="a"`, `#2 assistant text="b"`, `problem too_large 3 "user: c"`}},
	} {
		compare(t, test.name, test.want, lines(transcript.Parse([]byte(test.text), test.form, test.limits)))
	}
	damaged := transcript.Parse(bytes.Repeat([]byte("x\n"), 1500), transcript.JSONL, transcript.Limits{})
	if len(damaged.Problems) != 1000 || damaged.MoreProblems != 500 || damaged.Problems[999].Line != 1000 {
		t.Errorf("%d problems and %d more", len(damaged.Problems), damaged.MoreProblems)
	}
	var types strings.Builder
	for i := range 500 {
		fmt.Fprintf(&types, "{\"type\":\"t%d\"}\n", i)
	}
	if got := transcript.Parse([]byte(types.String()), transcript.JSONL, transcript.Limits{}).
		UnknownTypes; len(got) != 201 || got["(other)"] != 300 || got["line.t199"] != 1 {
		t.Errorf("%d types", len(got))
	}
}

// TestTranscriptCost: no shape of a file costs more than its size.
func TestTranscriptCost(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	for _, piece := range []string{"user:\n<user_query>\n", "assistant:\n[Tool call] a\n[Tool result] b\n",
		"[Tool call] a\n[Tool call] b\n", "[Tool result]\n", "  x=1\n", "[REDACTED]\n", "[Thinking] x\n\n", "A: x\n",
		"\n", "  \n"} {
		for _, before := range []string{"assistant:\n", "assistant:\n[Tool call] a\n", "user:\nx\n"} {
			transcript.Parse([]byte(before+strings.Repeat(piece, 1<<19/len(piece))), transcript.Text,
				transcript.Limits{})
		}
	}
	transcript.Parse([]byte("A:\n"+strings.Repeat("[Tool call] a\n[Tool result] a\n", 300_000)), transcript.Text,
		transcript.Limits{})
	nested := `{"role":"assistant","message":{"content":[{"type":"tool_use","input":` + strings.Repeat("[", 1<<20)
	transcript.Parse([]byte(nested), transcript.JSONL, transcript.Limits{})
	if d := time.Since(begin); d > 30*time.Second {
		t.Errorf("it took %s", d)
	}
}

// texts are all texts of a transcript.
func texts(tr *transcript.Transcript) (all []string) {
	for _, m := range tr.Messages {
		all = append(all, m.Role, m.Text, m.Thinking)
		for _, c := range m.Calls {
			all = append(all, c.ID, c.Name, string(c.Args))
			if c.Result != nil {
				all = append(all, *c.Result)
			}
		}
	}
	for _, e := range tr.Ends {
		all = append(all, e.Status, e.Error)
	}
	for _, p := range tr.Problems {
		all = append(all, p.Begin)
	}
	for name := range tr.UnknownTypes {
		all = append(all, name)
	}
	return all
}

// FuzzParse reads any bytes in each form. Texts are valid, there are not more things than lines, the lines ascend, and
// the same bytes say the same again.
func FuzzParse(f *testing.F) {
	for _, c := range transcripttest.Cases() {
		f.Add(c.Text)
	}
	for seed := range uint64(20) {
		talk := transcripttest.Random(seed)
		f.Add(talk.JSONL())
		f.Add(talk.Text(seed%2 == 0))
		f.Add(talk.Array())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, form := range []transcript.Form{transcript.JSONL, transcript.Text, transcript.Array} {
			before := bytes.Clone(b)
			tr := transcript.Parse(b, form, transcript.Limits{})
			said := lines(tr)
			clear(b) // what it returned does not refer to the bytes
			if !slices.Equal(said, lines(tr)) {
				t.Fatal("the transcript refers to the bytes")
			}
			copy(b, before)
			if !slices.Equal(said, lines(transcript.Parse(b, form, transcript.Limits{}))) {
				t.Fatal("the same bytes give another transcript")
			}
			for _, s := range texts(tr) {
				if !utf8.ValidString(s) {
					t.Fatalf("%q is no text", s)
				}
			}
			last, all := 0, bytes.Count(b, []byte("\n"))+1
			if form == transcript.Array {
				all = bytes.Count(b, []byte(",")) + 2 // one that is not there, of a file that is cut off
			}
			for _, m := range tr.Messages {
				if m.Line <= last || m.Line > all {
					t.Fatalf("line %d behind %d of %d", m.Line, last, all)
				}
				last = m.Line
				for _, c := range m.Calls {
					if c.Args != nil && !json.Valid(c.Args) {
						t.Fatalf("%s are no arguments", c.Args)
					}
				}
			}
			if len(tr.Messages)+len(tr.Ends)+len(tr.Problems) > all {
				t.Fatalf("%d messages, %d ends and %d problems of %d lines", len(tr.Messages), len(tr.Ends),
					len(tr.Problems), all)
			}
		}
	})
}
