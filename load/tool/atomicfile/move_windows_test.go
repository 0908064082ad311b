package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// TestMoveHeld: a file that another program has open without sharing is moved when it lets go of it.
func TestMoveHeld(t *testing.T) {
	t.Parallel()
	for _, held := range []string{"from", "to"} {
		dir := t.TempDir()
		for _, name := range []string{"from", "to"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		handle, err := windows.CreateFile(windows.StringToUTF16Ptr(filepath.Join(dir, held)), windows.GENERIC_READ, 0,
			nil, windows.OPEN_EXISTING, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		released := make(chan error, 1)
		time.AfterFunc(300*time.Millisecond, func() { released <- windows.CloseHandle(handle) })
		begin := time.Now()
		if err := Move(filepath.Join(dir, "from"), filepath.Join(dir, "to")); err != nil ||
			time.Since(begin) < 200*time.Millisecond {
			t.Errorf("%s was held: %v after %v", held, err, time.Since(begin))
		}
		if err := <-released; err != nil {
			t.Error(err)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "to")); err != nil || string(text) != "from" {
			t.Error(string(text), err)
		}
	}
}

// TestMoveNever: after two seconds the error is the system's.
func TestMoveNever(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "from")
	f, err := os.Create(path) // it does not share the right to rename
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if err := Move(path, path+"-2"); !errors.Is(err, windows.ERROR_SHARING_VIOLATION) &&
		!errors.Is(err, windows.ERROR_ACCESS_DENIED) || time.Since(begin) < time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
