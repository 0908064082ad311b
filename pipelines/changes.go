package pipelines

import (
	"cmp"
	"context"
	"encoding/json"
	"hash/fnv"
	"strconv"
	"time"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// An UPDATE in place keeps the rowid, and with it the fingerprint. So once in rollingEvery a run reads a part of the conversations in full,
// another one each time.
const (
	rollingEvery = 20 * time.Hour
	rollingParts = 7
)

// Settings of the warehouse that remember the rolling part.
const (
	metaRollingAt   = "rolling_at_ms"
	metaRollingPart = "rolling_part"
)

// rolling is the part of the conversations that a run reads in full whatever their fingerprints say.
type rolling struct {
	part  int // -1: none
	parts int // 0: rollingParts
	at    schema.Millis
	set   bool // the warehouse has to remember it
}

// nextRolling says which part it is this time. A first load and a full one read everything, so the next part is due after rollingEvery.
func nextRolling(state *load.State, now schema.Millis, opt Options) rolling {
	last, err := strconv.ParseInt(state.Meta[metaRollingAt], 10, 64)
	part, err2 := strconv.Atoi(state.Meta[metaRollingPart])
	switch {
	case state.First || err != nil || err2 != nil:
		return rolling{part: -1, at: now, set: true}
	case opt.rebuild != load.NoRebuild, opt.narrowed(), int64(now)-last < rollingEvery.Milliseconds() && int64(now) >= last: // a clock set back does not stop it
		return rolling{part: -1}
	}
	return rolling{part: (part + 1) % rollingParts, at: now, set: true}
}

func (r rolling) includes(conversationID string) bool {
	if r.part < 0 {
		return false
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(conversationID))
	return int(h.Sum32()%uint32(cmp.Or(r.parts, rollingParts))) == r.part
}

func (r rolling) meta() map[string]string {
	if !r.set {
		return map[string]string{}
	}
	return map[string]string{metaRollingAt: strconv.FormatInt(int64(r.at), 10), metaRollingPart: strconv.Itoa(max(r.part, 0))}
}

// salvagedIdentity is that of a damaged store: once it is sound, all of it is read and compared, since what was read of damaged pages may be
// anything.
const salvagedIdentity = "salvaged"

// signs compares each store's file with the one of the last load. One whose file or tables are others, or whose largest rowid shrank, is
// read in full: rowids there may stand for other rows. It returns what the warehouse has to remember anew.
func (r *run) signs(ctx context.Context, src source, snapshot extract.Snapshot) ([]schema.KnownStore, error) {
	r.forced = map[string]bool{}
	var out []schema.KnownStore
	for _, s := range snapshot.Stores() {
		if s.Unreadable() {
			continue
		}
		now := schema.KnownStore{SourceID: src.id, Store: s.Store, Identity: s.Identity, MaxRowID: s.MaxRowID}
		before, known := r.state.Stores[load.StoreKey{SourceID: src.id, Store: s.Store}]
		other := known && (before.Identity != now.Identity || now.MaxRowID < before.MaxRowID)
		if s.Salvaged {
			other, now.Identity = other && before.Identity != salvagedIdentity, salvagedIdentity
		}
		if r.rawGap || other {
			r.forced[s.Store] = true
		}
		if !known || r.forced[s.Store] || r.opt.Full { // what an index does not name would be missed without a word
			if err := r.believe(ctx, s.Store); err != nil {
				return nil, err
			}
		}
		if (s.Salvaged || !r.opt.narrowed()) && (!known || before != now) { // a narrowed run leaves conversations unread
			out = append(out, now)
		}
	}
	return out, nil
}

// rowsID stands for a source's shared rows among the known conversations.
const rowsID = "(rows)"

// rowsUnchanged reports that the rows which are made of what conversations share are those of the last load, since all that they are made of
// is the same, and has the warehouse remember it otherwise.
func (r *run) rowsUnchanged(src source, documents *sharedDocuments, complete []string) bool {
	text, err := json.Marshal([]any{documents.hashes, complete, transform.Version}) // maps are written in the order of their keys
	if err != nil {
		return false
	}
	key := load.ConversationKey{SourceID: src.id, Store: extract.GlobalStore, ConversationID: rowsID}
	hash := transform.Hash(text)
	if known := r.state.Known[key]; len(documents.changed) == 0 && known.ContentHash == hash && known.TransformVersion == transform.Version {
		return true
	}
	r.remember = append(r.remember, schema.KnownConversation{SourceID: src.id, Store: extract.GlobalStore, ConversationID: rowsID, ContentHash: hash,
		TransformVersion: transform.Version, LoadID: r.state.LastLoadID + 1})
	return false
}
