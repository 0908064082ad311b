package graph

import (
	"cmp"
	"slices"
	"strings"

	"pipeline/transform/jsondoc"
)

// This file joins turns with prompt messages.

// join gives the calls of turns what prompt messages say of them, and takes the calls that are pending.
func (r *reader) join(pending []string) {
	var without []*ToolCall
	byID := map[string]*ToolCall{}
	for i := range r.c.Turns {
		for j := range r.c.Turns[i].Steps {
			call := r.c.Turns[i].Steps[j].Call
			switch {
			case call == nil:
			case call.ID == "":
				without = append(without, call)
			default:
				byID[CallKey(call.ID)] = call
				call.add(r.calls.byID[CallKey(call.ID)])
			}
		}
	}
	r.pairInOrder(without)
	for _, call := range without {
		byID[CallKey(call.ID)] = call
	}
	var more []*ToolCall
	for _, text := range pending {
		more = append(more, r.pending(text, byID)...)
	}
	for _, call := range more {
		r.c.Pending = append(r.c.Pending, *call)
	}
}

// CallKey is the part of a call's id that all its spellings share. An id may have two parts with a line end between
// them, which a place may have lost, or written as an escape (docs/formats.md, Variants of tool calls).
func CallKey(id string) string {
	first, _, _ := strings.Cut(id, "\n")
	first, _, _ = strings.Cut(first, `\n`)
	return cmp.Or(first, id)
}

// add takes what a prompt message says, if one has the call.
func (c *ToolCall) add(x *exchange) {
	if x == nil {
		return
	}
	x.placed = true
	c.ID, c.Name, c.Model, c.IsError = cmp.Or(c.ID, x.id), x.name, x.model, x.isError
	if c.Outcome == "" {
		c.Outcome, c.Error = x.told.outcome, cmp.Or(c.Error, x.told.reason)
	}
	c.ExitCode, c.TookMS = cmp.Or(c.ExitCode, x.told.exitCode), cmp.Or(c.TookMS, x.told.tookMS)
	c.AgentID = cmp.Or(c.AgentID, x.told.agentID)
	if x.args != nil {
		c.Args, c.ModelsArgs = x.args, true
	}
	if x.result != nil {
		c.Result = x.result
	}
}

// pairInOrder pairs calls without an id with those of prompt messages that no other call has: the first with the first,
// and so on. It is a guess, and made only if there are as many of the ones as of the others.
func (r *reader) pairInOrder(calls []*ToolCall) {
	var free []*exchange
	for _, x := range r.calls.order {
		if !x.placed && x.args != nil {
			free = append(free, x)
		}
	}
	if len(free) != len(calls) {
		return
	}
	for i, c := range calls {
		c.add(free[i])
	}
}

// pending reads a text of calls that were running: an assistant's message, or a part of one, or a list of parts. It
// marks those that a turn has, and returns the others. byID has all that are known so far.
func (r *reader) pending(text string, byID map[string]*ToolCall) (more []*ToolCall) {
	memory := jsondoc.Borrow()
	defer memory.GiveBack()
	v, _ := parse(memory, []byte(text))
	head, parts := messageOf(v)
	if head.Role == "" {
		parts = readParts(v)
	}
	found := false
	for _, p := range parts {
		if p.Type != "tool-call" || p.ToolCallID == "" {
			continue
		}
		found = true
		r.calls.take(p, head.Model)
		key := CallKey(p.ToolCallID)
		call := byID[key]
		if call == nil {
			call = &ToolCall{}
			byID[key] = call
			more = append(more, call)
		}
		call.Pending = true
		call.add(r.calls.byID[key])
	}
	if !found {
		r.bad(message{name: "pending"})
	}
	return more
}

