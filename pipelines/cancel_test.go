package pipelines_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// TestCancel: a run that is interrupted while it hands conversations from one goroutine to the next always ends.
func TestCancel(t *testing.T) {
	concurrent(t)
	t.Parallel()
	dir := t.TempDir()
	user := filepath.Join(dir, "User")
	if err := storetest.New(storetest.Options{Seed: 3, Messages: 200}).Write(user); err != nil {
		t.Fatal(err)
	}
	step := 4
	if testing.Short() {
		step = 24
	}
	for n := 1; n <= 120; n += step {
		ctx, cancel := context.WithCancel(t.Context())
		o := options(t, dir, user)
		o.Warehouse = filepath.Join(dir, fmt.Sprintf("w%d.duckdb", n))
		o.Workers = 1
		o.Progress = func(done, _ int) {
			if done == n/2+1 { // while this conversation, or one of the next, is on its way
				time.AfterFunc(time.Duration(n%7)*150*time.Microsecond, cancel)
			}
		}
		ended := make(chan error, 1)
		go func() {
			_, err := pipelines.Run(ctx, o)
			ended <- err
		}()
		select {
		case err := <-ended:
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("interrupted at conversation %d: %v", n, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("interrupted at conversation %d, the run hangs", n)
		}
		cancel()
	}
}

// Two conversations may hold a code block, and a difference, of one id; neither takes the other's place.
func forkedChat(s *story) {
	head := func(id, status string) string {
		return fmt.Sprintf(
			`{"_v":10,"name":%q,"createdAt":1760000000000,"codeBlockData":{"file:///src/a.go":{"cb1":{"codeblockId":"cb1","status":%q}}}}`, id, status)
	}
	w := baseUserDir().with("composerData:f1", head("f1", "accepted"), "composerData:f2", head("f2", "rejected"),
		"codeBlockDiff:f1:d1", `{"newModelDiffWrtV0":[]}`, "codeBlockDiff:f2:d1", `{"newModelDiffWrtV0":[]}`)
	edits := func() string {
		return fmt.Sprint(s.ask(`SELECT conversation_id, status, deleted_at IS NULL FROM code_edits`),
			s.ask(`SELECT keyed_by, deleted_at IS NULL FROM code_diffs`))
	}
	s.run(w, pipelines.ConversationCount{New: 5})
	same(s.t, "at first", "[[f1 accepted true] [f2 rejected true]] [[f1 true] [f2 true]]", edits())
	s.run(w.with("composerData:f1", head("f1", "rejected")), pipelines.ConversationCount{Changed: 1, Unchanged: 4})
	same(s.t, "when one changed", "[[f1 rejected true] [f2 rejected true]] [[f1 true] [f2 true]]", edits())
}

// What a workspace folder held is marked when the folder goes.
func removedFolder(s *story) {
	s.quarantines(1)
	s.run(baseUserDir().withFolder("ws2", folder{`{"folder":`,
		map[string]any{"aiService.prompts": `[{"text":"p"},{"text":"p"}]`}, false}), first)
	state := func() string {
		return fmt.Sprint(s.ask(`SELECT count(*), count(deleted_at) FROM prompts`),
			s.ask(`SELECT reason, resolved_load_id FROM quarantine`))
	}
	same(s.t, "while it is there", "[[2 0]] [[bad_json NULL]]", state())
	s.run(baseUserDir(), unchanged(3))
	same(s.t, "when it is gone", "[[2 2]] [[bad_json 2]]", state())
}

// A login secret under a key that is no text is not read either.
func blobKeySecret(s *story) {
	w := baseUserDir()
	w.extra = append(w.extra, storetest.Row{Key: []byte("cursorAuth/accessToken"), Value: "CANARY-under-a-blob-key"})
	s.run(w, first)
	same(s.t, "refused", [][]string{{"1"}}, s.ask(`SELECT rows FROM key_families WHERE handling = 'refused'`))
	for _, table := range allTables() {
		if got := fmt.Sprint(s.book.ask(`FROM ` + table)); strings.Contains(got, "CANARY-under-a-blob-key") {
			s.t.Errorf("it is in %s", table)
		}
	}
}
