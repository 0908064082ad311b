package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"
)

// licencesHead is what docs/licences.md says above its table.
const licencesHead = `# Licences of what is in the program

The program is under the [MIT licence](../LICENSE). Linked into it are the Go modules below (as built for Linux on amd64; ` + "`go test ./cmd/pipeline -run TestLicences -update`" + `
writes this page). Each of their licences allows a program under the MIT licence to carry them, as long as their texts and notices come with it:
they are in each module's own files.

Inside these modules is code in other languages: the engine [DuckDB](https://duckdb.org) (MIT, and what it brings along under licences of the same
kind) in ` + "`duckdb-go-bindings`" + `; [SQLite](https://sqlite.org) (public domain), translated to Go, in ` +
	"`modernc.org/sqlite`" + `;
[Zstandard](https://facebook.github.io/zstd) (BSD) in ` + "`DataDog/zstd`" + `. The report's page carries
[Apache ECharts](https://echarts.apache.org) (Apache-2.0), zrender and tslib: their texts are in
[LICENSES](../cmd/pipeline/internal/report/echarts/LICENSES), and in the page. Programs of ` + "`make dist`" +
	` also carry, for Linux and Windows, the libraries of GCC for
C++ (GPL-3.0 with the GCC Runtime Library Exception, which permits it), for Linux and macOS those of [zig](https://ziglang.org) (MIT), and for Windows those of
[mingw-w64](https://www.mingw-w64.org) (ZPL-2.1 and the like). Each archive and wheel has the texts in ` + "`third-party-licences.txt`" + `.

| module | version | licences |
| --- | --- | --- |
`

// carried are licences of code that a program under the MIT licence may hold, by their SPDX names: those that ask for
// notices, and those that ask for the source of their own files only.
var carried = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "MIT",
	"MIT-0", "MPL-2.0", "PublicDomain", "Unlicense", "Zlib"}

// looked are modules whose files do not say by themselves what is linked.
var looked = map[string][]string{
	"github.com/JohnCGriffin/overflow": {"MIT"}, // its text is in the README
	// CC-BY-4.0, which the file names too, is its documentation's
	"github.com/modelcontextprotocol/go-sdk": {"Apache-2.0", "MIT"},
	// the file lists what all of Arrow brings along, in other languages
	"github.com/apache/arrow/go/v17": {"Apache-2.0"},
}

// a module is one that the program is linked with.
type module struct {
	path, version string
	licences      []string // SPDX names, in order
}

// licenceFile is how modules call the files with their licences.
var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying)`)

// linkedModules are the modules of all packages in the program, by path.
func linkedModules(t *testing.T) (out []module) {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", ".")
	var stderr bytes.Buffer
	list.Stderr = &stderr
	text, err := list.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	lines := strings.Fields(strings.ReplaceAll(string(text), "\t", " "))
	seen := map[string]bool{}
	for at := range slices.Chunk(lines, 3) {
		if !seen[at[0]] {
			seen[at[0]] = true
			m := module{at[0], at[1], looked[at[0]]}
			if m.licences == nil {
				m.licences = licencesIn(t, at[2])
			}
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b module) int { return cmp.Compare(a.path, b.path) })
	return out
}

// licencesIn are the licences that the files at the top of a module hold.
func licencesIn(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		must(t, err)
		for _, match := range licensecheck.Scan(text).Match {
			out = append(out, match.ID)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestLicences keeps docs/licences.md what the program is linked with, and refuses a module whose licence is unknown,
// or is none that a program under the MIT licence may carry.
func TestLicences(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("docs/licences.md lists the modules of the program for Linux on amd64")
	}
	page := bytes.NewBufferString(licencesHead)
	for _, m := range linkedModules(t) {
		fmt.Fprintf(page, "| %s | %s | %s |\n", m.path, m.version, strings.Join(m.licences, ", "))
		if len(m.licences) == 0 {
			t.Errorf("%s %s has no licence that is known", m.path, m.version)
		}
		for _, name := range m.licences {
			if !slices.Contains(carried, name) {
				t.Errorf("%s %s is under %s, which a program under the MIT licence may not carry, or nobody has "+
					"looked at", m.path, m.version, name)
			}
		}
	}
	golden(t, filepath.Join("..", "..", "docs", "licences.md"), page.Bytes())
}
