// Package atomicfile has the steps that put a file in its place completely or not at all, also after a crash: write or
// copy it under another name, sync it, rename it, and sync its folder.
package atomicfile

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/zeebo/xxh3"
	"golang.org/x/sync/errgroup"
)

// Scratch begins the names of unfinished files and folders. By it, a run finds those that killed runs left, and removes
// them.
const Scratch = ".pipeline-tmp-"

// Write writes a private file. It returns an error if the file exists.
func Write(path string, data []byte) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = file.Write(data)
	return err
}

// Replace puts a private file in the place of the one that has the name, if there is one. Only one process at a time
// may call it for a name.
func Replace(path string, data []byte) error {
	scratch := filepath.Join(filepath.Dir(path), Scratch+filepath.Base(path))
	if err := Remove(scratch); err != nil { // a process that was killed has left it
		return err
	}
	if err := Write(scratch, data); err != nil {
		return err
	}
	if err := Sync(scratch); err != nil {
		return err
	}
	return Rename(scratch, path)
}

// Copy copies a file. If the file system can clone the file, Copy does not read it.
func Copy(from, to string) (err error) {
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

// Rename renames a file or a link, and replaces what has the new name. The new name survives a crash.
func Rename(from, to string) error {
	if err := Move(from, to); err != nil {
		return err
	}
	return Sync(filepath.Dir(to))
}

// Sync syncs a file, or the names in a folder, to the disk.
func Sync(path string) error {
	f, err := Synced(path, (*os.File).Sync)
	if err != nil {
		return err
	}
	return f.Close()
}

// Synced syncs what is at the path in the way that is given, and returns it, open. To close a file ends the locks that
// the whole process has on it.
func Synced(path string, sync func(*os.File) error) (*os.File, error) {
	f, err := toSync(path)
	if err != nil {
		return nil, err
	}
	err = sync(f)
	if isDir(f) && !errors.Is(err, syscall.EIO) && !errors.Is(err, syscall.ENOSPC) {
		// some systems cannot sync a folder
		err = nil
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// toSync opens what is to be synced. Windows syncs a file only for those who have opened it for writing.
func toSync(path string) (*os.File, error) {
	if runtime.GOOS == "windows" {
		if f, err := os.OpenFile(path, os.O_RDWR, 0); !errors.Is(err, syscall.EISDIR) {
			return f, err
		}
	}
	return os.Open(path)
}

func isDir(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.IsDir()
}

// SyncsAtATime is how many files or folders are worth syncing at the same time: the disk writes several as fast as one.
const SyncsAtATime = 8

// SyncFolders syncs a folder and all folders below it to the disk: the names in them, not the files.
func SyncFolders(folder string) error {
	var syncs errgroup.Group
	syncs.SetLimit(SyncsAtATime)
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			syncs.Go(func() error { return Sync(path) })
		}
		return err
	})
	return cmp.Or(err, syncs.Wait())
}

// Same reports whether two files have the same content. Where their sizes differ, it reads neither.
func Same(a, b string) bool {
	one, err := os.Stat(a)
	other, failed := os.Stat(b)
	if err != nil || failed != nil || !other.Mode().IsRegular() || one.Size() != other.Size() {
		return false
	}
	first, _, err := Sum(a)
	second, _, failed := Sum(b)
	return err == nil && failed == nil && first == second
}

// Remove removes a file that may be missing.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Sum returns the SHA-256 of a file in hex, and its size. A caller can tell by them whether the file has changed.
func Sum(path string) (sum string, size int64, err error) { return sumBy(sha256.New(), path) }

// QuickSum is like Sum, with xxh3 of 64 bits: it finds damage, and would not find a forgery.
func QuickSum(path string) (sum string, size int64, err error) { return sumBy(xxh3.New(), path) }

func sumBy(h hash.Hash, path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), size, err
}
