package extract

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file finds the repositories that projects' folders are in. It runs git itself, which knows every form of a
// repository. The git commands write nothing, run no program that a repository names, and use no network.

// AppGit is the App of the Source whose stores are repositories.
const AppGit = "git"

// methodGit is the snapshot method of a repository: commits never change, so no other is needed.
const methodGit = "git"

// ErrNoGit says that there is no git program.
var ErrNoGit = errors.New("there is no git on the PATH")

// gitStore names the store of a repository.
func gitStore(repositoryID string) string { return AppGit + "/" + repositoryID }

// RepositoryOf returns the repository's id from the name of its store, "" for another store.
func RepositoryOf(store string) string {
	id, ok := strings.CutPrefix(store, AppGit+"/")
	if !ok {
		return ""
	}
	return id
}

// gitMonth is the time format in which the groups of a repository's rows are named that hold the commits of a month (by
// commit time, UTC). One more group has its places.
const gitMonth = "2006-01"

// GitMonth returns the beginning of the month whose commits are the rows of a group of a repository's rows.
func GitMonth(group string) (time.Time, bool) {
	t, err := time.Parse(gitMonth, group)
	return t, err == nil
}

// A GitFolder is a project's folder, and the time from which its commits are wanted.
type GitFolder struct {
	Project string // the project's URI
	Path    string // its folder, or its .code-workspace file
	Since   time.Time
}

// A gitPlace is where a project's folder lies in a repository.
type gitPlace struct {
	Project string `json:"project_uri"`
	Path    string `json:"project_path"`
	Top     string `json:"repository_path,omitempty"` // "" for a bare repository
	Prefix  string `json:"prefix,omitempty"`          // of the folder within the repository, with a slash at its end

	folder string // where git is run
	gitDir string
	since  time.Time
}

// A repository, with every place where it was found.
type repository struct {
	id     string
	places []gitPlace
	since  time.Time
	months map[string][]gitCommit // commits to be read
	// folders in which objects are missing, and git's message: git is not asked for lines there
	lacks map[string]error
}

// gitCommit is a commit, and a folder whose repository has it.
type gitCommit struct{ hash, folder string }

// gitFinder gathers the repositories of folders.
type gitFinder struct {
	ctx     context.Context
	goos    string
	known   map[string]time.Time
	found   map[string]*repository
	ids     map[string]string // by git's folder; "" for a repository that cannot be read
	outside int               // number of folders in no repository
	gone    int               // number of folders that do not exist on this machine
	Notes   []string
}

// appleGit is on every Mac. Without the command line tools it opens a dialogue that asks for them, each time.
const appleGit = "/usr/bin/git"

// findGit returns an ErrNoGit if git is not there.
func findGit(ctx context.Context, goos string) error {
	path, err := exec.LookPath("git")
	if err != nil {
		return ErrNoGit
	}
	if goos == "darwin" && path == appleGit && exec.CommandContext(ctx, "xcode-select", "-p").Run() != nil {
		return fmt.Errorf("%w but the stand-in of macOS; 'xcode-select --install' brings git", ErrNoGit)
	}
	return nil
}

func (f *gitFinder) note(format string, args ...any) {
	f.Notes = append(f.Notes, fmt.Sprintf(format, args...))
}

// refuse notes a folder that may not be read. macOS lets a program that a timer starts read no project in some folders,
// though it may in a terminal that has the right.
func (f *gitFinder) refuse(folder string, err error) {
	remedy := ""
	if f.goos == "darwin" && strings.Contains(strings.ToLower(err.Error()), "operation not permitted") {
		remedy = "; give this program, not the terminal, Full Disk Access (System Settings, Privacy & Security)"
	}
	f.note("git refuses %s: %v%s", folder, err, remedy)
}

// look finds the repository that a folder is in.
func (f *gitFinder) look(folder GitFolder) {
	p := gitPlace{Project: validName(folder.Project), Path: validName(folder.Path), folder: folder.Path,
		since: folder.Since}
	info, err := os.Stat(folder.Path)
	if err == nil && !info.IsDir() { // a .code-workspace file
		p.folder = filepath.Dir(folder.Path)
	}
	if errors.Is(err, fs.ErrPermission) {
		f.refuse(folder.Path, err)
		return
	}
	if err != nil || !filepath.IsAbs(folder.Path) {
		f.gone++
		return
	}
	shallow, err := p.resolve(f.ctx)
	switch {
	case errors.Is(err, errNoRepository):
		f.outside++
		return
	case err != nil:
		f.refuse(p.folder, err)
		return
	}
	id, looked := f.ids[p.gitDir]
	if !looked {
		id, err = f.identify(p, shallow)
		if f.ids[p.gitDir] = id; err != nil {
			f.note("the repository in %s is left out: %v", p.folder, err)
		}
	}
	if id == "" {
		return
	}
	r := f.found[id]
	if r == nil {
		r = &repository{id: id, since: monthOf(p.since), months: map[string][]gitCommit{}, lacks: map[string]error{}}
		f.found[id] = r
	}
	if known, ok := f.known[id]; ok && known.Before(r.since) { // a start that was wanted once stays wanted
		r.since = known
	}
	if m := monthOf(p.since); m.Before(r.since) {
		r.since = m
	}
	r.places = append(r.places, p)
}

