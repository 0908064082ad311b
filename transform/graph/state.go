package graph

import (
	"crypto/sha256"
)

// This file reads the root.

var stateMessage = message{"state", 39}

// modes are names of modes in the graph. Bubbles have other numbers.
var modes = []string{"", "agent", "ask", "plan", "debug", "triage", "project"}

// references are what a root names, in the order in which it does.
type references struct {
	turns, messages, archives, todos []Hash
	pending                          []string
	timings                          []timing
	subagents                        []persisted
	summary, plan                    *Hash
}

// timing is an entry of the root's turn timings.
type timing struct{ duration, at *int64 }

// conversation decodes a root and what is below it.
func (d *decoder) conversation(root []byte, depth int) *Conversation {
	c := &Conversation{Root: sha256.Sum256(root)}
	r := &reader{decoder: d, c: c, depth: depth, at: c.Root, where: nodeRoot}
	var refs references
	known := len(root) == 0
	for f := range r.fields(stateMessage, root) {
		known = known || f.num <= stateMessage.known
		r.rootField(f, &refs)
	}
	if !known {
		r.bad(stateMessage)
	}
	r.prompts(&refs)
	for i, h := range refs.turns {
		r.turn(i, h)
	}
	r.takeTimings(&refs)
	r.join(refs.pending)
	r.headFromMessages()
	r.countUnplaced()
	r.models()
	for _, h := range refs.todos {
		r.open(h, nodeTodo, func(b []byte) { r.c.Todos = append(r.c.Todos, r.todo(b)) })
	}
	r.oneText(refs.summary, &c.Summary)
	r.oneText(refs.plan, &c.Plan)
	r.subagents(refs.subagents)
	return c
}

// rootField reads a field of the root.
func (r *reader) rootField(f field, refs *references) {
	add := func(to *[]Hash) { r.hash(f, func(h Hash) { *to = append(*to, h) }) }
	switch f.num {
	case 1:
		add(&refs.messages)
	case 3:
		add(&refs.todos)
	case 4:
		var text string
		r.text(f, &text)
		refs.pending = append(refs.pending, text)
	case 5:
		r.inner(f, r.tokens)
	case 6:
		r.hash(f, func(h Hash) { refs.summary = &h })
	case 7:
		r.hash(f, func(h Hash) { refs.plan = &h })
	case 8:
		add(&refs.turns)
	case 11, 13:
		add(&refs.archives)
	case 14:
		r.inner(f, func(b []byte) { refs.timings = append(refs.timings, r.timing(b)) })
	case 16:
		r.entry(f, func(id string, b []byte) { refs.subagents = append(refs.subagents, persisted{id: id, bytes: b}) })
	case 31:
		r.entry(f, func(id string, b []byte) {
			refs.subagents = append(refs.subagents, persisted{id: id, isRef: true, bytes: b})
		})
	default:
		r.rootFact(f)
	}
}

// rootFact reads a field of the root that stands for itself.
func (r *reader) rootFact(f field) {
	c := r.c
	switch f.num {
	case 9:
		var uri string
		r.text(f, &uri)
		c.Workspaces = append(c.Workspaces, uri)
	case 10:
		r.name(f, modes, &c.Mode)
	case 20:
		r.entry(f, func(id string, b []byte) {
			if path := r.pair(message{"plan_entry", 2}, b)[1]; path != "" {
				if c.PlanPaths == nil {
					c.PlanPaths = map[string]string{}
				}
				c.PlanPaths[id] = path
			}
		})
	case 21:
		r.inner(f, func(b []byte) {
			p := r.pair(message{"branch", 2}, b)
			c.Branches = append(c.Branches, Branch{p[0], p[1]})
		})
	case 26:
		r.time(f, &c.StartedAt)
	case 27:
		r.text(f, &c.TimeZone)
	case 30:
		r.entry(f, func(call string, b []byte) { c.SubagentRuns = append(c.SubagentRuns, r.run(call, b)) })
	}
}

// pair reads a message of two texts.
func (r *reader) pair(m message, b []byte) (p [2]string) {
	for f := range r.fields(m, b) {
		if f.num == 1 || f.num == 2 {
			r.text(f, &p[f.num-1])
		}
	}
	return p
}

// tokens reads what is known of the context window.
func (r *reader) tokens(b []byte) {
	for f := range r.fields(message{"token_details", 5}, b) {
		switch f.num {
		case 1:
			r.number(f, &r.c.UsedTokens)
		case 2:
			r.number(f, &r.c.MaxTokens)
		case 3:
			r.inner(f, r.breakdown)
		}
	}
}

