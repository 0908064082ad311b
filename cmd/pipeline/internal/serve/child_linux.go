package serve

import "syscall"

// ownGroup puts a child into a process group of its own. If the server is killed, the system asks the child to stop,
// which leaves nothing half done.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
