//go:build unix

package main

import (
	"bytes"
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
	run := func(folder string) (int, string) {
		var out, errs bytes.Buffer
		code := realMain([]string{"pipeline", "run", "--quiet", "--source", "test=" + w.user, "--warehouse",
			w.warehouse, "--parquet", folder}, &out, &errs)
		return code, errs.String()
	}
	if code, said := run(to); code != 0 {
		t.Fatal(said)
	}
	for _, below := range []string{"current", "v-00000001"} {
		if code, said := run(filepath.Join(to, below)); code != exitUsage ||
			!strings.Contains(said, "is in a publication") {
			t.Errorf("%s: exit code %d: %s", below, code, said)
		}
	}
	if code, said := run(to); code != 0 {
		t.Error(said)
	}
}

// TestLongSourceName: a name that no file can have is refused by what it is.
func TestLongSourceName(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	var out, errs bytes.Buffer
	code := realMain([]string{"pipeline", "run", "--quiet", "--source", strings.Repeat("n", 300) + "=" + w.user,
		"--warehouse", w.warehouse}, &out, &errs)
	if code != exitUsage || !strings.Contains(errs.String(), "the name of a source") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
}

// TestValidatesPlaces: a pipeline's file whose push or delay cannot be is refused before it runs.
func TestValidatesPlaces(t *testing.T) {
	t.Parallel()
	for body, ok := range map[string]bool{
		"push:\n  to: \"s3://team\\nother\"\n":                         false,
		"push:\n  to: s3://team\n  endpoint: file:///etc\n":            false,
		"push:\n  to: s3://team\n  endpoint: https://s3.example.org\n": true,
		"schedule:\n  cron: \"@daily\"\n  jitter: 999999h\n":           false,
		"schedule:\n  cron: \"@daily\"\n  jitter: 1h\n":                true,
	} {
		path := filepath.Join(t.TempDir(), "p.yaml")
		must(t, os.WriteFile(path, []byte(body), 0o600))
		var out, errs bytes.Buffer
		if code := realMain([]string{"pipeline", "pipelines", "validate", path}, &out, &errs); (code == 0) != ok {
			t.Errorf("%q: exit code %d: %s%s", body, code, out.String(), errs.String())
		}
	}
}

// TestFolderForChat: a folder in place of a chat's store is a store that cannot be read: what is known of the chat
// stays.
func TestFolderForChat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	chat := filepath.Join(dir, ".cursor", "chats", "46d4", "11111111-2222-4333-8444-555555555555")
	must(t, errors.Join(os.MkdirAll(filepath.Join(chat, "store.db"), 0o700),
		os.WriteFile(filepath.Join(chat, "meta.json"), []byte("{}"), 0o600)))
	var out, errs bytes.Buffer
	code := realMain([]string{"pipeline", "run", "--quiet", "--source", filepath.Join(dir, ".cursor"), "--warehouse",
		filepath.Join(dir, "w.duckdb")}, &out, &errs)
	if code != exitSource || !strings.Contains(errs.String(), "store.db") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
}
