package objects_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pipeline/load/objects"
	"pipeline/load/objects/s3test"
)

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

func open(t testing.TB, target, endpoint string) objects.Store {
	t.Helper()
	s, err := objects.Open(target, endpoint, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// inFile writes content into a file, and returns its path.
func inFile(t testing.TB, content []byte) string {
	path := filepath.Join(t.TempDir(), "content")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Error(err)
	}
	return path
}

func put(t testing.TB, s objects.Store, key, text string) {
	t.Helper()
	if err := s.PutNew(t.Context(), key, inFile(t, []byte(text)), sum([]byte(text))); err != nil {
		t.Fatal(err)
	}
}

// keysOf lists, and stops the test at an error.
func keysOf(t testing.TB, s objects.Store, prefix, startAfter string) (keys []string) {
	t.Helper()
	for o, err := range s.List(t.Context(), prefix, startAfter) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, o.Key)
	}
	return keys
}

// wants checks the kind of an error.
func wants(t testing.TB, what string, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%s: %v, want %v", what, err, kind)
	}
}

// stores opens both kinds of stores, each with a prefix, and gives the folder that the objects are in.
func stores(t *testing.T, test func(t *testing.T, s objects.Store, dir string)) {
	t.Run("folder", func(t *testing.T) {
		dir := t.TempDir()
		test(t, open(t, "file://"+filepath.ToSlash(dir), ""), dir)
	})
	t.Run("s3", func(t *testing.T) {
		server := s3test.Start(t)
		s3test.Setenv(t, server.Key, server.Secret)
		test(t, open(t, "s3://"+server.Bucket+"/some/root/", server.Endpoint),
			filepath.Join(server.Dir, "some", "root"))
	})
}

// TestStores: both stores keep the same promises.
func TestStores(t *testing.T) {
	stores(t, func(t *testing.T, s objects.Store, dir string) {
		for _, test := range []struct {
			name string
			run  func(*testing.T, objects.Store, string)
		}{
			{"written and read", writtenAndRead}, {"never replaced", neverReplaced},
			{"of two writers one wins", oneWins}, {"order", order}, {"odd keys", oddKeys}, {"bad keys", badKeys},
			{"damaged on the way", damaged}, {"too large", tooLarge}, {"removed", removed}, {"ended", ended},
			{"counted", counted},
		} {
			t.Run(test.name, func(t *testing.T) { test.run(t, s, dir) })
		}
		_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			// what is missing has failed above
			if err == nil && strings.Contains(d.Name(), "pipeline-tmp") {
				t.Errorf("%s was left behind", path)
			}
			return nil
		})
	})
}

func writtenAndRead(t *testing.T, s objects.Store, dir string) {
	path := filepath.Join(t.TempDir(), "data")
	before := s.Stats()
	for _, data := range [][]byte{{}, []byte("x"), bytes.Repeat([]byte("0123456789abcdef"), 2<<20)} {
		// the last would be sent in parts
		key := fmt.Sprintf("v1/machine=ab/%d.parquet", len(data))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.PutNew(t.Context(), key, path, sum(data)); err != nil {
			t.Fatal(err)
		}
		if on, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(key))); err != nil || !bytes.Equal(on, data) {
			t.Errorf("%s: %d bytes lie there, %v", key, len(on), err)
		}
		if got, err := s.Get(t.Context(), key); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: got %d bytes, %v", key, len(got), err)
		}
		if o, err := s.Head(t.Context(), key); err != nil ||
			o != (objects.Object{Key: key, Size: int64(len(data)), SHA256: sum(data)}) {
			t.Errorf("%s: %+v, %v", key, o, err)
		}
	}
	if after := s.Stats(); after.Puts-before.Puts != 3 || after.Gets-before.Gets != 3 {
		t.Errorf("%+v, then %+v: three objects are three requests", before, after)
	}
	for _, key := range []string{"v1/none", "none", "v1/machine=ab", "v1/machine=ab/1.parquet/below"} {
		_, err := s.Get(t.Context(), key)
		wants(t, "get "+key, err, objects.ErrMissing)
		_, err = s.Head(t.Context(), key)
		wants(t, "head "+key, err, objects.ErrMissing)
	}
	if err := s.PutNew(t.Context(), "v1/no", filepath.Join(dir, "nowhere"), sum(nil)); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("a file that is missing: %v", err)
	}
}

