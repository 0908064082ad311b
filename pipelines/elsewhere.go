package pipelines

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/sql/schema"
)

// This file finds conversations that a transcript only repeats: those that an editor of the same home has in its
// stores, or the command line in another folder of that home. Where one comes or goes there, its transcript is read
// again. Chats in the source of the transcripts itself are found when it is read.

// inOrder sorts the sources of a run: editors first, then folders of the command line without transcripts, then those
// whose transcripts depend on what the others have, then the other kinds.
func inOrder(sources []source) []source {
	rank := func(s source) int {
		switch _, ok := kindOf(s); {
		case ok:
			return 3
		case s.App != extract.AppCLI:
			return 0
		case extract.MayHaveTranscripts(s.Source):
			return 2
		}
		return 1
	}
	sources = slices.Clone(sources)
	slices.SortStableFunc(sources, func(a, b source) int { return cmp.Compare(rank(a), rank(b)) })
	return sources
}

// storedElsewhere returns the ids of the conversations that stores of the same home directory as src have, of editors
// and of the command line in another folder: those that this run has seen, and those that earlier loads know and this
// run has not found gone. Conversations of which only a list has the head do not count, nor do chats of the command
// line without a message: their transcripts tell them. If the path of src does not show its home (CURSOR_CONFIG_DIR),
// all stores of the machine count, and so does a folder of the command line whose path does not. The result is nil for
// a source that is no folder of the command line.
func (r *run) storedElsewhere(ctx context.Context, src source) (map[string]bool, error) {
	if src.App != extract.AppCLI {
		return nil, nil
	}
	home := extract.HomeOf(src.Source)
	of := map[string]string{} // the apps of the sources
	add := func(id, host string, s extract.Source) {
		_, isKind := kindOf(source{Source: s})
		near := extract.HomeOf(s)
		if !isKind && id != src.id && host == src.host &&
			(home == "" || near == home || near == "" && s.App == extract.AppCLI) {
			of[id] = s.App
		}
	}
	for _, s := range r.state.Sources {
		add(s.SourceID, s.Host, extract.Source{UserDir: s.UserDir, App: s.App})
	}
	for _, s := range r.sources {
		add(s.id, s.host, s.Source)
	}
	has := map[string]map[string]bool{} // by source: what it has
	for id := range of {
		has[id] = map[string]bool{}
		for _, conversation := range r.has[id] {
			has[id][conversation] = true
		}
	}
	for key, known := range r.state.Known {
		if has[key.SourceID] != nil && key.Kind == schema.KindConversation && !known.IsListed && !r.gone[key] &&
			!extract.IsTranscript(key.Store) {
			has[key.SourceID][key.ID] = true
		}
	}
	out := map[string]bool{}
	for id, conversations := range has {
		if of[id] == extract.AppCLI {
			if err := r.leaveSilent(ctx, id, conversations); err != nil {
				return nil, err
			}
		}
		maps.Copy(out, conversations)
	}
	return out, nil
}

// leaveSilent takes those of the chats of a source away that have no message.
func (r *run) leaveSilent(ctx context.Context, sourceID string, chats map[string]bool) error {
	spoken, err := r.past.Spoken(ctx, sourceID)
	maps.DeleteFunc(chats, func(id string, _ bool) bool {
		if spoke, written := r.spoke[load.RowKey{SourceID: sourceID, ConversationID: id}]; written {
			return !spoke
		}
		return !spoken[id]
	})
	return err
}
