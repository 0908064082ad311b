package usage_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pipeline/testdata/gen/usagetest"
	"pipeline/transform/usage"
)

// eventLine is an event as package usagetest writes it.
func eventLine(e usage.Event) string {
	count := func(n *int64) string {
		if n == nil {
			return "-"
		}
		return strconv.FormatInt(*n, 10)
	}
	cents := func(x *float64) string {
		if x == nil {
			return "-"
		}
		return strconv.FormatFloat(*x, 'f', -1, 64)
	}
	flag := func(b *bool) string {
		if b == nil {
			return "-"
		}
		return strconv.FormatBool(*b)
	}
	total := ""
	if e.TotalTokens != nil && *e.TotalTokens != 0 && e.FreshInputTokens == nil && e.CacheWriteTokens == nil &&
		e.CacheReadTokens == nil && e.OutputTokens == nil {
		total = " total=" + count(e.TotalTokens)
	}
	return fmt.Sprintf("event %d %s at=%s model=%q kind=%q conversation=%q request=%q cloud=%q person=%q fresh=%s "+
		"write=%s read=%s output=%s%s cost=%s charged=%s headless=%s max=%s counted=%t",
		e.Line, e.Origin, count(e.OccurredAt), e.Model, e.Kind, e.ConversationID, e.RequestID, e.CloudAgentID, e.Person,
		count(e.FreshInputTokens), count(e.CacheWriteTokens), count(e.CacheReadTokens), count(e.OutputTokens), total,
		cents(e.CostCents), cents(e.ChargedCents), flag(e.IsHeadless), flag(e.MaxMode), e.IsCounted)
}

// lines are what a file says, one thing a line.
func lines(f *usage.File) (all []string) {
	for _, e := range f.Events {
		all = append(all, eventLine(e))
	}
	for _, p := range f.Problems {
		all = append(all, fmt.Sprintf("problem %s %d %s", p.Reason, p.Line, p.Field))
	}
	if f.MoreProblems > 0 {
		all = append(all, fmt.Sprint("more problems ", f.MoreProblems))
	}
	for _, name := range slices.Sorted(maps.Keys(f.Unknown)) {
		all = append(all, fmt.Sprintf("unknown %s %d", name, f.Unknown[name]))
	}
	return all
}

// compare says where two lists differ first.
func compare(t *testing.T, name string, want, got []string) {
	t.Helper()
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

// TestUsageCases: each shape is read as the generator says, and no person is in what was read.
func TestUsageCases(t *testing.T) {
	t.Parallel()
	for _, c := range usagetest.Cases() {
		before := slices.Clone(c.Text)
		got := lines(usage.Parse(c.Text, usage.Options{Key: usagetest.Key}))
		compare(t, c.Name, c.Want, got)
		if !slices.Equal(before, c.Text) {
			t.Errorf("%s: the bytes were changed", c.Name)
		}
		if all := strings.Join(got, "\n"); strings.Contains(all, "example.com") {
			t.Errorf("%s: a person is in it: %s", c.Name, all)
		}
	}
}

// check compares what a file says with what the generator says of its events.
func check(t *testing.T, name string, told []usagetest.Told, f *usage.File) {
	t.Helper()
	want := make([]string, len(told))
	for i, e := range told {
		want[i] = e.String()
	}
	got := make([]string, len(f.Events))
	for i, e := range f.Events {
		got[i] = eventLine(e)
	}
	compare(t, name, want, got)
	if len(f.Problems) > 0 || len(f.Unknown) > 0 {
		t.Errorf("%s: %v %v", name, f.Problems, f.Unknown)
	}
	ids := map[string]bool{}
	for _, e := range f.Events {
		if len(e.ID) != 32 || ids[e.ID] {
			t.Fatalf("%s: the id %q is twice there, or no id", name, e.ID)
		}
		ids[e.ID] = true
	}
}

// styles are ways in which a seed's export is written: all generations, and all else by the bits of the seed.
func styles(seed uint64) (all []usagetest.Style) {
	bit := func(n uint) bool { return seed>>n&1 == 1 }
	for i, generation := range slices.Sorted(maps.Keys(usagetest.Generations)) {
		n := seed + uint64(i)
		separator := []string{",", ";", "\t"}[n/2%3]
		all = append(all, usagetest.Style{
			Generation: generation, Mixed: bit(0), Windows: bit(1), BOM: bit(2), Thousands: bit(3), Dollar: bit(4),
			Raw: bit(5), Zone: int(seed%27) - 13, Separator: separator, Before: []string{"", "sep=" + separator, "",
				"#TYPE System.Management.Automation.PSCustomObject"}[n%4],
			Encoding: []string{"", "UTF-16LE", "", "UTF-16BE", "", "UTF-16LE without a mark"}[n%6],
		})
	}
	return all
}

// pageStyles are ways in which a seed's events are written as pages.
func pageStyles(seed uint64) (all []usagetest.PageStyle) {
	for _, form := range []string{"page", "pretty", "pages", "array", "lines"} {
		s := usagetest.PageStyle{Form: form, Admin: seed&1 == 1, Texts: seed&2 == 2, Sparse: seed&4 == 4,
			PageSize: 1000}
		if form == "pages" || form == "array" {
			s.PageSize = 1 + int(seed%7)
		}
		all = append(all, s)
	}
	return all
}

// TestUsageRandom: what the generator makes up is read in every form, to the token and the cent.
func TestUsageRandom(t *testing.T) {
	t.Parallel()
	events := 0
	for seed := range uint64(64) {
		requests := usagetest.Requests(seed, int(seed%40))
		for _, s := range styles(seed) {
			text, told := usagetest.Export(requests, s, seed)
			f := usage.Parse(text, usage.Options{Key: usagetest.Key})
			check(t, fmt.Sprintf("seed %d, %+v", seed, s), told, f)
			sums(t, requests, f)
			events += len(f.Events)
		}
		for _, s := range pageStyles(seed) {
			text, told := usagetest.Pages(requests, s)
			f := usage.Parse(text, usage.Options{Key: usagetest.Key})
			check(t, fmt.Sprintf("seed %d, %+v", seed, s), told, f)
			sums(t, requests, f)
			events += len(f.Events)
		}
		turns := usagetest.Turns(seed, int(seed%40))
		for _, way := range []string{"bare", "tab", "payload", "stdin_preview"} {
			text, told := usagetest.Hooks(turns, way)
			check(t, fmt.Sprintf("seed %d, hooks %s", seed, way), told,
				usage.Parse(text, usage.Options{Key: usagetest.Key}))
		}
		for _, alone := range []bool{true, false} {
			text, told := usagetest.Printed(turns, alone)
			check(t, fmt.Sprintf("seed %d, printed, alone %t", seed, alone), told,
				usage.Parse(text, usage.Options{Key: usagetest.Key}))
		}
		if t.Failed() {
			return
		}
	}
	if events < 8_000 {
		t.Errorf("only %d events were read", events)
	}
}
