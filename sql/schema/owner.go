package schema

import "strings"

// OwnerKind says what an owner of rows is.
type OwnerKind string

const (
	KindConversation OwnerKind = "conversation"
	KindLoose        OwnerKind = "loose"         // a group of a store's rows that belong to no conversation
	KindShared       OwnerKind = "shared"        // the rows of a store that its conversations share
	KindSharedTables OwnerKind = "shared_tables" // the rows of tables that are made from all shared rows of a source
	KindFamily       OwnerKind = "family"        // rows of a family that no table is built from and that are kept
)

// OfStore reports whether an owner is something of a whole store, and not rows that are read as a conversation's are.
func (k OwnerKind) OfStore() bool { return k != KindConversation && k != KindLoose }

// OwnerKey names an owner of rows. The store is part of it, because a conversation may move from one store to another.
type OwnerKey struct {
	SourceID string    `col:"source_id"`
	Store    string    `col:"store"`
	Kind     OwnerKind `col:"kind"`
	ID       string    `col:"id"` // as in Owner
}

// Anywhere is the key of a conversation in whatever store it is. All others stay in theirs.
func (k OwnerKey) Anywhere() OwnerKey {
	if k.Kind == KindConversation {
		k.Store = ""
	}
	return k
}

// keptFrom begins the name of a family.
const keptFrom = "(kept:"

// Name is the owner's name where there is one column for all kinds: conversation_id of the raw layer, _known_rows and
// quarantine, read_as and keyed_by of tables. A conversation has its id there, all others a name in parentheses, but
// for the loose rows of a global store: these have none.
func (k OwnerKey) Name() string {
	switch k.Kind {
	case KindShared:
		return "(shared)"
	case KindSharedTables:
		return "(rows)"
	case KindFamily:
		return keptFrom + k.ID + ")"
	case KindLoose:
		switch {
		case k.ID != "":
			return "(" + k.Store + "/" + k.ID + ")"
		case k.Store != "global":
			return "(" + k.Store + ")"
		}
	}
	return k.ID
}

// OwnerNamed is the owner in a store that has a name (Name).
func OwnerNamed(sourceID, store, name string) OwnerKey {
	named := OwnerKey{SourceID: sourceID, Store: store, Kind: KindConversation, ID: name}
	if name != "" && name[0] != '(' {
		return named
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(name, "("), ")")
	group := strings.TrimPrefix(strings.TrimPrefix(inner, store), "/")
	for _, k := range []OwnerKey{{Kind: KindShared}, {Kind: KindSharedTables}, {Kind: KindLoose, ID: group},
		{Kind: KindFamily, ID: strings.TrimPrefix(inner, keptFrom[1:])}} {
		if k.SourceID, k.Store = sourceID, store; k.Name() == name {
			return k
		}
	}
	return named
}
