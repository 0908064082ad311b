package graph

// This file reads subagents: agents that a conversation started, with a graph of their own.

// persisted is a subagent of the root's maps: as a message, or as the name of a blob with that message.
type persisted struct {
	id    string
	bytes []byte
	isRef bool
}

// subagents reads which there are: those of the maps, and those that ran.
func (r *reader) subagents(refs *references) {
	for _, p := range refs.subagents {
		r.c.Subagents = append(r.c.Subagents, p.id)
		switch {
		case !p.isRef:
			r.subagent(p.bytes)
		case len(p.bytes) != len(Hash{}):
			r.bad(message{name: nodeSubagent})
		default:
			r.open(Hash(p.bytes), nodeSubagent, r.subagent)
		}
	}
	r.c.Subagents = append(r.c.Subagents, refs.runs...)
}

// subagent reads a subagent. Its conversation is another one: a walk alone goes into it.
func (r *reader) subagent(b []byte) {
	r.read(message{nodeSubagent, 8}, b,
		dest{1, func(b []byte) {
			if r.walks && r.depth+1 < r.limits.Depth {
				r.conversation(b, r.depth+1)
			}
		}},
		dest{4, func(b []byte) {
			r.read(message{"subagent_type", 4}, b, dest{3, r.skim(message{"custom_subagent", 1})})
		}},
		dest{7, r.skim(message{"cloud_subagent", 2})})
}
