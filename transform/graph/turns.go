package graph

import (
	"google.golang.org/protobuf/encoding/protowire"

	"pipeline/transform/prompt"
)

// This file reads turns: prompts, steps, commands of the user.

// turn reads a turn.
func (r *reader) turn(i int, h Hash) {
	m := message{nodeTurn, 2}
	r.open(h, nodeTurn, func(b []byte) {
		t := Turn{Index: i}
		known := r.read(m, b,
			dest{1, func(b []byte) { r.agentTurn(b, &t) }},
			dest{2, func(b []byte) { t.Shell = r.shell(b) }})
		if !known {
			r.bad(m)
			return
		}
		r.c.Turns = append(r.c.Turns, t)
	})
}

// agentTurn reads a turn of the agent.
func (r *reader) agentTurn(b []byte, t *Turn) {
	var steps []Hash
	r.read(message{"agent_turn", 10}, b,
		dest{1, func(h Hash) { r.open(h, nodeUser, func(b []byte) { t.User = r.userMessage(b) }) }},
		dest{2, &steps},
		dest{3, &t.RequestID},
		dest{7, &t.RoutedModel},
		dest{10, func(f field) {
			if t.User == nil {
				t.User = &UserMessage{}
			}
			if t.User.ID == "" {
				r.put(f, &t.User.ID)
			}
		}})
	for i, h := range steps {
		known := false
		r.open(h, nodeStep, func(b []byte) {
			var s Step
			if s, known = r.step(b, 0); known {
				s.Index = i
				t.Steps = append(t.Steps, s)
			}
		})
		if !known {
			t.Lost = append(t.Lost, i)
		}
	}
}

// shell reads a command that the user ran: its own blob, and that of what it printed.
func (r *reader) shell(b []byte) *ShellCommand {
	var s ShellCommand
	r.read(message{"shell_turn", 2}, b,
		dest{1, func(h Hash) {
			r.open(h, nodeShell, func(b []byte) { r.read(message{"shell_command", 1}, b, dest{1, &s.Command}) })
		}},
		dest{2, func(h Hash) { r.open(h, nodeShell, func(b []byte) { r.shellOutput(b, &s) }) }})
	return &s
}

// shellOutput reads what a command printed. proto3 leaves an exit code of 0 out.
func (r *reader) shellOutput(b []byte, s *ShellCommand) {
	s.ExitCode = new(int64)
	r.read(message{"shell_output", 3}, b, dest{1, &s.Stdout}, dest{2, &s.Stderr}, dest{3, &s.ExitCode})
}

// userMessage reads a prompt.
func (r *reader) userMessage(b []byte) *UserMessage {
	var u UserMessage
	var text *Hash
	r.read(message{nodeUser, 27}, b,
		dest{1, &u.Text},
		dest{2, &u.ID},
		dest{3, func(b []byte) { u.Attachments = r.attachments(b) }},
		dest{4, oneOf{modes, &u.Mode}},
		dest{5, &u.Simulated},
		dest{18, &text},
		dest{25, moment{&u.StartedAt}},
		dest{26, moment{&u.CompletedAt}})
	if u.Text == "" && text != nil {
		r.open(*text, nodeText, func(b []byte) { u.Text = valid(b) })
	}
	u.Simulated = u.Simulated || prompt.IsNotice(u.Text)
	return &u
}

// An attached is a kind of thing that the user gave: which fields of its message are path, name and content. 0 is none.
type attached struct {
	kind                string
	path, name, content protowire.Number
}

// attachedKinds are the kinds, by the fields of SelectedContext.
var attachedKinds = map[protowire.Number]attached{
	1: {"image", 3, 7, 0}, 4: {"file", 2, 0, 1}, 5: {"code", 2, 0, 1}, 6: {"terminal", 3, 2, 1},
	7: {"terminal", 3, 2, 1}, 8: {"folder", 1, 0, 0}, 9: {"link", 1, 5, 0}, 10: {"rule", 1, 0, 2},
	11: {"diff", 0, 0, 1}, 12: {"command", 0, 1, 2}, 13: {"doc", 1, 2, 0}, 14: {"ui_element", 0, 1, 3},
	15: {"console_log", 0, 0, 1}, 17: {"commit", 1, 2, 4},
	18: {"diff", 0, 0, 1}, 19: {"chat", 1, 2, 0}, 20: {"pull_request", 1, 2, 5}, 21: {"pull_request", 2, 3, 6},
	22: {"subagent", 0, 1, 0}, 23: {"video", 3, 10, 0}, 24: {"browser", 2, 3, 0}, 25: {"document", 7, 3, 0},
	26: {"skill", 1, 0, 2},
}

// attachments reads what the user gave with a prompt.
func (r *reader) attachments(b []byte) (all []Attachment) {
	for f := range r.fields(message{"selected_context", 34}, b) {
		k, ok := attachedKinds[f.num]
		if !ok {
			continue
		}
		r.put(f, func(b []byte) {
			if k.kind == "rule" { // it is in a message of its own
				r.read(message{"selected_rule", 1}, b, dest{1, func(rule []byte) { b = rule }})
			}
			all = append(all, r.attachment(k, b))
		})
	}
	return all
}

// attachment reads one thing. Kinds have up to a dozen fields; those that no column needs are not looked at.
func (r *reader) attachment(k attached, b []byte) Attachment {
	a := Attachment{Kind: k.kind}
	r.read(message{"selected_" + k.kind, 16}, b,
		dest{k.path, &a.Path}, dest{k.name, &a.Name}, dest{k.content, &a.Text})
	return a
}

// stepParts is what a step may have.
type stepParts struct {
	answer, thought *Step
	call            *ToolCall
}

// step reads a step. One with an answer and an empty thought has been seen: the text counts. An empty thought alone
// stands for sealed reasoning.
func (r *reader) step(b []byte, depth int) (Step, bool) {
	var p stepParts
	m := message{nodeStep, 3}
	r.read(m, b,
		dest{1, func(b []byte) { p.answer = r.spoken("assistant", b) }},
		dest{2, func(b []byte) { p.call = r.call(b, depth) }},
		dest{3, func(b []byte) { p.thought = r.spoken("thinking", b) }})
	switch {
	case p.answer != nil && p.answer.Text != "":
		return *p.answer, true
	case p.call != nil:
		return Step{Kind: "tool", Call: p.call, StartedAt: p.call.StartedAt, CompletedAt: p.call.CompletedAt}, true
	case p.thought != nil && p.thought.Text != "":
		return *p.thought, true
	case p.thought != nil:
		p.thought.Kind = "sealed"
		return *p.thought, true
	case p.answer != nil:
		return *p.answer, true
	}
	r.bad(m)
	return Step{}, false
}

// spoken reads an answer or a thought. A thought has its duration before its times.
func (r *reader) spoken(kind string, b []byte) *Step {
	s := Step{Kind: kind}
	if kind == "thinking" {
		r.read(message{kind, 4}, b, dest{1, &s.Text}, dest{2, &s.DurationMS}, dest{3, moment{&s.StartedAt}},
			dest{4, moment{&s.CompletedAt}})
	} else {
		r.read(message{kind, 3}, b, dest{1, &s.Text}, dest{2, moment{&s.StartedAt}}, dest{3, moment{&s.CompletedAt}})
	}
	return &s
}