func neverReplaced(t *testing.T, s objects.Store, _ string) {
	put(t, s, "once/a", "first")
	for _, text := range []string{"second", "first"} {
		wants(t, text, s.PutNew(t.Context(), "once/a", inFile(t, []byte(text)), sum([]byte(text))),
			objects.ErrExists)
	}
	if got, err := s.Get(t.Context(), "once/a"); err != nil || string(got) != "first" {
		t.Errorf("got %q, %v", got, err)
	}
	for range 2 {
		if err := objects.CheckNew(t.Context(), s, "once/probe", inFile(t, nil), sum(nil)); err != nil {
			t.Error(err)
		}
	}
}

// oneWins: of writers at once exactly one wins, and what lies there is its own.
func oneWins(t *testing.T, s objects.Store, _ string) {
	const rounds, writers = 20, 2
	for round := range rounds {
		key := fmt.Sprintf("race/deep/%03d", round)
		errs := make([]error, writers)
		texts := make([][]byte, writers)
		var wg sync.WaitGroup
		for i := range writers {
			texts[i] = bytes.Repeat([]byte{byte('a' + i)}, 100_000+i)
			wg.Go(func() { errs[i] = s.PutNew(t.Context(), key, inFile(t, texts[i]), sum(texts[i])) })
		}
		wg.Wait()
		won := -1
		for i, err := range errs {
			switch {
			case err == nil && won >= 0:
				t.Errorf("%s: both have won", key)
			case err == nil:
				won = i
			default:
				wants(t, key, err, objects.ErrExists)
			}
		}
		if won < 0 {
			t.Fatalf("%s: nobody has won", key)
		}
		if o, err := s.Head(t.Context(), key); err != nil || o.SHA256 != sum(texts[won]) ||
			o.Size != int64(len(texts[won])) {
			t.Errorf("%s: %+v, %v", key, o, err)
		}
	}
}

// order: keys come in the order of their bytes, also where that is not the order of folders.
func order(t *testing.T, s objects.Store, _ string) {
	all := []string{"ord/a-b", "ord/a.b", "ord/a/x", "ord/a/y/z", "ord/a0", "ord/b", "ord/ä", "ordx"}
	for _, key := range slices.Backward(all) {
		put(t, s, key, key)
	}
	for _, test := range []struct {
		prefix, after string
		want          []string
	}{
		{"ord", "", all}, {"ord/", "", all[:7]}, {"ord/a", "", all[:5]}, {"ord/a/", "", all[2:4]},
		{"ord/a/y", "", all[3:4]}, {"ord/b", "", all[5:6]}, {"ord/none", "", nil}, {"ord/", "ord/a.b", all[2:7]},
		{"ord/", "ord/a/x", all[3:7]}, {"ord/", "ord/a/", all[2:7]}, {"ord/", "ord/a/y/z", all[4:7]},
		{"ord/", "ord/a", all[:7]}, {"ord/", "ord/a/z", all[4:7]}, {"ord/", "a", all[:7]}, {"ord/", "ord/ä", nil},
		{"ord", "ord/ä", all[7:]}, {"ord/a/", "ord/b", nil},
	} {
		if got := keysOf(t, s, test.prefix, test.after); !slices.Equal(got, test.want) {
			t.Errorf("prefix %q after %q: %q, want %q", test.prefix, test.after, got, test.want)
		}
	}
	for o, err := range s.List(t.Context(), "ord/", "") { // a reader may stop
		if err != nil || o.Size != int64(len("ord/a-b")) {
			t.Errorf("%+v, %v", o, err)
		}
		break
	}
}

