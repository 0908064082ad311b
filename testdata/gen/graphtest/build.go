package graphtest

import (
	"cmp"
	"crypto/sha256"
	"strconv"
	"strings"
)

// This file writes the blobs of a description.

// Graph is a root and the blobs below it, by their names. The root is one of them.
type Graph struct {
	Root  []byte
	Blobs map[[32]byte][]byte
	Want  []string // what a reader must find: see Chat.Want
	named map[string][32]byte
}

// Hash is the name of the root's blob.
func (g *Graph) Hash() [32]byte { return sha256.Sum256(g.Root) }

// put adds a blob, and returns its name.
func (g *Graph) put(b []byte) [32]byte {
	h := sha256.Sum256(b)
	g.Blobs[h] = b
	return h
}

// name adds a blob under a label, so that a case can find it again.
func (g *Graph) name(label string, b []byte) []byte {
	h := g.put(b)
	g.named[label] = h
	return h[:]
}

// Named is the name of a blob that has a label: "turn 0", "user 0", "step 0.1" (turn and step by their places in the
// description), "message 0" (the last of a turn).
func (g *Graph) Named(label string) [32]byte {
	h, ok := g.named[label]
	if !ok {
		panic("graphtest: there is no " + label)
	}
	return h
}

// Build writes a conversation.
func (c Chat) Build() *Graph {
	g := &Graph{Blobs: map[[32]byte][]byte{}, named: map[string][32]byte{}, Want: c.Want()}
	g.Root = c.root(g, "")
	g.put(g.Root)
	return g
}

// root writes the root. The prefix tells blobs of subagents from the others.
func (c Chat) root(g *Graph, prefix string) []byte {
	var b []byte
	add := func(parts ...[]byte) { b = append(b, msg(parts...)...) }
	archives := c.addMessages(g, prefix, add)
	for _, t := range c.Todos {
		add(sub(3, g.name(prefix+"todo "+t.ID,
			msg(str(1, t.ID), str(2, t.Text), num(3, int64(t.State)), num(4, t.At), num(5, t.At)))))
	}
	for _, p := range c.Pending {
		add(str(4, p))
	}
	if c.Used != 0 {
		var parts []byte
		for _, p := range c.Parts {
			parts = append(parts, sub(3, str(1, p.ID), str(2, p.Label), num(3, p.Tokens), num(4, p.Chars))...)
		}
		add(sub(5, num(1, c.Used), num(2, c.Max), sub(3, num(1, c.Used), parts)))
	}
	if c.Summary != "" {
		add(sub(6, g.name(prefix+"summary", str(1, c.Summary))))
	}
	if c.Plan != "" {
		add(sub(7, g.name(prefix+"plan", str(1, c.Plan))))
	}
	if !c.NoTurns {
		for i, t := range c.Turns[c.LostTurns:] {
			add(sub(8, t.write(g, prefix+strconv.Itoa(i), c.Unknown)))
		}
	}
	for _, w := range c.Workspaces {
		add(str(9, w))
	}
	add(num(10, int64(c.Mode)), archives)
	for _, t := range c.Timings {
		add(sub(14, num(1, t[0]), num(2, t[1])))
	}
	add(c.facts(g, prefix))
	return b
}

// facts writes the root's fields from 16 on.
func (c Chat) facts(g *Graph, prefix string) (b []byte) {
	for _, s := range c.Subagents {
		kind := sub(4)
		if s.Custom != "" {
			kind = sub(3, str(1, s.Custom))
		}
		cloud := []byte(nil)
		if s.Cloud != "" {
			cloud = sub(7, str(1, s.Cloud), str(2, "/t/"+s.Cloud))
		}
		state := msg(sub(1, s.Chat.root(g, prefix+s.ID+" ")), num(2, s.CreatedAt), num(3, s.CreatedAt+5), sub(4, kind),
			str(5, s.Model), cloud)
		if s.AsBlob {
			b = append(b, entry(31, s.ID, g.name(prefix+"subagent "+s.ID, state))...)
		} else {
			b = append(b, entry(16, s.ID, state)...)
		}
	}
	for _, p := range c.PlanPaths {
		b = append(b, entry(20, p[0], str(1, p[0]), str(2, p[1]))...)
	}
	for _, p := range c.Branches {
		b = append(b, sub(21, str(1, p[0]), str(2, p[1]))...)
	}
	b = append(b, msg(num(26, c.StartedAt), str(27, c.TimeZone))...)
	for _, r := range c.Runs {
		b = append(b, entry(30, r.Call, str(1, r.Call), str(2, r.Subagent), num(3, 1), num(4, int64(r.State)),
			str(5, r.Title), num(9, r.EndedAt))...)
	}
	if c.Unknown {
		b = append(b, msg(num(61, 5), sub(62, []byte("new")))...)
	}
	return b
}

