package pipelines_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pipeline/testdata/gen/disagreetest"
)

// faultReport are the faults of some stores, by kind and by chat.
type faultReport struct {
	chats, loads, failed, stores int
	kinds                        map[string]map[string]fault // the first of a kind in a chat, or in a store
	wrong                        map[string]bool             // chats with a fault
	first                        string                      // what the first group with a fault looks like
}

// add takes the faults of a store. Its rows are let go.
func (r *faultReport) add(d *disagreeing) {
	if r.kinds == nil {
		r.kinds, r.wrong = map[string]map[string]fault{}, map[string]bool{}
	}
	r.stores++
	r.loads, r.failed = r.loads+d.loads, r.failed+d.failed
	for _, g := range d.groups {
		r.chats += len(g.Chats)
	}
	for _, f := range d.faults {
		where := f.chat
		if where == "" {
			where = fmt.Sprint("store ", r.stores)
		} else {
			r.wrong[where] = true
		}
		if r.kinds[f.kind] == nil {
			r.kinds[f.kind] = map[string]fault{}
		}
		if _, ok := r.kinds[f.kind][where]; !ok {
			r.kinds[f.kind][where] = f
		}
		if i := slices.IndexFunc(d.groups, func(g *disagreetest.Group) bool { return g.Has(f.chat) }); i >= 0 &&
			r.first == "" {
			r.first = described(d, d.groups[i], len(d.groups) == 1)
		}
	}
}

// print says how many chats have each kind of fault, with an example, and shows the first group that has one.
func (r *faultReport) print(t *testing.T) {
	t.Helper()
	if len(r.kinds) == 0 {
		return
	}
	examples := 1
	if n, err := strconv.Atoi(os.Getenv("DISAGREE_EXAMPLES")); err == nil {
		examples = n
	}
	var lines []string
	for _, kind := range slices.Sorted(maps.Keys(r.kinds)) {
		places := slices.Sorted(maps.Keys(r.kinds[kind]))
		lines = append(lines, fmt.Sprintf("%5d %s", len(places), kind))
		for _, place := range places[:min(examples, len(places))] {
			f, where := r.kinds[kind][place], place
			if f.chat != "" {
				where = fmt.Sprintf("seed %d (%s)", disagreetest.SeedOf(f.chat), f.shape)
			}
			lines = append(lines, "        "+where+": "+f.detail)
		}
	}
	t.Errorf("%d of %d chats are not as they must be, %d of %d loads would exit with 4:\n%s", len(r.wrong), r.chats,
		r.failed, r.loads, strings.Join(lines, "\n"))
	t.Log(r.first)
}

// described is what was said in a group, its rows, and what is wrong with it.
func described(d *disagreeing, g *disagreetest.Group, whole bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %s\n", g.Seed, g.Shape)
	if b.WriteString(d.said); d.said == "" {
		fmt.Fprintf(&b, "after the second load: %s", g)
	}
	blobs := 0
	for _, row := range g.Rows() {
		value := fmt.Sprint(row.Value)
		if bytes, ok := row.Value.([]byte); ok {
			value = string(bytes)
		}
		if strings.HasPrefix(row.Key.(string), "agentKv:blob:") {
			if blobs++; !whole {
				continue
			}
			value = strconv.Quote(value)
		}
		if len(value) > 1500 && !whole {
			value = value[:1500] + fmt.Sprintf("... %d bytes", len(value))
		}
		fmt.Fprintf(&b, "  %v = %s\n", row.Key, value)
	}
	fmt.Fprintf(&b, "  %d blobs\n", blobs)
	for _, f := range d.faults {
		if g.Has(f.chat) {
			fmt.Fprintf(&b, "  %s %s: %s\n", f.chat, f.kind, f.detail)
		}
	}
	return b.String()
}
