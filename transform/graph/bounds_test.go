package graph_test

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pipeline/testdata/gen/graphtest"
	"pipeline/transform/graph"
)

// node is a message of fields with bytes.
func node(fields ...any) (b []byte) {
	for i := 0; i < len(fields); i += 2 {
		inside := fields[i+1].([]byte)
		b = binary.AppendUvarint(b, uint64(fields[i].(int))<<3|2)
		b = append(binary.AppendUvarint(b, uint64(len(inside))), inside...)
	}
	return b
}

// put adds a blob and returns its name.
func put(blobs map[[32]byte][]byte, b []byte) []byte {
	h := sha256.Sum256(b)
	blobs[h] = b
	return h[:]
}

// reasons are the reasons of a conversation's problems, each once.
func reasons(c *graph.Conversation) (all []string) {
	for _, p := range c.Problems {
		if !slices.Contains(all, p.Reason) {
			all = append(all, p.Reason)
		}
	}
	return all
}

// TestGraphBounds: what is beyond a limit is left out and named, and the rest is read.
func TestGraphBounds(t *testing.T) {
	t.Parallel()
	big := graphtest.Chat{Turns: []graphtest.Turn{
		{Request: "r", User: graphtest.User{ID: "m", Text: string(make([]byte, 5000))}},
		{User: graphtest.User{ID: "m2", Text: "x"}},
	}}.Build()
	var ids int
	for name, test := range map[string]struct {
		limits graph.Limits
		turns  int
		want   []string
	}{
		"all":   {graph.Limits{}, 2, nil},
		"blob":  {graph.Limits{Blob: 4000}, 2, []string{"too_large"}},
		"graph": {graph.Limits{Graph: 5300}, 1, []string{"too_large"}},
		"nodes": {graph.Limits{Nodes: 12}, 1, []string{"too_large"}},
	} {
		c, err := graph.Root{Bytes: big.Root}.Decode(from(big.Blobs), test.limits)
		if err != nil {
			t.Fatal(err)
		}
		if got := reasons(c); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		if name != "graph" && name != "nodes" && len(c.Turns) != test.turns {
			t.Errorf("%s: %d turns", name, len(c.Turns))
		}
		ids += len(c.Turns)
	}
	if ids == 0 {
		t.Error("nothing was read")
	}
}

// TestGraphDepth: chains of truncated steps, of subagents in subagents, of values in values and of messages in messages
// end.
func TestGraphDepth(t *testing.T) {
	t.Parallel()
	blobs := map[[32]byte][]byte{}
	step, value, inner, root := node(2, node(8, node(1, node(1, []byte("/a"))))), node(3, []byte("x")), []byte{8, 0},
		[]byte{}
	for range 500 {
		step = node(2, node(34, node(1, put(blobs, step))))
		value = node(6, node(1, value))
		inner = node(1, inner)
		root = node(16, node(1, []byte("a"), 2, node(1, root)))
	}
	user := put(blobs, node(1, []byte("hi")))
	withStep := func(step []byte) []byte { return node(8, put(blobs, node(1, node(1, user, 2, put(blobs, step))))) }
	for name, root := range map[string][]byte{
		"steps":    withStep(step),
		"values":   withStep(node(2, node(15, node(1, node(1, []byte("t"), 2, node(1, []byte("k"), 2, value)))))),
		"messages": withStep(node(2, node(4, node(1, inner)))),
	} {
		c := decode(t, root, blobs)
		if got := reasons(c); name != "messages" && !slices.Equal(got, []string{"too_deep"}) || len(c.Turns) != 1 ||
			len(c.Turns[0].Steps) != 1 {
			t.Errorf("%s: %v", name, got)
		}
	}
	if err := (graph.Root{Bytes: root}).Walk(from(blobs), graph.Limits{}); err != nil {
		t.Error(err)
	}
}

