package pipelines_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/testdata/gen/clitest"
	"pipeline/testdata/gen/storetest"
)

// TestBadRoots: what should be the root of a graph or name it and does not is quarantined, wherever it stands. The
// conversation is read all the same, and nothing is left of it in quarantine once the root is good.
func TestBadRoots(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	user := filepath.Join(l.dir, "User")
	good := newJoined(3, 100)
	root := good.chat.Build()
	hash := root.Hash()
	name := hex.EncodeToString(hash[:])
	states := []string{"", "~", name, "~" + base64.StdEncoding.EncodeToString(root.Root), // good
		"~%%%%", "no root", "~" + base64.StdEncoding.EncodeToString([]byte("no graph")), name[:10]}
	id := func(i int) string { return fmt.Sprintf("00000000-0000-4000-9000-%012d", i) }
	written := func(states []string) {
		rows := []storetest.Row{{Key: "agentKv:blob:" + name, Value: root.Root},
			{Key: "agentKv:checkpoint:" + id(len(states)), Value: "no hash"}}
		for _, row := range good.rows {
			if strings.HasPrefix(row.Key.(string), "agentKv:blob:") {
				rows = append(rows, row)
			}
		}
		for i, state := range states {
			j := &joined{id: id(i)}
			j.put("composerData:"+j.id, map[string]any{"composerId": j.id,
				"fullConversationHeadersOnly": []any{map[string]any{"bubbleId": "b", "type": 1}},
				"conversationState":           state})
			j.put("bubbleId:"+j.id+":b", map[string]any{"type": 1, "text": "x"})
			rows = append(rows, j.rows...)
		}
		writeGlobal(t, user, rows)
		if r := l.run(nil, fromUsers(t, user)); len(r.Failures) > 0 {
			t.Errorf("checks: %v", r.Failures)
		}
	}
	bad := func() string {
		return fmt.Sprint(
			l.ask(
				`SELECT conversation_id, "key", family, head FROM quarantine WHERE reason = 'bad_root' AND resolved_load_id IS NULL`))
	}
	written(states)
	var want []string
	for i := 4; i < len(states); i++ {
		want = append(want, fmt.Sprintf(`[%s composerData:%s composerData "%s"]`, id(i), id(i), states[i]))
	}
	want = append(want, fmt.Sprintf(`[%s agentKv:checkpoint:%[1]s agentKv:checkpoint no hash]`, id(len(states))))
	same(t, "quarantine", "["+strings.Join(want, " ")+"]", bad())
	same(t, "prompts", [][]string{{"8"}}, l.ask(`SELECT count(*) FROM messages WHERE origin = 'bubble' AND text = 'x'`))
	wantCompleteness := func(what string, states []string) {
		var want [][]string
		for i, state := range states {
			want = append(want, []string{id(i),
				map[bool]string{true: "complete", false: "partial"}[i < 4 || state == ""]})
		}
		same(t, what, want, l.ask(`SELECT conversation_id, completeness FROM conversations ORDER BY ALL`))
	}
	wantCompleteness("completeness", states)
	written(make([]string, len(states)))
	wantCompleteness("completeness, once the roots are good", make([]string, len(states)))
	same(t, "quarantine, once the roots are good", "["+want[len(want)-1]+"]", bad())
}

// TestOlderRoots: before there was a mark, the state of a chat was hex digits, or base64 alone: its graph is read as
// that of a marked one.
func TestOlderRoots(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	user := filepath.Join(l.dir, "User")
	good := newJoined(3, 100)
	root := good.chat.Build().Root
	var rows []storetest.Row
	for _, row := range good.rows {
		if strings.HasPrefix(row.Key.(string), "agentKv:blob:") {
			rows = append(rows, row)
		}
	}
	encoded := base64.StdEncoding.EncodeToString(root)
	for i, state := range []string{"~" + encoded, encoded, strings.TrimRight(encoded, "="), hex.EncodeToString(root),
		strings.ToUpper(hex.EncodeToString(root))} {
		j := &joined{id: fmt.Sprintf("00000000-0000-4000-9000-%012d", i)}
		j.put("composerData:"+j.id, map[string]any{"composerId": j.id, "fullConversationHeadersOnly": []any{},
			"conversationState": state})
		rows = append(rows, j.rows...)
	}
	writeGlobal(t, user, rows)
	l.run(nil, fromUsers(t, user))
	same(t, "conversations that differ", [][]string{{"5", "1", "0"}},
		l.ask(
			`SELECT count(*), count(DISTINCT (message_count, tool_call_count, root_blob, completeness)), count(*) FILTER (message_count = 0) FROM conversations`))
}

// TestCLIBadRoot: so it is in a chat of the command line.
func TestCLIBadRoot(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	dot := filepath.Join(l.dir, ".cursor")
	home := clitest.Cases()
	chat := home.Chat("modern")
	must(t, home.Write(dot))
	stores, err := filepath.Glob(filepath.Join(dot, "chats", "*", chat.ID, "store.db"))
	must(t, err)
	store, err := filepath.Rel(l.user, stores[0])
	must(t, err)
	l.execIn(store, `UPDATE meta SET value = '{"agentId":"x","latestRootBlobId":"no name"}' WHERE key = '0'`)
	l.run(nil, cliSources(t, dot))
	same(t, "quarantine", [][]string{{"0", "cli.meta", `"no name"`}},
		l.ask(`SELECT "key", family, head FROM quarantine WHERE reason = 'bad_root' AND conversation_id = '`+chat.ID+
			`'`))
	same(t, "completeness", [][]string{{"unreadable"}},
		l.ask(`SELECT completeness FROM conversations WHERE conversation_id = '`+chat.ID+`'`))
}
