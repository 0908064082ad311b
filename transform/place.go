package transform

import (
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file finds the project of a conversation that no head and no list of a workspace names: in its messages, in the
// sidebar's projects, in the repositories that Cursor tracks for it (docs/formats.md, Project).

// place notes the folder that a message names.
func (a *assembly) place(id string, o jsondoc.Value) {
	uri := messageFolder(o)
	if uri == "" {
		return
	}
	if uri == a.folder { // nearly all messages name the same: one copy of the text is enough
		uri = a.folder
	}
	a.folder, a.folders[id] = uri, uri
}

// messageFolder returns the folder of a message: workspaceProjectDir, else the first of workspaceUris. A directory
// below .cursor/projects has a name made of a path, which is no path.
func messageFolder(o jsondoc.Value) string {
	dir := o.Get("workspaceProjectDir").Text()
	if !strings.Contains(strings.ReplaceAll(dir, `\`, "/"), "/.cursor/projects/") {
		if _, ok := ParseProjectURI(dir); ok {
			return dir
		}
	}
	for element := range o.Get("workspaceUris").Unquoted().Elements {
		uri, _ := uriOf(element.Unquoted())
		if _, ok := ParseProjectURI(deref(uri)); ok {
			return *uri
		}
	}
	return ""
}

// laterProject fills the project of a conversation that has none yet.
func (a *assembly) laterProject(row *schema.Conversation, order []*pendingMessage) {
	if row.ProjectURI != nil {
		return
	}
	var ref projectRef
	for _, s := range order {
		if folder := a.folders[s.id]; folder != "" {
			ref, _ = folderRef(folder, "message")
			break
		}
	}
	if ref.URI == nil {
		ref = a.n.Shared.laterProject(a.facts, a.head)
	}
	if ref.URI == nil {
		ref = a.graphProject()
	}
	if ref.URI == nil {
		return
	}
	if ref.Workspace == nil {
		ref.Workspace = row.WorkspaceID
	}
	ref.apply(row)
}

// laterProject finds a project in the sidebar's projects, else in the tracked repositories.
func (s *Shared) laterProject(f *Facts, head jsondoc.Value) projectRef {
	if r, ok := s.byIdentifier(s.sidebar[f.sidebar], "glass"); ok {
		return r
	}
	for _, h := range (heads{head, f.tableValue, f.itemHead, f.listHead}) {
		for repository := range h.Get("trackedGitRepos").Unquoted().Elements {
			if r, ok := folderRef(repository.Unquoted().Get("repoPath").Text(), sourceRepo); ok {
				return r
			}
		}
	}
	return projectRef{}
}

// workspaceEntries reads the folders of workspaces: nothing else says it of one whose own folder is gone.
func (s *Shared) workspaceEntries(list jsondoc.Value) {
	for entry := range list.Elements {
		id := entry.Get("workspaceId").Text()
		uri, _ := uriOf(entry.Object().First("folderUri", "configPath"))
		if id == "" || uri == nil || s.workspaces[id].ProjectURI != nil {
			continue
		}
		if p, ok := ParseProjectURI(*uri); ok {
			s.workspaces[id] = schema.Workspace{WorkspaceID: id, ProjectURI: &p.URI, Project: &p.Name,
				ProjectPath: text(p.Path)}
		}
	}
}

// sidebarProjects reads the projects of the sidebar: [{id, name, workspace: {id, uri}}].
func (s *Shared) sidebarProjects(list jsondoc.Value) {
	for project := range list.Elements {
		if id := project.Get("id").Text(); id != "" && !s.sidebar[id].Exists() {
			s.sidebar[id] = project.Get("workspace").Unquoted().Object()
		}
	}
}

// sidebarMembers reads which conversation is in which project of the sidebar: {conversation: project}. A local project
// goes before one of cloud agents.
func (s *Shared) sidebarMembers(doc jsondoc.Value, local bool) {
	for member := range doc.Members {
		if project, id := member.Text(), string(member.Name()); project != "" && extract.IsConversationID(id) {
			if f := s.of(id); local || f.sidebar == "" {
				f.sidebar = project
			}
		}
	}
}
