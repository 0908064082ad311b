package extract

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pipeline/testdata/gen/editortest"
	"pipeline/testdata/gen/storetest"
)

// What a look foresees is what opening the store does, in each state that an editor, a crash or a copy leaves; the look
// changes nothing.
func TestInspect(t *testing.T) {
	t.Parallel()
	edit := func(wal, kill bool) func(*testing.T) string {
		return func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "state.vscdb")
			edited(t, path, wal, kill, 20)
			return path
		}
	}
	then := func(make func(*testing.T) string, change func(path string) error) func(*testing.T) string {
		return func(t *testing.T) string {
			path := make(t)
			if err := change(path); err != nil {
				t.Fatal(err)
			}
			return path
		}
	}
	fault := func(write func(string) error) func(*testing.T) string {
		return func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "state.vscdb")
			if err := write(path); err != nil {
				t.Fatal(err)
			}
			return path
		}
	}
	old := func(path string) error {
		return os.Chtimes(path+"-wal", time.Time{}, time.Now().Add(-time.Hour))
	}
	for name, test := range map[string]struct {
		store        func(*testing.T) string
		remote       func(string) (bool, error)
		method       string
		kind         ErrKind // why it cannot be opened
		stale, hot   bool
		wal, journal bool // they have bytes
	}{
		"closed":      {store: edit(false, false), method: MethodInPlace},
		"closed, WAL": {store: edit(true, false), method: MethodInPlace},
		"killed, WAL": {store: edit(true, true), method: MethodWAL, wal: true},
		"backup": {store: then(edit(true, true), func(p string) error { return os.Remove(p + "-shm") }),
			method: MethodCopy, wal: true},
		"old -wal": {store: then(edit(true, true), old), method: MethodCopy, stale: true, wal: true},
		"another's -wal": {store: func(t *testing.T) string {
			path, other := edit(true, true)(t), edit(false, false)(t)
			if err := os.Rename(other, path); err != nil {
				t.Fatal(err)
			}
			return path
		}, method: MethodCopy, wal: true},
		"crash": {store: func(t *testing.T) string { p, _ := hotStore(t); return p }, method: MethodCopy,
			hot: true, journal: true},
		"remote":      {store: edit(true, true), remote: isRemote, method: MethodCopy, wal: true},
		"missing":     {store: fault(func(string) error { return nil }), kind: KindMissing},
		"empty":       {store: fault(storetest.WriteZeroBytes), kind: KindEmpty},
		"not a store": {store: fault(storetest.WriteNotADatabase), kind: KindNotDatabase},
		"half a page": {store: then(edit(false, false), func(p string) error { return os.Truncate(p, 4096+100) }),
			kind: KindDamaged},
		"link to WAL": {store: linked(edit(true, true)), method: MethodWAL, wal: true},
		"fs not known": {store: edit(false, false),
			remote: func(string) (bool, error) { return false, errors.New("no statfs") }, method: MethodCopy},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, scratch := test.store(t), t.TempDir()
			if test.remote == nil {
				test.remote = isLocal
			}
			o := storeOptions{TempDir: scratch, remote: test.remote, pause: 50 * time.Millisecond}
			before := files(t, filepath.Dir(path))
			l := inspect(t.Context(), path, o.withDefaults())
			if diff := cmp.Diff(before, files(t, filepath.Dir(path))); diff != "" {
				t.Errorf("the look changed files: %s", diff)
			}
			if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
				t.Errorf("it left %v in the scratch folder, %v", left, err)
			}
			if l.StaleWAL != test.stale || l.HotJournal != test.hot || (l.WALBytes > 0) != test.wal ||
				(l.JournalBytes > 0) != test.journal {
				t.Errorf("%+v", l)
			}
			s, err := openStore(t.Context(), path, o)
			if test.kind != "" {
				if kindOf(l.Err) != test.kind || kindOf(err) != test.kind {
					t.Errorf("the look says %v, opening says %v, want both %s", l.Err, err, test.kind)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if info := s.Info(); l.Err != nil || l.Method != test.method || info.Method != test.method ||
				l.Path != info.Path || l.Total() != info.Bytes || l.JournalMode != info.JournalMode {
				t.Errorf("foreseen: %+v\nopened: %+v", l, info)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// linked is a store behind a symbolic link in another folder.
func linked(make func(*testing.T) string) func(*testing.T) string {
	return func(t *testing.T) string {
		link := filepath.Join(t.TempDir(), "state.vscdb")
		if err := os.Symlink(make(t), link); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
		return link
	}
}

// A store that an editor writes to all the time in rollback-journal mode: the look ends soon, no commit fails, and in
// WAL mode it is known who has it open.
func TestInspectLive(t *testing.T) {
	t.Parallel()
	for _, wal := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "state.vscdb")
		e := editortest.Start(t, path, editortest.Options{WAL: wal})
		for range 20 {
			l := inspect(t.Context(), path, storeOptions{TempDir: t.TempDir(), remote: isLocal,
				pause: 20 * time.Millisecond}.withDefaults())
			if l.Err != nil && !errors.Is(l.Err, ErrTorn) || wal != (l.Method == MethodWAL) {
				t.Errorf("WAL %v: %+v %v", wal, l, l.Err)
			}
		}
		own, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer own.Close()
		holders, err := holdersOf(1, path, path+"-other")
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			t.Log("who has a file open is not known on this system")
		case err != nil || len(holders) != 1 || len(holders[path]) != 1 || holders[path][0].PID == os.Getpid():
			t.Errorf("the editor alone has it open, not %v, %v", holders, err)
		}
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
		if holders, err := holdersOf(0, path); err == nil && len(holders) > 0 {
			t.Errorf("nobody has it open any more, not %v", holders)
		}
	}
}

