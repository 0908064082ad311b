package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/testdata/gen/editortest"
	"pipeline/testdata/gen/storetest"
)

// faultCommand is `fault KIND FILE`: the file becomes what a fault makes of it.
func faultCommand(ts *testscript.TestScript, neg bool, args []string) {
	faults := map[string]func(path string) error{
		"truncated": storetest.WriteTruncated, "empty": storetest.WriteZeroBytes,
		"notadatabase": storetest.WriteNotADatabase, "newerschema": func(path string) error {
			return execDuckDB(path, "UPDATE internal._meta SET value = '9999' WHERE key = 'warehouse_version'")
		},
		"checkfailed": func(path string) error {
			return execDuckDB(path, "UPDATE loads SET status = 'check_failed' WHERE load_id = (SELECT max(load_id) "+
				"FROM loads)")
		},
	}
	if neg || len(args) != 2 || faults[args[0]] == nil {
		ts.Fatalf("usage: fault KIND FILE")
	}
	ts.Check(faults[args[0]](ts.MkAbs(args[1])))
}

func execDuckDB(path, statement string) error {
	db, err := sql.Open("duckdb", path) // package load registers the driver
	if err != nil {
		return err
	}
	_, err = db.Exec(statement)
	return errors.Join(err, db.Close())
}

// holdCommand is `hold run|reader|writer WAREHOUSE PROGRAM ...`: this process holds the warehouse as the name says
// while the program runs.
func holdCommand(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: hold run|reader|writer WAREHOUSE PROGRAM ...")
	}
	path := ts.MkAbs(args[1])
	var release func() error
	switch args[0] {
	case "run":
		lock := flock.New(path + ".lock")
		if held, err := lock.TryLock(); err != nil || !held {
			ts.Fatalf("the lock is not free: %v", err)
		}
		release = lock.Unlock
	case "reader":
		r, err := reader.Open(context.Background(), path)
		ts.Check(err)
		release = r.Close
	case "writer":
		db, err := sql.Open("duckdb", path)
		ts.Check(err)
		ts.Check(db.Ping())
		release = db.Close
	}
	err := ts.Exec(args[2], args[3:]...)
	ts.Check(release())
	if (err != nil) != neg {
		ts.Fatalf("%v: %v", args[2:], err)
	}
}

// filesIn are the names, modes, sizes, times and contents of everything in some folders; of a -shm, which readers of a
// store that is in use share with its writer, only the name.
func filesIn(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil || strings.HasSuffix(path, "-shm") {
				found[path] = "there"
				return err
			}
			found[path] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano())
			if d.Type().IsRegular() {
				b, err := os.ReadFile(path)
				found[path] += fmt.Sprintf(" %x", sha256.Sum256(b))
				return err
			}
			return nil
		})
		must(t, err)
	}
	return found
}

// examine runs doctor in a process of its own, with a temporary folder of its own, which must be empty afterwards.
func examine(t *testing.T, code int, args ...string) string {
	t.Helper()
	scratch := t.TempDir()
	cmd := exec.Command("pipeline", append([]string{"doctor"}, args...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+scratch)
	out, _ := cmd.CombinedOutput() // how it ended, ProcessState says
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("%v: exit %d, want %d\n%s", args, got, code, out)
	}
	if left := filesIn(t, scratch); len(left) != 1 {
		t.Errorf("%v left in the temporary folder: %v", args, left)
	}
	return string(out)
}

