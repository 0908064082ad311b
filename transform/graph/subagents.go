package graph

// This file reads subagents: agents that a conversation started, with a graph of their own.

// persisted is a subagent of the root's maps: as a message, or as the name of a blob with that message.
type persisted struct {
	id    string
	bytes []byte
	isRef bool
}

// subagents reads them. One that is in both maps is read from its blob, else from the message.
func (r *reader) subagents(all []persisted) {
	at := map[string]int{}
	for _, p := range all {
		i, ok := at[p.id]
		if !ok {
			i = len(r.c.Subagents)
			at[p.id] = i
			r.c.Subagents = append(r.c.Subagents, Subagent{ID: p.id})
		}
		switch {
		case !p.isRef:
			if r.c.Subagents[i].State == nil {
				r.c.Subagents[i] = r.subagent(p.id, p.bytes)
			}
		case len(p.bytes) != len(Hash{}):
			r.bad(message{name: nodeSubagent})
		default:
			r.open(Hash(p.bytes), nodeSubagent, func(b []byte) { r.c.Subagents[i] = r.subagent(p.id, b) })
		}
	}
}

// subagentTypes are names of the fields of a type that is no custom one.
var subagentTypes = []string{"", "unspecified", "computer_use", "", "explore"}

// subagent reads a subagent and its conversation.
func (r *reader) subagent(id string, b []byte) Subagent {
	s := Subagent{ID: id}
	for f := range r.fields(message{nodeSubagent, 8}, b) {
		switch f.num {
		case 1:
			r.inner(f, func(b []byte) {
				if r.depth+1 >= r.limits.Depth {
					r.problem(tooDeep, nodeSubagent, r.at)
					return
				}
				s.State = r.conversation(b, r.depth+1)
			})
		case 2:
			r.time(f, &s.CreatedAt)
		case 3:
			r.time(f, &s.LastUsedAt)
		case 4:
			r.inner(f, func(b []byte) { s.Type = r.subagentType(b) })
		case 5:
			r.text(f, &s.Model)
		case 7:
			r.inner(f, func(b []byte) {
				p := r.pair(message{"cloud_subagent", 2}, b)
				s.CloudID, s.TranscriptPath = p[0], p[1]
			})
		case 8:
			if s.CloudID == "" {
				r.text(f, &s.CloudID)
			}
		}
	}
	return s
}

// subagentType reads what kind of agent it is: the number of the field says it.
func (r *reader) subagentType(b []byte) (name string) {
	for f := range r.fields(message{"subagent_type", 4}, b) {
		r.inner(f, func(b []byte) {
			if f.num == 3 {
				name = r.pair(message{"custom_subagent", 1}, b)[0]
			} else if int(f.num) < len(subagentTypes) {
				name = subagentTypes[f.num]
			}
		})
	}
	return name
}

// runStates are names of states of runs.
var runStates = []string{"", "running", "backgrounded", "success", "error", "aborted"}

// run reads a run of a subagent.
func (r *reader) run(call string, b []byte) SubagentRun {
	s := SubagentRun{ToolCallID: call}
	for f := range r.fields(message{"subagent_run", 10}, b) {
		switch f.num {
		case 1:
			r.text(f, &s.ToolCallID)
		case 2:
			r.text(f, &s.SubagentID)
		case 4:
			r.name(f, runStates, &s.Status)
		case 5:
			r.text(f, &s.Title)
		case 6:
			r.text(f, &s.Detail)
		case 7:
			r.text(f, &s.TranscriptPath)
		case 8:
			r.text(f, &s.OutputPath)
		case 9:
			r.time(f, &s.CompletedAt)
		}
	}
	return s
}
