package usage_test

import (
	"maps"
	"math"
	"testing"

	"pipeline/testdata/gen/usagetest"
	"pipeline/transform/usage"
)

// day is a model on a day, of which sums are made.
type day struct {
	model string
	day   int64
}

// total is what was used on it: counts, and cents that were worth or charged, as far as the form says them.
type total struct{ fresh, write, read, output, cents int64 }

// sums compares sums per model and day with those of the requests that were written down: all tokens, and the cents of
// what was paid.
func sums(t *testing.T, requests []usagetest.Request, f *usage.File) {
	t.Helper()
	want, got := map[day]total{}, map[day]total{}
	money, split := false, false
	for _, e := range f.Events {
		money = money || e.CostCents != nil
		split = split || e.FreshInputTokens != nil
	}
	const millis = 24 * 3600 * 1000
	for _, q := range requests {
		key := day{q.Model, q.At / millis}
		s := want[key]
		if q.Tokens && split {
			s.fresh, s.write, s.read, s.output = s.fresh+q.Fresh, s.write+q.Write, s.read+q.Read, s.output+q.Output
		}
		if money && (q.Kind.Paid || f.Form == usage.API && q.Tokens) {
			s.cents += q.Worth
		}
		want[key] = s
	}
	add := func(to *int64, n *int64) {
		if n != nil {
			*to += *n
		}
	}
	for _, e := range f.Events {
		key := day{e.Model, *e.OccurredAt / millis}
		s := got[key]
		add(&s.fresh, e.FreshInputTokens)
		add(&s.write, e.CacheWriteTokens)
		add(&s.read, e.CacheReadTokens)
		add(&s.output, e.OutputTokens)
		if e.CostCents != nil {
			s.cents += int64(math.Round(*e.CostCents * 10_000))
		}
		got[key] = s
	}
	if !maps.Equal(want, got) {
		t.Errorf("%s: sums differ:\nwant %v\ngot  %v", f.Form, want, got)
	}
}

// TestUsageOverlaps: exports that overlap, of different generations, pages and lines, give each event once by its id.
func TestUsageOverlaps(t *testing.T) {
	t.Parallel()
	for seed := range uint64(32) {
		requests := usagetest.Requests(seed, 60)
		from, to := int(seed%30), 30+int(seed%30)
		// Cuts are between times: equal requests are all in an export, or none is.
		for from > 0 && requests[from-1].At == requests[from].At {
			from--
		}
		for to < len(requests) && requests[to-1].At == requests[to].At {
			to++
		}
		parts := [][]usagetest.Request{requests[:to], requests[from:]}
		merged := map[string]map[string]usage.Event{usage.CSV: {}, usage.API: {}}
		merge := func(text []byte) {
			for _, e := range usage.Parse(text, usage.Options{}).Events {
				merged[e.Origin][e.ID] = e
			}
		}
		for i, part := range parts {
			for _, s := range styles(seed + uint64(i)*5) {
				if s.Generation == "tokens" || s.Generation == "output" || s.Generation == "v3 team" {
					// they say more of an event, or less: loads put these together
					continue
				}
				text, _ := usagetest.Export(part, s, seed)
				merge(text)
			}
			for _, s := range pageStyles(seed + uint64(i)) {
				// zeros of all counts cannot be told from none; some pages name persons
				s.Sparse, s.Admin = false, false
				text, _ := usagetest.Pages(part, s)
				merge(text)
			}
		}
		for origin, events := range merged {
			if len(events) != len(requests) {
				t.Errorf("seed %d: %d events of %d requests in %s", seed, len(events), len(requests), origin)
			}
			f := &usage.File{Form: origin}
			for _, e := range events {
				e.CostCents = nil
				f.Events = append(f.Events, e)
			}
			sums(t, requests, f)
		}
	}
}

// TestUsageRotation: logs of hooks that overlap, as after a rotation, give each turn once, whichever hook of it is in
// which log.
func TestUsageRotation(t *testing.T) {
	t.Parallel()
	for seed := range uint64(16) {
		turns := usagetest.Turns(seed, 30)
		whole, told := usagetest.Hooks(turns, "bare")
		ids := map[string]string{}
		for cut := range len(whole) {
			if cut > 0 && whole[cut-1] == '\n' && cut%3 == 0 {
				for _, part := range [][]byte{whole[:cut], whole[cut:]} {
					for _, e := range usage.Parse(part, usage.Options{}).Events {
						ids[e.ID] = e.RequestID
					}
				}
			}
		}
		for _, e := range usage.Parse(whole, usage.Options{}).Events {
			ids[e.ID] = e.RequestID
		}
		if len(ids) != len(told) {
			t.Errorf("seed %d: %d events of %d turns", seed, len(ids), len(told))
		}
	}
}
