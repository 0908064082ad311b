// Package plan decides what a run reads, and why.
//
// It knows what earlier loads left (load.State), the states and fingerprints of stores and conversations, and the
// options of the run. All of it are functions of these values: it must never open a file, read a clock, read a value of
// a row or change the warehouse.
package plan

import (
	"iter"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// Wanted is what the options ask for.
type Wanted struct {
	load.Limits
	Full          bool  // load every conversation, changed or not
	Part          *Part // the part of the conversations that is read in full; nil: none
	AcceptDeletes bool  // accept that more than half of a source's conversations are gone
	Rebuild       bool  // the rows come from the raw layer
	ToolVersion   string
	Now           schema.Millis // start of the run
}

// A Source is the plan for one source in one run.
type Source struct {
	ID         string
	State      *load.State // of all sources
	Wanted     Wanted
	RawMayLack bool // the raw layer may lack something of an owner (IsUnsure): everything is read and compared

	Forced     map[string]bool // stores that must be read in full, see Signs
	SharedSame bool            // the shared rows are those of the last load
}

// IsUnsure reports whether there is an unsure owner in a source; "" is any source.
func IsUnsure(state *load.State, sourceID string) bool {
	for key, known := range state.Known {
		if known.IsUnsure && (sourceID == "" || key.SourceID == sourceID) {
			return true
		}
	}
	return false
}

// Key is the key of an owner of rows of the source.
func (s *Source) Key(kind schema.OwnerKind, store, id string) schema.OwnerKey {
	return schema.OwnerKey{SourceID: s.ID, Store: store, Kind: kind, ID: schema.CleanText(id)}
}

// KeyOf is the key of a conversation of the source, or of a group of loose rows.
func (s *Source) KeyOf(conv *extract.Conversation) schema.OwnerKey {
	if conv.Loose {
		return s.Key(schema.KindLoose, conv.Store, conv.ID)
	}
	return s.Key(schema.KindConversation, conv.Store, conv.ID)
}

// Shared is the key of the rows that the conversations of a store share.
func (s *Source) Shared(store string) schema.OwnerKey { return s.Key(schema.KindShared, store, "") }

// Tables is the key of the rows of tables that are made from the shared rows of all stores.
func (s *Source) Tables() schema.OwnerKey {
	return s.Key(schema.KindSharedTables, extract.GlobalStore, "")
}

// All yields everything that earlier loads know of the source, in no particular order.
func (s *Source) All() iter.Seq2[schema.OwnerKey, schema.Owner] {
	return func(yield func(schema.OwnerKey, schema.Owner) bool) {
		for key, known := range s.State.Known {
			if key.SourceID == s.ID && !yield(key, known) {
				return
			}
		}
	}
}

// Remembered starts the row that this run stores about an owner of rows.
func (s *Source) Remembered(key schema.OwnerKey) schema.Owner {
	return schema.Owner{SourceID: key.SourceID, Store: key.Store, Kind: key.Kind, ID: key.ID,
		TransformVersion: transform.Version, LoadID: s.State.LastLoadID + 1}
}