// headFromMessages makes turns of prompt messages: all of them if there are no turns, else those at the beginning that
// have no turn, as a compaction might leave them. There are never more of them than prompts without a turn.
func (r *reader) headFromMessages() {
	turns := 0
	for _, t := range r.c.Turns {
		if t.Shell == nil { // no prompt message is about a command
			turns++
		}
	}
	if turns == 0 && !slices.ContainsFunc(r.calls.heard, func(h heard) bool { return h.opens }) {
		r.openPlain()
	}
	covered, prompts, first := r.covered(), 0, len(r.calls.heard)
	for i, h := range r.calls.heard {
		if !h.opens {
			continue
		}
		prompts++
		if covered(h) && i < first {
			first = i
		}
	}
	if turns > 0 && first == len(r.calls.heard) {
		return // no turn is known again, so nobody can say what is before it
	}
	r.c.Turns = append(r.turnsOf(r.calls.heard[:first], prompts-turns), r.c.Turns...)
}

// openPlain lets users' messages open turns that have no tag <user_query>, in a store where none has it. Those that
// begin with another tag are the program's.
func (r *reader) openPlain() {
	for i := range r.calls.heard {
		h := &r.calls.heard[i]
		if h.Role == "user" && !h.Summary && h.Text != "" && !strings.HasPrefix(h.Text, "<") {
			h.opens, h.query = true, h.Text
		}
	}
}

// covered returns a function that says whether a turn has a prompt: by the id of its request, or by its text.
func (r *reader) covered() func(heard) bool {
	requests, texts := map[string]bool{}, map[string]bool{}
	for _, t := range r.c.Turns {
		if t.RequestID != "" {
			requests[t.RequestID] = true
		}
		if t.User != nil && strings.TrimSpace(t.User.Text) != "" {
			texts[strings.TrimSpace(t.User.Text)] = true
		}
	}
	return func(h heard) bool {
		return h.RequestID != "" && requests[h.RequestID] || texts[h.query]
	}
}

// turnsOf makes turns of messages, at most a number.
func (r *reader) turnsOf(all []heard, most int) (turns []Turn) {
	for _, h := range all {
		switch {
		case h.opens && len(turns) >= most:
			return turns
		case h.opens:
			turns = append(turns, Turn{Index: -1, RequestID: h.RequestID,
				User: &UserMessage{Text: h.query, TaggedAt: h.taggedAt, Simulated: h.notice}})
		case len(turns) > 0:
			t := &turns[len(turns)-1]
			t.Model = cmp.Or(h.Model, t.Model)
			for _, s := range h.steps {
				s.Index = len(t.Steps)
				if s.Call != nil {
					s.Call.add(r.calls.byID[CallKey(s.Call.ID)])
				}
				t.Steps = append(t.Steps, s)
			}
		}
	}
	return turns
}

// modelsAndTimes gives each turn the model of its request. A prompt without a time gets the one in the tag <timestamp>
// of the same request. Where that says that Cursor wrote the prompt, its node need not.
func (r *reader) modelsAndTimes() {
	type known struct {
		model string
		at    *int64
	}
	byRequest, request := map[string]known{}, ""
	notices := map[[2]string]bool{} // by request and text
	for _, h := range r.calls.heard {
		if h.RequestID != "" {
			request = h.RequestID
		} else if h.opens {
			request = ""
		}
		k := byRequest[request]
		if h.Model != "" {
			k.model = h.Model
		}
		if k.at == nil {
			k.at = h.taggedAt
		}
		byRequest[request] = k
		notices[[2]string{request, h.query}] = h.notice || notices[[2]string{request, h.query}]
	}
	for i := range r.c.Turns {
		t := &r.c.Turns[i]
		if t.RequestID == "" {
			continue
		}
		k := byRequest[t.RequestID]
		t.Model = k.model
		if t.User == nil {
			continue
		}
		t.User.TaggedAt = cmp.Or(t.User.TaggedAt, k.at)
		t.User.Simulated = t.User.Simulated || notices[[2]string{t.RequestID, strings.TrimSpace(t.User.Text)}]
	}
}