// breakdown reads the parts of the context window.
func (r *reader) breakdown(b []byte) {
	for f := range r.fields(message{"token_breakdown", 3}, b) {
		if f.num == 3 {
			r.inner(f, func(b []byte) {
				var p ContextPart
				for f := range r.fields(message{"token_category", 4}, b) {
					switch f.num {
					case 1:
						r.text(f, &p.ID)
					case 2:
						r.text(f, &p.Label)
					case 3:
						r.number(f, &p.Tokens)
					case 4:
						r.number(f, &p.Characters)
					}
				}
				r.c.ContextParts = append(r.c.ContextParts, p)
			})
		}
	}
}

// timing reads an entry of the turn timings.
func (r *reader) timing(b []byte) (t timing) {
	for f := range r.fields(message{"step_timing", 2}, b) {
		switch f.num {
		case 1:
			r.number(f, &t.duration)
		case 2:
			r.time(f, &t.at)
		}
	}
	return t
}

// takeTimings gives each turn its timing, if there is one for each. That position pairs them is a guess.
func (r *reader) takeTimings(refs *references) {
	if len(refs.timings) != len(refs.turns) {
		return
	}
	for i := range r.c.Turns {
		t := &r.c.Turns[i]
		t.DurationMS, t.TimedAt = refs.timings[t.Index].duration, refs.timings[t.Index].at
	}
}

// todoStates are names of states of tasks.
var todoStates = []string{"", "pending", "in_progress", "completed", "cancelled"}

// todo reads a task.
func (r *reader) todo(b []byte) (t Todo) {
	for f := range r.fields(message{"todo", 6}, b) {
		switch f.num {
		case 1:
			r.text(f, &t.ID)
		case 2:
			r.text(f, &t.Content)
		case 3:
			r.name(f, todoStates, &t.Status)
		case 4:
			r.time(f, &t.CreatedAt)
		case 5:
			r.time(f, &t.UpdatedAt)
		case 6:
			var id string
			r.text(f, &id)
			t.DependsOn = append(t.DependsOn, id)
		}
	}
	return t
}

// oneText reads a blob that is a message with one text.
func (r *reader) oneText(h *Hash, to *string) {
	if h == nil {
		return
	}
	r.open(*h, nodeText, func(b []byte) {
		for f := range r.fields(message{"summary", 1}, b) {
			if f.num == 1 {
				r.text(f, to)
			}
		}
	})
}

// prompts reads the prompt messages: those of archives first, each blob once.
func (r *reader) prompts(refs *references) {
	seen := map[Hash]bool{}
	add := func(h Hash, archived bool) {
		if !seen[h] {
			seen[h] = true
			r.open(h, nodeMessage, func(b []byte) { r.promptMessage(b, archived) })
		}
	}
	done := map[Hash]bool{}
	for _, h := range refs.archives {
		if done[h] {
			continue
		}
		done[h] = true
		r.open(h, nodeArchive, func(b []byte) {
			a, messages, summary := r.archive(b)
			if a.Summary == "" && summary != nil {
				a.Summary = r.summaryOf(*summary)
			}
			r.c.Archives = append(r.c.Archives, a)
			for _, h := range messages {
				add(h, true)
			}
		})
	}
	for _, h := range refs.messages {
		add(h, false)
	}
}

// archive reads what a compaction put aside, the messages that it names, and the name of the message of its summary.
func (r *reader) archive(b []byte) (a Archive, messages []Hash, summary *Hash) {
	for f := range r.fields(message{"archive", 4}, b) {
		switch f.num {
		case 1:
			r.hash(f, func(h Hash) { messages = append(messages, h) })
		case 2:
			r.text(f, &a.Summary)
		case 3:
			r.number(f, &a.WindowTail)
		case 4:
			r.hash(f, func(h Hash) { summary = &h })
		}
	}
	a.Messages = len(messages)
	return a, messages, summary
}

// summaryOf is the text of a summary's message.
func (r *reader) summaryOf(h Hash) (text string) {
	r.open(h, nodeMessage, func(b []byte) {
		_, parts, ok := readMessage(b)
		if !ok {
			r.bad(message{name: nodeMessage})
		}
		for _, p := range parts {
			text += p.Text
		}
	})
	return text
}
