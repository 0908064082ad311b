package schema

// Repository is a project's folder in a git repository. Rows stay where the repository is no longer there:
// conversations of a folder that was moved still belong to its commits.
type Repository struct {
	SourceID       string  `col:"source_id,key,id" doc:"Source of app git: the machine that has the repository."`
	RepositoryID   string  `col:"repository_id,key,id" doc:"16 hex digits of sha256 of the hash of the first commit: clones, worktrees and forks are one repository, wherever they are."`
	ProjectURI     string  `col:"project_uri,key,project" doc:"Project, as in conversations."`
	ReadAs         string  `col:"read_as,scope" doc:"Name of the group of rows that loads replace together: (git/REPOSITORY/places)."`
	ProjectPath    string  `col:"project_path,project" doc:"Folder of the project; invalid UTF-8 as %XX."`
	RepositoryPath *string `col:"repository_path" doc:"Top folder of the repository; NULL for a bare one."`
	Prefix         *string `col:"prefix" doc:"The project's folder within the repository, with a slash at its end; NULL for the top."`
	DeletedAt      *Millis `col:"deleted_at" doc:"Start of the load that found the repository elsewhere and no longer here."`
}

// Commit is a commit of a project's repository.
type Commit struct {
	SourceID        string  `col:"source_id,key,id" doc:"Source of app git: the machine that has the repository."`
	RepositoryID    string  `col:"repository_id,key,id" doc:"Repository, as in repositories."`
	CommitHash      string  `col:"commit_hash,key,id" doc:"The commit's whole hash."`
	ReadAs          string  `col:"read_as,scope" doc:"Name of the group of rows that loads replace together, by month of committed_at, UTC: (git/REPOSITORY/2026-03)."`
	AuthorName      *string `col:"author_name" doc:"Name of who made the change."`
	AuthorEmail     *string `col:"author_email" doc:"Address of who made the change."`
	AuthoredAt      *Millis `col:"authored_at" doc:"When the change was made; a rebase keeps it. NULL where it lies outside 2015 to 2100."`
	AuthorUTCOffset *int64  `col:"author_utc_offset,signed" doc:"Offset of the author's time zone, in minutes east of UTC."`
	CommitterName   *string `col:"committer_name" doc:"Name of who made the commit."`
	CommitterEmail  *string `col:"committer_email" doc:"Address of who made the commit."`
	CommittedAt     *Millis `col:"committed_at" doc:"When the commit was made. NULL where it lies outside 2015 to 2100."`
	Subject         *string `col:"subject" doc:"First paragraph of the message, as one line."`
	Body            *string `col:"body" doc:"The rest of the message."`
	Parents         *string `col:"parents,id" doc:"Hashes of its parents, separated by spaces; NULL for a first commit."`
	ParentCount     int64   `col:"parent_count" doc:"Number of its parents: 0 for a first commit, 2 or more for a merge."`
	IsMerge         bool    `col:"is_merge" doc:"Whether it has two or more parents."`
	FilesChanged    *int64  `col:"files_changed" doc:"Files that differ from its first parent, the rows of commit_files; NULL where the clone does not have them."`
	LinesAdded      *int64  `col:"lines_added" doc:"Sum over its files; binary files have none. NULL where no file's lines are known."`
	LinesRemoved    *int64  `col:"lines_removed" doc:"Sum over its files; binary files have none. NULL where no file's lines are known."`
	DeletedAt       *Millis `col:"deleted_at" doc:"Start of the load that found no branch or tag leading to it any more, as after a rebase."`
}

// CommitFile is a file that a commit changed.
type CommitFile struct {
	SourceID     string  `col:"source_id,key,id" doc:"Source of the commit."`
	RepositoryID string  `col:"repository_id,key,id" doc:"Repository of the commit."`
	CommitHash   string  `col:"commit_hash,key,id" doc:"The commit."`
	Ordinal      int64   `col:"ordinal,key" doc:"Position among the commit's files, from 0, in git's order."`
	ReadAs       string  `col:"read_as,scope" doc:"Name of the group of rows that loads replace together, as in commits."`
	Path         string  `col:"path" doc:"Path from the repository's top; invalid UTF-8 as %XX."`
	OldPath      *string `col:"old_path" doc:"Path before the commit, of a renamed or copied file."`
	Status       string  `col:"status,word" doc:"added, modified, deleted, renamed, copied, type (such as a file that became a link), or git's letter for any other."`
	LinesAdded   *int64  `col:"lines_added" doc:"Lines added; NULL for a binary file, and where the clone does not have the file."`
	LinesRemoved *int64  `col:"lines_removed" doc:"Lines removed; NULL for a binary file, and where the clone does not have the file."`
	DeletedAt    *Millis `col:"deleted_at" doc:"Start of the load that found the commit gone."`
}

// ConversationCommit links a commit to a conversation.
type ConversationCommit struct {
	SourceID       string   `col:"source_id,key,id" doc:"Source of the conversation."`
	ConversationID string   `col:"conversation_id,key,id" doc:"Conversation of a project in the repository that began at or before the commit's time, and was last active no earlier than the window (--commit-window) before it."`
	RepositoryID   string   `col:"repository_id,key,id" doc:"Repository of the commit."`
	CommitHash     string   `col:"commit_hash,key,id" doc:"The commit; a branch or a tag leads to it." ref:"with commit_source_id and repository_id the key of commits"`
	CommitSourceID string   `col:"commit_source_id,key,id" doc:"Source of the commit." ref:"the key of sources"`
	CommittedAt    Millis   `col:"committed_at" doc:"The commit's time: authored_at, which a rebase keeps, else its committed_at."`
	GapMs          *int64   `col:"gap_ms" doc:"From the conversation's last message at or before the commit to the commit; NULL where no such message has a recorded time."`
	FilesTouched   int64    `col:"files_touched" doc:"Files of the repository that the conversation's tool calls and proposed edits name, up to the commit."`
	SharedFiles    int64    `col:"shared_files" doc:"Of the files that the commit changed, those that the conversation touched up to the commit, under their old name or the new."`
	EditedFiles    int64    `col:"edited_files" doc:"Of the shared files, those that the conversation edited and not only read."`
	Relevance      *float64 `col:"relevance" doc:"shared_files as a share of the files that the commit changed, 0 to 1: 0 where none is known to be shared; NULL where the commit's files are not known."`
}
