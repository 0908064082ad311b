package extract

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// script puts a program of a few lines of shell onto the PATH, in front of all others.
func script(t *testing.T, name, lines string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs in this test are scripts of a shell")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+lines+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// TestFindGit: the git that every Mac has is none before Apple's tools are there, which only xcode-select can tell
// without a dialogue. Any other git is one.
func TestFindGit(t *testing.T) {
	if path, err := exec.LookPath("git"); err != nil || path != "/usr/bin/git" {
		t.Skip("git is not /usr/bin/git here, as it is on macOS")
	}
	script(t, "xcode-select", `[ "$*" = -p ] && echo /Library/Developer/CommandLineTools`)
	for _, goos := range []string{"darwin", "linux"} {
		if err := findGit(t.Context(), goos); err != nil {
			t.Error(goos, err)
		}
	}
	script(t, "xcode-select", "exit 2")
	if err := findGit(t.Context(), "darwin"); !errors.Is(err, ErrNoGit) ||
		!strings.Contains(err.Error(), "xcode-select --install") {
		t.Error(err)
	}
	if err := findGit(t.Context(), "linux"); err != nil {
		t.Error(err)
	}
	script(t, "git", "exit 1") // Homebrew's
	if err := findGit(t.Context(), "darwin"); err != nil {
		t.Error(err)
	}
	t.Setenv("PATH", t.TempDir())
	if err := findGit(t.Context(), "darwin"); !errors.Is(err, ErrNoGit) {
		t.Error(err)
	}
}

// TestRefusedFolder: what macOS forbids a program that a timer starts has the remedy in its note, and only that.
func TestRefusedFolder(t *testing.T) {
	script(t, "git", `echo "fatal: Unable to read current working directory: $SAYS" >&2; exit 128`)
	folder := t.TempDir()
	for _, test := range []struct {
		goos, says string
		remedy     bool
	}{
		{"darwin", "Operation not permitted", true},
		{"darwin", "No such file or directory", false},
		{"linux", "Operation not permitted", false},
	} {
		t.Setenv("SAYS", test.says)
		f := &gitFinder{ctx: t.Context(), goos: test.goos}
		f.look(GitFolder{Path: folder})
		if len(f.Notes) != 1 || !strings.Contains(f.Notes[0], folder) || !strings.Contains(f.Notes[0], test.says) ||
			strings.Contains(f.Notes[0], "Full Disk Access") != test.remedy {
			t.Errorf("%s, %s: %q", test.goos, test.says, f.Notes)
		}
	}
	for err, remedy := range map[error]bool{syscall.EPERM: true, syscall.EACCES: false} {
		f := &gitFinder{goos: "darwin"}
		f.refuse(folder, &fs.PathError{Op: "stat", Path: folder, Err: err})
		if len(f.Notes) != 1 || strings.Contains(f.Notes[0], "Full Disk Access") != remedy {
			t.Errorf("%v: %q", err, f.Notes)
		}
	}
}
