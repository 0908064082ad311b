package pipelines

import (
	"context"
	"slices"

	"pipeline/extract"
	"pipeline/pipelines/plan"
	"pipeline/sql/schema"
)

// This file handles a chat of the command line whose store is gone while its transcript is there. The transcript says
// less than the store did, and nobody has deleted the conversation. So it stays as it was, and only the place is marked
// as gone.

// knownChats lists the chats of the source of which earlier loads have read a store, and those whose store was lost
// since: the keys under which they are known.
func knownChats(s *plan.Source) map[string][]schema.OwnerKey {
	out := map[string][]schema.OwnerKey{}
	for key, known := range s.All() {
		if key.Kind == schema.KindConversation && (extract.IsChatStore(key.Store) ||
			extract.IsTranscript(key.Store) && known.IsLost) {
			out[key.ID] = append(out[key.ID], key)
		}
	}
	return out
}

// chatsAway lists the chats whose store, or a folder around it, cannot be reached now, and the store. They stay as they
// are, also if another folder has a copy of the chat, or a transcript.
func (r *reading) chatsAway() map[string]string {
	reports := r.stores()
	if r.src.App != extract.AppCLI || !slices.ContainsFunc(reports,
		func(s extract.StoreReport) bool { return s.Err != nil }) {
		return nil
	}
	out, complete := map[string]string{}, plan.CompleteStores(r.src.Source, reports)
	for key := range r.plan.All() {
		if key.Kind == schema.KindConversation && extract.IsChatStore(key.Store) && !complete.Has(key.Store) {
			out[key.ID] = key.Store
		}
	}
	return out
}

// hasLostStore reports whether a conversation is such a chat. One that is elsewhere has a store there.
func (r *reading) hasLostStore(conv *extract.Conversation) bool {
	if r.src.App != extract.AppCLI || conv.Elsewhere || !extract.IsTranscript(conv.Store) {
		return false
	}
	if r.chatsKnown == nil {
		r.chatsKnown = knownChats(&r.plan)
	}
	return r.chatsKnown[schema.CleanText(conv.ID)] != nil
}

// leaveLost leaves a chat as it was that has lost its store. What its transcripts hold is counted.
func (b *block) leaveLost(ctx context.Context, c *candidate, now schema.Owner) error {
	r := b.r
	now.IsLost = true
	r.remember = append(r.remember, now)
	for _, key := range r.chatsKnown[c.Key.ID] {
		if key != c.Key {
			r.lostPlaces = append(r.lostPlaces, key)
		}
	}
	places := *c.conv
	places.Elsewhere = true // no row but those of its places
	for rows, err := range r.n().Normalize(&places) {
		if err == nil {
			err = r.tx.Write(&schema.Rows{Sources: rows.Sources})
		}
		if err != nil {
			return err
		}
	}
	r.dealtWith(c.conv)
	return ctx.Err()
}
