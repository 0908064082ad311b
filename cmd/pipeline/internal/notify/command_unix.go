//go:build unix

package notify

import (
	"os/exec"
	"syscall"
)

// ownGroup has what a shell has started end with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

func shellLine(*exec.Cmd, string) {}