func oddKeys(t *testing.T, s objects.Store, _ string) {
	keys := []string{"odd/a b", "odd/a+b", "odd/a%20b", "odd/a%2Fb", "odd/push=0000000001-abc", "odd/ü€😀",
		"odd/u\u0308", "odd/a&b=c;d", "odd/#?", "odd/'\"<>", "odd/:@,$!*()~", "odd/.hidden", "odd/_manifest.json",
		"odd/a..b"}
	slices.Sort(keys)
	for _, key := range keys {
		put(t, s, key, key)
		if got, err := s.Get(t.Context(), key); err != nil || string(got) != key {
			t.Errorf("%q: %q, %v", key, got, err)
		}
	}
	if got := keysOf(t, s, "odd/", ""); !slices.Equal(got, keys) {
		t.Errorf("%q, want %q", got, keys)
	}
	if got := keysOf(t, s, "odd/", keys[6]); !slices.Equal(got, keys[7:]) {
		t.Errorf("after %q: %q, want %q", keys[6], got, keys[7:])
	}
	for _, key := range keys {
		if err := s.Delete(t.Context(), key); err != nil {
			t.Error(err)
		}
	}
	if got := keysOf(t, s, "odd/", ""); got != nil {
		t.Errorf("%q are left", got)
	}
}

// badKeys: a key that one store cannot hold is refused by both, before anything is asked.
func badKeys(t *testing.T, s objects.Store, _ string) {
	before := s.Stats()
	for _, key := range []string{"", "/", "/a", "a/", "a//b", ".", "..", "a/../../b", "a/.", "a\x00b", "a\nb", "a\\b",
		"a\xffb", strings.Repeat("a/", 500) + "a", strings.Repeat("a", 250), "a/.pipeline-tmp-x"} {
		_, err := s.Get(t.Context(), key)
		wants(t, "get", err, objects.ErrTarget)
		_, err = s.Head(t.Context(), key)
		wants(t, "head", err, objects.ErrTarget)
		wants(t, "put", s.PutNew(t.Context(), key, inFile(t, nil), sum(nil)), objects.ErrTarget)
		wants(t, "delete", s.Delete(t.Context(), key), objects.ErrTarget)
	}
	for _, s256 := range []string{"", "abc", strings.ToUpper(sum(nil)), sum(nil) + "00"} {
		wants(t, "sum", s.PutNew(t.Context(), "ok", inFile(t, nil), s256), objects.ErrTarget)
	}
	if after := s.Stats(); before.Heads != after.Heads || before.Puts != after.Puts || before.Deletes != after.Deletes {
		t.Errorf("requests were made: %+v, then %+v", before, after)
	}
}

// damaged: content that is not what its sum says is not kept.
func damaged(t *testing.T, s objects.Store, _ string) {
	wants(t, "put", s.PutNew(t.Context(), "damaged/a", inFile(t, []byte("b")), sum([]byte("a"))),
		objects.ErrDamaged)
	_, err := s.Head(t.Context(), "damaged/a")
	wants(t, "head", err, objects.ErrMissing)
	if got := keysOf(t, s, "damaged/", ""); got != nil {
		t.Errorf("%q", got)
	}
}

func tooLarge(t *testing.T, s objects.Store, dir string) {
	big := func(path string, size int64) string {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600),
			os.Truncate(path, size)); err != nil {
			// it takes no room
			t.Fatal(err)
		}
		return path
	}
	before := s.Stats()
	wants(t, "put", s.PutNew(t.Context(), "large/new",
		big(filepath.Join(t.TempDir(), "f"), objects.MaxObject+1), sum(nil)), objects.ErrTooLarge)
	if sent := s.Stats().Sent - before.Sent; sent != 0 {
		t.Errorf("%d bytes were sent", sent)
	}
	big(filepath.Join(dir, "large", "other"), objects.MaxGet+1)
	_, err := s.Get(t.Context(), "large/other")
	wants(t, "get", err, objects.ErrTooLarge)
	if got := s.Stats().Received - before.Received; got > 1<<20 {
		t.Errorf("%d bytes were read", got)
	}
	if err := os.RemoveAll(filepath.Join(dir, "large")); err != nil {
		t.Fatal(err)
	}
}

