package pipelines_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pipeline/pipelines"
)

// squeezed is a text as zlib packs it: what a store would hold if its values were compressed.
func squeezed(t *testing.T, text any) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, err := z.Write([]byte(text.(string)))
	must(t, err)
	must(t, z.Close())
	return b.Bytes()
}

// squeeze is a copy of the user directory in which some values are compressed.
func (w *userDir) squeeze(t *testing.T, keys ...string) *userDir {
	t.Helper()
	c := w.clone()
	for _, key := range keys {
		c.rows[key] = squeezed(t, c.rows[key])
	}
	return c
}

// lifeColumns say when something was seen, not what.
var lifeColumns = []string{"changed_at", "first_seen_at", "last_seen_at", "load_id"}

// unusableUserDir has six conversations of three messages each, one with rows of every other family.
func unusableUserDir() *userDir {
	w := baseUserDir().without(keyAlpha, keyA1, keyA2, keyA3, keyBeta, keyB1, keyB2, "composerData:gamma")
	for c := range 6 {
		id := fmt.Sprintf("c%d", c)
		var headers []string
		for _, m := range []string{"z", "y", "x"} { // in another order than that of keys
			headers = append(headers, fmt.Sprintf(`{"bubbleId":%q,"type":1}`, m))
			w.rows["bubbleId:"+id+":"+m] = fmt.Sprintf(`{"_v":2,"type":1,"bubbleId":%q,"text":"%s of %s"}`, m, m, id)
		}
		w.rows["composerData:"+id] = fmt.Sprintf(
			`{"_v":13,"composerId":%q,"name":"chat %d","createdAt":%d,"lastUpdatedAt":%d,"workspaceIdentifier":{"id":"ws1"},`+
				`"usageData":{"m-1":{"amount":2,"costInCents":3}},"fullConversationHeadersOnly":[%s]}`, id, c,
			1760000000000+int64(c)*1000, 1760000600000, strings.Join(headers, ","))
	}
	w.rows["messageRequestContext:c0:x"] = `{"terminalFiles":[{"relativePath":"t.log"}]}`
	w.rows["checkpointId:c0:k1"] = `{"files":[{"uri":{"path":"/src/one/a.go"}}]}`
	w.rows["codeBlockDiff:c0:d1"] =
		`{"newModelDiffWrtV0":[{"original":{"startLineNumber":1,"endLineNumberExclusive":2},"modified":["a","b"]}]}`
	w.rows["codeBlockPartialInlineDiffFates:c0:e1"] = `{"fates":[{"fate":"accepted","added":["x"],"removed":[]}]}`
	return w
}

// othersOfC0 are the rows of c0 that are neither its head nor messages.
var othersOfC0 = []string{"messageRequestContext:c0:x", "checkpointId:c0:k1", "codeBlockDiff:c0:d1",
	"codeBlockPartialInlineDiffFates:c0:e1"}

var partTables = []string{"conversations", "messages", "tool_calls", "attachments", "checkpoints", "code_edits",
	"code_diffs", "model_usage", "_subagent_claims"}

// keysOf are the keys of a user directory's rows that begin so, up to so many.
func (w *userDir) keysOf(prefix string, n int) (keys []string) {
	for key := range w.rows {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys[:min(n, len(keys))]
}

// TestUnusableRows: a row that is there and can no longer be read is no deletion. Its last good version stays, it is
// quarantined, and where over half of a source's conversations are so, the run fails its checks, each time.
func TestUnusableRows(t *testing.T) {
	t.Parallel()
	long(t)
	base := unusableUserDir()
	few := slices.Concat([]string{"composerData:c1", "bubbleId:c2:y"}, base.keysOf("bubbleId:c3:", 3), othersOfC0)
	for _, c := range []struct {
		name string
		keys []string
		over bool
	}{
		{"every head", base.keysOf("composerData:", 6), true},
		{"half of the heads", base.keysOf("composerData:", 3), false},
		{"a few rows of every family", few, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newFixture(t)
			l.run(base)
			before := l.dump(partTables...).drop(lifeColumns...)
			base.squeeze(t, c.keys...).write(t, l.user)
			for _, change := range []func(*pipelines.Options){acceptDeletes, full} {
				r := mustRun(t, l.options(change))
				same(t, "deleted", int64(0), r.Conversations.Deleted)
				same(t, "the rows", before, l.dump(partTables...).drop(lifeColumns...))
				same(t, "the quarantine", [][]string{{fmt.Sprint(len(c.keys)), "0"}},
					l.ask(`SELECT count(*), count(resolved_load_id) FROM quarantine`))
				same(t, "failed checks", c.over, len(r.Failures) > 0)
				for _, f := range r.Failures {
					if f.Check != "unusable" || !strings.Contains(f.First, "look for a newer version") {
						t.Errorf("check %s failed: %s", f.Check, f.First)
					}
				}
			}
			l.rebuilt()
			l.run(base) // what was before is what a fresh load gives
			same(t, "the rows once the store is back", before, l.dump(partTables...).drop(lifeColumns...))
			same(t, "what is left in quarantine", [][]string{{"0"}},
				l.ask(`SELECT count(*) FROM quarantine WHERE resolved_load_id IS NULL`))
		})
	}
}

