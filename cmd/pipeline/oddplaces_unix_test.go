//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pipeline/testdata/gen/storetest"
)

// TestHooksFileIsNone: what lies where Cursor's hooks.json belongs is refused at once, and so is a file in which a key
// could mean two things.
func TestHooksFileIsNone(t *testing.T) {
	t.Parallel()
	for _, s := range append(specials(t), special{"a second time", func(path string) error {
		return os.WriteFile(path, []byte("{\"version\": 1,\n\"hooks\": {\"stop\": []},\n\"hooks\": {}}\n"), 0o600)
	}}) {
		home := t.TempDir()
		must(t, errors.Join(os.Mkdir(filepath.Join(home, ".cursor"), 0o700),
			s.make(filepath.Join(home, ".cursor", "hooks.json"))))
		for _, what := range []string{"install", "remove"} {
			var errs strings.Builder
			cmd := exec.Command("pipeline", "hook", what)
			cmd.Env, cmd.Stderr = append(os.Environ(), "HOME="+home, "TMPDIR="+home), &errs
			must(t, cmd.Start())
			stop := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
			_ = cmd.Wait()
			stop.Stop()
			if code := cmd.ProcessState.ExitCode(); code != exitUsage && code != exitFailed ||
				!strings.Contains(errs.String(), s.name) {
				t.Errorf("%s, hook %s: %v: %.300s", s.name, what, cmd.ProcessState, errs.String())
			}
		}
	}
}

// TestInAPublication: nothing is published into a publication, by its own name or by that of the current one.
func TestInAPublication(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	to := filepath.Join(w.dir, "published")
	run := func(code int, folder string) (said string) {
		_, said = w.does(code, "run", "--quiet", "--source", "test="+w.user, "--warehouse", w.warehouse, "--parquet",
			folder)
		return said
	}
	run(0, to)
	for _, below := range []string{"current", "v-00000001"} {
		if said := run(exitUsage, filepath.Join(to, below)); !strings.Contains(said, "is in a publication") {
			t.Errorf("%s: %s", below, said)
		}
	}
	run(0, to)
}

// TestLongSourceName: a name that no file can have is refused by what it is.
func TestLongSourceName(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	if _, said := w.does(exitUsage, "run", "--quiet", "--source", strings.Repeat("n", 300)+"="+w.user, "--warehouse",
		w.warehouse); !strings.Contains(said, "the name of a source") {
		t.Error(said)
	}
}

// TestValidatesPlaces: a pipeline's file whose push or delay cannot be is refused before it runs.
func TestValidatesPlaces(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	for body, code := range map[string]int{
		"push:\n  to: \"s3://team\\nother\"\n":                         exitUsage,
		"push:\n  to: s3://team\n  endpoint: file:///etc\n":            exitUsage,
		"push:\n  to: s3://team\n  endpoint: https://s3.example.org\n": 0,
		"schedule:\n  cron: \"@daily\"\n  jitter: 999999h\n":           exitUsage,
		"schedule:\n  cron: \"@daily\"\n  jitter: 1h\n":                0,
	} {
		path := filepath.Join(w.dir, "p.yaml")
		w.must(os.WriteFile(path, []byte(body), 0o600))
		w.does(code, "pipelines", "validate", path)
	}
}

// TestFolderForChat: a folder in place of a chat's store is a store that cannot be read: what is known of the chat
// stays.
func TestFolderForChat(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	dot := filepath.Join(w.dir, ".cursor")
	chat := filepath.Join(dot, "chats", "46d4", "11111111-2222-4333-8444-555555555555")
	must(t, errors.Join(os.MkdirAll(filepath.Join(chat, "store.db"), 0o700),
		os.WriteFile(filepath.Join(chat, "meta.json"), []byte("{}"), 0o600)))
	if _, said := w.does(exitSource, "run", "--quiet", "--source", dot, "--warehouse",
		w.warehouse); !strings.Contains(said, "store.db") {
		t.Error(said)
	}
}
