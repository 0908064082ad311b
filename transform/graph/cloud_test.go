package graph_test

import (
	"encoding/base64"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/testdata/gen/graphtest"
	"pipeline/transform/graph"
)

// cloudLines are the lines of a cloud agent that was read.
func cloudLines(c *graph.Conversation) []string {
	s := c.Cloud
	return append(lines(c), graphtest.Line("cloud", "requested", graphtest.Number(s.RequestedAt), "work",
		text(s.Summary), "branch", text(s.Branch), "name", text(s.Name)))
}

// cloud is the root of a cloud agent.
func cloud(g *graphtest.CloudGraph) graph.Root {
	return graph.Root{Blob: (*graph.Hash)(&g.State), IsCloud: true}
}

// TestCloud: each shape of a cloud agent gives what its description says. A walk fetches the blobs that decoding needs,
// and no other.
func TestCloud(t *testing.T) {
	t.Parallel()
	for _, c := range graphtest.CloudCases() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			g := c.Cloud.Build()
			row, ok := graph.ReadCloudRow([]byte(g.Row))
			if !ok || row.State != g.State {
				t.Fatalf("the row names %v %v", row, ok)
			}
			if at := graphtest.Number(row.At); at != graphtest.Number(&c.Cloud.At) && c.Cloud.At != 0 {
				t.Errorf("the row is of %s", at)
			}
			store, needed := maps.Clone(g.Blobs), map[[32]byte][]byte{}
			maps.Copy(store, graphtest.Cases()[0].Graph.Blobs)
			got, err := cloud(g).Decode(noting(needed, store), graph.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(sorted(g.Want), sorted(cloudLines(got))); diff != "" {
				t.Errorf("want (-) and got (+) differ:\n%s", diff)
			}
			if !c.Cloud.NoRoot && got.Completeness != "unreadable" && got.Root != g.Root {
				t.Errorf("the root is %s", got.Root)
			}
			walked := map[[32]byte][]byte{}
			if err := cloud(g).Walk(noting(walked, store), graph.Limits{}); err != nil {
				t.Fatal(err)
			}
			if !maps.EqualFunc(walked, needed, slices.Equal) {
				t.Errorf("a walk fetches %d blobs, decoding %d", len(walked), len(needed))
			}
		})
	}
}

// TestCloudBounds: what is beyond a limit is left out and named; an error of the store ends the decoding.
func TestCloudBounds(t *testing.T) {
	t.Parallel()
	g := graphtest.CloudCases()[0].Cloud.Build()
	for name, limits := range map[string]graph.Limits{"blob": {Blob: 12}, "graph": {Graph: 300}, "nodes": {Nodes: 3}} {
		s, err := cloud(g).Decode(from(g.Blobs), limits)
		if err != nil || !slices.Contains(reasons(s), "too_large") || s.Completeness == "complete" {
			t.Errorf("%s: %v %v", name, s, err)
		}
	}
	broken := errors.New("disk I/O error")
	fails := func(graph.Hash) (graph.Blob, error) { return graph.Blob{}, broken }
	if _, err := cloud(g).Decode(fails, graph.Limits{}); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := cloud(g).Walk(fails, graph.Limits{}); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// TestCloudRow: a text that names no state is none.
func TestCloudRow(t *testing.T) {
	t.Parallel()
	state := string(node(1, make([]byte, 32)))
	if _, ok := graph.ReadCloudRow([]byte(base64.StdEncoding.EncodeToString([]byte(state)))); !ok {
		t.Error("a row with a state alone names none")
	}
	for _, row := range []string{"",
		base64.StdEncoding.EncodeToString([]byte(state + string(node(9, make([]byte, 70_000))))), "1", "~~~", `{"a":1}`,
		"AAAA", base64.StdEncoding.EncodeToString([]byte("\x0a\x03abc")),
		base64.StdEncoding.EncodeToString([]byte("\x0a\x20abc")), strings.Repeat("A", 70_000)} {
		if _, ok := graph.ReadCloudRow([]byte(row)); ok {
			t.Errorf("%.40q names a state", row)
		}
	}
}
