//go:build unix && !linux

package serve

import "syscall"

// ownGroup puts a child into a process group of its own. If the server is killed, the child finishes its run: the
// system has no way to stop it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