// TestDoctorTouchesNothing: whatever state stores and warehouse are in, every file in their folders is as it was.
func TestDoctorTouchesNothing(t *testing.T) {
	long(t)
	t.Parallel()
	dir := t.TempDir()
	stores, dest := filepath.Join(dir, "stores"), filepath.Join(dir, "dest")
	user := filepath.Join(stores, "User")
	quiet := filepath.Join(user, "globalStorage", "state.vscdb")
	workspace := func(name string) string { return filepath.Join(user, "workspaceStorage", name, "state.vscdb") }
	must(t, storetest.New(storetest.Options{Seed: 3, Messages: 40, NoCases: true}).Write(user))
	start := func(name string, wal bool) *editortest.Editor {
		must(t, os.MkdirAll(filepath.Dir(workspace(name)), 0o700))
		return editortest.Start(t, workspace(name), editortest.Options{WAL: wal, Limit: 20})
	}
	killed, closed, live := start("killed", true), start("closed", true), start("live", true)
	for _, e := range []*editortest.Editor{killed, closed, live} {
		for end := time.Now().Add(patience); e.Commits() < 20 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
	}
	killed.Kill()
	must(t, closed.Stop())
	must(t, os.MkdirAll(filepath.Dir(workspace("journal")), 0o700))
	store, err := os.ReadFile(quiet)
	if err := errors.Join(err, os.WriteFile(workspace("journal"), store, 0o600),
		os.WriteFile(workspace("journal")+"-journal", bytes.Repeat([]byte{0xd9}, 600), 0o600)); err != nil {
		// that a crash left
		t.Fatal(err)
	}
	warehouse, parquet := filepath.Join(dest, "w.duckdb"), filepath.Join(dest, "pq")
	args := []string{"--source", "work=" + stores, "--warehouse", warehouse, "--parquet", parquet}
	compare := func(what string, code int, args ...string) string {
		t.Helper()
		before := filesIn(t, dir)
		out := examine(t, code, args...)
		if diff := cmp.Diff(before, filesIn(t, dir)); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
		return out
	}
	out := compare("no warehouse yet", 0, args...)
	if _, err := os.Stat(dest); err == nil {
		t.Errorf("it made the warehouse's folder\n%s", out)
	}
	succeeds(t, exec.Command("pipeline", append([]string{"run", "--quiet"}, args...)...))
	out = compare("a warehouse", 0, args...)
	if !strings.Contains(out, "0 new, 0 changed, 0 deleted") {
		t.Errorf("nothing has changed since the load\n%s", out)
	}
	compare("quick", 0, append(args, "--no-plan")...)
	var look struct {
		Sources []struct {
			Stores []struct {
				Store, Method string
				OpenIn        []struct{ PID int } `json:"open_in"`
			}
		}
	}
	must(t, json.Unmarshal([]byte(compare("JSON", 0, append(args, "--json")...)), &look))
	for _, s := range look.Sources[0].Stores {
		method, open := "in_place", s.Store == "workspace/live"
		switch s.Store {
		case "workspace/live", "workspace/killed":
			method = "wal"
		case "workspace/journal":
			method = "copy"
		}
		if s.Method != method || runtime.GOOS == "linux" && (len(s.OpenIn) == 1) != open {
			t.Errorf("%s: read by %s, want %s; open in %v", s.Store, s.Method, method, s.OpenIn)
		}
	}
	if err := live.Stop(); err != nil {
		t.Error(err)
	}
	// What killed runs leave: the engine's log, a new file, a file of the raw layer.
	raw := warehouse + ".raw/work/"
	// as each load does
	goesOn := "UPDATE internal._meta SET value = split_part(value, '>', 2) || '>next' WHERE key = 'lineage'"
	if err := errors.Join(execDuckDB(warehouse, "PRAGMA disable_checkpoint_on_shutdown; "+goesOn),
		os.WriteFile(warehouse+".new-77", nil, 0o600), os.WriteFile(raw+"00000002-2.parquet", nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	out = compare("what killed runs leave", 0, append(args, "--no-plan")...)
	for _, want := range []string{"(w.duckdb.wal): a run was killed", "A killed run left 1 file (w.duckdb.new-77)",
		"Of the raw layer 1 file can not be read, and runs leave it out"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q\n%s", want, out)
		}
	}
	// A log that goes on from another file.
	if err := errors.Join(execDuckDB(warehouse, "CHECKPOINT"),
		execDuckDB(warehouse, "PRAGMA disable_checkpoint_on_shutdown; UPDATE internal._meta SET value = 'other>next' "+
			"WHERE key = 'lineage'")); err != nil {
		t.Fatal(err)
	}
	out = compare("a log of another file", exitCheck, append(args, "--no-plan")...)
	if want := "w.duckdb.wal does not belong to"; !strings.Contains(out, want) {
		t.Errorf("it does not say %q\n%s", want, out)
	}
}

// TestDoctorExitCodes: of several problems the first of 3, 75, 4 counts.
func TestDoctorExitCodes(t *testing.T) {
	t.Parallel()
	p := newDemoTest(t)
	p.does(0, "run", "--quiet", "--source", p.demo(), "--warehouse", p.warehouse)
	newer := filepath.Join(p.dir, "newer.duckdb")
	b, err := os.ReadFile(p.warehouse)
	must(t, errors.Join(err, os.WriteFile(newer, b, 0o600),
		execDuckDB(newer, "UPDATE internal._meta SET value = '9999' WHERE key = 'warehouse_version'")))
	examine(t, 0, "--source", p.demo(), "--warehouse", p.warehouse)
	examine(t, exitSource, "--source", "nowhere", "--warehouse", p.warehouse)
	examine(t, exitSource, "--source", "nowhere", "--warehouse", newer)
	examine(t, exitCheck, "--source", p.demo(), "--warehouse", newer)
	examine(t, exitUsage, "--sorce", p.demo())
	examine(t, exitUsage, "--source", p.demo(), "--source", p.global())
	if runtime.GOOS != "linux" {
		t.Skip("whether a lock is held can be seen without taking it on Linux only")
	}
	for _, path := range []string{p.warehouse, newer} {
		lock := flock.New(path + ".lock")
		if held, err := lock.TryLock(); err != nil || !held {
			t.Fatal(held, err)
		}
		defer func() { _ = lock.Unlock() }()
		examine(t, exitBusy, "--source", p.demo(), "--warehouse", path)
		examine(t, exitSource, "--source", "nowhere", "--warehouse", path)
	}
}

// volatile are figures that differ from machine to machine, and from run to run.
var volatile = regexp.MustCompile(
	`("(?:bytes|raw_bytes|free_bytes|run_pid)": )\d+|("(?:changed_at|started_at|os|tool_version)": )"[^"]*"|("(?:clones?|remote)": )(?:true|false|null)`)

// volatileText are sizes and times in sentences.
var volatileText = regexp.MustCompile(
	`\d[\d.]* [kMGT]?B\b|(?:now|\d+ (?:second|minute)s? ago)\b|; a private copy there[^"]*|\((?:linux|darwin|windows)\)`)

// TestDoctorJSON: names and shape of the object that programs read.
func TestDoctorJSON(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("on other systems it is not known who has a file open: null, not an empty list")
	}
	p := newDemoTest(t) // not in parallel: another test's process that begins just now has this one's files open

	must(t, os.RemoveAll(filepath.Join(p.demo(), "User", "workspaceStorage")))
	dir := p.dir
	must(t, os.Chmod(dir, 0o700))
	p.does(0, "run", "--quiet", "--source", "work="+p.demo(), "--warehouse", p.warehouse, "--parquet",
		filepath.Join(dir, "pq"))
	out := examine(t, exitSource, "--source", "work="+p.demo(), "--source", filepath.Join(dir, "nowhere"),
		"--warehouse", p.warehouse, "--parquet", filepath.Join(dir, "pq"), "--json")
	var whole map[string]any
	if err := json.Unmarshal([]byte(out), &whole); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	scratch := whole["scratch"].(map[string]any)["folder"].(string)
	whole["editor"] = "of the machine"
	whole["findings"] = slices.DeleteFunc(whole["findings"].([]any),
		func(f any) bool { return f.(map[string]any)["topic"] == "editor" })
	var again bytes.Buffer
	must(t, term.PrintBareJSON(&again, whole))
	text := strings.NewReplacer(scratch, "TMP", dir, "DIR", xdg.DataHome, "DATA", xdg.StateHome, "STATE",
		xdg.ConfigHome, "CONFIG").Replace(again.String())
	text = volatile.ReplaceAllString(text, `${1}${2}${3}"..."`)
	text = volatileText.ReplaceAllString(text, "...")
	golden(t, filepath.Join("..", "..", "testdata", "golden", "doctor.json"), []byte(text))
}
