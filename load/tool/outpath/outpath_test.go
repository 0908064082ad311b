package outpath_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pipeline/load/tool/outpath"
)

// TestPlaces: each place takes what it may be, and nothing else, whatever a link leads to.
func TestPlaces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(at("file"), []byte("x"), 0o600), os.Mkdir(at("folder"), 0o700),
		os.Symlink("file", at("to-file")), os.Symlink("folder", at("to-folder")), os.Symlink("none", at("to-none")),
		os.Symlink(os.DevNull, at("to-device"))); err != nil {
		t.Fatal(err)
	}
	refuses := map[string][]string{ // what is not in here is allowed
		"File":   {"folder", "to-folder", "to-device", os.DevNull},
		"Own":    {"folder", "to-folder", "to-device", "to-file", "to-none", os.DevNull},
		"Folder": {"file", "to-file", "to-device", os.DevNull},
		"Result": {"folder", "to-folder", "to-device"},
	}
	for name, check := range map[string]func(string) error{"File": outpath.File, "Own": outpath.Own,
		"Folder": outpath.Folder, "Result": outpath.Result} {
		refused := map[string]bool{}
		for _, bad := range refuses[name] {
			refused[bad] = true
		}
		for _, path := range []string{"file", "folder", "none", "to-file", "to-folder", "to-none", "to-device",
			os.DevNull} {
			full := path
			if path != os.DevNull {
				full = at(path)
			}
			if _, got := errors.AsType[*outpath.Refused](check(full)); got != refused[path] {
				t.Errorf("%s(%s): refused %v, want %v", name, path, got, refused[path])
			}
		}
	}
}

// TestOpen: what is opened is a regular file, and nobody's at the end of a link.
func TestOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	victim, link := filepath.Join(dir, "victim"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(victim, []byte("mine"), 0o600), os.Symlink(victim, link)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, link} {
		if f, err := outpath.Open(path, os.O_RDONLY, 0); err == nil {
			t.Errorf("%s was opened", path)
			_ = f.Close()
		}
	}
	f, err := outpath.Open(filepath.Join(dir, "new"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("x"); errors.Join(err, f.Close()) != nil {
		t.Error(err)
	}
}
