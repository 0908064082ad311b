package graph_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/testdata/gen/graphtest"
	"pipeline/transform/graph"
)

// from fetches blobs of a map.
func from(blobs map[[32]byte][]byte) graph.Fetch {
	return func(h graph.Hash) (graph.Blob, error) {
		b, ok := blobs[h]
		if !ok {
			return graph.Blob{}, graph.ErrMissing
		}
		return graph.Blob{Bytes: b}, nil
	}
}

// decode decodes a graph, and fails if it cannot.
func decode(t *testing.T, root []byte, blobs map[[32]byte][]byte) *graph.Conversation {
	t.Helper()
	c, err := graph.Root{Bytes: root}.Decode(from(blobs), graph.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// blob is the root of a graph as a blob.
func blob(g *graphtest.Graph) graph.Root {
	h := graph.Hash(g.Hash())
	return graph.Root{Blob: &h}
}

// TestGraphCases: each shape gives what its description says, from a root that is inline and from one that is a blob.
func TestGraphCases(t *testing.T) {
	t.Parallel()
	for _, c := range graphtest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			compare(t, c.Graph.Want, decode(t, c.Graph.Root, c.Graph.Blobs))
			h := c.Graph.Hash()
			if sha256.Sum256(c.Graph.Blobs[h]) != h {
				return
			}
			again, err := graph.Root{Blob: (*graph.Hash)(&h)}.Decode(from(c.Graph.Blobs), graph.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, c.Graph.Want, again)
		})
	}
}

// TestGraphRandom: so do descriptions from seeds.
func TestGraphRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		g := graphtest.Random(seed).Build()
		compare(t, g.Want, decode(t, g.Root, g.Blobs))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func compare(t *testing.T, want []string, got *graph.Conversation) {
	t.Helper()
	if diff := cmp.Diff(sorted(want), sorted(lines(got))); diff != "" {
		t.Errorf("want (-) and got (+) differ:\n%s", diff)
	}
}

// sorted keeps the order of what has one, and sorts what has none: problems and unknown fields.
func sorted(lines []string) []string {
	loose := func(s string) bool { return strings.HasPrefix(s, "problem ") || strings.HasPrefix(s, "unknown ") }
	var kept, rest []string
	for _, s := range lines {
		if loose(s) {
			rest = append(rest, s)
		} else {
			kept = append(kept, s)
		}
	}
	slices.SortStableFunc(kept, func(a, b string) int { return rank(a) - rank(b) })
	slices.Sort(rest)
	return append(kept, rest...)
}

// rank puts pending calls and lines of damage behind the turns.
func rank(line string) int {
	for i, kind := range []string{"is ", "root", "workspace", "part", "turn", "pending", "branch", "plan", "archive",
		"subagent"} {
		if strings.HasPrefix(line, kind) {
			return i
		}
	}
	return 4 // user, step, attachment: with the turns
}

func text(s string) string {
	if s == "" {
		return ""
	}
	return quoted(s)
}

// quoted writes a text as JSON, as the truth does.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return graphtest.Canonical(string(b))
}

func yes(v bool) string {
	if v {
		return "true"
	}
	return ""
}

func isTrue(v *bool) string { return yes(v != nil && *v) }

func said(from bool, raw []byte) string {
	switch {
	case raw == nil:
		return ""
	case from:
		return "message"
	}
	return "variant"
}

// lines says in the words of graphtest what was decoded.
func lines(c *graph.Conversation) (out []string) {
	if c == nil {
		return []string{"nothing"}
	}
	add := func(what string, pairs ...string) { out = append(out, graphtest.Line(what, pairs...)) }
	n := graphtest.Number
	add("is " + c.Completeness)
	add("root", "mode", c.Mode, "used", n(c.UsedTokens), "max", n(c.MaxTokens), "started", n(c.StartedAt), "zone",
		c.TimeZone, "summary", text(c.Summary))
	for _, w := range c.Workspaces {
		add("workspace " + w)
	}
	for _, p := range c.ContextParts {
		add("part "+p.ID, "label", quoted(p.Label), "tokens", n(p.Tokens))
	}
	for _, t := range c.Turns {
		out = append(out, turnLines(t)...)
	}
	for _, call := range c.Pending {
		out = append(out, callLine("pending", "-", &call))
	}
	for _, b := range c.Branches {
		add("branch "+b.Repository, "name", b.Name)
	}
	for _, id := range slices.Sorted(maps.Keys(c.PlanPaths)) {
		add("plan "+id, "path", c.PlanPaths[id])
	}
	for _, s := range c.Summaries {
		add("archive", "summary", text(s))
	}
	for _, id := range c.Subagents {
		add("subagent " + id)
	}
	for _, p := range c.Problems {
		add(fmt.Sprintf("problem %s %s %s", p.Reason, p.Node, p.Blob))
	}
	for _, name := range slices.Sorted(maps.Keys(c.UnknownFields)) {
		add(fmt.Sprintf("unknown %s %d", name, c.UnknownFields[name]))
	}
	return out
}

