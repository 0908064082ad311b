package clitest

import (
	"slices"

	"pipeline/testdata/gen/graphtest"
)

// damagedCases are stores that cannot be read completely, or that hold more than the chat.
var damagedCases = []namedCase{
	{"sealed", func(c *Chat) {
		c.Sealed, c.Meta.More = true, [][2]string{{"blobEncryptionKey", graphtest.Quoted(Secret)}}
	}},
	{"lost_step", func(c *Chat) { c.Graph.NoMessages, c.Lost = true, []string{"step 0.1"} }},
	{"lost_call", func(c *Chat) { c.Graph.NoMessages, c.Lost = true, []string{"step 0.2", "step 0.4"} }},
	{"lost_turn", func(c *Chat) { c.Graph.NoMessages, c.Lost = true, []string{"turn 0"} }},
	{"bad_step", func(c *Chat) {
		c.Graph.NoMessages = true
		c.Graph.Turns[0].Steps[1] = graphtest.Step{Kind: "bad", Text: `{"role":"user"}`}
	}},
	{"stale_root", func(c *Chat) {
		before := c.Graph
		before.Turns = before.Turns[:1]
		branch := c.Graph // the second prompt was another one, before the user went back
		branch.Turns = []graphtest.Turn{c.Graph.Turns[0],
			within(turn(c.Graph.StartedAt+300, 1, "A prompt that was taken back.",
				says("An answer that was taken back."), reads("toolu_stale", "/w/stale.go")))}
		running := c.Graph
		running.Turns = slices.Clone(running.Turns)
		running.Turns[0].Steps = running.Turns[0].Steps[:3]
		running.Turns, running.Pending = running.Turns[:1],
			[]string{
				`{"type":"tool-call","toolCallId":"toolu_stale_root_2","toolName":"Shell","args":{"command":"go test ./stale_root"}}`,
			}
		c.Stale = []graphtest.Chat{running, before, branch}
	}},
	{"loose_blobs", func(c *Chat) {
		c.Loose = [][]byte{[]byte(`{"role":"user","content":"nobody names me"}`), []byte(`{"cells":[],"nbformat":4}`),
			{}, {0}, []byte("\x0a\x20not a root, and cut"), []byte("plain text")}
	}},
}
