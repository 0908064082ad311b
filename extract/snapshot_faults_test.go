package extract

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What cannot be a store is an error that names the file, the cause and what to do, and never an empty store.
func TestFaults(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "state.vscdb")
	edited(t, whole, false, false, 200)
	content, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	write := func(b []byte) func(path string) error {
		return func(path string) error { return os.WriteFile(path, b, 0o644) }
	}
	broken := func(at int, b ...byte) []byte {
		c := append([]byte(nil), content...)
		copy(c[at:], b)
		return c
	}
	tests := []struct {
		name string
		make func(path string) error
		kind ErrKind
		text string
	}{
		{"missing", func(string) error { return nil }, KindMissing, "no such file"},
		{"dangling link", func(p string) error { return os.Symlink("nowhere", p) }, KindMissing, ""},
		{"link to itself", func(p string) error { return os.Symlink(filepath.Base(p), p) }, KindUnreadable,
			"too many links"},
		{"folder", func(p string) error { return os.Mkdir(p, 0o755) }, KindNotDatabase, "folder"},
		{"empty", write(nil), KindEmpty, ""},
		{"text", write([]byte(strings.Repeat("not a database ", 100))), KindNotDatabase, "header"},
		{"zeros", write(make([]byte, 8192)), KindNotDatabase, "header"},
		{"encrypted", write([]byte(strings.Repeat("\x8f\x12\xe0\x00\x97", 2000))), KindNotDatabase, "header"},
		{"a header's beginning", write(content[:50]), KindDamaged, "ends within its header"},
		{"cut inside a page", write(content[:len(content)-1]), KindDamaged, "cut off"},
		{"cut between pages", write(content[:len(content)-4096]), KindDamaged, "malformed"},
		{"one page left", write(content[:4096]), KindDamaged, "malformed"},
		{"page size 0", write(broken(16, 0, 0)), KindNotDatabase, "page size"},
		{"schema page broken", write(broken(100, 0xff, 0xff, 0xff)), KindDamaged, "malformed"},
	}
	for _, copied := range []bool{false, true} {
		for _, test := range tests {
			t.Run(fmt.Sprintf("%s, copy %v", test.name, copied), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "state.vscdb")
				if err := test.make(path); err != nil {
					t.Fatal(err)
				}
				o := storeOptions{TempDir: t.TempDir(), Copy: copied, pause: time.Millisecond, remote: isLocal}
				_, err := openStore(t.Context(), path, o)
				var known *StoreError
				if !errors.As(err, &known) || known.Kind != test.kind || known.Path != path {
					t.Fatalf("got %v, want a StoreError of kind %s", err, test.kind)
				}
				for _, part := range []string{path, test.text, "Likely cause: "} {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("%q does not say %q", err, part)
					}
				}
				if left := files(t, o.TempDir); len(left) > 0 {
					t.Errorf("left in the temporary directory: %s", names(left))
				}
			})
		}
	}
}

// A page inside a table is broken: a read in place meets it as damage; a copy is checked before it is read.
func TestBrokenPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.vscdb")
	edited(t, path, false, false, 300)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for page := 5; page*4096 < len(content); page++ {
		copy(content[page*4096:], "\xff\xff\xff\xff")
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, path, storeOptions{remote: isLocal})
	var n int
	err = s.explain(s.Conn().QueryRowContext(t.Context(), "SELECT sum(length(value)) FROM cursorDiskKV").Scan(&n))
	var known *StoreError
	if !errors.As(err, &known) || known.Kind != KindDamaged {
		t.Errorf("reading: %v, want KindDamaged", err)
	}
	if _, err := openStore(t.Context(), path, storeOptions{Copy: true, remote: isLocal}); !errors.As(err, &known) ||
		known.Kind != KindDamaged || known.Path != path {
		t.Errorf("copying: %v, want KindDamaged of %s", err, path)
	}
}