// write writes a turn and returns the name of its blob.
func (t Turn) write(g *Graph, at string, unknown bool) []byte {
	if t.Shell != nil {
		command := g.name("command "+at, str(1, t.Shell.Command))
		output := g.name("output "+at, msg(str(1, t.Shell.Out), str(2, t.Shell.Err), num(3, t.Shell.Exit)))
		return g.name("turn "+at, sub(2, sub(1, command), sub(2, output)))
	}
	body := sub(1, g.name("user "+at, t.User.write(g, at, unknown)))
	for i, s := range t.Steps {
		b := s.write(g)
		for n := range s.Truncated {
			h := g.name("original "+at+"."+strconv.Itoa(i)+"."+strconv.Itoa(n), b)
			var outcome []byte
			if !s.Call.NoResult {
				outcome = sub(3, sub(1))
			}
			b = sub(2, sub(34, sub(1, h), outcome))
		}
		body = append(body, sub(2, g.name("step "+at+"."+strconv.Itoa(i), b))...)
	}
	body = append(body, msg(str(3, t.Request), str(7, t.Routed), str(10, t.User.ID))...)
	return g.name("turn "+at, sub(1, body))
}

// write writes a prompt.
func (u User) write(g *Graph, at string, unknown bool) []byte {
	var context, text []byte
	for _, f := range u.Files {
		context = append(context, sub(4, str(1, "body of "+f), str(2, f), str(3, "rel"))...)
	}
	if context != nil {
		context = sub(3, context)
	}
	if u.InBlob {
		text = sub(18, g.name("text "+at, []byte(u.Text)))
	} else {
		text = str(1, u.Text)
	}
	b := msg(text, str(2, u.ID), context, num(4, 1), yes(5, u.Simulated), num(25, u.At))
	if unknown {
		b = append(b, str(40, "new")...)
	}
	return b
}

// write writes a step.
func (s Step) write(g *Graph) []byte {
	switch s.Kind {
	case "assistant":
		return sub(1, str(1, s.Text), num(2, s.From), num(3, s.To))
	case "beside":
		return msg(sub(1, str(1, s.Text)), sub(3))
	case "thinking":
		return sub(3, str(1, s.Text), num(2, s.Duration), num(3, s.From), num(4, s.To))
	case "sealed":
		return sub(3)
	case "bad":
		return []byte(s.Text)
	}
	if s.Call.Tool.Blob != nil {
		g.put(s.Call.Tool.Blob)
	}
	return sub(2, s.ToolCall())
}

// ToolCall is the message of a step's call, which the toolCallBinary of a bubble has in base64.
func (s Step) ToolCall() []byte {
	c := s.Call
	b := sub(c.Tool.Number, sub(1, c.Tool.Args), c.result())
	if c.IDIn == "call" {
		b = append(b, str(57, c.ID)...)
	}
	return msg(b, num(59, s.From), num(60, s.To))
}

// result is the field with the result of a call.
func (c *Call) result() []byte {
	if c.NoResult {
		return nil
	}
	return sub(2, c.Tool.Result)
}

// addMessages writes the prompt messages, adds those of the root to it, and returns the field with the archive.
func (c Chat) addMessages(g *Graph, prefix string, add func(...[]byte)) (archives []byte) {
	if c.NoMessages {
		return nil
	}
	var archived []byte
	put := func(turn int, text string) {
		h := g.name(prefix+"message "+strconv.Itoa(turn), []byte(text))
		if turn >= 0 && turn < c.Archived {
			archived = append(archived, sub(1, h)...)
			return
		}
		add(sub(1, h))
		if c.Twice {
			add(sub(1, h))
		}
	}
	put(-1, `{"role":"system","content":"You are an agent."}`)
	put(-2, `{"role":"user","content":[{"type":"text","text":"<user_info>\nOS: linux\n</user_info>"}]}`)
	for i, t := range c.Turns {
		for _, text := range t.messages(c.OpenAI, c.InParts) {
			put(i, text)
		}
	}
	if archived == nil {
		return nil
	}
	field := 13
	if c.OldArchive {
		field = 11
	}
	return sub(field, g.name(prefix+"archive", msg(archived, str(2, c.Summarized), num(3, 2))))
}

// Notification is what Cursor puts before its own prompt when a task in the background ended.
const Notification = "<system_notification>\nThe following task has finished. If you were already aware, ignore this " +
	"notification.\n\n<task>\nkind: shell\nstatus: success\ntask_id: 146832\ntitle: Run the tests\n" +
	"tool_call_id: call-7\nfc_7\n</task>\n</system_notification>"

