package main

import (
	"bytes"
	"debug/macho"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	systemLibrary = "/usr/lib/libSystem.B.dylib"
	// The descriptor of a thread's variable comes after an odd number of bytes.
	threadProgram = `#include <stdio.h>
__attribute__((section("__DATA,__odd"), used)) static char odd[3] = {1, 2, 3};
static __thread int here;
int main(void) { printf("%d%p\n", odd[1], (void *)&here); return 0; }
`
)

// TestMacOSProgram links a program for macOS, signs and checks it as make dist does, and then breaks it in one place at
// a time: each time it is refused, with the reason.
func TestMacOSProgram(t *testing.T) {
	long(t)
	compilers, _ := filepath.Glob(filepath.Join("..", "..", "bin", "tools", "ziglang-*", "ziglang", "zig"))
	if len(compilers) == 0 {
		t.Skip("the compiler for macOS is not here: make dist fetches it")
	}
	for arch, system := range map[string]string{"arm64": "aarch64-macos.13.0", "amd64": "x86_64-macos.13.0"} {
		t.Run(arch, func(t *testing.T) {
			m := macOSProgram{arch: arch, system: system, compiler: compilers[0], dir: t.TempDir()}
			linked := m.link(t, filepath.Join("..", "..", ".ci", "macos", "thread_vars.s"))
			names, _, _ := aboutMacOS(t, linked)
			m.list(t, names)
			signed, said, err := m.check(t, linked, "--sign")
			if err != nil || !strings.Contains(said, "signed as local.pipeline") {
				t.Fatalf("%v: %s", err, said)
			}
			_, at, variables := aboutMacOS(t, signed)
			signature := int(binary.LittleEndian.Uint32(signed[at[0x1d]+8:])) // where LC_CODE_SIGNATURE says
			for what, c := range map[string]struct {
				byte int
				want string
			}{
				"code":       {len(signed) - len(signed)%4096 - 4096, "the hash of a page is wrong"},
				"hash":       {len(signed) - 1, "the hash of a page is wrong"},
				"identifier": {signature + 20 + 88, "it is signed as nocal.pipeline"},
				"version":    {at[0x32] + 14, "it needs macOS 15.0, not 13.0"}, // LC_BUILD_VERSION: 13 is 0b1101
				"library":    {at[0xc] + 24 + 1, "it loads /wsr/lib"},          // LC_LOAD_DYLIB
				"variable":   {variables + 23, "section __thread_vars names place 0x2"},
				"entry":      {at[0x80000028], "it has 0 load commands of type 0x80000028"},
			} {
				broken := slices.Clone(signed)
				broken[c.byte] ^= 2
				if _, said, err := m.check(t, broken); err == nil || !strings.Contains(said, c.want) {
					t.Errorf("%s: %v: %s", what, err, said)
				}
			}
			m.list(t, append(names, "_sin"))
			want := "_sin of " + systemLibrary + " is in its list, but not asked for"
			if _, said, err := m.check(t, signed); err == nil || !strings.Contains(said, want) {
				t.Errorf("a name too many: %v: %s", err, said)
			}
			m.list(t, slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "_printf" }))
			want = "_printf of " + systemLibrary + " is in no list"
			if _, said, err := m.check(t, signed); err == nil || !strings.Contains(said, want) {
				t.Errorf("a name too few: %v: %s", err, said)
			}
			m.list(t, names)
			_, said, err = m.check(t, m.link(t), "--sign")
			if err == nil || !strings.Contains(said, "section __thread_vars is not aligned") {
				t.Errorf("without a variable that is aligned: %v: %s", err, said)
			}
		})
	}
}

type macOSProgram struct{ arch, system, compiler, dir string }

func (m macOSProgram) link(t *testing.T, more ...string) []byte {
	t.Helper()
	source, program := filepath.Join(m.dir, "a.c"), filepath.Join(m.dir, "program")
	must(t, os.WriteFile(source, []byte(threadProgram), 0o600))
	link := exec.CommandContext(t.Context(), m.compiler,
		append([]string{"cc", "-target", m.system, "-O1", "-o", program, source}, more...)...)
	succeeds(t, link)
	data, err := os.ReadFile(program)
	must(t, err)
	return data
}

// list writes the list of names that the program may take.
func (m macOSProgram) list(t *testing.T, names []string) {
	t.Helper()
	text := strings.Join(names, "\n") + "\n_not_here sparc\n"
	must(t, os.WriteFile(filepath.Join(m.dir, "libSystem.B.dylib.txt"), []byte(text), 0o600))
}

// check returns the program, which it may have signed, what the check said, and whether it refused the program.
func (m macOSProgram) check(t *testing.T, program []byte, more ...string) (checked []byte, said string, err error) {
	t.Helper()
	path := filepath.Join(m.dir, "checked")
	must(t, os.WriteFile(path, program, 0o600))
	check := exec.CommandContext(t.Context(), "python3", append([]string{filepath.Join("..", "..", ".ci", "macho.py"),
		"--arch", m.arch, "--minimum", "13.0", "--identifier", "local.pipeline", "--needs", systemLibrary,
		"--names", m.dir, path}, more...)...)
	out, refused := check.CombinedOutput()
	if checked, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return checked, string(out), refused
}

// aboutMacOS is what Go reads of a program: the names that it takes from libraries, and where each load command and the
// first descriptor of a thread's variable are.
func aboutMacOS(t *testing.T, program []byte) (names []string, at map[uint32]int, variables int) {
	t.Helper()
	f, err := macho.NewFile(bytes.NewReader(program))
	must(t, err)
	if names, err = f.ImportedSymbols(); err != nil || len(names) < 3 {
		t.Fatal(names, err)
	}
	at = map[uint32]int{}
	where := 32
	for _, l := range f.Loads {
		at[f.ByteOrder.Uint32(l.Raw())] = where
		where += len(l.Raw())
	}
	return names, at, int(f.Section("__thread_vars").Offset)
}