// A -wal much older than its database: it is used if it fits, left out if the database is sound without it, and named
// in both cases.
func TestStaleWAL(t *testing.T) {
	hourAgo := time.Now().Add(-time.Hour)
	t.Run("fits", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "state.vscdb")
		want := edited(t, path, true, true, 30)
		if err := os.Chtimes(path+"-wal", hourAgo, hourAgo); err != nil {
			t.Fatal(err)
		}
		s := mustOpen(t, path, storeOptions{pause: time.Millisecond, remote: isLocal})
		if got := messages(t, s); got != want || len(s.Info().Warnings) != 1 ||
			strings.Contains(s.Info().Warnings[0], "left out") {
			t.Errorf("%d messages, warnings %q; want %d and one warning", got, s.Info().Warnings, want)
		}
	})
	t.Run("does not fit", func(t *testing.T) {
		other, path := filepath.Join(t.TempDir(), "state.vscdb"), filepath.Join(t.TempDir(), "state.vscdb")
		edited(t, other, true, false, 600)
		// a few pages: a -wal with every page of another store would fit, and nobody could tell
		edited(t, other, true, true, 20)
		want := edited(t, path, true, false, 300)
		wal, err := os.ReadFile(other + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(path+"-wal", wal, 0o644),
			os.Chtimes(path+"-wal", hourAgo, hourAgo)); err != nil {
			t.Fatal(err)
		}
		s := mustOpen(t, path, storeOptions{pause: time.Millisecond, remote: isLocal})
		if got := messages(t, s); got != want || len(s.Info().Warnings) != 1 ||
			!strings.Contains(s.Info().Warnings[0], "left out") {
			t.Errorf("%d messages, warnings %q; want %d and the -wal left out", got, s.Info().Warnings, want)
		}
		// Without it the database must be sound.
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteAt(make([]byte, 4096), 5*4096)
		if err := errors.Join(err, f.Close(), os.Chtimes(path+"-wal", hourAgo, hourAgo)); err != nil {
			t.Fatal(err)
		}
		var known *StoreError
		if _, err := openStore(t.Context(), path,
			storeOptions{pause: time.Millisecond, remote: isLocal}); !errors.As(err, &known) ||
			known.Kind != KindDamaged {
			t.Errorf("with a page of zeros: %v, want KindDamaged", err)
		}
	})
}

// A -wal of another database, as new as the store that it lies beside: it is left out and named, all rows come, and
// nothing of the source changes.
func TestForeignWAL(t *testing.T) {
	t.Parallel()
	other := filepath.Join(t.TempDir(), "state.vscdb")
	edited(t, other, true, false, 600)
	edited(t, other, true, true, 20)
	wal, err := os.ReadFile(other + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	for name, isWAL := range map[string]bool{"rollback journal": false, "WAL": true} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "state.vscdb")
			want := edited(t, path, isWAL, false, 300)
			if err := os.WriteFile(path+"-wal", wal, 0o644); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s := mustOpen(t, path, storeOptions{pause: time.Millisecond, remote: isLocal})
			if got := messages(t, s); got != want || len(s.Info().Warnings) != 1 ||
				!strings.Contains(s.Info().Warnings[0], "left out") {
				t.Errorf("%d messages, warnings %q; want %d and the -wal left out", got, s.Info().Warnings, want)
			}
			for file, want := range map[string][]byte{path: before, path + "-wal": wal} {
				if now, err := os.ReadFile(file); err != nil || string(now) != string(want) {
					t.Errorf("%s was changed: %v", file, err)
				}
			}
		})
	}
}

