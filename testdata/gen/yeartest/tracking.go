package yeartest

import (
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"pipeline/testdata/gen/storetest"
)

// This file writes Cursor's account of who wrote which lines (docs/formats.md, The tracking database).

// A scoredCommit is a commit with its lines, by which Cursor scores it.
type scoredCommit struct {
	storetest.Commit
	hash           string
	added, removed int
}

// trackingTables are those that Cursor makes, as far as they are read.
const trackingTables = `PRAGMA synchronous = OFF;
	CREATE TABLE ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT NOT NULL, fileExtension TEXT, fileName TEXT, requestId TEXT, conversationId TEXT,
		timestamp INTEGER, createdAt INTEGER NOT NULL, model TEXT);
	CREATE TABLE scored_commits (commitHash TEXT NOT NULL, branchName TEXT NOT NULL, scoredAt INTEGER NOT NULL, linesAdded INTEGER, linesDeleted INTEGER,
		tabLinesAdded INTEGER, tabLinesDeleted INTEGER, composerLinesAdded INTEGER, composerLinesDeleted INTEGER, humanLinesAdded INTEGER, humanLinesDeleted INTEGER,
		blankLinesAdded INTEGER, blankLinesDeleted INTEGER, commitMessage TEXT, commitDate TEXT, v1AiPercentage TEXT, v2AiPercentage TEXT,
		PRIMARY KEY (commitHash, branchName));`

// writeTracking writes the account of a year: the developer's own commits of its last nine months, as Cursor began to
// keep it when the year was under way. Of what a conversation led to most lines are the agent's, of the rest a few.
func writeTracking(file string, year *storetest.Year, commits []scoredCommit) (err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(file)}).String())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(trackingTables + " BEGIN"); err != nil {
		return err
	}
	models := map[string]string{}
	for _, c := range year.Want().Conversations {
		models[c.ID] = c.Model
	}
	last := slices.MaxFunc(commits, func(a, b scoredCommit) int { return int((a.At - b.At) / 1000) }).At
	for _, c := range commits {
		if c.Email != "mira@example.org" || c.At < last-270*24*3600_000 {
			continue
		}
		if err := c.score(db, models); err != nil {
			return err
		}
	}
	_, err = db.Exec("COMMIT")
	return err
}

// score writes a commit, and pieces of the agent's and of Tab's code in it.
func (c scoredCommit) score(db *sql.DB, models map[string]string) error {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(c.hash)) // it takes everything
	chance := int(sum.Sum64() % 1000)
	blank, agent, tab := c.added/12, 0, 4+chance%9
	if c.Conversation != "" {
		agent = 55 + chance%41
	}
	counted := c.added - blank
	byAgent, byTab := counted*agent/100, counted*min(tab, 100-agent)/100
	share := "0.00"
	if counted > 0 {
		share = fmt.Sprintf("%.2f", 100*float64(byAgent+byTab)/float64(counted))
	}
	_, err := db.Exec(`INSERT INTO scored_commits VALUES (?, 'main', ?, ?, ?, ?, 0, ?, ?, ?, 0, ?, 0, ?, ?, ?, ?)`,
		c.hash, c.At+4_000, c.added, c.removed, byTab, byAgent, c.removed*agent/100, counted-byAgent-byTab, blank,
		c.Message, time.UnixMilli(c.At).UTC().Format(time.RFC3339), share, share)
	if err != nil {
		return err
	}
	files := slices.Sorted(maps.Keys(c.Files))
	for i := range (byAgent + byTab + 7) / 8 { // a piece is a few lines
		origin, conversation, model := "composer", any(c.Conversation), any(models[c.Conversation])
		file := files[i%len(files)]
		if i*8 >= byAgent {
			origin, conversation, model = "tab", nil, nil
		}
		_, err := db.Exec("INSERT INTO ai_code_hashes VALUES (?, ?, ?, ?, NULL, ?, ?, ?, ?)",
			fmt.Sprintf("%.12s%04x", c.hash, i), origin, path.Ext(file), file, conversation, c.At-int64(i+1)*30_000,
			c.At-int64(i+1)*30_000, model)
		if err != nil {
			return err
		}
	}
	return nil
}
