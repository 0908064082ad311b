package pipelines

import (
	"cmp"
	"slices"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// This file finds conversations that a transcript only repeats: those that an editor of the same home has in its
// stores. Where one comes or goes there, its transcript is read again. Chats of the command line are in the source of
// the transcripts itself.

// inOrder sorts the sources of a run: editors first, then folders .cursor, whose transcripts depend on what editors
// have, then the other kinds.
func inOrder(sources []source) []source {
	rank := func(s source) int {
		if _, ok := kindOf(s); ok {
			return 2
		} else if s.App == extract.AppCLI {
			return 1
		}
		return 0
	}
	sources = slices.Clone(sources)
	slices.SortStableFunc(sources, func(a, b source) int { return cmp.Compare(rank(a), rank(b)) })
	return sources
}

// editorConversations returns the ids of the conversations that editors of the same home directory as src have: those
// that this run has seen, and those that earlier loads know and this run has not found gone. Conversations of which
// only a list has the head do not count. If the path of src does not show its home (CURSOR_CONFIG_DIR), all editors of
// the machine count. The result is nil for a source that is no folder .cursor.
func (r *run) editorConversations(src source) map[string]bool {
	if src.App != extract.AppCLI {
		return nil
	}
	home := extract.HomeOf(src.Source)
	of := map[string]bool{} // the editors
	add := func(id, host string, s extract.Source) {
		_, isKind := kindOf(source{Source: s})
		if !isKind && s.App != extract.AppCLI && host == src.host && (home == "" || extract.HomeOf(s) == home) {
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
		if of[key.SourceID] && key.Kind == schema.KindConversation && !known.IsListed && !r.gone[key] {
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
