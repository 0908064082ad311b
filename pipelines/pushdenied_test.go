package pipelines_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pipeline/extract"
	"pipeline/load/engine"
	"pipeline/load/push"
	"pipeline/load/redact"
	"pipeline/pipelines"
	"pipeline/sql/schema"
	"pipeline/testdata/gen/storetest"
	"pipeline/testdata/gen/usagetest"
)

// What is denied: deniedWord is in every text, file, branch and id of a denied project, and of what nothing says whose
// it is; deniedName is in each of the project's names. openWord is in the texts of the others. quotedWord is in what
// chats have read of the denied project's files.
const (
	deniedWord = "zqdenied"
	deniedName = "nightjar"
	openWord   = "zqopen"
	quotedWord = "zqquoted"
)

// partName is of a project that is denied, too, and is in one repository with another that is not.
const partName = deniedName + "-part"

// oddURI is what a workspace is said to be, and no URI of a project.
const oddURI = deniedName + "-core at home"

// copied ends the ids of chats that a second user directory has, too.
const copied = "-550e8400-e29b-41d4-a716-446655440000"

// deniedFixture is a home with a project that is to stay there, under three names (its folder, worktrees of git and of
// Cursor, and a name that it had before) and with a folder of it opened for itself, another project, whose texts name
// it, and chats of no project. Each has rows in all tables.
type deniedFixture struct {
	*trackingFixture
	w       *userDir
	secret  string // folder of the project
	mention string // its names, as other chats have them
}

func newDeniedFixture(t *testing.T) *deniedFixture {
	t.Helper()
	g := newGitFixture(t)
	l := &deniedFixture{trackingFixture: &trackingFixture{g,
		filepath.Join(g.home, ".cursor", "ai-tracking", "ai-code-tracking.db")},
		w: &userDir{rows: map[string]any{}, workspaces: map[string]folder{}}}
	l.user = filepath.Join(g.home, ".config", "Cursor", "User")
	l.secret = filepath.Join(g.dir, "src", deniedName+"-core")
	l.mention = strings.Join([]string{"see", deniedName + "-core,", strings.ToUpper(deniedName) + "-CORE",
		l.secret + "/a.go", "file://" + l.secret, `c:\w\` + deniedName + `-core\n.go`,
		"git@example.org:team/" + deniedName + "-core.git", "the old Old-Nightjar", "../" + deniedName + "-wt"}, " ")
	hashes := l.repositories()
	l.chats()
	l.tracked(hashes)
	l.handedOver()
	return l
}

// repositories are those of both projects, with a commit each while the chats are going on, and a worktree.
func (l *deniedFixture) repositories() (hashes []string) {
	open := l.repo
	for folder, word := range map[string]string{l.secret: deniedWord, open: openWord} {
		l.repo = folder
		must(l.t, os.MkdirAll(folder, 0o700))
		l.git("init", "-q", "-b", word+"-main")
		l.put(word+".go", "package a\n")
		message := word + " begins"
		if word == openWord {
			message += " " + l.mention
		}
		hashes = append(hashes, l.commit("2025-10-09T08:58:00Z", message))
	}
	l.repo = filepath.Join(l.dir, "src", "mono")
	must(l.t, os.MkdirAll(l.repo, 0o700))
	l.git("init", "-q", "-b", deniedWord+"-mono")
	l.put(partName+"/"+deniedWord+".go", "package a\n")
	l.put("side/"+deniedWord+".go", "package a\n")
	hashes = append(hashes, l.commit("2025-10-09T08:58:00Z", deniedWord+" in one repository"))
	l.repo = l.secret
	l.git("worktree", "add", "-q", "-b", deniedWord+"-tree", filepath.Join(l.dir, "src", deniedName+"-wt"))
	l.repo = open
	return hashes
}

func (l *deniedFixture) chats() {
	for id, at := range map[string]string{"core": l.secret, "tree": filepath.Join(l.dir, "src", deniedName+"-wt"),
		"before": "/old/old-" + deniedName, "inner": l.secret + "/inner",
		"cursor": "/h/.cursor/worktrees/" + deniedName + "-core/ab12",
		"part":   filepath.Join(l.dir, "src", "mono", partName)} {
		l.w = l.w.withFolder(deniedWord+"-"+id,
			folder{json: folderAt(at).json, items: map[string]any{"aiService.prompts": `[{"text":"` + deniedWord +
				` prompt","commandType":4}]`}})
		l.chat(deniedWord+"-"+id, deniedWord+"-"+id, deniedWord+" in "+at, at)
	}
	l.w = l.w.withFolder(deniedWord+"-odd", folder{json: `{"folder":"` + oddURI + `"}`,
		items: map[string]any{"aiService.prompts": `[{"text":"` + deniedWord + ` of the odd one","commandType":4}]`}})
	l.w = l.w.withFolder("open", folder{json: folderAt(l.repo).json,
		items: map[string]any{"aiService.prompts": `[{"text":` + jsonText(l.t, openWord+" "+l.mention) +
			`,"commandType":4}]`}})
	l.chat("open-names", "open", openWord+" "+l.mention, l.secret)
	l.chat("open", "open", openWord, l.repo)
	l.w = l.w.withFolder("side", folderAt(filepath.Join(l.dir, "src", "mono", "side")))
	l.chat("open-side", "side", openWord, filepath.Join(l.dir, "src", "mono", "side"))
	l.chat("free", "", openWord, "/nowhere")
	l.chat(deniedWord+"-cloud", "", deniedWord, "/nowhere")
	l.chat(deniedWord+"-free", "", deniedWord+" "+l.mention, l.secret)
	l.chat(deniedWord+copied, deniedWord+"-core", deniedWord, l.secret)
	l.chat("open"+copied, "open", openWord, l.repo)
	l.w = l.w.with("composerData:"+deniedWord+"-sub",
		`{"name":"`+deniedWord+`","createdAt":1760000060000,"subagentInfo":{"parentComposerId":"`+deniedWord+`-core"}}`,
		"bubbleId:"+deniedWord+"-sub:s1", `{"type":1,"text":"`+deniedWord+`"}`, "composerData:"+deniedWord+"-sub-free",
		`{"name":"`+deniedWord+`","createdAt":1760000060000,"subagentInfo":{"parentComposerId":"`+deniedWord+`-free"}}`,
		"codeBlockDiff:d-of-nobody",
		`{"newModelDiffWrtV0":[{"original":{"startLineNumber":1,"endLineNumberExclusive":2},"modified":["a","b"]}]}`)
	l.w.extra = append(l.w.extra, storetest.Row{Table: storetest.ItemTable, Key: "aiService.prompts",
		Value: `[{"text":"` + deniedWord + ` of nobody knows which project","commandType":4}]`})
}

