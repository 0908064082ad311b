package transform

import (
	"strconv"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file reads the rows of repositories: commits, and the folders in which a repository was found.

// gitPlace reads the row of a project's folder in a repository.
func (a *assembly) gitPlace(o jsondoc.Value) {
	a.rows.Repositories = append(a.rows.Repositories,
		schema.Repository{SourceID: a.n.SourceID, RepositoryID: extract.RepositoryOf(a.conv.Store), ReadAs: a.owner,
			ProjectURI: o.Get("project_uri").Text(), ProjectPath: o.Get("project_path").Text(),
			RepositoryPath: o.Get("repository_path").Str(), Prefix: o.Get("prefix").Str()})
}

// commit reads a commit and the files that it changed.
func (a *assembly) commit(o jsondoc.Value) {
	author, committer := o.Get("author"), o.Get("committer")
	c := schema.Commit{SourceID: a.n.SourceID, RepositoryID: extract.RepositoryOf(a.conv.Store),
		CommitHash: o.Get("hash").Text(), ReadAs: a.owner, AuthorName: author.Get("name").Str(),
		AuthorEmail: author.Get("email").Str(), CommitterName: committer.Get("name").Str(),
		CommitterEmail: committer.Get("email").Str()}
	c.AuthoredAt, c.AuthorUTCOffset = gitDate(author.Get("date").Text())
	c.CommittedAt, _ = gitDate(committer.Get("date").Text())
	c.Subject, c.Body = gitMessage(o.Get("message").Text())
	var parents []string
	for p := range o.Get("parents").Elements {
		parents = append(parents, p.Text())
	}
	if c.ParentCount = int64(len(parents)); c.ParentCount > 0 {
		c.Parents = ptr(strings.Join(parents, " "))
	}
	c.IsMerge = c.ParentCount > 1
	files := o.Get("files").Array()
	if o.Get("detail").Text() != "none" {
		c.FilesChanged = ptr(int64(len(files)))
	}
	for i, file := range files {
		f := schema.CommitFile{SourceID: c.SourceID, RepositoryID: c.RepositoryID, CommitHash: c.CommitHash,
			Ordinal: int64(i), ReadAs: c.ReadAs, Path: file.Get("path").Text(), OldPath: file.Get("old_path").Str(),
			Status: gitStatus(file.Get("status").Text()), LinesAdded: file.Get("added").Count(),
			LinesRemoved: file.Get("removed").Count()}
		c.LinesAdded, c.LinesRemoved = plus(c.LinesAdded, f.LinesAdded), plus(c.LinesRemoved, f.LinesRemoved)
		a.rows.CommitFiles = append(a.rows.CommitFiles, f)
	}
	a.rows.Commits = append(a.rows.Commits, c)
}

// gitDate parses a date in git's form: seconds since 1970, and the time zone's offset as +hhmm.
func gitDate(s string) (at *schema.Millis, offset *int64) {
	seconds, zone, _ := strings.Cut(s, " ")
	if n, err := strconv.ParseInt(seconds, 10, 64); err == nil && n > 0 && n < schema.Latest/1000 {
		at = jsondoc.Plausible(n * 1000) // another number is no milliseconds: git takes it for seconds, too
	}
	n, err := strconv.ParseInt(zone, 10, 64)
	if err != nil || len(zone) != len("+hhmm") {
		return at, nil
	}
	return at, ptr(n/100*60 + n%100)
}

// gitMessage splits a message as git does: the subject is its first paragraph, with its lines joined.
func gitMessage(message string) (subject, body *string) {
	var first []string
	rest := strings.TrimLeft(message, "\n")
	for rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		if rest = after; strings.TrimSpace(line) == "" {
			break
		}
		first = append(first, strings.TrimSpace(line))
	}
	if s := strings.Join(first, " "); s != "" {
		subject = &s
	}
	if b := strings.Trim(rest, "\n"); b != "" {
		body = &b
	}
	return subject, body
}

// gitStatus returns the word for git's status letter.
func gitStatus(letter string) string {
	switch letter {
	case "A":
		return "added"
	case "M":
		return "modified"
	case "D":
		return "deleted"
	case "R":
		return "renamed"
	case "C":
		return "copied"
	case "T":
		return "type"
	}
	return letter
}
