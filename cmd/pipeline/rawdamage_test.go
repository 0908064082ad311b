package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load/rawlog"
	"pipeline/testdata/gen/storetest"
)

// rawFixture is a warehouse with two files in its raw layer: the second run found a further message, and another one
// gone.
type rawFixture struct {
	*cliTest
	files []string
	text  [][]byte
}

func newRawWorld(t *testing.T) *rawFixture {
	t.Helper()
	w := &rawFixture{cliTest: newCLITest(t)}
	w.store(slices.Concat(talk("kept", "one", "two"),
		talk("gone", "three", "a longer text, so that the files differ in their sizes")), storetest.StoreOptions{})
	w.in(0, "run", "--quiet")
	w.store(talk("kept", "one", "two", "four"), storetest.StoreOptions{})
	w.in(0, "run", "--quiet")
	files, err := filepath.Glob(filepath.Join(rawlog.Dir(w.warehouse), "test", "*.parquet"))
	w.must(err)
	w.files = files
	for _, file := range files {
		text, err := os.ReadFile(file)
		w.must(err)
		w.text = append(w.text, text)
	}
	if len(files) != 2 || len(w.text[0]) == len(w.text[1]) {
		t.Fatalf("there are the files %v, want two of different sizes", files)
	}
	return w
}

// in calls the program for this warehouse.
func (w *rawFixture) in(code int, args ...string) (all string) {
	w.t.Helper()
	if args[0] == "run" {
		args = append(slices.Clone(args), "--source", "test="+w.user)
	}
	out, said := w.does(code, append(slices.Clone(args), "--warehouse", w.warehouse)...)
	return out + said
}

// says: the parts are in what was said.
func (w *rawFixture) says(what, said string, parts ...string) {
	w.t.Helper()
	for _, part := range parts {
		if !strings.Contains(said, part) {
			w.t.Errorf("%s says %q, want %q", what, said, part)
		}
	}
}

// present asks which rows of the store the layer holds, by a file other than one.
func (w *rawFixture) present(but string) [][]string {
	return w.ask(
		`SELECT DISTINCT key FROM internal._known_rows JOIN raw_files ON path = raw_file WHERE NOT is_mark AND key LIKE '%kept%' AND NOT contains(path, '` + but + `') ORDER BY ALL`)
}

// TestRawDamage: a run tells of files of its raw layer that are not as they were written, each time, with exit code 4
// and what to do. It loads all the same and writes again what the store still holds; the file that is put back is taken
// in, the one that is moved away is not missed.
func TestRawDamage(t *testing.T) {
	t.Parallel()
	long(t)
	for name, damage := range map[string]func(w *rawFixture) []byte{
		"cut off": func(w *rawFixture) []byte { return w.text[0][:len(w.text[0])/2] },
		"emptied": func(*rawFixture) []byte { return nil },
		"swapped": func(w *rawFixture) []byte { return w.text[1] },
		"longer":  func(w *rawFixture) []byte { return append(bytes.Clone(w.text[0]), "more"...) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newRawWorld(t)
			file, damaged, want := w.files[0], damage(w), w.present("none")
			w.must(os.WriteFile(file, damaged, 0o600))
			w.says("a rebuild", w.in(exitUsage, "rebuild"), filepath.Base(file), "not as they were written", "--force")
			w.says("a run", w.in(exitCheck, "run"), file, "not as it was written", "put it back from a backup",
				"raw_files_as_written")
			w.same("what the layer holds of the store", want, w.present(filepath.Base(file)))
			w.says("the next run", w.in(exitCheck, "run", "--full"), file, "put it back from a backup")
			w.says("check --deep", w.in(exitCheck, "check", "--deep"), file, "not as it was written",
				"put the file back from a backup")
			now, err := os.ReadFile(file)
			w.must(err)
			if !bytes.Equal(now, damaged) {
				t.Error("the damaged file was changed")
			}
			if name == "cut off" {
				w.must(os.Rename(file, file+".away"))
				w.in(0, "run")
				w.sound()
				return
			}
			w.must(os.WriteFile(file, w.text[0], 0o600))
			w.in(0, "run")
			w.sound()
			if name == "swapped" {
				before := w.ask("SELECT * FROM messages ORDER BY ALL")
				w.in(0, "rebuild")
				w.same("messages after a rebuild", before, w.ask("SELECT * FROM messages ORDER BY ALL"))
			}
		})
	}
}

// TestRawStray: a file that only has a name of the raw layer is left out by runs and by rebuilds, which name it; verify
// and doctor promise nothing of it.
func TestRawStray(t *testing.T) {
	long(t)
	t.Parallel()
	w := newRawWorld(t)
	stray := filepath.Join(rawlog.Dir(w.warehouse), "test", "00000005-9.parquet")
	w.must(os.WriteFile(stray, []byte("no Parquet"), 0o600))
	w.says("a run", w.in(0, "run"), stray, "left out")
	said := w.in(0, "check", "--deep")
	w.says("check --deep", said, stray, "runs and rebuilds leave it out", "move it away")
	if strings.Contains(said, "takes it in") {
		t.Errorf("verify promises what no run does: %s", said)
	}
	if out, _ := w.does(0, "doctor", "--source", "test="+w.user, "--warehouse", w.warehouse); !strings.Contains(out,
		"runs leave it out") || strings.Contains(out, "takes it in") {
		t.Errorf("doctor prints %s", out)
	}
	before := w.ask("SELECT * FROM messages ORDER BY ALL")
	w.says("a rebuild", w.in(0, "rebuild"), stray, "left out")
	w.same("messages after a rebuild", before, w.ask("SELECT * FROM messages ORDER BY ALL"))
	w.in(0, "run")
	// A damaged file is left out by a rebuild that may lose what it held.
	w.must(os.WriteFile(w.files[0], w.text[0][:100], 0o600))
	w.says("a rebuild by force", w.in(0, "rebuild", "--force"), w.files[0], "left out")
}
