package usage_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pipeline/testdata/gen/usagetest"
	"pipeline/transform/usage"
)

// reasons are the problems of a file, and how many events it has.
func reasons(f *usage.File) string {
	s := fmt.Sprint(len(f.Events))
	for _, p := range f.Problems {
		s += fmt.Sprintf(" %s@%d", p.Reason, p.Line)
	}
	return s
}

// TestUsageBounds: what is beyond a limit is left out and named, and the rest is read.
func TestUsageBounds(t *testing.T) {
	t.Parallel()
	const header = "Date,Model,Output Tokens,Cost\n"
	row := func(model string) string { return "2026-07-03T22:15:00Z," + model + ",1,2\n" }
	event := func(model string) string {
		return `{"timestamp":"1783116900123","model":"` + model + `"}` + "\n"
	}
	page := func(events ...string) string {
		return `{"usageEvents":[` + strings.Join(events, ",") + "]}"
	}
	long := strings.Repeat("x", 200)
	nested := `{"timestamp":"1783116900123","model":"m","x":` + strings.Repeat("[", 5) + strings.Repeat("]", 5) + "}\n"
	for _, test := range []struct {
		name, text string
		limits     usage.Options
		want       string
	}{
		{"line of CSV", header + row("a") + row(long) + row("b"), usage.Options{Line: 100}, "2 too_large@3"},
		{"row of lines", header + row(`"`+strings.Repeat("x\n", 60)+`"`) + row("b"), usage.Options{}, "1" + bad(2, 62)},
		{"line of JSON", event("a") + event(long) + event("b"), usage.Options{Line: 100}, "2 too_large@2"},
		{"event of a page", page(event("a"), event(long), event("b")), usage.Options{Line: 100}, "2 too_large@2"},
		{"page", page(event("a"), event("b"), event("c"), event("d")), usage.Options{Line: 100}, "4"},
		{"events of CSV", header + row("a") + row("b") + row("c") + row("d"), usage.Options{Events: 2}, "2 too_many@4"},
		{"events of a page", page(event("a"), event("b"), event("c"), event("d")) + event("e"),
			usage.Options{Events: 2}, "2 too_many@3"},
		{"events of lines", event("a") + event("b") + event("c") + event("d"), usage.Options{Events: 2},
			"2 too_many@3"},
		{"depth", event("a") + nested + event("b"), usage.Options{Depth: 5}, "2 too_deep@2"},
		{"depth that is allowed", event("a") + nested + event("b"), usage.Options{Depth: 6}, "3"},
		{"pages in arrays", "[[[[[" + page(event("a")) + "]]]]]", usage.Options{}, "0 too_deep@1"},
	} {
		if got := reasons(usage.Parse([]byte(test.text), test.limits)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	damaged := usage.Parse([]byte(header+strings.Repeat("x\n", 1500)), usage.Options{})
	if len(damaged.Problems) != 1000 || damaged.MoreProblems != 500 || damaged.Problems[999].Line != 1001 {
		t.Errorf("%d problems and %d more", len(damaged.Problems), damaged.MoreProblems)
	}
	var fields strings.Builder
	for i := range 500 {
		fmt.Fprintf(&fields, `{"timestamp":"1783116900123","model":"m","f%03d":1}`+"\n", i)
	}
	if got := usage.Parse([]byte(fields.String()), usage.Options{}).Unknown; len(got) != 201 ||
		got["(other)"] != 300 || got["event.f199"] != 1 {
		t.Errorf("%d names", len(got))
	}
}

// bad are bad lines.
func bad(from, to int) (s string) {
	for n := from; n <= to; n++ {
		s += fmt.Sprintf(" bad_line@%d", n)
	}
	return s
}

// TestUsageCost: no shape of a file costs more than its size.
func TestUsageCost(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	for _, piece := range []string{"[\n", "{\n", "{\"a\":[", "[", "{\"usageEvents\":[", "{\"usageEvents\":[\n",
		"{}\n{\n", "\"\n", "a\"b\n", "a,\"b\n", "\"\"\"\n", "[]", "{}{", "\t", "\t{\n", "stop\t{}\n", "{\"payload\":",
		"{\"payload\":{}}\n"} {
		for _, before := range []string{"", "Date,Model,Cost\n", "{}\n", "[\n", "{\"usageEventsDisplay\":[\n"} {
			usage.Parse([]byte(before+strings.Repeat(piece, 1<<16/len(piece))), usage.Options{})
		}
	}
	if d := time.Since(begin); d > 30*time.Second {
		t.Errorf("it took %s", d)
	}
}

// texts are all texts of a file.
func texts(f *usage.File) (all []string) {
	for _, e := range f.Events {
		all = append(all, e.ID, e.Model, e.Kind, e.ConversationID, e.RequestID, e.CloudAgentID)
	}
	for _, p := range f.Problems {
		all = append(all, p.Reason, p.Field)
	}
	for name := range f.Unknown {
		all = append(all, name)
	}
	return all
}

// FuzzParse reads any bytes. Texts are valid, ids are there once, lines ascend, no count is negative, and the same
// bytes say the same again.
func FuzzParse(f *testing.F) {
	for _, c := range usagetest.Cases() {
		f.Add(c.Text)
	}
	for seed := range uint64(8) {
		requests, turns := usagetest.Requests(seed, 5), usagetest.Turns(seed, 5)
		for _, s := range styles(seed) {
			text, _ := usagetest.Export(requests, s, seed)
			f.Add(text)
		}
		for _, s := range pageStyles(seed) {
			text, _ := usagetest.Pages(requests, s)
			f.Add(text)
		}
		for _, way := range []string{"bare", "tab", "payload", "stdin_preview"} {
			text, _ := usagetest.Hooks(turns, way)
			f.Add(text)
		}
		text, _ := usagetest.Printed(turns, false)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		limits := usage.Options{Line: 1 << 10, Events: 100, Depth: 20}
		before := bytes.Clone(b)
		file := usage.Parse(b, limits)
		said := lines(file)
		clear(b) // what it returned does not refer to the bytes
		if !slices.Equal(said, lines(file)) {
			t.Fatal("the events refer to the bytes")
		}
		copy(b, before)
		if !slices.Equal(said, lines(usage.Parse(b, limits))) {
			t.Fatal("the same bytes give other events")
		}
		for _, s := range texts(file) {
			if !utf8.ValidString(s) {
				t.Fatalf("%q is no text", s)
			}
		}
		last, all, ids := 1, bytes.Count(b, []byte("\n"))+1, map[string]bool{}
		for _, e := range file.Events {
			if e.Line < last || e.Line > all || ids[e.ID] {
				t.Fatalf("line %d behind %d of %d, id %s", e.Line, last, all, e.ID)
			}
			last, ids[e.ID] = e.Line, true
			for _, n := range []*int64{e.FreshInputTokens, e.CacheWriteTokens, e.CacheReadTokens, e.OutputTokens} {
				if n != nil && *n < 0 {
					t.Fatalf("%d tokens", *n)
				}
			}
		}
		for _, p := range file.Problems {
			if p.Line < 1 || p.Line > all {
				t.Fatalf("a problem in line %d of %d", p.Line, all)
			}
		}
		if len(file.Events) > limits.Events {
			t.Fatalf("%d events", len(file.Events))
		}
	})
}
