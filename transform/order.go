package transform

import (
	"cmp"
	"regexp"
	"slices"

	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// readHeaders reads fullConversationHeadersOnly. An entry that occurs twice counts once, at its first position.
func readHeaders(head jsondoc.Value) []header {
	list := head.Get("fullConversationHeadersOnly").Unquoted()
	n := 0
	for range list.Elements {
		n++
	}
	out, seen := make([]header, 0, n), make(map[string]bool, n)
	for element := range list.Elements {
		o := element.Object()
		if !o.HasMembers() {
			continue
		}
		h := header{id: o.Get("bubbleId").TextBytes()}
		if seen[string(h.id)] {
			continue
		}
		seen[string(h.id)] = true
		h.role, _ = role(o.Get("type"))
		grouping := o.Get("grouping")
		h.simulated = grouping.Get("isSimulatedMsg").IsTrue()
		t := headerFacts{started: timeOf(o.Get("startedAtMs")), finished: timeOf(o.Get("completedAtMs")),
			turn: grouping.Get("turnDurationMs").Count(), thinking: grouping.Get("thinkingDurationMs").Count(),
			added: grouping.Get("editLinesAdded").Count(), removed: grouping.Get("editLinesRemoved").Count(),
			isThought: deref(grouping.Get("capabilityType").Integer()) == thought}
		if t.created = cmp.Or(timeOf(o.Get("createdAt")), t.started,
			timeOf(o.Get("timestamp"))); t != (headerFacts{}) {
			h.times = &t
		}
		out = append(out, h)
	}
	return out
}

// inlineIDs gives an id to each element of an inline array: bubbleId, else id, else #index. A repeated id gets ~2, ~3
// and so on.
func inlineIDs(elements []jsondoc.Value) []string {
	ids := make([]string, len(elements))
	times := map[string]int{} // how often each id has occurred, including ids that were made here
	for i, o := range elements {
		id := o.Get("bubbleId").Text()
		if id == "" {
			id = o.Get("id").Text()
		}
		if id == "" {
			id = "#" + string(fmtInt(int64(i)))
		}
		for base := id; times[id] > 0; {
			times[base]++
			id = base + "~" + string(fmtInt(int64(times[base])))
		}
		times[id]++
		ids[i] = id
	}
	return ids
}

// listMessages sorts the messages of documents: first the beginning that a list of headers has lost, then those in
// headers, in their order, then those of inline arrays, then the others, which are not listed, by (own time, NULL last,
// id). Where no header and no array names a message, all are listed. It returns how many headers have no message.
func (a *assembly) listMessages() (order []*pendingMessage, missing int64) {
	pending := a.pending
	order = make([]*pendingMessage, 0, len(pending))
	for i := range a.headers {
		if s := pending[string(a.headers[i].id)]; s != nil {
			s.used = true
		}
	}
	byStored := unnamedByStored(pending)
	list := func(s *pendingMessage, h *header) {
		s.used, s.listed = true, true
		if h != nil {
			s.times = h.times
			if !s.ownRole {
				s.role = h.role
			}
			if h.simulated {
				s.simulate()
			}
		}
		order = append(order, s)
	}
	for i := range a.headers {
		h := &a.headers[i]
		s := pending[string(h.id)]
		if s == nil {
			// some headers have the id inside the body, not the row's key (docs/formats.md, Headers of messages)
			if candidates := byStored[string(h.id)]; len(candidates) == 1 && !candidates[0].used {
				s = candidates[0]
			}
		}
		if s == nil {
			missing++
			h.place, h.isPlaceholder = int64(len(order)), a.placeholders[string(h.id)]
			continue
		}
		h.message = s
		list(s, h)
	}
	for _, id := range a.inline {
		if s := pending[id]; s != nil && !s.used {
			list(s, nil)
		}
	}
	a.isOrdered = len(order) > 0
	return a.withUnlisted(order), missing
}

// withUnlisted puts the messages that nothing names before and behind those that are listed.
func (a *assembly) withUnlisted(listed []*pendingMessage) []*pendingMessage {
	var rest []*pendingMessage
	for _, s := range a.pending {
		if !s.used {
			rest = append(rest, s)
		}
	}
	slices.SortFunc(rest, func(a, b *pendingMessage) int {
		return cmp.Or(compareTimes(a.own, b.own), cmp.Compare(a.id, b.id))
	})
	beginning := rest
	switch {
	case len(listed) == 0:
	case len(a.headers) > 0:
		beginning = a.lostBeginning(listed, rest)
	default:
		beginning = nil
	}
	for _, s := range beginning {
		s.used, s.listed = true, true
	}
	order := slices.Concat(beginning, listed)
	for _, s := range rest {
		if !s.listed {
			order = append(order, s)
		}
	}
	return order
}

// hasUUID matches an id that is the same wherever it is met. One with # or ~ is a place in a list.
var hasUUID = regexp.MustCompile(`^[^#~]*[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}[^#~]*$`)

// missingHeaders are the headers whose messages another conversation may have (docs/formats.md, Forks): the
// conversation has no graph, which has its messages itself.
func (a *assembly) missingHeaders() (rows []schema.MissingHeader) {
	if a.agent.graph != nil {
		return nil
	}
	for i := range a.headers {
		h := &a.headers[i]
		if h.message != nil || h.role == "" || h.times == nil || h.times.created == nil || !hasUUID.Match(h.id) {
			continue
		}
		rows = append(rows, schema.MissingHeader{SourceID: a.n.SourceID, ConversationID: a.conv.ID,
			MessageID: clean(string(h.id)), Place: h.place, Ordinal: int64(i), Role: h.role,
			CreatedAt: *h.times.created})
	}
	return rows
}

func unnamedByStored(pending map[string]*pendingMessage) map[string][]*pendingMessage {
	out := map[string][]*pendingMessage{}
	for _, s := range pending {
		if !s.used && s.hasStored {
			out[s.stored()] = append(out[s.stored()], s)
		}
	}
	return out
}

func compareTimes(a, b *schema.Millis) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(*a, *b)
}

