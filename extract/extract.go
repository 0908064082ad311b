// Package extract finds Cursor's stores and reads their rows from one consistent, read-only snapshot of each.
//
// It knows where bytes are: files, tables, keys, value encodings. It must never know what a value means
// (that is package transform's), never write beside a source, and never read a login secret.
package extract

import (
	"cmp"
	"context"
	"iter"
)

// A Conversation is everything that one store holds about one chat, undecoded.
type Conversation struct {
	Store string
	ID    string // for loose rows the name of their group within the store, "" for the only one
	Loose bool   // not a conversation: rows of the store that belong to none, and come and go together
	// Fingerprint is a hash over the keys and rowids of the rows. A row that Cursor replaces gets a new rowid, so no
	// value has to be read. It is "" where rows have no rowid.
	Fingerprint string
	// Sizes and Content are the results of a pass over the store's values, in the form that Sums gives. Each is "" if
	// the pass was not that deep (Depth).
	Sizes, Content string
	// IsCopied and IsListed say that the store has no row of the conversation: shared rows have a copy of it, or
	// nothing but its head.
	IsCopied, IsListed bool
	// Elsewhere says that another source of the same home has the conversation in a store. The caller of Conversations
	// sets it.
	Elsewhere bool
	// Head is the conversation document (composerData). It is nil before Load, and if the store has none.
	Head *Document
	// Parts are the other rows, bubbles first, each family in key order, and last the nodes of its graph. It may be
	// ranged over more than once.
	Parts iter.Seq2[*Document, error]
	// Unusable are rows from which no table can be built. For each, Parts has an earlier version of the row instead.
	Unusable []*Document

	rows     int                       // number of rows, by the index
	readHead func() (*Document, error) // nil once loaded
}

// NewConversation makes a conversation from rows that come from the raw layer and not from a store; rows is how many
// there are.
func NewConversation(c Conversation, rows int, head func() (*Document, error)) *Conversation {
	c.rows, c.readHead = rows, head
	return &c
}

// Rows is the number of rows in the index.
func (c *Conversation) Rows() int { return c.rows }

// Load reads every row once, and adds them up. It holds the parts if they need no more than limit bytes: then held is
// true, and the conversation can be used after the reader has gone on. If not, Parts still reads from the store.
func (c *Conversation) Load(limit int64) (sums Sums, held bool, err error) {
	if err := c.LoadHead(); err != nil {
		return sums, false, err
	}
	if c.Head != nil {
		sums.Add(c.Head)
	}
	var size int64
	var parts []*Document
	for d, err := range c.Parts {
		if err != nil {
			return sums, false, err
		}
		sums.Add(d)
		if size += int64(len(d.Value)+len(d.Key)) + 200; size <= limit {
			parts = append(parts, d)
		} else {
			parts = nil
		}
	}
	if size > limit {
		return sums, false, nil
	}
	c.Parts = Rows(parts)
	return sums, true, nil
}

// LoadHead reads the head alone.
func (c *Conversation) LoadHead() (err error) {
	if c.readHead != nil {
		c.Head, err = c.readHead()
		c.readHead = nil
	}
	return err
}

// Shared is the content of a source outside its conversations' own rows. It is small, and read whole in each run.
type Shared struct {
	Workspaces []Workspace
	Headers    []*Document // rows of the composerHeaders table, each as a JSON object of its columns, by id
	Items      []*Document // allowed rows of ItemTable
}

// StoreReport is what is known of one store after it was read.
type StoreReport struct {
	Info     StoreInfo
	Store    string
	RowsSeen int64
	RowsRead int64
	MaxRowID int64  // the largest rowid of the key-value rows
	Identity string // tells this file from another one at the same path: device, inode, table definitions
	State    string // a hash of the state that its files were in; "" if unknown
	Depth    Depth  // how far its values were compared
	// SharedOnly: the store holds only rows that conversations share. Its State, unless that is "", covers every byte
	// of it.
	SharedOnly bool
	AsBefore   bool // the store was not opened: its State is one that the caller knows (OpenOptions.Known)
	Families   []FamilyCount
	Err        error // why it could not be read whole; nil when it was
	Salvaged   bool  // it is damaged, and what could be read of it was read: Err says what is lost
}

// Unreadable reports that nothing of the store could be read.
func (r *StoreReport) Unreadable() bool { return r.Err != nil && !r.Salvaged }

// FamilyCount counts the rows of one key pattern.
type FamilyCount struct {
	Family    string
	Handling  Handling
	Rows      int64
	NullRows  int64
	BytesRead int64
}

