package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

// promised is the memory of a command, in bytes.
const promised = 512_000_000

// large is a machine for what takes minutes.
func large(t *testing.T) *cliTest {
	t.Helper()
	if !night.On() {
		t.Skip("it takes minutes: set PIPELINE_ENDURANCE")
	}
	return newCLITest(t)
}

// keeps runs a command, which must keep the promise.
func (w *cliTest) keeps(what string, args ...string) {
	w.t.Helper()
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // what is printed is much
	must(w.t, err)
	defer nowhere.Close()
	cmd := exec.Command("pipeline", append(args, "--warehouse", w.warehouse)...)
	cmd.Stdout = nowhere
	took := weigh(w.t, cmd).rss
	w.t.Logf("%s: %d MB", what, took/1_000_000)
	if took > promised {
		w.t.Errorf("%s takes %d MB, promised are %d", what, took/1_000_000, promised/1_000_000)
	}
}

// loads is a run that does.
func (w *cliTest) loads(what string, flags ...string) {
	w.t.Helper()
	w.keeps(what, append([]string{"run", "--quiet", "--source", "fixture=" + w.user}, flags...)...)
}

// TestMemoryOfLongConversation: loads of 300,000 messages in one conversation, and whatever reads them, keep the
// promise.
func TestMemoryOfLongConversation(t *testing.T) {
	w := large(t)
	long := storetest.Long{Messages: 300_000, Lost: 5}
	grow := func() {
		t.Helper()
		must(t, long.Add(w.user, 1))
		long.Messages++
	}
	must(t, long.Write(w.user))
	w.loads("the first load")
	grow()
	w.loads("one message more")
	for _, flags := range [][]string{nil, {"--full"}, {"--markdown"}, {"--html", "--full"}, {"--json"}} {
		w.keeps("show", append([]string{"show", "--last"}, flags...)...)
	}
	for _, format := range []string{"markdown", "jsonl", "openai", "html"} {
		w.keeps("export as "+format, "export", "conversations", "--format", format)
	}
	for range 2 { // the second one compares
		w.keeps("export into a folder", "export", "conversations", "--format", "jsonl", "--out",
			filepath.Join(filepath.Dir(w.warehouse), "chats"))
	}
	w.keeps("the search index", "search", "goroutine")
	grow()
	w.loads("one message more, which the index takes in")
}

// TestMemoryOfManyConversations: so do loads of 100,000 conversations of three messages.
func TestMemoryOfManyConversations(t *testing.T) {
	w := large(t)
	const conversations = 100_000
	w.store(talk("a"), storetest.StoreOptions{})
	w.exec(fmt.Sprintf(`WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < %d)
		INSERT INTO cursorDiskKV SELECT printf('composerData:c%%06d-0000-0000-0000-000000000000', i), json_object('_v', 13, 'composerId', printf('c%%06d-0000-0000-0000-000000000000', i),
			'name', printf('Conversation %%d', i), 'createdAt', 1735689600000 + i * 60000, 'fullConversationHeadersOnly',
			json('[{"bubbleId":"m1","type":1},{"bubbleId":"m2","type":2},{"bubbleId":"m3","type":2}]')) FROM c`,
		conversations),
		fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 3 * %d + 2)
		INSERT INTO cursorDiskKV SELECT printf('bubbleId:c%%06d-0000-0000-0000-000000000000:m%%d', i / 3, i %% 3 + 1),
			json_object('_v', 3, 'type', iif(i %% 3 = 0, 1, 2), 'text', printf('%%d %%0150d', i, i), 'tokenCount', json('{"inputTokens":100,"outputTokens":50}')) FROM n`, conversations))
	w.loads("the first load")
	w.loads("nothing new")
	w.loads("everything again", "--full")
	w.exec(`INSERT INTO cursorDiskKV VALUES ('bubbleId:c000007-0000-0000-0000-000000000000:m4', '{"type":1,"text":"more"}')`)
	w.loads("one message more")
	w.same("messages", [][]string{{fmt.Sprint(3*conversations + 1)}},
		w.ask("SELECT count(*) FROM messages WHERE conversation_id LIKE 'c%-0000-0000-0000-000000000000'"))
}
