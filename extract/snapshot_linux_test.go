package extract

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pipeline/testdata/gen/editortest"
)

// asNobody runs one test anew as a user without rights, in a process of its own; it reports whether it did. The
// environment variable tells that process where its files are.
func asNobody(t *testing.T, dir string) bool {
	t.Helper()
	if os.Getuid() != 0 {
		return false
	}
	for d := dir; strings.HasPrefix(d, os.TempDir()+"/"); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(dir, "test")
	b, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary, b, 0o755); err != nil {
		t.Fatal(err)
	}
	name := "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$"
	cmd := exec.Command(binary, "-test.run", name, "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "READONLY_DIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS") || strings.Contains(string(out), "no tests to run") {
		t.Errorf("as another user: %v\n%s", err, out)
	}
	return true
}

// A store in a folder that we may not write to: every row is read, in each state, and nothing is made there.
func TestReadOnlyFolder(t *testing.T) {
	dir := os.Getenv("READONLY_DIR")
	if dir == "" {
		dir = t.TempDir()
		for _, store := range []string{"closed", "killed", "backup", "unreadable-shm", "journal", "secret"} {
			prepareReadOnly(t, filepath.Join(dir, "stores", store), store)
		}
		t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+rwX", dir).Run() }) // so that it can be removed
		if asNobody(t, dir) {
			return
		}
	}
	for store, method := range map[string]string{"closed": MethodInPlace, "killed": MethodWAL, "backup": MethodCopy,
		"unreadable-shm": MethodCopy, "journal": MethodCopy} {
		folder := filepath.Join(dir, "stores", store)
		if err := os.WriteFile(filepath.Join(folder, "x"), nil, 0o644); err == nil {
			t.Fatal("the folder can be written to: this test proves nothing")
		}
		want, err := strconv.Atoi(strings.TrimSpace(readFile(t, filepath.Join(dir, "stores", store+".want"))))
		if err != nil {
			t.Fatal(err)
		}
		s := mustOpen(t, filepath.Join(folder, "state.vscdb"),
			storeOptions{TempDir: t.TempDir(), remote: isLocal, pause: 50 * time.Millisecond})
		if got := messages(t, s); got != want || s.Info().Method != method {
			t.Errorf("%s: %d messages by %s, want %d by %s", store, got, s.Info().Method, want, method)
		}
		if err := errors.Join(s.Verify(), s.Close()); err != nil {
			t.Error(err)
		}
	}
	_, err := openStore(t.Context(), filepath.Join(dir, "stores", "secret", "state.vscdb"),
		storeOptions{remote: isLocal})
	var known *StoreError
	if !errors.As(err, &known) || known.Kind != KindPermission {
		t.Errorf("without the right to read: %v, want KindPermission", err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func prepareReadOnly(t *testing.T, dir, store string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "state.vscdb")
	var want int
	var err error
	switch store {
	case "journal":
		var from string
		from, want = hotStore(t)
		err = errors.Join(os.WriteFile(path, []byte(readFile(t, from)), 0o644),
			os.WriteFile(path+"-journal", []byte(readFile(t, from+"-journal")), 0o644))
	default:
		want = edited(t, path, true, store != "closed", 50)
	}
	switch store {
	case "backup":
		err = os.Remove(path + "-shm")
	case "unreadable-shm":
		err = os.Chmod(path+"-shm", 0)
	case "secret":
		err = os.Chmod(path, 0)
	}
	if err := errors.Join(err, os.WriteFile(dir+".want", []byte(strconv.Itoa(want)), 0o644),
		os.Chmod(dir, 0o555)); err != nil {
		t.Fatal(err)
	}
}

// The read of a WAL store in a folder that we may not write to, while its owner commits.
func TestReadOnlyFolderLive(t *testing.T) {
	dir := os.Getenv("READONLY_DIR")
	if dir == "" {
		if os.Getuid() != 0 {
			t.Skip("only root can be two users")
		}
		dir = t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "live"), 0o755); err != nil {
			t.Fatal(err)
		}
		e := editortest.Start(t, filepath.Join(dir, "live", "state.vscdb"), editortest.Options{WAL: true})
		asNobody(t, dir)
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
		return
	}
	for range 10 {
		s := mustOpen(t, filepath.Join(dir, "live", "state.vscdb"), storeOptions{remote: isLocal})
		before := messages(t, s)
		time.Sleep(20 * time.Millisecond)
		if after := messages(t, s); after != before || s.Info().Method != MethodWAL {
			t.Errorf("%d, then %d messages by %s", before, after, s.Info().Method)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Opening a named pipe would wait for a writer for ever.
func TestNamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := openStore(t.Context(), path, storeOptions{})
	var known *StoreError
	if !errors.As(err, &known) || known.Kind != KindNotDatabase {
		t.Errorf("got %v, want KindNotDatabase", err)
	}
}

// The mount of another system's files is told by statfs: /proc is none of them, but it is not a disk either; the
// temporary directory is a disk.
func TestIsRemoteFS(t *testing.T) {
	for _, path := range []string{t.TempDir(), "/proc"} {
		if remote, err := isRemoteFS(path); remote || err != nil {
			t.Errorf("%s: remote %v, %v", path, remote, err)
		}
	}
	if _, err := isRemoteFS(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

// No room for the private copy: an error that says so, and nothing left.
func TestNoSpace(t *testing.T) {
	if err := newStoreError("/x", &os.PathError{Op: "write", Path: "/tmp/y", Err: syscall.ENOSPC}); !strings.Contains(
		err.Error(), "no room") {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "state.vscdb")
	edited(t, path, false, false, 5)
	_, err := openStore(t.Context(), path, storeOptions{Copy: true, TempDir: filepath.Join(t.TempDir(), "missing")})
	if err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("a temporary directory that is not there: %v", err)
	}
}

// TestEmptyWALKeepsItsRights: an empty -wal with other rights than its database's, beside a -shm that nobody holds, is
// as it was after a read.
func TestEmptyWALKeepsItsRights(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.vscdb")
	edited(t, path, true, false, 20)
	for _, end := range []string{walEnd, shmEnd} {
		content := []byte(strings.Repeat("garbage!", 4096))
		if end == walEnd {
			content = nil
		}
		if err := errors.Join(os.WriteFile(path+end, content, 0o644), os.Chmod(path+end, 0o644),
			os.Chmod(path, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := openStore(t.Context(), path, storeOptions{TempDir: t.TempDir(), pause: time.Millisecond, remote: isLocal})
	if err != nil {
		t.Fatal(err)
	}
	var rows int
	if err := errors.Join(s.Conn().QueryRowContext(t.Context(), "SELECT count(*) FROM cursorDiskKV").Scan(&rows),
		s.Verify(), s.Close()); err != nil || rows == 0 {
		t.Errorf("%d rows: %v", rows, err)
	}
	if info, err := os.Stat(path + walEnd); err != nil || info.Mode().Perm() != 0o644 || info.Size() != 0 {
		t.Errorf("the -wal is changed: %v %v", info, err)
	}
}
