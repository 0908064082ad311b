package pipelines_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/extract"
	"pipeline/pipelines"
	"pipeline/testdata/gen/clitest"
)

// trackingDDL are the tables as Cursor makes them (docs/formats.md, The tracking database), and one that is none of
// ours.
const trackingDDL = `
	CREATE TABLE ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT NOT NULL, fileExtension TEXT, fileName TEXT, requestId TEXT, conversationId TEXT, timestamp INTEGER, createdAt INTEGER NOT NULL, model TEXT);
	CREATE TABLE scored_commits (commitHash TEXT NOT NULL, branchName TEXT NOT NULL, scoredAt INTEGER NOT NULL, linesAdded INTEGER, linesDeleted INTEGER, tabLinesAdded INTEGER,
		tabLinesDeleted INTEGER, composerLinesAdded INTEGER, composerLinesDeleted INTEGER, humanLinesAdded INTEGER, humanLinesDeleted INTEGER, blankLinesAdded INTEGER, blankLinesDeleted INTEGER,
		commitMessage TEXT, commitDate TEXT, v1AiPercentage TEXT, v2AiPercentage TEXT, PRIMARY KEY (commitHash, branchName));
	CREATE TABLE tracked_file_content (gitPath TEXT, content TEXT);
	INSERT INTO tracked_file_content VALUES ('a.go', 'canary-content');
	INSERT INTO scored_commits VALUES ('aaaa', 'main', 1760000300000, 12, 3, 1, 0, 8, 2, 2, 1, 1, 0, 'Make it' || char(10) || char(10) || 'so', 'Thu Oct 9 10:58:00 2025 +0200', '75.5', '81.82%');
	INSERT INTO scored_commits (commitHash, branchName, scoredAt) VALUES ('bbbb', 'side', 1760000400000);
	INSERT INTO ai_code_hashes VALUES ('h1', 'composer', '.go', 'a.go', 'r1', 'alpha', 1760000000000, 1760000000001, 'default');
	INSERT INTO ai_code_hashes VALUES ('h2', 'tab', '', NULL, NULL, NULL, NULL, 1760000000001, NULL);`

// trackingFixture is a fixture with Cursor's account of who wrote what.
type trackingFixture struct {
	*gitFixture
	file string
}

func newTrackingFixture(t *testing.T, ddl string) *trackingFixture {
	t.Helper()
	l := &trackingFixture{&gitFixture{fixture: newFixture(t)}, ""}
	l.file = filepath.Join(l.dir, ".cursor", "ai-tracking", "ai-code-tracking.db")
	must(t, os.MkdirAll(filepath.Dir(l.file), 0o700))
	l.exec(ddl)
	return l
}

// exec changes the file.
func (l *trackingFixture) exec(statements string) {
	l.t.Helper()
	db, err := sql.Open("sqlite", "file:"+l.file)
	must(l.t, err)
	_, err = db.Exec(statements)
	must(l.t, err)
	must(l.t, db.Close())
}

// loads is a run that hears its warnings; the test says whether there are to be some.
func (l *trackingFixture) loads(w *userDir, warning string) *pipelines.Result {
	l.t.Helper()
	l.said = nil
	r := l.run(w, func(o *pipelines.Options) {
		o.Warn = func(format string, args ...any) { l.said = append(l.said, fmt.Sprintf(format, args...)) }
	})
	if said := strings.Join(l.said, "\n"); warning == "" && said != "" || !strings.Contains(said, warning) {
		l.t.Errorf("said %q, want %q", said, warning)
	}
	return r
}

