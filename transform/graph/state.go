package graph

import "crypto/sha256"

// This file reads the root.

var stateMessage = message{"state", 39}

// modes are names of modes in the graph. Bubbles have other numbers.
var modes = []string{"", "agent", "ask", "plan", "debug", "triage", "project"}

// references are what a root names, in the order in which it does.
type references struct {
	turns, messages, archives, todos []Hash
	pending, runs                    []string
	durations                        []*int64 // of turns
	subagents                        []persisted
	summary, plan                    *Hash
}

// conversation decodes a root and what is below it.
func (d *decoder) conversation(root []byte, depth int) *Conversation {
	c := &Conversation{Root: sha256.Sum256(root)}
	r := &reader{decoder: d, c: c, depth: depth, at: c.Root, where: nodeRoot}
	var refs references
	if !r.root(root, &refs) && len(root) > 0 {
		r.bad(stateMessage)
	}
	r.prompts(&refs)
	for i, h := range refs.turns {
		r.turn(i, h)
	}
	for _, h := range refs.todos {
		r.open(h, nodeTodo, r.skim(message{"todo", 6}))
	}
	r.oneText(refs.summary, &c.Summary)
	r.oneText(refs.plan, new(string))
	r.subagents(&refs)
	if !r.walks {
		r.takeTimings(&refs)
		r.join(refs.pending)
		r.headFromMessages()
		r.modelsAndTimes()
	}
	return c
}

// root reads the fields of a root.
func (r *reader) root(b []byte, refs *references) (known bool) {
	c := r.c
	return r.read(stateMessage, b,
		dest{1, &refs.messages},
		dest{3, &refs.todos},
		dest{4, &refs.pending},
		dest{5, r.tokens},
		dest{6, &refs.summary},
		dest{7, &refs.plan},
		dest{8, &refs.turns},
		dest{9, &c.Workspaces},
		dest{10, oneOf{modes, &c.Mode}},
		dest{11, &refs.archives},
		dest{13, &refs.archives},
		dest{14, func(b []byte) {
			var duration *int64
			r.read(message{"step_timing", 2}, b, dest{1, &duration})
			refs.durations = append(refs.durations, duration)
		}},
		dest{16, func(id string, b []byte) { refs.subagents = append(refs.subagents, persisted{id, b, false}) }},
		dest{20, r.planPath},
		dest{21, func(b []byte) {
			var to Branch
			r.read(message{"branch", 2}, b, dest{1, &to.Repository}, dest{2, &to.Name})
			c.Branches = append(c.Branches, to)
		}},
		dest{26, moment{&c.StartedAt}},
		dest{27, &c.TimeZone},
		dest{30, func(_ string, b []byte) {
			var id string
			r.read(message{"subagent_run", 10}, b, dest{2, &id})
			refs.runs = append(refs.runs, id)
		}},
		dest{31, func(id string, b []byte) { refs.subagents = append(refs.subagents, persisted{id, b, true}) }})
}

// planPath reads where a plan is.
func (r *reader) planPath(id string, b []byte) {
	var path string
	r.read(message{"plan_entry", 2}, b, dest{2, &path})
	if path == "" {
		return
	}
	if r.c.PlanPaths == nil {
		r.c.PlanPaths = map[string]string{}
	}
	r.c.PlanPaths[id] = path
}

// tokens reads what is known of the context window, and of its parts.
func (r *reader) tokens(b []byte) {
	part := func(b []byte) {
		var p ContextPart
		r.read(message{"token_category", 4}, b,
			dest{1, &p.ID}, dest{2, &p.Label}, dest{3, &p.Tokens})
		r.c.ContextParts = append(r.c.ContextParts, p)
	}
	r.read(message{"token_details", 5}, b,
		dest{1, &r.c.UsedTokens},
		dest{2, &r.c.MaxTokens},
		dest{3, func(b []byte) { r.read(message{"token_breakdown", 3}, b, dest{3, part}) }})
}

// takeTimings gives each turn its timing, if there is one for each. That position pairs them is a guess.
func (r *reader) takeTimings(refs *references) {
	if len(refs.durations) != len(refs.turns) {
		return
	}
	for i := range r.c.Turns {
		r.c.Turns[i].DurationMS = refs.durations[r.c.Turns[i].Index]
	}
}

// skim reads a message of which nothing is kept: only what no reader knows of it is counted.
func (r *reader) skim(m message) func([]byte) { return func(b []byte) { r.read(m, b) } }

// oneText reads a blob that is a message with one text.
func (r *reader) oneText(h *Hash, to *string) {
	if h == nil {
		return
	}
	r.open(*h, nodeText, func(b []byte) { r.read(message{"summary", 1}, b, dest{1, to}) })
}

// prompts reads the prompt messages: those of archives first, each blob once.
func (r *reader) prompts(refs *references) {
	seen := map[Hash]bool{}
	add := func(all []Hash) {
		for _, h := range all {
			if !seen[h] {
				seen[h] = true
				r.open(h, nodeMessage, r.promptMessage)
			}
		}
	}
	done := map[Hash]bool{}
	for _, h := range refs.archives {
		if done[h] {
			continue
		}
		done[h] = true
		r.open(h, nodeArchive, func(b []byte) {
			var messages []Hash
			var summary string // else it is in a message of its own
			var in *Hash
			r.read(message{"archive", 4}, b, dest{1, &messages}, dest{2, &summary}, dest{4, &in})
			if summary == "" && in != nil {
				summary = r.summaryOf(*in)
			}
			r.c.Summaries = append(r.c.Summaries, summary)
			add(messages)
		})
	}
	add(refs.messages)
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
