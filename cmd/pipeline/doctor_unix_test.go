//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestDoctorPermission: a store that may not be read, and a warehouse that may not be written to, with what to do. Root
// may do everything, so the program is another user's then.
func TestDoctorPermission(t *testing.T) {
	t.Parallel()
	p := newDemoTest(t)
	dir := p.dir
	p.does(0, "run", "--quiet", "--source", p.demo(), "--warehouse", p.warehouse)
	binary := filepath.Join(dir, "pipeline")
	self, err := os.Executable()
	must(t, err)
	program, err := os.ReadFile(self)
	must(t, err)
	must(t, os.WriteFile(binary, program, 0o755))
	// all but the one store: another user could read them
	open := exec.Command("chmod", "-R", "go+rX", dir, filepath.Dir(dir))
	succeeds(t, open)
	store := p.global()
	for _, path := range []string{store, p.warehouse + ".lock"} {
		must(t, os.Chmod(path, 0))
	}
	cmd := exec.Command(binary, "doctor", "--source", p.demo(), "--warehouse", p.warehouse)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR=/tmp", "HOME="+dir)
	if os.Geteuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	out, _ := cmd.CombinedOutput() // how it ended, ProcessState says
	if got := cmd.ProcessState.ExitCode(); got != exitSource {
		t.Errorf("exit %d, want %d", got, exitSource)
	}
	for _, want := range []string{
		"PROBLEM  " + store + ": the store may not be read (open " + store + ": permission denied)",
		"-> Run as the user who runs Cursor, or grant read access (on macOS: Full Disk Access for the terminal).",
		"PROBLEM  A run could not write: write to ", p.warehouse + ".lock: permission denied",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("it does not say %q\n%s", want, out)
		}
	}
}