// TestTracking: its rows come, change and go as those of any store, through the raw layer, and nothing of it is
// touched.
func TestTracking(t *testing.T) {
	concurrent(t)
	t.Parallel()
	l := newTrackingFixture(t, trackingDDL)
	before, err := os.ReadFile(l.file)
	must(t, err)
	l.loads(baseUserDir(), "")
	l.wants("commits",
		`SELECT commit_hash, branch, epoch_ms(scored_at), epoch_ms(committed_at), message, lines_added, lines_removed, tab_lines_added, composer_lines_added,
			human_lines_added, blank_lines_added, ai_percent_v1, ai_percent_v2 FROM scored_commits`,
		"aaaa | main | 1760000300000 | 1760000280000 | Make it\n\nso | 12 | 3 | 1 | 8 | 2 | 1 | 75.5 | 81.82\n"+
			"bbbb | side | 1760000400000 | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL")
	l.wants("code",
		`SELECT code_hash, origin, file_extension, file_name, request_id, conversation_id, epoch_ms(written_at), model FROM ai_code_hashes`, "h1 | composer | .go | a.go | r1 | alpha | 1760000000000 | auto\nh2 | tab | NULL | NULL | NULL | NULL | "+
			"1760000000001 | NULL")
	l.wants("sources", `SELECT app FROM sources`, "\nai-tracking")
	l.wants("the view", `SELECT ai_lines, ai_share FROM commit_attribution WHERE commit_hash = 'aaaa'`, "9 | 0.8182")
	after, err := os.ReadFile(l.file)
	must(t, err)
	same(t, "the file", string(before), string(after))
	if names, err := os.ReadDir(filepath.Dir(l.file)); err != nil || len(names) != 1 {
		t.Errorf("files beside it: %v, %v", names, err)
	}

	all := l.dump(allTables()...)
	l.loads(nil, "")
	same(t, "tables after a quiet run", all, l.dump(allTables()...))

	l.exec(`UPDATE scored_commits SET rowid = 9, humanLinesAdded = 0 WHERE commitHash = 'aaaa'; DELETE FROM ai_code_hashes WHERE hash = 'h1';
		INSERT INTO ai_code_hashes (hash, source, createdAt) VALUES ('h3', 'tab', 1760000500000)`)
	l.loads(nil, "")
	l.wants("changed", `SELECT commit_hash, human_lines_added, deleted_at IS NULL FROM scored_commits`,
		"aaaa | 0 | true\nbbbb | NULL | true")
	l.wants("gone and new", `SELECT code_hash, deleted_at IS NULL FROM ai_code_hashes`,
		"h1 | false\nh2 | true\nh3 | true")
	l.rebuilt("last_seen_at")
	l.wants("the older version is kept",
		`SELECT count(*) FROM internal._known_rows WHERE table_name = 'scored_commits' AND "key" = 'aaaa main'`, "2")

	l.exec(`UPDATE scored_commits SET humanLinesAdded = 7 WHERE commitHash = 'aaaa'`)
	l.run(nil, hours(l.runs+30))
	l.wants("overwritten, when a comparison was due",
		`SELECT human_lines_added FROM scored_commits WHERE commit_hash = 'aaaa'`, "7")
}

// TestTrackingMissing: a file that is damaged, or gone, or of another version, takes nothing away and is no reason to
// fail.
func TestTrackingMissing(t *testing.T) {
	t.Parallel()
	l := newTrackingFixture(t, trackingDDL)
	l.loads(baseUserDir(), "")
	whole, err := os.ReadFile(l.file)
	must(t, err)
	for name, test := range map[string]struct {
		content []byte
		warning string
	}{
		"gone":        {nil, ""},
		"no database": {[]byte(strings.Repeat("nothing ", 2000)), "was not read completely"},
		"cut":         {whole[:4096], "was not read completely"},
	} {
		must(t, os.Remove(l.file))
		if test.content != nil {
			must(t, os.WriteFile(l.file, test.content, 0o600))
		}
		l.loads(nil, test.warning)
		l.wants(name,
			`SELECT (SELECT count(*) FROM scored_commits WHERE deleted_at IS NULL), (SELECT count(*) FROM ai_code_hashes WHERE deleted_at IS NULL)`, "2 | 2")
		must(t, os.WriteFile(l.file, whole, 0o600))
	}
	must(t, os.Remove(l.file))
	l.exec(`CREATE TABLE scored_commits (id INTEGER, other TEXT); CREATE TABLE ai_code_hashes (hash TEXT, unknown BLOB, source INTEGER); INSERT INTO ai_code_hashes VALUES ('h9', x'00ff', 7), (NULL, NULL, NULL)`)
	l.loads(nil, "its table scored_commits is not as this version knows it")
	l.wants("another version", `SELECT code_hash, origin FROM ai_code_hashes WHERE deleted_at IS NULL`, "h9 | NULL")
	l.wants("the table of before", `SELECT count(*) FROM scored_commits WHERE deleted_at IS NULL`, "2")
}

// TestTrackingLive: beside a writer in WAL mode one state is read, and it goes on writing.
func TestTrackingLive(t *testing.T) {
	t.Parallel()
	l := newTrackingFixture(t, trackingDDL)
	db, err := sql.Open("sqlite", "file:"+l.file+"?_pragma=journal_mode(wal)")
	must(t, err)
	defer func() { must(t, db.Close()) }()
	_, err = db.Exec(`INSERT INTO ai_code_hashes (hash, source, createdAt) VALUES ('w1', 'tab', 1760000500000)`)
	must(t, err)
	l.loads(baseUserDir(), "")
	l.wants("from the log", `SELECT count(*) FROM ai_code_hashes`, "3")
	l.wants("how", `SELECT snapshot_method, journal_mode FROM load_stores WHERE store = 'ai-tracking'`, "wal | wal")
	_, err = db.Exec(`INSERT INTO ai_code_hashes (hash, source, createdAt) VALUES ('w2', 'tab', 1760000500000)`)
	must(t, err)
}

