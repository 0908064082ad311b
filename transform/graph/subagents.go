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
	r.read(message{nodeSubagent, 8}, b,
		dest{1, func(b []byte) {
			if r.depth+1 >= r.limits.Depth {
				r.problem(tooDeep, nodeSubagent, r.at)
				return
			}
			s.State = r.conversation(b, r.depth+1)
		}},
		dest{2, moment{&s.CreatedAt}},
		dest{3, moment{&s.LastUsedAt}},
		dest{4, func(b []byte) { s.Type = r.subagentType(b) }},
		dest{5, &s.Model},
		dest{7, func(b []byte) {
			s.CloudID, s.TranscriptPath = "", ""
			r.read(message{"cloud_subagent", 2}, b, dest{1, &s.CloudID}, dest{2, &s.TranscriptPath})
		}},
		dest{8, func(f field) {
			if s.CloudID == "" {
				r.put(f, &s.CloudID)
			}
		}})
	return s
}

// subagentType reads what kind of agent it is: the number of the field says it.
func (r *reader) subagentType(b []byte) (name string) {
	for f := range r.fields(message{"subagent_type", 4}, b) {
		r.put(f, func(b []byte) {
			if f.num == 3 {
				name = ""
				r.read(message{"custom_subagent", 1}, b, dest{1, &name})
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
	r.read(message{"subagent_run", 10}, b,
		dest{1, &s.ToolCallID},
		dest{2, &s.SubagentID},
		dest{4, oneOf{runStates, &s.Status}},
		dest{5, &s.Title},
		dest{6, &s.Detail},
		dest{7, &s.TranscriptPath},
		dest{8, &s.OutputPath},
		dest{9, moment{&s.CompletedAt}})
	return s
}
