//go:build unix

package notify

import (
	"os/exec"
	"syscall"
)

// ownGroup ends all processes that a shell has started together with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

func shellLine(*exec.Cmd, string) {}
