package pipelines_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"pipeline/pipelines"
)

// TestPipelineNoPermission: what may not be read, and what is no file, is said with what to do; nothing is waited for. Root may read everything, so
// that the look is another user's then.
func TestPipelineNoPermission(t *testing.T) {
	if dir := os.Getenv(unprivilegedEnv); dir != "" {
		pipelineNoPermission(t, dir)
		return
	}
	t.Parallel()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "secret.yaml"), []byte("since: 7d\n"), 0o200))
	must(t, os.Chmod(filepath.Join(dir, "secret.yaml"), 0o200))
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o644))
	must(t, os.Mkdir(filepath.Join(dir, "closed"), 0))
	if os.Geteuid() != 0 {
		pipelineNoPermission(t, dir)
		return
	}
	const nobody = 65534
	self, err := os.Executable()
	must(t, err)
	binary := filepath.Join(dir, "binary")
	if os.Link(self, binary) != nil {
		must(t, copyTo(binary, self))
	}
	must(t, os.Chmod(binary, 0o755))
	must(t, os.Chown(dir, nobody, nobody))
	must(t, os.Chmod(filepath.Dir(dir), 0o711))
	cmd := exec.Command(binary, "-test.run=^TestPipelineNoPermission$")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), unprivilegedEnv+"="+dir, "HOME="+dir, "TMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func pipelineNoPermission(t *testing.T, dir string) {
	lib := pipelines.Library{Folder: filepath.Join(dir, "closed"), Home: dir, Now: onceUponATime()}
	for _, test := range []struct{ arg, want string }{
		{filepath.Join(dir, "secret.yaml"), " may not be read: its rights are --w-------; chmod u+r lets its owner read it"},
		{filepath.Join(dir, "closed", "x.yaml"), " may not be read: permission denied; look at the rights of the folders above it"},
		{filepath.Join(dir, "pipe.yaml"), " is no regular file: a pipeline is read from one"},
	} {
		if _, err := lib.Find(test.arg); err == nil || err.Error() != test.arg+test.want {
			t.Errorf("got %v, want %s%s", err, test.arg, test.want)
		}
	}
	if _, err := lib.Find("nightly"); err == nil || err.Error() != filepath.Join(dir, "closed", "nightly.yaml")+" may not be read: permission denied; look at the rights of the folders above it" {
		t.Errorf("the shipped one is taken, and there may be another: %v", err)
	}
	if _, err := lib.List(); err == nil || err.Error() != "read the folder of pipelines: open "+lib.Folder+": permission denied" {
		t.Errorf("got %v", err)
	}
}
