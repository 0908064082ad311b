//go:build unix && !linux

package serve

import "syscall"

// ownGroup puts a child into a process group of its own. When the server is killed, the child finishes its run: the system has no word for it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
