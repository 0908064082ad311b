package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"pipeline/extract/storetest"
)

// promised is the memory of a command, in bytes.
const promised = 512_000_000

// large is a machine for what takes minutes.
func large(t *testing.T) *whole {
	t.Helper()
	if os.Getenv("PIPELINE_ENDURANCE") == "" {
		t.Skip("it takes minutes: set PIPELINE_ENDURANCE")
	}
	return newWhole(t)
}

// keeps runs a command, which must keep the promise by the system's count of its process.
func (w *whole) keeps(what string, args ...string) {
	w.t.Helper()
	cmd := exec.Command("pipeline", append(args, "--warehouse", w.warehouse)...)
	said, err := os.Create(filepath.Join(filepath.Dir(w.warehouse), "said"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer said.Close()
	cmd.Stderr = said // what is printed goes nowhere
	w.must(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	took := int64(0)
	for running := true; running; {
		select {
		case err = <-ended:
			running = false
		case <-time.After(5 * time.Millisecond):
			took = max(took, peak(cmd.Process.Pid))
		}
	}
	if err != nil {
		text, _ := os.ReadFile(said.Name())
		w.t.Fatalf("%s: %v: %.500s", what, err, text)
	}
	w.t.Logf("%s: %d MB", what, took/1_000_000)
	if took > promised {
		w.t.Errorf("%s takes %d MB, promised are %d", what, took/1_000_000, promised/1_000_000)
	}
}

var highWater = regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`)

// peak is the most memory that a running process has had, in bytes; 0 where it has ended. What the system says when it has ended would be no less than
// what this process, which started it, had then.
func peak(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	found := highWater.FindSubmatch(status)
	if found == nil {
		return 0
	}
	kB, _ := strconv.ParseInt(string(found[1]), 10, 64)
	return kB << 10
}

// loads is a run that does.
func (w *whole) loads(what string) {
	w.t.Helper()
	w.keeps(what, "run", "--quiet", "--source", "lab="+w.user)
}

// TestMemoryOfLongConversation: loads of 300,000 messages in one conversation, and whatever reads them, keep the promise.
func TestMemoryOfLongConversation(t *testing.T) {
	w := large(t)
	long := storetest.Long{Messages: 300_000, Lost: 5}
	grow := func() {
		t.Helper()
		if err := long.Add(w.user, 1); err != nil {
			t.Fatal(err)
		}
		long.Messages++
	}
	if err := long.Write(w.user); err != nil {
		t.Fatal(err)
	}
	w.loads("the first load")
	grow()
	w.loads("one message more")
	for _, flags := range [][]string{nil, {"--full"}, {"--markdown"}, {"--json"}} {
		w.keeps("show", append([]string{"show", "--last"}, flags...)...)
	}
	for _, format := range []string{"markdown", "jsonl", "openai"} {
		w.keeps("export as "+format, "export", "conversations", "--format", format)
	}
	for range 2 { // the second one compares
		w.keeps("export into a folder", "export", "conversations", "--format", "jsonl", "--out", filepath.Join(filepath.Dir(w.warehouse), "chats"))
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
			json('[{"bubbleId":"m1","type":1},{"bubbleId":"m2","type":2},{"bubbleId":"m3","type":2}]')) FROM c`, conversations),
		fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 3 * %d + 2)
		INSERT INTO cursorDiskKV SELECT printf('bubbleId:c%%06d-0000-0000-0000-000000000000:m%%d', i / 3, i %% 3 + 1),
			json_object('_v', 3, 'type', iif(i %% 3 = 0, 1, 2), 'text', printf('%%d %%0150d', i, i), 'tokenCount', json('{"inputTokens":100,"outputTokens":50}')) FROM n`, conversations))
	w.loads("the first load")
	w.loads("nothing new")
	w.exec(`INSERT INTO cursorDiskKV VALUES ('bubbleId:c000007-0000-0000-0000-000000000000:m4', '{"type":1,"text":"more"}')`)
	w.loads("one message more")
	w.same("messages", [][]string{{fmt.Sprint(3*conversations + 1)}}, w.ask("SELECT count(*) FROM messages WHERE conversation_id LIKE 'c%-0000-0000-0000-000000000000'"))
}
