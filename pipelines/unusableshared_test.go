package pipelines_test

import (
	"fmt"
	"strings"
	"testing"

	"pipeline/pipelines"
)

const (
	chatKey = "workbench.panel.aichat.view.aichat.chatdata"
	listKey = "composer.composerData"
)

// sharedUserDir has conversations that live in shared rows alone (an inline one, two old chats), and facts about others
// in shared rows.
func sharedUserDir() *userDir {
	w := baseUserDir().without("composerData:gamma", keyBeta, keyB1, keyB2)
	w.headers = []map[string]any{{"composerId": "alpha", "lastUpdatedAt": int64(1760000700000),
		"value": `{"composerId":"alpha","subtitle":"from the table"}`}}
	w.workspaces["ws1"] = folder{json: `{"folder":"file:///src/one"}`, items: map[string]any{
		listKey:                 `{"allComposers":[{"composerId":"inline","name":"Inline","createdAt":1730000000000,"conversation":[{"bubbleId":"i1","type":1,"text":"asked"},{"bubbleId":"i2","type":2,"text":"answered"}]}]}`,
		"aiService.prompts":     `[{"text":"p","commandType":4}]`,
		"aiService.generations": `[{"unixMs":1730000000000,"generationUUID":"g","textDescription":"made"}]`,
	}}
	w.workspaces["ws2"] = folder{json: `{"folder":"file:///src/two"}`, items: map[string]any{
		chatKey: `{"tabs":[{"tabId":"tab1","chatTitle":"One","lastSendTime":1720000000000,"bubbles":[{"id":"t1","type":"user","text":"hello"}]},` +
			`{"tabId":"tab2","chatTitle":"Two","lastSendTime":1720000100000,"bubbles":[{"id":"t1","type":"user","text":"hello"}]}]}`,
	}}
	return w
}

// spoiled is a copy in which an item of a workspace, or its workspace.json where key is "", has another value.
func (w *userDir) spoiled(id, key string, value any) *userDir {
	c := w.clone()
	f := c.workspaces[id]
	if key == "" {
		f.json = value.(string)
	} else {
		items := map[string]any{}
		for k, v := range f.items {
			items[k] = v
		}
		if items[key] = value; value == nil {
			delete(items, key)
		}
		f.items = items
	}
	c.workspaces[id] = f
	return c
}

var sharedTables = append([]string{"workspaces", "prompts", "daily_edit_stats"}, partTables...)

// TestUnusableShared: a shared row that is there and can no longer be read says what it said last: no conversation that
// it holds is deleted, and none loses its title or its project.
func TestUnusableShared(t *testing.T) {
	t.Parallel()
	long(t)
	base := sharedUserDir()
	badHeader := base.clone()
	badHeader.headers = []map[string]any{{"composerId": "alpha", "lastUpdatedAt": int64(1760000700000),
		"value": `{"composerId":"al`}}
	every := badHeader.spoiled("ws1", listKey, []byte{0xff, 1}).spoiled("ws2", chatKey, `{"tabs":[`).
		spoiled("ws1", "aiService.prompts", `{}`).
		spoiled("ws1", "aiService.generations", "\x78\x9c").spoiled("ws1", "", `{"folder":`).
		spoiled("ws2", "", `file:///src/two`)
	for _, c := range []struct {
		name    string
		userDir *userDir
		bad     int
		over    bool
	}{
		{"a list that is none", base.spoiled("ws1", listKey, `[1]`), 1, false},
		{"all of them", every, 7, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newFixture(t)
			l.run(base)
			before := l.dump(sharedTables...).drop(lifeColumns...)
			c.userDir.write(t, l.user)
			dry, err := pipelines.DryRun(t.Context(), l.options())
			must(t, err)
			same(t, "what a dry run predicts", int64(0), dry.Conversations.Deleted+dry.Conversations.Changed)
			for _, change := range []func(*pipelines.Options){acceptDeletes, func(*pipelines.Options) {}, full} {
				r := mustRun(t, l.options(change))
				same(t, "deleted", int64(0), r.Conversations.Deleted)
				same(t, "the rows", before, l.dump(sharedTables...).drop(lifeColumns...))
				same(t, "the quarantine", [][]string{{fmt.Sprint(c.bad), "0"}},
					l.ask(`SELECT count(*), count(resolved_load_id) FROM quarantine`))
				same(t, "failed checks", c.over, len(r.Failures) > 0)
				for _, f := range r.Failures {
					if f.Check != "unusable" || !strings.Contains(f.First, "3 of 4 conversations") {
						t.Errorf("check %s failed: %s", f.Check, f.First)
					}
				}
			}
			l.rebuilt()
			l.run(base)
			same(t, "the rows once the store is back", before, l.dump(sharedTables...).drop(lifeColumns...))
			same(t, "what is left in quarantine", [][]string{{"0"}},
				l.ask(`SELECT count(*) FROM quarantine WHERE resolved_load_id IS NULL`))
		})
	}
}

// TestUnusableSharedAndGone: what is really gone from a shared row, or with it, is deleted, also after it could not be
// read for a while.
func TestUnusableSharedAndGone(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	base := sharedUserDir()
	deleted := `SELECT conversation_id FROM conversations WHERE deleted_at IS NOT NULL ORDER BY 1`
	l.run(base)
	l.run(base.spoiled("ws2", chatKey, `{"tabs":[`))
	same(t, "deleted while the row cannot be read", [][]string{}, l.ask(deleted))
	l.run(base.spoiled("ws2", chatKey,
		`{"tabs":[{"tabId":"tab2","chatTitle":"Two","lastSendTime":1720000100000,"bubbles":[{"id":"t1","type":"user","text":"hello"}]}]}`))
	same(t, "deleted when it can, with one chat less", [][]string{{"tab1"}}, l.ask(deleted))
	l.run(base.spoiled("ws2", chatKey, `{"tabs":[`))
	l.run(base.spoiled("ws2", chatKey, nil))
	same(t, "deleted with the row", [][]string{{"tab1"}, {"tab2"}}, l.ask(deleted))
	l.run(base.spoiled("ws2", chatKey, `{"tabs":[`))
	same(t, "a row that comes back and cannot be read", [][]string{{"tab1"}, {"tab2"}}, l.ask(deleted))
	l.rebuilt()
}
