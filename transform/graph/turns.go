package graph

// This file reads turns: prompts, steps, commands of the user.

// turn reads a turn.
func (r *reader) turn(i int, h Hash) {
	m := message{nodeTurn, 2}
	r.open(h, nodeTurn, func(b []byte) {
		t, known := Turn{Index: i}, false
		for f := range r.fields(m, b) {
			switch f.num {
			case 1:
				known = true
				r.inner(f, func(b []byte) { r.agentTurn(b, &t) })
			case 2:
				known = true
				r.inner(f, func(b []byte) { t.Shell = r.shell(b) })
			}
		}
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
	for f := range r.fields(message{"agent_turn", 10}, b) {
		switch f.num {
		case 1:
			r.hash(f, func(h Hash) { r.open(h, nodeUser, func(b []byte) { t.User = r.userMessage(b) }) })
		case 2:
			r.hash(f, func(h Hash) { steps = append(steps, h) })
		case 3:
			r.text(f, &t.RequestID)
		case 7:
			r.text(f, &t.RoutedModel)
		case 10:
			if t.User == nil {
				t.User = &UserMessage{}
			}
			if t.User.ID == "" {
				r.text(f, &t.User.ID)
			}
		}
	}
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
	for f := range r.fields(message{"shell_turn", 2}, b) {
		switch f.num {
		case 1:
			r.hash(f, func(h Hash) {
				r.open(h, nodeShell, func(b []byte) { s.Command = r.pair(message{"shell_command", 1}, b)[0] })
			})
		case 2:
			r.hash(f, func(h Hash) { r.open(h, nodeShell, func(b []byte) { r.shellOutput(b, &s) }) })
		}
	}
	return &s
}

// shellOutput reads what a command printed. proto3 leaves an exit code of 0 out.
func (r *reader) shellOutput(b []byte, s *ShellCommand) {
	s.ExitCode = new(int64)
	for f := range r.fields(message{"shell_output", 3}, b) {
		switch f.num {
		case 1:
			r.text(f, &s.Stdout)
		case 2:
			r.text(f, &s.Stderr)
		case 3:
			r.number(f, &s.ExitCode)
		}
	}
}

// reasons are why the program wrote a prompt (SimulatedMsgReason). Those that were added later stay numbers.
var reasons = []string{"", "plan", "commit_reminder", "background_task_ended"}

// userMessage reads a prompt.
func (r *reader) userMessage(b []byte) *UserMessage {
	var u UserMessage
	var text *Hash
	for f := range r.fields(message{nodeUser, 27}, b) {
		switch f.num {
		case 1:
			r.text(f, &u.Text)
		case 2:
			r.text(f, &u.ID)
		case 3:
			r.inner(f, func(b []byte) { u.Attachments = r.attachments(b) })
		case 4:
			r.name(f, modes, &u.Mode)
		case 5:
			r.flag(f, &u.Simulated)
		case 9:
			r.name(f, reasons, &u.Reason)
		case 18:
			r.hash(f, func(h Hash) { text = &h })
		case 25:
			r.time(f, &u.StartedAt)
		case 26:
			r.time(f, &u.CompletedAt)
		case 27:
			r.text(f, &u.SentByAgentID)
		}
	}
	if u.Text == "" && text != nil {
		r.open(*text, nodeText, func(b []byte) { u.Text = valid(b) })
	}
	return &u
}

// An attached is a kind of thing that the user gave: which fields of its message are path, name and content. 0 is none.
type attached struct {
	kind                string
	path, name, content int
}

// attachedKinds are the kinds, by the fields of SelectedContext.
var attachedKinds = map[int]attached{
	1: {"image", 3, 7, 0}, 4: {"file", 2, 0, 1}, 5: {"code", 2, 0, 1}, 6: {"terminal", 3, 2, 1},
	7: {"terminal", 3, 2, 1}, 8: {"folder", 1, 0, 0}, 9: {"link", 1, 5, 0}, 10: {"rule", 1, 0, 2},
	11: {"diff", 0, 0, 1}, 12: {"command", 0, 1, 2}, 13: {"doc", 1, 2, 0}, 17: {"commit", 1, 2, 4},
	18: {"diff", 0, 0, 1}, 19: {"chat", 1, 2, 0}, 20: {"pull_request", 1, 2, 5}, 21: {"pull_request", 2, 3, 6},
	22: {"subagent", 0, 1, 0},
}

// attachments reads what the user gave with a prompt.
func (r *reader) attachments(b []byte) (all []Attachment) {
	for f := range r.fields(message{"selected_context", 22}, b) {
		k, ok := attachedKinds[int(f.num)]
		if !ok {
			continue
		}
		r.inner(f, func(b []byte) {
			if k.kind == "rule" {
				b = r.wrapped(b)
			}
			all = append(all, r.attachment(k, b))
		})
	}
	return all
}

// wrapped is the message in field 1 of another.
func (r *reader) wrapped(b []byte) (inside []byte) {
	for f := range r.fields(message{"selected_rule", 1}, b) {
		if f.num == 1 {
			r.inner(f, func(b []byte) { inside = b })
		}
	}
	return inside
}

// attachment reads one thing. Kinds have up to a dozen fields; those that no column needs are not looked at.
func (r *reader) attachment(k attached, b []byte) Attachment {
	a := Attachment{Kind: k.kind}
	for f := range r.fields(message{"selected_" + k.kind, 16}, b) {
		switch int(f.num) {
		case k.path:
			r.text(f, &a.Path)
		case k.name:
			r.text(f, &a.Name)
		case k.content:
			r.text(f, &a.Text)
		}
	}
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
	for f := range r.fields(m, b) {
		switch f.num {
		case 1:
			r.inner(f, func(b []byte) { p.answer = r.spoken("assistant", b) })
		case 2:
			r.inner(f, func(b []byte) { p.call = r.call(b, depth) })
		case 3:
			r.inner(f, func(b []byte) { p.thought = r.spoken("thinking", b) })
		}
	}
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
	m := message{kind, 3}
	if kind == "thinking" {
		m.known = 4
	}
	for f := range r.fields(m, b) {
		switch {
		case f.num == 1:
			r.text(f, &s.Text)
		case f.num == 2 && kind == "thinking":
			r.number(f, &s.DurationMS)
		case f.num == m.known-1:
			r.time(f, &s.StartedAt)
		case f.num == m.known:
			r.time(f, &s.CompletedAt)
		}
	}
	return &s
}
