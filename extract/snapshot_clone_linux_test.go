package extract

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pipeline/testdata/gen/editortest"
)

// btrfs mounts a new file system that can share blocks between files: btrfs, or XFS where that is what there is.
func btrfs(t *testing.T) (dir string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can mount a file system")
	}
	memory, err := os.MkdirTemp("/dev/shm", "image") // in memory, so that commits do not wait for a disk twice
	if err != nil {
		memory = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(memory) })
	image, dir := filepath.Join(memory, "image"), filepath.Join(t.TempDir(), "mounted")
	const size = 400 << 20
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, size), os.Mkdir(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, mkfs := range [][]string{{"mkfs.btrfs", "-q", image}, {"mkfs.xfs", "-q", "-m", "reflink=1", image}} {
		if _, err := exec.LookPath(mkfs[0]); err != nil {
			said = append(said, err.Error())
			continue
		}
		if out, err := exec.Command(mkfs[0], mkfs[1:]...).CombinedOutput(); err != nil {
			said = append(said, mkfs[0]+": "+err.Error()+": "+string(out))
			continue
		}
		out, err := exec.Command("mount", "-o", "loop", image, dir).CombinedOutput()
		if err == nil {
			t.Cleanup(func() { unmount(t, dir) })
			return dir
		}
		said = append(said, "mount: "+err.Error()+": "+string(out))
	}
	t.Skipf("no file system with reflinks: %s", strings.Join(said, "; "))
	return ""
}

// unmount waits for an editor that was killed a moment ago to let its files go.
func unmount(t *testing.T, dir string) {
	var out []byte
	var err error
	for range 50 {
		if out, err = exec.Command("umount", dir).CombinedOutput(); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("umount: %v: %s", err, out)
}

func cloneFile(from, to string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return cloneOpen(f, to)
}

// A clone has the content of its original and goes on having it; where there are no reflinks the error says so, and
// nothing is left.
func TestCloneFile(t *testing.T) {
	dir := btrfs(t)
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	content := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	if err := os.WriteFile(from, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := cloneFile(from, to); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(from, []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(to); err != nil || !bytes.Equal(got, content) {
		t.Errorf("the clone has %d bytes, want the %d of before: %v", len(got), len(content), err)
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the clone may be read by others: %v, %v", info.Mode(), err)
	}
	elsewhere := filepath.Join(t.TempDir(), "to") // on another file system
	if err := cloneFile(from, elsewhere); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("between file systems: %v", err)
	}
	if left := files(t, filepath.Dir(elsewhere)); len(left) > 0 {
		t.Errorf("left after the failure: %s", names(left))
	}
}

// cloneHome is a rollback store on a file system with reflinks, too large to be read between two commits.
func cloneHome(t *testing.T) *home {
	t.Helper()
	dir := btrfs(t)
	h := &home{way: way{name: "rollback, clone"}, path: filepath.Join(dir, "state.vscdb"), ballast: 16 << 20}
	// as it is opened after reads in place that were torn
	h.options = storeOptions{TempDir: filepath.Join(dir, "temp"), remote: isLocal, Copy: true}
	if err := os.Mkdir(h.options.TempDir, 0o700); err != nil {
		t.Fatal(err)
	}
	h.acknowledged = edited(t, h.path, false, false, 30)
	load(t, h.path, h.ballast)
	return h
}

// cloned reads the store once, beside an editor that may be committing, and returns the way that was taken and what
// became of it. Where the editor is quiet for once, the store is read in place or copied with its journal, which is as
// good.
func (h *home) cloned(t *testing.T, acknowledged func() int) (method, outcome string) {
	t.Helper()
	before := acknowledged()
	s, err := openStore(t.Context(), h.path, h.options)
	if errors.Is(err, ErrBusy) {
		return "none", "busy"
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	method = s.Info().Method
	n, err := editortest.Check(t.Context(), s.Conn(), func() { time.Sleep(time.Millisecond) })
	if err == nil {
		err = scan(t, s, func() {})
	}
	switch verify := s.Verify(); {
	case method == MethodInPlace && errors.Is(verify, ErrTorn):
		return method, "torn"
	case err != nil || verify != nil:
		t.Errorf("by %s: %v; Verify: %v", method, err, verify)
	case n < before:
		t.Errorf("by %s: %d messages, want at least %d", method, n, before)
	}
	return method, "whole"
}

// TestClone: a rollback store whose editor never rests, so that no read in place holds, is read as a clone, which holds
// one state. No commit fails. How long commits take with and without clones is told, not judged.
func TestClone(t *testing.T) {
	h := cloneHome(t)
	alone := editortest.Start(t, h.path, editortest.Options{})
	await(t, alone, commitsDuring)
	if err := alone.Stop(); err != nil {
		t.Fatal(err)
	}
	e := editortest.Start(t, h.path, editortest.Options{})
	seen := map[string]int{}
	for tries := 0; (seen["clone whole"] < 10 || e.Commits() < commitsDuring) && tries < 200 && !t.Failed(); tries++ {
		method, outcome := h.cloned(t, e.Messages)
		seen[method+" "+outcome]++
	}
	if seen[MethodClone+" whole"] < 10 {
		t.Errorf("reads: %v, want at least 10 clones", seen)
	}
	if err := e.Stop(); err != nil {
		t.Errorf("the editor was disturbed: %v", err)
	}
	h.acknowledged = e.Messages()
	h.end(t)
	slowest, median := alone.Latency()
	slowestRead, medianRead := e.Latency()
	t.Logf("%d MB: median commit %v, with clones %v; slowest %v, with clones %v; reads: %v", h.ballast>>20, median,
		medianRead, slowest, slowestRead, seen)
}

// TestEditorStartsDuringClone: one editor after the other has a store that is cloned again and again, so that a start
// meets the one lock that could block it. It is held for milliseconds: no editor has to open the store twice, and each
// finds what the one before it acknowledged.
func TestEditorStartsDuringClone(t *testing.T) {
	long(t)
	h := cloneHome(t)
	const starts = 24
	seen := map[string]int{}
	e := editortest.Start(t, h.path, editortest.Options{})
	var slowest time.Duration // opening
	for i := range starts {
		next := editortest.Prepare(t, h.path, editortest.Options{})
		changed := make(chan error, 1)
		go func() {
			time.Sleep(time.Duration(i%6) * 5 * time.Millisecond)
			err := e.Stop()
			changed <- errors.Join(err, next.Open())
		}()
		for end := time.Now().Add(30 * time.Second); next.Commits() < 3 && time.Now().Before(end); {
			method, outcome := h.cloned(t, e.Messages)
			seen[method+" "+outcome]++
		}
		found, took := next.Found()
		if err := <-changed; err != nil || found != e.Messages() || next.FailedOpens() > 0 {
			t.Fatalf("start %d: %v; %d messages were found, want %d; the opening failed %d times", i, err, found,
				e.Messages(), next.FailedOpens())
		}
		slowest = max(slowest, took)
		e = next
	}
	if err := e.Stop(); err != nil {
		t.Errorf("the editor was disturbed: %v", err)
	}
	h.acknowledged = e.Messages()
	h.end(t)
	if seen[MethodClone+" whole"] < starts/2 {
		t.Errorf("reads: %v, want a clone in at least every other start", seen)
	}
	t.Logf("%d starts, no failed opening, the slowest took %v; reads: %v", starts, slowest, seen)
}
