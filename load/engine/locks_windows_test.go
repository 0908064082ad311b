package engine

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/windows"
)

// TestHeldWarehouse: a warehouse that another program has open is in use, whatever language the system says so in, and
// so is one that cannot be copied for that.
func TestHeldWarehouse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.duckdb")
	db, conn, err := Open(t.Context(), path, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(conn.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	for _, share := range []uint32{0, windows.FILE_SHARE_READ} {
		handle, err := windows.CreateFile(windows.StringToUTF16Ptr(path), windows.GENERIC_READ, share, nil,
			windows.OPEN_EXISTING, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := Open(t.Context(), path, false); !errors.Is(err, ErrBusy) {
			t.Errorf("shared with %d: %v", share, err)
		}
		copied := path + "-copy"
		if err := CopyStill(path, copied, nil, nil); share == 0 && !errors.Is(err, ErrBusy) ||
			share != 0 && err != nil {
			t.Errorf("shared with %d, a copy: %v", share, err)
		}
		if err := windows.CloseHandle(handle); err != nil {
			t.Fatal(err)
		}
	}
	if IsHeld(path) || IsHeld(path+"-gone") || IsHeld("") {
		t.Error("it is held by nobody")
	}
	if err := os.Remove(path); err != nil {
		t.Error(err)
	}
}