// With the raw layer a conversation goes on beside its unusable rows; what is really gone from it is deleted.
func unusableAndNew(s *story) {
	base := unusableUserDir()
	one := pipelines.ConversationCount{Changed: 1, Unchanged: 5}
	s.run(base, pipelines.ConversationCount{New: 6})
	live := `SELECT message_id, position, text FROM live_messages WHERE conversation_id = 'c0' ORDER BY position`
	s.quarantines(2)
	s.run(base.squeeze(s.t, "composerData:c0", "bubbleId:c0:y").without("bubbleId:c0:z").
		with("bubbleId:c0:new", `{"type":2,"text":"later"}`), one)
	same(s.t, "the live messages", [][]string{{"new", "2", "later"}, {"x", "1", "x of c0"}, {"y", "0", "y of c0"}},
		s.ask(live))
	// The unusable message is deleted, by its own row's NULL.
	s.run(base.squeeze(s.t, "composerData:c0").without("bubbleId:c0:z").
		with("bubbleId:c0:new", `{"type":2,"text":"later"}`, "bubbleId:c0:y", nil), one)
	same(s.t, "the live messages then", [][]string{{"new", "1", "later"}, {"x", "0", "x of c0"}}, s.ask(live))
	// A head that is really gone.
	s.run(base.without("composerData:c0"), pipelines.ConversationCount{Deleted: 1, Unchanged: 5})
	same(s.t, "the conversation", [][]string{{"chat 0", "orphaned", "true"}},
		s.ask(`SELECT title, status, deleted_at IS NOT NULL FROM conversations WHERE conversation_id = 'c0'`))
}

// TestUnusableAndGone: conversations that are gone and such as cannot be read count together.
func TestUnusableAndGone(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	base := unusableUserDir()
	l.run(base)
	before := l.dump("conversations", "messages")
	base.squeeze(t, "composerData:c0", "composerData:c1").
		without(append(base.keysOf("bubbleId:c2", 3),
			append(base.keysOf("bubbleId:c3", 3), "composerData:c2", "composerData:c3")...)...).write(t, l.user)
	r := mustRun(t, l.options())
	same(t, "deleted", int64(0), r.Conversations.Deleted)
	if len(r.Failures) != 1 || r.Failures[0].Check != "deletions" ||
		!strings.Contains(r.Failures[0].First, "2 of 6 conversations are gone and 2 cannot be read") {
		t.Errorf("failures: %v", r.Failures)
	}
	same(t, "the rows", before.drop(lifeColumns...), l.dump("conversations", "messages").drop(lifeColumns...))
	dry, err := pipelines.DryRun(t.Context(), l.options())
	must(t, err)
	same(t, "a dry run", int64(0), dry.Conversations.Deleted)
	same(t, "its failures", 1, len(dry.Failures))
}

// TestUnusableAmongMany: the same for a conversation of so many rows that the raw layer is asked about them page by
// page.
func TestUnusableAmongMany(t *testing.T) {
	t.Parallel()
	long(t)
	l := newFixture(t)
	many := unusableUserDir()
	for m := range 16_384 {
		many.rows[fmt.Sprintf("bubbleId:c0:m%05d", m)] = fmt.Sprintf(`{"type":2,"text":"%d"}`, m)
	}
	l.run(many)
	before := l.dump(partTables...).drop(lifeColumns...)
	l.run(many.squeeze(t, "composerData:c0", "bubbleId:c0:y", "bubbleId:c0:m00007"))
	same(t, "the rows", before, l.dump(partTables...).drop(lifeColumns...))
	same(t, "the quarantine", [][]string{{"3"}}, l.ask(`SELECT count(*) FROM quarantine`))
}
