package extract

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// TestHeldStore: a store that another program holds without sharing is busy, and so is one whose -wal or journal is
// held; afterwards it is read.
func TestHeldStore(t *testing.T) {
	for _, end := range []string{"", walEnd, journalEnd} {
		path := filepath.Join(t.TempDir(), "state.vscdb")
		want := edited(t, path, end == walEnd, end == walEnd, 20)
		if end == journalEnd {
			if err := os.WriteFile(path+end, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		handle, err := windows.CreateFile(windows.StringToUTF16Ptr(path+end), windows.GENERIC_READ, 0, nil,
			windows.OPEN_EXISTING, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		o := storeOptions{TempDir: t.TempDir(), pause: 10 * time.Millisecond, remote: isLocal}
		_, err = openStore(t.Context(), path, o)
		var known *StoreError
		if !errors.As(err, &known) || known.Kind != KindBusy || !errors.Is(err, ErrBusy) || IsDamage(err) {
			t.Errorf("the store's %q is held: %v", end, err)
		}
		if err := windows.CloseHandle(handle); err != nil {
			t.Fatal(err)
		}
		if got := messages(t, mustOpen(t, path, o)); got != want {
			t.Errorf("%d messages afterwards, want %d", got, want)
		}
	}
}

// TestOpenShared: what is open for reading can be written, renamed and removed by others, and read on.
func TestOpenShared(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state.vscdb-journal")
	if err := os.WriteFile(path, []byte("journal"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := OpenShared(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil || info.Size() != 7 || info.Name() != "state.vscdb-journal" {
		t.Error(info, err)
	}
	if err := os.WriteFile(path, []byte("JOURNAL"), 0o600); err != nil {
		t.Error(err)
	}
	if err := os.Rename(path, path+"-2"); err != nil {
		t.Error(err)
	}
	if err := os.Remove(path + "-2"); err != nil {
		t.Error(err)
	}
	text := make([]byte, 7)
	if _, err := f.ReadAt(text, 0); err != nil || string(text) != "JOURNAL" {
		t.Error(string(text), err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if entries, err := listFolder(dir); err != nil || len(entries) != 0 {
		t.Error(entries, err)
	}
	if _, err := OpenShared(path); !errors.Is(err, os.ErrNotExist) || !isMissing(err) {
		t.Error(err)
	}
}

// TestListFolder: entries are sorted, a missing folder is a missing one, and a file is no folder.
func TestListFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "a", "C"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := listFolder(dir)
	want, wantErr := os.ReadDir(dir)
	if err != nil || wantErr != nil || len(got) != len(want) {
		t.Fatal(got, err, wantErr)
	}
	for i := range got {
		if got[i].Name() != want[i].Name() || got[i].Type() != want[i].Type() {
			t.Errorf("%v, want %v", got[i], want[i])
		}
	}
	for _, path := range []string{filepath.Join(dir, "gone"), filepath.Join(dir, "a")} {
		_, err := listFolder(path)
		_, wantErr := os.ReadDir(path)
		if err == nil || isMissing(err) != isMissing(wantErr) {
			t.Errorf("%v, want %v", err, wantErr)
		}
	}
}
