package pipelines_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/extract"
	"pipeline/load/push"
	"pipeline/load/redact"
	"pipeline/load/redact/redacttest"
	"pipeline/pipelines"
	"pipeline/sql/schema"
	"pipeline/testdata/gen/clitest"
	"pipeline/testdata/gen/storetest"
)

// plantedWord is in each text that a planter has changed.
const plantedWord = "zyxwcanary"

// planter puts secrets and words into texts: into the first text of a place every kind of secret, into each later one
// the next kind, before the text and behind it in turn.
type planter struct {
	secrets []redacttest.Secret
	seen    map[string]int
}

func newPlanter(seed uint64) *planter {
	// it is the beginning of another one
	secrets := slices.DeleteFunc(redacttest.Secrets(seed),
		func(s redacttest.Secret) bool { return s.Kind == "PEM that was cut" })
	return &planter{secrets, map[string]int{}}
}

func (p *planter) plant(place, text string) string {
	n := p.seen[place]
	p.seen[place]++
	some := p.secrets
	if n > 0 {
		some = some[n%len(some):][:1]
	}
	isPath := strings.ContainsAny(text, `/\`) && !strings.ContainsAny(text, " \n")
	var all []string
	for _, s := range some {
		if place == "transcript.argument" && strings.Contains(s.Text, "\n") ||
			isPath && strings.ContainsAny(s.Text, "/\\\n: ;=\"") {
			continue // no name of a file has these, and a line with a = begins another argument in a transcript
		}
		all = append(all, s.Text)
	}
	word := fmt.Sprintf("%s%d", plantedWord, n)
	switch {
	case isPath:
		return text + "/" + strings.Join(append(all, word), "/")
	case n%2 == 1:
		return strings.Join(all, "\n") + "\n" + text + " " + word
	}
	return text + " " + word + "\n" + strings.Join(all, "\n")
}

// word is for a name of one word: it gets the word, and one secret that such a name may have.
func (p *planter) word(place, text string) string {
	return text + "-" + plantedWord + "-" + p.secrets[3].Text
}

// leakFixture is a home with all sources, each text of which is planted: the editor's store, the command line's chats,
// transcripts, plans, the tracking database, usage and a repository.
type leakFixture struct {
	*trackingFixture
	p *planter
}

func newLeakFixture(t *testing.T, seed uint64) *leakFixture {
	t.Helper()
	g := newGitFixture(t)
	l := &leakFixture{&trackingFixture{g, filepath.Join(g.home, ".cursor", "ai-tracking", "ai-code-tracking.db")},
		newPlanter(seed)}
	l.user = filepath.Join(g.home, ".config", "Cursor", "User")
	store := storetest.New(storetest.Options{Seed: seed, Messages: 200, Plant: l.p.plant})
	must(t, store.Write(l.user))
	must(t, store.WriteUsage(filepath.Join(l.dir, "usage")))
	l.repository()
	home := clitest.Cases()
	home.Transcripts = clitest.Spoken().Transcripts
	home.Plant(l.p.plant)
	must(t, home.Write(filepath.Join(l.home, ".cursor")))
	l.tracking()
	l.plans()
	return l
}

// repository is one that a workspace of the store is in, with planted messages, names and a branch.
func (l *leakFixture) repository() {
	workspaces, err := filepath.Glob(filepath.Join(l.user, "workspaceStorage", "*", "workspace.json"))
	must(l.t, err)
	for _, path := range workspaces {
		text, err := os.ReadFile(path)
		must(l.t, err)
		if strings.Contains(string(text), "Ledger") {
			must(l.t, os.WriteFile(path, []byte(folderAt(l.repo).json), 0o600))
		}
	}
	l.git("checkout", "-q", "-b", l.p.word("branch", "feature"))
	l.git("config", "commit.cleanup", "verbatim")
	for n := range 30 {
		l.put("dir/"+l.p.word("file", fmt.Sprintf("a%d", n))+".go", "package a\n")
		l.git("add", "-A")
		l.gitAt(fmt.Sprintf("2025-03-%02dT08:00:00Z", n+1), "-c", "user.name="+l.p.word("author", "Mira"), "-c",
			"user.email="+l.p.word("email", "mira@example.org"), "commit", "-q", "-m", l.p.plant("commit", "Add it"))
	}
}

func (l *leakFixture) tracking() {
	must(l.t, os.MkdirAll(filepath.Dir(l.file), 0o700))
	quoted := func(place, text string) string {
		return "'" + strings.ReplaceAll(l.p.plant(place, text), "'", "''") + "'"
	}
	l.exec(trackingDDL + `UPDATE scored_commits SET commitMessage = ` + quoted("scored.message", "Make it") +
		`, branchName = ` + quoted("scored.branch", "main") + ` WHERE commitHash = 'aaaa';
		UPDATE ai_code_hashes SET fileName = ` + quoted("code.file", "src/a.go") + `;`)
	summary := storetest.Summaries("one")[0]
	for i := 1; i < 4; i++ {
		summary.Cells[i] = l.p.plant(fmt.Sprint("summary", i), fmt.Sprint(summary.Cells[i]))
	}
	summary.Cells[4] = storetest.Planter(l.p.plant).JSON("bullets", `["one of these",{"two":"and that"}]`)
	must(l.t, storetest.WriteSummaries(l.file, []storetest.Summary{summary}))
}

func (l *leakFixture) plans() {
	indented := func(place, text string) string { return strings.ReplaceAll(l.p.plant(place, text), "\n", "\n      ") }
	must(l.t, storetest.WritePlan(filepath.Join(l.home, ".cursor", "plans"),
		storetest.PlanFile{Name: plantedWord + "_1a2b3c4d.plan.md",
			Text: "---\nname: |-\n      " + indented("plan.name", "Fix it") + "\noverview: |-\n      " +
				indented("plan.overview", "It fails") + "\ntodos:\n  - id: " + plantedWord +
				"\n    content: |-\n      " + indented("plan.todo", "Find it") +
				"\n    status: pending\n---\n" + l.p.plant("plan.body", "# Fix it")}, time.UnixMilli(1760000000000)))
}

// load reads everything.
func (l *leakFixture) load() {
	found, err := extract.Resolve(l.home, extract.Env{OS: "linux", Home: l.home})
	must(l.t, err)
	l.run(nil, func(o *pipelines.Options) {
		o.Sources, o.Git = found, true
		o.Usage, o.Missing = extract.FindUsage([]string{filepath.Join(l.dir, "usage")}, "")
	})
}

// unplanted are columns of texts that have names of this program's own, and those that TestPushWords plants.
var unplanted = map[string]string{
	"read_as": "made by this program", "user_dir": "a folder of the test", "uri": "TestPushLevels",
	"host": "an option of the test", "alias_of": "no alias is given", "alias_project": "no alias is given",
	"alias_path": "no alias is given", "new_project_uri": "no alias is given", "new_project": "no alias is given",
	"new_project_path": "no alias is given", "repository_path": "a folder of the test",
	"prefix": "a folder of the test", "keyed_by": "made by this program",
	"conversation_sources.path": "a folder of the test", "started_time_zone": "a place on earth",
	"messages.summary": "TestPushWords", "file": "made by the test", "old_path": "as path", "subtitle": "TestPushWords",
	"worktree_path": "TestPushWords", "kept_from": "made by this program", "branches": "TestPushWords",
	"subagent_type": "TestPushWords", "name": "TestPushWords", "mcp_server": "TestPushWords",
	"mcp_tool": "TestPushWords", "part": "TestPushWords", "unknown_fields.path": "TestPushWords",
}

// TestPushLeaksNothing: secrets of all kinds are planted in every text of every source. At level full all are there, in
// each column of texts; at redacted and metadata there is none in any object, and at metadata no word.
func TestPushLeaksNothing(t *testing.T) {
	long(t)
	t.Parallel()
	l := newLeakFixture(t, 1)
	l.load()
	of := l.p.secrets
	at := func(level string) (all string, k *lake) {
		dir := t.TempDir()
		o := l.pushOptions(storeIn(t, dir))
		o.Target, o.Level, o.Redact = dir, level, func(text, _ string) string { return redact.Text(text) }
		l.push(o)
		k = readLake(t, dir)
		return k.texts(dir), k
	}
	full, k := at(push.Full)
	found := redacttest.Leaks(full, of)
	for _, s := range l.p.secrets {
		if found[s.Kind] == "" {
			t.Errorf("at level full there is no %s: it was not planted", s.Kind)
		}
	}
	for _, table := range schema.Tables() {
		for _, c := range table.Columns {
			if table.IsShared() && unplanted[c.Name] == "" && unplanted[table.Name+"."+c.Name] == "" &&
				c.Discloses == schema.Texts {
				var n int
				must(t, k.conn.QueryRowContext(t.Context(),
					fmt.Sprintf("SELECT count(*) FROM temp.%s WHERE contains(CAST(%s AS VARCHAR), '%s')", table.Name,
						c.Name, plantedWord)).Scan(&n))
				if n == 0 {
					t.Errorf("no text of %s.%s is planted: does the generator write it?", table.Name, c.Name)
				}
			}
		}
	}
	redacted, _ := at(push.Redacted)
	for kind, around := range redacttest.Leaks(redacted, of) {
		t.Errorf("at level redacted there is a piece of %s: %q", kind, around)
	}
	if n := strings.Count(redacted, plantedWord); n < strings.Count(full, plantedWord)*9/10 {
		t.Errorf("at level redacted only %d words are left of %d", n, strings.Count(full, plantedWord))
	}
	metadata, _ := at(push.Metadata)
	for kind, around := range redacttest.Leaks(metadata, of) {
		t.Errorf("at level metadata there is a piece of %s: %q", kind, around)
	}
	for _, word := range []string{plantedWord, "mira", "Mira", "tide-api", "Ledger", "/home", "/src/", "example.org",
		"Month end"} {
		if i := strings.Index(metadata, word); i >= 0 {
			t.Errorf("at level metadata there is %s: %q", word, metadata[max(0, i-100):min(len(metadata), i+60)])
		}
	}
}

// TestPushWords: where the format has a list of words, a store may have texts and names. At level metadata none of them
// is in an object.
func TestPushWords(t *testing.T) {
	t.Parallel()
	l, p := newFixture(t), newPlanter(2)
	text := func(place string) string {
		quoted, err := json.Marshal(p.plant(place, "This is no word"))
		must(t, err)
		return string(quoted)
	}
	name := `"` + p.word("", "own") + `"`
	w := baseUserDir().with(keyAlpha, strings.Replace(alphaHead, `"name":"Alpha","createdAt"`,
		`"name":`+text("name")+`,"subtitle":`+text("subtitle")+`,"branches":[{"branchName":`+name+
			`}],"subagentInfo":{"subagentTypeName":`+name+
			`},"`+plantedWord+`Field":7,"createdAt"`, 1),
		keyA2,
		`{"_v":2,"type":2,"bubbleId":"a2","text":"An answer","createdAt":"2025-10-09T08:55:20Z","modelInfo":{"modelName":`+text("model")+`},"errorDetails":{"error":`+text("error")+`},"cachedConversationSummary":{"summary":`+text("summary")+`}}`, keyA3, `{"_v":2,"type":2,"bubbleId":"a3","createdAt":"2025-10-09T08:56:20Z","toolFormerData":{"name":"mcp_`+
			plantedWord+`_do","toolCallId":"call-1","status":`+text("status")+`,"userDecision":`+text("decision")+
			`,"params":"{\"tools\":[{\"serverName\":\"`+plantedWord+`\",\"name\":\"`+plantedWord+`_do\"}]}"}}`,
		keyBeta, strings.Replace(betaHead, `"name":"Beta"`,
			`"name":"Beta","isWorktree":true,"agentLocation":{"worktreePath":"/w/`+p.word("", "own")+`"},"status":`+
				text("status")+`,"unifiedMode":"This is no `+plantedWord+`","modelConfig":{"modelName":`+text("model")+
				`},"codeBlockData":{"file:///w/a.go":{"block-1":{"codeblockId":"block-1","bubbleId":"b2","languageId":`+
				text("language")+`,"status":`+text("status")+`}}}`, 1))
	l.run(w)
	at := func(level string) string {
		dir := t.TempDir()
		o := l.pushOptions(storeIn(t, dir))
		o.Target, o.Level, o.Redact = dir, level, func(text, _ string) string { return redact.Text(text) }
		l.push(o)
		return readLake(t, dir).texts(dir)
	}
	if !strings.Contains(at(push.Full), plantedWord) {
		t.Error("at level full there is no word")
	}
	for _, column := range []string{"conversations.mode", "conversations.subagent_type", "conversations.subtitle",
		"conversations.branches", "conversations.worktree_path", "messages.model", "messages.error_code",
		"messages.summary", "tool_calls.status", "tool_calls.tool", "tool_calls.name", "tool_calls.user_decision",
		"tool_calls.mcp_server", "tool_calls.mcp_tool", "code_edits.language", "code_edits.status",
		"unknown_fields.path"} {
		table, name, _ := strings.Cut(column, ".")
		if got := l.ask(fmt.Sprintf("SELECT count(*) > 0 FROM %s WHERE contains(CAST(%s AS VARCHAR), '%s')", table,
			name, plantedWord)); got[0][0] != "true" {
			t.Errorf("no word is planted in %s", column)
		}
	}
	for level, all := range map[string]string{push.Redacted: at(push.Redacted), push.Metadata: at(push.Metadata)} {
		for kind, around := range redacttest.Leaks(all, p.secrets) {
			t.Errorf("at level %s there is a piece of %s: %q", level, kind, around)
		}
		if i := strings.Index(all, plantedWord); i >= 0 && level == push.Metadata {
			t.Errorf("at level metadata there is a word: %q", all[max(0, i-100):min(len(all), i+60)])
		}
	}
}
