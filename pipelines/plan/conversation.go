package plan

import (
	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// Reasons why a conversation is loaded.
const (
	WhyNew     = "new"
	WhyRows    = "rows replaced"         // rows were added, replaced or deleted
	WhyInPlace = "rows changed in place" // same rowids, but other values
	WhyFacts   = "title, project or other shared fact changed"
	WhyVersion = "this version of the tool reads it differently"
	WhyFull    = "asked for with --full"
	WhyGone    = "gone from its store"
)

// A Decision says whether the values of a conversation are read, and why. It is made before they are.
type Decision struct {
	Key    schema.OwnerKey
	Before schema.Owner // what earlier loads know of it
	Known  bool         // Before is valid for a comparison
	Read   bool         // its values must be read
	Why    string       // why, if it is not Known
}

// Conversation compares a conversation's fingerprint with the known one. facts returns the fingerprint of the facts for
// a conversation whose rows name a workspace; it is called only if needed.
func (s *Source) Conversation(conv *extract.Conversation, facts func(workspace string) string) Decision {
	decision := Decision{Key: s.KeyOf(conv), Read: true, Why: WhyNew}
	decision.Before, decision.Known = s.State.Known[decision.Key]
	if !decision.Known {
		return decision
	}
	switch {
	case s.Wanted.Full:
		decision.Known, decision.Why = false, WhyFull
		return decision
	case decision.Before.TransformVersion != transform.Version:
		decision.Known, decision.Why = false, WhyVersion
		return decision
	}
	if asBefore(decision.Before, conv) {
		decision.Read = !s.Trusted() && (s.Forced[conv.Store] || s.Wanted.Part.includes(decision.Key.ID) ||
			decision.Before.FactsHash != facts(decision.Before.WorkspaceID))
	}
	return decision
}

// SameRows reports whether rows with this content hash are those of the last load, as far as they could be read: the
// hash is "" if a value could not.
func (d Decision) SameRows(content string) bool {
	return content == "" || content == d.Before.ContentHash
}

// After says why a conversation is loaded, once its values have been read. now is what is to be remembered of it. The
// reason is "" if the warehouse has the same content.
func (d Decision) After(conv *extract.Conversation, now schema.Owner, sameRows bool) (why string) {
	switch {
	case !d.Known:
		return d.Why
	case sameContent(d.Before, now):
		return ""
	case sameRows:
		return WhyFacts
	case sameIndex(d.Before, conv, ""):
		return WhyInPlace
	}
	return WhyRows
}

// Trusted reports whether the shared rows are those of the last load, and only conversations with changed rows need to
// be looked at.
func (s *Source) Trusted() bool {
	return s.SharedSame && !s.Wanted.Full && !s.Wanted.Narrowed() && !s.RawMayLack && s.Wanted.Part == nil &&
		len(s.Forced) == 0
}

// SameVersion reports whether this version of the tool has read all known conversations of the source. Shared rows are
// ignored: they are compared by their content.
func (s *Source) SameVersion() bool {
	for key, known := range s.All() {
		if !key.Kind.OfStore() && known.TransformVersion != transform.Version {
			return false
		}
	}
	return true
}

// KnownInGlobal reports whether earlier loads have read a conversation from the global store. If so, these rows count
// before those of a workspace, even if the global store cannot be read now.
func (s *Source) KnownInGlobal(id string) bool {
	_, known := s.State.Known[s.Key(schema.KindConversation, extract.GlobalStore, id)]
	return known
}

// Copies are the known conversations that exist only in shared rows: copies in workspaces, and heads in lists.
func (s *Source) Copies() (out []schema.OwnerKey) {
	for key, known := range s.All() {
		if known.IsCopied || known.IsListed {
			out = append(out, key)
		}
	}
	return out
}
