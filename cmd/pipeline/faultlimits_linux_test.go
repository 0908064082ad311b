package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

// TestFullTemporaryDirectory: a store of which a private copy is needed, and no room for one. The load is one of a
// part, says so and deletes nothing, leaves no scratch, and the next run has it all once there is room.
func TestFullTemporaryDirectory(t *testing.T) {
	t.Parallel()
	long(t)
	disk := smallDisk(t, "256k")
	fixture := newFaultFixture(t, true)
	if err := os.Remove(filepath.Join(fixture.user, "globalStorage", "state.vscdb-shm")); err != nil {
		// as in a backup: it cannot be read in place
		t.Fatal(err)
	}
	h := fixture.newPlace(false)
	cmd := command(h, fixture.args()...)
	cmd.Env = append(os.Environ(), "TMPDIR="+disk)
	l := left{}
	l.code, l.output = output(t, cmd)
	fixture.judgePartial(h, l, t.Errorf)
	for _, part := range []string{"no room for a private copy", "TMPDIR", "state.vscdb"} {
		if !strings.Contains(l.output, part) {
			t.Errorf("the message does not say %q: %s", part, l.output)
		}
	}
	if left := files(t, disk); len(left) != 1 { // the folder itself
		t.Errorf("left in the temporary directory: %v", left)
	}
	fixture.converge(h, false, t.Errorf)
}

// smallDisk mounts a disk of a size.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("a small disk cannot be mounted here, that takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return disk
}

// memoryLimit is what a run has to do with.
const memoryLimit = 512 << 20

// TestMemoryLimit: a run that may use 512 MB ends well, or with an error, or is killed for it; in no case is a load
// half done. The limit holds for what it has read of files too.
func TestMemoryLimit(t *testing.T) {
	long(t)
	t.Parallel()
	group := memoryGroup(t, memoryLimit)
	messages := 1000
	if night.On() {
		messages = 30_000
	}
	dir := t.TempDir()
	user, limited, free := filepath.Join(dir, "User"), placeIn(filepath.Join(dir, "limited")),
		placeIn(filepath.Join(dir, "free"))
	must(t, storetest.New(storetest.Options{Seed: 8, Messages: messages, NoCases: true}).Write(user))
	info, err := os.Stat(filepath.Join(user, "globalStorage", "state.vscdb"))
	must(t, err)
	args := []string{"--quiet", "--source", "test=" + user}
	if code, out := output(t, command(free, args...)); code != 0 {
		t.Fatalf("a run without a limit: exit code %d: %s", code, out)
	}
	want := look(t, free.warehouse, t.Errorf)
	code, out := output(t, inGroup(group, command(limited, args...)))
	peak, err := os.ReadFile(filepath.Join(group, "memory.max_usage_in_bytes"))
	must(t, err)
	used, err := strconv.ParseInt(strings.TrimSpace(string(peak)), 10, 64)
	if err != nil || used < 20<<20 {
		t.Errorf("the run was not in the group: it used %s bytes (%v)", peak, err)
	}
	t.Logf("a store of %d MB: exit code %d, at most %d MB with the files' pages: %s", info.Size()>>20, code, used>>20,
		out)
	switch _, err := os.Stat(limited.warehouse); {
	case code == 0 && err != nil, code != 0 && !errors.Is(err, os.ErrNotExist):
		t.Errorf("exit code %d, and the warehouse: %v", code, err)
	case code > 0 && strings.TrimSpace(out) == "":
		t.Errorf("exit code %d, and not a word", code)
	case code != 0:
		if code, out := output(t, command(limited, args...)); code != 0 {
			t.Errorf("the next run, without a limit: exit code %d: %s", code, out)
		}
	}
	if now := look(t, limited.warehouse, t.Errorf); now.live != want.live {
		t.Errorf("the rows differ from those of a load without a limit:\n%s\nwant\n%s", now.live, want.live)
	}
}

// inGroup is a command as a process of a group.
func inGroup(group string, c *exec.Cmd) *exec.Cmd {
	return exec.Command("sh",
		append([]string{"-c", `echo $$ > "$1"; shift; exec "$@"`, "sh", filepath.Join(group, "cgroup.procs"), c.Path},
			c.Args[1:]...)...)
}

// TestLittleMemory: in a group of 300 MB every command ends well, but for a query that needs more: the engine says so,
// before the system kills the process.
func TestLittleMemory(t *testing.T) {
	long(t)
	group := memoryGroup(t, 300<<20)
	w := newCLITest(t)
	w.must(storetest.New(storetest.Options{Seed: 8, Messages: 2000}).Write(w.user))
	const sorted = "SELECT a.text, b.* FROM messages a, messages b WHERE a.conversation_id < '5' ORDER BY md5(a.text " +
		"|| b.text)"
	for _, c := range []struct {
		code int
		args []string
	}{
		{0, []string{"run", "--source", "test=" + w.user, "--quiet"}}, {0, []string{"rebuild"}},
		{0, []string{"check", "--deep"}}, {0, []string{"search", "the"}},
		{0, []string{"report", "-o", filepath.Join(w.dir, "report.html")}},
		{1, []string{"sql", sorted, "-o", filepath.Join(w.dir, "sorted.csv")}},
	} {
		code, out := output(t, inGroup(group, exec.Command("pipeline", append(c.args, "--warehouse", w.warehouse)...)))
		if code != c.code || c.code == 1 && !strings.Contains(out, "memory") {
			t.Errorf("%q: exit code %d, want %d: %s", c.args, code, c.code, out)
		}
	}
}

