package pipelines_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/load/inspect"
	"pipeline/pipelines"
)

// gitFixture is a fixture with a repository, which alpha's project is in. It was at work on 9 October 2025 from
// 08:53:20 to 09:03:20 UTC.
type gitFixture struct {
	*fixture
	home string
	repo string
	said []string // warnings of the last run
}

func newGitFixture(t *testing.T) *gitFixture {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; with it on the PATH this test runs")
	}
	g := &gitFixture{fixture: newFixture(t)}
	g.home = filepath.Join(g.dir, "home")
	g.repo = filepath.Join(g.dir, "src", "one")
	must(t, os.MkdirAll(g.repo, 0o700))
	must(t, os.MkdirAll(g.home, 0o700))
	g.git("init", "-q", "-b", "main")
	return g
}

// git runs git in the repository, untouched by the settings of whoever runs the test.
func (g *gitFixture) git(args ...string) string { return g.gitAt("", args...) }

// gitAt is git at a time, for author and committer: "2025-10-09T14:40:00+0545".
func (g *gitFixture) gitAt(at string, args ...string) string {
	g.t.Helper()
	cmd := exec.CommandContext(g.t.Context(), "git",
		append([]string{"-C", g.repo, "-c", "user.name=Mira", "-c", "user.email=mira@example.org", "-c",
			"commit.gpgSign=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "HOME="+g.home)
	if at != "" {
		cmd.Env = append(cmd.Env, "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, errs.String())
	}
	return strings.TrimSpace(out.String())
}

// put writes a file of the repository.
func (g *gitFixture) put(name, text string) {
	g.t.Helper()
	file := filepath.Join(g.repo, name)
	must(g.t, os.MkdirAll(filepath.Dir(file), 0o700))
	must(g.t, os.WriteFile(file, []byte(text), 0o600))
}

// commit commits everything and returns the hash.
func (g *gitFixture) commit(at, message string) string {
	g.t.Helper()
	g.git("add", "-A")
	g.gitAt(at, "commit", "-q", "--allow-empty", "-m", message)
	return g.git("rev-parse", "HEAD")
}

// userDir has alpha's project in a folder, and in the place of its tool call an edit of a.go.
func (g *gitFixture) userDir(folder string) *userDir {
	edit := strings.Replace(bubbleA3, toolA3,
		`{"tool":7,"name":"edit_file","toolCallId":"call-1","status":"completed","params":"{\"relativeWorkspacePath\":\"a.go\"}"}`, 1)
	return baseUserDir().with(keyA3, edit).withFolder("ws1", folderAt(folder))
}

func folderAt(path string) folder {
	return folder{json: `{"folder":"file://` + filepath.ToSlash(path) + `"}`}
}

// load runs with --git.
func (g *gitFixture) load(w *userDir, change ...func(*pipelines.Options)) *pipelines.Result {
	g.t.Helper()
	g.said = nil
	return g.run(w, append([]func(*pipelines.Options){func(o *pipelines.Options) {
		o.Git = true
		o.Warn = func(format string, args ...any) { g.said = append(g.said, fmt.Sprintf(format, args...)) }
	}}, change...)...)
}

// rows is an answer, a line a row.
func (g *gitFixture) rows(query string) string {
	g.t.Helper()
	var lines []string
	for _, row := range g.ask(query) {
		lines = append(lines, strings.Join(row, " | "))
	}
	return strings.Join(lines, "\n")
}

func (g *gitFixture) wants(what, query, want string) {
	g.t.Helper()
	lines, got := strings.Split(want, "\n"), strings.Split(g.rows(query), "\n")
	slices.Sort(lines)
	slices.Sort(got)
	same(g.t, what, lines, got)
}

const linksQuery = `SELECT l.conversation_id, c.subject, l.gap_ms, l.files_touched, l.shared_files, l.edited_files, l.relevance
	FROM conversation_commits l JOIN commits c ON c.commit_hash = l.commit_hash AND c.repository_id = l.repository_id `

// history is a repository with a rename, a merge, and a commit in another time zone.
func (g *gitFixture) history() {
	g.put("a.go", "package a\n\nfunc A() {}\n\nvar x = 1\n")
	g.put("b.bin", "\x00\x01")
	g.commit("2020-01-01T00:00:00Z", "long ago")
	g.commit("2025-10-01T00:00:00Z", "before the conversation")
	g.git("checkout", "-q", "-b", "side")
	g.put("side.txt", "1\n")
	g.commit("2025-10-09T08:57:00Z", "on a branch")
	g.git("checkout", "-q", "main")
	g.put("a.go", "package a\n\nfunc A() {}\n\nvar x = 2\n")
	g.put("c.txt", "c\n")
	g.commit("2025-10-09T14:43:00+0545", "edit\nof two lines\n\nand a body\n") // 08:58 UTC
	g.git("mv", "a.go", "d.go")
	g.commit("2025-10-09T09:00:00Z", "rename")
	g.gitAt("2025-10-09T09:10:00Z", "merge", "-q", "--no-ff", "-m", "merge", "side")
	g.commit("2025-10-09T09:34:00Z", "after the window")
}

// TestGit: commits, their files, and the conversations before them; the same again out of the raw layer, and in
// Parquet.
func TestGit(t *testing.T) {
	concurrent(t)
	t.Parallel()
	g := newGitFixture(t)
	g.history()
	before := tree(t, g.repo)
	r := g.load(g.userDir(g.repo), func(o *pipelines.Options) { o.Publish = parquetIn(filepath.Join(g.dir, "out")) })
	same(t, "the repository", before, tree(t, g.repo))
	same(t, "what the run says of git", &pipelines.GitResult{Repositories: 1, Commits: 6, Written: 6}, r.Git)
	g.wants("commits",
		`SELECT subject, body, epoch_ms(authored_at) = epoch_ms(committed_at), strftime(make_timestamp(epoch_us(authored_at)), '%d %H:%M'), author_name, author_email, author_utc_offset,
			parent_count, is_merge, files_changed, lines_added, lines_removed, deleted_at FROM commits ORDER BY committed_at`, strings.TrimSpace(`
before the conversation | NULL | true | 01 00:00 | Mira | mira@example.org | 0 | 1 | false | 0 | NULL | NULL | NULL
on a branch | NULL | true | 09 08:57 | Mira | mira@example.org | 0 | 1 | false | 1 | 1 | 0 | NULL
edit of two lines | and a body | true | 09 08:58 | Mira | mira@example.org | 345 | 1 | false | 2 | 2 | 1 | NULL
rename | NULL | true | 09 09:00 | Mira | mira@example.org | 0 | 1 | false | 1 | 0 | 0 | NULL
merge | NULL | true | 09 09:10 | Mira | mira@example.org | 0 | 2 | true | 1 | 1 | 0 | NULL
after the window | NULL | true | 09 09:34 | Mira | mira@example.org | 0 | 1 | false | 0 | NULL | NULL | NULL`))
	g.wants("files",
		`SELECT c.subject, f.ordinal, f.status, f.path, f.old_path, f.lines_added, f.lines_removed FROM commit_files f JOIN commits c USING (commit_hash) ORDER BY c.committed_at, f.ordinal`, strings.TrimSpace(`
on a branch | 0 | added | side.txt | NULL | 1 | 0
edit of two lines | 0 | modified | a.go | NULL | 1 | 1
edit of two lines | 1 | added | c.txt | NULL | 1 | 0
rename | 0 | renamed | d.go | a.go | 0 | 0
merge | 0 | added | side.txt | NULL | 1 | 0`))
	g.wants("links", linksQuery, strings.TrimSpace(`
alpha | on a branch | 40000 | 1 | 0 | 0 | 0
alpha | edit of two lines | 100000 | 1 | 1 | 1 | 0.5
alpha | rename | 220000 | 1 | 1 | 1 | 1
alpha | merge | 820000 | 1 | 0 | 0 | 0`))
	g.wants("prompts", `SELECT subject, title, prompt FROM commit_prompts WHERE relevance = 1`,
		"rename | Alpha | First question")
	g.wants("share",
		`SELECT commits, with_conversation, related, conversation_share, merges FROM commit_share ORDER BY week`,
		"1 | 0 | 0 | 0 | 0\n4 | 3 | 2 | 0.75 | 1")
	g.wants("sessions", `SELECT commits, related_commits FROM commits_per_session ORDER BY started_at`, "4 | 2\n0 | 0")
	g.rebuilt()
	v, err := inspect.Verify(t.Context(), g.warehouse(), parquetIn(filepath.Join(g.dir, "out"))...)
	must(t, err)
	same(t, "damages", []inspect.Damage{}, v.Damages)
	g.wants("Parquet", `SELECT count(*) FROM commits`, "6")
	for _, table := range []string{"repositories", "commits", "commit_files", "conversation_commits"} {
		if _, err := os.Stat(filepath.Join(g.dir, "out", "current", table+".parquet")); err != nil {
			t.Error(err)
		}
	}
}

// TestGitAgain: a quiet run changes nothing, a new commit reads its month again, a run without --git leaves everything,
// and so does one that does not find the repository.
func TestGitAgain(t *testing.T) {
	t.Parallel()
	long(t)
	g := newGitFixture(t)
	g.history()
	w := g.userDir(g.repo)
	g.load(w)
	all := g.dump(allTables()...)
	r := g.load(nil)
	same(t, "commits written by a quiet run", int64(0), r.Git.Written)
	same(t, "tables after a quiet run", all, g.dump(allTables()...))

	g.run(w.with(keyA1, strings.Replace(bubbleA1, "First", "Other", 1)))
	g.wants("commits after a run without git", `SELECT count(*), count(deleted_at) FROM commits`, "6 | 0")
	g.wants("links after a run without git", `SELECT count(*) FROM conversation_commits`, "4")

	g.put("e.txt", "e\n")
	g.commit("2025-11-01T00:00:00Z", "in November")
	if r := g.load(nil); r.Git.Written != 1 {
		t.Errorf("%d commits were read for one in a month of its own", r.Git.Written)
	}
	g.commit("2025-11-02T00:00:00Z", "in November too")
	if r := g.load(nil); r.Git.Written != 2 || r.Git.Commits != 8 {
		t.Errorf("of a month with a second commit %d of %d were read", r.Git.Written, r.Git.Commits)
	}
	g.rebuilt("last_seen_at")

	must(t, os.Rename(g.repo, g.repo+" away"))
	if r := g.load(nil); r.Git != nil || !strings.Contains(strings.Join(g.said, "\n"),
		"of 1 projects' folders 0 are in no repository and 1 are not on this machine") {
		t.Errorf("without the repository: %+v, %q", r.Git, g.said)
	}
	g.wants("commits of a repository that is not found", `SELECT count(*), count(deleted_at) FROM commits`, "8 | 0")
	g.load(nil, func(o *pipelines.Options) { o.CommitWindow = time.Hour })
	g.wants("links in a wider window", `SELECT count(*) FROM conversation_commits`, "5")
	g.load(nil)
	g.wants("links in the first window again", `SELECT count(*) FROM conversation_commits`, "4")
	g.rebuilt("last_seen_at")
}

// TestGitRebase: a commit that is made anew takes the place of the old one, and the conversation with it, at whatever
// time that is.
func TestGitRebase(t *testing.T) {
	long(t)
	t.Parallel()
	g := newGitFixture(t)
	g.put("base.txt", "1\n")
	g.commit("2025-10-08T00:00:00Z", "base")
	g.git("checkout", "-q", "-b", "work")
	g.put("a.go", "package a\n")
	old := g.commit("2025-10-09T08:58:00Z", "the work")
	g.load(g.userDir(g.repo))
	link := "alpha | the work | 100000 | 1 | 1 | 1 | 1"
	g.wants("links", linksQuery, link)

	g.git("checkout", "-q", "main")
	g.put("base.txt", "2\n")
	g.commit("2025-10-20T00:00:00Z", "meanwhile")
	g.git("checkout", "-q", "work")
	env := "2025-12-01T00:00:00Z"
	cmd := exec.CommandContext(t.Context(), "git", "-C", g.repo, "-c", "user.name=Other", "-c",
		"user.email=o@example.org", "rebase", "-q", "main")
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "HOME="+g.home,
		"GIT_COMMITTER_DATE="+env)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	g.load(nil)
	g.wants("links after the rebase", linksQuery, link)
	g.wants("the old commit", `SELECT subject, deleted_at IS NOT NULL FROM commits WHERE commit_hash = '`+old+`'`,
		"the work | true")
	g.wants("its files", `SELECT DISTINCT deleted_at IS NOT NULL FROM commit_files WHERE commit_hash = '`+old+`'`,
		"true")
	g.wants("the new one",
		`SELECT committer_name, deleted_at IS NULL, committed_at > authored_at FROM commits WHERE subject = 'the work' AND commit_hash <> '`+old+`'`, "Other | true | true")
	g.rebuilt("last_seen_at")

	g.git("update-ref", "refs/heads/kept", old) // a branch leads to it again
	g.load(nil)
	g.wants("the old commit with a branch", `SELECT count(deleted_at) FROM commits`, "0")
}

// TestGitMoved: conversations under the old path of a repository belong to the commits that it got in the new one, if a
// run has seen it in the old.
func TestGitMoved(t *testing.T) {
	long(t)
	t.Parallel()
	g := newGitFixture(t)
	g.put("web/a.go", "package a\n")
	g.commit("2025-10-09T08:50:00Z", "first")
	old := filepath.Join(g.repo, "web") // the project is a folder of the repository
	w := g.userDir(old)
	g.load(w)
	g.wants("places", `SELECT prefix, deleted_at FROM repositories`, "web/ | NULL")

	moved := filepath.Join(g.dir, "src", "two")
	must(t, os.Rename(g.repo, moved))
	g.repo = moved
	g.put("web/a.go", "package a // later\n")
	g.commit("2025-10-09T09:01:00Z", "after the move")
	beta := strings.Replace(betaHead, `"name":"Beta"`, `"name":"Beta","workspaceIdentifier":{"id":"ws2"}`, 1)
	g.load(w.with(keyBeta, beta).withFolder("ws2", folderAt(moved)))
	g.wants("repositories", `SELECT count(DISTINCT repository_id) FROM repositories`, "1")
	g.wants("places after the move", `SELECT project_path = '`+old+
		`', deleted_at IS NOT NULL FROM repositories ORDER BY 1`, "false | false\ntrue | true")
	g.wants("links", linksQuery, "alpha | after the move | 280000 | 1 | 1 | 1 | 1")
	g.rebuilt("last_seen_at")
}

// TestGitBorders: a conversation that began with the commit and one that was last active when the window began have
// both ends of the rule.
func TestGitBorders(t *testing.T) {
	t.Parallel()
	g := newGitFixture(t)
	for _, at := range []string{"08:53:19", "08:53:20", "09:33:20", "09:33:21"} {
		// alpha is active from 08:53:20 to 09:03:20
		g.commit("2025-10-09T"+at+"Z", at)
	}
	g.load(g.userDir(g.repo))
	g.wants("links",
		`SELECT c.subject FROM conversation_commits l JOIN commits c USING (commit_hash) WHERE conversation_id = 'alpha' ORDER BY 1`, "08:53:20\n09:33:20")
}

// TestGitNames: names and messages may hold any byte but a NUL. What is no UTF-8 in a message git takes for Latin-1.
func TestGitNames(t *testing.T) {
	t.Parallel()
	g := newGitFixture(t)
	name := "line\nend\t\"quotes\" :100644 ü"
	g.put(name, "1\n2\n")
	g.put("bad\xff", "1\n")
	g.put("bad\xfe", "1\n")
	message := "Ein Grüßen \xff\n\n:100644 100644 abc def M\n1\t2\tfile\n" + strings.Repeat("0", 40) + "\n"
	must(t, os.WriteFile(filepath.Join(g.dir, "message"), []byte(message), 0o600))
	g.git("add", "-A")
	g.gitAt("2025-10-09T09:00:00Z", "-c", "i18n.commitEncoding=UTF-8", "commit", "-q", "--cleanup=verbatim", "-F",
		filepath.Join(g.dir, "message"))
	g.load(g.userDir(g.repo))
	same(t, "warnings", nil, g.said)
	g.wants("files", `SELECT path, lines_added FROM commit_files ORDER BY path`, "bad%FE | 1\nbad%FF | 1\n"+name+" | 2")
	g.wants("message", `SELECT subject, body FROM commits`,
		"Ein Grüßen ÿ | :100644 100644 abc def M\n1\t2\tfile\n"+strings.Repeat("0", 40))
	g.rebuilt()
}

// TestGitHostile: what a repository's own configuration names is not run, and its folder is not written to.
func TestGitHostile(t *testing.T) {
	t.Parallel()
	g := newGitFixture(t)
	g.put("a.go", "package a\n")
	g.put(".gitattributes", "*.go diff=evil filter=evil\n")
	g.commit("2025-10-09T08:58:00Z", "one")
	g.put("a.go", "package a // two\n")
	g.commit("2025-10-09T08:59:00Z", "two")
	proof := filepath.Join(g.dir, "proof")
	evil := filepath.Join(g.dir, "evil.sh")
	must(t, os.WriteFile(evil, []byte("#!/bin/sh\necho ran >> '"+proof+"'\ncat\n"), 0o700))
	for _, setting := range []string{"core.fsmonitor", "core.pager", "pager.log", "core.sshCommand", "core.editor",
		"diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge",
		"filter.evil.process", "gpg.program", "core.alternateRefsCommand", "core.askPass", "credential.helper",
		"uploadpack.packObjectsHook"} {
		g.git("config", setting, evil)
	}
	for _, setting := range [][2]string{{"log.showSignature", "true"}, {"core.hooksPath", g.dir},
		{"protocol.ext.allow", "always"}, {"remote.origin.url", "ext::" + evil}, {"remote.origin.promisor", "true"},
		{"remote.origin.partialCloneFilter", "blob:none"}, {"log.diffMerges", "off"}, {"diff.noprefix", "true"},
		{"diff.relative", "true"}} {
		g.git("config", setting[0], setting[1])
	}
	// An object that is not here: a partial clone would fetch it.
	blob := g.git("rev-parse", "HEAD~1:a.go")
	object := filepath.Join(g.repo, ".git", "objects", blob[:2], blob[2:])
	must(t, os.Remove(object))
	_ = os.Remove(proof) // git config may run what it is told
	before := tree(t, g.repo)
	g.load(g.userDir(g.repo))
	if text, err := os.ReadFile(proof); err == nil {
		t.Errorf("the repository's programs ran: %s", text)
	}
	same(t, "the repository", before, tree(t, g.repo))
	if said := strings.Join(g.said, "\n"); !strings.Contains(said, "not every file of its commits is here") {
		t.Errorf("it says %q", said)
	}
	g.wants("commits of which not every file is here",
		`SELECT subject, files_changed, lines_added FROM commits ORDER BY committed_at`,
		"one | 2 | NULL\ntwo | 1 | NULL")
}

// TestGitOdd: what is no repository, or none that can be read, fails no run.
func TestGitOdd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		make func(g *gitFixture) (project string)
		says string
	}{
		"no repository": {func(g *gitFixture) string { return g.home }, "1 are in no repository"},
		"no commit":     {func(g *gitFixture) string { return g.repo }, "no commit yet"},
		"damaged": {func(g *gitFixture) string {
			g.commit("2025-10-09T08:58:00Z", "one")
			must(g.t, os.RemoveAll(filepath.Join(g.repo, ".git", "objects")))
			must(g.t, os.MkdirAll(filepath.Join(g.repo, ".git", "objects"), 0o700))
			return g.repo
		}, "left out"},
		"shallow": {func(g *gitFixture) string {
			g.commit("2025-10-09T08:58:00Z", "one")
			g.commit("2025-10-09T08:59:00Z", "two")
			g.git("clone", "-q", "--depth", "1", "file://"+g.repo, filepath.Join(g.dir, "shallow"))
			return filepath.Join(g.dir, "shallow")
		}, "shallow clone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGitFixture(t)
			r := g.load(g.userDir(test.make(g)))
			if r.Git != nil || !strings.Contains(strings.Join(g.said, "\n"), test.says) {
				t.Errorf("%+v, %q", r.Git, g.said)
			}
			g.wants("tables",
				`SELECT (SELECT count(*) FROM commits) + (SELECT count(*) FROM repositories), (SELECT count(*) FROM conversations)`, "0 | 3")
		})
	}
}

