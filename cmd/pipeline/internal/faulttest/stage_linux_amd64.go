package faulttest

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// calls are the numbers of the system calls of each kind.
func calls() map[Kind][]uintptr {
	return map[Kind][]uintptr{
		Read: {unix.SYS_READ, unix.SYS_PREAD64, unix.SYS_READV, unix.SYS_PREADV},
		Write: {unix.SYS_WRITE, unix.SYS_PWRITE64, unix.SYS_WRITEV, unix.SYS_PWRITEV, unix.SYS_COPY_FILE_RANGE,
			unix.SYS_SENDFILE},
		Sync: {unix.SYS_FSYNC, unix.SYS_FDATASYNC},
		Rename: {unix.SYS_RENAME, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINK, unix.SYS_LINKAT,
			unix.SYS_SYMLINK, unix.SYS_SYMLINKAT},
		Remove:   {unix.SYS_UNLINK, unix.SYS_UNLINKAT, unix.SYS_RMDIR},
		Truncate: {unix.SYS_FTRUNCATE, unix.SYS_TRUNCATE, unix.SYS_FALLOCATE},
		Create:   {unix.SYS_OPEN, unix.SYS_OPENAT, unix.SYS_CREAT, unix.SYS_MKDIR, unix.SYS_MKDIRAT},
	}
}

// Offsets in struct seccomp_data, see seccomp(2). Only the lower half of an argument is checked: flags need no more.
const (
	dataNumber = 0
	dataArch   = 4
	dataArgs   = 16
)

// filter asks about the calls of some kinds, about opens only if they create a file, and lets all other calls through.
func filter(kinds []string) []unix.SockFilter {
	const load, equal, anyBit, ret = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K,
		unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, unix.BPF_RET | unix.BPF_K
	out := []unix.SockFilter{
		{Code: load, K: dataArch}, {Code: equal, K: unix.AUDIT_ARCH_X86_64, Jt: 1},
		{Code: ret, K: unix.SECCOMP_RET_ALLOW}, {Code: load, K: dataNumber},
	}
	ask, allow := unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_USER_NOTIF},
		unix.SockFilter{Code: ret, K: unix.SECCOMP_RET_ALLOW}
	for kind, numbers := range calls() {
		if !slices.Contains(kinds, string(kind)) {
			continue
		}
		for _, n := range numbers {
			if n != unix.SYS_OPEN && n != unix.SYS_OPENAT {
				out = append(out, unix.SockFilter{Code: equal, K: uint32(n), Jf: 1}, ask)
				continue
			}
			flags := uint32(dataArgs + 8) // the second argument of open
			if n == unix.SYS_OPENAT {
				flags += 8
			}
			out = append(out, unix.SockFilter{Code: equal, K: uint32(n), Jf: 4}, unix.SockFilter{Code: load, K: flags},
				unix.SockFilter{Code: anyBit, K: unix.O_CREAT, Jf: 1}, ask, allow)
		}
	}
	return append(out, allow)
}

// stageFailed is the exit code of a process that could not become the command. It has printed the reason.
const stageFailed = 97

// become installs the filter, hands the listener to the parent over descriptor 3 and becomes the program.
func become(program string) {
	runtime.LockOSThread() // a filter belongs to a thread; the thread that calls exec must keep its own
	kinds := strings.Split(os.Getenv(envKinds), ",")
	err := os.Unsetenv(envProgram)
	if err == nil {
		err = installFilter(filter(kinds))
	}
	if err == nil {
		err = syscall.Exec(program, os.Args, os.Environ())
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(stageFailed)
}

// installFilter installs a filter for this thread. Nothing may be written from then on until the parent has the
// listener: the call would wait for an answer.
func installFilter(program []unix.SockFilter) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	// WAIT_KILLABLE_RECV: without it, a signal, which Go's runtime often sends, would repeat a call and its question.
	listener, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_NEW_LISTENER|unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
		uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return fmt.Errorf("seccomp with user notification: %w", errno)
	}
	if err := unix.Sendmsg(stageSocket, []byte{0}, unix.UnixRights(int(listener)), nil, 0); err != nil {
		return err
	}
	return unix.Close(stageSocket)
}

// stageSocket is the first descriptor after the standard ones.
const stageSocket = 3
