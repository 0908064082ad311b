//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/testdata/gen/storetest"
)

// TestSecretsLeftBehind: a run that is killed leaves logs, half a warehouse, scratch: no secret is in any of their
// bytes. What people wrote is.
func TestSecretsLeftBehind(t *testing.T) {
	long(t)
	const secret, open = "CANARYq7Xw3kP", "OPENTEXTq7Xw3kP"
	w := newCLITest(t)
	rows := talk("a", open+" 0")
	for i, key := range []string{"cursorAuth/accessToken", "cursorAuth/refreshToken", "secret://x", "mcpOAuth.y"} {
		rows = append(rows, storetest.Row{Table: storetest.ItemTable, Key: key, Value: secret + string(rune('a'+i))})
	}
	rows = append(rows, storetest.Row{Key: "composerData:k",
		Value: `{"name":"K","blobEncryptionKey":"` + secret + `k","speculativeSummarizationEncryptionKey":"` + secret +
			`s"}`},
		storetest.Row{Key: "bubbleId:k:m", Value: `{"text":"` + open +
			`","toolFormerData":{"tool":15,"params":{"accessToken":"` + secret + `t"}}}`})
	w.store(rows, storetest.StoreOptions{})
	if !holdsText(w, w.user, secret) {
		t.Fatal("the search does not find the secret in the source")
	}
	parquet, log := filepath.Join(w.dir, "parquet"), filepath.Join(w.dir, "log", "runs.log")
	found := false
	for try := range 12 {
		cmd := exec.Command("pipeline", "run", "--quiet", "--full", "--source", "test="+w.user, "--warehouse",
			w.warehouse, "--parquet", parquet, "--log", log)
		c := start(t, cmd)
		c.await([]phase{merging, committing, publishing}[try%3])
		_ = cmd.Process.Kill()
		c.wait()
		found = found || holdsText(w, w.warehouse, open) || holdsText(w, w.warehouse+".wal", open)
		if holdsText(w, w.dir, secret) || strings.Contains(c.output.String(), secret) {
			t.Errorf("a run that was killed in phase %s left a secret", c.phase())
		}
	}
	if !found {
		t.Error("the search does not find what people wrote: this test proves nothing")
	}
	w.run(0, "--log", log)
	if holdsText(w, w.dir, secret) {
		t.Error("a run left a secret")
	}
	for _, file := range []string{log, runlog.Path(w.warehouse)} {
		if !holdsText(w, file, "exit_code") || holdsText(w, file, open) {
			t.Errorf("%s does not tell of the run, or holds what people wrote", file)
		}
	}
}

// holdsText searches the bytes of the files below dir, the source apart where dir is above it.
func holdsText(w *cliTest, dir, text string) (found bool) {
	w.t.Helper()
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return nil // it is gone again, or was never there
		}
		if d.IsDir() {
			if path == w.user && dir != w.user {
				return filepath.SkipDir
			}
			return nil
		}
		b, err := os.ReadFile(path)
		if err == nil && bytes.Contains(b, []byte(text)) {
			found = true
		}
		return nil
	})
	return found
}
