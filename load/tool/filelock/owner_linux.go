package filelock

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Owner returns the process that holds the lock of a lock file, or 0 if none does. It does not take the lock. known is
// false if the owner cannot be found.
func Owner(path string) (pid int, known bool) {
	info, err := os.Stat(path)
	if os.IsNotExist(err) {
		return 0, true
	}
	if err != nil {
		return 0, false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	locks, err := os.ReadFile("/proc/locks")
	if err != nil || !ok {
		return 0, false
	}
	device := fmt.Sprintf("%02x:%02x", unix.Major(uint64(s.Dev)), unix.Minor(uint64(s.Dev)))
	for line := range strings.Lines(string(locks)) {
		// 1: FLOCK ADVISORY WRITE 708 fd:00:1044 0 EOF (man 5 proc_locks); one that waits has an arrow behind its
		// number
		cells := strings.Fields(line)
		if len(cells) < 6 || cells[1] != "FLOCK" {
			continue
		}
		at := strings.LastIndexByte(cells[5], ':')
		owner, err := strconv.Atoi(cells[4])
		if err != nil || cells[5][at+1:] != strconv.FormatUint(s.Ino, 10) {
			continue
		}
		if cells[5][:at] == device || hasOpen(owner, path) {
			return owner, true
		}
	}
	return 0, true
}

// hasOpen reports whether a process has a file open. It is asked because on some file systems (btrfs) the device number
// in /proc/locks differs from the file's own.
func hasOpen(pid int, path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)) // the pattern is well-formed
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && target == real {
			return true
		}
	}
	return false
}
