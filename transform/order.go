package transform

import (
	"cmp"
	"slices"

	"pipeline/sql/schema"
)

// header is one entry of a conversation's list of messages.
type header struct {
	id    []byte       // a part of the conversation's document
	role  string       // that of its type
	times *headerTimes // nil: none
}

// headerTimes are what an entry says of times.
type headerTimes struct {
	created  *schema.Millis // createdAt, startedAtMs or timestamp
	started  *schema.Millis
	finished *schema.Millis
	turn     *int64 // how long the turn took, in ms
}

// readHeaders reads fullConversationHeadersOnly; an entry named twice counts once, at its first place.
func readHeaders(head object) []header {
	list := head.get("fullConversationHeadersOnly").unquoted()
	n := 0
	for range list.elements {
		n++
	}
	out, seen := make([]header, 0, n), make(map[string]bool, n)
	var members [16]field
	for element := range list.elements {
		o := element.objectIn(members[:0])
		if len(o) == 0 {
			continue
		}
		h := header{id: o.get("bubbleId").textBytes()}
		if seen[string(h.id)] {
			continue
		}
		seen[string(h.id)] = true
		h.role, _ = role(o.get("type"))
		t := headerTimes{started: o.get("startedAtMs").time(), finished: o.get("completedAtMs").time(), turn: o.get("grouping").get("turnDurationMs").count()}
		if t.created = firstTime(o.get("createdAt").time(), t.started, o.get("timestamp").time()); t != (headerTimes{}) {
			h.times = &t
		}
		out = append(out, h)
	}
	return out
}

// inlineIDs names the elements of an inline array: bubbleId, else id, else #index; the second of two equal ids gets ~2.
func inlineIDs(elements []object) []string {
	ids := make([]string, len(elements))
	times := map[string]int{} // how often an id was met, also one that was made here
	for i, o := range elements {
		id := o.get("bubbleId").text()
		if id == "" {
			id = o.get("id").text()
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

// place puts the messages in order: those that headers name, in the headers' order, then those of inline arrays,
// then the unlisted by (own time, NULL last, id). It returns how many headers have no message.
func place(seats map[string]*seat, headers []header, inline []string) (order []*seat, missing int64) {
	order = make([]*seat, 0, len(seats))
	for i := range headers {
		if s := seats[string(headers[i].id)]; s != nil {
			s.used = true
		}
	}
	byStored := unnamedByStored(seats)
	list := func(s *seat, h *header) {
		s.used, s.listed = true, true
		if h != nil {
			s.times = h.times
			if !s.ownRole {
				s.role = h.role
			}
		}
		order = append(order, s)
	}
	for i := range headers {
		h := &headers[i]
		s := seats[string(h.id)]
		if s == nil { // some headers name the id inside the body, not the row's key (docs/formats.md, Headers of messages)
			if candidates := byStored[string(h.id)]; len(candidates) == 1 && !candidates[0].used {
				s = candidates[0]
			}
		}
		if s == nil {
			missing++
			continue
		}
		list(s, h)
	}
	for _, id := range inline {
		if s := seats[id]; s != nil && !s.used {
			list(s, nil)
		}
	}
	listed := len(order)
	for _, s := range seats {
		if !s.used {
			order = append(order, s)
		}
	}
	slices.SortFunc(order[listed:], func(a, b *seat) int {
		return cmp.Or(compareTimes(a.own, b.own), cmp.Compare(a.id, b.id))
	})
	return order, missing
}

func unnamedByStored(seats map[string]*seat) map[string][]*seat {
	out := map[string][]*seat{}
	for _, s := range seats {
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

// settle gives each message in order its position, turn, role and time.
func settle(order []*seat, conversation *schema.Conversation) {
	var turn int64
	var previous *schema.Millis
	inherited := cmp.Or(conversation.CreatedAt, conversation.UpdatedAt)
	for i, s := range order {
		s.at = int64(i)
		if s.role == "user" {
			turn++
		}
		s.turn = turn
		s.created, s.source = s.bestTime(previous, inherited)
		if isReal(s.source) {
			previous = s.created
		}
	}
}

// bestTime goes down the chain of times.
func (s *seat) bestTime(previous, inherited *schema.Millis) (*schema.Millis, *string) {
	var fromHeader *schema.Millis
	if t := s.times; t != nil {
		fromHeader = t.created
	}
	for i, t := range [...]*schema.Millis{s.own, fromHeader, s.timing, previous, inherited} {
		if t != nil {
			return t, &timeSources[i]
		}
	}
	return nil, nil
}

// timeSources are the names of bestTime's sources, the best one first.
var timeSources = [...]string{"message", "header", "timing", "previous", "conversation"}

// isReal tells a time that was recorded from one that is inherited.
func isReal(source *string) bool {
	return source != nil && (*source == "message" || *source == "header" || *source == "timing")
}
