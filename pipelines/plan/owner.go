package plan

import "strings"

// An owner of rows has an id in _known_conversations and in the raw layer. Most owners are conversations. An id in
// parentheses is an owner that is no conversation (extract.IsConversationID): a store's rows without a conversation
// (package extract makes these ids), or the ids of this file, for something of a whole store.
const (
	Shared   = "(shared)" // a store's shared rows: the content hash covers all of them
	Rows     = "(rows)"   // the rows of tables that are made from the shared rows of all stores of a source
	keptFrom = "(kept:"   // rows of a family that no table is built from and that are kept
	keptTo   = ")"
)

// Kept is the owner id for the rows of a family that no table is built from.
func Kept(family string) string { return keptFrom + family + keptTo }

// KeptFamily returns the family of such an id.
func KeptFamily(id string) (family string, ok bool) {
	family, ok = strings.CutPrefix(id, keptFrom)
	return strings.TrimSuffix(family, keptTo), ok
}

// OfStore reports whether an owner is something of a whole store, and not rows from which a table of conversations is
// built.
func OfStore(id string) bool {
	return id == Shared || id == Rows || strings.HasPrefix(id, keptFrom)
}
