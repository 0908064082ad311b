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
func cloudLines(s *graph.CloudState) []string {
	return append(lines(s.Conversation), graphtest.Line("cloud", "base", s.BaseBranch, "start", s.StartCommit, "last",
		s.LastCommit, "session", s.SessionID, "source", s.Source, "turns", graphtest.Number(s.CompletedTurns),
		"requested", graphtest.Number(s.RequestedAt), "commits", strings.Join(s.Commits, ","), "pull text",
		text(s.PullText), "work", text(s.Summary), "branch", text(s.Branch), "pull request", text(s.PullRequest),
		"name", text(s.Name), "prompt", text(s.Prompt)))
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
			got, err := graph.DecodeCloud(g.State, noting(needed, store), graph.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(sorted(g.Want), sorted(cloudLines(got))); diff != "" {
				t.Errorf("want (-) and got (+) differ:\n%s", diff)
			}
			if root := got.Conversation.Root; !c.Cloud.NoRoot && got.Conversation.Completeness != "unreadable" &&
				root != g.Root {
				t.Errorf("the root is %s", root)
			}
			walked := map[[32]byte][]byte{}
			if err := graph.WalkCloud(row.State, noting(walked, store), graph.Limits{}); err != nil {
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
		s, err := graph.DecodeCloud(g.State, from(g.Blobs), limits)
		if err != nil || !slices.Contains(reasons(s.Conversation), "too_large") ||
			s.Conversation.Completeness == "complete" {
			t.Errorf("%s: %v %v", name, s.Conversation, err)
		}
	}
	broken := errors.New("disk I/O error")
	fails := func(graph.Hash) (graph.Blob, error) { return graph.Blob{}, broken }
	if _, err := graph.DecodeCloud(g.State, fails, graph.Limits{}); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := graph.WalkCloud(g.State, fails, graph.Limits{}); !errors.Is(err, broken) {
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
