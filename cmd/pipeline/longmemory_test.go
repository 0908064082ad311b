//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"pipeline/extract/storetest"
)

// promised is the memory of a command, in bytes.
const promised = 512_000_000

// TestMemoryOfLongConversation: what commands take for 300,000 messages in one conversation, by the system's count of each process. What reads a
// warehouse keeps the promise. Loads of such a conversation are above it, as docs/reliability.md says, and must not take more than they do.
func TestMemoryOfLongConversation(t *testing.T) {
	if os.Getenv("PIPELINE_ENDURANCE") == "" {
		t.Skip("it takes minutes: set PIPELINE_ENDURANCE")
	}
	const messages = 300_000
	long := storetest.Long{Messages: messages, Lost: 5}
	dir := t.TempDir()
	user, warehouse := filepath.Join(dir, "User"), filepath.Join(dir, "w.duckdb")
	if err := long.Write(user); err != nil {
		t.Fatal(err)
	}
	peak := func(name string, most int64, args ...string) {
		t.Helper()
		cmd := exec.Command("pipeline", append(args, "--warehouse", warehouse)...)
		said, err := os.Create(filepath.Join(dir, "said"))
		if err != nil {
			t.Fatal(err)
		}
		defer said.Close()
		cmd.Stderr = said // what is printed goes nowhere
		if err := cmd.Run(); err != nil {
			text, _ := os.ReadFile(said.Name())
			t.Fatalf("%s: %v: %.500s", name, err, text)
		}
		took := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
		t.Logf("%s: %d MB", name, took/1_000_000)
		if took > most {
			t.Errorf("%s takes %d MB, want at most %d", name, took/1_000_000, most/1_000_000)
		}
	}
	run := []string{"run", "--quiet", "--source", "long=" + user}
	peak("the first load", promised*115/100, run...)
	if err := long.Add(user, 1); err != nil {
		t.Fatal(err)
	}
	peak("one message more", promised*130/100, run...)
	for _, flags := range [][]string{nil, {"--full"}, {"--markdown"}, {"--json"}} {
		peak("show", promised, append([]string{"show", "--last"}, flags...)...)
	}
	for _, format := range []string{formatMarkdown, formatLines, formatOpenAI} {
		peak("export as "+format, promised, "export", "conversations", "--format", format)
	}
	for range 2 { // the second one compares
		peak("export into a folder", promised, "export", "conversations", "--format", formatLines, "--out", filepath.Join(dir, "chats"))
	}
	peak("the search index", promised, "search", "goroutine")
}
