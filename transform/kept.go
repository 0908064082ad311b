package transform

import (
	"cmp"
	"encoding/json"
	"slices"

	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file keeps what is known of a conversation when the place that said it goes: its project, title, mode and branch
// (docs/formats.md, Project).

const (
	sourceRepo = "repo"
	sourceKept = "kept"
	fromLists  = "list" // of kept_from: the heads of lists gave the value
)

// projectPlaces are the places that name a project of the conversation's own, in the order in which they are asked. The
// repository of a worktree comes before all.
var projectPlaces = []string{"headers_table", "composer", "headers_item", "pane", "workspace_list", "message", "glass",
	sourceRepo, "cli_meta", "graph"}

// placeRank is the place's number in that order; false for one that is asked anew each time.
func placeRank(place string, worktree *string) (int, bool) {
	if place == sourceRepo && worktree != nil {
		return -1, true
	}
	rank := slices.Index(projectPlaces, place)
	return rank, rank >= 0
}

// UnknownOrigin is kept_from in a row of a version that did not note it: lists may have given each of them.
var UnknownOrigin = marshal(keptFrom{Title: fromLists, Mode: fromLists, Branch: fromLists})

// last is what the warehouse knows of the conversation; nil for nothing.
func (a *assembly) last() (*schema.Lasting, keptFrom) {
	var from keptFrom
	if a.n.Last == nil || a.conv.Loose {
		return nil, from
	}
	row := a.n.Last(schema.CleanText(a.conv.ID))
	if row != nil && row.KeptFrom != nil {
		_ = json.Unmarshal(row.KeptFrom, &from) // this file wrote it
	}
	return row, from
}

// keepProject keeps the last known project where none is named now, or one by a place that stands lower than the one
// that gave it. A place that says empty window, and stands no lower, ends it.
func (a *assembly) keepProject(row *schema.Conversation) {
	last, from := a.last()
	if last == nil {
		return
	}
	place := deref(last.ProjectSource)
	if place == sourceKept {
		place = from.Project
	}
	known, ok := placeRank(place, last.WorktreePath)
	window, isWindow := a.n.Shared.window(a.facts, a.head)
	if isWindow && (!ok || window <= known) {
		return
	}
	if last.ProjectURI == nil || !ok {
		row.WorkspaceID = cmp.Or(row.WorkspaceID, last.WorkspaceID)
		return
	}
	if row.ProjectURI != nil {
		if now, _ := placeRank(deref(row.ProjectSource), row.WorktreePath); now <= known ||
			*row.ProjectURI == *last.ProjectURI {
			return
		}
	}
	row.ProjectURI, row.Project, row.ProjectPath, row.WorkspaceID = last.ProjectURI, last.Project, last.ProjectPath,
		last.WorkspaceID
	row.ProjectSource, row.WorktreePath = ptr(sourceKept), cmp.Or(last.WorktreePath, row.WorktreePath)
	a.kept.Project = place
}

// window returns the rank of the first place that says that the conversation is in a window without a folder.
func (s *Shared) window(f *Facts, head jsondoc.Value) (rank int, ok bool) {
	says := func(o jsondoc.Value) bool {
		o = o.Unquoted().Object()
		return s.isWindow(o.Get("id").Text()) && !o.First("uri", "configPath").Exists()
	}
	for i, said := range []bool{
		s.isWindow(f.tableColumns.Get("workspaceId").Text()) || says(f.tableValue.Get("workspaceIdentifier")),
		says(head.Get("workspaceIdentifier")),
		says(f.itemHead.Get("workspaceIdentifier")),
		s.isWindow(s.preferred(f.panes)),
		s.isWindow(s.preferred(f.lists)),
	} {
		if said {
			return i, true
		}
	}
	return 0, false
}

// emptyWindow is the id by which heads name a window without a folder.
const emptyWindow = "empty-window"

// isWindow reports whether a workspace is known to be a window without a folder.
func (s *Shared) isWindow(id string) bool {
	return id == emptyWindow || deref(s.workspaces[id].Kind) == KindEmptyWindow
}

// hasHead reports whether a list has a head of the conversation.
func (f *Facts) hasHead() bool {
	return f.tableValue.Exists() || f.itemHead.Exists() || f.listHead.Exists()
}

// keepValues keeps the last known title, mode and branch where nothing has them now. What lists alone gave stays when
// their heads go, and ends where a head is there without it; what the conversation's own document gave ends with it. A
// mode stays in any case.
func (a *assembly) keepValues(row *schema.Conversation) {
	lists := heads{a.facts.tableValue, a.facts.tableColumns, a.facts.itemHead, a.facts.listHead}
	last, from := a.last()
	if last == nil {
		last = &schema.Lasting{}
	}
	keep := func(now **string, own, listed, before *string, origin string, always bool) string {
		switch {
		case *now == nil && before != nil && (always || origin == fromLists && !a.facts.hasHead()):
			*now = before
			return origin
		case *now != nil && own == nil && listed != nil && **now == *listed:
			return fromLists
		}
		return ""
	}
	a.kept.Title = keep(&row.Title, a.head.Get("name").Str(), lists.get("name").Str(), last.Title, from.Title, false)
	a.kept.Mode = keep(&row.Mode, mode(heads{a.head}.get("unifiedMode", "unified_mode")),
		mode(lists.get("unifiedMode", "unified_mode")), last.Mode, from.Mode, a.head.Exists() || from.Mode == fromLists)
	a.kept.Branch = keep(&row.GitBranch, branch(heads{a.head}), branch(lists), last.GitBranch, from.Branch, false)
	if a.kept != (keptFrom{}) {
		row.KeptFrom = marshal(a.kept)
	}
}

// KnowWorkspaces adds the workspaces of earlier loads whose folders are gone: heads may name them by their ids alone.
func (s *Shared) KnowWorkspaces(rows []schema.Workspace) {
	for _, row := range rows {
		if _, there := s.workspaces[row.WorkspaceID]; !there {
			s.workspaces[row.WorkspaceID] = row
		}
	}
}