// TestGraphCycle: bytes that name themselves end. No hash allows that, so a store can only have them under a wrong
// name.
func TestGraphCycle(t *testing.T) {
	t.Parallel()
	h := [32]byte{1, 2, 3}
	blobs := map[[32]byte][]byte{h: node(2, node(34, node(1, h[:])))}
	turn := put(blobs, node(1, node(1, put(blobs, node(1, []byte("hi"))), 2, h[:])))
	if got := reasons(decode(t, node(8, turn), blobs)); !slices.Equal(got, []string{"hash_mismatch"}) {
		t.Error(got)
	}
}

// TestGraphManyReferences: a root that names one turn a million times costs what the limits allow, and unknown fields
// without end are a few keys.
func TestGraphManyReferences(t *testing.T) {
	t.Parallel()
	blobs := map[[32]byte][]byte{}
	turn := put(blobs, node(1, node(1, put(blobs, node(1, make([]byte, 2000))))))
	var root []byte
	for i := range 50_000 {
		root = append(root, node(8, turn)...)
		root = append(root, node(100+i, []byte{})...)
	}
	c, err := graph.Root{Bytes: root}.Decode(from(blobs), graph.Limits{Graph: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if got := reasons(c); !slices.Equal(got, []string{"too_large"}) || len(c.UnknownFields) != 201 ||
		c.UnknownFields["(other)"] != 50_000-200 {
		t.Errorf("%v, %d keys", got, len(c.UnknownFields))
	}
}

// FuzzGraph decodes any bytes as each kind of node. It must end soon, stay within the limits, and say the same again.
func FuzzGraph(f *testing.F) {
	for _, c := range graphtest.Cases() {
		f.Add(c.Graph.Root, uint64(0))
		for _, b := range c.Graph.Blobs {
			if len(b) < 4000 {
				f.Add(b, uint64(len(b)))
			}
		}
	}
	limits := graph.Limits{Blob: 1 << 16, Graph: 1 << 20, Nodes: 20_000, Depth: 6}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		blobs := map[[32]byte][]byte{}
		self := put(blobs, b)
		user := put(blobs, node(1, []byte("hi")))
		r := rand.New(rand.NewPCG(seed, 3))
		spoilt := slices.Clone(b)
		if len(b) > 0 {
			spoilt[r.IntN(len(b))] ^= byte(1 + r.IntN(255))
		}
		turn := put(blobs, node(1, node(1, user, 2, self, 2, put(blobs, spoilt))))
		begin := time.Now()
		for _, root := range [][]byte{b, spoilt, node(8, self), node(8, turn), node(1, self, 13, self, 4, b),
			node(8, put(blobs, node(1, node(1, self)))), node(31, node(1, []byte("a"), 2, self)),
			node(16, node(1, []byte("a"), 2, node(1, b)))} {
			fetched, size := 0, 0
			fetch := func(h graph.Hash) (graph.Blob, error) {
				fetched++
				size += len(blobs[h])
				return from(blobs)(h)
			}
			c, err := graph.Root{Bytes: root}.Decode(fetch, limits)
			if err != nil {
				t.Fatal(err)
			}
			if fetched > limits.Nodes || size > limits.Graph+limits.Blob*fetched {
				t.Fatalf("%d blobs of %d bytes were fetched", fetched, size)
			}
			fetched, size = 0, 0
			if err := (graph.Root{Bytes: root}).Walk(fetch, limits); err != nil || fetched > limits.Nodes ||
				size > limits.Graph+limits.Blob*fetched {
				t.Fatalf("a walk fetched %d blobs of %d bytes: %v", fetched, size, err)
			}
			again, _ := graph.Root{Bytes: root}.Decode(fetch, limits)
			if !slices.Equal(lines(c), lines(again)) {
				t.Fatal("the same bytes give another conversation")
			}
		}
		if d := time.Since(begin); d > 10*time.Second {
			t.Fatalf("it took %s", d)
		}
	})
}
