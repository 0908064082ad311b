package extract

import (
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"pipeline/testdata/gen/editortest"
	"pipeline/testdata/gen/night"
)

// A way is one of those in which a store is read, with what the editor left before each read.
type way struct {
	name    string
	wal     bool
	left    left
	options storeOptions
	methods []string // that a read which no editor met may use
}

// left is what the editor that had the store before has left.
type left int

const (
	closed  left = iota // it has closed the store
	running             // it rests, and has the store open in WAL mode
	crashed             // its -wal
	hot                 // its journal, and in the store a part of what it had not committed
)

func ways() []way {
	inPlace, wal, copied := []string{MethodInPlace}, []string{MethodWAL}, []string{MethodCopy}
	return []way{
		{name: "in place, rollback", methods: inPlace},
		{name: "in place, WAL", wal: true, methods: inPlace},
		{name: "beside another editor", wal: true, left: running, methods: wal},
		{name: "copy, rollback", options: storeOptions{Copy: true}, methods: copied},
		{name: "copy, WAL", wal: true, options: storeOptions{Copy: true}, methods: copied},
		{name: "copy beside another editor", wal: true, left: running, options: storeOptions{Copy: true},
			methods: copied},
		{name: "remote, rollback", options: storeOptions{remote: isRemote}, methods: copied},
		{name: "remote, WAL", wal: true, options: storeOptions{remote: isRemote}, methods: copied},
		{name: "journal left by a crash", left: hot, methods: copied},
		{name: "-wal left by a crash", wal: true, left: crashed, methods: wal},
	}
}

// TestEditorStarts: the editor starts at any moment of our read, in each way to read. It opens the store at once, no
// commit of its fails, and every row that was ever acknowledged is there. Our read holds one state, or is torn or busy
// and known to be.
func TestEditorStarts(t *testing.T) {
	t.Parallel()
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			startEditors(t, w)
		})
	}
}

// starts is how often the editor starts in each way: inOpening times while we open the store, and twice at each step of
// a read: the read goes on at once, or waits until the editor has made some commits and, at every other step, has
// closed the store again.
const (
	inOpening = 4
	starts    = inOpening + 2*steps
)

// startEditors reads the store again and again; into each read comes the start of an editor.
func startEditors(t *testing.T, w way) {
	size := 4 << 20
	if night.On() {
		size = 2 << 30
	}
	h := newHome(t, w, size)
	seen := map[string]int{}
	for i := range starts {
		if !testing.Short() || i%3 == 0 {
			seen[h.startDuringRead(t, i)]++
		}
	}
	h.end(t)
	t.Logf("no failed opening; reads: %v", seen)
}

// startDuringRead is the i-th start. It returns what became of the read.
func (h *home) startDuringRead(t *testing.T, i int) (outcome string) {
	t.Helper()
	h.before(t)
	e := editortest.Prepare(t, h.path, editortest.Options{WAL: h.wal, Pause: 2 * time.Millisecond, Ballast: 64 << 10})
	open := sync.OnceFunc(func() {
		if err := e.Open(); err != nil {
			t.Error(err)
		}
	})
	var disturbed error
	at := func(step int) {
		if i < inOpening || step != (i-inOpening)/2 {
			return
		}
		open()
		if i%2 == 1 { // it is in the middle of its work
			e.Await()
			await(t, e, 3)
		}
		if i%4 == 3 {
			disturbed = e.Stop()
		}
	}
	if i < inOpening {
		time.AfterFunc(h.opening*time.Duration(i)/inOpening, open)
	}
	r := h.read(t, at)
	open() // where the read ended before its step, torn or busy
	e.Await()
	await(t, e, 3)
	if err := errors.Join(disturbed, e.Stop()); err != nil {
		t.Fatalf("start %d, %s: the editor was disturbed: %v", i, r.outcome, err)
	}
	if found, _ := e.Found(); found != h.acknowledged {
		t.Fatalf("start %d, %s: the editor found %d messages, want %d", i, r.outcome, found, h.acknowledged)
	}
	if r.outcome == "whole" && (r.messages < h.acknowledged || r.messages > e.Messages()) {
		t.Errorf("start %d: %d messages were read; before there were %d, in the end %d", i, r.messages, h.acknowledged,
			e.Messages())
	}
	h.acknowledged = e.Messages()
	return r.outcome
}

// home is a store and what is known of it.
type home struct {
	way
	path         string
	acknowledged int // messages
	ballast      int // bytes
	template     string
	other        *editortest.Editor // that rests
	opening      time.Duration      // what an undisturbed openStore takes
}

