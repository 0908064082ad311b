package raw

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strconv"

	"pipeline/extract"
	"pipeline/load/versions"
	"pipeline/sql/schema"
)

// Replay is the snapshot of a source as a load saw it, out of the raw layer.
type Replay struct {
	extract.StillSnapshot
	ctx    context.Context
	raw    *versions.Reader
	load   versions.Replay
	shared extract.Shared
	stores []extract.StoreReport // noted at once: whoever has read the shared rows drops them
	owners []versions.Owner      // conversations, and rows without one
	at     map[schema.OwnerKey]int
	held   map[schema.OwnerKey][]*extract.Document // rows of the owners that were read last
}

// NewReplay lists what a source held and reads what conversations share.
func NewReplay(ctx context.Context, raw *versions.Reader, of versions.Replay, sourceID string) (*Replay, error) {
	r := &Replay{ctx: ctx, raw: raw, load: of, at: map[schema.OwnerKey]int{}}
	all, err := raw.Owners(ctx, of, sourceID)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b versions.Owner) int {
		// the global store first, as its conversations beat those of workspaces
		return cmp.Or(-cmp.Compare(rank(a.Store), rank(b.Store)), cmp.Compare(a.Store, b.Store))
	})
	for _, o := range all {
		switch {
		case o.Kind == schema.KindShared:
			err = r.readShared(o.OwnerKey)
		case !o.Kind.OfStore():
			r.at[o.OwnerKey] = len(r.owners)
			r.owners = append(r.owners, o)
		}
		if err != nil {
			return nil, err
		}
	}
	r.noteStores()
	return r, nil
}

func rank(store string) int {
	if store == extract.GlobalStore {
		return 1
	}
	return 0
}

func (r *Replay) readShared(owner schema.OwnerKey) error {
	return r.raw.Rows(r.ctx, r.load, []schema.OwnerKey{owner}, func(row schema.RawRow) {
		switch d := Document(row); d.Table {
		case extract.FileTable:
			r.shared.Workspaces = append(r.shared.Workspaces, Workspace(d))
		case extract.HeaderTable:
			r.shared.Headers = append(r.shared.Headers, d)
		default:
			r.shared.Items = append(r.shared.Items, d)
		}
	})
}

// readAhead is how many bytes of values are read at a time.
const readAhead = 16 << 20

// rows returns the rows of an owner. It also reads the rows of the next owners that changed in this load: they are
// needed next.
func (r *Replay) rows(key schema.OwnerKey) ([]*extract.Document, error) {
	if docs, ok := r.held[key]; ok {
		return docs, nil
	}
	r.held = map[schema.OwnerKey][]*extract.Document{key: nil}
	owners := []schema.OwnerKey{key}
	first := r.at[key]
	size := r.owners[first].Bytes
	for _, o := range r.owners[first+1:] {
		if o.Store != key.Store || size+o.Bytes > readAhead || len(owners) == ownersAtOnce {
			break
		}
		if o.New {
			size += o.Bytes
			owners = append(owners, o.OwnerKey)
			r.held[o.OwnerKey] = nil
		}
	}
	err := r.raw.Rows(r.ctx, r.load, owners, func(row schema.RawRow) {
		owner := row.Owner()
		r.held[owner] = append(r.held[owner], Document(row))
	})
	return r.held[key], err
}

// Versions are those that some rows of an owner had up to this load, but for those of the given hashes.
func (r *Replay) Versions(ctx context.Context, owner schema.OwnerKey,
	wanted map[versions.Key]string) (map[versions.Key][]schema.RawRow, error) {
	return r.raw.Versions(ctx, r.load, owner, wanted)
}

func (r *Replay) Conversations(context.Context) iter.Seq2[*extract.Conversation, error] {
	return func(yield func(*extract.Conversation, error) bool) {
		for _, o := range r.owners {
			if !yield(r.conversation(o), nil) {
				return
			}
		}
	}
}

func (r *Replay) conversation(o versions.Owner) *extract.Conversation {
	key := o.OwnerKey
	// No store can have this fingerprint: so the next run reads the stores and compares.
	c := extract.Conversation{Store: o.Store, ID: o.ID, Loose: o.Kind == schema.KindLoose,
		Fingerprint: "replayed " + strconv.FormatInt(o.Latest, 10)}
	if id := extract.ConversationOf(o.RowKey); id != "" && !c.Loose {
		c.ID = id // the id from the key: the warehouse could not hold every byte
	}
	isHead := func(d *extract.Document) bool { return !c.Loose && d.IsHead() }
	c.Parts = func(yield func(*extract.Document, error) bool) {
		docs, err := r.rows(key)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, d := range docs {
			if !isHead(d) && !yield(d, nil) {
				return
			}
		}
	}
	return extract.NewConversation(c, o.Rows, func() (*extract.Document, error) {
		docs, err := r.rows(key)
		if i := slices.IndexFunc(docs, isHead); i >= 0 {
			return docs[i], err
		}
		return nil, err
	})
}

func (r *Replay) Shared() *extract.Shared { return &r.shared }

func (r *Replay) Count() int { return len(r.owners) }

// Stores reports every store that has rows as read whole: rows that the load could not read are the same as before. A
// folder with only a workspace.json has no store.
func (r *Replay) Stores() []extract.StoreReport { return slices.Clone(r.stores) }

func (r *Replay) noteStores() {
	add := func(store string) {
		if !slices.ContainsFunc(r.stores, func(s extract.StoreReport) bool { return s.Store == store }) {
			r.stores = append(r.stores, extract.StoreReport{Store: store})
		}
	}
	for _, o := range r.owners {
		add(o.Store)
	}
	for _, d := range slices.Concat(r.shared.Headers, r.shared.Items) {
		add(d.Store)
	}
}
