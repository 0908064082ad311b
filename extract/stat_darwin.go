package extract

import (
	"errors"
	"fmt"
	"syscall"
)

// mntLocal is MNT_LOCAL of sys/mount.h: the file system is stored locally.
const mntLocal = 0x1000

// isRemoteFS reports whether path lies on a network file system.
func isRemoteFS(path string) (bool, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return false, err
	}
	return s.Flags&mntLocal == 0, nil
}

func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// fileID identifies a file independently of its path: device, inode and time of birth (inode numbers are reused). It is
// "" if unknown.
func fileID(path string) string {
	var s syscall.Stat_t
	if err := syscall.Stat(path, &s); err != nil {
		return ""
	}
	return fmt.Sprintf("%d:%d:%d.%09d", s.Dev, s.Ino, s.Birthtimespec.Sec, s.Birthtimespec.Nsec)
}
