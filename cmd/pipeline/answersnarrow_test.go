package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pipeline/load/reader"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// TestAnswersNarrowed narrows answers to the history of the demo before a time and from it on: what is counted in the
// one and in the other makes the whole. It also asks other SQL for what is in a period.
func TestAnswersNarrowed(t *testing.T) {
	path := demoWarehouse(t)
	whole := openWarehouse(t, path)
	at := schema.Millis(time.Date(2026, 1, 16, 10, 30, 0, 0, time.UTC).UnixMilli())
	for i, c := range []struct{ answer, sums, independent string }{
		{"tool_failures_short", "sum(calls), sum(failed)",
			`SELECT count(*), count(*) FILTER (WHERE is_error) FROM live_tool_calls t JOIN messages m USING (source_id, conversation_id, message_id) WHERE m.created_at >= '%s'`},
		{"active_time_per_day", "sum(messages), sum(prompts), sum(real_times)",
			`SELECT count(*), count(*) FILTER (WHERE m.role = 'user' AND NOT m.is_simulated AND NOT c.is_subagent AND NOT m.is_repeat AND c.best_of_parent_id IS NULL),
				count(*) FILTER (WHERE m.created_at_source NOT IN ('previous', 'next', 'conversation')) FROM live_messages m JOIN conversations c USING (source_id, conversation_id) WHERE m.created_at >= '%s'`},
		{"hours_by_project", "sum(active_ms), any_value(total_active_ms)",
			`SELECT CAST(sum(epoch_ms(ended_at) - epoch_ms(greatest(started_at, TIMESTAMPTZ '%[1]s'))) AS BIGINT), NULL FROM activity_periods WHERE ended_at >= '%[1]s'`},
		{"session_lengths_short", "count(*), sum(prompts)",
			`SELECT count(*), NULL FROM sessions WHERE started_at >= '%s'`},
		{"billed_by_day", "sum(events), sum(with_cost)",
			`SELECT count(*), count(cost_cents) FROM usage_events WHERE is_counted AND occurred_at >= '%s'`},
		{"time_of_day_short", "sum(prompts), sum(weekdays)",
			`SELECT count(*), count(*) FILTER (WHERE isodow(asked_at) < 6) FROM turns WHERE asked_at >= '%s'`},
		{"command_runs_short", "count(*), count(outcome)",
			`SELECT count(*), NULL FROM command_runs WHERE created_at >= '%s'`},
	} {
		if testing.Short() && i%3 > 0 {
			continue // make test-all narrows them
		}
		sums := func(r *reader.Reader, view string) []any { return rowOf(t, r, "SELECT "+c.sums+" FROM "+view) }
		answer := namedAnswer(t, c.answer)
		part := func(f reader.Filter) []any {
			r, _, err := reader.OpenNarrowed(t.Context(), path, answer, f)
			if err != nil {
				t.Fatalf("%s: %v", c.answer, err)
			}
			defer func() { _ = r.Close() }()
			return sums(r, reader.NarrowedView)
		}
		all, before, after := sums(whole, answer.Object()), part(reader.Filter{Until: &at}),
			part(reader.Filter{Since: &at})
		independent := rowOf(t, whole, strings.ReplaceAll(c.independent, "%[1]s", "%s"), at)
		for i := range all {
			if fmt.Sprint(before[i]) == "0" || fmt.Sprint(after[i]) == "0" {
				t.Errorf("%s: one part has nothing: %v, %v", c.answer, before, after)
			}
			if whole, sum := asNumber(t, all[i]), asNumber(t, before[i])+asNumber(t, after[i]); whole != sum {
				t.Errorf("%s: %v and %v do not make %v", c.answer, before, after, all)
			}
			if independent[i] != nil && fmt.Sprint(independent[i]) != fmt.Sprint(after[i]) {
				t.Errorf("%s since then: %v; other SQL says %v", c.answer, after, independent)
			}
		}
	}
}

// rowOf is the one row of a query in which %s stands for a time.
func rowOf(t *testing.T, r *reader.Reader, query string, at ...schema.Millis) []any {
	t.Helper()
	for _, ms := range at {
		query = strings.ReplaceAll(query, "%s", time.UnixMilli(int64(ms)).UTC().Format("2006-01-02 15:04:05+00"))
	}
	got, err := r.Query(t.Context(), query)
	if err != nil || len(got.Rows) != 1 {
		t.Fatalf("%s: %d rows, %v", query, len(got.Rows), err)
	}
	return got.Rows[0]
}

func asNumber(t *testing.T, v any) (n int64) {
	t.Helper()
	if _, err := fmt.Sscan(fmt.Sprint(v), &n); err != nil {
		t.Fatalf("%v is no number", v)
	}
	return n
}

// namedAnswer is an answer or a short form.
func namedAnswer(t *testing.T, name string) sql.File {
	t.Helper()
	for _, f := range append(sql.Answers(), sql.Shorts()...) {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no answer %s", name)
	return sql.File{}
}

// TestAnswerGroups: each answer is in one group of the list.
func TestAnswerGroups(t *testing.T) {
	for _, f := range sql.Answers() {
		in := 0
		for _, g := range answerGroups {
			for _, number := range g.numbers {
				if number == f.Number {
					in++
				}
			}
		}
		if in != 1 {
			t.Errorf("%s is in %d groups", f.Name, in)
		}
	}
}

// TestNothingInPeriod: an answer about a period after all activity says so, and names the day of the last.
func TestNothingInPeriod(t *testing.T) {
	t.Parallel()
	path := demoWarehouse(t)
	last := rowOf(t, openWarehouse(t, path), `SELECT max(created_at)::DATE::VARCHAR FROM messages`)[0]
	said := fmt.Sprintf("The newest activity is of %v, before that period.", last)
	for args, want := range map[string]bool{"answers --since 2026-04-15": true,
		"answers hours_by_project --since 2026-04-15": true, "answers hours_by_project --since 2026-03-01": false} {
		var out strings.Builder
		args := append(append([]string{"pipeline"}, strings.Fields(args)...), "--warehouse", path)
		if code := realMain(args, &out, &out); code != 0 || strings.Contains(out.String(), said) != want ||
			strings.Contains(out.String(), "recorded for this yet") {
			t.Errorf("%v: exit code %d:\n%s", args, code, out.String())
		}
	}
}
