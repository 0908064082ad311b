package transcript_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"pipeline/testdata/gen/transcripttest"
	"pipeline/transform/transcript"
)

// lines are what a transcript says, one thing a line, as package transcripttest writes it.
func lines(t *transcript.Transcript) (all []string) {
	for _, m := range t.Messages {
		head := fmt.Sprintf("%s %s text=%q", m.ID(), m.Role, m.Text)
		if m.TaggedAt != nil {
			head += fmt.Sprintf(" at=%d", *m.TaggedAt)
		}
		if m.Notice {
			head += " notice"
		}
		if m.Thinking != "" {
			head += fmt.Sprintf(" thinking=%q", m.Thinking)
		}
		if m.Ended != "" {
			head += fmt.Sprintf(" ended=%q", m.Ended)
		}
		all = append(all, head)
		for _, c := range m.Calls {
			call := "call " + c.Name
			if c.ID != "" {
				call += fmt.Sprintf(" id=%q", c.ID)
			}
			if c.Args != nil {
				call += " args=" + string(c.Args)
			}
			if c.Result != nil {
				call += fmt.Sprintf(" result=%q", *c.Result)
			}
			if c.IsError != nil {
				call += fmt.Sprintf(" is_error=%v", *c.IsError)
			}
			all = append(all, call)
		}
	}
	for _, e := range t.Ends {
		all = append(all, fmt.Sprintf("end %d status=%q error=%q", e.Line, e.Status, e.Error))
	}
	for _, p := range t.Problems {
		all = append(all, fmt.Sprintf("problem %s %d %q", p.Reason, p.Line, p.Begin))
	}
	if t.MoreProblems > 0 {
		all = append(all, fmt.Sprint("more problems ", t.MoreProblems))
	}
	for _, name := range slices.Sorted(maps.Keys(t.UnknownTypes)) {
		all = append(all, fmt.Sprintf("unknown %s %d", name, t.UnknownTypes[name]))
	}
	if t.ResultLines > 0 {
		all = append(all, fmt.Sprint("only results ", t.ResultLines))
	}
	return all
}

// compare says where two lists differ first. What is unknown may come in any order.
func compare(t *testing.T, name string, want, got []string) {
	t.Helper()
	for _, l := range [][]string{want, got} {
		slices.SortStableFunc(l, func(a, b string) int {
			if strings.HasPrefix(a, "unknown ") && strings.HasPrefix(b, "unknown ") {
				return strings.Compare(a, b)
			}
			return 0
		})
	}
	for i := range max(len(want), len(got)) {
		var w, g string
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			t.Errorf("%s, thing %d:\nwant %s\ngot  %s", name, i, w, g)
			return
		}
	}
}

// TestTranscriptCases: each shape is read as the generator says.
func TestTranscriptCases(t *testing.T) {
	t.Parallel()
	for _, c := range transcripttest.Cases() {
		form := map[string]transcript.Form{".txt": transcript.Text, ".json": transcript.Array}[path.Ext(c.Path)]
		before := slices.Clone(c.Text)
		compare(t, c.Name, c.Want, lines(transcript.Parse(c.Text, form, transcript.Limits{})))
		if !slices.Equal(before, c.Text) {
			t.Errorf("%s: the bytes were changed", c.Name)
		}
	}
}

// TestTranscriptRandom: what the generator makes up is read in all four ways, with line ends of Windows, too.
func TestTranscriptRandom(t *testing.T) {
	t.Parallel()
	messages := 0
	for seed := range uint64(600) {
		talk := transcripttest.Random(seed)
		messages += len(talk)
		for name, test := range map[string]struct {
			text []byte
			form transcript.Form
			want []string
		}{
			"JSONL":  {talk.JSONL(), transcript.JSONL, talk.Want()},
			"alone":  {talk.Text(true), transcript.Text, talk.WantText(true)},
			"inline": {talk.Text(false), transcript.Text, talk.WantText(false)},
			"array":  {talk.Array(), transcript.Array, talk.WantArray()},
		} {
			name = fmt.Sprint("seed ", seed, ", ", name)
			compare(t, name, test.want, lines(transcript.Parse(test.text, test.form, transcript.Limits{})))
			windows := []byte("\uFEFF" + strings.ReplaceAll(string(test.text), "\n", "\r\n"))
			compare(t, name+" of Windows", test.want, lines(transcript.Parse(windows, test.form, transcript.Limits{})))
			if t.Failed() {
				t.Fatalf("%s", test.text)
			}
		}
	}
	if messages < 2_000 {
		t.Errorf("only %d messages were read", messages)
	}
}
