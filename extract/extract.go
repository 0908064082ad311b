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

// GlobalStore is the name of a source's global store; a workspace's is "workspace/" and the folder's name.
const GlobalStore = "global"

// WorkspaceStore names the store of a workspaceStorage folder.
func WorkspaceStore(workspaceID string) string { return "workspace/" + workspaceID }

// A Conversation is everything that one store holds about one chat, undecoded.
type Conversation struct {
	Store string
	ID    string // for loose rows the name of their group, see Loose
	Loose bool   // not a conversation: the rows of the store that belong to none. ID is "" for the global store, else (STORE)
	// Fingerprint is a hash over key and rowid of its rows: a row that Cursor replaces has a new rowid. It costs no reading of values.
	// "" where rows have no rowid.
	Fingerprint string
	// Sizes and Content are what a pass over the store's values found of its rows, as Sums have them; "" where there was none of that Depth.
	Sizes, Content string
	// Head is the conversation document (composerData); nil where the store has none, and until Load.
	Head *Document
	// Parts are the other rows, bubbles first, each family in key order. It may be ranged over more than once.
	Parts iter.Seq2[*Document, error]
	// Unusable are rows that are there and that no table can be built from; an earlier version of each stands in its place.
	Unusable []*Document

	rows     int                       // rows by the index
	readHead func() (*Document, error) // nil once loaded
}

// NewConversation makes a conversation of rows that are kept elsewhere than in a store; rows is how many there are.
func NewConversation(c Conversation, rows int, head func() (*Document, error)) *Conversation {
	c.rows, c.readHead = rows, head
	return &c
}

// Rows is the number of rows that the index names.
func (c *Conversation) Rows() int { return c.rows }

// Load reads the head, and the parts into memory if they need no more than limit bytes, so that the conversation can be used
// after the reader has gone on. It reports whether it did; if not, Parts still reads from the store.
func (c *Conversation) Load(limit int64) (buffered bool, err error) {
	if err := c.LoadHead(); err != nil {
		return false, err
	}
	var size int64
	var parts []*Document
	for d, err := range c.Parts {
		if err != nil {
			return false, err
		}
		if size += int64(len(d.Value)+len(d.Key)) + 200; size > limit {
			return false, nil
		}
		parts = append(parts, d)
	}
	c.Parts = func(yield func(*Document, error) bool) {
		for _, d := range parts {
			if !yield(d, nil) {
				return
			}
		}
	}
	return true, nil
}

// LoadHead reads the head alone.
func (c *Conversation) LoadHead() (err error) {
	if c.readHead != nil {
		c.Head, err = c.readHead()
		c.readHead = nil
	}
	return err
}

// Shared is what a source holds outside its conversations' own rows: small, read whole in each run.
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
	Identity string // what tells the file from another put in its place: device, inode, table definitions
	State    string // stands for what its files were like; "" where nothing can be said
	Depth    Depth  // how far its values were looked into
	// SharedOnly: it holds no rows but those that conversations share, and State, unless it is "", stands for every byte of it.
	SharedOnly bool
	AsBefore   bool // it was not opened: State is the one of which the caller knew what was read (OpenOptions.Known)
	Families   []FamilyCount
	Err        error // why it could not be read whole; nil when it was
	Salvaged   bool  // it is damaged, and what could be read of it was read all the same: Err says what is lost
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
	Skip    map[string]error // stores that are not to be tried, and why
	Copy    map[string]bool  // stores to be read from a private copy
	Salvage map[string]bool  // damaged stores, to be read as far as they can be
	Raw     RawLevel         // rows to be seen that no table is built from

	// Depth says how far to look into the values of a store whose files are in a state; nil: not at all.
	Depth func(store, state string) Depth
	// Known returns what was read of a store that is SharedOnly while its files were in that state; nil: it is to be opened. The store's rows are not
	// read again: the caller has them. May be nil.
	Known func(store, state string) *StoreReport
}

// also are the options under which the store that is opened as the global one may be known too.
func (o OpenOptions) also(store string) OpenOptions {
	merge := func(m map[string]bool) map[string]bool {
		return map[string]bool{GlobalStore: m[GlobalStore] || m[store]}
	}
	out := OpenOptions{Skip: map[string]error{}, Copy: merge(o.Copy), Salvage: merge(o.Salvage), Raw: o.Raw, Depth: o.Depth}
	if err := cmp.Or(o.Skip[GlobalStore], o.Skip[store]); err != nil {
		out.Skip[GlobalStore] = err
	}
	return out
}

// OverBudgetError ends a read transaction that has been open for too long beside an editor that writes. What was read must be thrown away
// and the store be read again from a private copy (OpenOptions.Copy).
type OverBudgetError struct{ Store, Reason string }

func (e *OverBudgetError) Error() string {
	return "the read of the store " + e.Store + " takes too long beside the running editor: " + e.Reason
}

// noConversations is what a Snapshot without conversations answers to questions about them: there are no shared rows, none that are kept beside those that
// tables are built from, and no index of its own.
type noConversations struct{}

func (noConversations) Shared() *Shared                          { return &Shared{} }
func (noConversations) Kept() []KeptFamily                       { return nil }
func (noConversations) Count() int                               { return 0 }
func (noConversations) CheckIndex(context.Context, string) error { return nil }
func (noConversations) KeptRows(context.Context, func(KeptFamily) bool) iter.Seq2[KeptRow, error] {
	return func(func(KeptRow, error) bool) {}
}

// A Snapshot is one consistent state of each store of a source, closed by the caller.
type Snapshot interface {
	// Shared returns the rows that conversations share.
	Shared() *Shared
	// Conversations yields every conversation of the stores' key-value rows, by store and id, none of its values read yet. The yielded
	// values are valid until Close.
	Conversations(ctx context.Context) iter.Seq2[*Conversation, error]
	// Kept lists the families of each store that no table is built from and whose rows are kept all the same (OpenOptions.Raw).
	Kept() []KeptFamily
	// KeptRows yields the rows of those of them that are wanted, by store and key.
	KeptRows(ctx context.Context, wanted func(KeptFamily) bool) iter.Seq2[KeptRow, error]
	// Count is about how many conversations there are, for a progress bar.
	Count() int
	// CheckIndex compares what the indexes of a store name with what its tables hold, once. A row that an index does not name any more is gone
	// only if they agree; the error says that the store is damaged.
	CheckIndex(ctx context.Context, store string) error
	// Verify reports ErrTorn when a store that was read in place has changed meanwhile: every row read must be thrown away.
	Verify() error
	// Stores reports on each store, also on those that could not be read.
	Stores() []StoreReport
	Close() error
}
