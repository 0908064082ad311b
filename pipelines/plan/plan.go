// Package plan decides what a run reads, and why.
//
// It knows what earlier loads left (load.State), what a look from outside tells of stores and conversations (states of files, fingerprints), and what
// is asked for. All of it is functions of these values: it must never open a file, ask a clock, read a value of a row or change the warehouse.
package plan

import (
	"iter"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// Wanted is what a run is asked for.
type Wanted struct {
	Limits
	Full          bool             // every conversation is loaded, changed or not
	Part          *Part            // of the conversations, which is read in full; nil: none
	AcceptDeletes bool             // more than half of a source's conversations may be gone
	Raw           extract.RawLevel // rows of which every version is kept
	Rebuild       bool             // the rows come out of the raw layer
	ToolVersion   string
	Now           schema.Millis // when the run began
}

// A Source is what is decided of one source in one run.
type Source struct {
	ID     string
	State  *load.State // what earlier loads left, of all sources
	Wanted Wanted
	Gap    bool // the raw layer is not what earlier runs have seen of the source: everything is read and compared

	Forced     map[string]bool // stores that are read in full, see Signs
	SharedSame bool            // what conversations share is as it was at the last load
}

// Key names a conversation of the source, or another owner of rows.
func (s *Source) Key(store, id string) load.ConversationKey {
	return load.ConversationKey{SourceID: s.ID, Store: store, ConversationID: id}
}

// Known is what earlier loads know of an owner of rows.
func (s *Source) Known(store, id string) (schema.KnownConversation, bool) {
	known, ok := s.State.Known[s.Key(store, id)]
	return known, ok
}

// All yields what earlier loads know of the source, in no order.
func (s *Source) All() iter.Seq2[load.ConversationKey, schema.KnownConversation] {
	return func(yield func(load.ConversationKey, schema.KnownConversation) bool) {
		for key, known := range s.State.Known {
			if key.SourceID == s.ID && !yield(key, known) {
				return
			}
		}
	}
}

// Remembered is the beginning of what this run has the warehouse remember of an owner of rows.
func (s *Source) Remembered(store, id string) schema.KnownConversation {
	return schema.KnownConversation{SourceID: s.ID, Store: store, ConversationID: id, TransformVersion: transform.Version, LoadID: s.State.LastLoadID + 1}
}