// Every kind of error has its own words.
func TestErrorTexts(t *testing.T) {
	seen := map[string]ErrKind{}
	for _, k := range []ErrKind{KindMissing, KindUnreadable, KindNotDatabase, KindEmpty, KindDamaged, KindBusy,
		KindTorn, KindPermission, KindNoTable, KindStrange, KindLimit, KindNoSpace} {
		text := (&StoreError{Path: "/x/state.vscdb", Kind: k}).Error()
		if other, ok := seen[text]; ok {
			t.Errorf("%s and %s read alike: %s", k, other, text)
		}
		seen[text] = k
	}
	for _, limit := range []error{syscall.EMFILE, syscall.ENFILE} {
		err := newStoreError("/x/state.vscdb",
			fmt.Errorf("look: %w", &os.PathError{Op: "open", Path: "/x/state.vscdb", Err: limit}))
		if IsDamage(err) || !strings.Contains(err.Error(), "ulimit -n") || strings.Contains(err.Error(), "the disk") {
			t.Errorf("too many open files read as %v", err)
		}
	}
	if err := fmt.Errorf("run: %w", &StoreError{Kind: KindBusy}); !errors.Is(err, ErrBusy) || errors.Is(err, ErrTorn) {
		t.Errorf("a busy store is not ErrBusy")
	}
}

// Paths with everything that means something in a URI, and links: the right file, and nothing beside it or beside the
// link.
func TestPaths(t *testing.T) {
	names := []string{"a b", "what?mode=rwc&x=y", "c#d", "50%41", "it's \"quoted\"", "ключ 鍵", "semi;colon",
		"plus+and&amp", "x%00y"}
	if runtime.GOOS == "linux" {
		names = append(names, "latin1 \xe9", "new\nline", `back\slash`)
	}
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Skipf("this file system has no such names: %v", err)
			}
			plain := filepath.Join(t.TempDir(), "state.vscdb")
			want := edited(t, plain, i%2 == 0, i%2 == 0, 5+i)
			for _, end := range []string{"", "-wal", "-shm"} {
				if err := os.Rename(plain+end, filepath.Join(dir, name+end)); err != nil &&
					!errors.Is(err, os.ErrNotExist) {
					t.Fatal(err)
				}
			}
			link := filepath.Join(t.TempDir(), "link")
			if err := os.Symlink(filepath.Join(dir, name), link); err != nil {
				t.Fatal(err)
			}
			before := files(t, dir)
			for _, path := range []string{filepath.Join(dir, name), link} {
				for _, o := range []storeOptions{{remote: isLocal},
					{remote: isRemote, TempDir: dirNamed(t, name), pause: time.Millisecond}} {
					s := mustOpen(t, path, o)
					if got := messages(t, s); got != want {
						t.Errorf("%d messages, want %d", got, want)
					}
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				}
			}
			if after := files(t, dir); !maps.Equal(before, after) {
				t.Errorf("the folder afterwards:\n%v\nwant\n%v", after, before)
			}
		})
	}
}

func dirNamed(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFileURI(t *testing.T) {
	// The forms are those of sqlite.org/uri.html.
	for _, test := range []struct {
		path    string
		windows bool
		want    string
	}{
		{"/home/fred/data.db", false, "file:///home/fred/data.db"},
		{"/a b/50%/c#d/e?f", false, "file:///a%20b/50%25/c%23d/e%3Ff"},
		{"/x\xff\\y", false, "file:///x%FF%5Cy"},
		{`C:\Documents and Settings\fred\data.db`, true, "file:///C:/Documents%20and%20Settings/fred/data.db"},
		{`\\server\share\Üb.db`, true, "file:////server/share/%C3%9Cb.db"},
	} {
		if got := fileURI(test.path, test.windows); got != test.want {
			t.Errorf("%s: %s, want %s", test.path, got, test.want)
		}
	}
}

// What another program has opened without sharing it is busy, not broken: a later run may read it.
func TestHeldOnWindows(t *testing.T) {
	t.Parallel()
	for code, want := range map[syscall.Errno]bool{2: false, 5: false, 32: true, 33: true, 39: false, 112: false,
		1117: false} {
		err := fmt.Errorf("look: %w", &os.PathError{Op: "open", Path: "/x/state.vscdb", Err: code})
		if got := isHeldOnWindows(err); got != want {
			t.Errorf("%d: %v, want %v", code, got, want)
		}
		if runtime.GOOS == "windows" && want &&
			(kindOf(err) != KindBusy || !isTransient(err) || IsDamage(newStoreError("/x/state.vscdb", err))) {
			t.Errorf("%d is %s", code, kindOf(err))
		}
	}
}
