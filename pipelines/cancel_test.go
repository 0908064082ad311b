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

// TestForkedChat: two conversations may hold a code block, and a difference, of one id; neither takes the other's
// place.
func TestForkedChat(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	head := func(id, status string) string {
		return fmt.Sprintf(
			`{"_v":10,"name":%q,"createdAt":1760000000000,"codeBlockData":{"file:///src/a.go":{"cb1":{"codeblockId":"cb1","status":%q}}}}`, id, status)
	}
	w := baseUserDir().with("composerData:f1", head("f1", "accepted"), "composerData:f2", head("f2", "rejected"),
		"codeBlockDiff:f1:d1", `{"newModelDiffWrtV0":[]}`, "codeBlockDiff:f2:d1", `{"newModelDiffWrtV0":[]}`)
	edits := func() string {
		return fmt.Sprint(l.ask(`SELECT conversation_id, status, deleted_at IS NULL FROM code_edits`),
			l.ask(`SELECT keyed_by, deleted_at IS NULL FROM code_diffs`))
	}
	l.run(w)
	same(t, "at first", "[[f1 accepted true] [f2 rejected true]] [[f1 true] [f2 true]]", edits())
	r := l.run(w.with("composerData:f1", head("f1", "rejected")))
	same(t, "when one changed", "[[f1 rejected true] [f2 rejected true]] [[f1 true] [f2 true]]", edits())
	same(t, "failed checks", 0, len(r.Failures))
}

// TestRemovedFolder: what a workspace folder held is marked when the folder goes.
func TestRemovedFolder(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	w := baseUserDir().withFolder("ws2", folder{`{"folder":`,
		map[string]any{"aiService.prompts": `[{"text":"p"},{"text":"p"}]`}, false})
	l.run(w)
	state := func() string {
		return fmt.Sprint(l.ask(`SELECT count(*), count(deleted_at) FROM prompts`),
			l.ask(`SELECT reason, resolved_load_id FROM quarantine`))
	}
	same(t, "while it is there", "[[2 0]] [[bad_json NULL]]", state())
	l.run(baseUserDir())
	same(t, "when it is gone", "[[2 2]] [[bad_json 2]]", state())
}

// TestBlobKeySecret: a login secret under a key that is no text is not read either.
func TestBlobKeySecret(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	w := baseUserDir()
	w.extra = append(w.extra, storetest.Row{Key: []byte("cursorAuth/accessToken"), Value: "CANARY-under-a-blob-key"})
	r := l.run(w)
	same(t, "refused", int64(1), r.Secrets)
	if got := fmt.Sprint(l.ask(`SELECT * FROM quarantine`)); strings.Contains(got, "CANARY") {
		t.Errorf("it is in the quarantine: %s", got)
	}
}