// TestTrackingShared: the user directories of one home have one account of who wrote what, and it is read once.
func TestTrackingShared(t *testing.T) {
	t.Parallel()
	l := newTrackingFixture(t, trackingDDL)
	baseUserDir().write(t, l.user)
	other := filepath.Join(l.dir, "Cursor", "User")
	baseUserDir().write(t, other)
	l.run(nil, func(o *pipelines.Options) {
		more, err := extract.Resolve("other="+other, extract.Env{OS: "linux"})
		must(t, err)
		if o.Sources = append(o.Sources, more...); o.Sources[0].Tracking == "" ||
			o.Sources[1].Tracking != o.Sources[0].Tracking {
			t.Errorf("%q and %q", o.Sources[0].Tracking, o.Sources[1].Tracking)
		}
	})
	l.wants("rows", `SELECT count(*), count(DISTINCT source_id) FROM ai_code_hashes`, "2 | 1")
	l.wants("sources", `SELECT count(*) FROM sources`, "3")
}

// TestTrackingWithoutEditor: a folder .cursor has its own account of who wrote what, and it is read without an editor,
// too: beside chats, or where nothing else is in the folder.
func TestTrackingWithoutEditor(t *testing.T) {
	t.Parallel()
	for name, home := range map[string]*clitest.Home{"chats": {Chats: []*clitest.Chat{clitest.Cases().Chat("modern")}},
		"nothing else": {}} {
		l := newTrackingFixture(t, trackingDDL)
		dot := filepath.Join(l.dir, ".cursor")
		must(t, home.Write(dot))
		for range 2 {
			l.runOn(dot)
			l.wants(name,
				`SELECT (SELECT count(*) FROM scored_commits), (SELECT count(*) FROM ai_code_hashes), (SELECT count(*) FROM sources WHERE app = 'ai-tracking')`, "2 | 2 | 1")
		}
	}
}

// TestTrackingOfOneHome: whichever source of a home is read, under whatever name, by whichever path, its account is in
// the warehouse once.
func TestTrackingOfOneHome(t *testing.T) {
	long(t)
	t.Parallel()
	for name, order := range map[string][]string{
		"the editor first":          {"", "dot", "all"},
		"the command line first":    {"dot", "", "all"},
		"names":                     {"ed=", "cli=dot", "all"},
		"by the command line's":     {"cli=dot", "ed="},
		"both, the other one first": {"cli=dot ed=", "ed= cli=dot"},
	} {
		l := newTrackingFixture(t, trackingDDL)
		baseUserDir().write(t, l.user)
		must(t,
			(&clitest.Home{Chats: []*clitest.Chat{clitest.Cases().Chat("modern")}}).Write(
				filepath.Join(l.dir, ".cursor")))
		must(t, os.Rename(filepath.Join(l.dir, ".cursor"), filepath.Join(l.dir, "dotfiles")))
		must(t, os.Symlink("dotfiles", filepath.Join(l.dir, ".cursor")))
		for _, args := range order {
			var paths []string
			for _, arg := range strings.Split(strings.Replace(args, "all", " dot", 1), " ") {
				at, isDot := strings.CutSuffix(arg, "dot")
				if isDot {
					paths = append(paths, at+filepath.Join(l.dir, ".cursor"))
				} else {
					paths = append(paths, at+l.user)
				}
			}
			l.runOn(paths...)
			l.wants(name+", "+args, `SELECT count(*), count(DISTINCT source_id) FROM ai_code_hashes`, "2 | 1")
		}
	}
}

// runOn runs on the sources that a user names.
func (l *trackingFixture) runOn(args ...string) {
	l.t.Helper()
	l.run(nil, func(o *pipelines.Options) {
		o.Sources = nil
		for _, arg := range args {
			found, err := extract.Resolve(arg, extract.Env{OS: "linux"})
			must(l.t, err)
			for _, s := range found {
				if !slices.ContainsFunc(o.Sources,
					func(known extract.Source) bool { return known.UserDir == s.UserDir }) {
					o.Sources = append(o.Sources, s)
				}
			}
		}
	})
}