// chat adds a conversation that has a text in each column, all at work on files of a folder.
func (l *deniedFixture) chat(id, workspace, text, at string) {
	word, t := strings.Fields(text)[0], jsonText(l.t, text)
	file, contents := jsonText(l.t, "file://"+at+"/"+word+".go"), jsonText(l.t, "package a")
	if strings.Contains(at, deniedName) {
		contents = jsonText(l.t, quotedWord)
	}
	model := "m-1"
	if id == deniedWord+"-core" { // it alone has it: so events are known to be of it by their time
		model = "m-2"
	}
	args := jsonText(l.t, `{"command":"cd `+at+` && cat `+word+`.go","cwd":`+t+`,"relativeWorkspacePath":"`+at+`/`+word+
		`.go","contents":`+contents+`}`)
	result := jsonText(l.t, `{"output":`+contents+`}`)
	l.w = l.w.with("composerData:"+id,
		fmt.Sprintf(
			`{"_v":13,"composerId":%[1]q,"name":%[2]s,"subtitle":%[2]s,"createdAt":1760000000000,"lastUpdatedAt":1760000600000,"unifiedMode":"agent","status":"completed","text":%[2]s,
		"modelConfig":{"modelName":%[5]q},"workspaceIdentifier":{"id":%[3]q},"branches":[{"branchName":%[2]s}],"activeBranch":{"branchName":%[2]s},"usageData":{"m-1":{"amount":2,"costInCents":3}},
		"promptTokenBreakdown":{"categories":[{"id":%[2]s,"label":%[2]s,"estimatedTokens":7}]},"codeBlockData":{%[4]s:{"block-%[1]s":{"codeblockId":"block-%[1]s","bubbleId":"a2","languageId":"go","status":"accepted"}}},
		"context":{"folderSelections":[{"relativePath":%[2]s}]},"fullConversationHeadersOnly":[{"bubbleId":"a1","type":1},{"bubbleId":"a2","type":2},{"bubbleId":"a3","type":2},{"bubbleId":"a4","type":2}]}`, id, t, workspace, file, model),
		"bubbleId:"+id+":a1", `{"_v":2,"type":1,"bubbleId":"a1","text":`+t+`,"requestId":"r-`+id+
			`","createdAt":"2025-10-09T08:54:20Z","context":{"fileSelections":[{"uri":{"path":`+t+
			`},"relativeWorkspacePath":`+t+`,"text":`+contents+`}]}}`,
		"bubbleId:"+id+":a2", `{"_v":2,"type":2,"bubbleId":"a2","text":`+t+`,"thinking":{"text":`+t+
			`},"createdAt":"2025-10-09T08:55:20Z","errorDetails":{"error":"e","message":`+t+
			`},"cachedConversationSummary":{"summary":`+t+`},"codeBlocks":[{"uri":`+file+`,"content":`+contents+`}]}`,
		"bubbleId:"+id+":a3",
		`{"_v":2,"type":2,"bubbleId":"a3","createdAt":"2025-10-09T08:56:20Z","toolFormerData":{"tool":15,"name":"run_terminal_command_v2","toolCallId":"call-1","status":"error","params":`+args+`,"rawArgs":`+args+`,"result":`+result+
			`,"error":`+contents+`,"additionalData":{"why":`+contents+`}}}`,
		"bubbleId:"+id+":a4",
		`{"_v":2,"type":2,"bubbleId":"a4","createdAt":"2025-10-09T08:56:40Z","toolFormerData":{"tool":7,"name":"edit_file","toolCallId":"call-2","status":"completed","params":`+args+`}}`, "checkpointId:"+id+":k1", `{"files":[{"uri":{"path":`+t+`},"content":`+contents+`}]}`,
		"codeBlockDiff:"+id+":d1",
		`{"newModelDiffWrtV0":[{"original":{"startLineNumber":1,"endLineNumberExclusive":2},"modified":["a","b"]}]}`)
}