// messages are the prompt messages of a turn.
func (t Turn) messages(openAI, inParts bool) (all []string) {
	if t.Shell != nil {
		return nil
	}
	text := "<user_query>\n" + t.User.Text + "\n</user_query>"
	if t.User.Notice {
		text = Notification + "\n" + text
	}
	if t.User.Tag != "" {
		text = "<timestamp>" + t.User.Tag + "</timestamp>\n" + text
	}
	options := ""
	if t.Request != "" {
		options = `{"cursor":{"requestId":` + Quoted(t.Request) + `}}`
	}
	all = append(all, Object("role", `"user"`, "content", `[{"type":"text","text":`+Quoted(text)+`}]`,
		"providerOptions", options))
	model := ""
	if t.Model != "" {
		model = `{"cursor":{"modelName":` + Quoted(t.Model) + `}}`
	}
	for _, s := range t.Steps {
		if s.Kind == "tool" && s.Call.Unsaid {
			continue
		}
		all = append(all, s.messages(model, openAI, inParts)...)
	}
	return all
}

// messages are the prompt messages of a step. Ids of messages are 1 on every one, as in real stores.
func (s Step) messages(model string, openAI, inParts bool) []string {
	part, inPart := "", ""
	if inParts && !openAI {
		model, inPart = "", model
	}
	switch s.Kind {
	case "bad":
		return nil
	case "assistant", "beside":
		part = Object("type", `"text"`, "text", Quoted(s.Text), "providerOptions", inPart)
	case "thinking":
		part = Object("type", `"reasoning"`, "text", Quoted(s.Text), "signature", `"c2ln"`,
			"providerOptions", inPart)
	case "sealed":
		part = Object("type", `"redacted-reasoning"`, "data", Quoted(s.Text), "providerOptions", inPart)
	case "tool":
		return s.Call.messages(model, inPart, openAI)
	}
	return []string{Object("role", `"assistant"`, "id", `"1"`, "content", "["+part+"]", "providerOptions", model)}
}

// messages are the prompt messages of a call.
func (c *Call) messages(model, inPart string, openAI bool) []string {
	id := Quoted(cmp.Or(c.SaidID, c.ID))
	if openAI {
		call := Object("id", id, "function", Object("name", Quoted(c.Name), "arguments", Quoted(c.Args)))
		return []string{Object("role", `"assistant"`, "content", "null", "tool_calls", "["+call+"]", "providerOptions",
			model),
			Object("role", `"tool"`, "tool_call_id", id, "content", c.Result)}
	}
	part := Object("type", `"tool-call"`, "toolCallId", id, "toolName", Quoted(c.Name), "args", c.Args,
		"providerOptions", inPart)
	all := []string{Object("role", `"assistant"`, "id", `"1"`, "content", "["+part+"]", "providerOptions", model)}
	if c.NoResult {
		return all
	}
	result := Object("type", `"tool-result"`, "toolCallId", id, "toolName", Quoted(c.Name), "result",
		c.Result, "isError", OptionalFlag(c.IsError))
	return append(all, Object("role", `"tool"`, "id", Quoted(strings.ReplaceAll(c.ID, "\n", " ")), "content",
		"["+result+"]", "providerOptions", c.Told.json()))
}

// json is what the message says for Cursor itself. A command that failed is no error there.
func (t Told) json() string {
	body := ""
	switch t.Kind {
	case "":
		return ""
	case "success", "failure":
		took := map[string]string{"success": "executionTime", "failure": "localExecutionTimeMs"}[t.Kind]
		body = Object("exitCode", Number(t.exit()), took, strconv.FormatInt(t.Took, 10))
	case "rejected":
		body = `{"reason":"because"}`
	default:
		body = `{"error":"because"}`
	}
	return `{"cursor":{"highLevelToolCallResult":{"output":{` + Quoted(t.Kind) + `:` + body + `},"isError":` +
		strconv.FormatBool(t.Kind == "error") + `}}}`
}

func (t Told) exit() *int64 {
	if t.Kind != "failure" {
		return nil
	}
	return &t.Exit
}

// On is a tool of which a message tells so. What the variant says counts before.
func (t Told) On(tool Tool) Tool {
	if tool.Outcome == "" && t.Kind != "" {
		tool.Outcome = map[string]string{"success": "success", "rejected": "rejected",
			"permissionDenied": "denied"}[t.Kind]
		tool.Outcome = cmp.Or(tool.Outcome, "error")
	}
	if tool.Exit = cmp.Or(tool.Exit, t.exit()); t.Kind == "success" || t.Kind == "failure" {
		tool.Took = cmp.Or(tool.Took, t.Took)
	}
	return tool
}
