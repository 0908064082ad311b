package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

// headers is how long the engine's three headers are, at the beginning of the file.
const headers = 3 * 4096

// TestFlippedBytes flips a byte of the warehouse in many places: verify says that it is damaged, or it holds what it
// held, and a run that cannot open it leaves it as it is.
func TestFlippedBytes(t *testing.T) {
	long(t)
	places := 12
	if night.On() {
		places = 200
	}
	dir := t.TempDir()
	demo, warehouse := filepath.Join(dir, "demo"), filepath.Join(dir, "w.duckdb")
	must(t, storetest.New(storetest.Options{Seed: 3, Messages: 300, NoCases: true}).
		Write(filepath.Join(demo, "User")))
	run := func(args ...string) (int, string) { // a process of its own: a damaged file may take it down
		return output(t, program(args...))
	}
	if code, out := run("run", "--quiet", "--source", "test="+demo, "--warehouse", warehouse); code != 0 {
		t.Fatal(code, out)
	}
	whole, err := os.ReadFile(warehouse)
	must(t, err)
	say := func(format string, args ...any) { t.Helper(); t.Errorf(format, args...) }
	want := look(t, warehouse, say).all
	random := rand.New(rand.NewPCG(5, uint64(night.Number())))
	found, unharmed, refused := 0, 0, 0
	for i := range places {
		at := random.IntN(len(whole))
		if i%3 == 0 {
			at = random.IntN(headers)
		}
		damaged := bytes.Clone(whole)
		damaged[at] ^= byte(1 + random.IntN(255))
		must(t, os.WriteFile(warehouse, damaged, 0o600))
		code, out := run("check", "--deep", "--warehouse", warehouse)
		switch {
		case code == exitCheck && strings.Contains(out, "DAMAGED") && strings.Contains(out, "repair: pipeline rebuild"):
			found++
		case code == 0:
			unharmed++ // a place that nothing uses
			if diff := cmp.Diff(want, look(t, warehouse, say).all); diff != "" {
				t.Errorf("byte %d: all is well, it says, but the rows differ:\n%s", at, diff)
			}
		default:
			t.Errorf("byte %d: exit code %d: %s", at, code, out)
		}
		if code == 0 || at >= headers {
			continue
		}
		code, out = run("run", "--quiet", "--source", "test="+demo, "--warehouse", warehouse)
		if now, err := os.ReadFile(warehouse); code == 0 || err != nil || !bytes.Equal(now, damaged) {
			t.Errorf("byte %d: a run ends with %d (%s), and has changed the file: %t", at, code, out,
				!bytes.Equal(now, damaged))
		}
		refused++
	}
	t.Logf("of %d flipped bytes %d were found, %d are in places that nothing uses; %d runs refused", places, found,
		unharmed, refused)
	if found < places/4 {
		t.Errorf("only %d of %d were found", found, places)
	}
	must(t, os.WriteFile(warehouse, whole, 0o600))
	if code, out := run("check", "--deep", "--warehouse", warehouse); code != 0 {
		t.Error(code, out)
	}
}
