package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pipeline/testdata/gen/storetest"
)

const (
	limitRSS = 512 << 20
	// where the largest value that is read is in the store: its copies in SQLite, in the parser, in both files
	limitLargeRSS = 2 << 30
	limitRead     = 64 << 20 // no larger value is read
)

// A footprint is what a process took at most of memory and of open files, and what it read of files.
type footprint struct {
	rss, read int64
	files     int
	took      time.Duration
}

func (f footprint) String() string {
	return fmt.Sprintf("%d MB at most, %d MB read, %d open files at most, %v", f.rss>>20, f.read>>20, f.files,
		f.took.Round(time.Millisecond))
}

// weighed is run, and what it took.
func (w *cliTest) weighed(limit int64, args ...string) footprint {
	w.t.Helper()
	f := weigh(w.t,
		exec.Command("pipeline",
			append([]string{"run", "--quiet", "--source", "test=" + w.user, "--warehouse", w.warehouse}, args...)...))
	if f.rss > limit {
		w.t.Errorf("the run took %d MB of memory", f.rss>>20)
	}
	return f
}

// weigh runs a program to its end, and returns what it took. The kernel's figure for a child that has ended may be its
// parent's: both are one until the child begins its program. So the process is looked at while it runs.
func weigh(t *testing.T, cmd *exec.Cmd) (f footprint) {
	t.Helper()
	c := start(t, cmd)
	proc := fmt.Sprintf("/proc/%d/", c.cmd.Process.Pid)
	figure := func(file, name string) (n int64) {
		text, _ := os.ReadFile(proc + file) // it may have ended
		if _, after, ok := bytes.Cut(text, []byte(name)); ok {
			_, _ = fmt.Sscan(string(after), &n)
		}
		return n
	}
	for ended := false; !ended; {
		select {
		case <-c.ended:
			ended = true
		case <-time.After(2 * time.Millisecond):
		}
		open, _ := os.ReadDir(proc + "fd")
		f.rss, f.read, f.files = max(f.rss, figure("status", "VmHWM:")<<10), max(f.read, figure("io", "rchar:")),
			max(f.files, len(open))
	}
	if code := c.wait(); code != 0 {
		t.Fatalf("%v: exit code %d: %.500s", cmd.Args[1:], code, c.output.String())
	}
	if f.took = c.took; f.rss == 0 {
		t.Errorf("%v: its memory was not seen", cmd.Args[1:])
	}
	return f
}

// TestHugeValues: a value of 500 MB, and a store of 1 GB in one row, are named and never read; what is beside them is
// loaded.
func TestHugeValues(t *testing.T) {
	long(t)
	for name, size := range map[string]int64{"500 MB": 500_000_000, "1 GB": 999_000_000} {
		// SQLite's own limit is 1,000,000,000
		t.Run(name, func(t *testing.T) {
			w := newCLITest(t)
			w.store(talk("small", "hello", "well"), storetest.StoreOptions{})
			w.exec(fmt.Sprintf("INSERT INTO cursorDiskKV VALUES ('bubbleId:small:huge', zeroblob(%d))", size))
			first := w.weighed(limitRSS)
			w.same("the messages", [][]string{{"hello"}, {"well"}},
				w.ask("SELECT text FROM live_messages ORDER BY text"))
			w.same("the quarantine", [][]string{{"bubbleId:small:huge", "too_large", fmt.Sprint(size), "NULL"}},
				w.ask("SELECT key, reason, value_bytes, head FROM quarantine"))
			full := w.weighed(limitRSS, "--full")
			t.Logf("first: %v; --full: %v", first, full)
			for _, f := range []footprint{first, full} {
				if f.read > limitRead {
					t.Errorf("the run read %d MB", f.read>>20)
				}
			}
		})
	}
}

// TestLargestValue: a message of 64 MiB is read, kept and given back to the byte; one byte more is too large.
func TestLargestValue(t *testing.T) {
	long(t)
	w := newCLITest(t)
	w.store(talk("large"), storetest.StoreOptions{})
	const begin, end, most = `{"type":2,"text":"`, `"}`, 64 << 20
	sums := map[string]string{}
	for name, size := range map[string]int{"most": most, "more": most + 1} {
		n := size - len(begin) - len(end)
		sums[name] = fmt.Sprintf("%x", sha256.Sum256([]byte(begin+strings.Repeat("0", n)+end)))
		w.exec(fmt.Sprintf("INSERT INTO cursorDiskKV VALUES ('bubbleId:large:%s', '%s' || substr(hex(zeroblob(%d)), "+
			"1, %d) || '%s')", name, begin, (n+1)/2, n, end))
	}
	t.Logf("first: %v", w.weighed(limitLargeRSS))
	w.same("the messages", [][]string{{"most", fmt.Sprint(most - len(begin) - len(end))}},
		w.ask("SELECT message_id, strlen(text) FROM live_messages"))
	w.same("the quarantine", [][]string{{"bubbleId:large:more", "too_large", fmt.Sprint(most + 1)}},
		w.ask("SELECT key, reason, value_bytes FROM quarantine"))
	printed, _ := w.does(0, "history", "--warehouse", w.warehouse, "bubbleId:large:most", "--show", "last")
	w.same("what the raw layer has", sums["most"], fmt.Sprintf("%x", sha256.Sum256([]byte(printed))))
}

// TestManyWorkspaces: ten thousand folders of workspaces, some hundred with a store, are read one after the other, and
// a quiet run is cheap.
func TestManyWorkspaces(t *testing.T) {
	long(t)
	const folders, every = 10_000, 40
	w := newCLITest(t)
	w.store(talk("one", "hello"), storetest.StoreOptions{})
	model := filepath.Join(w.dir, "state.vscdb")
	w.must(storetest.WriteStore(model,
		[]storetest.Row{{Table: storetest.ItemTable, Key: "aiService.prompts", Value: `[{"text":"p"}]`}},
		storetest.StoreOptions{NoDiskKV: true}))
	store, err := os.ReadFile(model)
	w.must(err)
	for i := range folders {
		dir := filepath.Join(w.user, "workspaceStorage", fmt.Sprintf("%032x", i))
		err := errors.Join(os.MkdirAll(dir, 0o700),
			os.WriteFile(filepath.Join(dir, "workspace.json"), fmt.Appendf(nil, `{"folder":"file:///src/%d"}`, i),
				0o600))
		if i%every == 0 {
			err = errors.Join(err, os.WriteFile(filepath.Join(dir, "state.vscdb"), store, 0o600))
		}
		w.must(err)
	}
	first := w.weighed(limitRSS)
	quiet := w.weighed(limitRSS)
	t.Logf("first: %v; quiet: %v", first, quiet)
	for _, f := range []footprint{first, quiet} {
		if f.files == 0 || f.files > 1000 {
			t.Errorf("%d files were open at once", f.files)
		}
	}
	w.same("the workspaces and prompts", [][]string{{fmt.Sprint(folders), fmt.Sprint(folders / every)}},
		w.ask("SELECT (SELECT count(*) FROM workspaces), (SELECT count(*) FROM prompts WHERE deleted_at IS NULL)"))
}
