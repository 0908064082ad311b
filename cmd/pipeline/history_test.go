package main

import (
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"pipeline/load/rawlog"
	"pipeline/load/reader"
	"pipeline/load/versions"
	"pipeline/testdata/gen/storetest"
)

// rowCommand is `row FOLDER KEY [FILE]`: a row of the global store gets what a file holds, as Cursor writes it, or is
// deleted.
func rowCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: row FOLDER KEY [FILE]")
	}
	var value any
	if len(args) == 3 {
		value = ts.ReadFile(args[2])
	}
	ts.Check(setRow(ts.MkAbs(args[0]), args[1], value))
}

// setRow gives a row of a demo's global store a value; nil deletes it.
func setRow(demo string, key, value any) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(demo, "User", "globalStorage", "state.vscdb"))
	if err != nil {
		return err
	}
	defer db.Close()
	if value == nil {
		_, err = db.Exec(`DELETE FROM cursorDiskKV WHERE key = ?`, key)
	} else {
		_, err = db.Exec(`REPLACE INTO cursorDiskKV (key, value) VALUES (?, ?)`, key, value)
	}
	return err
}

// newDemoTest is a test of the program on a small invented history.
func newDemoTest(t *testing.T) *cliTest {
	w := newCLITest(t)
	w.user = filepath.Join(w.dir, "demo", "User")
	w.must(writeStore(w.demo(), storetest.Options{Seed: 1, Messages: 20, NoCases: true}))
	return w
}

// demo is the folder of the history.
func (w *cliTest) demo() string { return filepath.Dir(w.user) }

func (w *cliTest) history(code int, args ...string) (string, string) {
	w.t.Helper()
	return w.does(code, append([]string{"history", "--warehouse", w.warehouse}, args...)...)
}

// put puts a row and runs.
func (w *cliTest) put(key, value any) {
	w.t.Helper()
	w.must(setRow(w.demo(), key, value))
	w.does(0, "run", "--quiet", "--source", "one="+w.demo(), "--warehouse", w.warehouse)
}

// TestHistoryValues: values of every kind are printed without harm to a terminal, and for programs as they are.
func TestHistoryValues(t *testing.T) {
	long(t)
	p := newDemoTest(t)
	const key = "bubbleId:c9:b9"
	p.put("composerData:c9", `{"_v":13,"name":"`+"\u009b31m"+`red"}`)
	for _, value := range []any{
		"no JSON\x1b[31m\nsecond\n", "no JSON\x1b[32m\nsecond\n", []byte{0, 0xff, '\n'}} {
		p.put(key, value)
	}
	if out, _ := p.history(0, key, "--show", "3"); out != "\x00\xff\n" {
		t.Errorf("--show: %q", out)
	}
	var shown struct {
		Value  string `json:"value"`
		Base64 string `json:"value_base64"`
	}
	for version, want := range map[string][2]string{"1": {"no JSON\x1b[31m\nsecond\n", ""},
		"3": {"", base64.StdEncoding.EncodeToString([]byte{0, 0xff, '\n'})}} {
		out, _ := p.history(0, key, "--show", version, "--json")
		if err := json.Unmarshal([]byte(out), &shown); err != nil || shown.Value != want[0] || shown.Base64 != want[1] {
			t.Errorf("--show %s --json: %+v %v", version, shown, err)
		}
		shown.Value, shown.Base64 = "", ""
	}
	for _, args := range [][]string{{"c9"}, {key}} {
		if out, _ := p.history(0, args...); strings.ContainsAny(out, "\x1b\u009b") {
			t.Errorf("%v: %q", args, out)
		}
	}
}

// TestHistoryTimes: times are local ones for people, and those of the loads.
func TestHistoryTimes(t *testing.T) {
	defer func(was *time.Location) { time.Local = was }(time.Local)
	time.Local = time.FixedZone("far", -9*3600-1800)
	p := newDemoTest(t)
	p.put("composerData:c9", `{"_v":13,"name":"x"}`)
	answer, err := reader.Query(t.Context(), p.warehouse,
		"SELECT strftime(first_seen_at::TIMESTAMP - INTERVAL 570 MINUTE, '%Y-%m-%d %H:%M:%S'), "+
			"epoch_ms(first_seen_at) FROM conversations WHERE conversation_id = 'c9'")
	if err != nil || len(answer.Rows) != 1 {
		t.Fatal(answer, err)
	}
	want := answer.Rows[0][0].(string)
	for _, args := range [][]string{{"c9"}, {"composerData:c9"}} {
		if out, _ := p.history(0, args...); !strings.Contains(out, " "+want+" ") {
			t.Errorf("%v: no %s in\n%s", args, want, out)
		}
	}
	out, _ := p.history(0, "composerData:c9", "--json")
	var printed struct{ Rows []versions.RowHistory }
	if err := json.Unmarshal([]byte(out), &printed); err != nil || len(printed.Rows) != 1 ||
		len(printed.Rows[0].Versions) != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	if printed.Rows[0].Versions[0].ObservedAt.UnixMilli() != answer.Rows[0][1].(int64) {
		t.Errorf("want %v:\n%s", answer.Rows[0][1], out)
	}
}

// TestHistoryOfSeveral: where a key is in several places each has its history, and one must be named to be shown.
func TestHistoryOfSeveral(t *testing.T) {
	p := newDemoTest(t)
	const key = "composerData:c9"
	p.put(key, `{"_v":13,"name":"first"}`)
	must(t, setRow(p.demo(), key, `{"_v":13,"name":"second"}`))
	p.does(0, "run", "--quiet", "--source", "two="+p.demo(), "--warehouse", p.warehouse)
	out, _ := p.history(0, key)
	if strings.Count(out, "\n      1  ") != 2 || !strings.Contains(out, "source one, store global, ") ||
		!strings.Contains(out, "source two, store global, ") {
		t.Error(out)
	}
	_, errs := p.history(2, key, "--show", "last")
	if !strings.Contains(errs, "2 rows match; name one:\n"+
		"  --source one --store global --table cursorDiskKV --conversation c9\n  --source two ") {
		t.Error(errs)
	}
	if out, _ := p.history(0, key, "--show", "last", "--source", "two"); out != `{"_v":13,"name":"second"}` {
		t.Error(out)
	}
	if out, _ := p.history(0, "c9"); !strings.Contains(out, "  one     global  cursorDiskKV  composerData:c9\n") {
		t.Error(out)
	}
	for _, args := range [][]string{{}, {""}, {"a", "b"}, {key, "--show", "0"}, {key, "--show", "x"},
		{key, "--diff", "1:2"}, {"c9", "--show", "1"}} {
		p.history(2, args...)
	}
	for _, args := range [][]string{{"nothing"}, {key, "--source", "three"}, {key, "--store", "workspace/x"}} {
		if _, errs := p.history(1, args...); errs == "" {
			t.Errorf("%v: nothing is said", args)
		}
	}
	must(t, os.RemoveAll(rawlog.Dir(p.warehouse)))
	if _, errs := p.history(3, key); !strings.Contains(errs, "the next 'pipeline run' writes") {
		t.Error(errs)
	}
}
