//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pipeline/load/objects"
	"pipeline/load/push"
	"pipeline/testdata/gen/yeartest"
)

// sharing is a warehouse whose pushes go into folders.
type sharing struct{ *cliTest }

func newSharing(t *testing.T) sharing {
	s := sharing{newCLITest(t)}
	s.must(yeartest.Write(filepath.Join(s.dir, "demo"), yeartest.Options{Seed: 1, Messages: 20}))
	s.user = filepath.Join(s.dir, "demo", "User")
	s.run(0, "--quiet")
	return s
}

// withoutUmask is the environment of a program whose umask no other has set.
func withoutUmask(more ...string) []string {
	return append(slices.DeleteFunc(os.Environ(),
		func(set string) bool { return strings.HasPrefix(set, objects.UmaskVariable+"=") }), more...)
}

// modesIn checks the permissions of all folders and of all files below a folder.
func (s sharing) modesIn(below string, folders, files fs.FileMode) {
	s.t.Helper()
	n := 0
	s.must(filepath.WalkDir(below, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == below {
			return err
		}
		n++
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := files
		if d.IsDir() {
			want = folders
		}
		if got := info.Mode() &^ fs.ModeDir; got != want {
			s.t.Errorf("%s has mode %v, want %v", path, got, want)
		}
		return nil
	}))
	if n < 5 {
		s.t.Errorf("%s has %d files and folders", below, n)
	}
}

// TestPushModes: in a folder that is shared a push makes files as the user's umask says, and in a group's folder the
// group has its rights. What is beside the warehouse stays private.
func TestPushModes(t *testing.T) {
	t.Parallel()
	s := newSharing(t)
	for i, test := range []struct {
		umask, variable string
		group           bool
		folders, files  fs.FileMode
	}{
		{"022", "", false, 0o755, 0o644}, {"002", "", false, 0o775, 0o664}, {"077", "", false, 0o700, 0o600},
		{"077", "0022", false, 0o755, 0o644}, // a timer's: files of the system's own are private there
		{"022", "", true, fs.ModeSetgid | 0o775, 0o644}, {"077", "", true, fs.ModeSetgid | 0o770, 0o640},
	} {
		if testing.Short() && i%2 == 0 {
			continue // make test-all takes all
		}
		to := filepath.Join(s.dir, fmt.Sprintf("lake-%d", i))
		s.must(os.Mkdir(to, 0o700))
		if test.group {
			if runtime.GOOS != "linux" {
				// elsewhere every folder gives its group to what is made in it, without the bit
				continue
			}
			s.must(os.Chmod(to, fs.ModeSetgid|0o770))
		}
		cmd := exec.Command("sh", "-c", `umask "$0"; exec "$@"`, test.umask, "pipeline", "push", "--to", to,
			"--warehouse", s.warehouse)
		cmd.Env = withoutUmask(objects.UmaskVariable + "=" + test.variable)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%+v: %v: %s", test, err, out)
		}
		s.modesIn(to, test.folders, test.files)
	}
	s.modesIn(push.Dir(s.warehouse), 0o700, 0o600)
}

// TestPushTwoUsers: two users of a group push into its folder, whatever their umask, and each reads what the other has
// sent.
func TestPushTwoUsers(t *testing.T) {
	long(t)
	if os.Getuid() != 0 || runtime.GOOS != "linux" {
		t.Skip("only root can be two users")
	}
	s := newSharing(t)
	const group = 54320
	to := filepath.Join(s.dir, "lake")
	s.must(os.Mkdir(to, 0o700))
	s.must(os.Chown(to, 0, group))
	s.must(os.Chmod(to, fs.ModeSetgid|0o770))
	for at := s.dir; at != filepath.Clean(os.TempDir()); at = filepath.Dir(at) {
		s.must(os.Chmod(at, 0o711))
	}
	as := func(user uint32, umask, script string, args ...string) {
		t.Helper()
		cmd := exec.Command("sh", append([]string{"-c", "umask " + umask + "; " + script}, args...)...)
		home := filepath.Join(s.dir, fmt.Sprint(user))
		cmd.Dir, cmd.Env = home, withoutUmask("HOME="+home)
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Credential: &syscall.Credential{Uid: user, Gid: user, Groups: []uint32{group}},
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("user %d: %v: %s", user, err, out)
		}
	}
	program, err := exec.LookPath("pipeline")
	s.must(err)
	s.must(os.Chmod(filepath.Dir(program), 0o711))
	s.must(os.Chmod(filepath.Dir(filepath.Dir(program)), 0o711))
	users := map[uint32]string{54321: "022", 54322: "077"}
	for user := range users {
		home := filepath.Join(s.dir, fmt.Sprint(user))
		s.must(os.Mkdir(home, 0o700))
		s.copyOf(filepath.Join(home, "w.duckdb"), s.warehouse)
		for _, path := range []string{home, filepath.Join(home, "w.duckdb")} {
			s.must(os.Chown(path, int(user), int(user)))
		}
	}
	for user, umask := range users {
		as(user, umask, `exec "$0" push --to "$1" --warehouse w.duckdb`, program, to)
	}
	for user, umask := range users {
		as(user, umask, `test $(find "$0" -name '*.parquet' | wc -l) -gt 10 && find "$0" -type f -exec cat {} + > all`,
			to)
	}
	machines, err := filepath.Glob(filepath.Join(to, push.Root, "machine=*", "commit", "*.parquet"))
	s.must(err)
	if len(machines) != 2 {
		t.Errorf("commits of two machines: %q", machines)
	}
}
