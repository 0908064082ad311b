package faulttest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// patience is the time limit for a command.
const patience = 5 * time.Minute

func run(cmd *exec.Cmd, kinds []Kind, decide func(Call) Answer) (code int, output string, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, "", err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, "", err
	}
	mine, theirs := pair[0], os.NewFile(uintptr(pair[1]), "socket")
	defer unix.Close(mine)
	defer theirs.Close()
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, envProgram+"="+cmd.Path, envKinds+"="+strings.Join(names, ","))
	cmd.Path, cmd.ExtraFiles = self, []*os.File{theirs}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return 0, "", err
	}
	defer time.AfterFunc(patience, func() { _ = cmd.Process.Kill() }).Stop()
	began := time.Now()
	_ = theirs.Close() // so that reading ends when the child ends
	s := &supervisor{process: cmd.Process, decide: decide, kinds: kindOf()}
	if s.listener, err = receive(mine); err == nil {
		err = errors.Join(s.serve(), unix.Close(s.listener))
	}
	_ = cmd.Wait() // ProcessState has the result
	switch code = cmd.ProcessState.ExitCode(); {
	case code == stageFailed:
		return 0, "", fmt.Errorf("%w: %s", ErrUnsupported, strings.TrimSpace(out.String()))
	case err == nil && time.Since(began) > patience:
		err = fmt.Errorf("it did not end in %v", patience)
	}
	return code, out.String(), err
}

// receive takes the listener that the child sends.
func receive(socket int) (listener int, err error) {
	rights := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(socket, make([]byte, 1), rights, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return 0, err
	}
	messages, err := unix.ParseSocketControlMessage(rights[:n])
	if err != nil {
		return 0, err
	}
	if len(messages) != 1 {
		return 0, errors.New("the child has sent no listener")
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return 0, err
	}
	return fds[0], nil
}

// notification is struct seccomp_notif.
type notification struct {
	id          uint64
	pid, flags  uint32
	number      int32
	arch        uint32
	instruction uint64
	args        [6]uint64
}

// response is struct seccomp_notif_resp.
type response struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

// supervisor answers the questions of one process.
type supervisor struct {
	process  *os.Process
	listener int
	decide   func(Call) Answer
	kinds    map[int32]Kind
}

func kindOf() map[int32]Kind {
	out := map[int32]Kind{}
	for kind, numbers := range calls() {
		for _, n := range numbers {
			out[int32(n)] = kind
		}
	}
	return out
}

// serve answers until the process has ended.
func (s *supervisor) serve() error {
	for {
		polled := []unix.PollFd{{Fd: int32(s.listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(polled, -1); errors.Is(err, unix.EINTR) {
			continue
		} else if err != nil {
			return err
		}
		if polled[0].Revents&unix.POLLIN == 0 {
			return nil // the process has ended
		}
		var n notification
		switch errno := s.ioctl(unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n)); errno {
		case 0:
		case unix.EINTR, unix.ENOENT: // the process was killed meanwhile
			continue
		default:
			return errno
		}
		answer := s.decide(s.call(&n))
		if answer.Kill { // no answer: the call is not made
			if err := s.process.Kill(); err != nil {
				return err
			}
			continue
		}
		r := response{id: n.id, errno: -int32(answer.Errno)}
		if answer.Errno == 0 {
			r.flags = unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE
		}
		if errno := s.ioctl(unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&r)); errno != 0 && errno != unix.ENOENT {
			return errno
		}
	}
}

func (s *supervisor) ioctl(request uintptr, data unsafe.Pointer) unix.Errno {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), request, uintptr(data))
	return errno
}

// call describes the call in question.
func (s *supervisor) call(n *notification) Call {
	c := Call{Kind: s.kinds[n.number], Offset: -1}
	switch n.number {
	case unix.SYS_PREAD64, unix.SYS_PWRITE64, unix.SYS_PREADV, unix.SYS_PWRITEV:
		c.Offset = int64(n.args[3])
	}
	at := func(folder, name int) string { // the file of a name, relative to the folder of an -at call
		path := s.text(n.pid, n.args[name])
		if filepath.IsAbs(path) {
			return path
		}
		link := "cwd"
		if folder >= 0 && int32(n.args[folder]) != unix.AT_FDCWD {
			link = filepath.Join("fd", strconv.Itoa(int(int32(n.args[folder]))))
		}
		return filepath.Join(s.link(n.pid, link), path)
	}
	switch n.number {
	case unix.SYS_COPY_FILE_RANGE:
		c.Path = s.link(n.pid, filepath.Join("fd", strconv.Itoa(int(int32(n.args[2])))))
	case unix.SYS_RENAME, unix.SYS_LINK, unix.SYS_SYMLINK:
		c.Path = at(-1, 1)
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT:
		c.Path = at(2, 3)
	case unix.SYS_SYMLINKAT:
		c.Path = at(1, 2)
	case unix.SYS_UNLINKAT, unix.SYS_OPENAT, unix.SYS_MKDIRAT:
		c.Path = at(0, 1)
	case unix.SYS_UNLINK, unix.SYS_RMDIR, unix.SYS_OPEN, unix.SYS_CREAT, unix.SYS_MKDIR, unix.SYS_TRUNCATE:
		c.Path = at(-1, 0)
	default:
		c.Path = s.link(n.pid, filepath.Join("fd", strconv.Itoa(int(int32(n.args[0])))))
	}
	return c
}

// link reads a link of the process's folder in /proc. It is "" if the process has no such descriptor any more.
func (s *supervisor) link(pid uint32, name string) string {
	target, _ := os.Readlink(filepath.Join("/proc", strconv.Itoa(int(pid)), name))
	return target
}

// text reads a C string of the process, page by page: the next page may not exist.
func (s *supervisor) text(pid uint32, address uint64) string {
	var out []byte
	for len(out) < unix.PathMax {
		part := make([]byte, 4096-address%4096)
		n, err := unix.ProcessVMReadv(int(pid), []unix.Iovec{{Base: &part[0], Len: uint64(len(part))}},
			[]unix.RemoteIovec{{Base: uintptr(address), Len: len(part)}}, 0)
		if err != nil || n == 0 {
			break
		}
		if end := slices.Index(part[:n], 0); end >= 0 {
			return string(append(out, part[:end]...))
		}
		out = append(out, part[:n]...)
		address += uint64(n)
	}
	return string(out)
}
