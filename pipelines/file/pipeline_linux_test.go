package file_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"pipeline/pipelines/file"
)

// unprivilegedEnv names the folder that the test, run once more by another user, looks at.
const unprivilegedEnv = "PIPELINES_TEST_UNPRIVILEGED"

func try(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestPipelineNoPermission: what may not be read, and what is no file, is said with what to do; nothing is waited for.
// Root may read everything, so that the look is another user's then.
func TestPipelineNoPermission(t *testing.T) {
	if dir := os.Getenv(unprivilegedEnv); dir != "" {
		pipelineNoPermission(t, dir)
		return
	}
	t.Parallel()
	dir := t.TempDir()
	try(t, os.WriteFile(filepath.Join(dir, "secret.yaml"), []byte("since: 7d\n"), 0o200))
	try(t, os.Chmod(filepath.Join(dir, "secret.yaml"), 0o200))
	try(t, syscall.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o644))
	try(t, os.Mkdir(filepath.Join(dir, "closed"), 0))
	if os.Geteuid() != 0 {
		pipelineNoPermission(t, dir)
		return
	}
	const nobody = 65534
	self, err := os.Executable()
	try(t, err)
	text, err := os.ReadFile(self)
	try(t, err)
	binary := filepath.Join(dir, "binary")
	try(t, os.WriteFile(binary, text, 0o755))
	try(t, os.Chmod(binary, 0o755))
	try(t, os.Chown(dir, nobody, nobody))
	try(t, os.Chmod(filepath.Dir(dir), 0o711))
	cmd := exec.Command(binary, "-test.run=^TestPipelineNoPermission$")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), unprivilegedEnv+"="+dir, "HOME="+dir, "TMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func pipelineNoPermission(t *testing.T, dir string) {
	lib := file.Library{Folder: filepath.Join(dir, "closed"), Home: dir, Now: onceUponATime()}
	for _, test := range []struct{ arg, want string }{
		{filepath.Join(dir, "secret.yaml"), " may not be read: its rights are --w-------; chmod u+r lets its owner " +
			"read it"},
		{filepath.Join(dir, "closed", "x.yaml"),
			" may not be read: permission denied; look at the rights of the folders above it"},
		{filepath.Join(dir, "pipe.yaml"), " is no regular file: a pipeline is read from one"},
	} {
		if _, err := lib.Find(test.arg); err == nil || err.Error() != test.arg+test.want {
			t.Errorf("got %v, want %s%s", err, test.arg, test.want)
		}
	}
	if _, err := lib.Find("nightly"); err == nil ||
		err.Error() != filepath.Join(dir, "closed", "nightly.yaml")+
			" may not be read: permission denied; look at the rights of the folders above it" {
		t.Errorf("the shipped one is taken, and there may be another: %v", err)
	}
	if _, err := lib.List(); err == nil || err.Error() != "read the folder of pipelines: open "+lib.Folder+
		": permission denied" {
		t.Errorf("got %v", err)
	}
}
