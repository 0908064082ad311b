package pipelines_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pipeline/extract"
	"pipeline/pipelines"
)

// unprivilegedEnv has this binary, started again as another user, run on what root made.
const unprivilegedEnv = "PIPELINES_TEST_UNPRIVILEGED"

// TestNoPermission: a store that may not be read is a clear error. Root may read everything, so the run is another
// user's then.
func TestNoPermission(t *testing.T) {
	if dir := os.Getenv(unprivilegedEnv); dir != "" {
		noPermission(t, &fixture{t: t, dir: dir, user: filepath.Join(dir, "User")})
		return
	}
	t.Parallel()
	l := newFixture(t)
	baseUserDir().write(t, l.user)
	must(t, os.Chmod(filepath.Join(l.user, "globalStorage", "state.vscdb"), 0))
	if os.Geteuid() != 0 {
		noPermission(t, l)
		return
	}
	const nobody = 65534
	self, err := os.Executable()
	must(t, err)
	binary := filepath.Join(l.dir, "binary")
	if os.Link(self, binary) != nil {
		must(t, copyTo(binary, self))
	}
	must(t, os.Chmod(binary, 0o755))
	must(t, os.Chown(l.dir, nobody, nobody))
	must(t, os.Chmod(filepath.Dir(l.dir), 0o711))
	for _, dir := range []string{l.user, filepath.Join(l.user, "globalStorage"),
		filepath.Join(l.user, "workspaceStorage"), filepath.Join(l.user, "workspaceStorage", "ws1")} {
		must(t, os.Chmod(dir, 0o755))
	}
	cmd := exec.Command(binary, "-test.run=^TestNoPermission$")
	cmd.Dir = l.dir
	cmd.Env = append(os.Environ(), unprivilegedEnv+"="+l.dir, "HOME="+l.dir, "TMPDIR="+l.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func noPermission(t *testing.T, l *fixture) {
	_, err := pipelines.Run(context.Background(), l.options())
	var source *pipelines.SourceError
	var known *extract.StoreError
	if !errors.As(err, &source) || !errors.As(err, &known) || known.Kind != extract.KindPermission {
		t.Fatalf("got %v", err)
	}
	says(t, err, filepath.Join(l.user, "globalStorage", "state.vscdb"), "may not be read", "another user",
		"grant read access")
	if _, err := os.Stat(l.warehouse()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a warehouse: %v", err)
	}
}

func copyTo(path, from string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// TestFullDisk: a disk without room is a clear error, leaves the warehouse as it was, and the next run goes well.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	disk := filepath.Join(l.dir, "disk")
	must(t, os.Mkdir(disk, 0o700))
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=32m"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	// where the test has failed, a file may still be open there
	t.Cleanup(func() { must(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	small := &fixture{t: t, dir: disk, user: l.user}
	filler := filepath.Join(disk, "filler")
	large := baseUserDir()
	for i := range 200 { // does not compress
		text := fmt.Sprintf("%x", strings.Repeat(fmt.Sprint(i*7919), 10_000))
		large.rows[fmt.Sprintf("bubbleId:beta:l%d", i)] = `{"type":2,"text":"` + text + `"}`
	}
	check := func() {
		t.Helper()
		fill(t, filler)
		large.write(t, l.user)
		says(t, small.fails(), small.warehouse(), "space", "--warehouse")
		must(t, os.Remove(filler))
	}
	check()
	small.run(baseUserDir())
	before := small.dump(allTables()...)
	check()
	same(t, "the tables", before, small.dump(allTables()...))
	same(t, "the next run", pipelines.ConversationCount{Changed: 1, Unchanged: 2},
		small.run(baseUserDir().without(keyA2)).Conversations)
}

// fill leaves no room on a disk.
func fill(t *testing.T, path string) {
	t.Helper()
	file, err := os.Create(path)
	must(t, err)
	for size := 1 << 20; size >= 512; {
		if _, err := file.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else {
			must(t, err)
		}
	}
	must(t, file.Close())
}
