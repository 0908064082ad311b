package pipelines_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pipeline/pipelines"
	"pipeline/pipelines/plan"
)

const (
	updateSQL = `UPDATE cursorDiskKV SET value = ?2 WHERE key = ?1`
	upsertSQL = `INSERT INTO cursorDiskKV (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value != excluded.value`
)

// inPlaceFixture is a source in which each family of rows has a conversation of its own, one of them in a workspace's
// store.
type inPlaceFixture struct {
	*fixture
	rows map[string]func(n int) string // what a row says in its n-th version: n has one digit where the size stays
}

// inWorkspace is the row that the workspace's store holds.
const inWorkspace = "bubbleId:work:w1"

func newInPlaceFixture(t *testing.T) *inPlaceFixture {
	bubble := func(n int) string { return fmt.Sprintf(`{"_v":2,"type":1,"text":"version %d"}`, n) }
	l := &inPlaceFixture{newFixture(t), map[string]func(int) string{
		"bubbleId:c1:b1": bubble, "bubbleId:orphan:o1": bubble, inWorkspace: bubble, "ofsContent:f1": bubble,
		"checkpointId:c2:p1": func(n int) string {
			return fmt.Sprintf(`{"files":[],"version":%d}`, n)
		},
		"messageRequestContext:c3:r1": func(n int) string {
			return fmt.Sprintf(`{"terminalFiles":[],"version":%d}`, n)
		},
		"codeBlockDiff:c4:d1": func(n int) string {
			return fmt.Sprintf(`{"newModelDiffWrtV0":[],"version":%d}`, n)
		},
		"codeBlockPartialInlineDiffFates:c5:u1:f1": func(n int) string {
			return fmt.Sprintf(`{"fates":[],"version":%d}`, n)
		},
		"codeBlockDiff:alone": func(n int) string {
			return fmt.Sprintf(`{"newModelDiffWrtV0":[],"version":%d}`, n)
		},
	}}
	w := &userDir{rows: map[string]any{"composerData:c6": inPlaceHead("c6", 1)},
		workspaces: map[string]folder{"ws1": {json: `{"folder":"file:///src/one"}`,
			items: map[string]any{
				"composer.composerHeaders": `{"allComposers":[{"composerId":"c4","lastUpdatedAt":1760000000001}]}`,
			}}},
		headers: []map[string]any{{"composerId": "c3", "workspaceId": "ws1", "lastUpdatedAt": 1760000000001}}}
	for key, version := range l.rows {
		if key != inWorkspace {
			w.rows[key] = version(1)
		}
		if id := strings.Split(key, ":")[1]; strings.HasPrefix(id, "c") {
			w.rows["composerData:"+id] = inPlaceHead(id, 1)
		}
	}
	w.write(t, l.user)
	l.execIn(l.store(inWorkspace), `CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`)
	l.execIn(l.store(inWorkspace), replaceRowSQL, inWorkspace, bubble(1))
	return l
}

// inPlaceHead is a conversation's own document; its size stays.
func inPlaceHead(id string, n int) string {
	return fmt.Sprintf(
		`{"_v":13,"composerId":"%s","name":"Chat %[1]s","lastUpdatedAt":176000000000%d,"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1}]}`, id, n)
}

func (l *inPlaceFixture) store(key string) string {
	if key == inWorkspace {
		return filepath.Join("workspaceStorage", "ws1", "state.vscdb")
	}
	return filepath.Join("globalStorage", "state.vscdb")
}

// overwrite gives rows their n-th version, under the rowids that they have.
func (l *inPlaceFixture) overwrite(statement string, n int, keys ...string) {
	l.t.Helper()
	for _, key := range keys {
		l.execIn(l.store(key), statement, key, l.rows[key](n))
	}
}

func (l *inPlaceFixture) keys() (all []string) {
	for key := range l.rows {
		all = append(all, key)
	}
	return all
}

// finds is a run that must find so many conversations and other rows overwritten, and nothing else.
func (l *inPlaceFixture) finds(what string, hour int, conversations, others int64,
	change ...func(*pipelines.Options)) *pipelines.Result {
	l.t.Helper()
	r := l.run(nil, append(change, hours(hour))...)
	var want *pipelines.InPlace
	reasons := map[string]int64{}
	if conversations+others > 0 {
		want = &pipelines.InPlace{Conversations: conversations, Others: others}
	}
	if conversations > 0 {
		reasons[plan.WhyInPlace] = conversations
	}
	same(l.t, what, want, r.InPlace)
	same(l.t, what+": why", reasons, r.Reasons)
	same(l.t, what+": changed", conversations, r.Conversations.Changed)
	return r
}

// texts are what the messages say.
func (l *inPlaceFixture) texts() [][]string {
	return l.ask(`SELECT DISTINCT text FROM messages ORDER BY text`)
}