func removed(t *testing.T, s objects.Store, dir string) {
	put(t, s, "gone/a/b", "x")
	put(t, s, "gone/c", "y")
	for range 2 {
		if err := s.Delete(t.Context(), "gone/a/b"); err != nil {
			t.Fatal(err)
		}
	}
	if got := keysOf(t, s, "gone/", ""); !slices.Equal(got, []string{"gone/c"}) {
		t.Errorf("%q are left", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "gone", "a")); err == nil {
		t.Error("the empty folder is left")
	}
	put(t, s, "gone/a/b", "again") // a key is free again
}

// ended: a call whose context has ended says so; a listing does not look complete.
func ended(t *testing.T, s objects.Store, _ string) {
	put(t, s, "ended/a", "x")
	put(t, s, "ended/b/c", "x")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	for _, err := range s.List(ctx, "ended/", "") {
		last = err
	}
	wants(t, "list", last, context.Canceled)
	wants(t, "put", s.PutNew(ctx, "ended/d", inFile(t, nil), sum(nil)), context.Canceled)
}

func counted(t *testing.T, s objects.Store, _ string) {
	before := s.Stats()
	put(t, s, "counted/a", "12345")
	_, _ = s.Get(t.Context(), "counted/a") // shown above
	_, _ = s.Head(t.Context(), "counted/a")
	_ = keysOf(t, s, "counted/", "")
	_ = s.Delete(t.Context(), "counted/a")
	after := s.Stats()
	got := []int64{after.Puts - before.Puts, after.Gets - before.Gets, after.Heads - before.Heads,
		after.Lists - before.Lists, after.Deletes - before.Deletes, after.Sent - before.Sent,
		after.Requests() - before.Requests()}
	if !slices.Equal(got, []int64{1, 1, 1, 1, 1, 5, 5}) || after.Received-before.Received < 5 {
		t.Errorf("%v, received %d", got, after.Received-before.Received)
	}
}

// TestStoreClaim: where a file system has no hard links, of writers at once one wins, too. A claim that a killed writer
// has left is told.
func TestStoreClaim(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for round := range 50 {
		to := filepath.Join(dir, fmt.Sprint(round))
		var wg sync.WaitGroup
		errs := make([]error, 4)
		for i := range errs {
			from := write(fmt.Sprintf("from-%d-%d", round, i), fmt.Sprint(i))
			wg.Go(func() { errs[i] = objects.TakeByClaim(from, to) })
		}
		wg.Wait()
		won := []int{}
		for i, err := range errs {
			if err == nil {
				won = append(won, i)
			} else if !errors.Is(err, os.ErrExist) {
				t.Error(err)
			}
		}
		if text, err := os.ReadFile(to); err != nil || len(won) != 1 || string(text) != fmt.Sprint(won[0]) {
			t.Fatalf("%v have won, %q lies there, %v", won, text, err)
		}
	}
	write(".pipeline-tmp-claim-killed", "")
	err := objects.TakeByClaim(write("from", "x"), filepath.Join(dir, "killed"))
	says(t, err, objects.ErrUnreachable, nil, "another writer", "remove "+dir)
}

// TestStorePages: a listing of more keys than one page holds is whole, and begins where it is asked to.
func TestStorePages(t *testing.T) {
	stores(t, func(t *testing.T, s objects.Store, dir string) {
		const n = 2500
		if err := os.MkdirAll(filepath.Join(dir, "commit"), 0o700); err != nil {
			t.Fatal(err)
		}
		var want []string
		for i := range n {
			name := fmt.Sprintf("commit/%010d.parquet", i+1)
			want = append(want, name)
			if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
				// the server finds them, too
				t.Fatal(err)
			}
		}
		for _, test := range []struct{ from, lists int }{{0, 3}, {1, 3}, {1400, 2}, {n - 1, 1}, {n, 1}} {
			after := ""
			if test.from > 0 {
				after = want[test.from-1]
			}
			before := s.Stats().Lists
			if got := keysOf(t, s, "commit/", after); !slices.Equal(got, want[test.from:]) {
				t.Errorf("after %q: %d keys, want %d", after, len(got), n-test.from)
			}
			if got := s.Stats().Lists - before; strings.HasPrefix(s.String(), "s3:") && got != int64(test.lists) {
				t.Errorf("after %q: %d requests, want %d", after, got, test.lists)
			}
		}
	})
}
