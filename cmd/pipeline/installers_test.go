package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

const (
	npmVersion = "1.2.4-0.4.gabcdef0" // distVersion as semver.org orders it
	releaseURL = "https://example.com/you/pipeline/releases/download/v1.2.3"
)

// standIns is a folder with what make dist makes, with a script in place of each program.
func standIns(t *testing.T) (dir string) {
	t.Helper()
	if err := exec.Command("python3", "-c", "import tomllib").Run(); err != nil {
		t.Skip("Python 3.11 or later is not installed: nothing is packed")
	}
	dir = t.TempDir()
	succeeds(t, exec.Command("python3", filepath.Join("testdata", "standins.py"), dir, distVersion, releaseURL))
	return dir
}

// TestManifests reads what Scoop and winget install by as their schemas say (Scoop's schema.json, winget's
// manifest.singleton.1.6.0.json), and looks for each file that they name.
func TestManifests(t *testing.T) {
	dir := standIns(t)
	checkSums(t, dir)
	archive := "pipeline-" + strings.TrimPrefix(distVersion, "v") + "-windows-amd64.zip"
	sum := hexSum(t, filepath.Join(dir, archive))
	var scoop struct {
		Version, Description, Homepage, License, Bin string
		Architecture                                 map[string]struct {
			URL        string `json:"url"`
			Hash       string `json:"hash"`
			ExtractDir string `json:"extract_dir"`
		}
	}
	text := contentOf(t, filepath.Join(dir, "cursor-pipeline.json"))
	d := json.NewDecoder(bytes.NewReader(text))
	if d.DisallowUnknownFields(); d.Decode(&scoop) != nil || len(scoop.Architecture) != 1 {
		t.Fatalf("%s", text)
	}
	of := scoop.Architecture["64bit"]
	if !regexp.MustCompile(`^[\w\-.+_]+$`).MatchString(scoop.Version) || of.URL != releaseURL+"/"+archive || of.Hash != sum ||
		scoop.Homepage != "https://example.com/you/pipeline" || scoop.License != "MIT" || scoop.Description == "" {
		t.Errorf("%s", text)
	}
	inZip(t, filepath.Join(dir, archive), path.Join(of.ExtractDir, scoop.Bin))

	var winget struct {
		PackageIdentifier, PackageVersion, PackageLocale, Publisher, PackageName, License, ShortDescription string
		ManifestType, ManifestVersion, MinimumOSVersion, InstallerType, NestedInstallerType, PackageURL     string
		NestedInstallerFiles                                                                                []struct {
			RelativeFilePath, PortableCommandAlias string
		}
		Installers []struct{ Architecture, InstallerURL, InstallerSha256 string }
	}
	text = contentOf(t, filepath.Join(dir, "cursor-pipeline.winget.yaml"))
	var keys map[string]any
	must(t, yaml.Unmarshal(text, &keys))
	again, err := json.Marshal(keys)
	must(t, err)
	d = json.NewDecoder(bytes.NewReader(again))
	if d.DisallowUnknownFields(); d.Decode(&winget) != nil || len(winget.Installers) != 1 ||
		len(winget.NestedInstallerFiles) != 1 {
		t.Fatalf("%s", text)
	}
	for value, pattern := range map[string]string{
		winget.PackageIdentifier: `^[^.\s\\/:*?"<>|]{1,32}(\.[^.\s\\/:*?"<>|]{1,32}){1,7}$`,
		winget.PackageVersion:    `^[^\\/:*?"<>|]{1,128}$`,
		winget.PackageLocale:     `^[a-z]{2}-[A-Z]{2}$`,
		winget.Publisher + winget.PackageName + winget.License + winget.ShortDescription: `^.{20,}$`,
		winget.MinimumOSVersion:                             `^10(\.[0-9]+){3}$`,
		winget.PackageURL:                                   `^https://.+$`,
		winget.ManifestVersion:                              `^1\.6\.0$`,
		winget.ManifestType:                                 `^singleton$`,
		winget.InstallerType:                                `^zip$`,
		winget.NestedInstallerType:                          `^portable$`,
		winget.Installers[0].Architecture:                   `^x64$`,
		winget.Installers[0].InstallerURL:                   "^" + regexp.QuoteMeta(releaseURL+"/"+archive) + "$",
		winget.Installers[0].InstallerSha256:                "^" + strings.ToUpper(sum) + "$",
		winget.NestedInstallerFiles[0].PortableCommandAlias: `^pipeline$`,
	} {
		if !regexp.MustCompile(pattern).MatchString(value) {
			t.Errorf("%q does not match %s", value, pattern)
		}
	}
	inZip(t, filepath.Join(dir, archive), strings.ReplaceAll(winget.NestedInstallerFiles[0].RelativeFilePath, `\`, "/"))
}

func contentOf(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return text
}

func inZip(t *testing.T, archive, name string) {
	t.Helper()
	z, err := zip.OpenReader(archive)
	must(t, err)
	defer z.Close()
	if !slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == name }) {
		t.Errorf("%s is not in %s", name, archive)
	}
}

// TestFormula loads the formula as Homebrew does on each system, and installs from the archive for Linux.
func TestFormula(t *testing.T) {
	long(t)
	if _, err := exec.LookPath("ruby"); err != nil {
		t.Skip("ruby is not installed: nothing loads the formula")
	}
	dir := standIns(t)
	formula, prefix := filepath.Join(dir, "cursor-pipeline.rb"), t.TempDir()
	for system, name := range map[string]string{"macos arm": "darwin-arm64", "macos intel": "darwin-amd64",
		"linux arm": "linux-arm64", "linux intel": "linux-amd64"} {
		archive := "pipeline-" + strings.TrimPrefix(distVersion, "v") + "-" + name + ".tar.xz"
		words := append([]string{filepath.Join("testdata", "homebrew.rb"), formula}, strings.Fields(system)...)
		if name == "linux-amd64" {
			words = append(words, filepath.Join(dir, archive), prefix)
		}
		out, err := exec.Command("ruby", words...).CombinedOutput()
		want := releaseURL + "/" + archive + "\n" + hexSum(t, filepath.Join(dir, archive)) + "\n"
		if strings.HasPrefix(system, "macos") {
			want += "{:macos=>:ventura}\n"
		}
		if diff := cmp.Diff(want, strings.ReplaceAll(string(out), "macos: :", ":macos=>:")); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", system, err, diff)
		}
	}
	for _, name := range []string{"bin/pipeline", "share/man/man1/pipeline.1", "etc/bash_completion.d/pipeline",
		"share/zsh/site-functions/_pipeline", "share/fish/vendor_completions.d/pipeline.fish",
		"share/doc/cursor-pipeline/install.md"} {
		if _, err := os.Stat(filepath.Join(prefix, filepath.FromSlash(name))); err != nil {
			t.Error(err)
		}
	}
}

// TestWheels has pip choose a wheel for other systems: for a later one the same, for an earlier one none.
func TestWheels(t *testing.T) {
	if testing.Short() {
		t.Skip("pip takes a second for each system: make test-all does that")
	}
	if err := exec.Command("python3", "-c", "import pip").Run(); err != nil {
		t.Skip("pip is not installed")
	}
	dir := standIns(t)
	for platform, program := range map[string]string{
		"manylinux_2_28_aarch64": "bin/pipeline", "manylinux_2_27_x86_64": "", "musllinux_1_2_x86_64": "",
		"macosx_26_0_arm64": "bin/pipeline", "macosx_12_0_arm64": "", "macosx_13_0_x86_64": "bin/pipeline",
		"win_amd64": "bin/pipeline.exe", "win_arm64": "",
	} {
		to := t.TempDir()
		out, err := exec.Command("python3", "-m", "pip", "install", "--quiet", "--no-index", "--find-links", dir,
			"--target", to, "--platform", platform, "--only-binary=:all:", "cursor-pipeline").CombinedOutput()
		_, missing := os.Stat(filepath.Join(to, filepath.FromSlash(program)))
		if (err == nil) != (program != "") || missing != nil {
			t.Errorf("%s: %v, %v\n%s", platform, err, missing, out)
		}
	}
}

// TestNPM installs from a registry on this machine, as people do: npm takes this system's program only. What the
// program is told, and what it says at its end, go through.
func TestNPM(t *testing.T) {
	long(t)
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the packages for Linux are installed")
	}
	registry, taken := npmRegistry(t, standIns(t))
	part := "cursor-pipeline-linux-" + map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if part == "cursor-pipeline-linux-" {
		part += runtime.GOARCH
	}
	program := filepath.Join(npmInstall(t, registry, "--global"), "bin", "pipeline")
	if diff := cmp.Diff([]string{"cursor-pipeline", part}, taken()); diff != "" {
		t.Errorf("npm takes (-want +got):\n%s", diff)
	}
	code, out := output(t, exec.Command(program, "a b", "--flag"))
	if out != "called with: a b --flag\n" || code != 75 {
		t.Errorf("exit code %d: %s", code, out)
	}
	waiting := exec.Command(program, "wait")
	said, err := waiting.StdoutPipe()
	if err == nil {
		err = waiting.Start()
	}
	must(t, err)
	if _, err := io.ReadFull(said, make([]byte, len("waiting\n"))); err != nil {
		t.Fatal(err)
	}
	must(t, waiting.Process.Signal(syscall.SIGTERM))
	if err := waiting.Wait(); waiting.ProcessState.ExitCode() != 7 {
		t.Errorf("the program was not ended: %v", err)
	}
	alone := npmInstall(t, registry, "--omit=optional")
	code, out = output(t, exec.Command(filepath.Join(alone, "node_modules", ".bin", "pipeline"), "version"))
	if !strings.HasPrefix(out, "pipeline: the package "+part+" is not installed.") || code != 1 {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// npmInstall installs the package into a folder of its own.
func npmInstall(t *testing.T, registry string, flags ...string) (to string) {
	t.Helper()
	to = t.TempDir()
	install := exec.Command("npm", append([]string{"install", "--prefix", to, "--cache", t.TempDir(),
		"--registry", registry, "--no-audit", "--no-fund", "--silent", "cursor-pipeline"}, flags...)...)
	succeeds(t, install)
	return to
}

// npmRegistry serves the packages of a folder. taken are the names of those that were fetched.
func npmRegistry(t *testing.T, dir string) (url string, taken func() []string) {
	t.Helper()
	var (
		mu      sync.Mutex
		fetched []string
	)
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, file := path.Split(strings.TrimPrefix(r.URL.Path, "/"))
		if name != "" {
			mu.Lock()
			defer mu.Unlock()
			fetched = append(fetched, strings.TrimSuffix(name, "/"))
			http.ServeFile(w, r, filepath.Join(dir, file))
			return
		}
		packed := filepath.Join(dir, file+"-"+npmVersion+".tgz")
		about, err := exec.CommandContext(context.Background(), "tar", "-xOzf", packed, "package/package.json").Output()
		if err != nil {
			http.NotFound(w, r)
			return
		}
		text, _ := os.ReadFile(packed)
		sum := sha512.Sum512(text)
		var version map[string]any
		if err := json.Unmarshal(about, &version); err != nil {
			t.Error(err)
		}
		version["dist"] = map[string]string{"tarball": "http://" + r.Host + "/" + file + "/" + filepath.Base(packed),
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		_ = json.NewEncoder(w).Encode(map[string]any{"name": file, "dist-tags": map[string]string{"latest": npmVersion},
			"versions": map[string]any{npmVersion: version}})
	}))
	t.Cleanup(served.Close)
	return served.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Sorted(slices.Values(fetched))
	}
}
