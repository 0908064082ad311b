package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// TestRemoveHeld: a folder goes when another program lets go of what it has open in it, as a sweep does with the lock.
func TestRemoveHeld(t *testing.T) {
	for _, name := range []string{lockName, "file"} {
		f, err := New(t.TempDir(), "held-")
		if err != nil {
			t.Fatal(err)
		}
		dir := f.Path()
		if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		handle, err := windows.CreateFile(windows.StringToUTF16Ptr(filepath.Join(dir, name)), windows.GENERIC_READ,
			windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE, nil, windows.OPEN_EXISTING, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		released := make(chan error, 1)
		time.AfterFunc(300*time.Millisecond, func() { released <- windows.CloseHandle(handle) })
		if err := f.Remove(); err != nil {
			t.Errorf("%s is held: %v", name, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s was held, and the folder is there: %v", name, err)
		}
		if err := <-released; err != nil {
			t.Error(err)
		}
	}
}
