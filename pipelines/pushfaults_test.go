package pipelines_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pipeline/load/engine"
	"pipeline/load/objects"
	"pipeline/load/push"
)

var errCut = errors.New("the connection is cut")

// cutStore is a store whose connection is cut at the n-th object that is put: before it is stored, or after.
type cutStore struct {
	objects.Store
	after  int
	stored bool
	mu     sync.Mutex
	puts   int
}

func (s *cutStore) PutNew(ctx context.Context, key, path, sha256 string) error {
	s.mu.Lock()
	s.puts++
	puts := s.puts
	s.mu.Unlock()
	switch {
	case puts <= s.after:
		return s.Store.PutNew(ctx, key, path, sha256)
	case s.stored && puts == s.after+1:
		_ = s.Store.PutNew(context.WithoutCancel(ctx), key, path, sha256)
	}
	return errCut
}

// sending is how many objects are on their way at a time: the first one that is cut off ends the others.
const sending = 4

// TestPushCut: a push that is cut off at any object leaves for readers what was there before, or all of the new; the
// next one sends the rest, and what has arrived is not sent again.
func TestPushCut(t *testing.T) {
	long(t)
	t.Parallel()
	before := newFixture(t)
	before.run(baseUserDir())
	base := t.TempDir()
	machine := before.push(before.pushOptions(storeIn(t, base))).Machine
	known, err := os.ReadFile(before.warehouse())
	must(t, err)
	before.run(
		baseUserDir().
			with(keyA2, `{"_v":2,"type":2,"bubbleId":"a2","text":"Another answer","createdAt":"2025-10-09T08:55:20Z"}`).
			without(keyBeta, keyB1, keyB2))
	old := newFixture(t)
	must(t, os.WriteFile(old.warehouse(), known, 0o600))
	ended := false
	for n := 0; !ended; n++ {
		for _, stored := range []bool{false, true} {
			dir := t.TempDir()
			must(t, os.CopyFS(dir, os.DirFS(base)))
			must(t, os.RemoveAll(push.Dir(before.warehouse()))) // the known commits are lost, too
			cut := &cutStore{Store: storeIn(t, dir), after: n, stored: stored}
			_, err := push.Push(t.Context(), before.pushOptions(cut))
			if err == nil {
				ended = true
				break
			}
			if !errors.Is(err, errCut) {
				t.Fatalf("after %d objects: %v", n, err)
			}
			committed := false
			if names, _ := os.ReadDir(dir + "/v1/machine=" + machine + "/commit"); len(names) > 1 {
				committed = true
			}
			seen := old
			if committed {
				seen = before
			}
			readLake(t, dir).holds(machine, seen)
			r := before.push(before.pushOptions(storeIn(t, dir)))
			if committed != (r.Seq == 0) || !committed && r.Skipped < n-sending {
				t.Errorf("after %d objects, the next stored %v: %+v", n, stored, r)
			}
			readLake(t, dir).holds(machine, before)
		}
		if n > 60 {
			t.Fatal("no push ends")
		}
	}
}

// TestPushParts: a push that is too large for one commit is several, each whole in itself. A checkpoint in parts counts
// when its last part is there, and what is older is removed then, and nothing of it.
func TestPushParts(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	l.run(baseUserDir())
	dir := t.TempDir()
	o := l.pushOptions(storeIn(t, dir))
	o.MaxBytes = 1
	first := l.push(o)
	if first.Commits < 3 || first.Seq != int64(first.Commits) || first.Units != first.Known {
		t.Errorf("in parts: %+v", first)
	}
	readLake(t, dir).holds(first.Machine, l)
	if r := l.push(o); r.Units != 0 || r.Commits != 0 {
		t.Errorf("nothing new: %+v", r)
	}

	o.Checkpoint = true
	cut := &cutStore{Store: o.Store, after: 42} // after the first part, which has every table
	o.Store = cut
	if _, err := push.Push(t.Context(), o); !errors.Is(err, errCut) {
		t.Fatalf("cut off: %v", err)
	}
	o.Store = cut.Store
	readLake(t, dir).holds(first.Machine, l)
	later := o
	later.Now = o.Now.Add(2 * push.Grace)
	if removed, err := push.Collect(t.Context(), later, push.Grace); err != nil || removed.Commits > 0 {
		t.Errorf("half a checkpoint makes nothing needless: %+v, %v", removed, err)
	}
	readLake(t, dir).holds(first.Machine, l)
	whole := l.push(o)
	if whole.Units != first.Known || whole.Commits != first.Commits {
		t.Errorf("a checkpoint in parts: %+v", whole)
	}
	removed, err := push.Collect(t.Context(), later, push.Grace)
	if err != nil || removed.Commits == 0 || removed.Objects == 0 {
		t.Errorf("after the whole checkpoint: %+v, %v", removed, err)
	}
	readLake(t, dir).holds(first.Machine, l)
	if names, _ := os.ReadDir(dir + "/v1/machine=" + first.Machine + "/commit"); len(names) != whole.Commits {
		t.Errorf("%d commits are left of a checkpoint in %d parts", len(names), whole.Commits)
	}
}

