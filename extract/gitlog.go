package extract

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file parses git's output. Every field in it ends with a NUL, since names and messages may hold any other byte.

// Families of the rows of repositories.
const (
	FamilyCommit = "git.commit" // a commit, by its hash
	FamilyPlace  = "git.place"  // a project's folder in the repository, by the project's URI
)

// gitTable stands for the rows of repositories, each a JSON object.
const gitTable = "git"

// gitRecord is a commit in the form of a row.
type gitRecord struct {
	Hash      string    `json:"hash"`
	Parents   []string  `json:"parents"`
	Author    gitPerson `json:"author"`
	Committer gitPerson `json:"committer"`
	Message   string    `json:"message"` // invalid UTF-8 is replaced
	Detail    string    `json:"detail"`  // how much of its differences could be read: lines, or names, or none
	Files     []gitFile `json:"files"`
}

type gitPerson struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	Date  string `json:"date"` // seconds since 1970 and the time zone's offset: 1700000000 +0545
}

// gitFile is a file that a commit changed, compared with its first parent.
type gitFile struct {
	Status  string `json:"status"` // git's letter: A, M, D, R, C, T
	Path    string `json:"path"`   // invalid UTF-8 as %XX
	OldPath string `json:"old_path,omitempty"`
	Added   *int64 `json:"added"` // null for a binary file, and where lines could not be read
	Removed *int64 `json:"removed"`
}

// list lists the commits since the wanted time.
func (r *repository) list(ctx context.Context) error {
	seen, asked := map[string]bool{}, map[string]bool{}
	for _, p := range r.places {
		if asked[p.gitDir] {
			continue
		}
		asked[p.gitDir] = true
		err := eachCommit(ctx, p.folder, gitRefs, func(hash string, at int64) {
			if t := time.Unix(at, 0).UTC(); !t.Before(r.since) && !seen[hash] {
				seen[hash] = true
				month := t.Format(gitMonth)
				r.months[month] = append(r.months[month], gitCommit{hash, p.folder})
			}
		})
		if err != nil {
			return err
		}
	}
	for _, commits := range r.months {
		slices.SortFunc(commits, func(a, b gitCommit) int { return cmp.Compare(a.hash, b.hash) })
	}
	return nil
}

// Levels of detail. A partial clone, or one with a missing object, does not have every file.
const (
	detailLines = "lines"
	detailNames = "names"
	detailNone  = "none"
)

// gitPage is how many commits one call of git returns.
const gitPage = 500

// read yields the rows of some commits of a folder, with as much detail of their differences as git can give.
func (r *repository) read(ctx context.Context, folder string, hashes []string, yield func(*Document, error) bool) bool {
	for page := range slices.Chunk(hashes, gitPage) {
		records, err := r.log(ctx, folder, page)
		if err != nil {
			return yield(nil, &StoreError{Path: folder, Kind: KindUnreadable, Err: err})
		}
		for _, record := range records {
			d, err := jsonRow(gitStore(r.id), gitTable, FamilyCommit, record.Hash, record)
			if !yield(d, err) || err != nil {
				return false
			}
		}
	}
	return true
}

// log reads some commits, with the most detail that git can give.
func (r *repository) log(ctx context.Context, folder string, hashes []string) (records []*gitRecord, err error) {
	for _, detail := range []string{detailLines, detailNames, detailNone} {
		if detail == detailLines && r.lacks[folder] != nil {
			continue
		}
		records, err = gitLog(ctx, folder, hashes, detail)
		var refused *gitError
		if !errors.As(err, &refused) {
			break
		}
		r.lacks[folder] = cmp.Or(r.lacks[folder], err) // not tried again for other months: the failure is slow
	}
	return records, err
}

// gitFormat lists the fields of a commit; %x00 is a NUL.
const (
	gitFormat = "--format=%H%x00%P%x00%an%x00%ae%x00%ad%x00%cn%x00%ce%x00%cd%x00%B%x00"
	gitFields = 9
)

