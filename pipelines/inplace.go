package pipelines

import (
	"context"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// This file looks after rows that are overwritten under their old rowids. Sizes, conversations' own documents and what the shared rows say of a
// conversation show most of them at once; once in compareEvery a pass compares every value of a store.

// compareEvery is how long after a full comparison of a store the next one is due.
const compareEvery = 20 * time.Hour

// fileID stands for a store's file among the known conversations: its fingerprint is the state in which the file was read last, its content hash the
// time of the last full comparison, in ms.
const fileID = "(file)"

// comparedBefore is what the warehouse remembers of a store's file; false: nothing that counts, and everything in it is read and compared.
func (r *reading) comparedBefore(store string) (schema.KnownConversation, bool) {
	known, ok := r.state.Known[load.ConversationKey{SourceID: r.src.id, Store: store, ConversationID: fileID}]
	return known, ok && known.TransformVersion == transform.Version
}

// due reports that a store is to be compared whole. A clock that was set back does not stop it.
func (r *run) due(file schema.KnownConversation) bool {
	last, err := strconv.ParseInt(file.ContentHash, 10, 64)
	now := int64(r.started)
	return err != nil || now < last || now-last >= compareEvery.Milliseconds()
}

// depth says how far to look into the values of a source's stores. Where all of them are read anyway, and where nobody has written since, not at all.
func (r *reading) depth(store, state string) extract.Depth {
	file, known := r.comparedBefore(store)
	switch {
	case !known, r.opt.Full, r.rawGap, r.subset != nil:
		return extract.DepthKeys
	case r.due(file) && !r.only.narrowed():
		return extract.DepthValues
	case state != "" && state == file.Fingerprint:
		return extract.DepthKeys
	}
	return extract.DepthSizes
}

// open takes a snapshot of the source, with a look into the values; ok is false when none of its stores could be read.
func (r *reading) open(ctx context.Context, how extract.OpenOptions) (ok bool, err error) {
	defer collectLess()()
	how.Depth = r.depth
	snapshot, err := r.src.open(ctx, how)
	switch {
	case err == nil:
		r.begin(ctx, snapshot)
		return true, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	r.result.unreadable(r.src, err)
	return false, nil
}

// rememberFiles has the warehouse remember in which state the stores were read, and when they were compared whole. A narrowed run leaves
// conversations unread.
func (r *reading) rememberFiles() {
	if r.opt.rebuild != load.NoRebuild {
		return
	}
	for _, s := range r.snapshot.Stores() {
		switch {
		case s.Unreadable() || s.AsBefore:
		case s.SharedOnly:
			r.rememberWhole(&s)
		case s.MaxRowID > 0 && !r.only.narrowed():
			r.rememberFile(s.Store, s.State, s.Depth == extract.DepthValues)
		}
	}
}

func (r *reading) rememberFile(store, state string, compared bool) {
	before, known := r.comparedBefore(store)
	now := schema.KnownConversation{SourceID: r.src.id, Store: store, ConversationID: fileID, Fingerprint: state, ContentHash: before.ContentHash,
		TransformVersion: transform.Version, LoadID: r.state.LastLoadID + 1}
	if r.salvaged[store] {
		now.Fingerprint = ""
	}
	if compared || !known || r.opt.Full || r.forced[store] {
		now.ContentHash = strconv.FormatInt(int64(r.started), 10)
	}
	if !known || now.Fingerprint != before.Fingerprint || now.ContentHash != before.ContentHash {
		r.remember = append(r.remember, now)
	}
}

// subset is a part of the conversations that is read in full, whatever their fingerprints say.
type subset struct{ part, parts int }

func (s *subset) includes(conversationID string) bool {
	if s == nil {
		return false
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(conversationID))
	return int(h.Sum32()%uint32(s.parts)) == s.part
}

// fingerprint is a conversation's, or a family's, as the warehouse keeps it: of keys and rowids, of sizes, and of the facts that its rows use.
type fingerprint struct{ rows, sizes, facts string }

func parseFingerprint(text string) (f fingerprint) {
	f.rows, text, _ = strings.Cut(text, "|")
	f.sizes, f.facts, _ = strings.Cut(text, "|")
	return f
}

func (f fingerprint) String() string {
	if f.rows == "" {
		return "" // there are no rowids: the values are compared each time
	}
	return f.rows + "|" + f.sizes + "|" + f.facts
}

// holds reports that rows are those that it was made of, as far as was looked: sizes is "" where nobody asked for them.
func (f fingerprint) holds(rows, sizes string) bool {
	return rows != "" && rows == f.rows && (sizes == "" || sizes == f.sizes)
}

// asBefore reports that a known conversation's rows are as they were, as far as was looked.
func asBefore(before schema.KnownConversation, conv *extract.Conversation) bool {
	return parseFingerprint(before.Fingerprint).holds(conv.Fingerprint, conv.Sizes) && strings.HasPrefix(before.ContentHash, conv.Content)
}

// InPlace counts what was found to be overwritten under its old rowid.
type InPlace struct {
	Conversations int64 `json:"conversations"`
	Others        int64 `json:"other_rows"` // groups of rows without a conversation, and rows that only the raw layer keeps
}

func (r *Result) overwritten(conversation bool) {
	if r.InPlace == nil {
		r.InPlace = &InPlace{}
	}
	if conversation {
		r.InPlace.Conversations++
	} else {
		r.InPlace.Others++
	}
}
