package extract

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// File systems on which SQLite's locks and shared memory cannot be trusted, by the magic number that statfs gives
// (man 2 statfs, linux/magic.h). WSL shows Windows' drives as 9p (WSL 2) or wslfs (WSL 1).
const (
	magicNFS    = 0x6969
	magicSMB    = 0x517b
	magicCIFS   = 0xff534d42
	magicSMB2   = 0xfe534d42
	magic9P     = 0x01021997
	magicWSL    = 0x53464846
	magicFUSE   = 0x65735546 // sshfs and others
	magicAFS    = 0x5346414f
	magicCeph   = 0x00c36400
	magicCoda   = 0x73757245
	magicNCP    = 0x564c
	magicLustre = 0x0bd00bd0
	magicVBox   = 0x786f4256
)

// isRemoteFS reports whether path lies on a network file system or a mount of another system's disk.
func isRemoteFS(path string) (bool, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return false, err
	}
	switch uint32(s.Type) {
	case magicNFS, magicSMB, magicCIFS, magicSMB2, magic9P, magicWSL, magicFUSE, magicAFS, magicCeph, magicCoda,
		magicNCP, magicLustre, magicVBox:
		return true, nil
	}
	return false, nil
}

func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// fileID identifies a file independently of its path: device, inode and time of birth (inode numbers are reused). It is
// "" if unknown.
func fileID(path string) string {
	var s unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, path, 0, unix.STATX_INO|unix.STATX_BTIME, &s); err != nil {
		return ""
	}
	return fmt.Sprintf("%d:%d:%d:%d.%09d", s.Dev_major, s.Dev_minor, s.Ino, s.Btime.Sec, s.Btime.Nsec)
}
