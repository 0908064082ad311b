package plan

import "strings"

// An owner of rows has an id among the conversations that the warehouse knows (_known_conversations) and in the raw layer. Most are conversations. Ids in
// brackets stand for what belongs to none: rows of a store without a conversation, whose ids package extract gives, and the ids of this file, which stand
// for something of a whole store.
const (
	Shared   = "(shared)" // the rows of a store that conversations share: the content hash is over all of them
	Rows     = "(rows)"   // the rows of tables that are made of what conversations share, of all stores of a source
	File     = "(file)"   // a store's file: the fingerprint is the state in which it was read last, the content hash the time of the last full comparison, in ms
	keptFrom = "(kept:"   // rows of a family that no table is built from, and that are kept
	keptTo   = ")"
)

// Kept is the id of the rows of a family that no table is built from.
func Kept(family string) string { return keptFrom + family + keptTo }

// KeptFamily is the family of which such an id is.
func KeptFamily(id string) (family string, ok bool) {
	family, ok = strings.CutPrefix(id, keptFrom)
	return strings.TrimSuffix(family, keptTo), ok
}

// OfStore reports that an id stands for something of a whole store, and not for rows from which a table of conversations is built.
func OfStore(id string) bool {
	return id == Shared || id == Rows || id == File || strings.HasPrefix(id, keptFrom)
}

// IsConversation tells a conversation from all else that has an id.
func IsConversation(id string) bool { return id != "" && id[0] != '(' }