// memoryGroup makes a group of processes that share a limit.
func memoryGroup(t *testing.T, limit int) string {
	t.Helper()
	group := filepath.Join("/sys/fs/cgroup/memory", fmt.Sprintf("pipeline-test-%d-%d", os.Getpid(), limit>>20))
	err := os.Mkdir(group, 0o755)
	if err == nil {
		t.Cleanup(func() {
			if err := os.Remove(group); err != nil {
				t.Error(err)
			}
		})
		err = os.WriteFile(filepath.Join(group, "memory.limit_in_bytes"), []byte(strconv.Itoa(limit)), 0o600)
	}
	if err != nil {
		t.Skipf("a limit of memory cannot be set here, that takes root and the memory controller of cgroup v1: %v", err)
	}
	return group
}

// TestFileSizeLimit: files may not grow (ulimit -f). The signal of that ends nothing: the run says why it failed, the
// warehouse is as it was, and the next run has it all.
func TestFileSizeLimit(t *testing.T) {
	t.Parallel()
	long(t)
	w := newCLITest(t)
	w.must(storetest.New(storetest.Options{Seed: 9, Messages: 1500, NoCases: true}).Write(w.user))
	limited := func() {
		cmd := exec.Command("sh", "-c", `ulimit -f 512; exec "$0" "$@"`, "pipeline", "run", "--quiet", "--source",
			"test="+w.user, "--warehouse", w.warehouse, "--full", "--log", "none")
		code, said := output(t, cmd)
		if code != 1 || !strings.Contains(said, "ulimit -f") {
			t.Errorf("exit code %d: %s", code, said)
		}
	}
	limited()
	w.run(0)
	w.change(`UPDATE messages SET text = text || ' '`) // equal rows would stay where they are
	before := w.ask("SELECT count(*) FROM loads")
	for range 3 { // which thread of the engine meets the limit is by chance
		limited()
	}
	w.same("the loads", before, w.ask("SELECT count(*) FROM loads"))
	w.run(0, "--full")
	w.sound()
}

// TestWritersSayWhy: a disk that can only be read, and one that is full, are named by each command that writes, with
// what to do.
func TestWritersSayWhy(t *testing.T) {
	long(t)
	disk := smallDisk(t, "48m")
	w := newCLITest(t)
	w.warehouse = filepath.Join(disk, "w.duckdb")
	w.must(storetest.New(storetest.Options{Seed: 9, Messages: 60, NoCases: true}).Write(w.user))
	w.runs(0, "run", "--quiet", "--source", "test="+w.user, "--warehouse", w.warehouse, "--log", "none")
	at := func(name string) string { return filepath.Join(disk, name) }
	commands := [][]string{ // those before the last also have something to write when nothing changes
		{"run", "--full", "--source", "test=" + w.user, "--log", "none"}, {"rebuild"}, {"search", "the"},
		{"export", "parquet", at("parquet")},
		{"run", "--source", "test=" + w.user, "--log", "none", "--parquet", at("parquet")},
		{"report", "--output", at("report.html")}, {"sql", "--output", at("rows.csv"), "FROM messages"},
		{"export", "conversations", "--format", "jsonl", "--out", at("chats.jsonl")},
		{"export", "conversations", "--format", "markdown", "--out", at("chats")}, {"demo", "--out", at("demo")},
		{"prune", "--apply"},
	}
	each := func(what, says string, commands [][]string) {
		for _, args := range commands {
			full := args
			if args[0] != "demo" {
				full = append(append([]string{}, args...), "--warehouse", w.warehouse)
			}
			if _, said := w.runs(1, full...); !strings.Contains(said, says) && !strings.Contains(said, "; name a") {
				t.Errorf("%s: %v says %q", what, args, said)
			}
		}
	}
	w.must(syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	each("a disk that can only be read", "only be read", commands)
	w.must(syscall.Mount("", disk, "", syscall.MS_REMOUNT, ""))
	filler, err := os.Create(at("filler"))
	w.must(err)
	for block := make([]byte, 4096); err == nil; {
		_, err = filler.Write(block)
	}
	w.must(filler.Close())
	each("a full disk", "The disk is full", commands[:len(commands)-1])
	w.must(os.Remove(at("filler")))
	w.runs(0, "run", "--quiet", "--source", "test="+w.user, "--warehouse", w.warehouse, "--log", "none")
	w.sound()
}