func monthOf(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

var errNoRepository = errors.New("it is in no repository")

// resolve asks git for the folder's repository and its top.
func (p *gitPlace) resolve(ctx context.Context) (shallow bool, err error) {
	out, err := git(ctx, p.folder, nil, "rev-parse", "--is-bare-repository", "--is-shallow-repository",
		"--absolute-git-dir", "--show-prefix", "--show-toplevel")
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	bare := len(lines) >= 4 && lines[0] == "true"
	switch {
	case bare: // a bare repository has no top
	case err != nil && strings.Contains(err.Error(), "not a git repository"):
		return false, errNoRepository
	case err != nil:
		return false, err
	case len(lines) != 5:
		return false, errors.New("its path, or that of its repository, has a line end in it")
	default:
		p.Top, p.Prefix = validName(filepath.FromSlash(lines[4])), validName(lines[3])
	}
	p.gitDir = lines[2]
	return lines[1] == "true", nil
}

// gitRefs are the refs whose commits are read. Git keeps a stash and notes as commits; they are left out.
var gitRefs = []string{"--exclude=refs/stash", "--exclude=refs/notes/*", "--all"}

// identify makes a repository's id from its oldest first commit: a clone, a worktree, and the same repository in
// another folder get the same id.
func (f *gitFinder) identify(p gitPlace, shallow bool) (string, error) {
	if shallow {
		return "", errors.New("it is a shallow clone, which does not know the first commit that tells one repository " +
			"from another; 'git fetch --unshallow' there makes it whole")
	}
	roots, err := firstCommits(f.ctx, p.folder, gitRefs...)
	switch {
	case err != nil:
		return "", err
	case len(roots) == 0:
		return "", errors.New("it has no commit yet")
	}
	for _, id := range roots {
		// another id may be known already: a branch or remote with a history of its own does not change the
		// repository's id
		if _, known := f.known[id]; known {
			return id, nil
		}
	}
	if onHead, err := firstCommits(f.ctx, p.folder, "HEAD"); err == nil && len(onHead) > 0 {
		roots = onHead
	}
	return roots[0], nil
}

// firstCommits returns an id for each commit without a parent, the oldest first.
func firstCommits(ctx context.Context, folder string, refs ...string) ([]string, error) {
	roots := map[string]int64{}
	err := eachCommit(ctx, folder, append([]string{"--max-parents=0"}, refs...), func(hash string, at int64) {
		roots[hash] = at
	})
	var ids []string
	for _, hash := range slices.SortedFunc(maps.Keys(roots), func(a, b string) int {
		return cmp.Or(cmp.Compare(roots[a], roots[b]), cmp.Compare(a, b))
	}) {
		sum := sha256.Sum256([]byte(hash))
		ids = append(ids, hex.EncodeToString(sum[:8]))
	}
	return ids, err
}

// eachCommit lists commits by their hashes, with their times in seconds.
func eachCommit(ctx context.Context, folder string, which []string, f func(hash string, at int64)) error {
	out, err := git(ctx, folder, nil, append([]string{"rev-list", "--timestamp"}, which...)...)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		at, hash, _ := strings.Cut(strings.TrimSpace(line), " ")
		seconds, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			return fmt.Errorf("git rev-list says %q", line)
		}
		f(hash, seconds)
	}
	return nil
}

// git runs git in a folder and returns what it prints, also with an error.
func git(ctx context.Context, folder string, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append(gitSettings(folder), args...)...)
	cmd.Env, cmd.Stdin = gitEnv(os.Environ()), bytes.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err == nil || ctx.Err() != nil {
		return out, ctx.Err()
	}
	said, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
	return out, &gitError{args[0], cmp.Or(strings.TrimPrefix(said, "fatal: "), err.Error())}
}

// gitError is git's error message.
type gitError struct{ command, said string }

func (e *gitError) Error() string { return "git " + e.command + ": " + e.said }

// gitSettings override the parts of a repository's own configuration that could have git run a program: a repository
// may come from anywhere.
func gitSettings(folder string) []string {
	return []string{"-C", folder, "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
		"-c", "core.pager=cat", "-c", "diff.external=", "-c", "core.attributesFile=" + os.DevNull, "-c",
		"core.alternateRefsCommand=", "-c", "core.sshCommand=false", "-c", "gpg.program=false", "-c",
		"log.showSignature=false", "-c", "protocol.allow=never", "-c", "i18n.logOutputEncoding=UTF-8", "-c",
		"core.quotePath=false", "-c", "diff.orderFile=" + os.DevNull}
}

// gitEnv leaves out variables that point git to another repository, as when a git hook runs this program.
// GIT_NO_LAZY_FETCH keeps a partial clone from fetching; GIT_ALLOW_PROTOCOL does the same for versions of git that do
// not know it.
func gitEnv(environ []string) []string {
	kept := []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH",
		"GIT_CEILING_DIRECTORIES"}
	env := slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return strings.HasPrefix(name, "GIT_") && !slices.Contains(kept, name)
	})
	return append(env, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none", "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C")
}