// TestInPlace: a row that is overwritten under its old rowid is found at once where its size or its conversation's
// update time is another, else by the run that follows the last full comparison by 20 hours.
func TestInPlace(t *testing.T) {
	t.Parallel()
	long(t)
	const kept = 1 // the file that only the raw layer keeps
	l := newInPlaceFixture(t)
	l.run(nil, hours(1))

	l.overwrite(updateSQL, 2, l.keys()...)
	l.finds("the same size, too early", 20, 0, 0)
	r := l.finds("the same size, 20 hours after the last full comparison", 21, 7, 1+kept)
	same(t, "messages", [][]string{{"version 2"}}, l.texts())
	text, err := json.Marshal(r)
	must(t, err)
	if want := fmt.Sprintf(`"changed_in_place":{"conversations":7,"other_rows":%d}`,
		1+kept); !strings.Contains(string(text), want) {
		t.Errorf("the result as JSON lacks %s: %s", want, text)
	}
	l.finds("nothing more", 22, 0, 0)

	l.overwrite(upsertSQL, 30, l.keys()...)
	l.finds("another size", 23, 7, 1+kept)
	same(t, "messages of another size", [][]string{{"version 30"}}, l.texts())

	// The same size, and the time of the update in the conversation's own document, in the header table, and in
	// ItemTable's heads.
	l.overwrite(updateSQL, 31, "bubbleId:c1:b1", "messageRequestContext:c3:r1", "codeBlockDiff:c4:d1",
		"checkpointId:c2:p1")
	l.exec(updateSQL, "composerData:c1", inPlaceHead("c1", 2))
	l.exec(upsertSQL, "composerData:c6", inPlaceHead("c6", 2))
	l.exec(`UPDATE composerHeaders SET lastUpdatedAt = 1760000000002 WHERE composerId = 'c3'`)
	l.execIn(l.store(inWorkspace),
		`UPDATE ItemTable SET value = replace(value, '0001}', '0002}') WHERE key = 'composer.composerHeaders'`)
	l.finds("the update times", 24, 4, 0)
	same(t, "the one whose time is as it was", [][]string{{"version 30"}, {"version 31"}}, l.texts())
	l.finds("a comparison finds it", 41, 1, 0)
}

// comparedAt is when the stores were compared whole, as the warehouse has it.
func (l *inPlaceFixture) comparedAt() [][]string {
	return l.ask(
		`SELECT store, epoch_ms(compared_at) FROM internal._known_stores ORDER BY store`)
}

func inMillis(hour int) string {
	return fmt.Sprint(time.Date(2026, 1, 1, hour, 0, 0, 0, time.UTC).UnixMilli())
}

// TestFullComparison: it is made up where it was missed: by a run that is narrowed, of a store that could not be read,
// before a clock was set back; and a store that nobody has written to is not looked into before.
func TestFullComparison(t *testing.T) {
	t.Parallel()
	long(t)
	l := newInPlaceFixture(t)
	l.run(nil, hours(1))
	same(t, "the first load", [][]string{{"global", inMillis(1)}, {"workspace/ws1", inMillis(1)}}, l.comparedAt())

	l.overwrite(updateSQL, 2, "bubbleId:c1:b1", inWorkspace)
	l.finds("a narrowed run", 30, 0, 0, func(o *pipelines.Options) { o.Projects = []string{"one"} })
	store := filepath.Join(l.user, l.store(inWorkspace))
	must(t, os.Rename(store, store+".away"))
	l.finds("a store that is away", 31, 1, 0)
	must(t, os.Rename(store+".away", store))
	same(t, "of one store", [][]string{{"global", inMillis(31)}, {"workspace/ws1", inMillis(1)}}, l.comparedAt())
	l.overwrite(updateSQL, 3, "bubbleId:c1:b1")
	l.finds("the store that is back", 32, 1, 0)
	same(t, "of both stores", [][]string{{"global", inMillis(31)}, {"workspace/ws1", inMillis(32)}}, l.comparedAt())
	l.finds("a clock that was set back", 3, 1, 0)
	same(t, "after it", [][]string{{"global", inMillis(3)}, {"workspace/ws1", inMillis(3)}}, l.comparedAt())

	old := time.Now().Add(-time.Hour)
	for _, name := range []string{filepath.Join(l.user, l.store("")), store} {
		must(t, os.Chtimes(name, old, old))
	}
	l.finds("nobody has written", 4, 0, 0)
	state := l.ask(
		`SELECT count(*) FROM internal._known_stores WHERE state <> ''`)
	same(t, "stores whose state is known", [][]string{{"2"}}, state)
	l.overwrite(upsertSQL, 30, "bubbleId:c1:b1")
	l.finds("somebody has", 5, 1, 0)
	l.overwrite(updateSQL, 31, "bubbleId:c1:b1")
	l.run(nil, hours(6), full)
	same(t, "a full run compares everything", [][]string{{"global", inMillis(6)}, {"workspace/ws1", inMillis(6)}},
		l.comparedAt())
}