// TestGitForms: a bare repository, a worktree, a clone and a submodule are read as any; the first three are one
// repository.
func TestGitForms(t *testing.T) {
	t.Parallel()
	g := newGitFixture(t)
	g.put("a.go", "package a\n")
	g.commit("2025-10-09T08:58:00Z", "one")
	g.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "file://"+g.repo, "sub")
	g.commit("2025-10-09T08:59:00Z", "with a submodule")
	bare, tree := filepath.Join(g.dir, "bare.git"), filepath.Join(g.dir, "tree")
	g.git("clone", "-q", "--bare", "file://"+g.repo, bare)
	g.git("worktree", "add", "-q", "-b", "elsewhere", tree)
	g.repo = tree
	g.commit("2025-10-09T09:00:00Z", "in the worktree")
	head := func(id string) string {
		return strings.NewReplacer(`"composerId":"beta"`, `"composerId":"`+id+`"`, `"name":"Beta"`,
			`"name":"Beta","workspaceIdentifier":{"id":"`+id+`"}`).Replace(betaHead)
	}
	r := g.load(g.userDir(bare).with("composerData:ws2", head("ws2"), "composerData:ws3", head("ws3")).
		withFolder("ws2", folderAt(filepath.Join(g.dir, "src", "one"))).withFolder("ws3", folderAt(tree)))
	same(t, "what the run says of git", &pipelines.GitResult{Repositories: 1, Commits: 3, Written: 3}, r.Git)
	g.wants("places", `SELECT count(*), count(repository_path) FROM repositories`, "3 | 2")
	g.wants("files", `SELECT path FROM commit_files ORDER BY path`, ".gitmodules\na.go\nsub")
}

// tree is what a folder holds, to the byte, but for times.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			out[path] = "a folder"
			return err
		}
		text, err := os.ReadFile(path)
		out[path] = string(text)
		return err
	}))
	return out
}
