package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// TestMain does a task where it is started for one: the benchmark's children are this program itself.
func TestMain(m *testing.M) {
	if os.Getenv(childMark) != "" {
		os.Exit(realMain(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// tinyStore writes a small store and returns its user directory.
func tinyStore(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "User")
	if err := generate(taskOptions{dir: dir, messages: 400}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func tinyBench(t *testing.T) *bench {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &bench{options: options{runs: 1, dir: t.TempDir(), stores: []string{storeSmooth}}, self: self,
		out: io.Discard, log: io.Discard}
}

// TestStages: every stage and every floor does its work on a small store, and those that do the same work come to the
// same figures.
func TestStages(t *testing.T) {
	t.Parallel()
	b, dir := tinyBench(t), tinyStore(t)
	finished := t.TempDir()
	got := map[string]result{}
	for _, name := range stageTasks {
		scratch := finished
		if name != "run" {
			scratch = t.TempDir()
		}
		r, err := b.task(t.Context(), false, name, "-dir", dir, "-scratch", scratch, "-warehouse",
			filepath.Join(finished, "w.duckdb"))
		if err != nil {
			t.Fatal(err)
		}
		if r.Part.RSS <= 0 || name == "run" && r.Part.CPU <= 0 {
			t.Errorf("%s: nothing was counted: %+v", name, r.Part)
		}
		got[name] = r
	}
	read := got["read"]
	if read.Rows == 0 || read.Bytes == 0 || got["parse"].Rows != read.Rows || got["parse"].Bytes != read.Bytes {
		t.Errorf("read %d rows, %d bytes; passed over %d and %d", read.Rows, read.Bytes, got["parse"].Rows,
			got["parse"].Bytes)
	}
	if got["scan-sql"].Rows < read.Rows || got["scan-sql"].Rows != got["scan-driver"].Rows ||
		got["scan-sql"].Bytes != got["scan-driver"].Bytes {
		t.Errorf("of %d rows, the scans have %d and %d", read.Rows, got["scan-sql"].Rows, got["scan-driver"].Rows)
	}
	if got["normalize"].Rows == 0 || got["normalize"].Rows != got["run"].Rows ||
		got["append"].Rows <= got["run"].Rows || got["append-all"].Rows <= got["append"].Rows {
		t.Errorf("messages %d, in a run %d; appended %d, and %d in all tables", got["normalize"].Rows, got["run"].Rows,
			got["append"].Rows, got["append-all"].Rows)
	}
	for _, phase := range []string{"open", "read", "merge", "check", "commit", "publish"} {
		if _, ok := got["run"].Phases[phase]; !ok {
			t.Errorf("the run has no phase %s", phase)
		}
	}
	if info, err := os.Stat(globalStore(dir)); err != nil || got["cat"].Bytes != info.Size() {
		t.Errorf("the file has %d bytes, %d were read (%v)", info.Size(), got["cat"].Bytes, err)
	}
}

// TestTaskFails: a task that fails fails the benchmark, and says why.
func TestTaskFails(t *testing.T) {
	t.Parallel()
	b := tinyBench(t)
	for task, want := range map[string]string{"read": "there is no such store", "scan-sql": "unable to open",
		"copy": "open DuckDB", "nothing": "there is no task"} {
		_, err := b.task(t.Context(), false, task, "-dir", filepath.Join(b.dir, "missing"), "-scratch", b.dir,
			"-warehouse", filepath.Join(b.dir, "w.duckdb"))
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q and exit code 1", task, err, want)
		}
	}
	if code := realMain([]string{"-pipeline", filepath.Join(b.dir, "missing"), "-dir", b.dir}, io.Discard,
		io.Discard); code != 1 {
		t.Errorf("without a program to measure the exit code is %d", code)
	}
	if code := realMain([]string{"-scales", "1,x"}, io.Discard, io.Discard); code != 1 {
		t.Errorf("with a scale that is no number the exit code is %d", code)
	}
}

// keyed are the rows of a store's key-value table: the rowid and the value of each key.
func keyed(t *testing.T, dir string) map[string][2]string {
	t.Helper()
	db, err := openSQLite(globalStore(dir), true)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT key, CAST(rowid AS TEXT), coalesce(CAST(value AS BLOB), 'NULL') FROM cursorDiskKV " +
		"WHERE key IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	out := map[string][2]string{}
	for rows.Next() {
		var key, rowID, value string
		if err := rows.Scan(&key, &rowID, &value); err != nil {
			t.Fatal(err)
		}
		out[key] = [2]string{rowID, value}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestChange: exactly the share of the conversations changes that was asked for: all their rows are new ones, their
// messages have other texts, and no other row is touched. The store that was copied is as it was.
func TestChange(t *testing.T) {
	long(t)
	t.Parallel()
	dir := t.TempDir()
	if err := storetest.New(storetest.Options{Seed: 3, Messages: 9000, NoCases: true}).
		Write(filepath.Join(dir, "User")); err != nil {
		t.Fatal(err)
	}
	user, before := filepath.Join(dir, "copy"), keyed(t, filepath.Join(dir, "User"))
	if err := copyStore(filepath.Join(dir, "User"), user); err != nil {
		t.Fatal(err)
	}
	chats := int64(0)
	for key := range before {
		if strings.HasPrefix(key, "composerData:") {
			chats++
		}
	}
	for mark, test := range []struct {
		share float64
		want  int64
	}{{0, 0}, {0.0001, 1}, {0.10, (chats + 5) / 10}, {0.10, (chats + 5) / 10}, {1, chats}} {
		r, err := change(context.Background(), taskOptions{dir: user, share: test.share, mark: mark})
		if err != nil {
			t.Fatal(err)
		}
		after := keyed(t, user)
		touched, rows, texts := compareRows(t, before, after)
		if r.Counts["changed"] != test.want || int64(len(touched)) != test.want || r.Counts["conversations"] != chats {
			t.Errorf("%g of %d conversations: it says %d, and rows of %d are new, want %d", test.share, chats,
				r.Counts["changed"], len(touched), test.want)
		}
		if r.Rows != rows || test.want > 0 && texts == 0 {
			t.Errorf("%g of the conversations: it says that it replaced %d rows, %d are new; %d texts are others",
				test.share, r.Rows, rows, texts)
		}
		for key := range after { // all rows of a conversation, or none
			if id := chatOf(key); id != "" && touched[id] == (after[key][0] == before[key][0]) {
				t.Errorf("%s was replaced, or was not, unlike others of its conversation", key)
			}
		}
		before = after
	}
	if original := keyed(t, filepath.Join(dir, "User")); len(original) != len(before) {
		t.Errorf("the store had %d rows, its copy has %d", len(original), len(before))
	}
}

// long skips a test that is left to make test-all.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it is long: make test-all runs it")
	}
}

// chatOf is the conversation that a row belongs to, "" for none.
func chatOf(key string) string {
	parts := strings.SplitN(key, ":", 3)
	families := []string{"composerData", "bubbleId", "checkpointId", "messageRequestContext", "codeBlockDiff",
		"codeBlockPartialInlineDiffFates"}
	if len(parts) < 2 || !slices.Contains(families, parts[0]) || len(parts) == 2 && parts[0] != "composerData" {
		return ""
	}
	return parts[1]
}

// compareRows returns the conversations of which rows are new, how many those are, and how many messages have another
// text.
func compareRows(t *testing.T, before, after map[string][2]string) (touched map[string]bool, rows, texts int64) {
	t.Helper()
	touched = map[string]bool{}
	if len(after) != len(before) {
		t.Errorf("there are %d rows, before there were %d", len(after), len(before))
	}
	for key, row := range after {
		if row[0] == before[key][0] && row[1] != before[key][1] {
			t.Errorf("%s has another value in the same row", key)
		}
		if row[0] == before[key][0] {
			continue
		}
		rows++
		touched[chatOf(key)] = true
		if strings.HasPrefix(key, "bubbleId:") && row[1] != before[key][1] {
			texts++
		}
	}
	return touched, rows, texts
}

// TestPeer: the script and a run count the same messages on a small store. Of a store like real ones, the full script
// keeps as many attachments and checkpoints as a run.
func TestPeer(t *testing.T) {
	t.Parallel()
	b := tinyBench(t)
	b.python = "python3"
	if name := os.Getenv("PYTHON"); name != "" {
		b.python = name
	}
	if why := b.pythonMissing(t.Context()); why != "" {
		t.Skip(why)
	}
	peers(t, b, tinyStore(t), "lean")
	if testing.Short() {
		return
	}
	dir := filepath.Join(b.dir, "User")
	if _, err := b.task(t.Context(), false, "real", "-dir", dir, "-messages", "1", "-seed", "3"); err != nil {
		t.Fatal(err)
	}
	ours, theirs := peers(t, b, dir, "full")
	for _, table := range []string{"attachments", "checkpoints"} {
		has, err := b.task(t.Context(), false, "count", "-file", filepath.Join(theirs, "parquet", table+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		var had int64
		if ask(t, ours, "SELECT count(*) FROM "+table, &had); had == 0 || had != has.Rows {
			t.Errorf("%s: the warehouse has %d, the script %d", table, had, has.Rows)
		}
	}
}

// peers loads a store both ways, compares the messages, and returns the folders.
func peers(t *testing.T, b *bench, dir, keeps string) (ours, theirs string) {
	t.Helper()
	ours, theirs = t.TempDir(), t.TempDir()
	peer := filepath.Join("..", "..", "testdata", "peers", "peer_python.py")
	if _, _, err := b.run(t.Context(), command{args: []string{b.python, peer, dir, theirs, "orjson", keeps},
		env: []string{"PEER_THREADS=1"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.task(t.Context(), false, "run", "-dir", dir, "-scratch", ours); err != nil {
		t.Fatal(err)
	}
	had, err := b.task(t.Context(), false, "count", "-warehouse", filepath.Join(ours, "w.duckdb"))
	if err != nil {
		t.Fatal(err)
	}
	has, err := b.task(t.Context(), false, "count", "-file", filepath.Join(theirs, "parquet", "messages.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	if said := agreement(had.Rows-had.Counts["orphaned"], had.Counts["beside"], has.Rows); !strings.HasPrefix(said,
		"Both loaded") {
		t.Error(said)
	}
	return ours, theirs
}
