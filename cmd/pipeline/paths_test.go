package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"pipeline/testdata/gen/storetest"
)

// oddNames are names of folders and files that mean something to a shell, a URI, a pattern or SQL.
func oddNames() []string {
	names := []string{"a b", "what?access_mode=read_only", "c#d", "50%", "50%41", `it's "quoted";`, "*[a-z]", "a,b=c",
		"--full", "ключ 鍵"}
	if runtime.GOOS == "linux" {
		names = append(names, "latin1 \xe9", "new\nline", `back\slash`, "\x1b[31mred")
	}
	return names
}

// TestOddPaths: the source, the warehouse and the Parquet folder may have any name: the right files are read and
// written, or a clear error says which name is in the way, and nothing is made elsewhere.
func TestOddPaths(t *testing.T) {
	long(t)
	for i, name := range oddNames() {
		t.Run(fmt.Sprint(i), func(t *testing.T) { // the test's own folder has a plain name
			t.Parallel()
			w := newCLITest(t)
			inside := filepath.Join(w.dir, name)
			if err := os.Mkdir(inside, 0o700); err != nil {
				t.Skipf("this file system has no such names: %v", err)
			}
			w.user = filepath.Join(inside, name)
			w.must(storetest.WriteStore(filepath.Join(w.dir, "state.vscdb"), talk("a", "hello"),
				storetest.StoreOptions{}))
			w.must(os.MkdirAll(filepath.Dir(w.global()), 0o700))
			w.must(os.Rename(filepath.Join(w.dir, "state.vscdb"), w.global()))
			before := files(t, w.user)
			if !utf8.ValidString(name) {
				// the library that reads the flags cannot take it; in discovered folders it may be
				w.run(3)
				w.same("the source", before, files(t, w.user))
				return
			}
			w.run(0, "--parquet", filepath.Join(w.dir, "parquet")) // the source
			w.same("the messages", "a:hello", w.living())
			w.oddPlace(place{filepath.Join(inside, name+".duckdb"), filepath.Join(inside, "parquet")})
			w.same("the source", before, files(t, w.user))
			entries, err := os.ReadDir(w.dir)
			w.must(err)
			for _, e := range entries {
				if !strings.HasPrefix(e.Name(), "w.duckdb") && e.Name() != "parquet" && e.Name() != name {
					t.Errorf("there is a file %q", e.Name())
				}
			}
		})
	}
}

// oddPlace loads into a warehouse, and publishes: it is there and is asked by the same name, or the error names it and
// nothing is there.
func (w *cliTest) oddPlace(odd place) {
	w.t.Helper()
	args := command(odd, "--quiet", "--source", "test="+w.user).Args[1:]
	var out, errs strings.Builder
	if code := realMain(append([]string{"pipeline"}, args...), &out, &errs); code != 0 {
		if code != exitFailed && code != exitUsage ||
			!strings.Contains(errs.String(), "--warehouse") && !strings.Contains(errs.String(), "--parquet") ||
			strings.Contains(errs.String(), "\x1b") {
			w.t.Errorf("%q: exit code %d: %s", odd, code, errs.String())
		}
		if _, err := os.Stat(odd.warehouse); err == nil {
			w.t.Errorf("%q: there is a warehouse", odd)
		}
		w.t.Logf("%q is refused: %s", odd.warehouse, errs.String())
		return
	}
	if info, err := os.Stat(odd.warehouse); err != nil || info.Size() == 0 {
		w.t.Errorf("%q: %v", odd, err)
	}
	printed, _ := w.does(0, "sql", "--warehouse", odd.warehouse, "--json", "SELECT text FROM live_messages")
	if !strings.Contains(printed, `"hello"`) {
		w.t.Errorf("%q: %s", odd, printed)
	}
	if odd.parquet != "" {
		w.does(0, "check", "--deep", "--warehouse", odd.warehouse, "--parquet", odd.parquet)
		if _, err := os.Stat(filepath.Join(odd.parquet, "current", "messages")); err != nil {
			w.t.Error(err)
		}
	}
}

// TestLinkLoops: links that lead nowhere or round are clear errors, and links that lead somewhere are followed.
func TestLinkLoops(t *testing.T) {
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	at := func(name string) string { return filepath.Join(w.dir, name) }
	for link, target := range map[string]string{"loop": "loop", "one": "two", "two": "one", "nowhere": "not there",
		"good": "User"} {
		w.must(os.Symlink(target, at(link)))
	}
	for _, bad := range []string{"loop", "one", "nowhere"} {
		if _, said := w.runs(3, "run", "--source", at(bad), "--warehouse", w.warehouse); !strings.Contains(said,
			at(bad)) {
			t.Errorf("--source %s: %s", bad, said)
		}
		if _, said := w.runs(1, "run", "--source", w.user, "--warehouse",
			filepath.Join(at(bad), "w.duckdb")); !strings.Contains(said, at(bad)) && bad != "nowhere" {
			t.Errorf("--warehouse %s: %s", bad, said)
		}
	}
	w.runs(0, "run", "--source", "test="+at("good"), "--warehouse", w.warehouse)
	w.same("the messages", "a:hello", w.living())
	if _, said := w.runs(2, "run", "--source", "test="+w.user, "--warehouse", w.warehouse, "--parquet",
		at("loop")); !strings.Contains(said, at("loop")) {
		t.Errorf("--parquet loop: %s", said)
	}
	w.sound()
}

// TestSourceNames: the name of a source becomes a folder of the raw layer, and leads nowhere else.
func TestSourceNames(t *testing.T) {
	w := newCLITest(t)
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	for _, name := range []string{"..", ".", ".hidden", ".pipeline-tmp-1", "../up", "/abs", "a/b", "-x", "a b", "*",
		"\x1b[31m"} {
		warehouse := filepath.Join(w.dir, "box", "w.duckdb")
		_, said := w.runs(3, "run", "--quiet", "--source="+name+"="+w.user, "--warehouse", warehouse)
		if !strings.Contains(said, "no such store") || strings.Contains(said, "\x1b") {
			t.Errorf("--source %s=...: %q", name, said)
		}
	}
	if left := files(t, w.dir); len(left) != 6 {
		// the folder, User, globalStorage, the store; the box with the notes of runs
		t.Errorf("there are %v", left)
	}
}
