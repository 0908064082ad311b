package transform

import (
	"cmp"
	"slices"

	"pipeline/sql/schema"
)

// header is one entry of a conversation's list of messages.
type header struct {
	id       string
	kind     value          // its type
	created  *schema.Millis // createdAt, startedAtMs or timestamp
	started  *schema.Millis
	finished *schema.Millis
	turn     *int64 // how long the turn took, in ms
}

// readHeaders reads fullConversationHeadersOnly; an entry named twice counts once, at its first place.
func readHeaders(head object) []header {
	var out []header
	seen := map[string]bool{}
	var members [16]field
	for element := range head.get("fullConversationHeadersOnly").unquoted().elements {
		o := element.objectIn(members[:0])
		if len(o) == 0 {
			continue
		}
		h := header{id: o.get("bubbleId").text(), kind: o.get("type")}
		if seen[h.id] {
			continue
		}
		seen[h.id] = true
		h.started, h.finished = o.get("startedAtMs").time(), o.get("completedAtMs").time()
		h.turn = o.get("grouping").get("turnDurationMs").count()
		h.created = firstTime(o.get("createdAt").time(), h.started, o.get("timestamp").time())
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

// placed is a message and where it stands.
type placed struct {
	body   *body
	header *header // nil if no header names it
	listed bool
}

// place puts the messages in order: those that headers name, in the headers' order, then those of inline arrays,
// then the unlisted by (own time, NULL last, id). It returns how many headers have no message.
func place(bodies map[string]*body, headers []header, inline []string) (order []placed, missing int64) {
	used := map[string]bool{}
	for i := range headers {
		if bodies[headers[i].id] != nil {
			used[headers[i].id] = true
		}
	}
	byStored := unnamedByStored(bodies, used)
	for i := range headers {
		h := &headers[i]
		b := bodies[h.id]
		if b == nil { // some headers name the id inside the body, not the row's key (fs:67023330382 10.1)
			if candidates := byStored[h.id]; len(candidates) == 1 && !used[candidates[0].id] {
				b = candidates[0]
				used[b.id] = true
			}
		}
		if b == nil {
			missing++
			continue
		}
		order = append(order, placed{b, h, true})
	}
	for _, id := range inline {
		if b := bodies[id]; b != nil && !used[id] {
			used[id] = true
			order = append(order, placed{b, nil, true})
		}
	}
	listed := len(order)
	for id, b := range bodies {
		if !used[id] {
			order = append(order, placed{b, nil, false})
		}
	}
	slices.SortFunc(order[listed:], func(a, b placed) int {
		return cmp.Or(compareTimes(a.body.own, b.body.own), cmp.Compare(a.body.id, b.body.id))
	})
	return order, missing
}

func unnamedByStored(bodies map[string]*body, named map[string]bool) map[string][]*body {
	out := map[string][]*body{}
	for id, b := range bodies {
		if !named[id] && b.hasStored {
			out[b.stored] = append(out[b.stored], b)
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
func settle(order []placed, conversation *schema.Conversation) {
	var turn int64
	var previous *schema.Millis
	inherited := cmp.Or(conversation.CreatedAt, conversation.UpdatedAt)
	for i, p := range order {
		m := &p.body.message
		m.Position, m.IsListed = ptr(int64(i)), p.listed
		if p.header != nil {
			if !p.body.ownRole {
				m.Role, _ = role(p.header.kind)
			}
			p.body.started, m.TurnDurationMs = p.header.started, p.header.turn
			if d := p.header; d.started != nil && d.finished != nil && *d.finished >= *d.started {
				p.body.duration = ptr(int64(*d.finished - *d.started))
			}
		}
		if m.Role == "user" {
			turn++
		}
		m.Turn = ptr(turn)
		m.CreatedAt, m.CreatedAtSource = bestTime(p, previous, inherited)
		if isReal(m.CreatedAtSource) {
			previous = m.CreatedAt
		}
	}
}

// bestTime goes down the chain of times.
func bestTime(p placed, previous, inherited *schema.Millis) (*schema.Millis, *string) {
	var fromHeader *schema.Millis
	if p.header != nil {
		fromHeader = p.header.created
	}
	for i, t := range [...]*schema.Millis{p.body.own, fromHeader, p.body.timing, previous, inherited} {
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
