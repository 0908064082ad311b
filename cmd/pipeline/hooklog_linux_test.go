package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestHookFullDisk: on a full disk a call ends well and in silence. What it could not write is lost; what is written
// before and after is whole, and the next run reads it.
func TestHookFullDisk(t *testing.T) {
	long(t)
	disk := smallDisk(t, "256k")
	h := installHook(t, "pipeline", "XDG_DATA_HOME="+disk)
	filler := filepath.Join(disk, "filler")
	fill := func() {
		f, err := os.Create(filler)
		h.must(err)
		for block := make([]byte, 4096); err == nil; {
			_, err = f.Write(block)
		}
		h.must(f.Close())
	}
	fill()
	h.call("no room for the folder", turn("lost"))
	h.must(os.Remove(filler))
	h.call("room", turn("before"))
	fill()
	for i := range 30 {
		h.call("no room", turn(fmt.Sprintf("full-%02d", i)))
	}
	lines, torn := h.lines()
	t.Logf("%d lines of 31 are whole, %d are torn", len(lines), torn)
	if torn != 1 || len(lines) > 30 {
		t.Errorf("the disk was not full, or tore more than the last line that had room")
	}
	h.must(os.Remove(filler))
	h.call("room again", turn("after"))
	h.call("room again", turn("last"))
	now, torn := h.lines()
	h.same("the lines", []int{len(lines) + 2, 1}, []int{len(now), torn})
	h.loads()
	want := []string{"after", "before"}
	for i := range len(lines) - 1 {
		want = append(want, fmt.Sprintf("full-%02d", i))
	}
	h.same("the turns that the run has", append(want, "last"), h.requests())
}

// TestHookNoPlace: where the log has no place, a call ends well and in silence.
func TestHookNoPlace(t *testing.T) {
	long(t)
	for name, spoil := range map[string]func(h *hookLog) error{
		"the folder is a file": func(h *hookLog) error {
			return os.WriteFile(h.folder, []byte("mine"), 0o600)
		},
		"the folder is a named pipe":    func(h *hookLog) error { return syscall.Mkfifo(h.folder, 0o600) },
		"the folder is a dangling link": func(h *hookLog) error { return os.Symlink("/nowhere/at/all", h.folder) },
		"a folder above it is a file": func(h *hookLog) error {
			return rename(filepath.Dir(h.folder), func(path string) error { return os.WriteFile(path, nil, 0o600) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := installHook(t, "pipeline")
			h.must(os.MkdirAll(filepath.Dir(h.folder), 0o700))
			h.must(spoil(h))
			h.call(name, turn("lost"))
			h.loads()
		})
	}
	t.Run("no file may grow", func(t *testing.T) {
		h := installHook(t, "pipeline")
		h.calls("no file may grow", "ulimit -f 0; "+h.command, turn("lost"))
	})
	t.Run("a disk that can only be read", func(t *testing.T) {
		disk := smallDisk(t, "256k")
		h := installHook(t, "pipeline", "XDG_DATA_HOME="+disk)
		h.call("a turn", turn("before"))
		h.must(syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
		h.call("a turn", turn("lost"))
		h.must(syscall.Mount("", disk, "", syscall.MS_REMOUNT, ""))
		h.loads()
		h.same("the turns that the run has", []string{"before"}, h.requests())
	})
}

// rename replaces a folder.
func rename(path string, by func(path string) error) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return by(path)
}

// TestHookBrokenLog: whatever lies where the log belongs, the next turns are written down, each on a line of its own,
// and the run reads them.
func TestHookBrokenLog(t *testing.T) {
	long(t)
	good := `{"ts":"2026-10-01T10:00:00.000Z","payload":{"hook_event_name":"stop","generation_id":"good","input_tokens":10,"output_tokens":1}}` + "\n"
	text := func(s string) func(path string) error {
		return func(path string) error { return os.WriteFile(path, []byte(s), 0o600) }
	}
	binary := bytes.Repeat([]byte("\x00\xff{\n[\"\x1b\r\n\t\xfe}"), 5000)
	outside := filepath.Join(t.TempDir(), "outside")
	for name, c := range map[string]struct {
		make func(path string) error
		old  []string // turns that are in it
	}{
		"torn":                    {text(good + good[:80]), []string{"good"}},
		"torn in its first line":  {text(good[:80]), nil},
		"torn within a character": {text(good + good[:80] + "\xe2\x82"), []string{"good"}},
		"empty":                   {text(""), nil},
		"a line without its end":  {text(good[:len(good)-1]), []string{"good"}},
		"binary":                  {text(string(binary)), nil},
		"binary without an end":   {text(string(binary) + "\x00"), nil},
		"binary at its end":       {text(good + string(binary)), []string{"good"}},
		"zeros":                   {text(strings.Repeat("\x00", 8192)), nil}, // as after a crash of the machine
		"zeros at its end":        {text(good + strings.Repeat("\x00", 8192)), []string{"good"}},
		"an old log of others": {
			text("stop\t{\"generation_id\":\"other\",\"input_tokens\":10,\"output_tokens\":1}\n"), []string{"other"},
		},
		"a folder":          {func(path string) error { return os.Mkdir(path, 0o700) }, nil},
		"a named pipe":      {func(path string) error { return syscall.Mkfifo(path, 0o600) }, nil},
		"a link to a file":  {func(path string) error { return os.Symlink(outside, path) }, nil},
		"a link to nothing": {func(path string) error { return os.Symlink("/nowhere/at/all", path) }, nil},
		"a link to itself":  {func(path string) error { return os.Symlink("turns.jsonl", path) }, nil},
		"a full device":     {func(path string) error { return os.Symlink("/dev/full", path) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			h := installHook(t, "pipeline")
			h.must(os.WriteFile(outside, []byte("mine"), 0o600))
			h.must(os.MkdirAll(h.folder, 0o700))
			h.must(c.make(filepath.Join(h.folder, "turns.jsonl")))
			before, _ := h.lines()
			h.call(name, turn("a"))
			h.call(name, turn("b"))
			after, _ := h.lines()
			h.same("the new lines", 2, len(after)-len(before))
			h.loads()
			h.same("the turns that the run has", append([]string{"a", "b"}, c.old...), h.requests())
			mine, err := os.ReadFile(outside)
			h.must(err)
			h.same("what is outside", "mine", string(mine))
		})
	}
}
