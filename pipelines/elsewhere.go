package pipelines

import (
	"cmp"
	"slices"

	"pipeline/extract"
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
// run has not found gone. Conversations of which only a list has the head do not count. If the path of src does not
// show its home (CURSOR_CONFIG_DIR), all stores of the machine count, and so does a folder of the command line whose
// path does not. The result is nil for a source that is no folder of the command line.
func (r *run) storedElsewhere(src source) map[string]bool {
	if src.App != extract.AppCLI {
		return nil
	}
	home := extract.HomeOf(src.Source)
	of := map[string]bool{} // the sources
	add := func(id, host string, s extract.Source) {
		_, isKind := kindOf(source{Source: s})
		near := extract.HomeOf(s)
		if !isKind && id != src.id && host == src.host &&
			(home == "" || near == home || near == "" && s.App == extract.AppCLI) {
			of[id] = true
		}
	}
	for _, s := range r.state.Sources {
		add(s.SourceID, s.Host, extract.Source{UserDir: s.UserDir, App: s.App})
	}
	for _, s := range r.sources {
		add(s.id, s.host, s.Source)
	}
	out := map[string]bool{}
	for key, known := range r.state.Known {
		if of[key.SourceID] && key.Kind == schema.KindConversation && !known.IsListed && !r.gone[key] &&
			!extract.IsTranscript(key.Store) {
			out[key.ID] = true
		}
	}
	for id := range of {
		for _, conversation := range r.has[id] {
			out[conversation] = true
		}
	}
	return out
}