// tracked is what Cursor has written down of commits, pieces of code and conversations.
func (l *deniedFixture) tracked(commits []string) {
	must(l.t, os.MkdirAll(filepath.Dir(l.file), 0o700))
	l.exec(trackingDDL + `DELETE FROM ai_code_hashes; DELETE FROM scored_commits;`)
	for i, row := range [][2]string{{deniedWord + "-core", ""}, {"", "r-" + deniedWord + "-core"}, {"", ""},
		{"open", "r-open"}, {"", "r-open"}} {
		word := deniedWord
		if i > 2 {
			word = openWord
		}
		l.exec(
			fmt.Sprintf(
				`INSERT INTO ai_code_hashes VALUES ('h%d', 'composer', '.go', '%s.go', nullif('%s', ''), nullif('%s', ''), 1760000000000, 1760000000001, 'default');`, i, word, row[1], row[0]))
	}
	messages := l.rowsOfGit(commits)
	messages["aaaa"] = deniedWord + " of nobody knows which repository"
	for hash, message := range messages {
		l.exec(
			fmt.Sprintf(
				`INSERT INTO scored_commits (commitHash, branchName, scoredAt, commitMessage) VALUES ('%s', '%s', 1760000400000, '%s');`, hash, strings.Fields(message)[0], message))
	}
	var notes []storetest.Summary
	for id, text := range map[string]string{deniedWord + "-core": deniedWord,
		"gone": deniedWord + " of nobody knows what", "open": openWord + " " + l.mention} {
		notes = append(notes,
			storetest.Summary{Cells: []any{id, text, text, text, "[" + jsonText(l.t, text) + "]", "gpt-5", "agent",
				int64(1760000000000)}})
	}
	must(l.t, storetest.WriteSummaries(l.file, notes))
	for name, text := range map[string]string{deniedWord: deniedWord, "unnamed-" + deniedWord: deniedWord,
		"open": openWord + " " + l.mention} {
		must(l.t, storetest.WritePlan(filepath.Join(l.home, ".cursor", "plans"),
			storetest.PlanFile{Name: name + "_1a2b3c4d.plan.md",
				Text: "---\nname: " + jsonText(l.t, text) + "\noverview: " + jsonText(l.t, text) +
					"\ntodos:\n  - id: " +
					jsonText(l.t, text) + "\n    content: " + jsonText(l.t, text) + "\n    status: pending\n---\n" +
					text}, time.UnixMilli(1760000000000)))
	}
}

