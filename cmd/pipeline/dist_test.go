package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	distVersion  = "v1.2.3-4-gabcdef0"    // as git describes the fourth commit after the tag v1.2.3
	wheelVersion = "1.2.3.post4+gabcdef0" // the same as PEP 440 writes it
	installing   = "docs/install.md"      // the page whose blocks TestDist runs
	lowestGlibc  = 28                     // that this page promises, after "2."
)

// TestDist builds this machine's archive and wheel, looks into both, installs each as docs/install.md says, and by npm.
func TestDist(t *testing.T) {
	if testing.Short() {
		t.Skip("it links the program and packs it: make test-all does that")
	}
	dir := makeDist(t, filepath.Join("..", ".."), runtime.GOOS+"/"+runtime.GOARCH)
	name := fmt.Sprintf("pipeline-%s-%s-%s", strings.TrimPrefix(distVersion, "v"), runtime.GOOS, runtime.GOARCH)
	checkSums(t, dir)
	program := checkArchive(t, filepath.Join(dir, name+".tar.xz"), name)
	if needed := neededGlibc(t, program); needed > lowestGlibc {
		t.Errorf("the program needs glibc 2.%d", needed)
	}
	checkWheel(t, dir)
	checkBill(t, filepath.Join(dir, name+".cdx.json"))
	if runtime.GOARCH != "amd64" {
		t.Skip(installing + " has the names of files for amd64")
	}
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(installing)))
	must(t, err)
	blocks, err := fences(string(text))
	must(t, err)
	d := newDocHome(t)
	d.dir = dir
	var printed []string
	for _, f := range blocks {
		printed = append(printed, d.sh(t, f.body))
	}
	for _, version := range []string{printed[0], printed[2]} { // of the archive, of the wheel
		if !strings.Contains(version, distVersion) {
			t.Errorf("the installed program is not %s: %s", distVersion, version)
		}
	}
	if !strings.HasSuffix(printed[len(printed)-2], "(3 rows)\n") {
		t.Errorf("the first question has no answer: %s", printed[len(printed)-2])
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	registry, _ := npmRegistry(t, dir)
	npm := filepath.Join(npmInstall(t, registry, "--global"), "bin", "pipeline")
	if code, out := output(t, exec.Command(npm, "version")); !strings.Contains(out, distVersion) || code != 0 {
		t.Errorf("of npm: %d: %s", code, out)
	}
}

// makeDist builds for targets in a clone, and returns the folder of the files. through may be a program that runs
// others elsewhere.
func makeDist(t *testing.T, clone, targets string, through ...string) string {
	t.Helper()
	if err := exec.Command("python3", "-c", "import tomllib, venv").Run(); err != nil {
		t.Skip("Python 3.11 or later is not installed: nothing is packed")
	}
	if runtime.GOOS != "linux" {
		t.Skip("what make dist makes for Linux is looked at")
	}
	for _, tool := range []string{"cyclonedx-gomod-*", "ziglang-*"} {
		if found, _ := filepath.Glob(filepath.Join("..", "..", "bin", "tools", tool)); len(found) == 0 {
			t.Skipf("%s is not in bin/tools: make dist fetches it", tool)
		}
	}
	dir := filepath.Join(t.TempDir(), "dist")
	command := append(through, "python3", filepath.Join(clone, ".ci", "dist.py"), "--version", distVersion,
		"--targets", targets, "--out", dir)
	build := exec.CommandContext(t.Context(), command[0], command[1:]...)
	succeeds(t, build)
	return dir
}

// checkSums compares the files with SHA256SUMS: each is in it, with its hash.
func checkSums(t *testing.T, dir string) {
	t.Helper()
	listed := contentOf(t, filepath.Join(dir, "SHA256SUMS"))
	var want strings.Builder
	for _, name := range filesOf(t, dir) {
		if name != "SHA256SUMS" {
			fmt.Fprintf(&want, "%s  %s\n", hexSum(t, filepath.Join(dir, name)), name)
		}
	}
	if diff := cmp.Diff(want.String(), string(listed)); diff != "" {
		t.Errorf("SHA256SUMS (-want +got):\n%s", diff)
	}
}

func filesOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func hexSum(t *testing.T, path string) string {
	t.Helper()
	sum := sha256.Sum256(contentOf(t, path))
	return hex.EncodeToString(sum[:])
}

// neededGlibc is the second number of the latest glibc that the program takes something from. It needs nothing but what
// every system has.
func neededGlibc(t *testing.T, program []byte) (latest int) {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(program))
	must(t, err)
	symbols, err := f.ImportedSymbols()
	must(t, err)
	for _, s := range symbols {
		if version, ok := strings.CutPrefix(s.Version, "GLIBC_2."); ok {
			number, _, _ := strings.Cut(version, ".")
			n, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(s.Name, s.Version)
			}
			latest = max(latest, n)
		}
	}
	libraries, err := f.ImportedLibraries()
	if err != nil || slices.ContainsFunc(libraries, func(l string) bool {
		return !regexp.MustCompile(`^(lib(c|m|gcc_s|pthread|dl|resolv)|ld-linux-[a-z0-9-]+)\.so\.[0-9]$`).MatchString(l)
	}) {
		t.Errorf("the program needs %v: %v", libraries, err)
	}
	return latest
}

