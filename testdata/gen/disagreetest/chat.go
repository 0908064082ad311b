package disagreetest

import "fmt"

// began is the time of the earliest chat, 2026-09-01 00:00 UTC.
const began = int64(1788220800000)

// Chat is a conversation as it was, and what its places know of it.
type Chat struct {
	ID    string
	Shape Shape
	Title string

	r       random
	seed    uint64
	part    int // which chat of its group, from 0
	said    []*message
	turns   int   // turns that were no branch
	clock   int64 // the time of what was said last
	created int64

	parent   *Chat    // of a subagent or of a try
	children []*Chat  // subagents, or tries
	spawned  *message // the parent's call that started a subagent
	marked   bool     // a try says so itself
	listed   bool     // the parent lists the try
	claims   bool     // a try has subagentInfo
	status   string
	trimmed  int // the first turn that a trimmed list has
	headless bool
	hashed   bool // each blob is stored as hex digits
}

// message is one thing that was said.
type message struct {
	n       int    // its number in the chat
	id      string // of its bubble
	stored  string // the id in the bubble's body, where it is another
	turn    int    // its turn, from 0; that of the prompt that replaced it, if it is of a branch
	branch  bool   // an edited prompt left it
	ghost   bool   // a subagent's prompt that also lies with its parent
	user    bool
	kind    string // as in the warehouse, or sealed: a thought that nobody can read
	words   string
	at      int64
	request string // of a prompt
	// what says that the program wrote a prompt: bubble, plan, header, spawn, graph; "" for one that a person typed
	mark  string
	call  *call
	style uint64 // decides the form of what is written
	own   bool   // its row has a time of its own

	// where it is
	row    bool // a bubble
	inside bool // the document's map or array
	bad    bool // the bubble cannot be used
	holder bool // the bubble is a placeholder
	header bool // the list of headers names it, if there is a list
	node   bool // the graph has it
	lost   bool // the graph names it, and its blob is gone
	nodeID string
}

// saidByGraph tells whether the graph, if it has the prompt, says that the program wrote it.
func (m *message) saidByGraph() bool { return m.mark == "graph" || m.mark != "" && m.style%2 == 0 }

// bubbles tells whether Cursor makes a bubble of it.
func (m *message) bubbles() bool { return m.kind != "shell" }

// noded tells whether the graph has a node for it.
func (m *message) noded() bool {
	if m.branch || m.ghost {
		return false
	}
	switch m.kind {
	case "text", "thinking", "tool_call", "shell", "sealed":
		return true
	}
	return false
}

// invent makes what was said.
func (c *Chat) invent() {
	turns := c.r.between(1, 6)
	if c.Shape.List == "long" {
		turns = 150
	}
	replaced := -1
	if c.Shape.Branch {
		replaced = c.r.IntN(turns)
	}
	for c.turns < turns {
		if c.turns == replaced {
			c.turn(true)
		}
		if c.graph() && c.Shape.List != "long" && c.turns > 0 && c.turns < turns-1 && c.r.chance(5) {
			c.say(&message{kind: "shell", user: true, words: c.words("run me")})
			c.turns++
			continue
		}
		c.turn(false)
	}
	if c.parent == nil && c.Shape.Group == "subagent" {
		c.spawn()
	}
}

// spawn ends a chat with a call that starts a subagent, whose prompt also lies with its parent.
func (c *Chat) spawn() {
	c.spawned = &message{kind: "tool_call"}
	c.turns--
	c.say(c.spawned)
	c.turns++
	m := c.spawned
	m.call = &call{id: fmt.Sprintf("toolu_spawn_%d", c.seed), tool: "task", node: "ok", start: m.at - 900,
		end: m.at - 200}
	m.call.row = rowCall{status: "completed", args: "params", result: "plain"}
	c.say(&message{kind: "text", user: true, words: c.words("Look for callers"), mark: "spawn", ghost: true})
}

// turn makes a prompt and what followed.
func (c *Chat) turn(branch bool) {
	prompt := &message{kind: "text", user: true, branch: branch}
	prompt.words = c.words(c.r.pick("Fix the import\nand test it", "Why?", "Look at the ledger",
		"naïve 日本語 \"x\" \\n {}"))
	if c.Shape.Repeats && c.r.chance(25) {
		prompt.words = "continue"
	}
	if c.Shape.Simulated && !branch && c.r.chance(35) {
		prompt.mark = c.r.pick("bubble", "plan", "header", "spawn", "graph")
		if prompt.mark == "plan" {
			prompt.words = c.words("Build")
		}
	}
	if c.parent != nil && c.Shape.Group == "subagent" && len(c.said) == 0 {
		prompt.words, prompt.mark = c.words("Look for callers"), c.r.pick("", "spawn")
	}
	c.say(prompt)
	prompt.request = fmt.Sprintf("request-%d-%d-%d", c.seed, c.part, prompt.n)
	steps := c.r.between(0, 6)
	if c.Shape.List == "long" {
		steps = c.r.between(7, 9)
	}
	for range steps {
		c.step(branch)
	}
	if !branch {
		c.turns++
	}
}

// step makes something that the agent did.
func (c *Chat) step(branch bool) {
	m := &message{branch: branch}
	switch n := c.r.IntN(20); {
	case n < 7:
		m.kind, m.words = "text", c.words("I look at it.")
		if c.Shape.Repeats && c.r.chance(40) {
			m.words = "Done."
		}
	case n < 10:
		m.kind, m.words = "thinking", c.words("The ledger is wrong.")
	case n < 11:
		m.kind = "sealed"
	case n < 12:
		m.kind, m.words = "compaction", c.words("So far:")
	case n < 13:
		m.kind, m.words = "error", ""
	case n < 14 && c.Shape.Graph == "none":
		m.kind = "empty"
	default:
		m.kind = "tool_call"
	}
	c.say(m)
	if m.kind == "tool_call" {
		m.call = c.newCall(m)
	}
}

// words are a text that no other message has.
func (c *Chat) words(text string) string {
	return fmt.Sprintf("%s [%d.%d.%d]", text, c.seed, c.part, len(c.said))
}

// say adds a message, and gives it its id and time.
func (c *Chat) say(m *message) {
	c.clock += int64(c.r.between(1000, 600_000))
	m.n, m.at, m.turn, m.style = len(c.said), c.clock, c.turns, c.r.Uint64()
	m.id = fmt.Sprintf("%08x-%04x-4000-8000-%012d", uint32(m.n+1)*2654435761, c.part, c.seed)
	m.own = c.Shape.Times == "all" || c.Shape.Times == "some" && c.r.chance(60)
	c.said = append(c.said, m)
}

// prompt is the prompt of a message's turn, which the turn of a branch has for itself.
func (c *Chat) prompt(m *message) *message {
	for i := m.n; i >= 0; i-- {
		if p := c.said[i]; p.user && p.turn == m.turn && p.branch == m.branch && !p.ghost {
			return p
		}
	}
	return nil
}

// readable tells whether the chat's document can be used.
func (c *Chat) readable() bool { return c.Shape.Head == "whole" }

// noMessages tells that the graph is made of nodes only, without the messages that the model saw.
func (c *Chat) noMessages() bool { return c.Shape.Damage != "" || c.seed%2 == 0 }

// graph tells whether a place names the chat's graph.
func (c *Chat) graph() bool { return c.Shape.Graph != "none" }