// rowsOfGit are the messages of commits.
func (l *deniedFixture) rowsOfGit(commits []string) map[string]string {
	out, open := map[string]string{}, l.repo
	for _, folder := range []string{l.secret, open} {
		l.repo = folder
		for _, line := range strings.Split(l.git("log", "--format=%H %s"), "\n") {
			hash, subject, _ := strings.Cut(line, " ")
			if slices.Contains(commits, hash) {
				out[hash] = subject
			}
		}
	}
	l.repo = open
	return out
}

// earlyExport is the export that tells least of the denied project's event.
const earlyExport = "usage-early.csv"

// handedOver are events of usage: of known chats, of one that no store has, and of a time at which a chat was going on.
func (l *deniedFixture) handedOver() {
	dir := filepath.Join(l.dir, "usage")
	must(l.t, os.MkdirAll(dir, 0o700))
	var turns []usagetest.Turn
	for i, id := range []string{deniedWord + "-core", "open", "gone"} {
		turns = append(turns, usagetest.Turn{ID: "t-" + id, Conversation: id, Model: "m-1",
			At: 1760000000000 + int64(i)*1000, Fresh: 1, Write: 2, Read: 3, Output: 4, Stops: 1, Answers: 1})
	}
	log, _ := usagetest.Hooks(turns, "payload")
	must(l.t, os.WriteFile(filepath.Join(dir, "hooks.jsonl"), log, 0o600))
	// Two exports tell of the event: of them only one has the id under which the event is known.
	requests := []usagetest.Request{{At: time.Date(2025, 10, 9, 8, 55, 20, 0, time.UTC).UnixMilli(), Model: "m-2",
		Kind: usagetest.Kinds[0], Tokens: true, Fresh: 5}}
	for name, generation := range map[string]string{"usage.csv": "v3", earlyExport: "tokens"} {
		export, _ := usagetest.Export(requests, usagetest.Style{Generation: generation}, 1)
		must(l.t, os.WriteFile(filepath.Join(dir, name), export, 0o600))
	}
	for _, name := range []string{"hooks.jsonl", "usage.csv", earlyExport} {
		old := time.Now().Add(-time.Hour)
		must(l.t, os.Chtimes(filepath.Join(dir, name), old, old))
	}
}

// load reads everything, and says which chats have the plans, that a chat is of a cloud agent which another one shows,
// and that a workspace's store has a difference: in a home the agent's graph, a composer and such a store do.
func (l *deniedFixture) load() {
	l.w.write(l.t, l.user)
	second := &userDir{rows: maps.Clone(l.w.rows), workspaces: l.w.workspaces}
	maps.DeleteFunc(second.rows, func(key string, _ any) bool { return !strings.Contains(key, copied) })
	found, err := extract.Resolve(l.home, extract.Env{OS: "linux", Home: l.home})
	must(l.t, err)
	found = append(found, resolve(l.t, "second="+second.at(l.t, filepath.Join(l.dir, "second", "User")))...)
	alias, err := pipelines.ParseAlias("/old/old-"+deniedName, l.secret)
	must(l.t, err)
	l.run(nil, estimating("m-1", 1, 2), func(o *pipelines.Options) {
		o.Sources, o.Git, o.Aliases = found, true, []pipelines.Alias{alias}
		o.Usage, o.Missing = extract.FindUsage([]string{filepath.Join(l.dir, "usage")}, "")
	})
	l.change(
		fmt.Sprintf(
			`UPDATE conversations SET plan_paths = '["/h/.cursor/plans/%[1]s_1a2b3c4d.plan.md"]' WHERE conversation_id = '%[1]s-core'; UPDATE conversations SET plan_paths = '["/h/.cursor/plans/open_1a2b3c4d.plan.md"]' WHERE conversation_id = 'open';
		INSERT INTO conversation_copies BY NAME SELECT source_id, conversation_id, source_id AS primary_source_id, true AS is_primary, 1 AS copies, '%[1]s-core' AS primary_conversation_id FROM conversations WHERE conversation_id = '%[1]s-cloud';
		INSERT INTO code_diffs BY NAME SELECT source_id, '%[1]s-diff' AS diff_id, '(workspace/' || workspace_id || ')' AS keyed_by FROM workspaces WHERE workspace_id = '%[1]s-core'`, deniedWord))
}

