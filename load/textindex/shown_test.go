package textindex_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/load/textindex"
)

// TestShown: a hit comes with its note and its fields as they were given, whatever page they are on.
func TestShown(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "index")
	x := open(t, path)
	given := map[string]textindex.Text{}
	var texts []textindex.Text
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 300 { // those of three owners in turn, small ones and some that fill pages, which get hardly smaller
		noise := make([]rune, i*i%7919)
		for j := range noise {
			noise[j] = rune('a' + random.IntN(26))
		}
		made := text(string("abc"[i%3]), fmt.Sprint(i), int64(i)*1000, "", "word "+string(noise), "", fmt.Sprint(i),
			strings.Repeat("y", i%11))
		made.Note = fmt.Sprint("note ", i)
		texts = append(texts, made)
		given[made.ID] = made
	}
	update(t, x, "1", nil, texts...)
	texts[0].Fields[0] = "word again"
	var of []textindex.Text
	for _, made := range texts {
		if made.Owner.ID == "a" {
			of = append(of, made)
		}
	}
	given["0"] = texts[0]
	update(t, x, "2", []textindex.Owner{{SourceID: "s", ID: "b"}}, of...)
	q, err := textindex.Parse("word")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[textindex.Hit]bool{}
	found, err := x.Find(context.Background(), q, textindex.Narrow{},
		1000, func(hit textindex.Hit, note string, fields textindex.Fields) error {
			if want := given[hit.ID]; seen[hit] || note != want.Note || fields != want.Fields ||
				hit.Owner != want.Owner {
				t.Errorf("text %s of %s: %q %.50q", hit.ID, hit.Owner.ID, note, fields)
			}
			seen[hit] = true
			return nil
		})
	if err != nil || len(found.Hits) != 200 || len(seen) != 200 {
		t.Errorf("%d hits, %d shown, want 200; %v", len(found.Hits), len(seen), err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		update(t, x, "3", nil, of...)
	}
	if after, err := os.Stat(path); err != nil || after.Size() > before.Size()*3/2 {
		t.Errorf("the same texts four times more make the file %d bytes large, of %d; %v", after.Size(), before.Size(),
			err)
	}
}

// TestSetStamp: a stamp holds for the state that it was given for, until the next update.
func TestSetStamp(t *testing.T) {
	t.Parallel()
	x := open(t, filepath.Join(t.TempDir(), "index"))
	settled := func(state, stamp, want string) {
		t.Helper()
		if err := x.SetStamp(context.Background(), state, stamp); err != nil {
			t.Fatal(err)
		}
		if got, err := x.Stamp(context.Background()); err != nil || got != want {
			t.Errorf("the stamp is %q, want %q; %v", got, want, err)
		}
	}
	settled("1", "early", "")
	update(t, x, "1", nil, text("a", "1", 5000, "", "apple"))
	settled("0", "of another", "")
	settled("1", "first", "first")
	settled("1", "second", "second")
	update(t, x, "2", nil, text("a", "1", 5000, "", "pear"))
	settled("1", "late", "")
	settled("2", "third", "third")
}
