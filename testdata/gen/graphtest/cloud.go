package graphtest

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
)

// This file writes what the editor keeps of a cloud agent.

// Cloud describes a cloud agent. What is empty or 0 is not written.
type Cloud struct {
	Chat        Chat // its conversation
	NoRoot      bool // the state has no conversation
	Name        string
	Branch      string
	Base        string
	Summary     string
	PullRequest string
	PullText    string
	Prompt      string
	Start, Last string // commits
	Commits     []string
	RequestedAt int64
	Session     string
	Source      int64
	SourceText  string // instead of Source
	Turns       int64
	At          int64 // time of the state
	Float       bool  // times are numbers of eight bytes with a point
	Unknown     bool  // the state has a field that nobody knows

	// labels of blobs that the editor has not fetched: state; those of the texts, see texts; or steps, such as step 1.0
	Lost []string
}

// CloudGraph is a cloud agent's state, and the blobs below it.
type CloudGraph struct {
	State [32]byte
	Root  [32]byte // SHA-256 of the root in the state
	Blobs map[[32]byte][]byte
	Row   string // value of the row that names the state
	Want  []string
}

// Build writes a cloud agent.
func (c Cloud) Build() *CloudGraph {
	g := &Graph{Blobs: map[[32]byte][]byte{}, named: map[string][32]byte{}}
	var b, root []byte
	if !c.NoRoot {
		root = c.Chat.root(g, "")
		b = sub(1, root)
	}
	for _, t := range c.texts() {
		if t.text != "" {
			b = append(b, sub(t.field, g.name(t.label, []byte(t.text)))...)
		}
	}
	b = append(b, msg(str(9, c.Start), str(10, c.Base), str(17, c.Last), c.time(21, c.RequestedAt),
		str(23, c.Session))...)
	for _, commit := range c.Commits {
		b = append(b, str(26, commit)...)
	}
	b = append(b, msg(num(29, c.Source), str(29, c.SourceText), num(30, c.Turns))...)
	if c.Unknown {
		b = append(b, num(41, 7)...)
	}
	state := g.put(b)
	g.named["state"] = state
	row := msg(sub(1, state[:]), str(2, "offset"), c.time(3, c.At), num(4, 2), num(5, 1))
	c.truth(g)
	for _, label := range c.Lost {
		delete(g.Blobs, g.Named(label))
	}
	return &CloudGraph{State: state, Root: sha256.Sum256(root), Blobs: g.Blobs,
		Row: base64.StdEncoding.EncodeToString(row), Want: g.Want}
}

// time is a field with a time.
func (c Cloud) time(field int, at int64) []byte {
	if c.Float && at != 0 {
		return float(field, float64(at)+0.25)
	}
	return num(field, at)
}

type cloudText struct {
	field       int
	label, text string
}

// texts are those that have blobs of their own.
func (c Cloud) texts() []cloudText {
	return []cloudText{{3, "pull text", c.PullText}, {4, "work", c.Summary}, {5, "branch", c.Branch},
		{6, "pull request", c.PullRequest}, {8, "name", c.Name}, {13, "prompt", c.Prompt}}
}

// truth says what a reader must find: the lines of the conversation, and those of the state.
func (c Cloud) truth(g *Graph) {
	if slices.Contains(c.Lost, "state") {
		g.Want = []string{"is unreadable", "root", "cloud", problem("blob_missing", "cloud_state", g.Named("state"))}
		return
	}
	g.Want = c.Chat.Want()
	if c.NoRoot {
		g.Want = []string{"is complete", "root"}
	}
	texts := c.texts()
	for _, label := range c.Lost {
		node, line := "text", "no line begins so"
		if i := slices.IndexFunc(texts, func(t cloudText) bool { return t.label == label }); i >= 0 {
			texts[i].text = ""
		} else {
			var turn, step int
			if _, err := fmt.Sscanf(label, "step %d.%d", &turn, &step); err != nil {
				panic("graphtest: " + label)
			}
			node, line = "step", c.Chat.Turns[turn].Steps[step].want(step, c.Chat.Turns[turn], c.Chat)
		}
		g.spoil("partial", line)
		g.Want = append(g.Want, problem("blob_missing", node, g.Named(label)))
	}
	pairs := []string{"requested", Set(c.RequestedAt)}
	for _, t := range texts {
		if !slices.Contains([]string{"pull text", "pull request", "prompt"}, t.label) {
			pairs = append(pairs, t.label, Optional(t.text))
		}
	}
	g.Want = append(g.Want, Line("cloud", pairs...))
	if c.Unknown {
		g.Want = append(g.Want, "unknown cloud_state.41 1")
	}
}

// CloudCase is a named cloud agent.
type CloudCase struct {
	Name  string
	Cloud Cloud
}

// CloudCases are cloud agents of all shapes. What one has lost is in no other: all may be in one store.
func CloudCases() []CloudCase {
	full := Cloud{Chat: modern(), Name: "Fix the login", Branch: "cursor/fix-login-1a2b", Base: "main",
		Summary: "The login works.", PullRequest: "https://example.org/pull/7", PullText: "It did not.",
		Prompt: "Fix <b>it</b>", Start: "c0ffee", Last: "decade", Commits: []string{"c0ffee1", "decade"},
		RequestedAt: base - 900, Session: "s1", Source: 3, Turns: 2, At: base + 60_000}
	with := func(change func(c *Cloud)) Cloud {
		c := full
		change(&c)
		return c
	}
	return []CloudCase{
		{"cloud", full},
		{"cloud_times_with_a_point", with(func(c *Cloud) { c.Float = true })},
		{"cloud_source_as_text", with(func(c *Cloud) { c.Source, c.SourceText = 0, "slack" })},
		{"cloud_unknown_field", with(func(c *Cloud) { c.Unknown = true })},
		{"cloud_without_a_conversation", Cloud{NoRoot: true, Name: "Just begun", RequestedAt: base}},
		{"cloud_bare", Cloud{Chat: Chat{}}},
		{"cloud_state_not_fetched", with(func(c *Cloud) { c.Base, c.Lost = "trunk", []string{"state"} })},
		{"cloud_texts_not_fetched", with(func(c *Cloud) {
			c.Name, c.PullText, c.Lost = "Nobody knows", "No one either", []string{"name", "pull text"}
		})},
		{"cloud_step_not_fetched", with(func(c *Cloud) {
			c.Chat = modern()
			c.Chat.NoMessages = true
			c.Chat.Turns[1].Steps = append(c.Chat.Turns[1].Steps, says(30, "Not here."))
			c.Lost = []string{"step 1.1"}
		})},
	}
}
