package usage

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// turn is the event of a turn that counts so far.
type turn struct {
	event int // its index
	rank  int // a higher one takes the place of a lower one
}

// add adds an event that has no name of its own. Its id is made of its time, model, person and counts, and of how many
// equal events are before it in this file. So the same event has the same id in every file that records as much of it,
// whatever its cost and its kind have become.
func (r *reader) add(e Event) {
	key := e.Origin
	if e.Origin == Hook || e.Origin == Stream { // CSV and the Admin API do not name the conversation of an event
		key += "\x00" + e.ConversationID
	}
	if e.Origin != Stream { // a result has neither, if it is kept alone
		key += "\x00" + number(e.OccurredAt) + "\x00" + e.Model
	}
	key += e.counts()
	if e.TotalTokens != nil &&
		sumOf(e.FreshInputTokens, e.CacheWriteTokens, e.CacheReadTokens, e.OutputTokens) == nil {
		key += "\x00total " + number(e.TotalTokens)
	}
	if e.Person != "" {
		key += "\x00person " + e.Person
	}
	if !r.room(e.Line) {
		return
	}
	r.seen[key]++
	e.ID = hash(key, strconv.Itoa(r.seen[key]))
	r.Events = append(r.Events, e)
}

// counts are the counts of an event as a part of a key.
func (e Event) counts() (key string) {
	for _, n := range []*int64{e.FreshInputTokens, e.CacheWriteTokens, e.CacheReadTokens, e.OutputTokens} {
		key += "\x00" + number(n)
	}
	return key
}

// addTurn adds the event of a turn that has a name. A turn counts once: of several events the one of the highest rank
// does, and of equal ones the last.
func (r *reader) addTurn(e Event, rank int) {
	key := e.Origin + "\x00" + e.RequestID
	before, known := r.turns[key]
	e.ID = hash(key)
	switch {
	case known && before.rank > rank:
	case known:
		r.Events[before.event] = e
		r.turns[key] = turn{before.event, rank}
	case r.room(e.Line):
		r.turns[key] = turn{len(r.Events), rank}
		r.Events = append(r.Events, e)
	}
}

// room reports whether there is room for another event. The first that has none is named.
func (r *reader) room(line int) bool {
	if len(r.Events) < r.limits.Events {
		return true
	}
	if !r.full {
		r.problem(tooMany, line, "")
	}
	r.full = true
	return false
}

// number is a number as a part of a key. None is not zero.
func number(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

// person is the keyed hash of a person, "" for none.
func (r *reader) person(name string) string {
	if isNone(name) {
		return ""
	}
	return Person(r.limits.Key, name)
}

// Person is the hash by which persons are told apart without being named: of a user's name or address, whatever its
// case.
func Person(key []byte, name string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(strings.ToLower(strings.TrimSpace(name))))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// counted reports whether an event counts: one that failed and cost nothing does not.
func counted(e Event) bool {
	kind := strings.ToLower(strings.ReplaceAll(e.Kind, "_", " "))
	failed := false
	for _, word := range []string{"errored", "aborted", "no charge", "not charged"} { // [csv readers] [page readers]
		failed = failed || strings.Contains(kind, word)
	}
	return !failed || e.CostCents != nil && *e.CostCents != 0 || e.ChargedCents != nil && *e.ChargedCents != 0
}