// setPositions sets the position, turn, role and time of each message in order.
func setPositions(order []*pendingMessage, conversation *schema.Conversation) {
	var turn int64
	var previous *schema.Millis
	inherited := cmp.Or(conversation.CreatedAt, conversation.UpdatedAt)
	for i, s := range order {
		s.at = int64(i)
		if s.isPrompt() {
			turn++
		}
		s.turn = turn
		s.created, s.source = s.bestTime(previous, inherited)
		if schema.IsRealTime(s.source) {
			previous = s.created
		}
	}
}

// isPrompt reports whether a person wrote the message.
func (s *pendingMessage) isPrompt() bool { return s.role == "user" && !s.simulated }

// bestTime returns the first known time of timeSources, and its source.
func (s *pendingMessage) bestTime(previous, inherited *schema.Millis) (*schema.Millis, *string) {
	var fromHeader *schema.Millis
	if t := s.times; t != nil {
		fromHeader = t.created
	}
	own, started := s.own, s.own
	if s.ownIsStart { // when the step started: the header goes first
		own = nil
	} else {
		started = nil
	}
	var fromGraph, tagged *schema.Millis
	if t := s.graph; t != nil {
		fromGraph, tagged = t.started, t.tagged
	}
	for i, t := range [...]*schema.Millis{own, fromHeader, started, s.called, s.timing, fromGraph, tagged, previous,
		inherited} {
		if t != nil {
			return t, &timeSources[i]
		}
	}
	return nil, nil
}

// timeSources are the sources of bestTime, the best one first.
var timeSources = [...]string{"message", "header", "message", "tool", "timing", "graph", "tag", "previous",
	"conversation"}
