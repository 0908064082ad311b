package disagreetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestOutcomes: what the generator expects of a call is what docs/dictionary.md says of these by hand.
func TestOutcomes(t *testing.T) {
	one, zero := int64(1), int64(0)
	for _, c := range []struct {
		k         call
		row, node bool
		want      string
	}{
		{call{row: rowCall{status: "completed"}, node: "error"}, true, true, "error"},
		{call{row: rowCall{status: "loading"}, node: "ok"}, true, true, "ok"},
		{call{row: rowCall{status: "loading"}, node: "ok"}, true, false, "pending"},
		{call{row: rowCall{status: "pending"}, node: "pending"}, true, true, "pending"},
		{call{row: rowCall{status: "completed", exit: &one}, node: "ok"}, true, true, "error"},
		{call{row: rowCall{status: "completed", exit: &zero}, node: "pending"}, true, true, "ok"},
		{call{row: rowCall{status: "completed"}, node: "rejected"}, true, true, "rejected"},
		{call{row: rowCall{status: "error", decision: "rejected"}, node: "ok"}, true, true, "rejected"},
		{call{row: rowCall{status: "error", decision: "accepted"}, node: "ok"}, true, true, "error"},
		{call{row: rowCall{status: "canceled"}, node: "error"}, true, true, "cancelled"},
		{call{row: rowCall{status: "failed"}, node: "ok"}, true, true, "error"},
		{call{row: rowCall{status: "completed", result: "nested"}}, true, false, "error"},
		{call{row: rowCall{status: "completed", result: "aborted", exit: &one}}, true, false, "aborted"},
		{call{row: rowCall{status: "completed"}, binary: "error", node: "ok"}, true, true, "error"},
		{call{row: rowCall{status: "completed"}, binary: "error", node: "ok"}, false, true, "ok"},
		{call{row: rowCall{status: "completed"}, node: "ok", flag: true}, true, true, "error"},
		{call{row: rowCall{}}, true, false, null},
	} {
		if got := c.k.outcomes(c.row, c.node); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: want %s, got %v", &c.k, c.want, got)
		}
	}
}

// TestDisagreements: in 2,000 groups, every kind of disagreement occurs often, and the same seed makes the same rows.
func TestDisagreements(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(2000) {
		g := Any(seed)
		if rows := fmt.Sprint(g.Rows()); seed%50 == 0 && rows != fmt.Sprint(Any(seed).Rows()) {
			t.Errorf("seed %d makes other rows the second time", seed)
		}
		for i, w := range g.Want() {
			c := g.Chats[i]
			seen["head "+c.Shape.Head]++
			seen["list "+c.Shape.List]++
			seen["graph "+c.Shape.Graph]++
			seen["form "+c.Shape.Form]++
			seen["group "+c.Shape.Group]++
			for _, m := range w.Messages {
				seen["origin "+m.Origin]++
				seen["listed "+m.Listed]++
				seen["simulated "+m.Simulated]++
				seen["kind "+m.Kind]++
				if m.Call != nil {
					seen["outcome "+fmt.Sprint(m.Call.Outcomes)]++
				}
			}
			for _, m := range c.said {
				k := m.call
				switch {
				case m.branch && m.row:
					seen["of a branch"]++
				case m.turn < c.trimmed && m.row && c.inGraph(m):
					seen["of a beginning that the list lost"]++
				case m.holder:
					seen["placeholder"]++
				case m.header && !c.has(m) && c.inGraph(m):
					seen["header without a row but in the graph"]++
				case m.lost:
					seen["blob gone"]++
				}
				if k != nil && c.has(m) && c.inGraph(m) && k.outcomes(true, false)[0] != k.outcomes(false, true)[0] {
					seen["row and graph disagree about a call"]++
				}
			}
		}
	}
	for _, name := range strings.Split(
		`head none, head null, head zero, head list, head broken, list absent, list empty, list gone, list trimmed, list shuffled,
		list holes, list long, graph none, graph state, graph pointer, graph hex, graph bare, form map, form array, form rows and map, form rows and array, group subagent, group tries,
		origin graph, listed false, listed , simulated true, kind thinking, kind compaction, kind shell, kind error, kind empty, outcome [ok],
		outcome [error], outcome [rejected], outcome [cancelled], outcome [aborted], outcome [pending], outcome [NULL], of a branch, of a beginning that the list lost,
		placeholder, header without a row but in the graph, blob gone, row and graph disagree about a call`, ",") {
		name = strings.TrimLeft(name, " \n\t")
		want := 20
		if name == "list long" {
			want = 3
		}
		if seen[name] < want {
			t.Errorf("%q occurs %d times, not %d", name, seen[name], want)
		}
	}
}