func jsonText(t *testing.T, text string) string {
	t.Helper()
	out, err := json.Marshal(text)
	must(t, err)
	return string(out)
}

// denials are ways to name the project; case does not count where it is a glob, and whoever asks is as the command line
// is.
func (l *deniedFixture) denials() map[string]func(push.Project) bool {
	all := map[string]func(push.Project) bool{
		"its URI":  func(p push.Project) bool { return p.URI == "file://"+l.secret },
		"its path": func(p push.Project) bool { return p.Path == l.secret },
		"its name": func(p push.Project) bool { return p.Name == deniedName+"-core" },
		"a glob": func(p push.Project) bool {
			return strings.Contains(strings.ToLower(p.URI), "/"+deniedName+"-c")
		},
		"its old name": func(p push.Project) bool { return p.Name == "old-"+deniedName },
		"its worktree": func(p push.Project) bool { return p.Name == deniedName+"-wt" },
	}
	for by, is := range all {
		all[by] = func(p push.Project) bool { return is(p) || p.URI == oddURI || p.Name == partName }
	}
	return all
}

// tells fails where an object has anything of what is denied.
func tells(t *testing.T, what, all string) {
	t.Helper()
	lower := strings.ToLower(all)
	for _, word := range []string{deniedWord, deniedName, quotedWord} {
		if i := strings.Index(lower, word); i >= 0 {
			t.Errorf("%s: there is %s: %q", what, word, all[max(0, i-200):min(len(all), i+80)])
		}
	}
}

// deniedRow is the condition on a row t of a warehouse that is the denied project's, or of nobody knows whom. It goes
// by the words that the fixture has put there.
func deniedRow(table schema.Table) string {
	cells := "lower(CAST(to_json(t) AS VARCHAR))"
	switch {
	case table.Name == "usage_records":
		return "t.file = '" + earlyExport + "' OR t.event_id IN (SELECT event_id FROM w.usage_events WHERE " +
			"contains(conversation_id, '" + deniedWord + "'))"
	case table.Name == "conversation_commits":
		return "contains(" + cells + ", '" + deniedWord + "') OR t.conversation_id = 'open-side'"
	case table.Has("project_uri"):
		return "contains(" + cells + ", '" + deniedWord + "') OR contains(t.project_uri, '" + deniedName + "')"
	}
	return "contains(" + cells + ", '" + deniedWord + "')"
}

// holdsBut compares the tables of a lake with a warehouse: it has each row but those of the denied project, and those
// that name it have a mark.
func (k *lake) holdsBut(l *deniedFixture) {
	k.t.Helper()
	ctx := context.Background()
	ask := func(query string) (n int) {
		k.t.Helper()
		must(k.t, k.conn.QueryRowContext(ctx, query).Scan(&n))
		return n
	}
	_, err := k.conn.ExecContext(ctx, "ATTACH "+engine.Literal(l.warehouse())+" AS w (READ_ONLY)")
	must(k.t, err)
	for _, table := range schema.Tables() {
		if !table.IsShared() {
			continue
		}
		var columns []string
		for _, c := range table.Columns {
			columns = append(columns, fmt.Sprintf("CAST(t.%[1]s AS VARCHAR) AS %[1]s", engine.Identifier(c.Name)))
		}
		list := strings.Join(columns, ", ")
		if want, got := ask("SELECT count(*) FROM w."+table.Name+" t WHERE NOT coalesce("+deniedRow(table)+", false)"),
			ask("SELECT count(*) FROM temp."+table.Name); want != got {
			k.t.Errorf("%s: %d rows are there, and %d are to be", table.Name, got, want)
		}
		plain := "SELECT " + list + " FROM w." + table.Name + " t WHERE NOT coalesce(" + deniedRow(table) +
			", false) AND NOT contains(lower(CAST(to_json(t) AS VARCHAR)), '" + deniedName + "')"
		seen := "SELECT " + list + " FROM temp." + table.Name +
			" t WHERE NOT contains(CAST(to_json(t) AS VARCHAR), '[redacted:project]')"
		if n := ask("SELECT count(*) FROM ((" + plain + ") EXCEPT ALL (" + seen + "))"); n > 0 {
			k.t.Errorf("%s: %d rows that name nothing are not as they were", table.Name, n)
		}
	}
	_, err = k.conn.ExecContext(ctx, "DETACH w")
	must(k.t, err)
}

