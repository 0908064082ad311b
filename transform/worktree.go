package transform

import (
	"cmp"
	"slices"
	"strings"

	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file finds the repository of a conversation that works in a git worktree (docs/formats.md, Worktrees).

// worktreesDir is the folder of a home in which Cursor makes worktrees: REPOSITORY/NAME.
const worktreesDir = "/.cursor/worktrees/"

// worktree sets the worktree that a conversation works in, and the worktree's repository as its project.
func (a *assembly) worktree(row *schema.Conversation) {
	h := heads{a.head, a.facts.tableValue, a.facts.itemHead, a.facts.listHead}
	location, is := h.get("agentLocation").Unquoted(), h.get("isWorktree")
	said := cmp.Or(location.Get("worktreePath").Str(), h.get("gitWorktree").Unquoted().Get("worktreePath").Str())
	path := deref(cmp.Or(said, row.ProjectPath))
	names, below := inWorktrees(a.n.Worktrees, path)
	if path == "" || !below && !is.IsTrue() && (said == nil || is.Exists()) {
		return
	}
	scheme, authority, _, _, _ := splitURI(deref(row.ProjectURI))
	folder, ok := placedAt(scheme, authority, path)
	if !ok {
		return
	}
	if below && len(names) > 2 { // a folder in the worktree
		folder.Path = folder.Path[:len(folder.Path)-len(strings.Join(names[2:], "/"))-1]
		names = names[:2]
	}
	row.WorktreePath = text(folder.Path)
	scheme, authority, _, _, _ = splitURI(folder.URI)
	if p, ok := placedAt(scheme, authority, a.repository(h, location, folder.Path, names)); ok {
		(&projectRef{URI: &p.URI, Name: &p.Name, Path: text(p.Path), Workspace: row.WorkspaceID,
			Source: ptr(sourceRepo)}).apply(row)
	}
}

// repository is the path of a worktree's repository: of several that Cursor tracks, the one with the name of the
// worktree's folder; "" if none is known.
func (a *assembly) repository(h heads, location jsondoc.Value, folder string, names []string) string {
	if root := location.Get("sourceRepoRootPath").Text(); root != "" {
		return root
	}
	var tracked []string
	for repository := range h.get("trackedGitRepos").Unquoted().Elements {
		path := repository.Unquoted().Get("repoPath").Text()
		if _, below := inWorktrees(a.n.Worktrees, path); path != "" && path != folder && !below &&
			!slices.Contains(tracked, path) {
			tracked = append(tracked, path)
		}
	}
	if len(tracked) > 1 {
		tracked = slices.DeleteFunc(tracked, func(path string) bool {
			p, _ := ParseProjectURI(asURI.Replace(path))
			return !slices.Contains(names, p.Name)
		})
	}
	if len(tracked) != 1 {
		return ""
	}
	return tracked[0]
}

// inWorktrees reports whether a path is below a folder of worktrees, and returns the names of the folders below that;
// of any other path the last two.
func inWorktrees(folder, path string) (names []string, below bool) {
	path = strings.Trim(strings.ReplaceAll(path, `\`, "/"), "/")
	root := strings.Trim(strings.ReplaceAll(folder, `\`, "/"), "/") + "/"
	_, rest, below := strings.Cut("/"+path, worktreesDir)
	if !below && root != "/" {
		rest, below = strings.CutPrefix(path, root)
	}
	if below && rest != "" {
		return strings.Split(rest, "/"), true
	}
	names = strings.Split(path, "/")
	return names[max(len(names)-2, 0):], false
}

// placedAt is the project of a path that may be on another machine: a URI, or a path there.
func placedAt(scheme, authority, path string) (Project, bool) {
	if !isPlainPath(path) || strings.HasPrefix(path, `\\`) || scheme == "" || scheme == "file" {
		if isPlainPath(path) {
			path = asURI.Replace(path)
		}
		return ParseProjectURI(path)
	}
	if hasDrive(path) {
		path = "/" + strings.ReplaceAll(path, `\`, "/")
	}
	return ParseProjectURI(scheme + "://" + asURI.Replace(authority) + asURI.Replace(path))
}
