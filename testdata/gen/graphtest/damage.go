package graphtest

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// This file damages graphs.

// without makes a graph without a blob. The lines that begin with one of the texts are lost with it.
func without(c Chat, label, node string, lost ...string) *Graph {
	g := c.Build()
	h := g.Named(label)
	delete(g.Blobs, h)
	g.spoil("partial", lost...)
	g.Want = append(g.Want, problem("blob_missing", node, h))
	return g
}

// spoil takes lines out of what a reader must find, and says how complete the rest is.
func (g *Graph) spoil(completeness string, lost ...string) {
	g.Want = slices.DeleteFunc(g.Want, func(line string) bool {
		return slices.ContainsFunc(lost, func(begin string) bool { return strings.HasPrefix(line, begin) })
	})
	g.Want[0] = "is " + completeness
}

// instead puts a line in the place of another.
func (g *Graph) instead(begin, line string) {
	for i := range g.Want {
		if strings.HasPrefix(g.Want[i], begin) {
			g.Want[i] = line
		}
	}
}

// swap gives a blob other bytes under its old name.
func (g *Graph) swap(label string, b []byte) [32]byte {
	h := g.named[label]
	g.Blobs[h] = b
	return h
}

// small is a conversation of one turn.
func small() Chat {
	return Chat{NoMessages: true, Turns: []Turn{prompt(0, "hi", says(1, "Hello."), says(2, "Bye."))}}
}

// seal replaces bytes by others that look like encrypted ones.
func seal(b []byte, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]byte, len(b)+28)
	for i := range out {
		out[i] = byte(r.Uint32())
	}
	out[0] = 0xff // no field begins so
	return out
}

// damagedCases are graphs that cannot be read completely.
var damagedCases = []namedGraph{
	{name: "graph_missing_step", make: func() *Graph { return without(small(), "step 0.0", "step", "step 0") }},
	{name: "graph_missing_turn", make: func() *Graph {
		return without(modern(), "turn 1", "turn", "turn 1", `user id=m1`, `step 0 assistant text="Nothing is left."`)
	}},
	{name: "graph_missing_prompt", make: func() *Graph {
		g := without(small(), "user 0", "user_message")
		g.instead("user", "user id=m0 text=\"\"") // the turn has the id of its prompt, too
		return g
	}},
	{name: "graph_missing_text", make: func() *Graph {
		c := small()
		c.Turns[0].User.InBlob = true
		g := without(c, "text 0", "text")
		g.instead("user", Line("user", "id", "m0", "text", `""`, "at", Set(base), "mode", "agent"))
		return g
	}},
	{name: "graph_missing_original_of_a_truncated_step", make: func() *Graph {
		c := small()
		s := calls("toolu_1", "Read", ReadTool("/w/a", "x"))
		s.Truncated = 1
		c.Turns[0].Steps = []Step{s}
		g := without(c, "original 0.0.0", "step")
		g.instead("step 0", "step 0 tool variant=truncated/34 outcome=success at=-")
		return g
	}},
	{name: "graph_missing_archive", make: func() *Graph {
		c, rest := modern(), modern()
		c.Archived = 1
		g := without(c, "archive", "archive")
		rest.Turns[0].mute()
		g.Want = append(rest.Want(), g.Want[len(g.Want)-1])
		g.spoil("partial")
		return g
	}},
	{name: "graph_hash_mismatch", make: func() *Graph {
		g := small().Build()
		h := g.swap("step 0.0", sub(1, str(1, "Forged.")))
		g.spoil("partial", "step 0")
		g.Want = append(g.Want, problem("hash_mismatch", "step", h))
		return g
	}},
	{name: "graph_sealed", make: func() *Graph {
		g := modern().Build()
		for h, b := range g.Blobs {
			g.Blobs[h] = seal(b, uint64(h[0]))
		}
		g.spoil("unreadable", "turn", "user", "step")
		g.Want = append(g.Want, problem("sealed", "root", g.Hash()))
		return g
	}},
	{name: "graph_bad_node", make: func() *Graph {
		return damaged("step", "step 0", func(g *Graph) [32]byte { return g.put([]byte("{\"role\":\"user\"}")) })
	}},
	{name: "graph_bad_step_in_a_turn", change: func(c *Chat) {
		c.Turns[1].Steps = []Step{{Kind: "bad", Text: "{\"role\":\"user\"}"}, says(20, "Nothing is left.")}
	}},
	{name: "graph_cut_node", make: func() *Graph {
		b := sub(1, str(1, "A text that is cut."))
		return damaged("step", "step 0", func(g *Graph) [32]byte { return g.put(b[:len(b)-4]) })
	}},
	{name: "graph_step_of_an_unknown_kind", make: func() *Graph {
		g := damaged("step", "step 0", func(g *Graph) [32]byte { return g.put(sub(9, str(1, "new"))) })
		g.Want = append(g.Want, "unknown step.9 1")
		return g
	}},
	{name: "graph_bad_message", make: func() *Graph {
		c := Chat{}
		g := c.Build()
		h := g.put([]byte("{\"role\":"))
		g.Root = msg(sub(1, h[:]), num(10, 1))
		g.put(g.Root)
		g.Want = []string{"is unreadable", "root mode=agent", problem("bad_node", "message", h)}
		return g
	}},
	{name: "graph_bad_root", make: func() *Graph {
		g := Chat{}.Build()
		g.Root = []byte("{\"role\":\"user\",\"content\":\"not a root\"}")
		g.put(g.Root)
		g.Want = []string{"is unreadable", "root", problem("bad_root", "root", g.Hash())}
		return g
	}},
	{name: "graph_cut_root", make: func() *Graph {
		g := small().Build()
		g.Root = append(g.Root, 0x0a, 0x20, 1, 2, 3)
		g.put(g.Root)
		g.spoil("partial")
		g.Want = append(g.Want, problem("bad_root", "root", g.Hash()))
		return g
	}},
	{name: "graph_reference_of_another_length", make: func() *Graph {
		g := small().Build()
		g.Root = append(g.Root, sub(8, []byte("short"))...)
		g.put(g.Root)
		g.spoil("partial")
		g.Want = append(g.Want, problem("bad_root", "root", g.Hash()))
		return g
	}},
}

// damaged is a conversation whose first step is another blob. The blob is what it is named for, and no step.
func damaged(node, lost string, make func(g *Graph) [32]byte) *Graph {
	g := small().Build()
	h, user, last := make(g), g.named["user 0"], g.named["step 0.1"]
	turn := g.put(sub(1, sub(1, user[:]), sub(2, h[:]), sub(2, last[:]), str(3, "r0")))
	g.Root = sub(8, turn[:])
	g.put(g.Root)
	g.spoil("partial", lost)
	g.Want = append(g.Want, problem("bad_node", node, h))
	return g
}

// mute takes from a turn what only prompt messages say.
func (t *Turn) mute() {
	t.Model, t.User.TagAt = "", 0
	for i := range t.Steps {
		if c := t.Steps[i].Call; c != nil {
			c.Unsaid = true
		}
	}
}
