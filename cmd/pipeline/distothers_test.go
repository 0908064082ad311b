package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/testdata/gen/night"
)

// TestDistTwice builds the same commit in two clones, once with an empty build cache: the files are the same, byte for
// byte.
func TestDistTwice(t *testing.T) {
	onlyEndurance(t)
	target := runtime.GOOS + "/" + runtime.GOARCH
	sums := func(folder string) string {
		clone := filepath.Join(t.TempDir(), folder)
		succeeds(t, exec.Command("git", "clone", "--quiet", filepath.Join("..", ".."), clone))
		tools := filepath.Join(clone, "bin", "tools")
		must(t, os.MkdirAll(filepath.Dir(tools), 0o700))
		here, err := filepath.Abs(filepath.Join("..", "..", "bin", "tools"))
		if err == nil {
			err = os.Symlink(here, tools)
		}
		must(t, err)
		text, err := os.ReadFile(filepath.Join(makeDist(t, clone, target), "SHA256SUMS"))
		must(t, err)
		return string(text)
	}
	first := sums("clone")
	t.Setenv("GOCACHE", t.TempDir())
	if diff := cmp.Diff(first, sums("another-clone-of-a-longer-name")); diff != "" {
		t.Error(diff)
	}
}

// TestDistElsewhere builds for Linux, and loads and reads the invented history with each program where it must run,
// too: on another processor, in an emulator, and with the C library of Debian 11, the earliest that its mirrors have.
// Windows has TestUnderWine.
func TestDistElsewhere(t *testing.T) {
	onlyEndurance(t)
	t.Run("linux/arm64", func(t *testing.T) {
		for _, program := range []string{"aarch64-linux-gnu-g++", "qemu-aarch64"} {
			if _, err := exec.LookPath(program); err != nil {
				t.Skipf("%s is not installed", program)
			}
		}
		runsElsewhere(t, "linux/arm64", "qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
	})
	t.Run("linux/amd64", func(t *testing.T) {
		if runtime.GOARCH != "amd64" {
			t.Skip("it would need an emulator")
		}
		dir := filepath.Join(t.TempDir(), "debian11")
		if out, err := exec.Command("debootstrap", "--foreign", "--variant=minbase", "bullseye", dir).
			CombinedOutput(); err != nil {
			t.Skipf("Debian 11 cannot be had with debootstrap: %v\n%s", err, out)
		}
		libraries := filepath.Join(dir, "lib", "x86_64-linux-gnu")
		runsElsewhere(t, "linux/amd64", filepath.Join(libraries, "ld-linux-x86-64.so.2"), "--library-path", libraries)
	})
}

// runsElsewhere loads the invented history twice, and reads it, with the program for a target, which another program
// runs. It says what this machine's program says.
func runsElsewhere(t *testing.T, target string, emulator ...string) {
	t.Helper()
	emulator = append(emulator, unpacked(t, makeDist(t, filepath.Join("..", ".."), target)))
	d := newDocHome(t)
	d.env = append(d.env, "PIPELINE_WAREHOUSE=demo.duckdb")
	session := func(program ...string) (said string) {
		must(t, errors.Join(os.RemoveAll(d.dir), os.Mkdir(d.dir, 0o700)))
		for _, args := range [][]string{{"demo", "--out", "demo"}, {"run", "--source", "demo"},
			{"run", "--source", "demo"}, {"answers"}, {"show", "--last"}, {"search", "migration"},
			{"report", "--output", "report.html"}, {"sql", "SELECT sum(length(text)), max(created_at)::VARCHAR, " +
				"TRY(ln(0)) FROM live_messages"}, // what fails is thrown and caught
		} {
			args = append(program[1:len(program):len(program)], args...)
			said += fmt.Sprintf("%s\n%s", args[len(program)-1], d.run(t, "", program[0], args...))
		}
		return regexp.MustCompile(`(?m)^  time +[0-9.]+ s$`).ReplaceAllString(said, "  time")
	}
	if diff := cmp.Diff(session("pipeline"), session(emulator...)); diff != "" {
		t.Errorf("(-here +there):\n%s", diff)
	}
	if got := d.run(t, "", emulator[0], append(emulator[1:], "version")...); !strings.Contains(got, distVersion) ||
		!strings.Contains(got, target) {
		t.Errorf("it says that it is %s", got)
	}
}

// unpacked is the program of the one archive in a folder.
func unpacked(t *testing.T, dir string) string {
	t.Helper()
	if packed, _ := filepath.Glob(filepath.Join(dir, "*.tar.xz")); len(packed) == 1 {
		succeeds(t, exec.Command("tar", "-xf", packed[0], "-C", dir, "--strip-components=1"))
		return filepath.Join(dir, "pipeline")
	}
	packed, _ := filepath.Glob(filepath.Join(dir, "*.zip"))
	if len(packed) != 1 {
		t.Fatal(filesOf(t, dir))
	}
	archive, err := zip.OpenReader(packed[0])
	must(t, err)
	defer archive.Close()
	for _, f := range archive.File {
		if filepath.Base(f.Name) != "pipeline.exe" {
			continue
		}
		path := filepath.Join(dir, "pipeline.exe")
		must(t, os.WriteFile(path, unzipped(t, f), 0o700))
		return path
	}
	t.Fatal("the archive has no pipeline.exe")
	return ""
}

func onlyEndurance(t *testing.T) {
	t.Helper()
	if !night.On() {
		t.Skip("it compiles everything once more: make test-dist does that")
	}
}