// newHome makes a store of that size, since a read is to take its time.
func newHome(t *testing.T, w way, size int) *home {
	t.Helper()
	h := &home{way: w, path: filepath.Join(t.TempDir(), "state.vscdb"), ballast: size}
	h.options.TempDir, h.options.pause = t.TempDir(), 20*time.Millisecond
	if h.options.remote == nil {
		h.options.remote = isLocal
	}
	h.acknowledged = edited(t, h.path, w.wal, false, 30)
	load(t, h.path, h.ballast)
	switch w.left {
	case running:
		h.other = editortest.Start(t, h.path, editortest.Options{WAL: true, Limit: 1})
		h.acknowledged = h.other.Messages()
	case hot:
		h.template, h.acknowledged = interrupted(t, h.path), 30
	}
	h.before(t)
	began := time.Now()
	s := mustOpen(t, h.path, h.options)
	h.opening = time.Since(began)
	if err := s.Close(); err != nil || !slices.Contains(w.methods, s.Info().Method) {
		t.Fatalf("read by %s, want %v; %v", s.Info().Method, w.methods, err)
	}
	return h
}

// load makes a store that nobody has open larger.
func load(t *testing.T, path string, bytes int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(`WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO cursorDiskKV SELECT printf('ofsContent:%08d', i), randomblob(65536) FROM n`, bytes>>16-1)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// before brings about what the editor before has left.
func (h *home) before(t *testing.T) {
	t.Helper()
	switch h.left {
	case crashed:
		h.acknowledged = edited(t, h.path, true, true, 3)
	case hot:
		for _, end := range []string{"", journalEnd} {
			if err := duplicate(h.template+end, h.path+end); err != nil {
				t.Fatal(err)
			}
		}
		h.acknowledged = 30
	}
}

// end looks at the store when all is over.
func (h *home) end(t *testing.T) {
	t.Helper()
	if h.other != nil {
		if err := h.other.Stop(); err != nil {
			t.Error(err)
		}
	}
	db, err := sql.Open("sqlite", "file:"+h.path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if n, err := editortest.Check(t.Context(), db, nil); n != h.acknowledged || err != nil {
		t.Errorf("the store holds %d messages (%v), want %d", n, err, h.acknowledged)
	}
	var verdict string
	var rows int
	err = errors.Join(db.QueryRow("PRAGMA integrity_check").Scan(&verdict),
		db.QueryRow("SELECT count(*) FROM cursorDiskKV WHERE key LIKE 'ofsContent:%'").Scan(&rows))
	if err != nil || verdict != "ok" || rows != h.ballast>>16 {
		t.Errorf("the store holds %d of %d large rows, and is %s; %v", rows, h.ballast>>16, verdict, err)
	}
	if left := files(t, h.options.TempDir); len(left) > 0 {
		t.Errorf("left in the temporary directory: %s", names(left))
	}
}

// steps is how many steps a read has: before the opening, after it, between the queries of Check (5), in the middle of
// a scan, before its end.
const steps = 9

// reading is what became of a read.
type reading struct {
	outcome  string // whole, torn, busy
	messages int
}

// read reads the whole store and calls at before each step.
func (h *home) read(t *testing.T, at func(step int)) reading {
	t.Helper()
	at(0)
	s, err := openStore(t.Context(), h.path, h.options)
	if errors.Is(err, ErrBusy) {
		return reading{outcome: "busy"}
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	at(1)
	step := 2
	n, err := editortest.Check(t.Context(), s.Conn(), func() { at(step); step++ })
	if err == nil {
		err = scan(t, s, func() { at(7) })
	}
	at(8)
	switch verify := s.Verify(); {
	case errors.Is(verify, ErrTorn):
		return reading{outcome: "torn"}
	case err != nil || verify != nil:
		t.Errorf("by %s: %v; Verify: %v", s.Info().Method, err, verify)
	}
	return reading{"whole", n}
}

// scan reads every large row, and calls between when it is in the middle of that.
func scan(t *testing.T, s *storeSnapshot, between func()) error {
	rows, err := s.Conn().QueryContext(t.Context(),
		"SELECT value FROM cursorDiskKV WHERE key >= 'ofsContent:' AND key < 'ofsContent;'")
	if err != nil {
		return err
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var value sql.RawBytes
		if err := rows.Scan(&value); err != nil {
			return err
		}
		if n == 10 {
			between()
		}
	}
	return rows.Err()
}

// interrupted copies a store and its journal as they are in the middle of a transaction that has spilled pages into the
// file.
func interrupted(t *testing.T, path string) (template string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=cache_size(1)&_pragma=synchronous(off)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec("DELETE FROM cursorDiskKV WHERE key LIKE 'bubbleId:%' OR key LIKE " +
		"'ofsContent:%0'"); err != nil {
		t.Fatal(err)
	}
	template = filepath.Join(t.TempDir(), "template")
	for _, end := range []string{"", journalEnd} {
		if err := duplicate(path+end, template+end); err != nil {
			t.Fatal(err)
		}
	}
	return template
}

func duplicate(from, to string) (err error) {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	g, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	_, err = io.Copy(g, f)
	return err
}
