package places

import (
	"path/filepath"
	"testing"
)

// TestSpellings: a folder is itself in any spelling that the system's file systems take for its name, and only there.
func TestSpellings(t *testing.T) {
	t.Parallel()
	const composed, apart = "\u00e9", "e\u0301"
	for _, test := range []struct {
		path, dir     string
		linux, others bool // whether the path is in the folder on Linux, on Windows and macOS
	}{
		{"/home/ada/.cursor", "/home/ada/.cursor", true, true},
		{"/home/ada/.cursor/x/y", "/home/ada/.cursor", true, true},
		{"/home/ada/.CURSOR/x", "/home/ada/.cursor", false, true},
		{"/HOME/Ada/.cursor/x", "/home/ada/.cursor", false, true},
		{"/home/ren" + composed + "/.cursor/x", "/home/ren" + apart + "/.cursor", false, true},
		{"/home/ren" + apart + "/.cursor/x", "/home/ren" + composed + "/.cursor", false, true},
		{"/home/REN\u00c9/.cursor/x", "/home/ren" + apart + "/.cursor", false, true},
		{"/home/rene/.cursor/x", "/home/ren" + apart + "/.cursor", false, false},
		{"/home/ada/.cursor2", "/home/ada/.cursor", false, false},
		{"/home/ada/..cursor", "/home/ada", true, true},
		{"/home/ada", "/home/ada/.cursor", false, false},
		{"/home", "/home/ada/.cursor", false, false},
	} {
		path, dir := filepath.FromSlash(test.path), filepath.FromSlash(test.dir)
		for goos, want := range map[string]bool{"linux": test.linux, "windows": test.others, "darwin": test.others} {
			if got := isWithin(path, dir, goos); got != want {
				t.Errorf("%s: %s is in %s: %v", goos, path, dir, got)
			}
		}
	}
	for goos, want := range map[string]bool{"linux": false, "windows": true, "darwin": true} {
		if isSame("/home/ada/.CURSOR", "/home/ada/.cursor", goos) != want || !isSame("/a", "/a", goos) {
			t.Error(goos)
		}
	}
}
