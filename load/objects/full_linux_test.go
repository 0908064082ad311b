package objects_test

import (
	"bytes"
	"path/filepath"
	"syscall"
	"testing"

	"pipeline/load/objects"
	"pipeline/load/objects/s3test"
)

// TestStoreFull: a full store is told, nothing of the object is left, and it can be written when there is room.
func TestStoreFull(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("a small disk cannot be mounted here, that takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	data := bytes.Repeat([]byte("x"), 3<<20)
	check := func(t *testing.T, s objects.Store) {
		write := func(key string) error { return s.PutNew(t.Context(), key, inFile(t, data), sum(data)) }
		if err := write("a/1"); err != nil {
			t.Fatal(err)
		}
		err := write("a/2")
		says(t, err, objects.ErrFull, nil, "write", "space left", "Nothing has to be undone")
		if got := keysOf(t, s, "", ""); len(got) != 1 {
			t.Errorf("%q", got)
		}
		if err := s.Delete(t.Context(), "a/1"); err != nil {
			t.Fatal(err)
		}
		if err := write("a/2"); err != nil {
			t.Error(err)
		}
		if err := s.Delete(t.Context(), "a/2"); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("folder", func(t *testing.T) { check(t, open(t, disk, "")) })
	t.Run("s3", func(t *testing.T) {
		server := s3test.StartIn(t, disk)
		s3test.Setenv(t, server.Key, server.Secret)
		check(t, open(t, "s3://"+filepath.Base(server.Dir), server.Endpoint))
	})
}
