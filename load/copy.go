package load

import (
	"context"
	"errors"
	"io"
	"os"
)

// heldByReaders reports that only readers keep a warehouse from being opened: then its file does not change, and a copy of it is whole.
// A log beside it (a run that was killed between its commit and its checkpoint) would have to go with it: that waits for the reader.
func heldByReaders(ctx context.Context, path string) bool {
	if log, err := os.Stat(path + ".wal"); err == nil && log.Size() > 0 {
		return false
	}
	db, conn, err := openEngine(ctx, path, true)
	if err != nil {
		return false
	}
	return errors.Join(conn.Close(), db.Close()) == nil
}

// copyFile copies a file, without reading it where the file system can clone it.
func copyFile(from, to string) (err error) {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	_, err = io.Copy(dst, src) // copy_file_range on Linux: file systems that can, share the blocks
	return err
}
