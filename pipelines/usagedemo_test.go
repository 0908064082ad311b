package pipelines_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// TestUsageOfDemo: of what the demo's files tell of its conversations, nothing is given to a turn that it is not of,
// all that names a request is given to its turn, and each request is counted once. By time alone much stays open, as
// stores leave out times: the least share that must be found keeps a join that finds nothing from passing.
func TestUsageOfDemo(t *testing.T) {
	t.Parallel()
	for seed := uint64(1); seed <= 6; seed++ {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			if seed > 1 {
				long(t)
			}
			u := newUsageFixture(t)
			plan := storetest.New(storetest.Options{Seed: seed, Messages: 2000})
			must(t, plan.Write(u.user))
			must(t, plan.WriteUsage(u.dir))
			u.run(nil, u.read)
			same(t, "files that could not be read", nil,
				u.ask(`SELECT key, reason FROM quarantine WHERE contains(key, 'usage') OR contains(key, 'hooks')`))
			u.judge(plan.UsageEvents())
			same(t, "sums", plan.UsageSums(), u.sums())
		})
	}
}

// judge compares each event with the turn that caused it.
func (u *usageFixture) judge(wants []storetest.UsageEventWant) {
	u.t.Helper()
	found := map[string][]string{}
	for _, row := range u.ask(
		`SELECT r.file || '#' || r.line, e.join_method, coalesce(e.conversation_id, ''), coalesce(e.message_id, ''), coalesce(e.source_id, '') FROM usage_records r JOIN usage_events e USING (event_id)`) {
		found[row[0]] = row[1:]
	}
	if len(found) != len(wants) {
		u.t.Errorf("%d events were read of %d", len(found), len(wants))
	}
	table := map[string]int{}
	var byTime, foundByTime int
	for _, w := range wants {
		row := found[fmt.Sprintf("%s#%d", w.File, w.Line)]
		if row == nil {
			u.t.Errorf("%+v was not read", w)
			continue
		}
		verdict := judged(w, row[0], row[1], row[2])
		if strings.HasPrefix(verdict, "wrong") {
			u.t.Errorf("%s: %+v is said to be %v", verdict, w, row)
		}
		if w.Conversation != "" && w.File == "hooks.jsonl" && verdict != "right" {
			u.t.Errorf("%s: a hook names its request: %+v is said to be %v", verdict, w, row)
		}
		if w.Join == "time" {
			byTime++
			if verdict == "right" {
				foundByTime++
			}
		}
		table[fmt.Sprintf("%-22s can be %-4s is %-4s %s", w.File, w.Join, row[0], verdict)]++
	}
	if foundByTime*3 < byTime {
		u.t.Errorf("by time %d turns were found of %d", foundByTime, byTime)
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		u.t.Logf("%s: %d", key, table[key])
	}
}

// judged says what is to be thought of an event's conversation and message.
func judged(w storetest.UsageEventWant, method, conversation, message string) string {
	switch {
	case w.Named != "" && conversation != w.Named:
		return "wrong: another conversation than the file names"
	case w.Named == "" && conversation != "" && conversation != w.Conversation:
		return "wrong conversation"
	case message != "" && message != w.Message:
		return "wrong prompt"
	case method == "none" && conversation != "":
		return "wrong method"
	case w.Conversation == "" && conversation == "":
		return "of no known turn"
	case w.Conversation == "":
		return "of a conversation that no store has"
	case conversation == "":
		return "unassigned"
	case message == "":
		return "right conversation, no prompt"
	}
	return "right"
}