// OpenOptions say how a source's stores are opened.
type OpenOptions struct {
	Skip    map[string]error // stores that are not to be opened, and why
	Copy    map[string]bool  // stores to be read from a private copy
	Salvage map[string]bool  // damaged stores, of which as much as possible is to be read
	Every   bool             // also rows of the families that are only counted

	// Graph finds the nodes of a conversation's graph. A nil Graph means that they are not read.
	Graph Graph
	// Kept returns nodes that a store no longer has. A nil Kept knows none.
	Kept Kept

	// Marks is told what each store that is opened says of its own version. A nil Marks means that nobody asks.
	Marks func(store string, marks Marks)

	// Depth says how far the values of a store are compared, for a store whose files have this state. A nil Depth means
	// DepthKeys.
	Depth func(store, state string) Depth
	// Known returns the report of an earlier read of a SharedOnly store whose files had this state. The store is then
	// not opened, since the caller has its rows. If Known is nil or returns nil, the store is opened.
	Known func(store, state string) *StoreReport
}

// asGlobal returns the options for a store that is opened as the global one: what was said of it under its own name, or
// of the global store.
func (o OpenOptions) asGlobal(store string) OpenOptions {
	merge := func(m map[string]bool) map[string]bool {
		return map[string]bool{GlobalStore: m[GlobalStore] || m[store]}
	}
	out := OpenOptions{Skip: map[string]error{}, Copy: merge(o.Copy), Salvage: merge(o.Salvage), Every: o.Every,
		Graph: o.Graph, Kept: o.Kept, Depth: o.Depth}
	if err := cmp.Or(o.Skip[GlobalStore], o.Skip[store]); err != nil {
		out.Skip[GlobalStore] = err
	}
	return out
}

// OverBudgetError ends a read transaction that has been open for too long beside an editor that writes. The caller must
// drop the rows that it has read, and read the store again from a private copy (OpenOptions.Copy).
type OverBudgetError struct{ Store, Reason string }

func (e *OverBudgetError) Error() string {
	return "the read of the store " + e.Store + " takes too long beside the running editor: " + e.Reason
}

// StillSnapshot implements the methods of a Snapshot for a source that has no shared rows, no further rows that are
// kept, and no index to check. Nothing is open, and nothing can have changed meanwhile: a source that reads a file
// which may change has its own Verify and Close.
type StillSnapshot struct{}

func (StillSnapshot) Shared() *Shared                          { return &Shared{} }
func (StillSnapshot) Kept() []KeptFamily                       { return nil }
func (StillSnapshot) Count() int                               { return 0 }
func (StillSnapshot) CheckIndex(context.Context, string) error { return nil }
func (StillSnapshot) Verify() error                            { return nil }
func (StillSnapshot) Close() error                             { return nil }
func (StillSnapshot) KeptRows(context.Context, func(KeptFamily) bool) iter.Seq2[KeptRow, error] {
	return func(func(KeptRow, error) bool) {}
}

// A Snapshot is one consistent state of each store of a source, closed by the caller.
type Snapshot interface {
	// Shared returns the rows that conversations share.
	Shared() *Shared
	// Conversations yields every conversation of the stores' key-value rows, by store and id, none of its values read
	// yet. The yielded values are valid until Close.
	Conversations(ctx context.Context) iter.Seq2[*Conversation, error]
	// Kept lists the families whose rows are kept though no table is built from them (IsKept, OpenOptions.Every).
	Kept() []KeptFamily
	// KeptRows yields the rows of the wanted families among them, by store and key.
	KeptRows(ctx context.Context, wanted func(KeptFamily) bool) iter.Seq2[KeptRow, error]
	// Count is roughly the number of conversations, for a progress bar.
	Count() int
	// CheckIndex compares the rows in a store's indexes with those in its tables, once. Only if they agree does a row
	// that is missing from an index count as gone. An error says that the store is damaged.
	CheckIndex(ctx context.Context, store string) error
	// Verify reports ErrTorn if a store that was read in place has changed meanwhile: the caller must drop every row
	// that it has read.
	Verify() error
	// Stores reports on each store, also on those that could not be read.
	Stores() []StoreReport
	Close() error
}

// A Graph finds the nodes of a conversation. own are the rows in which it may begin: the conversation's own document,
// and the row that names its root. The function fetches each node by its name, 64 hex digits; fetch returns nil for one
// that the store does not have. It must return the errors of fetch.
type Graph func(own []*Document, fetch func(name string) (*Document, error)) error

// Kept returns a node that a store no longer has and an earlier load has kept, of the conversation whose own rows these
// are; nil if there is none.
type Kept func(own []*Document, name string) (*Document, error)

// Depth is how far a store's values are compared before its rows are loaded.
type Depth int

const (
	DepthKeys   Depth = iota // keys and rowids alone
	DepthSizes               // the sizes of all values, and the conversations' own documents
	DepthValues              // every value of the families that are loaded or kept
)
