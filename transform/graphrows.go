package transform

import (
	"cmp"
	"strconv"

	"pipeline/sql/schema"
	"pipeline/transform/graph"
	"pipeline/transform/jsondoc"
)

// This file turns the turns of the agent's graph into rows of messages (docs/formats.md, Messages of the graph).

// Where a message or a result was read.
const (
	originBubble = "bubble"
	originGraph  = "graph"
)

// graphItems lists the messages of the graph in order. Sealed reasoning is none.
func (a *assembly) graphItems() (items []graphItem) {
	if a.agent.graph == nil {
		return nil
	}
	used := map[string]int{}
	add := func(item graphItem) {
		for base := item.id; used[item.id] > 0; {
			used[base]++
			item.id = base + "~" + strconv.Itoa(used[base])
		}
		used[item.id]++
		items = append(items, item)
	}
	n := a.census.of(origins[inGraph])
	last := ""
	for i := range a.agent.graph.Turns {
		t := &a.agent.graph.Turns[i]
		// by its place in the root's list: a turn that cannot be read counts
		prompt := "turn" + strconv.Itoa(max(i, t.Index))
		if t.User != nil && t.User.ID != "" {
			prompt = t.User.ID
		}
		if t.User != nil || t.Shell != nil {
			add(graphItem{id: prompt, turn: t})
		}
		if t.User != nil {
			last = prompt + "/"
		}
		for j := range t.Steps {
			s := &t.Steps[j]
			if s.Kind == "sealed" || s.Kind != "tool" && s.Text == "" {
				n.Skipped++
				continue
			}
			add(graphItem{id: prompt + "/" + strconv.Itoa(s.Index), turn: t, step: s, call: s.Call})
		}
	}
	for i := range a.agent.graph.Pending {
		add(graphItem{id: last + "pending" + strconv.Itoa(i), call: &a.agent.graph.Pending[i]})
	}
	return items
}

// newPendingMessage makes the message of an item that no bubble has.
func (i *graphItem) newPendingMessage() *pendingMessage {
	b := &body{id: i.id, ownRole: true}
	m := &b.message
	m.MessageID, m.Origin = i.id, ptr(originGraph)
	times := &graphTimes{}
	if i.turn != nil {
		m.RequestID = text(i.turn.RequestID)
	}
	switch {
	case i.call != nil:
		i.readCall(b, times)
	case i.step != nil:
		i.readStep(m, times)
	case i.turn.Shell != nil:
		m.Role, m.Kind = "user", kindShell
		m.Text, m.Extra = text(i.turn.Shell.Command), shellOutput(i.turn.Shell)
	default:
		i.readPrompt(b, times)
	}
	s := newPendingMessage(b)
	s.from = inGraph
	if *times != (graphTimes{}) {
		s.graph = times
	}
	return s
}

func (i *graphItem) readCall(b *body, times *graphTimes) {
	m := &b.message
	m.Role, m.Model = "assistant", modelOf(i.call.Model)
	call := graphCall(i.call)
	call.MessageID = i.id
	times.started = call.StartedAt
	b.calls = []schema.ToolCall{call}
}

func (i *graphItem) readStep(m *schema.Message, times *graphTimes) {
	m.Role, m.Model = "assistant", answered(i.turn)
	if i.step.Kind == "thinking" {
		m.Thinking, m.ThinkingDurationMs = text(i.step.Text), jsondoc.Countable(i.step.DurationMS)
	} else {
		m.Text = text(i.step.Text)
	}
	times.started = plausibleTime(i.step.StartedAt)
}

func (i *graphItem) readPrompt(b *body, times *graphTimes) {
	u, m := i.turn.User, &b.message
	m.Role, m.Text, m.Mode, m.IsSimulated = "user", text(u.Text), text(u.Mode), u.Simulated
	m.TurnDurationMs = jsondoc.Countable(i.turn.DurationMS)
	times.started, times.tagged = plausibleTime(u.StartedAt), plausibleTime(u.TaggedAt)
	b.attachments = graphAttachments(u.Attachments)
}

// shellOutput is what a command printed, as the message keeps it beside the command.
func shellOutput(s *graph.ShellCommand) schema.JSON {
	return marshal(struct {
		Stdout   string `json:"stdout"`
		Stderr   string `json:"stderr"`
		ExitCode *int64 `json:"exit_code"`
	}{clean(s.Stdout), clean(s.Stderr), s.ExitCode})
}

// graphAttachmentKinds are the kinds of attachments in the graph that have another name in the warehouse.
var graphAttachmentKinds = map[string]string{"code": "selection", "diff": "git_diff", "command": "other",
	"chat": "other", "subagent": "other", "document": "file", "video": "other", "browser": "other", "skill": "other",
	"ui_element": "other", "console_log": "other"}

func graphAttachments(all []graph.Attachment) (out []schema.Attachment) {
	for _, g := range all {
		kind := g.Kind
		if other := graphAttachmentKinds[kind]; other != "" {
			kind = other
		}
		out = append(out, schema.Attachment{Kind: kind, Path: text(g.Path), Detail: marshal(struct {
			Path string `json:"path,omitempty"`
			Name string `json:"name,omitempty"`
			Text string `json:"text,omitempty"`
		}{clean(g.Path), clean(g.Name), clean(g.Text)})})
	}
	return out
}

// answered is the model that answered a turn: as a prompt message says, else the one that was picked for it.
func answered(t *graph.Turn) *string { return cmp.Or(modelOf(t.Model), modelOf(t.RoutedModel)) }

// modelOf is the name of a model; auto where Cursor chose.
func modelOf(name string) *string {
	if name == "default" {
		name = "auto"
	}
	return text(name)
}