func turnLines(t graph.Turn) (out []string) {
	add := func(what string, pairs ...string) { out = append(out, graphtest.Line(what, pairs...)) }
	n := graphtest.Number
	if s := t.Shell; s != nil {
		add("turn "+strconv.Itoa(t.Index), "shell", quoted(s.Command), "out", quoted(s.Stdout), "err", quoted(s.Stderr),
			"exit", n(s.ExitCode))
		return out
	}
	add("turn "+strconv.Itoa(t.Index), "request", t.RequestID, "routed", t.RoutedModel, "model", t.Model, "duration",
		n(t.DurationMS))
	if u := t.User; u != nil {
		add("user", "id", u.ID, "text", quoted(u.Text), "simulated", yes(u.Simulated), "at", n(u.StartedAt), "tagged",
			n(u.TaggedAt), "mode", u.Mode)
		for _, a := range u.Attachments {
			add("attachment "+a.Kind, "path", a.Path, "name", a.Name, "text", quoted(a.Text))
		}
	}
	for _, s := range t.Steps {
		what, at := "step "+strconv.Itoa(s.Index), n(s.StartedAt)+"-"+n(s.CompletedAt)
		switch s.Kind {
		case "tool":
			out = append(out, callLine(what, at, s.Call))
		case "sealed":
			add(what+" sealed", "at", at)
		default:
			add(what+" "+s.Kind, "text", quoted(s.Text), "at", at, "duration", n(s.DurationMS))
		}
	}
	return out
}

func callLine(what, at string, c *graph.ToolCall) string {
	n := graphtest.Number
	variant := c.Tool + "/" + strconv.Itoa(c.Variant)
	return graphtest.Line(what+" tool", "id", text(c.ID), "name", c.Name, "variant", variant,
		"args", graphtest.Canonical(string(c.Args)), "argsfrom", said(c.ModelsArgs, c.Args), "result",
		graphtest.Canonical(string(c.Result)), "vargs",
		graphtest.Canonical(string(c.VariantArgs)), "vresult", graphtest.Canonical(string(c.VariantResult)), "outcome",
		c.Outcome, "iserror", isTrue(c.IsError), "exit", n(c.ExitCode), "added", n(c.LinesAdded), "removed",
		n(c.LinesRemoved), "agent", c.AgentID, "model", c.Model, "at", at, "pending", yes(c.Pending))
}

// TestGraphFetchFails: a store that cannot be read is no graph with missing blobs.
func TestGraphFetchFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk I/O error")
	g := graphtest.Cases()[0].Graph
	for after := range len(g.Blobs) {
		fetched := 0
		_, err := graph.Root{Bytes: g.Root}.Decode(func(h graph.Hash) (graph.Blob, error) {
			if fetched++; fetched > after {
				return graph.Blob{}, broken
			}
			return from(g.Blobs)(h)
		}, graph.Limits{})
		if fetched > after && !errors.Is(err, broken) {
			t.Errorf("after %d blobs: %v", after, err)
		}
		if fetched > after+1 {
			t.Errorf("after the error %d blobs were fetched", fetched-after-1)
		}
	}
}

// TestGraphSealedStore: a store whose blobs are all encrypted is named as sealed, once; one that is damaged is not.
func TestGraphSealedStore(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 5))
	noise := make([]byte, 400)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	g := graphtest.Cases()[0].Graph
	for name, test := range map[string]struct {
		root []byte
		want string
	}{"encrypted": {noise, "sealed"}, "cut": {g.Root[:70], "hash_mismatch"},
		"another root": {append([]byte{0x0a, 32}, g.Root[2:]...)[:40], "hash_mismatch"}} {
		blobs := map[[32]byte][]byte{g.Hash(): test.root}
		c, err := blob(g).Decode(from(blobs), graph.Limits{})
		if err != nil || len(c.Problems) != 1 || c.Problems[0].Reason != test.want || c.Completeness != "unreadable" {
			t.Errorf("%s: %v, %v, %s", name, err, c.Problems, c.Completeness)
		}
	}
}

// TestGraphDamage: with bytes that are cut or flipped, in a blob or in the root, the rest is read, and what is lost is
// named.
func TestGraphDamage(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range graphtest.Cases() {
		g := c.Graph
		names := slices.SortedFunc(maps.Keys(g.Blobs), func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
		for _, h := range names[:min(len(names), 30)] {
			was := g.Blobs[h]
			if len(was) == 0 || sha256.Sum256(was) != h {
				continue
			}
			flipped := bytes.Clone(was)
			flipped[r.IntN(len(was))] ^= 1 << r.IntN(8)
			for _, b := range [][]byte{flipped, was[:r.IntN(len(was))]} {
				g.Blobs[h] = b
				got := decode(t, g.Root, g.Blobs)
				if h != g.Hash() && fetched(t, g, h) && len(got.Problems) == 0 {
					t.Errorf("%s: blob %x is damaged, and nothing is said", c.Name, h)
				}
				if h == g.Hash() {
					decode(t, b, g.Blobs)
				}
			}
			g.Blobs[h] = was
		}
	}
}

// fetched reports whether a graph asks for a blob.
func fetched(t *testing.T, g *graphtest.Graph, h graph.Hash) (asked bool) {
	t.Helper()
	if _, err := (graph.Root{Bytes: g.Root}).Decode(func(x graph.Hash) (graph.Blob, error) {
		asked = asked || x == h
		return from(g.Blobs)(x)
	}, graph.Limits{}); err != nil {
		t.Fatal(err)
	}
	return asked
}
