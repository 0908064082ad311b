package plan

import (
	"strings"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// Reasons why a conversation is loaded.
const (
	WhyNew     = "new"
	WhyRows    = "rows replaced"         // rows were added, replaced or deleted
	WhyInPlace = "rows changed in place" // same rowids, other values
	WhyFacts   = "title, project or other shared fact changed"
	WhyVersion = "this version of the tool reads it differently"
	WhyFull    = "asked for with --full"
	WhyGone    = "gone from its store"
)

// A Look is what is decided of a conversation before any of its values is read.
type Look struct {
	Key    load.ConversationKey
	Before schema.KnownConversation // what earlier loads know of it
	Known  bool                     // Before may be compared with
	Read   bool                     // its values are to be read
	Why    string                   // of one that is not Known
}

// Conversation compares a conversation's fingerprint with the known one. facts are those that its rows use if they name a workspace; they are asked for
// only where they matter.
func (s *Source) Conversation(conv *extract.Conversation, facts func(workspace string) string) Look {
	look := Look{Key: s.Key(conv.Store, schema.CleanText(conv.ID)), Read: true, Why: WhyNew}
	look.Before, look.Known = s.State.Known[look.Key]
	if !look.Known {
		return look
	}
	switch {
	case s.Wanted.Full:
		look.Known, look.Why = false, WhyFull
		return look
	case look.Before.TransformVersion != transform.Version:
		look.Known, look.Why = false, WhyVersion
		return look
	}
	if asBefore(look.Before, conv) {
		look.Read = !s.Trusted() && (s.Forced[conv.Store] || s.Wanted.Part.includes(look.Key.ConversationID) ||
			parse(look.Before.Fingerprint).Facts != facts(look.Before.WorkspaceID))
	}
	return look
}

// SameRows reports that rows of which a content hash was made are those of the last load.
func (l Look) SameRows(content string) bool { return strings.HasPrefix(l.Before.ContentHash, content) }

// After says why a conversation is loaded once its values were read: now is what is to be remembered of it. "" for one that is as the warehouse has it.
func (l Look) After(conv *extract.Conversation, now schema.KnownConversation, sameRows bool) (why string) {
	switch {
	case !l.Known:
		return l.Why
	case l.Before.ContentHash == now.ContentHash:
		return ""
	case sameRows:
		return WhyFacts
	case parse(l.Before.Fingerprint).holds(conv.Fingerprint, ""):
		return WhyInPlace
	}
	return WhyRows
}

// Trusted reports that what conversations share is as it was at the last load, and that no conversation is asked for beside those whose rows
// changed.
func (s *Source) Trusted() bool {
	return s.SharedSame && !s.Wanted.Full && !s.Wanted.Narrowed() && !s.Gap && s.Wanted.Part == nil && len(s.Forced) == 0
}

// SameVersion reports that all known conversations of the source were read by this version of the tool. What conversations share does not count: it is
// compared by its content, whichever version read it.
func (s *Source) SameVersion() bool {
	for key, known := range s.All() {
		if !OfStore(key.ConversationID) && known.TransformVersion != transform.Version {
			return false
		}
	}
	return true
}

// KnownInGlobal reports that earlier loads have read rows of a conversation from the global store: also where that cannot be read now, or
// not all of it, they beat those of a workspace.
func (s *Source) KnownInGlobal(id string) bool {
	_, known := s.Known(extract.GlobalStore, id)
	return known
}

// Copies are the known conversations that only the shared rows of workspaces hold.
func (s *Source) Copies() (out []load.ConversationKey) {
	for key, known := range s.All() {
		if strings.HasPrefix(known.Fingerprint, transform.CopiedFingerprint) {
			out = append(out, key)
		}
	}
	return out
}
