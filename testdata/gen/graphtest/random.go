package graphtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Random is a description that a seed gives.
func Random(seed uint64) Chat {
	r := random{Rand: rand.New(rand.NewPCG(seed, 77)), seed: seed}
	c := r.chat(2 + r.IntN(6))
	c.Archived, c.OldArchive, c.Summarized = r.IntN(len(c.Turns)), r.IntN(2) == 0, r.text()
	c.Twice, c.Unknown = r.IntN(3) == 0, r.IntN(3) == 0
	if r.IntN(4) == 0 {
		c.LostTurns = r.IntN(len(c.Turns))
		c.Unknown = false // the truth counts the turns that the root has
	}
	if r.IntN(3) == 0 {
		child := r.chat(1 + r.IntN(2))
		c.Subagents = append(c.Subagents, Subagent{ID: "agent-" + r.word(), Model: r.word(), CreatedAt: r.time(),
			AsBlob: r.IntN(2) == 0, Chat: child})
	}
	for range r.IntN(3) {
		id := fmt.Sprint("todo", len(c.Todos))
		c.Todos = append(c.Todos, Todo{ID: id, Text: r.text(), State: 1 + r.IntN(4), At: r.time()})
	}
	c.InParts = r.IntN(3) == 0
	return c
}

type random struct {
	*rand.Rand
	seed  uint64
	calls int
	turns int
	steps int
}

func (r *random) chat(turns int) Chat {
	c := Chat{Mode: r.IntN(7), Used: r.Int64N(200000), Max: 200000, StartedAt: r.time(), TimeZone: "UTC",
		Workspaces: []string{"file:///" + r.word()}}
	for range 1 + r.IntN(3) {
		c.Parts = append(c.Parts, Part{r.word(), r.word(), r.Int64N(5000), r.Int64N(20000)})
	}
	for range turns {
		c.Turns = append(c.Turns, r.turn())
	}
	return c
}

// turn is a prompt. Its text is its own, since the same prompt twice is one message.
func (r *random) turn() Turn {
	r.turns++
	t := prompt(r.turns%10, fmt.Sprintf("%s (%d.%d)", r.text(), r.seed, r.turns))
	t.Request, t.User.ID, t.User.Tag, t.User.TagAt = fmt.Sprintf("req-%d-%d", r.seed, r.turns),
		fmt.Sprintf("msg-%d", r.turns), "", 0
	t.Routed, t.User.At, t.User.InBlob, t.User.Simulated = []string{"", "GPT-5"}[r.IntN(2)], r.time(), r.IntN(4) == 0,
		r.IntN(6) == 0
	for range r.IntN(7) {
		t.Steps = append(t.Steps, r.step())
	}
	return t
}

func (r *random) step() Step {
	s := Step{From: r.time(), To: r.time()}
	r.steps++
	unique := fmt.Sprintf(" (%d.%d)", r.seed, r.steps) // equal messages are one blob, and a reader takes each once
	switch r.IntN(6) {
	case 0, 1:
		s.Kind, s.Text = "assistant", r.text()+unique
	case 2:
		s.Kind, s.Text, s.Duration = "thinking", r.text()+unique, r.Int64N(9000)
	case 3:
		s = Step{Kind: "sealed", Text: unique}
	default:
		all := EveryTool()
		r.calls++
		call := &Call{ID: fmt.Sprintf("toolu_%d_%d", r.seed, r.calls), Name: r.word(), IDIn: "call",
			Tool: all[r.IntN(len(all))], Args: Object("text", Quoted(r.text())), Result: Quoted(r.text()),
			NoResult: r.IntN(12) == 0}
		call.IsError = !call.NoResult && r.IntN(8) == 0
		if r.calls%3 == 0 {
			call.Told = Told{Kind: "success", Took: int64(r.calls)}
		}
		s.Kind, s.Call = "tool", call
		if r.IntN(8) == 0 {
			s.Truncated = 1 + r.IntN(3)
		}
	}
	return s
}

func (r *random) time() int64 { return base + r.Int64N(30*24*3600_000) }

var words = strings.Fields("graph blob Ärger naïve 日本語 x=1; <b> \"q\" \\n {} [1] emoji\U0001F600 tab\tx end")

func (r *random) word() string { return words[r.IntN(2)] + fmt.Sprint(r.IntN(1000)) }

// text is a text with odd characters, now and then a long one.
func (r *random) text() string {
	n := 1 + r.IntN(12)
	if r.IntN(20) == 0 {
		n = 3000
	}
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(" \n"[r.IntN(2)])
		}
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.String()
}
