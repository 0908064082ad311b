package graph_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"pipeline/testdata/gen/graphtest"
	"pipeline/transform/graph"
)

// TestWalk: a walk fetches what decoding a graph fetches, and the blobs of its subagents, and nothing else that is in
// the store. What it decodes from those alone is the same conversation.
func TestWalk(t *testing.T) {
	t.Parallel()
	cases := graphtest.Cases()
	for seed := range uint64(200) {
		cases = append(cases, graphtest.Case{Name: "random", Graph: graphtest.Random(seed).Build()})
	}
	for i, c := range cases {
		g := c.Graph
		store := maps.Clone(g.Blobs)
		maps.Copy(store, cases[(i+1)%len(cases)].Graph.Blobs) // of another conversation
		walked := map[[32]byte][]byte{}
		if err := (graph.Root{Bytes: g.Root}).Walk(noting(walked, store), graph.Limits{}); err != nil {
			t.Fatal(err)
		}
		want, err := graph.Root{Bytes: g.Root}.Decode(from(store), graph.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for h := range walked {
			if _, ok := g.Blobs[h]; !ok {
				t.Errorf("%s: a walk fetches %x, which nobody needs", c.Name, h)
			}
		}
		if all := len(g.Blobs) - len(walked); strings.Contains(c.Name, "subagent") && all > 1 { // the root is inline
			t.Errorf("%s: a walk leaves out %d blobs", c.Name, all)
		}
		if got := decode(t, g.Root, walked); !slices.Equal(lines(got), lines(want)) {
			t.Errorf("%s: what a walk fetches is another conversation", c.Name)
		}
	}
}

// noting fetches blobs of a store, and notes which.
func noting(in, store map[[32]byte][]byte) graph.Fetch {
	return func(h graph.Hash) (graph.Blob, error) {
		b, err := from(store)(h)
		if err == nil {
			in[h] = b.Bytes
		}
		return b, err
	}
}

// TestWalkOnce: a chain of subagents that name the next one twice each is walked once, not twice as often on each
// level.
func TestWalkOnce(t *testing.T) {
	t.Parallel()
	blobs := map[[32]byte][]byte{}
	root := []byte{}
	for range 12 {
		next := put(blobs, node(1, root))
		root = node(31, node(1, []byte("a"), 2, next), 31, node(1, []byte("b"), 2, next))
	}
	fetched := 0
	err := graph.Root{Bytes: root}.Walk(func(h graph.Hash) (graph.Blob, error) {
		fetched++
		return from(blobs)(h)
	}, graph.Limits{})
	if err != nil || fetched != len(blobs) {
		t.Errorf("%d blobs are fetched %d times: %v", len(blobs), fetched, err)
	}
}

// TestWalkFails: a walk ends with the error of a store that cannot be read, and asks for nothing more.
func TestWalkFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk I/O error")
	g := graphtest.Cases()[0].Graph
	for after := range len(g.Blobs) - 1 {
		fetched := 0
		err := blob(g).Walk(func(h graph.Hash) (graph.Blob, error) {
			if fetched++; fetched > after {
				return graph.Blob{}, broken
			}
			return from(g.Blobs)(h)
		}, graph.Limits{})
		if !errors.Is(err, broken) || fetched != after+1 {
			t.Errorf("after %d blobs: %d were fetched, %v", after, fetched, err)
		}
	}
}

// TestCheckedBlob: a blob whose hash was compared before something in it was masked is read; the same bytes from
// elsewhere are not.
func TestCheckedBlob(t *testing.T) {
	t.Parallel()
	g := graphtest.Cases()[0].Graph
	for h, b := range g.Blobs {
		if strings.Contains(string(b), `"role":"user"`) {
			g.Blobs[h] = []byte(strings.Replace(string(b), "<b>it</b>", "<b>xx</b>", 1))
		}
	}
	for _, checked := range []bool{true, false} {
		c, err := graph.Root{Bytes: g.Root}.Decode(func(h graph.Hash) (graph.Blob, error) {
			b, err := from(g.Blobs)(h)
			b.Checked = checked
			return b, err
		}, graph.Limits{})
		if err != nil || checked != (len(c.Problems) == 0) {
			t.Errorf("checked: %v, problems: %v, %v", checked, c.Problems, err)
		}
	}
}
