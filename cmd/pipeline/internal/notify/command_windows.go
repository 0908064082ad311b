package notify

import (
	"os/exec"
	"syscall"
)

func ownGroup(*exec.Cmd) {}

// shellLine passes the line to cmd unchanged: cmd does not read quotes like other programs.
func shellLine(cmd *exec.Cmd, line string) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /S /C "` + line + `"`}
}
