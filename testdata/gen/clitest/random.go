package clitest

import (
	"fmt"
	"math/rand/v2"
	"net/url"

	"pipeline/testdata/gen/graphtest"
)

// Random is a home with some chats that a seed gives.
func Random(seed uint64) *Home {
	r := rand.New(rand.NewPCG(seed, 4711))
	h := &Home{}
	for n := range 8 + r.IntN(5) {
		h.Chats = append(h.Chats, randomChat(r, seed, n))
	}
	return h
}

// randomChat is the n-th chat of a home.
func randomChat(r *rand.Rand, seed uint64, n int) *Chat {
	name := fmt.Sprintf("random-%d-%d", seed, n)
	c := chat(name, n)
	c.Graph = randomGraph(r, seed*1000+uint64(n))
	c.in([]string{"/home/u/work/" + name, "/home/u/a b/" + name, "/srv/50%/" + name}[r.IntN(3)])
	c.ACP, c.WAL, c.Meta.Plain = r.IntN(6) == 0, r.IntN(5) == 0, r.IntN(5) == 0
	c.Meta.Title = []string{name, "New Agent", ""}[r.IntN(3)]
	c.Meta.Mode = []string{"default", "auto-run", "plan", "background", "search"}[r.IntN(5)]
	c.Meta.Model = []string{"", "gpt-5.2", "claude-opus-5"}[r.IntN(3)]
	if r.IntN(4) == 0 {
		c.Meta.Created = 0
	}
	if r.IntN(3) == 0 {
		c.Meta.More = [][2]string{{"blobEncryptionKey", graphtest.Quoted(Secret)}}
	}
	if r.IntN(3) == 0 {
		c.File.Title = "File of " + name
	}
	if r.IntN(4) == 0 {
		c.File = nil
	}
	if r.IntN(4) == 0 {
		c.Graph.Workspaces = nil
	}
	if r.IntN(8) == 0 {
		c.Sealed = true
	}
	return c
}

// randomGraph is a graph that graphtest makes, with what the rows of a warehouse do not say taken out.
func randomGraph(r *rand.Rand, seed uint64) graphtest.Chat {
	g := graphtest.Random(seed)
	g.Subagents = nil // of these a warehouse may make conversations
	if r.IntN(6) == 0 {
		g.NoMessages, g.LostTurns = true, 0
	}
	if g.NoTurns = !g.NoMessages && r.IntN(8) == 0; g.NoTurns {
		g.LostTurns, g.Unknown = 0, false
	}
	g.OpenAI = r.IntN(8) == 0
	n := 0
	for i := range g.Turns {
		t, lost := &g.Turns[i], g.NoTurns || i < g.LostTurns
		t.User.Simulated = t.User.Simulated && !lost // the messages do not say it
		var steps []graphtest.Step
		for _, s := range t.Steps {
			if s.Kind == "sealed" && lost {
				continue // nothing settles whether it counts as a step there
			}
			if s.Kind == "tool" {
				n++
				s.Call.NoResult, s.Call.IsError = false, s.Call.IsError && !g.OpenAI
				if s.Call.Name = nameOf(s.Call.Tool, n); g.OpenAI {
					s.Call.Told = graphtest.Told{}
				}
			}
			steps = append(steps, s)
		}
		t.Steps = steps
		if !lost && r.IntN(6) == 0 {
			*t = graphtest.Turn{Shell: &graphtest.Shell{Command: fmt.Sprintf("make target%d", i), Out: "done",
				Exit: int64(r.IntN(2))}}
		}
	}
	return g
}

// Night changes the home as a night of work does: a chat is begun, goes on, is renamed, compacted, taken back to an
// earlier state, deleted.
func (h *Home) Night(r *rand.Rand) {
	n := len(h.Chats)
	h.Chats = append(h.Chats, randomChat(r, r.Uint64N(1e9), 40+n))
	for _, change := range []func(*Chat, *rand.Rand){goOn, goOn, stepOn, rename, summarize, takeBack} {
		if c := h.some(r); c != nil {
			change(c, r)
			if c.File != nil {
				c.File.Updated += hour
			}
		}
	}
	if c := h.some(r); c != nil {
		h.remove(c)
	}
}

// some is a chat that a night may change; nil if there is none.
func (h *Home) some(r *rand.Rand) *Chat {
	for _, i := range r.Perm(len(h.Chats)) {
		if c := h.Chats[i]; !c.Keep && c.readable() && !c.damaged() && !c.NoStore && !c.running() && !c.Graph.NoTurns &&
			len(c.Graph.Turns) > 0 {
			return c
		}
	}
	return nil
}

// remove takes a chat out of the home.
func (h *Home) remove(c *Chat) {
	var rest []*Chat
	for _, other := range h.Chats {
		if other != c {
			rest = append(rest, other)
		}
	}
	h.Chats = rest
}

// leave keeps the blobs of the chat's state, before it gets another.
func (c *Chat) leave() { c.Stale = append(c.Stale[:len(c.Stale):len(c.Stale)], c.Graph) }

// goOn appends a turn.
func goOn(c *Chat, r *rand.Rand) {
	c.leave()
	n, id := len(c.Graph.Turns), r.Uint64N(1e9)
	t := within(turn(base+60*24*hour+int64(id), 0, fmt.Sprintf("Go on with %s (%d).", c.Name, id),
		thinks(fmt.Sprintf("How? (%d)", id), 10), says(fmt.Sprintf("I go on (%d).", id)),
		reads(fmt.Sprintf("toolu_night_%d", id), "/w/night.go")))
	c.Graph.Turns, c.Graph.Timings = append(c.Graph.Turns[:n:n], t), nil
}

// stepOn appends a step to the last turn, which so becomes another blob.
func stepOn(c *Chat, r *rand.Rand) {
	last := c.Graph.Turns[len(c.Graph.Turns)-1]
	if last.Shell != nil {
		goOn(c, r)
		return
	}
	c.leave()
	n := len(last.Steps)
	s := says(fmt.Sprintf("One thing more (%d).", r.Uint64()))
	last.Steps = append(last.Steps[:n:n], s)
	n = len(c.Graph.Turns) - 1
	c.Graph.Turns = append(c.Graph.Turns[:n:n], last)
}

func rename(c *Chat, r *rand.Rand) { c.Meta.Title = fmt.Sprintf("Renamed %d", r.Uint64N(1e9)) }

// summarize archives the prompt messages of all turns but the last.
func summarize(c *Chat, r *rand.Rand) {
	c.leave()
	c.Graph.Archived, c.Graph.Summarized = max(c.Graph.Archived, len(c.Graph.Turns)-1),
		fmt.Sprintf("What was said until now (%d).", r.Uint64())
}

// takeBack gives the chat a state that it had, or the one before its last turn.
func takeBack(c *Chat, r *rand.Rand) {
	was := c.Graph
	if n := len(c.Stale); n > 0 {
		c.leave()
		c.Graph = c.Stale[r.IntN(n)]
		return
	}
	c.leave()
	was.Turns, was.Timings = was.Turns[:len(was.Turns)-1], nil
	was.Archived, was.LostTurns = min(was.Archived, len(was.Turns)), min(was.LostTurns, len(was.Turns))
	c.Graph = was
}

// uriOf is a path as a root has it.
func uriOf(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }
