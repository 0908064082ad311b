package sinks

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestCurrentFile: the file that names the current publication on Windows leads to it, and then to the next one. What
// people or other programs have written there names none.
func TestCurrentFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := readCurrent(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for _, name := range []string{"v-00000002", "v-00000003"} {
		if err := writeCurrent(dir, name); err != nil {
			t.Fatal(err)
		}
		if got, err := readCurrent(dir); err != nil || got != filepath.Join(dir, name) {
			t.Errorf("%s, %v, want %s", got, err, name)
		}
	}
	file := filepath.Join(dir, "current.json")
	if text, err := os.ReadFile(file); err != nil || string(text) != `{"folder":"v-00000003"}`+"\n" {
		t.Errorf("%q, %v", text, err)
	}
	for _, text := range []string{"", "{", "{}", `{"folder": ""}`, `{"folder": "../v-00000003"}`, `{"folder": 3}`,
		`["v-00000003"]`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := readCurrent(dir); err == nil {
			t.Errorf("%s leads to %s", text, got)
		}
	}
}