// at pushes at a level to an empty store, and is what its objects have.
func (l *deniedFixture) at(level string, change func(*push.Options)) (string, *lake) {
	dir := l.t.TempDir()
	o := l.pushOptions(storeIn(l.t, dir))
	o.Target, o.Level, o.Redact = dir, level, func(text, _ string) string { return redact.Text(text) }
	change(&o)
	l.push(o)
	k := readLake(l.t, dir)
	return k.texts(dir), k
}

// TestPushDenied: of a project that is denied under any of its names no object of the store has a text, a name or a
// row; all else is there.
func TestPushDenied(t *testing.T) {
	t.Parallel()
	l := newDeniedFixture(t)
	l.load()
	everything, k := l.at(push.Full, func(*push.Options) {})
	for _, word := range []string{deniedWord, deniedName + "-core", deniedName + "-wt", "old-" + deniedName, openWord,
		quotedWord} {
		if !strings.Contains(everything, word) {
			t.Errorf("where nothing is denied, %s is missing: the test looks for nothing", word)
		}
	}
	for _, table := range schema.Tables() {
		if !table.IsShared() ||
			slices.Contains([]string{"sources", "loads", "unknown_fields", "daily_edit_stats", "model_prices"},
				table.Name) {
			continue // these are nobody's
		}
		query := strings.ReplaceAll(deniedRow(table), "w.usage_events", "temp.usage_events")
		var denied, open int
		must(t, k.conn.QueryRowContext(t.Context(),
			"SELECT count(*) FILTER (WHERE "+query+"), count(*) FILTER (WHERE NOT coalesce("+query+
				", false)) FROM temp."+table.Name+" t").Scan(&denied, &open))
		if denied == 0 || open == 0 && table.Name != "project_aliases" {
			t.Errorf("%s has %d rows of the denied project, and %d others", table.Name, denied, open)
		}
	}
	for by, deny := range l.denials() {
		for _, level := range push.Levels {
			if by != "its old name" && testing.Short() {
				continue // make test-all has them all
			}
			all, k := l.at(level, func(o *push.Options) { o.Deny = deny })
			tells(t, "denied by "+by+", level "+level, all)
			if level == push.Full {
				k.holdsBut(l)
			}
			if level != push.Metadata && (!strings.Contains(all, openWord) ||
				!strings.Contains(all, "[redacted:project]")) {
				t.Errorf("denied by %s, level %s: the texts of others are missing", by, level)
			}
		}
	}
	named, _ := l.at(push.Full, func(o *push.Options) { o.Named = []push.Project{{Name: "Begins"}} })
	if !strings.Contains(everything, openWord+" begins") || strings.Contains(named, openWord+" begins") ||
		!strings.Contains(named, openWord+" [redacted:project]") || !strings.Contains(named, deniedWord) {
		t.Error("a name that a denial writes out, and that no project here has, is in a text, or more is missing")
	}
	all, k := l.at(push.Full, func(o *push.Options) { o.Only = func(p push.Project) bool { return p.Name == "one" } })
	tells(t, "of the other project alone", all)
	var conversations, free int
	must(t, k.conn.QueryRowContext(t.Context(),
		`SELECT count(*), count(*) FILTER (WHERE conversation_id NOT LIKE 'open%') FROM conversations`).
		Scan(&conversations, &free))
	if conversations != 4 || free > 0 {
		t.Errorf("of the other project alone: %d conversations, of which %d are of none", conversations, free)
	}
}