// careless is a store that replaces what is there, as some servers do.
type careless struct{ objects.Store }

func (s careless) PutNew(ctx context.Context, key, path, sha256 string) error {
	if err := s.Store.PutNew(ctx, key, path, sha256); !errors.Is(err, objects.ErrExists) {
		return err
	}
	return nil
}

// TestPushCareless: a store that does not keep its promises gets no commit.
func TestPushCareless(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.run(baseUserDir())
	dir := t.TempDir()
	if _, err := push.Push(t.Context(), l.pushOptions(careless{storeIn(t, dir)})); !errors.Is(err, objects.ErrServer) {
		t.Errorf("to a store that replaces objects: %v", err)
	}
	if machines, _ := filepath.Glob(dir + "/v1/machine=*"); len(machines) > 0 {
		t.Errorf("it has %q", machines)
	}
}

// TestPushClock: no clock decides what is current. Of pushes whose clock is ten years ahead, right, and ten years back,
// the last one counts.
func TestPushClock(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	dir := t.TempDir()
	o := l.pushOptions(storeIn(t, dir))
	now := o.Now
	for i, years := range []int{10, 0, -10, 0} {
		l.run(
			baseUserDir().
				with(keyA2,
					fmt.Sprintf(
						`{"_v":2,"type":2,"bubbleId":"a2","text":"Answer %d","createdAt":"2025-10-09T08:55:20Z"}`, i)))
		o.Now = now.AddDate(years, 0, 0)
		if r := l.push(o); r.Seq != int64(i+1) {
			t.Errorf("%d years off: %+v", years, r)
		}
		readLake(t, dir).holds(l.push(o).Machine, l)
	}
}

// TestPushTwice: of two pushes of the same state from two copies of the folder, and of two states, each unit is there
// once, and the newer state wins.
func TestPushTwice(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	w := baseUserDir()
	l.run(w)
	dir := t.TempDir()
	machine := l.push(l.pushOptions(storeIn(t, dir))).Machine
	l.run(w.without(keyBeta, keyB1, keyB2))
	twin := newFixture(t)
	text, err := os.ReadFile(l.warehouse())
	must(t, err)
	must(t, os.WriteFile(twin.warehouse(), text, 0o600))
	var all sync.WaitGroup
	results := make([]*push.Result, 2)
	failed := make([]error, 2)
	for i, f := range []*fixture{l, twin} {
		all.Go(func() { results[i], failed[i] = push.Push(t.Context(), f.pushOptions(storeIn(t, dir))) })
	}
	all.Wait()
	must(t, errors.Join(failed...))
	names, err := os.ReadDir(dir + "/v1/machine=" + machine + "/commit")
	must(t, err)
	if len(names) != 2 {
		t.Errorf("%d commits of two states, %+v, %+v", len(names), results[0], results[1])
	}
	readLake(t, dir).holds(machine, l)

	// an older copy is refused, and a copy that became a machine's own is another machine
	l.run(w)
	l.push(l.pushOptions(storeIn(t, dir)))
	_, err = push.Push(t.Context(), twin.pushOptions(storeIn(t, dir)))
	if foreign := new(push.ForeignError); !errors.As(err, &foreign) || !strings.Contains(err.Error(), "older copy") {
		t.Errorf("an older copy: %v", err)
	}
	o := twin.pushOptions(storeIn(t, dir))
	o.NewMachine = true
	r := twin.push(o)
	if r.Machine == machine || r.Seq != 1 {
		t.Errorf("as a new machine: %+v", r)
	}
	k := readLake(t, dir)
	k.holds(machine, l)
	k.holds(r.Machine, twin)
}

