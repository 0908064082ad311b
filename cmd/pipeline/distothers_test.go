package main

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDistTwice builds the same commit in two clones, once with an empty build cache: the files are the same, byte for
// byte.
func TestDistTwice(t *testing.T) {
	onlyEndurance(t)
	target := runtime.GOOS + "/" + runtime.GOARCH
	sums := func(folder string) string {
		clone := filepath.Join(t.TempDir(), folder)
		if out, err := exec.Command("git", "clone", "--quiet", filepath.Join("..", ".."), clone).
			CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		tools := filepath.Join(clone, "bin", "tools")
		if err := os.MkdirAll(filepath.Dir(tools), 0o700); err != nil {
			t.Fatal(err)
		}
		here, err := filepath.Abs(filepath.Join("..", "..", "bin", "tools"))
		if err == nil {
			err = os.Symlink(here, tools)
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(makeDist(t, clone, target), "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := sums("clone")
	t.Setenv("GOCACHE", t.TempDir())
	if diff := cmp.Diff(first, sums("another-clone-of-a-longer-name")); diff != "" {
		t.Error(diff)
	}
}

// TestDistElsewhere builds for the other systems whose compilers are here, and loads the invented history with each
// program, in an emulator.
func TestDistElsewhere(t *testing.T) {
	onlyEndurance(t)
	for target, emulator := range map[string][]string{
		"linux/arm64":   {"qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"},
		"windows/amd64": {"wine"},
	} {
		t.Run(target, func(t *testing.T) {
			compiler := map[string]string{"linux/arm64": "aarch64-linux-gnu-g++",
				"windows/amd64": "x86_64-w64-mingw32ucrt-g++"}[target]
			for _, program := range []string{compiler, emulator[0]} {
				if _, err := exec.LookPath(program); err != nil {
					t.Skipf("%s is not installed", program)
				}
			}
			if emulator[0] == "wine" && wineVersion(t) < 9 {
				t.Skip("this Wine lacks what Go needs: 9 is the first that has it")
			}
			program := unpacked(t, makeDist(t, filepath.Join("..", ".."), target))
			d := newDocHome(t)
			run := func(args ...string) string {
				return d.run(t, "", emulator[0],
					append(append(emulator[1:len(emulator):len(emulator)], program), args...)...)
			}
			if got := run("version"); !strings.Contains(got, distVersion) || !strings.Contains(got, target) {
				t.Errorf("it says that it is %s", got)
			}
			run("demo", "--out", "demo")
			for range 2 { // the second run loads nothing
				run("run", "--source", "demo", "--warehouse", "demo.duckdb")
			}
			const query = "SELECT (SELECT count(*) FROM live_conversations), (SELECT count(*) FROM live_messages)"
			own := newDocHome(t)
			own.sh(t, "pipeline demo --out demo && pipeline run --source demo --warehouse demo.duckdb")
			want := own.run(t, "", "pipeline", "sql", "--warehouse", "demo.duckdb", query)
			if got := strings.ReplaceAll(run("sql", "--warehouse", "demo.duckdb", query), "\r", ""); got != want {
				t.Errorf("%s has loaded\n%s, this machine\n%s", target, got, want)
			}
		})
	}
}

// unpacked is the program of the one archive in a folder.
func unpacked(t *testing.T, dir string) string {
	t.Helper()
	if packed, _ := filepath.Glob(filepath.Join(dir, "*.tar.xz")); len(packed) == 1 {
		if out, err := exec.Command("tar", "-xf", packed[0], "-C", dir, "--strip-components=1").
			CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return filepath.Join(dir, "pipeline")
	}
	packed, _ := filepath.Glob(filepath.Join(dir, "*.zip"))
	if len(packed) != 1 {
		t.Fatal(filesOf(t, dir))
	}
	archive, err := zip.OpenReader(packed[0])
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	for _, f := range archive.File {
		if filepath.Base(f.Name) != "pipeline.exe" {
			continue
		}
		path := filepath.Join(dir, "pipeline.exe")
		if err := os.WriteFile(path, unzipped(t, f), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Fatal("the archive has no pipeline.exe")
	return ""
}

func wineVersion(t *testing.T) int {
	t.Helper()
	out, err := exec.Command("wine", "--version").Output()
	found := regexp.MustCompile(`wine-([0-9]+)`).FindSubmatch(out)
	if err != nil || found == nil {
		t.Fatal(err, string(out))
	}
	n, _ := strconv.Atoi(string(found[1]))
	return n
}

func onlyEndurance(t *testing.T) {
	t.Helper()
	if os.Getenv("PIPELINE_ENDURANCE") == "" {
		t.Skip("it compiles everything once more: make endurance does that")
	}
}
