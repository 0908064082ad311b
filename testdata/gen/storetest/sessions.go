package storetest

import (
	"cmp"
	"slices"
	"strings"
)

// sessions groups the conversations of each project. A conversation opens a session when, within the gap
// before its start, no earlier conversation of the project started and no message of one was sent.
func (w *Want) sessions() {
	real := map[string][]int64{} // the real times of each conversation
	for _, m := range w.Messages {
		if m.real != 0 {
			real[m.Conversation] = append(real[m.Conversation], m.real)
		}
	}
	var in []*ConversationWant
	byID := map[string]*ConversationWant{}
	for i := range w.Conversations {
		c := &w.Conversations[i]
		byID[c.ID] = c
		if c.start() != 0 && !c.Subagent && c.BestOf == "" && c.Status != "orphaned" && !c.empty {
			in = append(in, c)
		}
	}
	slices.SortFunc(in, func(a, b *ConversationWant) int {
		return cmp.Or(strings.Compare(a.ProjectURI, b.ProjectURI), cmp.Compare(a.start(), b.start()),
			strings.Compare(a.ID, b.ID))
	})
	first := 0 // of the project, in the list
	for i, c := range in {
		start := c.start()
		if i == 0 || in[i-1].ProjectURI != c.ProjectURI {
			first = i
		}
		busy := false
		for _, e := range in[first:i] {
			busy = busy || e.start() >= start-gap && e.start() <= start ||
				slices.ContainsFunc(real[e.ID], func(t int64) bool { return t >= start-gap && t <= start })
		}
		if !busy {
			w.Sessions = append(w.Sessions, PeriodWant{ProjectURI: c.ProjectURI, Start: start})
		}
		s := &w.Sessions[len(w.Sessions)-1]
		c.SessionStart = s.Start
		s.Conversations++
		s.End = max(s.End, c.Last)
		s.latest = max(s.latest, start)
	}
	for i := range w.Sessions {
		if s := &w.Sessions[i]; s.End == 0 {
			s.End = s.latest
		}
	}
	for i := range w.Conversations {
		c := &w.Conversations[i]
		if above := byID[cmp.Or(c.Parent, c.BestOf)]; above != nil {
			c.SessionStart = above.SessionStart
		}
	}
}

// forks goes through the conversations as they were begun, and notes who had a request first. A message that names no
// request is part of that of its turn. Subagents had none before anybody, and neither they nor tries at a prompt copy
// any. A bubble that has kept its id is of the first that had it, whoever has it.
func (w *Want) forks() {
	begun := make([]*ConversationWant, len(w.Conversations))
	for i := range w.Conversations {
		begun[i] = &w.Conversations[i]
	}
	slices.SortFunc(begun, func(a, b *ConversationWant) int {
		// no start is the last
		return cmp.Or(cmp.Compare(uint64(a.start())-1, uint64(b.start())-1), strings.Compare(a.ID, b.ID))
	})
	said := map[string][]*MessageWant{}
	for i := range w.Messages {
		m := &w.Messages[i]
		said[m.Conversation] = append(said[m.Conversation], m)
	}
	first := map[string]string{}
	bubbles := map[[3]any]string{} // who had a bubble first: its id, time and text
	for _, c := range begun {
		asked := map[[2]any]string{}
		for _, m := range said[c.ID] {
			if m.request != "" {
				asked[[2]any{m.Turn, m.Listed}] = m.request
			}
		}
		for _, m := range said[c.ID] {
			request := cmp.Or(m.request, asked[[2]any{m.Turn, m.Listed}])
			owner := first[request]
			switch {
			case request == "" || c.Subagent || c.Status == "orphaned":
			case owner == "":
				if m.request != "" {
					first[request] = c.ID
				}
			case owner != c.ID && c.BestOf == "":
				m.Repeat = true
				c.ForkedFrom = cmp.Or(c.ForkedFrom, owner)
			}
			bubble := [3]any{m.ID, m.real, m.Text}
			switch owner := bubbles[bubble]; {
			case m.real == 0 || c.Status == "orphaned" || len(m.ID) != 36:
			case owner == "":
				bubbles[bubble] = c.ID
			case owner != c.ID:
				m.Repeat = true
				if !c.Subagent && c.BestOf == "" {
					c.ForkedFrom = cmp.Or(c.ForkedFrom, owner)
				}
			}
		}
	}
}

// start is the start of a conversation as sessions see it.
func (c *ConversationWant) start() int64 { return cmp.Or(c.Created, c.First, c.Updated) }

// periods cuts the real times of each project, subagents included and orphans apart, at pauses longer than the gap.
func (w *Want) periods() {
	project := map[string]string{}
	for _, c := range w.Conversations {
		project[c.ID] = c.ProjectURI
	}
	var ms []MessageWant
	for _, m := range w.Messages {
		if m.real != 0 && !m.Orphan {
			ms = append(ms, m)
		}
	}
	slices.SortFunc(ms, func(a, b MessageWant) int {
		return cmp.Or(strings.Compare(project[a.Conversation], project[b.Conversation]), cmp.Compare(a.real, b.real))
	})
	for i, m := range ms {
		uri := project[m.Conversation]
		if i == 0 || uri != project[ms[i-1].Conversation] || m.real-ms[i-1].real > gap {
			w.Periods = append(w.Periods, PeriodWant{ProjectURI: uri, Start: m.real})
		}
		p := &w.Periods[len(w.Periods)-1]
		p.End = m.real
		p.Messages++
	}
}