// gitLog asks git for commits and their changes against the first parent.
func gitLog(ctx context.Context, folder string, hashes []string, detail string) ([]*gitRecord, error) {
	args := []string{"log", "--no-walk=unsorted", "--stdin", "-z", gitFormat, "--date=raw", "--no-show-signature",
		"--no-notes", "--no-color", "--no-mailmap", "--no-decorate"}
	diff := []string{"--diff-merges=first-parent", "--raw", "--no-abbrev", "--no-ext-diff", "--no-textconv",
		"--no-relative", "--submodule=short", "--ignore-submodules=none"}
	switch detail {
	case detailLines:
		args = append(append(args, diff...), "--numstat", "--diff-algorithm=myers", "-M", "-l1000")
	case detailNames: // identical files only: their hashes are enough to find a rename
		args = append(append(args, diff...), "-M100%")
	default:
		args = append(args, "--no-patch")
	}
	out, err := git(ctx, folder, []byte(strings.Join(hashes, "\n")+"\n"), args...)
	if err != nil {
		return nil, err
	}
	records, err := parseLog(out, detail)
	if err == nil && len(records) != len(hashes) {
		err = fmt.Errorf("git log gave %d commits of %d", len(records), len(hashes))
	}
	slices.SortFunc(records, func(a, b *gitRecord) int { return cmp.Compare(a.Hash, b.Hash) })
	return records, err
}

var (
	gitHash  = regexp.MustCompile(`^[0-9a-f]{40,64}$`)
	gitCount = regexp.MustCompile(`^([0-9]+|-)\t([0-9]+|-)\t`)
)

// tokens are the NUL-terminated fields of git's output.
type tokens struct{ rest []byte }

func (t *tokens) next() (string, bool) {
	if len(t.rest) == 0 {
		return "", false
	}
	piece, rest, _ := bytes.Cut(t.rest, []byte{0})
	t.rest = rest
	return string(piece), true
}

// parseLog parses the output of gitLog. A field that begins with a colon is a changed file. A field that begins with
// two counts gives a file's lines. Any other field that is not empty begins a commit.
func parseLog(out []byte, detail string) (records []*gitRecord, err error) {
	t := &tokens{out}
	var r *gitRecord
	counts := map[string][2]string{} // by path, of the present commit
	done := func() {
		if r != nil {
			addCounts(r, counts)
		}
		clear(counts)
	}
	for {
		piece, ok := t.next()
		piece = strings.TrimPrefix(piece, "\n") // git writes a newline before a commit's first file
		switch {
		case !ok:
			done()
			return records, nil
		case piece == "":
		case piece[0] == ':' && r != nil:
			if err := r.addFile(piece, t); err != nil {
				return nil, err
			}
		case gitCount.MatchString(piece) && r != nil:
			added, rest, _ := strings.Cut(piece, "\t")
			removed, path, _ := strings.Cut(rest, "\t")
			if path == "" { // renamed: the old and the new path follow
				_, _ = t.next()
				path, _ = t.next()
			}
			counts[path] = [2]string{added, removed}
		case gitHash.MatchString(piece):
			done()
			if r, err = t.commit(piece, detail); err != nil {
				return nil, err
			}
			records = append(records, r)
		default:
			return nil, fmt.Errorf("git log gave what it should not: %.80q", piece)
		}
	}
}

// commit reads the fields of a commit that follow its hash.
func (t *tokens) commit(hash, detail string) (*gitRecord, error) {
	fields := [gitFields]string{hash}
	for i := 1; i < gitFields; i++ {
		var ok bool
		if fields[i], ok = t.next(); !ok {
			return nil, fmt.Errorf("git log ends within commit %s", hash)
		}
	}
	return &gitRecord{Hash: hash, Parents: strings.Fields(fields[1]),
			Author: gitPerson{fields[2], fields[3], fields[4]}, Committer: gitPerson{fields[5], fields[6], fields[7]},
			Message: fields[8], Detail: detail, Files: []gitFile{}},
		nil
}

// addFile adds a changed file: ":100644 100644 HASH HASH R100", then its path, or its old path and its new path.
func (r *gitRecord) addFile(piece string, t *tokens) error {
	parts := strings.Fields(piece)
	path, ok := t.next()
	if len(parts) != 5 || !ok {
		return fmt.Errorf("git log gave a file as %.80q", piece)
	}
	f := gitFile{Status: parts[4][:1], Path: path}
	if f.Status == "R" || f.Status == "C" {
		f.OldPath = path
		f.Path, _ = t.next()
	}
	r.Files = append(r.Files, f)
	return nil
}

// addCounts sets the lines of a commit's files, and makes their paths valid text.
func addCounts(r *gitRecord, counts map[string][2]string) {
	number := func(s string) *int64 {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return &n
		}
		return nil
	}
	for i := range r.Files {
		f := &r.Files[i]
		c := counts[f.Path]
		f.Added, f.Removed = number(c[0]), number(c[1])
		f.Path, f.OldPath = validName(f.Path), validName(f.OldPath)
	}
}