// checkArchive reads an archive and returns the program in it: what a person looks for is in it, sorted, of nobody and
// of the commit's time.
func checkArchive(t *testing.T, path, name string) (program []byte) {
	t.Helper()
	unpacked, err := exec.Command("python3", "-c",
		"import lzma, sys; sys.stdout.buffer.write(lzma.open(sys.argv[1]).read())", path).Output()
	must(t, err)
	at := commitTime(t)
	var names []string
	for r := tar.NewReader(bytes.NewReader(unpacked)); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		inside, ok := strings.CutPrefix(h.Name, name+"/")
		if mode := map[bool]int64{true: 0o755, false: 0o644}[inside == "pipeline"]; !ok || h.Mode != mode ||
			h.Uid != 0 || !h.ModTime.Equal(at) || h.Size == 0 {
			t.Errorf("%s has mode %o, owner %d, time %s, %d bytes", h.Name, h.Mode, h.Uid, h.ModTime, h.Size)
		}
		if names = append(names, inside); inside == "pipeline" {
			if program, err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("not sorted: %v", names)
	}
	for _, want := range []string{"pipeline", "README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md", "docs/licences.md",
		"docs/install.md", "third-party-licences.txt", "sbom.cdx.json", "man/pipeline.1", "completions/pipeline.bash",
		"completions/_pipeline", "completions/pipeline.fish", "completions/pipeline.ps1"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not in the archive: %v", want, names)
		}
	}
	return program
}

func commitTime(t *testing.T) time.Time {
	t.Helper()
	out, err := exec.Command("git", "log", "-1", "--format=%ct").Output()
	must(t, err)
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	must(t, err)
	return time.Unix(seconds, 0)
}

// checkWheel reads the one wheel of a folder: its name says the version and the glibc, and RECORD has every file with
// its hash and size.
func checkWheel(t *testing.T, dir string) {
	t.Helper()
	machine := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	found, err := filepath.Glob(filepath.Join(dir,
		"cursor_pipeline-"+wheelVersion+"-py3-none-manylinux_2_"+strconv.Itoa(lowestGlibc)+"_"+machine+".whl"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err, filesOf(t, dir))
	}
	wheel, err := zip.OpenReader(found[0])
	must(t, err)
	defer wheel.Close()
	var want [][]string
	record := ""
	for _, f := range wheel.File {
		data := unzipped(t, f)
		if strings.HasSuffix(f.Name, ".dist-info/RECORD") {
			record, want = string(data), append(want, []string{f.Name, "", ""})
			continue
		}
		sum := sha256.Sum256(data)
		want = append(want, []string{f.Name, "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:]),
			strconv.Itoa(len(data))})
	}
	got, err := csv.NewReader(strings.NewReader(record)).ReadAll()
	must(t, err)
	byName := func(a, b []string) int { return strings.Compare(a[0], b[0]) }
	slices.SortFunc(got, byName)
	slices.SortFunc(want, byName)
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 7 {
		t.Errorf("RECORD (-want +got):\n%s", diff)
	}
}

func unzipped(t *testing.T, f *zip.File) []byte {
	t.Helper()
	r, err := f.Open()
	must(t, err)
	defer r.Close()
	data, err := io.ReadAll(r)
	must(t, err)
	return data
}

// checkBill compares a bill of materials with docs/licences.md: every module is in it, in its version.
func checkBill(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	var bill struct {
		Format     string `json:"bomFormat"`
		Components []struct{ Name, Version string }
	}
	if err := json.Unmarshal(text, &bill); err != nil || bill.Format != "CycloneDX" {
		t.Fatal(err, bill.Format)
	}
	versions := map[string]string{}
	for _, c := range bill.Components {
		versions[c.Name] = c.Version
	}
	page, err := os.Open(filepath.Join("..", "..", "docs", "licences.md"))
	must(t, err)
	defer page.Close()
	modules := 0
	for lines := bufio.NewScanner(page); lines.Scan(); {
		cells := strings.Split(lines.Text(), " | ")
		if len(cells) != 3 || !strings.HasPrefix(cells[1], "v") || cells[1] == "version" {
			continue
		}
		modules++
		if module := strings.TrimPrefix(cells[0], "| "); versions[module] != cells[1] && runtime.GOARCH == "amd64" {
			t.Errorf("%s: %s in the list of licences, %q in the bill of materials", module, cells[1], versions[module])
		}
	}
	if modules < 50 || versions["DuckDB"] == "" || versions["SQLite"] == "" || versions["Apache ECharts"] == "" ||
		versions["libstdc++"] == "" {
		t.Errorf("%d modules; %v", modules, versions)
	}
}