// holdersOf are the processes that have files open, once they are as many as expected. A program that another test
// starts at this moment has every file of this process open, until it runs.
func holdersOf(many int, paths ...string) (holders map[string][]Process, err error) {
	for range 100 {
		if holders, err = Holders(paths); err != nil || len(holders) == 0 && many == 0 ||
			len(holders) == 1 && len(holders[paths[0]]) == many {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return holders, err
}

// A process whose program is called cursor is found, and no longer when it has ended.
func TestEditors(t *testing.T) {
	t.Parallel()
	sleep, err := exec.LookPath("sleep")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no program sleep to make a Cursor of")
	}
	program := filepath.Join(t.TempDir(), "cursor")
	b, err := os.ReadFile(sleep)
	if err := errors.Join(err, os.WriteFile(program, b, 0o700)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "60")
	if err := cmd.Start(); err != nil {
		t.Skipf("a copy of sleep cannot be started: %v", err)
	}
	runs := func() bool {
		list, err := Editors(t.Context())
		if err != nil {
			t.Skipf("processes cannot be listed here: %v", err)
		}
		return slices.ContainsFunc(list, func(p Process) bool { return p.PID == cmd.Process.Pid })
	}
	if !runs() {
		t.Error("a running cursor was not found")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if runs() {
		t.Error("a cursor that has ended was found")
	}
}

// Names of programs as Linux, macOS and Windows list them, and what is none of the editor's.
func TestIsEditor(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]bool{
		"/usr/share/cursor/cursor": true, "/usr/share/cursor/cursor (deleted)": true,
		"/tmp/.mount_CursorAb12/usr/share/cursor/cursor": true, "/opt/Cursor-1.7.54-x86_64.AppImage": true,
		"/home/u/.cursor-server/cli/servers/Stable-1/server/node": true, "cursor": true,
		"/Applications/Cursor.app/Contents/MacOS/Cursor":                                                          true,
		"/Applications/Cursor.app/Contents/Frameworks/Cursor Helper (GPU).app/Contents/MacOS/Cursor Helper (GPU)": true,
		"Cursor.exe": true, `C:\Users\u\AppData\Local\Programs\cursor\Cursor.exe`: true, "Cursor Nightly.exe": true,
		"/usr/bin/code": false, "/usr/lib/xcursorgen": false, "/home/u/cursor/bin/thing": false, "cursor-theme": false,
		"": false, "/usr/local/bin/cursor-agent": false,
	} {
		if got := isEditor(program); got != want {
			t.Errorf("%q: %v, want %v", program, got, want)
		}
	}
}

// The lists of ps and tasklist are read as these programs print them.
func TestProcessLists(t *testing.T) {
	t.Parallel()
	ps := "    1 /sbin/launchd\n  723 /Applications/Cursor.app/Contents/MacOS/Cursor\n 9914 (zombie)\n"
	if diff := cmp.Diff([]Process{{1, "/sbin/launchd"}, {723, "/Applications/Cursor.app/Contents/MacOS/Cursor"},
		{9914, "(zombie)"}}, readPS(ps)); diff != "" {
		t.Error(diff)
	}
	tasks := "\"System Idle Process\",\"0\",\"Services\",\"0\",\"8 " +
		"K\"\r\n\"Cursor.exe\",\"4120\",\"Console\",\"1\",\"231,552 K\"\r\n"
	if diff := cmp.Diff([]Process{{0, "System Idle Process"}, {4120, "Cursor.exe"}}, readTasklist(tasks)); diff != "" {
		t.Error(diff)
	}
	if got := readTasklist("INFO: No tasks are running which match the specified criteria.\r\n"); got != nil {
		t.Errorf("a message was read as %v", got)
	}
}
