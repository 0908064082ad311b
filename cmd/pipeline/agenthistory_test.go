package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pipeline/testdata/gen/clitest"
	"pipeline/testdata/gen/graphtest"
	"pipeline/testdata/gen/storetest"
)

// TestHistoryOfChat: of a chat of the command line that went on, the rows that describe it are listed, and its nodes
// are counted.
func TestHistoryOfChat(t *testing.T) {
	t.Parallel()
	w, cases := newCLITest(t), clitest.Cases()
	dot, chat, other := filepath.Join(w.dir, ".cursor"), cases.Chat("modern"), cases.Chat("key")
	home := &clitest.Home{Chats: []*clitest.Chat{chat, other}}
	load := func() {
		w.must(home.Write(dot))
		w.runs(0, "run", "--source", "test="+dot, "--warehouse", w.warehouse, "--quiet")
	}
	turns := chat.Graph.Turns
	chat.Graph.Turns = turns[:1]
	load()
	chat.Stale = []graphtest.Chat{chat.Graph}
	chat.Graph.Turns, chat.Meta.Title = turns, "Renamed"
	load()
	printed, _ := w.does(0, "history", "--warehouse", w.warehouse, chat.ID)
	nodes := 24 // as many blobs as both states have, by the generator
	for _, want := range []string{
		`\n       2  .*  present  test    chats/[0-9a-f]{32}/` + chat.ID +
			`  meta   0\n       1  .*  present  test    chats/[0-9a-f]{32}/` + chat.ID + `  file   meta.json\n\n`,
		fmt.Sprintf(`\n%d rows, 28 versions; %d nodes of the agent's graph, which --json lists\. `, nodes+2, nodes),
	} {
		if !regexp.MustCompile(want).MatchString(printed) {
			t.Errorf("not printed: %s\n%s", want, printed)
		}
	}
	if regexp.MustCompile(`[0-9a-f]{64}`).MatchString(printed) {
		t.Errorf("a hash is printed:\n%s", printed)
	}
	if listed, _ := w.does(0, "history", "--warehouse", w.warehouse, chat.ID,
		"--json"); len(regexp.MustCompile(`"key": "[0-9a-f]{64}"`).FindAllString(listed, -1)) != nodes {
		t.Errorf("not every node is listed:\n%s", listed)
	}
	if shown, _ := w.does(0, "history", "--warehouse", w.warehouse, "0", "--table", "meta", "--conversation", chat.ID,
		"--show", "last"); !strings.Contains(decodedHex(shown), `"name":"Renamed"`) {
		t.Error(shown)
	}
}

// decodedHex is a text of hexadecimal digits as bytes; another text as it is.
func decodedHex(text string) string {
	if b, err := hex.DecodeString(strings.TrimSpace(text)); err == nil {
		return string(b)
	}
	return text
}

// TestHistoryOfSharedNode: a node that two conversations share has the versions that each of them has, and the
// conversation tells them apart.
func TestHistoryOfSharedNode(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	c := clitest.Cases().Chat("modern").Graph
	g := c.Build()
	var rows []storetest.Row
	for name, blob := range g.Blobs {
		rows = append(rows, storetest.Row{Key: "agentKv:blob:" + hex.EncodeToString(name[:]), Value: blob})
	}
	ids := []string{"00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"}
	for _, id := range ids {
		text, err := json.Marshal(map[string]any{"_v": 18, "composerId": id, "name": "shared",
			"conversationState": "~" + base64.StdEncoding.EncodeToString(g.Root)})
		w.must(err)
		rows = append(rows, storetest.Row{Key: "composerData:" + id, Value: string(text)})
	}
	w.store(rows, storetest.StoreOptions{})
	w.run(0, "--quiet")
	key := pickShared(w, ids)
	printed, _ := w.does(0, "history", "--warehouse", w.warehouse, key)
	for _, id := range ids {
		if !strings.Contains(printed, key+"\nsource test, store global, table cursorDiskKV, conversation "+id+"\n") {
			t.Errorf("%s is not named:\n%s", id, printed)
		}
	}
	if strings.Contains(printed, "again") || strings.Count(printed, "  new\n") != 2 {
		t.Errorf("versions that nobody saw:\n%s", printed)
	}
	_, said := w.does(2, "history", "--warehouse", w.warehouse, key, "--show", "1")
	if !strings.Contains(said, "2 rows match") || !strings.Contains(said, "--conversation "+ids[1]) {
		t.Error(said)
	}
	if shown, _ := w.does(0, "history", "--warehouse", w.warehouse, key, "--show", "1", "--conversation",
		ids[1]); shown == "" {
		t.Error("nothing is shown")
	}
}

// pickShared returns a key of a node that all conversations have.
func pickShared(w *cliTest, ids []string) string {
	w.t.Helper()
	var all [][]string
	for _, id := range ids {
		var listed struct {
			Rows []struct{ Key, Family string }
		}
		printed, _ := w.does(0, "history", "--warehouse", w.warehouse, id, "--json")
		w.must(json.Unmarshal([]byte(printed), &listed))
		var keys []string
		for _, r := range listed.Rows {
			if r.Family == "agentKv:blob" {
				keys = append(keys, r.Key)
			}
		}
		all = append(all, keys)
	}
	for _, key := range all[0] {
		if slices.Contains(all[1], key) {
			return key
		}
	}
	w.t.Fatal("no node is shared")
	return ""
}
