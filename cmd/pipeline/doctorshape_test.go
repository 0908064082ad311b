package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDoctorShape: what is printed is what is written, to a new file for its owner's eyes, and never among Cursor's
// files; the stores stay as they are.
func TestDoctorShape(t *testing.T) {
	t.Parallel()
	p := newDemoTest(t)
	file := filepath.Join(t.TempDir(), "shape.json")
	before := filesIn(t, p.demo())
	printed := examine(t, 0, "--source", p.demo(), "--shape")
	if !strings.Contains(printed, `"family": "bubbleId"`) {
		t.Errorf("no messages are described\n%.2000s", printed)
	}
	if written := examine(t, 0, "--source", p.demo(), "--shape", file); written != printed {
		t.Errorf("with a file it prints something else: %s", cmp.Diff(printed, written))
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != printed {
		t.Errorf("%v: the file differs from what was printed", err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	examine(t, exitUsage, "--source", p.demo(), "--shape", file)
	examine(t, exitUsage, "--source", p.demo(), "--shape", filepath.Join(p.demo(), "User", "shape.json"))
	examine(t, exitUsage, "--source", p.demo(), file)
	examine(t, exitSource, "--source", "nowhere", "--shape")
	if diff := cmp.Diff(before, filesIn(t, p.demo())); diff != "" {
		t.Error(diff)
	}
}