// TestPushDeniedLater: what was pushed before its project was denied is withdrawn at once, with its names in the chats
// that have them, and of those alone; once a checkpoint and the removal of what is older are through, no object has
// anything of it.
func TestPushDeniedLater(t *testing.T) {
	long(t)
	t.Parallel()
	l := newDeniedFixture(t)
	l.load()
	dir := t.TempDir()
	o := l.pushOptions(storeIn(t, dir))
	l.push(o)
	o.Deny = l.denials()["its name"]
	r := l.push(o)
	k := readLake(t, dir)
	k.holdsBut(l)
	var put string
	must(t, k.conn.QueryRowContext(t.Context(),
		fmt.Sprintf(
			`SELECT coalesce(string_agg(conversation_id, ' ' ORDER BY conversation_id), '') FROM read_parquet('%s/v1/machine=*/commit/*.parquet') WHERE seq = %d AND op = 'put' AND unit = 'conversation' AND conversation_id LIKE '%%e%%'`, dir, r.Seq)).Scan(&put))
	if put != "open open-names open-side" { // open has a summary that names it, and open-side had commits
		t.Errorf("sent again: %q", put)
	}
	if r := l.push(o); r.Units+r.Withdrawn > 0 {
		t.Errorf("nothing new: %+v", r)
	}
	o.Checkpoint = true
	l.push(o)
	o.Now = o.Now.Add(push.Grace)
	_, err := push.Collect(t.Context(), o, push.Grace)
	must(t, err)
	k = readLake(t, dir)
	tells(t, "after the checkpoint", k.texts(dir))
	k.holdsBut(l)
}

// TestPushWithdrawnEverywhere: of conversations that are withdrawn no table of any object has a row once a checkpoint
// and the removal of what is older are through: neither their summaries and plans, nor the pieces of code and the
// events of usage that only their requests name. The rest of the project stays.
func TestPushWithdrawnEverywhere(t *testing.T) {
	long(t)
	t.Parallel()
	l := newDeniedFixture(t)
	l.load()
	dir := t.TempDir()
	o := l.pushOptions(storeIn(t, dir))
	l.push(o)
	const withdrawn = deniedWord + "-core"
	places := map[string]string{
		"ai_code_hashes": "code_hash IN ('h0', 'h1')", "plans": "plan_id = '" + deniedWord + "_1a2b3c4d'",
		"plan_todos": "plan_id = '" + deniedWord + "_1a2b3c4d'", "usage_records": "request_id = 't-" + withdrawn + "'",
	}
	for _, table := range schema.Tables() {
		if table.IsShared() && table.Has("conversation_id") && places[table.Name] == "" &&
			table.Name != "conversation_copies" && table.Name != "turn_estimates" {
			// it has no copy, and its turn an event
			places[table.Name] = "conversation_id IN ('" + withdrawn + "', '" + deniedWord + "-sub')"
		}
	}
	k := readLake(t, dir)
	count := func(table, where string) (n int) {
		t.Helper()
		must(t, k.conn.QueryRowContext(t.Context(),
			fmt.Sprintf("SELECT count(*) FROM read_parquet('%s/v1/machine=*/push=*/%s.parquet', hive_partitioning = "+
				"false) WHERE %s", dir, table, where)).Scan(&n))
		return n
	}
	for table, where := range places {
		if count(table, where) == 0 {
			t.Errorf("%s has nothing to withdraw", table)
		}
	}
	o.Withdraw = []string{withdrawn}
	if r := l.push(o); r.Withdrawn == 0 {
		t.Errorf("withdrawn: %+v", r)
	}
	o.Withdraw, o.Checkpoint = nil, true
	l.push(o)
	o.Now = o.Now.Add(push.Grace)
	_, err := push.Collect(t.Context(), o, push.Grace)
	must(t, err)
	for table, where := range places {
		if n := count(table, where); n > 0 {
			t.Errorf("%d rows of %s are still in an object", n, table)
		}
	}
	for table, where := range map[string]string{"conversations": "conversation_id = '" + deniedWord + "-tree'",
		"plans":      "plan_id = 'unnamed-" + deniedWord + "_1a2b3c4d'",
		"workspaces": "workspace_id = '" + withdrawn + "'"} {
		if count(table, where) == 0 {
			t.Errorf("%s lacks what was not withdrawn", table)
		}
	}
}
