package schema

// Lasting is what the warehouse knows of a conversation and that may stay when no store has it any more; see the
// columns of Conversation.
type Lasting struct {
	Title, Mode, GitBranch, ProjectURI, Project, ProjectPath, WorkspaceID, ProjectSource, WorktreePath *string
	KeptFrom                                                                                           JSON

	HasDocument bool // a version of its document was read
	IsListed    bool // nothing but a head in a list was ever known
}

// Texts are the columns that are texts.
func (l *Lasting) Texts() []**string {
	return []**string{&l.Title, &l.Mode, &l.GitBranch, &l.ProjectURI, &l.Project, &l.ProjectPath, &l.WorkspaceID,
		&l.ProjectSource, &l.WorktreePath}
}