// blindStore is a store whose listing lacks commits that are there.
type blindStore struct{ objects.Store }

func (s blindStore) List(ctx context.Context, prefix, startAfter string) iter.Seq2[objects.Object, error] {
	return func(yield func(objects.Object, error) bool) {
		for object, err := range s.Store.List(ctx, prefix, startAfter) {
			if !strings.Contains(object.Key, "/commit/") && !yield(object, err) {
				return
			}
		}
	}
}

// TestPushListingLacks: a push that cannot find out what it has pushed earlier says so after one try, and changes
// nothing for readers.
func TestPushListingLacks(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.run(baseUserDir())
	dir := t.TempDir()
	first := l.push(l.pushOptions(storeIn(t, dir)))
	must(t, os.RemoveAll(push.Dir(l.warehouse()))) // without the copies
	store := blindStore{storeIn(t, dir)}
	_, err := push.Push(t.Context(), l.pushOptions(store))
	if want := "the store's listing lacks v1/machine=" + first.Machine + "/commit/0000000001.parquet"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
	if n, once := store.Stats().Requests(), first.Stats.Requests(); n > 2*once+5 {
		// each file is looked at where it is there
		t.Errorf("%d requests, where a push is %d", n, once)
	}
	readLake(t, dir).holds(first.Machine, l)
	if r := l.push(l.pushOptions(storeIn(t, dir))); r.Commits != 0 {
		t.Errorf("then: %+v", r)
	}
}

// TestPushLocked: a push waits for nobody: while one is under way, another says so.
func TestPushLocked(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.run(baseUserDir())
	store := &waitingStore{Store: storeIn(t, t.TempDir()), reached: make(chan bool), goOn: make(chan bool)}
	done := make(chan error)
	go func() {
		_, err := push.Push(t.Context(), l.pushOptions(store))
		done <- err
	}()
	<-store.reached
	if _, err := push.Push(t.Context(), l.pushOptions(store.Store)); !errors.Is(err, engine.ErrBusy) {
		t.Errorf("beside another push: %v", err)
	}
	close(store.goOn)
	must(t, <-done)
}

// waitingStore waits at the first object that is put.
type waitingStore struct {
	objects.Store
	reached, goOn chan bool
	once          sync.Once
}

func (s *waitingStore) PutNew(ctx context.Context, key, path, sha256 string) error {
	s.once.Do(func() { s.reached <- true; <-s.goOn })
	return s.Store.PutNew(ctx, key, path, sha256)
}

// TestPushWrongAnswer: a commit that is answered with something else stops a push, and the next one that gets the right
// answer goes on.
func TestPushWrongAnswer(t *testing.T) {
	long(t)
	t.Parallel()
	l, dir := newFixture(t), t.TempDir()
	l.run(baseUserDir())
	machine := l.push(l.pushOptions(storeIn(t, dir))).Machine
	l.run(baseUserDir().
		with(keyA2, `{"_v":2,"type":2,"bubbleId":"a2","text":"Another answer","createdAt":"2025-10-09T08:55:20Z"}`))
	l.push(l.pushOptions(storeIn(t, dir)))
	commit := func(n int) string { return fmt.Sprintf("%s/v1/machine=%s/commit/%010d.parquet", dir, machine, n) }
	right, err := os.ReadFile(commit(2))
	must(t, err)
	other, err := os.ReadFile(commit(1))
	must(t, err)
	for name, answer := range map[string][]byte{"a page": []byte("<html>Sign in</html>"), "nothing": nil,
		"another commit": other} {
		must(t, os.RemoveAll(push.Dir(l.warehouse())))
		must(t, os.WriteFile(commit(2), answer, 0o600))
		if _, err := push.Push(t.Context(), l.pushOptions(storeIn(t, dir))); err == nil {
			t.Errorf("%s in place of a commit: no error", name)
		}
		must(t, os.WriteFile(commit(2), right, 0o600))
		if _, err := push.Push(t.Context(), l.pushOptions(storeIn(t, dir))); err != nil {
			t.Errorf("after %s in place of a commit: %v", name, err)
		}
	}
}
